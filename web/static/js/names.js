// Names in the set-up of a new game: everybody who has played here is offered, whole rounds of people in one tap, and
// everybody can move a seat up.

import { ask } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { t } from "./words.js";

let known = null;

/** Who has played here; nobody where the server does not say. */
function asked() {
  known = known || ask("/api/players").catch(() => ({ names: [], rounds: [] }));
  return known;
}

/** Rounds of people that fit `game`, as buttons in `el`; a tap calls `take(names)`. The names go into the list `id`. */
export async function offerNames(el, id, game, take) {
  const { names, rounds } = await asked();
  const fit = rounds.filter((people) => people.length >= game.least && people.length <= game.most);
  fill(el, h("datalist", { id }, names.map((name) => h("option", { value: name }))),
    fit.length ? h("div", { class: "row rounds", role: "group", "aria-label": t("home.rounds") }, h("p", { class: "dim", "aria-hidden": "true" }, t("home.rounds")), fit.map((people) => h("button", {
      type: "button", class: "button small round", onclick: () => take(people.slice()),
    }, h("span", {}, people.map((name, i) => [i ? t("list-comma") : "", h("bdi", {}, name)]))))) : null);
}

/** A button that moves seat `i` one place up. */
export function seatUp(names, i, redraw) {
  if (i === 0) return null;
  const who = names[i] || t("player-default", { n: i + 1 });
  return h("button", { type: "button", class: "button quiet icon seat-up", "aria-label": t("home.seat-up", { who }), title: t("home.seat-up", { who }),
    onclick: () => { [names[i - 1], names[i]] = [names[i] || "", names[i - 1] || ""]; redraw(i - 1); } }, icon("up"));
}
