// The table page: one picture from the server, drawn; what people tap, told to the server.

import { Refused, ask, tell } from "./api.js";
import { openCamera } from "./camera.js";
import { facePath, loadDeck } from "./cards.js";
import { compose, refreshComposer } from "./composer.js";
import { mountDevices } from "./devices.js";
import { drawAwaits, drawPending, drawPrompts, drawQuestions, drawResults, drawRuling, promptName, star } from "./dock.js";
import { avatar, fill, h, icon, keep, name, rest } from "./dom.js";
import { drawFelt } from "./felt.js";
import { openHand } from "./hand.js";
import { listen } from "./live.js";
import { closeSheet, openSheet } from "./sheet.js";
import { mountColours } from "./colours.js";
import { certain, mountSpeech, say } from "./speech.js";
import { drawStory } from "./story.js";
import { lang, t } from "./words.js";

const part = (id) => document.getElementById(id);
const start = JSON.parse(part("start").textContent);
const mode = start.mode;
const state = { table: start.table, around: start.around, online: true, deck: null, older: [], busy: false, told: false };
const base = `/api/tables/${encodeURIComponent(state.table.id)}`;
const devices = mountDevices(state.table.id, part("devices"));
let evening = null; // what surrounds the game; it comes when the table is there
const PATIENCE = 6000; // ms for an answer, before the same is told again
let stream = null;

// --- nothing moves under a finger: a new picture waits until the finger is up -----------------------------------

let finger = false;
let waiting = null;
const release = () => {
  finger = false;
  if (waiting !== null) setTimeout(draw, 0);
};
document.addEventListener("pointerdown", () => { finger = true; waiting = waiting || null; setTimeout(release, 5000); }, true);
for (const kind of ["pointerup", "pointercancel"]) document.addEventListener(kind, () => setTimeout(release, 30), true);

function draw() {
  if (finger) {
    waiting = true;
    return;
  }
  waiting = null;
  const { table, around, deck } = state;
  if (!deck) return;
  const acts = table.role.acts && mode === "table";
  fill(part("phase"), table.phase);
  document.body.classList.toggle("acts", table.role.acts);
  devices.update(table, around);
  drawSigns();
  drawBanner();
  drawCorner();
  drawStrip();
  const own = ownSeat();
  drawResults(part("results"), table, mode === "board");
  drawAwaits(part("awaits"), table, own, acts && keeps() ? askWhose : null);
  part("dock").classList.toggle("decides", acts && table.pending.length > 0);
  drawPending(part("pending"), { ...table, role: { ...table.role, acts } }, deck, decide);
  drawRuling(part("ruling"), table);
  drawQuestions(part("questions"), around, acts && keeps(), deck, answerQuestion);
  const felt = () => drawFelt(part("felt"), table, deck, acts ? touchCard : null, acts ? startPrompt : null, around.camera.differing || [], own);
  if (mode === "board") {
    felt();
    return;
  }
  if (evening) evening.update(table);
  const moved = drawPrompts(part("prompts"), table, startPrompt, state.told, own);
  state.told = false;
  if ((drawTools() || moved) && document.body.classList.contains("ready")) rest(part("dock"));
  felt();
  drawStory(part("story"), table, deck, acts ? { correct, takeBack: (seq) => intend({ intent: "take-back", of: seq }), older: loadOlder } : null, state.older);
}

