// Drawn cards. The picture comes from the server; the words for it from the deck.

import { ask } from "./api.js";
import { coloured, loadSmall, smallCard } from "./colours.js";
import { h } from "./dom.js";
import { lang, t } from "./words.js";

const decks = new Map();

/** The deck by name: its suits with their faces, and every face by code. */
export function loadDeck(deck) {
  if (!decks.has(deck)) {
    decks.set(
      deck,
      Promise.all([ask(`/api/decks/${encodeURIComponent(deck)}?lang=${lang}`), loadSmall(deck).catch(() => null)]).then(
        ([found]) => {
          found.faces = new Map();
          for (const suit of found.suits) for (const face of suit.faces) found.faces.set(face.code, { ...face, suit });
          return found;
        },
        (error) => {
          decks.delete(deck);
          throw error;
        },
      ),
    );
  }
  return decks.get(deck);
}

/** The address of a face's picture; `large`: its rank and suit alone, for a small place. */
export function facePath(deck, face, large) {
  return (large && smallCard(deck, face)) || coloured(`/cards/${encodeURIComponent(deck)}/${encodeURIComponent(face)}.svg${large ? "?look=large" : ""}`);
}

const small = window.matchMedia ? window.matchMedia("(max-width: 700px), (max-width: 859px) and (max-height: 500px)") : { matches: false };

/** A card on the table. `card`: {face, side, marks}; `deck` as loaded. */
export function cardImage(deck, card, props) {
  const face = card.face && deck.faces.get(card.face);
  const marks = (card.marks || []).map((mark) => ` mark-${mark}`).join("");
  const words = [face ? face.name : t("unknown-card"), ...(card.marks || []).map((mark) => t(`mark.${mark}`))];
  const down = card.side === "down";
  if (down) words.push(t("face-down"));
  const inside = down && !face ? picture(coloured("/cards/back.svg")) : face ? picture(facePath(deck.name, face.code, small.matches)) : question();
  return h(props && props.onclick ? "button" : "span", {
    type: props && props.onclick ? "button" : null,
    role: props && props.onclick ? null : "img",
    class: `card${marks}${down ? " down" : ""}`,
    "aria-label": words.join(", "),
    title: words.join(", "),
    ...props,
  }, h("span", { class: "card-face" }, inside));
}

function picture(path) {
  return h("img", { src: path, alt: "", width: 63, height: 88, draggable: "false", decoding: "async" });
}

function question() {
  return h("span", { class: "card-unknown", "aria-hidden": "true" }, "?");
}
