// The card picker: a suit a row, a rank a column, the copies that are left, and the reason where there is none.

import { UNKNOWN } from "./actions.js";
import { facePath } from "./cards.js";
import { coloured } from "./colours.js";
import { fill, h, icon, keep } from "./dom.js";
import { t } from "./words.js";

/** A picker for one slot. `slot`: {least, most, side, ordered, faces, used}; `chosen`: codes chosen so far (it is changed in
 * place); `changed(full)`: called after every tap. Returns {el, update(slot)}. */
export function cardPicker(deck, slot, chosen, changed) {
  let limits = slot;
  let suit = startSuit(deck, slot);
  let whole = !isFew(slot); // where few faces may come, they alone are shown, until somebody asks for all
  const tray = h("div", { class: "tray", "aria-live": "polite" });
  const why = h("div", { class: "why", role: "status" });
  const tabs = h("div", { class: "suit-tabs", role: "group", "aria-label": t("picker.suits") });
  const grid = h("div", { class: "grid-room", onkeydown: (event) => walk(event, grid), onfocusin: (event) => { stand(event.target.closest(".cell")); } });
  const extra = h("div", { class: "row extra" });

  let here = ""; // the face that Tab leads to; arrows lead on from there
  const stand = (cell) => {
    if (!cell) return;
    here = cell.dataset.face;
    for (const other of grid.querySelectorAll(".cell")) other.tabIndex = other === cell ? 0 : -1;
  };

  const count = (code) => chosen.filter((c) => c === code).length;
  const left = (face) => {
    const n = count(face.code);
    if (limits.faces) return (limits.faces[face.code] || 0) - n;
    return face.copies - (limits.used[face.code] || 0) - n;
  };
  const reason = (face) => {
    if (limits.faces && !(face.code in limits.faces)) return t("picker.not-allowed", { card: face.name });
    if (face.copies === 1) return t("picker.used-one", { card: face.name });
    return t("picker.used-all", { card: face.name, n: face.copies });
  };

  const add = (code) => {
    if (limits.most > 1 && chosen.length >= limits.most) {
      fill(why, h("span", {}, t("picker.full", { n: limits.most })));
      return;
    }
    if (limits.most === 1) chosen.length = 0;
    chosen.push(code);
    if (deck.faces.has(code)) lastSuit.set(deck.name, deck.faces.get(code).suit.suit);
    fill(why);
    draw();
    changed(chosen.length === limits.most);
  };
  const tap = (face) => {
    if (left(face) > 0) return add(face.code);
    fill(why, h("span", {}, reason(face)), h("button", { type: "button", class: "button small", onclick: () => add(face.code) }, t("picker.anyway")));
    return undefined;
  };
  const remove = (index) => {
    chosen.splice(index, 1);
    fill(why);
    draw();
    changed(false);
  };

  const cell = (face) => {
    const n = left(face);
    const many = face.copies > 1 || (limits.faces && limits.faces[face.code] > 1);
    const words = [face.name, n > 0 ? (many ? t("picker.left", { n }) : "") : t("picker.none-left")];
    return h("button", {
      type: "button",
      class: `cell${count(face.code) ? " chosen" : ""}${n > 0 ? "" : " gone"}`,
      "data-key": `cell-${face.code}`,
      "data-face": face.code,
      "aria-label": words.filter(Boolean).join(", "),
      onclick: () => tap(face),
    }, drawFace(deck, face), many && n > 0 ? h("span", { class: "left", "aria-hidden": "true" }, `×${n}`) : null);
  };

  const draw = () => {
    keep(tray, [chosen, limits.least, limits.most, limits.ordered], () => [
      chosen.map((code, i) => {
        const face = deck.faces.get(code);
        return h("button", {
          type: "button", class: "in-tray", "data-key": `tray-${i}`, "data-code": code, onclick: () => remove(i),
          "aria-label": [limits.ordered ? t("picker.place", { n: i + 1 }) : "", t("picker.remove", { card: face ? face.name : t("unknown-card") })].filter(Boolean).join(": "),
        }, limits.ordered ? h("span", { class: "place", "aria-hidden": "true" }, String(i + 1)) : null, face ? h("img", { src: facePath(deck.name, code, true), alt: "", width: 63, height: 88 })
          : h("img", { src: coloured("/cards/back.svg"), alt: "", width: 63, height: 88 }), h("span", { class: "x" }, icon("close")));
      }),
      Array.from({ length: Math.max(0, Math.min(limits.most, 14) - chosen.length) }, (_, i) =>
        h("span", { class: `hole${chosen.length + i < limits.least ? "" : " may"}`, "aria-hidden": "true" })),
    ]);
    tabs.hidden = !whole;
    grid.classList.toggle("few", !whole);
    keep(tabs, [suit], () => deck.suits.map((s) =>
      h("button", {
        type: "button", class: `tab${s.suit === suit ? " on" : ""}`, "aria-pressed": s.suit === suit ? "true" : "false",
        "data-key": `suit-${s.suit}`, "aria-label": s.name, style: null,
        onclick: () => { suit = s.suit; lastSuit.set(deck.name, suit); here = s.faces[0].code; draw(); },
      }, suitSign(s))));
    keep(grid, [suit, chosen, limits, whole], () => !whole ? Object.keys(limits.faces).map((code) => deck.faces.get(code)).filter(Boolean).map(cell) : deck.suits.map((s) => [s, s.faces.map((f) => deck.faces.get(f.code))]).map(([s, faces]) =>
      h("div", { class: `suit-row${s.suit === suit ? " on" : ""}${s.faces[0].kind === "trump" ? "" : " drawn"}`, role: "group", "aria-label": s.name }, faces.map(cell))));
    stand(Array.from(grid.querySelectorAll(".suit-row.on .cell, .cell")).find((c) => c.dataset.face === here) || grid.querySelector(".suit-row.on .cell"));
    keep(extra, [limits.side, whole], () => [
      limits.side === "any" ? h("button", { type: "button", class: "button", "data-key": "face-down", onclick: () => add(UNKNOWN) }, t("picker.face-down")) : null,
      whole ? null : h("button", { type: "button", class: "button quiet", "data-key": "all-cards", onclick: () => { whole = true; draw(); } }, t("picker.all-cards")),
    ]);
  };
  draw();
  return {
    el: h("div", { class: `picker${slot.most > 1 ? "" : " one"} deck-${deck.suits[0].faces[0].kind === "trump" ? "plain" : "drawn"}` }, tray, why, tabs, grid, extra),
    update: (newSlot) => { limits = newSlot; whole = whole || !isFew(newSlot); draw(); },
  };
}

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Arrow keys go from card to card as they lie on the screen. */
function walk(event, grid) {
  const way = WAYS[event.key];
  const from = event.target.closest(".cell");
  if (!way || !from) return;
  event.preventDefault();
  const middle = (el) => {
    const box = el.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const cell of grid.querySelectorAll(".cell")) {
    if (cell.offsetParent === null || cell === from) continue;
    const [cx, cy] = middle(cell);
    const ahead = (cx - x) * way[0] + (cy - y) * way[1];
    const aside = Math.abs((cx - x) * way[1]) + Math.abs((cy - y) * way[0]);
    if (ahead < 2 || (way[0] && aside > 20)) continue;
    const far = ahead + 3 * aside;
    if (far < least) [best, least] = [cell, far];
  }
  if (best) best.focus();
}