function drawSigns() {
  keep(part("signs"), [state.online, state.around.camera.state, state.around.camera.text, state.around.people, state.table.role], () => {
    const { camera, people } = state.around;
    const hosts = mode === "table" && state.table.role.name === "host";
    return [
      h("span", { class: `sign-chip ${state.online ? "good" : "bad"}`, title: t(state.online ? "live" : "offline") },
        h("span", { class: "lamp", "aria-hidden": "true" }), h("span", { class: "long" }, t(state.online ? "live" : "offline"))),
      camera.state === "off" && !(keeps() && mode === "table") ? null : h("button", { type: "button", class: `sign-chip camera ${{ ok: "good", off: "idle", ended: "idle", waiting: "idle" }[camera.state] || "bad"}`, "data-key": "camera", onclick: showCamera, "aria-label": camera.text, title: camera.text },
        h("span", { class: "lamp", "aria-hidden": "true" }), icon("camera"), h("span", { class: "long" }, t("camera"))),
      people > 1 ? h(hosts ? "button" : "span", { class: "sign-chip people", type: hosts && "button", "data-key": hosts && "devices", ...(hosts ? { onclick: devices.open } : {}), title: t("people", { n: people }), "aria-label": t("people", { n: people }) }, icon("people"), h("span", { "aria-hidden": "true" }, people)) : null,
    ];
  });
}

/** Does this device keep the game for all (and not for one seat)? */
function keeps() {
  return state.table.role.acts && state.table.role.seat === null;
}

const MINE = `companion.mine.${state.table.id}`;

/** The seat that is played on this device: a seat's own, or what the one who keeps the game has said; null for all. */
function ownSeat() {
  const { role, players } = state.table;
  if (mode !== "table" || role.name === "seat") return mode === "table" ? role.seat : null;
  if (!role.acts || state.mine === undefined) return null;
  return state.mine !== null && state.mine < players.length ? state.mine : null;
}

/** Whose device is this? It puts that player's actions first, and those of others behind a fold. */
function askWhose() {
  const choose = (seat) => () => {
    state.mine = seat;
    try {
      localStorage.setItem(MINE, seat === null ? "" : String(seat));
    } catch (error) {
      // a browser that keeps nothing: it holds until the page goes
    }
    closeSheet();
    draw();
  };
  const own = ownSeat();
  openSheet(t("whose.title"), [h("p", { class: "dim" }, t("whose.lead")), h("div", { class: "whose" },
    state.table.players.map((p) => h("button", { type: "button", class: `button choice${own === p.seat ? " on" : ""}`, "data-key": `whose-${p.seat}`, onclick: choose(p.seat) }, avatar(p), name(p.name))),
    h("button", { type: "button", class: `button choice${own === null ? " on" : ""}`, "data-key": "whose-all", onclick: choose(null) }, icon("people"), h("span", {}, t("whose.all"))))]);
}

function remembered() {
  try {
    const kept = localStorage.getItem(MINE);
    return kept ? Number(kept) : null;
  } catch (error) {
    return null;
  }
}
state.mine = remembered();

function showCamera() {
  openCamera(state.table.id, state.around.camera, keeps() && mode === "table", (around) => { state.around = around; draw(); });
}

const corner = part("camera-view");
let showing = false;

/** What the camera sees, beside the table it is drawn as: on screens with room for it. */
function drawCorner() {
  const wanted = state.around.camera.state === "ok" && keeps() && window.innerWidth >= 860;
  corner.hidden = !wanted;
  if (wanted && !showing) refreshCorner();
}

function refreshCorner() {
  const image = corner.querySelector("img");
  showing = !corner.hidden;
  if (!showing) return;
  if (document.hidden || !state.online) setTimeout(refreshCorner, 2000);
  else image.src = `${base}/camera/picture?width=480&at=${Date.now()}`;
}
for (const kind of ["load", "error"]) corner.querySelector("img").addEventListener(kind, () => setTimeout(refreshCorner, kind === "load" ? 600 : 3000));

function drawBanner() {
  const { camera, doubled } = state.around;
  const lines = [];
  if (!state.online) lines.push(t("banner.offline"));
  if (camera.state !== "ok" && camera.state !== "off" && camera.state !== "ended" && camera.state !== "waiting") lines.push(camera.text);
  if (doubled && doubled.length) lines.push(t("banner.doubled", { who: doubled.map((seat) => state.table.players[seat].name).join(t("list-comma")) }));
  part("banner").hidden = lines.length === 0;
  keep(part("banner"), lines, () => lines.map((line) => h("p", {}, line)));
}

