// Corrections: of a card that was misread, one tap on it and one on the right face; of a whole entry. `page`: {base, state,
// intend, compose, toast, refused, draw} of the table page.

import { ask } from "./api.js";
import { facePath } from "./cards.js";
import { h, icon } from "./dom.js";
import { closeSheet, openSheet } from "./sheet.js";
import { lang, t } from "./words.js";

async function toCorrect(page, seq) {
  try {
    const found = await ask(`${page.base}/entries/${seq}?lang=${lang}`);
    if (found.prompts[0]) return found;
    page.toast(t("error.no-correction"));
  } catch (error) {
    await page.refused(error);
  }
  return null;
}

/** Tell the referee what entry `seq` was in truth, and say what that changes for others. */
async function putRight(page, seq, action) {
  const before = page.state.table;
  const done = await page.intend({ intent: "correct", of: seq, action });
  if (done) tellChanges(page, before, page.state.table, action.seat);
  return done;
}

/** Correct entry `seq`: all of its cards and choices. */
export async function correct(page, seq) {
  const found = await toCorrect(page, seq);
  if (!found) return undefined;
  return page.compose(page.state.deck, found.prompts[0], (action) => putRight(page, seq, action), {
    start: { cards: found.action.cards, args: found.action.args }, title: t("correct-title", { n: seq }), note: found.entry.text,
  });
}

/** What a correction has changed beside the entry itself: scores, counts, rulings. It stays until the next action. */
function tellChanges(page, before, after, seat) {
  const lines = [];
  after.players.forEach((now, i) => {
    const old = before.players[i];
    const parts = [];
    if (old.score !== now.score && now.seat !== seat) parts.push(`${t("scores")} ${old.score} → ${now.score}`);
    now.counters.forEach((counter, n) => {
      const was = old.counters[n];
      if (was && was.label === counter.label && was.value !== counter.value && now.seat !== seat) parts.push(`${counter.label} ${was.value} → ${counter.value}`);
    });
    if (parts.length) lines.push(`${now.name}${t("colon")}${parts.join(t("list-comma"))}`);
  });
  for (const change of after.changes) lines.push(`#${change.seq} ${change.text}`);
  page.state.changed = lines.length ? { seq: after.seq, lines } : null;
  page.draw();
}

/** A card on the table was tapped: show it large, its picture if a camera read it, and below the face that it is in truth:
 * one tap there corrects it. */
export async function touchCard(page, zone, card) {
  const { deck, table } = page.state;
  const face = deck.faces.get(card.face);
  const laid = table.entries.filter((e) => e.correctable && e.standing && e.cards.includes(card.face));
  const origin = laid.filter((e) => zone.seat === null || e.seat === zone.seat || e.seat === null).pop() || laid.pop(); // captured: another laid it
  const sheet = (more) => h("div", { class: "card-sheet" },
    h("img", { class: "big-card", src: facePath(deck.name, face.code), alt: "", width: 63, height: 88 }),
    origin && origin.evidence ? h("figure", {}, h("img", { class: "crop", src: `/evidence/${origin.evidence}`, alt: t("evidence") }), h("figcaption", {}, t("evidence"))) : null,
    h("div", { class: "column" },
      h("p", {}, zone.label, zone.note ? ` · ${zone.note}` : ""),
      origin ? h("p", { class: "dim" }, `#${origin.seq} ${origin.text}`) : null, more));
  const found = origin && await toCorrect(page, origin.seq);
  if (!found) return openSheet(face.name, sheet(null));
  const slot = { ...found.prompts[0].slot, least: 1, most: 1, ordered: false };
  const all = h("button", { type: "button", class: "button quiet", "data-key": "correct-all", onclick: () => { closeSheet(); correct(page, origin.seq); } }, icon("pencil"), h("span", {}, t("correct-entry")));
  return page.compose(deck, { id: "card", kind: found.action.kind, seat: found.action.seat, who: "", label: t("correct-now"), detail: "", slot, choices: [] }, (told) => {
    const cards = found.action.cards.slice();
    cards[cards.indexOf(card.face)] = told.cards[0];
    return putRight(page, origin.seq, { ...found.action, cards });
  }, { start: { cards: [], args: {} }, title: `${face.name}${t("colon")}${t("correct-which")}`, note: sheet(all), quick: true });
}