const FEW = 15;
const isFew = (slot) => Boolean(slot.faces) && Object.keys(slot.faces).length > 0 && Object.keys(slot.faces).length <= FEW;

const lastSuit = new Map(); // by deck: where only one suit is shown, the one that was looked at last comes first

function startSuit(deck, slot) {
  const open = (face) => (slot.faces ? (slot.faces[face.code] || 0) > 0 : face.copies > (slot.used[face.code] || 0));
  const last = deck.suits.find((s) => s.suit === lastSuit.get(deck.name) && s.faces.some(open));
  const found = last || deck.suits.find((s) => s.faces.some(open));
  return (found || deck.suits[0]).suit;
}

function suitSign(suit) {
  const face = suit.faces[0];
  return face.kind === "trump" ? sign(suit.suit) : h("span", { class: "suit-name" }, suit.name);
}

function sign(suit) {
  return h("img", { class: "sign", src: coloured(`/suits/${suit}.svg`), alt: "", width: 20, height: 20, draggable: "false" });
}

function drawFace(deck, face) {
  if (face.kind === "trump") {
    return h("span", { class: `glyph ${face.suit.suit === "H" || face.suit.suit === "D" ? "red" : "black"}`, "aria-hidden": "true" },
      h("span", { class: "rank" }, face.rank), sign(face.suit.suit));
  }
  return [
    h("img", { src: facePath(deck.name, face.code, true), alt: "", width: 63, height: 88, loading: "lazy", draggable: "false" }),
    h("span", { class: "cell-name", "aria-hidden": "true" }, face.short),
  ];
}
