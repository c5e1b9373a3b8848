// The cards of one deck: in two colours or four; what the camera has learned of them, taken back; the deck, deleted.

import { tell } from "./api.js";
import { mountColours } from "./colours.js";
import { fill } from "./dom.js";

const { deck } = JSON.parse(document.getElementById("start").textContent);
mountColours(document.getElementById("colours"));

async function tried(path, body, after) {
  try {
    await tell(path, body);
    after();
  } catch (error) {
    fill(document.getElementById("said"), error.message);
    document.getElementById("said").scrollIntoView({ block: "center" });
  }
}

for (const button of document.querySelectorAll("[data-sample]")) {
  button.addEventListener("click", () => {
    const sample = Number(button.getAttribute("data-sample"));
    tried("/api/deck-files/samples/remove", { deck, sample, face: button.getAttribute("data-face") }, () => window.location.reload());
  });
}
const remove = document.getElementById("remove");
if (remove) remove.addEventListener("click", () => tried("/api/deck-files/remove", { deck, sure: deck }, () => window.location.assign("/decks")));
