// What the table waits for, the open actions as large buttons, the last ruling, fouls that wait, questions.

import { cardImage } from "./cards.js";
import { h, keep, name } from "./dom.js";
import { t } from "./words.js";

/** "Whose turn, and for what": always visible. */
export function drawAwaits(el, table) {
  keep(el, [table.awaits, table.over, table.role.acts], () => {
    if (table.over) return h("p", { class: "await" }, h("b", {}, t("over")));
    if (table.role.acts) {
      const who = Array.from(new Set(table.awaits.flatMap((line) => line.who)));
      return who.length ? h("p", { class: "await" }, t("to-act"), t("colon"), h("b", {}, listed(who))) : null;
    }
    return table.awaits.slice(0, 4).map((line) =>
      h("p", { class: "await" }, line.who.length ? [listed(line.who), t("colon")] : null, h("b", {}, line.text)));
  });
}

function listed(names) {
  const shown = names.slice(0, 8);
  return shown.map((text, i) => [i ? t("list-comma") : null, name(text)]);
}

/** Results of a finished round. */
export function drawResults(el, table) {
  keep(el, table.results, () => table.results.map((text) => h("p", {}, text)));
}

/** The open actions as buttons; the own seat's first. */
export function drawPrompts(el, table, act) {
  keep(el, [table.prompts, table.role], () => {
    const mine = (p) => (table.role.name === "seat" && p.seat === table.role.seat ? 0 : 1);
    const prompts = table.prompts.slice().sort((a, b) => mine(a) - mine(b));
    const seats = new Set(prompts.map((p) => p.seat));
    if (!table.role.acts) return table.awaits.length ? h("p", { class: "dim" }, t("looking-on")) : null;
    return prompts.map((prompt) => h("button", {
      type: "button", class: `button prompt${mine(prompt) === 0 || seats.size === 1 ? " primary" : ""}`, "data-key": `prompt-${prompt.id}`,
      "data-kind": prompt.kind, "data-seat": prompt.seat === null ? "" : prompt.seat, onclick: () => act(prompt.id),
    }, prompt.who ? h("span", { class: "who" }, name(prompt.who)) : null, h("span", { class: "what" }, prompt.label),
    prompt.detail ? h("span", { class: "detail" }, prompt.detail) : null));
  });
}

/** A ruling in words, with its clauses. */
export function rulingText(entry) {
  const lines = entry.violations.concat(entry.proven);
  return lines.map((v) => h("p", { class: `reason ${v.verdict}` }, v.text, v.clause ? [" ", h("a", { class: "clause", href: v.rule, target: "_blank", rel: "noopener" }, v.clause)] : null));
}

/** The verdict as a mark with a word. */
export function verdictTag(entry, brief) {
  if (!entry.verdict) return null;
  const sign = { legal: "✓", unproven: "?", foul: "!" }[entry.verdict] || "";
  return h("span", { class: `verdict ${entry.verdict}` }, h("span", { "aria-hidden": "true" }, sign), h("span", { class: brief && entry.verdict === "legal" ? "sr" : "" }, ` ${t(`verdict.${entry.verdict}`)}`));
}

/** The newest action and what the referee said of it. */
export function drawRuling(el, table) {
  const last = table.entries.filter((entry) => entry.kind === "acted" && entry.standing && !entry.pending).pop();
  keep(el, last || null, () => (last
    ? [h("div", { class: "ruling-head" }, h("h2", { class: "sr" }, t("last-ruling")), h("span", { class: "ruling-what" }, last.text), verdictTag(last)), rulingText(last), evidence(last)]
    : null));
}

/** Fouls that wait for the table: what is wrong, which rule, the cards, the picture; take back or play on. */
export function drawPending(el, table, deck, decide) {
  keep(el, [table.pending, table.role.acts], () => table.pending.map((entry) =>
    h("section", { class: "foul-box", "aria-label": t("verdict.foul") },
      h("div", { class: "ruling-head" }, verdictTag(entry), h("span", { class: "ruling-what" }, entry.text)),
      rulingText(entry),
      h("div", { class: "cards small" }, involved(entry).map((face) => cardImage(deck, { face, side: "up", marks: ["foul"] }))),
      evidence(entry),
      table.role.acts ? h("div", { class: "row" },
        h("button", { type: "button", class: "button primary", "data-key": `back-${entry.seq}`, onclick: () => decide("take-back", entry.seq) }, t("take-back")),
        h("button", { type: "button", class: "button", "data-key": `fix-${entry.seq}`, onclick: () => decide("correct", entry.seq) }, t("correct")),
        h("button", { type: "button", class: "button", "data-key": `on-${entry.seq}`, onclick: () => decide("play-on", entry.seq) }, t("play-on"))) : null)));
}

function involved(entry) {
  return Array.from(new Set(entry.violations.flatMap((v) => v.cards)));
}

/** The picture a card was read from. */
export function evidence(entry) {
  if (!entry.evidence) return null;
  return h("a", { class: "evidence", href: `/evidence/${entry.evidence}`, target: "_blank", rel: "noopener" },
    h("img", { src: `/evidence/${entry.evidence}`, alt: t("evidence") }));
}

/** What the camera is unsure about: its picture, the likely answers first. */
export function drawQuestions(el, around, acts, deck, answer) {
  const questions = around.camera.questions || [];
  keep(el, [questions, acts], () => questions.map((question) =>
    h("section", { class: "question", "aria-label": t("question") },
      h("div", { class: "question-body" },
        question.crop ? h("img", { class: "crop", src: `/evidence/${question.crop}`, alt: t("evidence") }) : null,
        h("p", {}, question.text)),
      acts ? h("div", { class: "row" },
        question.options.map((option, i) => h("button", { type: "button", class: "button choice", "data-key": `q-${question.id}-${i}`, onclick: () => answer(question, i) },
          option.cards.length ? h("span", { class: "mini" }, option.cards.map((face) => cardImage(deck, { face, side: "up" }))) : null, h("span", {}, option.text))),
        question.any ? h("button", { type: "button", class: "button", "data-key": `q-${question.id}-any`, onclick: () => answer(question, "any") }, t("question.other")) : null,
        h("button", { type: "button", class: "button quiet", "data-key": `q-${question.id}-none`, onclick: () => answer(question, null) }, t(question.any ? "question.none" : "question.aside"))) : null)));
}
