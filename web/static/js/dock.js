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

/** Results of a finished round; at the end of the game everybody's place, and where to go from here. */
export function drawResults(el, table, board) {
  const standing = table.over ? table.players.filter((p) => p.score !== null || table.winners.includes(p.seat)) : [];
  keep(el, [table.results, standing, table.winners, board], () => [
    table.results.map((text) => h("p", {}, text)),
    standing.length ? h("ol", { class: "standing", "aria-label": t("final-scores") }, ranked(standing, table.winners).map((p) => {
      const won = table.winners.includes(p.seat);
      return h("li", { class: won ? "won" : "", "data-seat": p.seat }, won ? star() : null, name(p.name), h("span", { class: "stretch" }), p.score === null ? null : h("b", {}, p.score));
    })) : null,
    table.over && !board ? h("div", { class: "row" },
      h("a", { class: "button", href: `/history/${encodeURIComponent(table.id)}` }, t("end.replay")),
      h("a", { class: "button primary", href: "/" }, t("home.new"))) : null,
  ]);
}

function ranked(players, winners) {
  const first = (p) => (winners.includes(p.seat) ? 0 : 1);
  return players.slice().sort((a, b) => first(a) - first(b) || (b.score || 0) - (a.score || 0) || a.seat - b.seat);
}

/** The sign of a winner, with its word. */
export function star() {
  return h("span", { class: "star" }, h("span", { "aria-hidden": "true" }, "★"), h("span", { class: "sr" }, `${t("winner")} `));
}

let slots = [];

/** What makes a prompt the same one in a newer picture of the table, where its number may differ. */
export const promptName = (p) => [p.kind, p.seat, p.label, p.detail].join("|");

/** While others only take from what is open (everybody lays at once), what stays open keeps its place: nothing moves
 * under a finger. What this device's own tap opened is put in `anew`. Returns prompts with `gone` for those that were
 * here and now only hold their place. */
function placed(prompts, anew) {
  const left = prompts.slice();
  const kept = slots.map((old) => {
    const i = left.findIndex((p) => promptName(p) === promptName(old));
    return i < 0 ? { ...old, gone: true } : left.splice(i, 1)[0];
  });
  slots = anew || left.length || kept.every((p) => p.gone) ? prompts : kept;
  return slots;
}

/** The open actions as buttons, the own seat's first; `anew`: in new places. Returns true when they have changed. */
export function drawPrompts(el, table, act, anew) {
  const mine = (p) => (table.role.name === "seat" && p.seat === table.role.seat ? 0 : 1);
  const prompts = placed(table.prompts.slice().sort((a, b) => mine(a) - mine(b)), anew);
  return keep(el, [prompts, table.role, table.over], () => {
    const seats = new Set(table.prompts.map((p) => p.seat));
    if (!table.role.acts) return table.awaits.length ? h("p", { class: "dim" }, t("looking-on")) : null;
    return prompts.map((prompt) => promptButton(prompt, mine(prompt) === 0 || seats.size === 1, act));
  });
}

function promptButton(prompt, primary, act) {
  const inside = [
    prompt.who ? h("span", { class: "who" }, name(prompt.who)) : null,
    h("span", { class: "what" }, prompt.label),
    prompt.detail ? h("span", { class: "detail" }, prompt.detail) : null,
  ];
  if (prompt.gone) return h("span", { class: "button prompt gone", "aria-hidden": "true" }, inside);
  return h("button", {
    type: "button", class: `button prompt${primary ? " primary" : ""}`, "data-key": `prompt-${prompt.id}`,
    "data-kind": prompt.kind, "data-seat": prompt.seat === null ? "" : prompt.seat, onclick: () => act(prompt),
  }, inside);
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
      table.role.acts && entry.revocable ? h("div", { class: "row" },
        h("button", { type: "button", class: "button primary", "data-key": `back-${entry.seq}`, onclick: () => decide("take-back", entry.seq) }, t("take-back")),
        h("button", { type: "button", class: "button", "data-key": `fix-${entry.seq}`, onclick: () => decide("correct", entry.seq) }, t("correct")),
        table.role.seat === null ? h("button", { type: "button", class: "button", "data-key": `on-${entry.seq}`, onclick: () => decide("play-on", entry.seq) }, t("play-on")) : null) : null)));
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

/** What the camera is unsure about: its picture, the likely answers first. Before it what it thinks is just being done,
 * and whose word it waits for. */
export function drawQuestions(el, around, acts, deck, answer) {
  const { questions = [], tentative = [], waits = null } = around.camera;
  const lines = waits ? [...tentative, waits] : tentative;
  keep(el, [questions, acts, lines], () => [...lines.map((line) => h("p", { class: "dim tentative" }, line)), ...questions.map((question) =>
    h("section", { class: "question", "aria-label": t("question") },
      h("div", { class: "question-body" },
        question.crop ? h("img", { class: "crop", src: `/evidence/${question.crop}`, alt: t("evidence") }) : null,
        h("p", {}, question.text)),
      acts ? h("div", { class: "row" },
        question.options.map((option, i) => h("button", { type: "button", class: "button choice", "data-key": `q-${question.id}-${i}`, onclick: () => answer(question, i) },
          option.cards.length ? h("span", { class: "mini" }, option.cards.map((face) => cardImage(deck, { face, side: "up" }))) : null, h("span", {}, option.text))),
        question.any ? h("button", { type: "button", class: "button", "data-key": `q-${question.id}-any`, onclick: () => answer(question, "any") }, t("question.other")) : null,
        h("button", { type: "button", class: "button quiet", "data-key": `q-${question.id}-none`, onclick: () => answer(question, null) }, t(question.any ? "question.none" : "question.aside"))) : null))]);
}
