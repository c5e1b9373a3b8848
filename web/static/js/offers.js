// Hands that are there already: what the known cards of a hand can do, a tap each, above the picker.

import { tell } from "./api.js";
import { facePath } from "./cards.js";
import { fill, h } from "./dom.js";
import { t } from "./words.js";

/** The cards that the owner of a seat has told this device alone, kept under `key`; none when they were not told. */
export function remembered(key) {
  try {
    const found = JSON.parse(sessionStorage.getItem(key) || "[]");
    return Array.isArray(found) ? found : [];
  } catch (error) {
    return [];
  }
}

function ownHand(table, seat) {
  return seat !== null && table.role.seat === seat ? remembered(`hand-${table.id}-${seat}`) : [];
}

const ask = (table, prompt, cards) => tell(`/api/tables/${encodeURIComponent(table.id)}/offers`, { kind: prompt.kind, seat: prompt.seat, ...(cards.length ? { cards } : {}) }, 0).then((found) => found.offers, () => []);

/** The answers to `prompt` that put forward all of `cards`, the best first. */
export async function fitting(prompt, table, cards) {
  const { slot, choices } = prompt;
  if (slot.source !== null && slot.source !== `hand:${prompt.seat}`) return [];
  const may = ({ args }) => choices.every((choice) => choice.values.some((v) => JSON.stringify(v.value) === JSON.stringify(args[choice.name])));
  const found = (await ask(table, prompt, cards)).filter(({ action }) => action.cards.length === cards.length && may(action));
  return Array.from(new Map(found.map((offer) => [JSON.stringify(offer.action.args), offer])).values());
}

/** A part of a sheet with ready answers to `prompt`, or null where no card of the hand is known. `table`: its picture; `take(action)`: one was tapped. */
export function offersFor(deck, prompt, table, take) {
  const { slot } = prompt;
  if (!slot || !slot.most || slot.side === "down" || (slot.source !== null && slot.source !== `hand:${prompt.seat}`)) return null;
  if (!table) return null;
  const player = table.players[prompt.seat];
  const told = ownHand(table, prompt.seat);
  const known = told.length || (slot.source !== null && player && player.hand ? player.hand.known.length : 0);
  if (!known || known < slot.least) return null;
  const room = h("div", { class: "offers waiting", role: "group", "aria-label": t("picker.known") });
  ask(table, prompt, told).then((found) => {
    room.classList.remove("waiting");
    fill(room, found.length ? h("h3", {}, t("picker.known")) : null, h("div", { class: "offer-row" }, found.map(({ action, text }) => h("button", {
      type: "button", class: "button offer", "data-offer": JSON.stringify([action.cards, action.args]), onclick: () => take(action),
      "aria-label": [text, action.cards.map((code) => (deck.faces.get(code) || { name: code }).name).join(t("list-comma"))].filter(Boolean).join(t("colon")),
    }, h("span", { class: "mini", "aria-hidden": "true" }, action.cards.map((code) => h("img", { src: facePath(deck.name, code, true), alt: "", width: 63, height: 88 }))), text ? h("span", { "aria-hidden": "true" }, text) : null))));
  });
  return room;
}
