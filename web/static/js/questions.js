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
        question.options.map((option, i) => h("button", { type: "button", class: "button choice", "data-key": `q-${question.id}-${i}`, onclick: () => answer(question, i) },
          option.cards.length ? h("span", { class: "mini" }, option.cards.map((face) => cardImage(deck, { face, side: face === UNKNOWN ? "down" : "up" }))) : null, h("span", {}, option.text))),
        question.any ? h("button", { type: "button", class: `button${question.options.length ? "" : " primary"}`, "data-key": `q-${question.id}-any`, onclick: () => answer(question, "any") }, t(question.options.length ? "question.other" : "question.choose")) : null,
        h("button", { type: "button", class: "button quiet", "data-key": `q-${question.id}-none`, onclick: () => answer(question, null) }, t(question.any ? "question.none" : question.kind === "did" ? "question.no" : "question.aside")),
        table ? h("button", { type: "button", class: "button quiet", "data-key": `q-later-${question.id}`, onclick: put(off.concat(question.id)) }, t("question.later")) : null) : null))));
}
