// A sheet that slides over the page: holds the focus while it is open, closes with Escape, gives the focus back.

import { fill, h, icon, rest } from "./dom.js";
import { t } from "./words.js";

const room = document.getElementById("sheet-room");
const FOCUSABLE = "button:not([disabled]), a[href], input, select, summary";
let open = null;

/** Show `content` under `title`. `onclose` runs when it goes, however it goes. Returns {close, body}. */
export function openSheet(title, content, onclose) {
  closeSheet();
  const before = document.activeElement;
  const body = h("div", { class: "sheet-body" }, content);
  const heading = h("h2", { id: "sheet-title", tabindex: "-1" }, title);
  const panel = h("div", { class: "sheet", role: "dialog", "aria-modal": "true", "aria-labelledby": "sheet-title" },
    h("div", { class: "sheet-head" }, heading,
      h("button", { type: "button", class: "button quiet icon", "aria-label": t("close"), onclick: () => closeSheet() }, icon("close"))),
    body);
  const veil = h("div", { class: "veil", onclick: (event) => event.target === veil && closeSheet() }, panel);
  fill(room, veil);
  document.body.classList.add("has-sheet");
  for (const part of outside()) part.setAttribute("aria-hidden", "true");
  panel.addEventListener("keydown", (event) => trap(event, panel));
  heading.focus({ preventScroll: true });
  rest(room);
  open = { before, onclose };
  return { close: closeSheet, body, heading };
}

/** Close the sheet, if one is open. */
export function closeSheet() {
  if (!open) return;
  const { before, onclose } = open;
  open = null;
  fill(room);
  rest(document.getElementById("main"));
  document.body.classList.remove("has-sheet");
  for (const part of outside()) part.removeAttribute("aria-hidden");
  const key = before && before.getAttribute && before.getAttribute("data-key");
  const back = before && before.isConnected ? before : key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const target = back || document.getElementById("prompts");
  if (target) target.focus({ preventScroll: true });
  if (onclose) onclose();
}

/** Is a sheet open? */
export function sheetIsOpen() {
  return open !== null;
}

function outside() {
  return Array.from(document.querySelectorAll("body > header, body > main, body > nav, body > .skip"));
}

function trap(event, panel) {
  if (event.key === "Escape") {
    event.stopPropagation();
    closeSheet();
  }
  if (event.key !== "Tab") return;
  const all = Array.from(panel.querySelectorAll(FOCUSABLE)).filter((el) => el.offsetParent !== null);
  if (!all.length) return;
  const first = all[0];
  const last = all[all.length - 1];
  if (event.shiftKey && (document.activeElement === first || !panel.contains(document.activeElement) || document.activeElement.id === "sheet-title")) {
    event.preventDefault();
    last.focus();
  } else if (!event.shiftKey && document.activeElement === last) {
    event.preventDefault();
    first.focus();
  }
}
