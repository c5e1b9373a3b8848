// The own hand, for the referee's eyes only: the cards stay on this device; the server looks at them and forgets them.

import { tell } from "./api.js";
import { fill, h } from "./dom.js";
import { rulingText, verdictTag } from "./dock.js";
import { cardPicker } from "./picker.js";
import { remembered } from "./offers.js";
import { openSheet } from "./sheet.js";
import { t } from "./words.js";

const MOST = 60;

/** Open the sheet in which a seat's owner taps in the hand he holds. */
export function openHand(table, deck) {
  const kept = `hand-${table.id}-${table.role.seat}`;
  const chosen = remembered(kept).filter((code) => deck.faces.has(code));
  const player = table.players[table.role.seat];
  const laid = table.prompts.filter((prompt) => prompt.seat === table.role.seat && prompt.slot).map((prompt) => prompt.slot.most);
  const most = (player.hand && player.hand.known.length + player.hand.unknown) || Math.max(0, ...laid) || MOST;
  const answer = h("div", { class: "hand-check", role: "status" });
  const check = h("button", { type: "button", class: "button primary big", onclick: ask }, t("hand.check"));
  const picker = cardPicker(deck, { least: 0, most: Math.max(most, chosen.length), side: "up", faces: null, used: {} }, chosen, changed);

  function changed() {
    try {
      sessionStorage.setItem(kept, JSON.stringify(chosen));
    } catch (error) {
      // Without a place to remember it the hand lasts as long as the sheet.
    }
    check.disabled = chosen.length === 0;
    fill(answer);
  }
  async function ask() {
    check.disabled = true;
    try {
      show(await tell(`/api/tables/${encodeURIComponent(table.id)}/hand/check`, { cards: chosen }));
    } catch (refused) {
      fill(answer, h("p", {}, refused.message));
    }
    check.disabled = false;
  }
  function show(found) {
    const cards = (codes) => codes.map((code) => (deck.faces.get(code) ? deck.faces.get(code).name : code)).join(t("list-comma"));
    fill(answer,
      rulingText({ violations: found.notes, proven: [] }),
      found.plays.map((play) => h("div", { class: "play" },
        h("p", {}, verdictTag(play, false), ` ${play.label}${t("colon")}${cards(play.cards)}`, play.note ? h("b", {}, ` · ${play.note}`) : null),
        rulingText({ violations: play.violations, proven: [] }))),
      found.notes.length || found.plays.length ? null : h("p", {}, t("hand.nothing")));
    answer.scrollIntoView({ block: "nearest" });
  }
  changed();
  openSheet(t("hand.title"), [h("p", { class: "dim" }, t("hand.lead")), picker.el, answer, h("div", { class: "confirm" }, check)]);
}
