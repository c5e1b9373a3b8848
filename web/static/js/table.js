// The table page: one picture from the server, drawn; what people tap, told to the server.

import { isPlain, plainAction } from "./actions.js";
import { Refused, ask, tell } from "./api.js";
import { loadDeck } from "./cards.js";
import { closeUp, drawAwaits, drawPending, drawPrompts, drawResults, drawRuling, drawTentative, promptName, star } from "./dock.js";
import { avatar, brief, fill, h, icon, keep, name, rest } from "./dom.js";
import { mountEvening } from "./evening.js";
import { drawFelt } from "./felt.js";
import { fitSaid } from "./fit.js";
import { listen } from "./live.js";
import { mountColours } from "./colours.js";
import { certain, mountSpeech, say } from "./speech.js";
import { drawStory } from "./story.js";
import { askWhose, ownSeat } from "./whose.js";
import { lang, t } from "./words.js";

const part = (id) => document.getElementById(id);
const start = JSON.parse(part("start").textContent);
const mode = start.mode;
const state = { table: start.table, around: start.around, online: true, deck: null, older: [], busy: false, told: false };
const base = `/api/tables/${encodeURIComponent(state.table.id)}`;
// for the host alone; it comes when the table is there
let devices = null;
// what surrounds the game
let evening = null;
// ms for an answer, before the same is told again
const PATIENCE = 6000;
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
  if (devices) devices.update(table, around);
  else if (deviceId && table.role.name === "host") mountDevices();
  drawSigns();
  drawBanner();
  drawCorner();
  drawStrip();
  const own = ownSeat(state.table, mode);
  drawResults(part(table.over ? "standing" : "results"), table);
  fill(part(table.over ? "results" : "standing"));
  drawAwaits(part("awaits"), table, own, acts && keeps() ? () => askWhose(state.table, draw) : null);
  const unmarked = acts && keeps() && around.camera.state === "ok" && around.camera.marked === false;
  const questions = around.camera.questions || [];
  const asks = asking && acts && keeps() && !table.pending.length && (unmarked || asking.isAsked(table.id, questions));
  part("dock").classList.toggle("decides", table.pending.length > 0);
  part("dock").classList.toggle("asks", Boolean(asks));
  part("main").classList.toggle("asked", part("dock").classList.contains("asks"));
  part("dock").classList.toggle("over", table.over);
  drawPending(part("pending"), { ...table, role: { ...table.role, acts } }, deck, decide);
  drawRuling(part("ruling"), table);
  if (state.changed && state.changed.seq !== table.seq) state.changed = null;
  keep(part("changed"), state.changed, () => (state.changed ? [h("h2", {}, t("changed")), state.changed.lines.map((line) => h("p", {}, line))] : null));
  drawTentative(part("tentative"), around);
  if (!asking) {
    if (unmarked || questions.length) hearQuestions();
  } else if (unmarked) asking.drawUnmarked(part("questions"), `/tables/${encodeURIComponent(table.id)}/calibrate?first=1`, wholePicture);
  else asking.drawQuestions(part("questions"), questions, acts && keeps(), deck, answerQuestion, table.id, () => { draw(); rest(part("dock")); });
  const felt = () => drawFelt(part("felt"), table, deck, acts ? touchCard : null, acts ? startPrompt : null, around.camera.differing || [], own);
  if (mode === "board") {
    felt();
    fitSaid(part("dock"));
    return;
  }
  const moved = drawPrompts(part("prompts"), table, startPrompt, state.told, own);
  if (state.told) part("prompts").scrollTop = 0;
  state.told = false;
  if ((drawTools() || moved) && document.body.classList.contains("ready")) rest(part("dock"));
  felt();
  const crowded = () => part("prompts").scrollHeight > part("prompts").clientHeight + 2;
  // when all that stands beside them is drawn, and how many places the felt has is known
  keepRoom(part("prompts"));
  // better moved than out of sight
  if (crowded() && closeUp()) {
    drawPrompts(part("prompts"), table, startPrompt, false, own);
    rest(part("dock"));
    keepRoom(part("prompts"));
  }
  tellMore(news);
  drawStory(part("story"), table, deck, acts ? { correct, takeBack: (seq) => intend({ intent: "take-back", of: seq }), older: loadOlder } : null, state.older);
  // last: hints point at what has been drawn
  if (evening) evening.update(table);
}

const room = { width: 0, most: 0 };

