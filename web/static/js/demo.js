// The demonstration with captions: what the referee made of a round, one step after another.

import { loadDeck } from "./cards.js";
import { drawPending, drawResults, drawRuling } from "./dock.js";
import { avatar, fill, h, icon, keep, name } from "./dom.js";
import { drawFelt } from "./felt.js";
import { drawQuestions } from "./questions.js";
import { drawStory } from "./story.js";
import { t } from "./words.js";

const part = (id) => document.getElementById(id);
const { steps } = JSON.parse(part("start").textContent);
const stills = part("main").dataset.still;
let deck = null;
let at = 0;

function show(to) {
  at = Math.max(0, Math.min(steps.length - 1, to));
  const { picture: table, caption, questions, still } = steps[at];
  const next = () => show(at + 1);
  fill(part("phase"), table.phase);
  keep(part("scorestrip"), table.players, () => h("ul", {}, table.players.map((p) => h("li", { class: p.active ? "active" : "" }, avatar(p), name(p.name), p.score === null ? null : h("b", {}, p.score)))));
  drawPending(part("pending"), table, deck, next);
  drawQuestions(part("questions"), questions, true, deck, next);
  const body = document.querySelector("#questions .question-body");
  if (body && !body.querySelector("img")) body.prepend(h("img", { class: "crop", src: `${stills}/card.jpg`, alt: t("evidence"), width: 150, height: 120 }));
  drawResults(part("results"), table);
  drawRuling(part("ruling"), table);
  part("ruling").hidden = table.pending.length + questions.length > 0; // one thing at a time
  drawStory(part("story"), table, deck, null, []);
  fill(part("caption"), h("p", {}, caption), h("p", { class: "dim" }, t("demo.of", { n: at + 1, all: steps.length })));
  part("still").hidden = !still;
  if (still) part("still").querySelector("img").src = `${stills}/${still}.jpg`;
  const last = at === steps.length - 1;
  keep(part("walk"), at, () => [
    h("button", { type: "button", class: "button", "data-key": "back", disabled: at === 0, onclick: () => show(at - 1) }, icon("back"), h("span", {}, t("demo.back"))),
    last ? null : h("button", { type: "button", class: "button primary", "data-key": "next", onclick: next }, h("span", {}, t("demo.next")), icon("on")),
  ]);
  part("own").hidden = !last;
  drawFelt(part("felt"), table, deck, null, null, [], null); // last: what stands above it decides how much room it has
}

document.addEventListener("keydown", (event) => {
  if (event.key === "ArrowRight") show(at + 1);
  if (event.key === "ArrowLeft") show(at - 1);
});

async function main() {
  deck = await loadDeck(steps[0].picture.deck).catch((error) => {
    fill(part("caption"), h("p", { class: "error" }, error.message));
    return null;
  });
  if (deck) show(0);
  document.body.classList.add("ready");
}

main();
