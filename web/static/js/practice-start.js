// The page of practice games: one is dealt.

import { Refused, tell } from "./api.js";
import { fill } from "./dom.js";
import { lang } from "./words.js";

for (const form of document.querySelectorAll(".practice-game")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    const error = form.querySelector(".error");
    button.disabled = true;
    try {
      const opened = await tell("/api/practice", { game: form.dataset.game, players: Number(form.elements.players.value), bots: form.elements.bots.value }, 0);
      window.location.assign(opened.url);
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      button.disabled = false;
      error.hidden = false;
      fill(error, refused.message);
    }
  });
}

const chosen = document.getElementById("chosen");
if (chosen) chosen.scrollIntoView({ block: "center" });

for (const el of document.querySelectorAll("time")) {
  const at = new Date(el.getAttribute("datetime"));
  if (!Number.isNaN(at.getTime())) el.textContent = at.toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
}