function drawStrip() {
  const strip = part("scorestrip");
  const changed = keep(strip, [state.table.players, state.table.winners], () => h("ul", {}, state.table.players.map((p) =>
    h("li", { class: p.active ? "active" : "" }, avatar(p), state.table.winners.includes(p.seat) ? star() : null, name(p.name), p.score === null ? null : h("b", {}, p.score)))));
  const active = changed && strip.querySelector(".active");
  if (active) strip.scrollLeft = active.offsetLeft - strip.clientWidth / 3;
}

/** Undo, always in its place. Returns true when it has changed. */
function drawTools() {
  const { table } = state;
  const last = table.entries.filter((e) => (e.kind === "acted" || e.kind === "finished") && e.revocable && (e.standing || e.pending)).pop();
  return keep(part("tools"), [table.role, last], () => (table.role.acts ? [h("button", {
    type: "button", class: "button undo", "data-key": "undo", disabled: !last, onclick: () => intend({ intent: "take-back", of: last.seq }),
  }, icon("undo"), h("span", {}, t("undo")), last ? h("span", { class: "dim undo-what" }, last.text) : null),
  table.role.name === "seat" ? h("button", { type: "button", class: "button", "data-key": "hand", onclick: () => openHand(state.table, state.deck) }, t("hand.open")) : null] : null));
}

// --- telling ---------------------------------------------------------------------------------------------------

/** Tell the server; true when it was written. A double tap is one tap: while one goes out the next does nothing. */
async function intend(body) {
  if (state.busy) return false;
  if (!state.online) {
    toast(t("error.offline-tap"));
    return false;
  }
  state.busy = true;
  document.body.classList.add("busy");
  try {
    const done = await tell(`${base}/intents`, { ...body, seq: state.table.seq }, 2, PATIENCE);
    if (stream) stream.seen(done.seq);
    takeTable(done.table);
    return true;
  } catch (error) {
    await refused(error);
    return false;
  } finally {
    state.busy = false;
    document.body.classList.remove("busy");
  }
}

async function refused(error) {
  if (!(error instanceof Refused)) throw error;
  if (error.code === "conflict") {
    const before = state.table.seq;
    const fresh = await ask(base).catch(() => null);
    if (fresh) takeTable(fresh.table);
    const news = state.table.entries.filter((entry) => entry.seq > before).map((entry) => entry.text);
    toast(t("conflict", { what: news.join(" / ") || t("something") }));
  } else {
    toast(error.message);
  }
}

let toastTimer = 0;
function toast(text) {
  const el = part("toast");
  fill(el, text);
  el.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { el.hidden = true; }, 6000);
}

/** `aimed`: the prompt as it was drawn; the table may have gone on under the finger. */
function startPrompt(aimed) {
  const prompt = state.table.prompts.find((p) => promptName(p) === promptName(aimed));
  if (!prompt) toast(t("no-longer-open"));
  else compose(state.deck, prompt, (action) => intend({ intent: "act", action }));
}

function decide(what, seq) {
  if (what === "correct") return correct(seq);
  return intend({ intent: what, of: seq });
}

/** Correct entry `seq`; `without`: a card of it that was wrong, left out of what is chosen already. */
async function correct(seq, without = null) {
  let found;
  try {
    found = await ask(`${base}/entries/${seq}?lang=${lang}`);
  } catch (error) {
    return refused(error);
  }
  const prompt = found.prompts[0];
  if (!prompt) return toast(t("error.no-correction"));
  const cards = found.action.cards.slice();
  if (without !== null && cards.includes(without)) cards.splice(cards.indexOf(without), 1);
  return compose(state.deck, prompt, (action) => intend({ intent: "correct", of: seq, action }), {
    start: { cards, args: found.action.args }, title: t("correct-title", { n: seq }), note: found.entry.text,
  });
}

