// The words of the page in the reader's language; the server has put them into the page.

const words = JSON.parse(document.getElementById("words").textContent);

/** The text for `key` with {placeholders} filled in. */
export function t(key, params) {
  const text = words[key];
  if (text === undefined) return key;
  return params ? text.replace(/\{(\w+)\}/g, (whole, name) => (name in params ? params[name] : whole)) : text;
}

export const lang = document.documentElement.lang;
