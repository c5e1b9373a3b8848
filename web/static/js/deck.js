// The cards of one deck: in two colours or four; one's own drawings of them; what the camera has learned of them, taken
// back; the deck, deleted.

import { Refused, give, tell } from "./api.js";
import { mountColours } from "./colours.js";
import { fill, h } from "./dom.js";
import { filled, lang } from "./words.js";

const { deck, drawn, most, said } = JSON.parse(document.getElementById("start").textContent);
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

// --- drawings ---------------------------------------------------------------------------------------------------------

const list = document.getElementById("drawings");
const of = document.getElementById("drawing-of");
const files = document.getElementById("drawing-files");
const told = document.getElementById("drawings-said");

function show(drawings) {
  fill(list, drawings.map((one) => {
    const name = one.whole ? one.name : filled(said.middle, { name: one.name });
    const query = `deck=${encodeURIComponent(deck)}&face=${encodeURIComponent(one.face)}&of=${one.of}`;
    return h("li", {},
      h("img", { src: `/decks/drawing.jpg?${query}`, alt: "", width: 56, height: 72, loading: "lazy" }), h("span", { class: "dim" }, name),
      h("button", { type: "button", class: "button small", "aria-label": `${said["take-away"]} ${name}`, onclick: () => rubOut(one.face) }, said["take-away"]));
  }));
}

function say(good, wrong) {
  fill(told, good.map((line) => h("span", { class: "line" }, line)), wrong.map((line) => h("span", { class: "line error" }, line)));
}

async function rubOut(face) {
  try {
    show((await tell(`/api/deck-files/pictures/remove?lang=${lang}`, { deck, face }, 0)).drawn);
    say([], []);
  } catch (refused) {
    say([], [refused.message]);
  }
}

/** Send one drawing; what the file is called says what it is of, unless that is chosen. */
async function take(file) {
  if (file.size > most) throw new Refused("large", filled(said.large, { file: file.name, most: Math.round(most / 1e6) }));
  const face = encodeURIComponent(of.value || file.name.replace(/\.\w+$/, ""));
  const type = file.type === "image/png" ? "image/png" : "image/jpeg"; // its first bytes say which it is
  try {
    show((await give(`/api/deck-files/pictures?lang=${lang}&deck=${encodeURIComponent(deck)}&face=${face}`, type, file)).drawn);
  } catch (refused) {
    throw refused instanceof Refused ? new Refused(refused.code, filled(said.refused, { file: file.name, reason: refused.message })) : refused;
  }
}

async function takeAll(chosen) {
  const wrong = [];
  files.disabled = true;
  for (const [number, file] of chosen.entries()) {
    if (chosen.length > 1) say([filled(said.sending, { n: number + 1, total: chosen.length })], []);
    try {
      await take(file);
    } catch (refused) {
      wrong.push(refused.message);
    }
  }
  files.disabled = false;
  files.value = "";
  const good = chosen.length - wrong.length;
  say(good ? [filled(said.done, { n: good })] : [], wrong);
}

if (drawn) {
  show(drawn);
  of.addEventListener("change", () => { files.multiple = !of.value; });
  files.addEventListener("change", () => takeAll(Array.from(files.files)));
}