/** A card on the table was tapped: show it large, its picture if a camera read it, and the way to correct it. */
function touchCard(zone, card) {
  const face = state.deck.faces.get(card.face);
  const origin = state.table.entries.filter((e) => e.correctable && e.standing && e.cards.includes(card.face)
    && (zone.seat === null || e.seat === zone.seat || e.seat === null)).pop();
  openSheet(face.name, h("div", { class: "card-sheet" },
    h("img", { class: "big-card", src: facePath(state.deck.name, face.code), alt: "", width: 63, height: 88 }),
    origin && origin.evidence ? h("figure", {}, h("img", { class: "crop", src: `/evidence/${origin.evidence}`, alt: t("evidence") }), h("figcaption", {}, t("evidence"))) : null,
    h("div", { class: "column" },
      h("p", {}, zone.label, zone.note ? ` · ${zone.note}` : ""),
      origin ? h("p", { class: "dim" }, `#${origin.seq} ${origin.text}`) : null,
      origin ? h("button", { type: "button", class: "button primary big", onclick: () => { closeSheet(); correct(origin.seq, card.face); } }, t("correct-card")) : null)));
}

/** Answer a question of the camera: option number, null for none of them, "any" to pick another card. */
async function answerQuestion(question, option) {
  const send = async (body) => {
    try {
      takeTable((await tell(`${base}/questions/${encodeURIComponent(question.id)}`, body)).table);
      return true;
    } catch (error) {
      await refused(error);
      return false;
    }
  };
  if (option !== "any") return send(option === null ? {} : { option });
  const slot = { least: 1, most: 1, side: "up", faces: null, used: {} };
  const prompt = { id: "question", kind: "question", seat: null, who: "", label: t("question.other"), slot, choices: [] };
  return compose(state.deck, prompt, (action) => send({ face: action.cards[0] }), { start: { cards: [], args: {} }, note: question.text, quick: true });
}

async function loadOlder() {
  const found = await ask(`${base}/entries?lang=${lang}`).catch(() => ({ entries: [] }));
  state.older = found.entries;
  draw();
}

// --- hearing ---------------------------------------------------------------------------------------------------

function takeTable(table) {
  if (table.seq < state.table.seq) return;
  const before = state.table;
  state.told = state.told || (state.busy && table.seq > before.seq);
  state.table = table;
  state.older = [];
  announce(before, table);
  if (!refreshComposer(table.prompts)) toast(t("no-longer-open"));
  draw();
}

/** Say new rulings and results once; what a correction changes is not said again. */
function announce(before, table) {
  const news = table.entries.filter((e) => e.seq > before.seq && e.kind === "acted");
  const lines = news.map((e) => [e.text, t(`verdict.${e.verdict}`), ...e.violations.map((v) => v.text)].join(". "));
  const results = news.length && JSON.stringify(before.results) !== JSON.stringify(table.results) ? table.results : [];
  if (lines.length) fill(part("live"), lines.concat(results).join(" "));
  say(certain(news, results));
  if (evening) evening.news(before, table);
}

async function main() {
  state.deck = await loadDeck(state.table.deck).catch((error) => {
    toast(error.message);
    return null;
  });
  draw();
  stream = listen(state.table, {
    table: takeTable,
    hello: ({ device }) => devices.hello(device),
    around: (around) => { state.around = around; draw(); },
    online: (online) => { state.online = online; document.body.classList.toggle("offline", !online); draw(); },
  });
  mountSpeech(part("speech"));
  mountColours(part("colours"));
  if (mode === "table") {
    import("./evening.js").then((found) => {
      evening = found.mountEvening({ button: part("evening"), after: part("after"), clock: part("clock") }, intend, toast, start.now);
      evening.update(state.table);
    }, () => null);
  }
  document.body.classList.add("ready");
}

main();
