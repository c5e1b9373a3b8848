// What surrounds the game on the table: ending it, the next one, its result to show around, putting it away, and what
// this device does beside showing it.

import { Refused, tell } from "./api.js";
import { deviceSwitches, mountClock, signal, stayAwake, worth } from "./device.js";
import { fill, h, keep } from "./dom.js";
import { shareResult } from "./share.js";
import { closeSheet, openSheet } from "./sheet.js";
import { t } from "./words.js";

/** `parts`: {button, after, clock} of the page; `intend(body)` tells the referee, `toast(text)` people; `now`: the
 * server's time when the page was made. Returns {update(table), news(before, table)}. */
export function mountEvening(parts, intend, toast, now) {
  const clock = mountClock(parts.clock, Date.now() - new Date(now).getTime());
  let table = null;
  const base = () => `/api/tables/${encodeURIComponent(table.id)}`;

  const send = async (path, body, done) => {
    try {
      done(await tell(base() + path, body));
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      toast(refused.message);
    }
  };
  const again = (turn) => send("/again", { turn }, (opened) => window.location.assign(opened.url));

  function open() {
    const { role, over } = table;
    const keeps = role.acts && role.seat === null;
    const host = role.name === "host" && table.id !== "demo";
    openSheet(t("evening.title"), h("div", { class: "column" },
      keeps && !over ? h("section", { class: "evening-part" }, h("p", { class: "dim" }, t("evening.finish.about")),
        h("button", { type: "button", class: "button", id: "finish", onclick: async () => { closeSheet(); await intend({ intent: "finish" }); } }, t("evening.finish"))) : null,
      over ? null : h("section", { class: "evening-part row" }, h("a", { class: "button", href: `/history/${encodeURIComponent(table.id)}/sheet` }, t("evening.sheet"))),
      deviceSwitches(() => update(table)),
      host ? putAway() : null));
  }

  function putAway() {
    const box = h("section", { class: "evening-part put-away" });
    const draw = (step) => fill(box, h("h3", {}, t("evening.put-away")), [
      () => h("div", { class: "row" },
        h("button", { type: "button", class: "button", id: "archive", onclick: () => send("/archive", { archived: true }, () => window.location.assign("/")) }, t("evening.archive")),
        h("button", { type: "button", class: "button bad", id: "remove", onclick: () => draw(1) }, t("evening.remove"))),
      () => [h("p", {}, t("evening.remove.first")), h("div", { class: "row" },
        h("button", { type: "button", class: "button primary", onclick: () => draw(0) }, t("evening.remove.no")),
        h("button", { type: "button", class: "button bad", id: "remove-sure", onclick: () => draw(2) }, t("evening.remove.yes")))],
      () => [h("p", {}, h("b", {}, t("evening.remove.second"))), h("div", { class: "row" },
        h("button", { type: "button", class: "button primary", onclick: () => draw(0) }, t("evening.remove.no")),
        h("button", { type: "button", class: "button bad", id: "remove-now", onclick: () => send("/remove", { sure: table.id }, () => window.location.assign("/")) }, t("evening.remove.now")))],
    ][step]());
    draw(0);
    return box;
  }

  function drawAfter() {
    const host = table.role.name === "host";
    const path = `/history/${encodeURIComponent(table.id)}`;
    keep(parts.after, [table.over, host], () => (table.over ? [
      host && table.id !== "demo" ? h("div", { class: "row" },
        h("button", { type: "button", class: "button primary", "data-key": "again-turn", onclick: () => again(true) }, t("evening.again.turn")),
        h("button", { type: "button", class: "button", "data-key": "again", onclick: () => again(false) }, t("evening.again"))) : null,
      h("div", { class: "row" },
        h("button", { type: "button", class: "button quiet", "data-key": "share", onclick: () => shareResult(`${path}/result.svg`, table.game.id, toast) }, t("evening.picture")),
        h("a", { class: "button quiet", href: `${path}/sheet` }, t("evening.sheet"))),
    ] : null));
  }

  function update(picture) {
    table = picture;
    drawAfter();
    clock(table);
    stayAwake(!table.over);
  }

  parts.button.hidden = false;
  parts.button.addEventListener("click", open);
  document.addEventListener("visibilitychange", () => table && stayAwake(!table.over));
  return {
    update,
    news: (before, picture) => {
      const kind = worth(before, picture);
      if (kind) signal(kind);
    },
  };
}