/** The actions keep the room that they once took, so that what stands below them stays where it is. */
function keepRoom(el) {
  if (room.width !== window.innerWidth) Object.assign(room, { width: window.innerWidth, most: 0 });
  el.style.flexBasis = "";
  room.most = Math.max(room.most, Math.min(el.scrollHeight, window.innerHeight * 0.45));
  el.style.flexBasis = `${room.most}px`;
  if (document.body.classList.contains("tight")) part("dock").classList.add("crowded");
  // more than there is room for: the line of news makes some on a small screen, and they keep it
  if (!state.table.over && !state.table.pending.length && el.scrollHeight > el.clientHeight + 2) part("dock").classList.add("crowded");
  // what the actions leave free is for the news
  const dock = part("dock");
  dock.style.setProperty("--free", "0px");
  const last = el.lastElementChild;
  const free = last ? el.getBoundingClientRect().bottom - last.getBoundingClientRect().bottom - 6 : 0;
  dock.style.setProperty("--free", `${Math.max(0, free)}px`);
  tellMore(el);
}

/** What goes on below the edge fades out there. */
function tellMore(el) {
  el.classList.toggle("more", el.scrollHeight - el.clientHeight - el.scrollTop > 4);
}
const news = document.querySelector(".news");
for (const el of [part("prompts"), news]) el.addEventListener("scroll", () => tellMore(el), { passive: true });

function drawSigns() {
  keep(part("signs"), [state.online, state.around.camera.state, state.around.camera.text, state.around.people, state.table.role], () => {
    const { camera, people } = state.around;
    const hosts = mode === "table" && state.table.role.name === "host";
    return [
      h("span", { class: `sign-chip ${state.online ? "good" : "bad"}`, title: t(state.online ? "live" : "offline") },
        h("span", { class: "lamp", "aria-hidden": "true" }), h("span", { class: "long" }, t(state.online ? "live" : "offline"))),
      camera.state === "off" && !(keeps() && mode === "table") ? null : h("button", { type: "button", class: `sign-chip camera ${{ ok: "good", off: "idle", ended: "idle", waiting: "idle" }[camera.state] || "bad"}`, "data-key": "camera", onclick: showCamera, "aria-label": camera.text, title: camera.text },
        h("span", { class: "lamp", "aria-hidden": "true" }), icon("camera"), h("span", { class: "long" }, t("camera"))),
      people > 1 ? h(hosts ? "button" : "span", { class: "sign-chip people", type: hosts && "button", "data-key": hosts && "devices", ...(hosts ? { onclick: () => devices && devices.open() } : {}), title: t("people", { n: people }), "aria-label": t("people", { n: people }) }, icon("people"), h("span", { "aria-hidden": "true" }, people)) : null,
    ];
  });
}

/** Does this device keep the game for all (and not for one seat)? */
function keeps() {
  return state.table.role.acts && state.table.role.seat === null;
}

async function showCamera() {
  const { openCamera } = await import("./camera.js");
  openCamera(state.table.id, state.around.camera, keeps() && mode === "table", (around) => { state.around = around; draw(); });
}

const corner = part("camera-view");
let showing = false;

/** What the camera sees, beside the table it is drawn as: on screens with room for it. */
function drawCorner() {
  const shows = mode === "board" ? keeps() || state.table.role.name === "board" : keeps();
  const wanted = state.around.camera.state === "ok" && shows && window.innerWidth >= 860 && !(mode === "board" && state.table.over);
  part("main").classList.toggle("filmed", wanted);
  corner.hidden = !wanted;
  if (wanted && !showing) refreshCorner();
}

function refreshCorner() {
  const image = corner.querySelector("img");
  showing = !corner.hidden;
  if (!showing) return;
  if (document.hidden || !state.online) setTimeout(refreshCorner, 2000);
  else image.src = `${base}/camera/picture?width=${mode === "board" ? 960 : 480}&at=${Date.now()}`;
}
for (const kind of ["load", "error"]) corner.querySelector("img").addEventListener(kind, ({ target }) => {
  target.style.visibility = kind === "load" ? "" : "hidden"; // no picture yet: a camera that just starts
  setTimeout(refreshCorner, kind === "load" ? 600 : 3000);
});

