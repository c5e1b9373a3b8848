// The words of the page in the reader's language; the server has put them into the page.

const words = JSON.parse(document.getElementById("words").textContent);

export const lang = document.documentElement.lang;

/** The text for `key` with {placeholders} filled in and, in {n, plural, one {# card} other {# cards}}, the form that the count takes. */
export function t(key, params) {
  const text = words[key];
  if (text === undefined) return key;
  return params ? filled(text, params) : text;
}

/** The same for a text that is no word of the page. */
export function filled(text, params) {
  return text.replace(PLURAL, (whole, name, forms) => form(forms, params[name])).replace(/\{(\w+)\}/g, (whole, name) => (name in params ? params[name] : whole));
}

const PLURAL = /\{(\w+), plural, ((?:\w+ \{[^{}]*\} ?)+)\}/g;

/** The plural category is told by hand: old tablets have no Intl.PluralRules. */
function form(forms, count) {
  const found = {};
  forms.replace(/(\w+) \{([^{}]*)\}/g, (whole, category, said) => { found[category] = said; });
  const category = lang === "en" && Math.abs(count) === 1 ? "one" : "other";
  return (category in found ? found[category] : found.other).replace("#", count);
}
