// The menu of a table: ending the game, what this device does for its holder, putting the table away.

import { play, set, settings } from "./device.js";
import { fill, h, icon } from "./dom.js";
import { leave } from "./live.js";
import { closeSheet, openSheet } from "./sheet.js";
import { t } from "./words.js";

const LIMITS = [0, -1, 30, 60, 120, 300]; // s for a turn; 0: no timer, -1: it only counts

/** Show the menu of `table`. `act`: {intend, send} as on its page, changed() after a switch. */
export function openMenu(table, act) {
  const { role, over } = table;
  const keeps = role.acts && role.seat === null;
  const host = role.name === "host" && table.id !== "demo";
  openSheet(t("evening.title"), h("div", { class: "column" },
    keeps && !over ? h("section", { class: "evening-part" }, h("p", { class: "dim" }, t("evening.finish.about")),
      h("button", { type: "button", class: "button", id: "finish", onclick: async () => { closeSheet(); await act.intend({ intent: "finish" }); } }, t("evening.finish"))) : null,
    over ? null : h("section", { class: "evening-part row" }, h("a", { class: "button", href: `/history/${encodeURIComponent(table.id)}/sheet` }, t("evening.sheet"))),
    over ? null : h("section", { class: "evening-part row" }, h("button", { type: "button", class: "button", id: "guide-me", onclick: () => { closeSheet(); act.guide(); } }, icon("question"), h("span", {}, t("guide.start")))),
    deviceSwitches(act.changed),
    host ? putAway(table, act) : null));
}

function putAway(table, act) {
  const box = h("section", { class: "evening-part put-away" });
  const draw = (step) => fill(box, h("h3", {}, t("evening.put-away")), [
    () => h("div", { class: "row" },
      h("button", { type: "button", class: "button", id: "archive", onclick: () => act.send("/archive", { archived: true }, leave) }, t("evening.archive")),
      h("button", { type: "button", class: "button bad", id: "remove", onclick: () => draw(1) }, t("evening.remove"))),
    () => [h("p", {}, t("evening.remove.first")), h("div", { class: "row" },
      h("button", { type: "button", class: "button primary", onclick: () => draw(0) }, t("evening.remove.no")),
      h("button", { type: "button", class: "button bad", id: "remove-sure", onclick: () => draw(2) }, t("evening.remove.yes")))],
    () => [h("p", {}, h("b", {}, t("evening.remove.second"))), h("div", { class: "row" },
      h("button", { type: "button", class: "button primary", onclick: () => draw(0) }, t("evening.remove.no")),
      h("button", { type: "button", class: "button bad", id: "remove-now", onclick: () => act.send("/remove", { sure: table.id }, leave) }, t("evening.remove.now")))],
  ][step]());
  draw(0);
  return box;
}

/** The switches of this device. `changed()` is called after each. */
function deviceSwitches(changed) {
  const box = h("fieldset", { class: "device-switches" });
  const draw = () => fill(box, h("legend", {}, t("evening.device")),
    toggle("sound", t("evening.device.sound"), () => play("turn")),
    "vibrate" in navigator ? toggle("buzz", t("evening.device.buzz"), () => navigator.vibrate(60)) : null,
    "wakeLock" in navigator ? toggle("awake", t("evening.device.awake"), () => {}) : null,
    h("label", { class: "field" }, h("span", {}, t("evening.timer")), limits()));
  const toggle = (name, text, tried) => h("button", { type: "button", class: `button switch${settings[name] ? " on" : ""}`, role: "switch", "aria-checked": settings[name] ? "true" : "false", "data-switch": name,
    onclick: () => { set(name, !settings[name]); if (settings[name]) tried(); draw(); changed(); box.querySelector(`[data-switch=${name}]`).focus(); } }, h("span", {}, text), h("span", { class: "switch-sign", "aria-hidden": "true" }));
  const limits = () => {
    const text = (s) => (s === 0 ? t("evening.timer.off") : s < 0 ? t("evening.timer.count") : s < 60 ? t("evening.timer.seconds", { n: s }) : t("evening.timer.minutes", { n: s / 60 }));
    const el = h("select", { "data-switch": "limit", onchange: (event) => { set("limit", Number(event.target.value)); changed(); } }, LIMITS.map((s) => h("option", { value: s }, text(s))));
    el.value = String(settings.limit);
    return el;
  };
  draw();
  return box;
}
