// A first round with hints: short steps, each of which points at the true control it speaks of. A step is shown when its
// control is there; an action is explained when it is open for the first time.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { lang, t } from "./words.js";

/** Guide through `game`. `fixed`: steps in their order, [id of the text, selector]; `actions()`: the kinds of action that
 * are open now, each with its selector; `over()`: a round has been played. Returns {look(), stop()}: look() after every
 * change of the page. */
export async function guide(game, fixed, actions, over) {
  const { steps } = await ask(`/api/guide/${encodeURIComponent(game)}?lang=${lang}`);
  const seen = new Set();
  const box = h("aside", { class: "coach", role: "status", "aria-label": t("guide.title") });
  let shown = null;
  let done = false;

  const visible = (selector) => Array.from(document.querySelectorAll(selector)).find((el) => el.getClientRects().length && el.offsetHeight > 4);
  const next = () => {
    for (const [id, selector] of fixed) if (!seen.has(id) && steps[id] && visible(selector)) return [id, selector];
    for (const [kind, selector] of actions()) if (!seen.has(kind) && steps[kind] && visible(selector)) return [kind, selector];
    return over() && !seen.has("end") && steps.end ? ["end", ".results"] : null;
  };
  const point = (selector) => {
    for (const el of document.querySelectorAll(".pointed")) el.classList.remove("pointed");
    const target = selector && visible(selector);
    if (!target) return;
    target.classList.add("pointed");
    if (target.closest("#dock")) target.scrollIntoView({ block: "nearest" });
  };
  /** While a hint speaks of the felt, small screens show that, and the hand with its own hint. */
  const atFelt = (on) => box.parentNode && box.parentNode.classList.toggle("at-felt", on);
  const leave = () => {
    atFelt(false);
    box.remove();
    for (const el of document.querySelectorAll(".coached")) el.classList.remove("coached");
  };
  const stop = () => {
    done = true;
    point(null);
    leave();
  };
  const look = () => {
    if (done) return;
    atFelt(false);
    const found = shown && !seen.has(shown[0]) && visible(shown[1]) ? shown : next();
    if (found && shown && found[0] === shown[0]) {
      atFelt(found[1] === "#felt");
      point(found[1]);
      return;
    }
    shown = found;
    if (!found) {
      point(null);
      leave();
      if (seen.has("end")) stop();
      return;
    }
    const ok = () => { seen.add(found[0]); look(); };
    fill(box, h("p", {}, steps[found[0]]), h("div", { class: "row" },
      found[0] === "end" ? h("a", { class: "button", href: "/" }, t("guide.real")) : null,
      h("button", { type: "button", class: "button primary", "data-key": "guide-ok", onclick: ok }, t("guide.ok")),
      found[0] === "end" ? null : h("button", { type: "button", class: "button quiet", "data-key": "guide-stop", onclick: stop }, t("guide.stop"))));
    const home = document.querySelector("#dock .actions") || document.getElementById("dock");
    if (box.parentNode !== home) home.insertBefore(box, home.firstChild);
    home.classList.add("coached");
    atFelt(found[1] === "#felt");
    point(found[1]); // now that the hint has its room
  };
  look();
  return { look, stop };
}
