// A deck file of one's own, checked by the server: the cards it describes, or what is wrong with it.

import { fill, h } from "./dom.js";
import { lang, t } from "./words.js";

const input = document.getElementById("deck-file");
const said = document.getElementById("deck-said");
const cards = document.getElementById("deck-cards");

function card(face) {
  const el = h("li", { class: "own-card" }, h("b", {}, face.name), h("span", { class: "dim" }, face.code, face.copies > 1 ? ` ×${face.copies}` : ""));
  el.style.color = face.ink;
  return el;
}

function show(deck) {
  const faces = deck.suits.reduce((n, suit) => n + suit.faces.length, 0);
  fill(said, t("decks.good", { name: deck.name, n: deck.size, faces }));
  fill(cards, deck.suits.map((suit) => h("section", {}, deck.suits.length > 1 ? h("h3", {}, suit.name) : null, h("ul", {}, suit.faces.map(card)))));
}

input.addEventListener("change", async () => {
  const file = input.files[0];
  if (!file) return;
  said.classList.remove("error");
  fill(said, t("decks.checking"));
  fill(cards);
  let answer = null;
  try {
    const response = await fetch(`/api/deck-files/check?lang=${lang}`, { method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/toml" }, body: file });
    answer = await response.json();
  } catch (error) {
    answer = { error: { message: t("error.unreachable") } };
  }
  if (answer.error) {
    said.classList.add("error");
    fill(said, `${file.name}${t("colon")} ${answer.error.message}`);
  } else show(answer);
  input.value = "";
});
