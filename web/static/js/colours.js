// Two colours or four for the suits of playing cards, as this device likes it.

import { ask } from "./api.js";
import { t } from "./words.js";

const MEMORY = "companion.four-colours";
let four = false;
try {
  four = localStorage.getItem(MEMORY) === "on";
} catch (error) {
  four = false;
}

// of scripts and drawings alike
const version = new URL(import.meta.url).pathname.split("/")[2];
// deck and colours → the small cards of that deck, by code
const drawn = new Map();
// what a small card is: its address → deck and code
const shows = new Map();

/** The address of a drawn card or suit sign in the colours of this device. */
export function coloured(path) {
  return `${path}${path.includes("?") ? "&" : "?"}${four ? "four=1&" : ""}v=${version}`;
}

/** Have the small cards of a deck at hand, in the colours of this device. */
export async function loadSmall(deck) {
  const path = coloured(`/cards/${encodeURIComponent(deck)}.json`);
  const found = await ask(path);
  const cards = new Map(Object.keys(found).map((code) => [code, `data:image/svg+xml,${encodeURIComponent(found[code])}`]));
  for (const [code, address] of cards) shows.set(address, [deck, code]);
  drawn.set(deck, { four, cards });
}

/** The address of a small card; null where the small cards of its deck are not at hand. */
export function smallCard(deck, code) {
  const found = drawn.get(deck);
  return (found && found.four === four && found.cards.get(code)) || null;
}

/** Every card that the page shows already, in the colours of now. */
async function recolour() {
  await Promise.all(Array.from(drawn.keys(), (deck) => loadSmall(deck).catch(() => null)));
  for (const picture of document.querySelectorAll("img")) {
    const source = picture.getAttribute("src") || "";
    const [path, asked] = source.split("?");
    if (shows.has(source)) picture.src = smallCard(...shows.get(source)) || source;
    else if (/^\/(cards\/.+\/|suits\/)/.test(path)) {
      const kept = (asked || "").split("&").filter((part) => /^look=/.test(part));
      picture.src = coloured([path, ...kept].join("?"));
    }
  }
}

/** Make `button` the switch. */
export function mountColours(button) {
  if (four) recolour();
  if (!button) return;
  const draw = () => {
    button.setAttribute("aria-pressed", four ? "true" : "false");
    button.textContent = t(four ? "colours.four" : "colours.two");
  };
  button.addEventListener("click", () => {
    four = !four;
    try {
      localStorage.setItem(MEMORY, four ? "on" : "off");
    } catch (error) {
      // a browser that keeps nothing: the switch holds until the page goes
    }
    draw();
    recolour();
  });
  draw();
  button.hidden = false;
}