function drawBanner() {
  const { camera, doubled } = state.around;
  const lines = [];
  if (!state.online) lines.push(t("banner.offline"));
  const trouble = ["ok", "off", "ended", "waiting"].includes(camera.state) ? camera.cut : camera.text;
  if (!trouble) state.read = null;
  else if (trouble !== state.read) lines.push(trouble);
  if (doubled && doubled.length) lines.push(t("banner.doubled", { who: doubled.map((seat) => state.table.players[seat].name).join(t("list-comma")) }));
  part("banner").hidden = lines.length === 0;
  keep(part("banner"), lines, () => lines.map((line) => h("p", {}, h("span", {}, line), line === trouble && mode === "table" ? [h("span", { class: "stretch" }), h("button", { type: "button", class: "button quiet icon", "data-key": "read", "aria-label": t("close"), onclick: () => { state.read = trouble; draw(); } }, icon("close"))] : null)));
}

function drawStrip() {
  const strip = part("scorestrip");
  const changed = keep(strip, [state.table.players, state.table.winners], () => h("ul", { class: state.table.players.length > 5 ? "many" : "" }, state.table.players.map((p) =>
    h("li", { class: p.active ? "active" : "" }, avatar(p), state.table.winners.includes(p.seat) ? star() : null, brief(p, state.table.players), p.score === null ? null : h("b", {}, p.score)))));
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
  table.role.name === "seat" ? h("button", { type: "button", class: "button", "data-key": "hand", onclick: async () => (await import("./hand.js")).openHand(state.table, state.deck) }, t("hand.open")) : null] : null));
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

let deviceId = "";
let coming = false;
/** The list of devices, for the host. */
function mountDevices() {
  if (coming) return;
  coming = true;
  import("./devices.js").then((found) => {
    devices = found.mountDevices(state.table.id, part("devices"));
    devices.hello(deviceId);
    devices.update(state.table, state.around);
  }, () => { coming = false; });
}

const page = { base, state, intend, compose, toast, refused, draw };
const lost = () => toast(t(state.online ? "error.unreachable" : "error.offline-tap"));
const correct = (seq) => import("./correct.js").then((corrections) => corrections.correct(page, seq), lost);
const touchCard = (zone, card) => import("./correct.js").then((corrections) => corrections.touchCard(page, zone, card), lost);

let composer = null;

/** What cards are chosen with comes with the first finger that goes down; asked for again when it did not arrive. */
async function compose(...given) {
  for (let tries = 0; !composer && tries < 3; tries += 1) {
    composer = await import(`./composer.js${tries ? `?again=${Date.now()}` : ""}`).catch(() => null);
  }
  if (composer) composer.compose(...given);
  else lost();
}
document.addEventListener("pointerdown", () => { if (!composer) import("./composer.js").catch(() => null); }, { once: true });

/** `aimed`: the prompt as it was drawn; the table may have gone on under the finger. */
function startPrompt(aimed) {
  const prompt = state.table.prompts.find((p) => promptName(p) === promptName(aimed));
  if (!prompt) toast(t("no-longer-open"));
  else if (isPlain(prompt)) intend({ intent: "act", action: plainAction(prompt) });
  else compose(state.deck, prompt, (action) => intend({ intent: "act", action }), { table: state.table });
}

function decide(what, seq) {
  if (what === "correct") return correct(seq);
  return intend({ intent: what, of: seq });
}

/** The whole picture of the camera is the table. */
async function wholePicture() {
  try {
    await tell(`${base}/camera/area`, {}, 1);
  } catch (error) {
    await refused(error);
  }
}

// it comes with the first question of the camera
let asking = null;
let askingComes = false;
function hearQuestions() {
  if (askingComes) return;
  askingComes = true;
  import("./questions.js").then((found) => { asking = found; draw(); }, () => { askingComes = false; });
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
  if (option !== "any") return send(option === null ? {} : { choice: question.options[option].id });
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
  if (composer && !composer.refreshComposer(table.prompts)) toast(t("no-longer-open"));
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
    hello: ({ device }) => {
      deviceId = device;
      if (devices) devices.hello(device);
      draw();
    },
    around: (around) => { state.around = around; draw(); },
    online: (online) => { state.online = online; document.body.classList.toggle("offline", !online); draw(); },
  });
  mountSpeech(part("speech"));
  mountColours(part("colours"));
  if (mode === "table") {
    evening = mountEvening({ button: part("evening"), after: part("after"), clock: part("clock") }, intend, toast, start.now);
    evening.update(state.table);
  }
  document.body.classList.add("ready");
}

/** A television has nothing to press; a mouse that moves over it finds what there is. */
if (mode === "board") {
  let resting = 0;
  document.addEventListener("pointermove", () => {
    document.body.classList.add("pointed");
    clearTimeout(resting);
    resting = setTimeout(() => document.body.classList.remove("pointed"), 4000);
  });
}

main();
