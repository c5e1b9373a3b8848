// What the camera is unsure about; it comes with the first question.

import { UNKNOWN } from "./actions.js";
import { cardImage } from "./cards.js";
import { h, icon, keep } from "./dom.js";
import { t } from "./words.js";

const memory = (table) => `companion.later.${table}`;
let later = null; // ids of questions that were put off on this device

function putOff(table) {
  if (later === null) {
    try {
      later = JSON.parse(sessionStorage.getItem(memory(table)) || "[]");
    } catch (error) {
      later = [];
    }
  }
  return later;
}

function remember(table, ids) {
  later = ids;
  try {
    sessionStorage.setItem(memory(table), JSON.stringify(ids));
  } catch (error) {
    // a browser that keeps nothing: it holds until the page goes
  }
}

/** Is there a question that nobody has put off on this device? What is asked no longer is forgotten. */
export function isAsked(table, questions) {
  const open = putOff(table).filter((id) => questions.some((question) => question.id === id));
  if (open.length < later.length) remember(table, open);
  return questions.length > open.length;
}

/** The camera does not know where the table lies: what it would ask about places is asked after that. */
export function drawUnmarked(el, href, whole) {
  keep(el, ["unmarked"], () => [h("section", { class: "question", "aria-label": t("question") },
    h("div", { class: "question-body" }, icon("zones"), h("p", {}, t("unmarked"))),
    h("div", { class: "row" },
      h("a", { class: "button primary", id: "mark", href }, t("calibrate")),
      h("button", { type: "button", class: "button", id: "mark-whole", onclick: whole }, t("unmarked.whole"))))]);
}

/** Of answers that are all of one kind what sets them apart, as the question says the rest; the only one is a yes. */
function apart(options) {
  if (options.length === 1) return [t("question.yes")];
  const words = options.map((option) => option.text.match(/[^\s:(),:()、]+/g) || []);
  const shared = (word) => words.every((one) => one.length > 0 && word(one) === word(words[0]));
  while (shared((one) => one[0])) words.forEach((one) => one.shift());
  while (shared((one) => one[one.length - 1])) words.forEach((one) => one.pop());
  return words.map((one, i) => (words.every((other) => other.length) ? one.join(" ") : options[i].text));
}

/** What stands on the buttons of a question's answers. */
function answers(question) {
  return question.kind === "did" ? apart(question.options) : question.options.map((option) => option.text);
}

/** The button of answer number `i`, which says `said`; a screen reader hears all of it. */
function reply(question, i, said, deck, answer) {
  const { cards, text } = question.options[i];
  const full = said === text ? null : `${said}: ${text}`;
  return h("button", { type: "button", class: cards.length > 2 ? "button choice whole-hand" : "button choice", "aria-label": full, "data-key": `q-${question.id}-${i}`, onclick: () => answer(question, i) },
    cards.length ? h("span", { class: "mini" }, cards.map((face) => cardImage(deck, { face, side: face === UNKNOWN ? "down" : "up" }))) : null, h("span", {}, said));
}

/** The questions: the picture of each, the likely answers first. Where `acts`, `answer(question, option)` hears the
 * option's number, "any" or null; `table`: its id, where a question may be put off, which is a line to tap then, and
 * `changed()` hears of it. */
export function drawQuestions(el, questions, acts, deck, answer, table, changed) {
  const off = acts && table ? putOff(table) : [];
  const put = (ids) => () => { remember(table, ids); changed(); };
  keep(el, [questions, acts, off], () => questions.map((question) => (off.includes(question.id)
    ? h("button", { type: "button", class: "button quiet put-off", "data-key": `q-again-${question.id}`, onclick: put(off.filter((id) => id !== question.id)) }, icon("question"), h("span", {}, question.text))
    : h("section", { class: "question", "aria-label": t("question") },
      h("div", { class: `question-body${question.part ? " part" : ""}` },
        question.crop ? h("a", { href: `/evidence/${question.crop}`, target: "_blank", rel: "noopener" }, h("img", { class: "crop", src: `/evidence/${question.crop}`, alt: t("evidence") })) : null,
        h("p", {}, question.text)),
      acts ? h("div", { class: "row" },
        answers(question).map((said, i) => reply(question, i, said, deck, answer)),
        question.any ? h("button", { type: "button", class: `button${question.options.length ? "" : " primary"}`, "data-key": `q-${question.id}-any`, onclick: () => answer(question, "any") }, t(question.options.length ? "question.other" : "question.choose")) : null,
        h("button", { type: "button", class: question.kind === "did" ? "button" : "button quiet", "data-key": `q-${question.id}-none`, onclick: () => answer(question, null) }, t(question.any ? "question.none" : question.kind === "did" ? "question.no" : "question.aside")),
        table ? h("button", { type: "button", class: "button quiet", "data-key": `q-later-${question.id}`, onclick: put(off.concat(question.id)) }, t("question.later")) : null) : null))));
}
