// Whose device this is: a seat's own, or what the one who keeps the game has said. Its player's actions come first.

import { avatar, h, icon, name } from "./dom.js";
import { t } from "./words.js";

const memory = (table) => `companion.mine.${table.id}`;
// as text, until it has been asked for: the number of a seat, or "" for all
let mine = null;

function kept(table) {
  if (mine === null) {
    try {
      mine = localStorage.getItem(memory(table)) || "";
    } catch (error) {
      mine = "";
    }
  }
  return mine;
}

/** The seat that is played on this device; null for all. */
export function ownSeat(table, mode) {
  const { role, players } = table;
  if (mode !== "table") return null;
  if (role.name === "seat") return role.seat;
  if (!role.acts || kept(table) === "") return null;
  return Number(mine) < players.length ? Number(mine) : null;
}

/** Ask it, of those who keep the game. `changed()`: somebody has said it. */
export async function askWhose(table, changed) {
  const { closeSheet, openSheet } = await import("./sheet.js");
  const own = ownSeat(table, "table");
  const choose = (value) => () => {
    mine = value;
    try {
      localStorage.setItem(memory(table), value);
    } catch (error) {
      // a browser that keeps nothing: it holds until the page goes
    }
    closeSheet();
    changed();
  };
  openSheet(t("whose.title"), [h("p", { class: "dim" }, t("whose.lead")), h("div", { class: "whose" },
    table.players.map((p) => h("button", { type: "button", class: `button choice${own === p.seat ? " on" : ""}`, "data-key": `whose-${p.seat}`, onclick: choose(String(p.seat)) }, avatar(p), name(p.name))),
    h("button", { type: "button", class: `button choice${own === null ? " on" : ""}`, "data-key": "whose-all", onclick: choose("") }, icon("people"), h("span", {}, t("whose.all"))))]);
}
