// What surrounds the game on the table: ending it, the next one, its result to show around, putting it away, and what
// this device does beside showing it.

import { Refused, tell } from "./api.js";
import { mountClock, signal, stayAwake, worth } from "./device.js";
import { h, icon, keep } from "./dom.js";
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
  const next = (turn) => send("/again", { turn }, (opened) => window.location.assign(opened.url));

  // What only a tap brings is loaded with the tap.
  const lost = () => toast(t("error.unreachable"));
  const open = () => import("./menu.js").then((menu) => menu.openMenu(table, { intend, send, guide: guideMe, changed: () => update(table) }), lost);
  const share = (address) => import("./share.js").then((part) => part.shareResult(address, table.game.id, toast), lost);

  /** Where to go from the end of a game: on with the same people, or back to what was. */
  function drawAfter() {
    const again = table.role.name === "host" && table.id !== "demo";
    // no seats to turn
    const alone = table.players.length === 1;
    const path = `/history/${encodeURIComponent(table.id)}`;
    keep(parts.after, [table.over, again], () => (table.over ? [
      again ? h("button", { type: "button", class: "button primary", "data-key": "again-turn", onclick: () => next(true) }, icon("play"), h("span", {}, t(alone ? "evening.again.alone" : "evening.again.turn"))) : null,
      h("div", { class: "row" },
        again && !alone ? h("button", { type: "button", class: "button", "data-key": "again", onclick: () => next(false) }, t("evening.again")) : null,
        h("a", { class: `button${again ? "" : " primary"}`, href: "/" }, t("home.new"))),
      h("div", { class: "row back" },
        h("a", { class: "button quiet", href: path }, icon("history"), h("span", {}, t("end.replay"))),
        h("button", { type: "button", class: "button quiet", "data-key": "share", onclick: () => share(`${path}/result.svg`) }, icon("share"), h("span", {}, t("evening.picture"))),
        h("a", { class: "button quiet", href: `${path}/sheet` }, icon("print"), h("span", {}, t("evening.sheet")))),
    ] : null));
  }

  function update(picture) {
    table = picture;
    drawAfter();
    clock(table);
    stayAwake(!table.over);
    if (coach) coach.look();
  }

  let coach = null;
  /** A first round with hints at the true controls; a new table opened with #guide begins with it. */
  const guideMe = () => import("./guide.js").then(async ({ guide }) => {
    if (coach) coach.stop();
    const open = () => table.prompts.map((prompt) => [prompt.kind, `[data-key="prompt-${CSS.escape(prompt.id)}"]`]);
    const fixed = [["goal", "#felt"], ["felt", "#felt"], ["prompts", "#prompts"], ["join", "#join"]];
    const later = () => (table.entries.length > 2 ? [["ruling", "#ruling"], ["undo", "[data-key=undo]"]] : []);
    coach = await guide(table.game.id, fixed, () => open().concat(later()), () => table.results.length > 0);
  }).catch(lost);

  if (window.location.hash === "#guide") {
    // once, not at every reload
    window.history.replaceState(null, "", window.location.pathname);
    setTimeout(guideMe, 0);
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
