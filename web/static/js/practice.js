// A practice game: the table as everywhere, the player's own hand below it, his moves as buttons. The bots act one after
// another; the page asks for each of their steps.

import { Refused, ask, tell } from "./api.js";
import { cardImage, loadDeck } from "./cards.js";
import { drawResults, drawRuling } from "./dock.js";
import { avatar, fill, h, icon, keep, name } from "./dom.js";
import { drawFelt } from "./felt.js";
import { drawStory } from "./story.js";
import { lang, t } from "./words.js";

const part = (id) => document.getElementById(id);
const start = JSON.parse(part("start").textContent);
const base = `/api/practice/${encodeURIComponent(start.table.id)}`;
const PAUSE = 900; // ms before a bot acts
const READING = 2600; // the same after a result, which people want to read
const AGAIN = 1500; // ms until something that has failed is tried once more

const state = { game: start, deck: null, picked: [], busy: false, results: JSON.stringify(start.table.results) };
let timer = 0;

// --- drawing -------------------------------------------------------------------------------------------------------

function draw() {
  const { table, waits } = state.game;
  fill(part("phase"), table.phase);
  keep(part("scorestrip"), table.players, () => h("ul", {}, table.players.map((p) => h("li", { class: p.active ? "active" : "" }, avatar(p), name(p.name), p.score === null ? null : h("b", {}, p.score)))));
  drawFelt(part("felt"), { ...table, prompts: [], targets: [] }, state.deck, null, null, [], 0);
  drawResults(part("results"), table);
  drawRuling(part("ruling"), table);
  keep(part("turn"), [waits, table.over], () => h("p", { class: "await" }, h("b", { class: waits === "you" && !table.over ? "yours" : null }, t(table.over ? "over" : waits === "you" ? "practice.yours" : "practice.theirs"))));
  drawHand();
  drawMoves();
  drawTools();
  drawStory(part("story"), table, state.deck, null, []);
  if (coach) coach.look();
}

// --- a first round with hints --------------------------------------------------------------------------------------

const MEMORY = "companion.guided";
let coach = null;

/** Games in which this device has had its hints. */
function guided() {
  try {
    return JSON.parse(localStorage.getItem(MEMORY)) || [];
  } catch (error) {
    return [];
  }
}

/** Hints in the first practice game of each kind, or when they are asked for. */
async function mountGuide(asked) {
  const kind = start.table.game.id;
  const known = guided();
  if (coach) coach.stop();
  coach = null;
  if (!asked && known.includes(kind)) return;
  try {
    localStorage.setItem(MEMORY, JSON.stringify(known.filter((one) => one !== kind).concat(kind)));
  } catch (error) {
    // a browser that keeps nothing gets its hints each time
  }
  const { guide } = await import("./guide.js");
  const pointer = (move) => [move.kind, `[data-key="${CSS.escape(move.id)}"], [data-key="${CSS.escape(`${move.id}-0`)}"]`];
  const open = () => (state.game.waits === "you" ? state.game.moves.map(pointer) : []);
  const scored = () => state.game.table.results.length > 0;
  coach = await guide(kind, [["goal", "#felt"], ["table", "#felt"], ["hand", ".hand-cards"]], open, scored).catch(() => null);
}

/** The moves for which cards are chosen. */
const picking = () => state.game.moves.filter((move) => move.cards !== null);

function drawHand() {
  const { hand, aside } = state.game;
  const may = new Set(picking().flatMap((move) => move.cards));
  const picked = new Set(state.picked);
  keep(part("hand"), [hand, aside, Array.from(may), state.picked, state.game.waits], () => [
    hand.length ? h("div", { class: `hand-cards${hand.length > 12 ? " many" : ""}`, role: "group", "aria-label": t("practice.hand") }, hand.map((face, i) => {
      const place = state.picked.indexOf(i);
      const open = may.has(face) || !may.size; // where none is chosen, none is shut
      return h("span", { class: `held-card${picked.has(i) ? " up" : ""}${open ? "" : " shut"}` },
        cardImage(state.deck, { face, side: "up", marks: [] }, { "data-key": `hand-${i}`, "data-hand": face, "aria-pressed": picked.has(i) ? "true" : "false", disabled: !may.has(face), onclick: () => pick(i) }),
        place >= 0 && picking().some((move) => move.ordered) ? h("b", { class: "held-place", "aria-hidden": "true" }, place + 1) : null);
    })) : null,
    aside.length ? h("p", { class: "dim" }, t("practice.aside"), t("colon"), h("span", { class: "mini" }, aside.map((face) => cardImage(state.deck, { face, side: "up", marks: [] })))) : null,
  ]);
}

/** A card is tapped: it stands up, or sits down again. Where one card is all that may be chosen, another takes its place. */
function pick(i) {
  const most = Math.max(...picking().map((move) => move.most));
  if (state.picked.includes(i)) state.picked = state.picked.filter((j) => j !== i);
  else if (most === 1) state.picked = [i];
  else state.picked = state.picked.concat(i);
  drawHand();
  drawMoves();
}

const faces = () => state.picked.map((i) => state.game.hand[i]);

/** Do the cards that stand up fit this move? */
function fits(move) {
  if (move.cards === null) return true;
  const left = move.cards.slice();
  return faces().length >= move.least && faces().length <= move.most && faces().every((face) => {
    const at = left.indexOf(face);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function drawMoves() {
  const { moves, waits } = state.game;
  keep(part("moves"), [moves, waits, state.picked, state.busy], () => moves.map((move) => {
    const title = [h("span", {}, move.label), move.detail ? h("span", { class: "detail" }, move.detail) : null];
    if (move.options.length > 1) {
      return h("div", { class: "option-move", role: "group", "aria-label": move.label }, h("p", { class: "dim" }, title), h("div", { class: "row" }, move.options.map((option, i) => h("button", {
        type: "button", class: "button choice", "data-key": `${move.id}-${i}`, disabled: state.busy, onclick: () => make(move, { option: i }),
      }, option.cards.length ? h("span", { class: "mini" }, option.cards.map((face) => cardImage(state.deck, { face, side: "up", marks: [] }))) : countText(option.n)))));
    }
    const shown = move.options.length === 1 ? move.options[0].cards : [];
    return h("button", { type: "button", class: `button move${fits(move) && waits === "you" && (move.cards !== null || moves.length === 1) ? " primary" : ""}`, "data-key": move.id, disabled: state.busy || !fits(move), onclick: () => make(move, { cards: move.cards === null ? [] : faces() }) },
      title, move.down ? h("span", { class: "detail" }, t("practice.face-down")) : null,
      shown.length ? h("span", { class: "mini" }, shown.map((face) => cardImage(state.deck, { face, side: "up", marks: [] }))) : null,
      move.cards !== null && !fits(move) ? h("span", { class: "detail" }, move.least === move.most ? t("practice.choose", { n: move.most }) : t("practice.choose-range", { least: move.least, most: move.most })) : null);
  }));
}

function countText(n) {
  return n === 0 ? t("practice.no-card") : t("practice.n-cards", { n });
}

function drawTools() {
  const { table, lets } = state.game;
  const mine = table.entries.some((entry) => entry.kind === "acted" && entry.standing && entry.source !== "bot");
  const path = encodeURIComponent(table.game.id);
  keep(part("tools"), [lets, mine, table.over], () => [
    mine && !table.over ? h("button", { type: "button", class: "button quiet", "data-key": "back", onclick: () => send("/back", {}) }, icon("undo"), h("span", {}, t("practice.back"))) : null,
    lets ? h("button", { type: "button", class: "button quiet", "data-key": "let", onclick: () => send("/step", { seq: table.seq, let: true }) }, icon("on"), h("span", {}, t("practice.let"))) : null,
    table.over ? null : h("button", { type: "button", class: "button quiet", "data-key": "guide", onclick: () => mountGuide(true) }, icon("question"), h("span", {}, t("guide.start"))),
    table.over ? h("button", { type: "button", class: "button primary", "data-key": "again", onclick: again }, icon("play"), h("span", {}, t("practice.again"))) : null,
    table.over ? h("a", { class: "button", href: `/practice?game=${path}` }, t("practice.other")) : null,
  ]);
}

async function again() {
  const { table, bots } = state.game;
  try {
    const opened = await tell("/api/practice", { game: table.game.id, players: table.players.length, bots }, 0);
    window.location.assign(opened.url);
  } catch (refused) {
    say(refused.message);
  }
}

function say(text) {
  part("said").hidden = !text;
  fill(part("said"), text || "");
}

// --- telling -------------------------------------------------------------------------------------------------------

const make = (move, chosen) => send("/move", { move: move.id, seq: state.game.table.seq, ...chosen });

async function send(path, body) {
  if (state.busy) return;
  state.busy = true;
  clearTimeout(timer);
  say("");
  try {
    take(await tell(`${base}${path}?lang=${lang}`, body));
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    state.busy = false;
    if (refused.extra.ways) askHow(path, body, refused.extra.ways);
    else {
      say(refused.message);
      if (refused.code === "conflict" || refused.status === 0 || refused.status === 429) timer = setTimeout(look, AGAIN);
    }
  } finally {
    state.busy = false;
    if (state.deck) drawMoves();
  }
}

/** A move that can be meant in several ways: the player says which. */
function askHow(path, body, ways) {
  keep(part("moves"), ways, () => h("div", { class: "option-move", role: "group", "aria-label": t("practice.how") }, h("p", {}, h("b", {}, t("practice.how"))),
    h("div", { class: "row" }, ways.map((way, i) => h("button", { type: "button", class: "button choice", "data-key": `way-${i}`, onclick: () => send(path, { ...body, args: way.args }) }, way.text)))));
}

async function look() {
  await ask(`${base}?lang=${lang}`).then(take, (refused) => {
    say(refused.message);
    timer = setTimeout(look, 2 * AGAIN);
  });
}

function take(game) {
  const before = state.game.table;
  state.game = game;
  state.picked = [];
  state.busy = false;
  const news = game.table.entries.filter((entry) => entry.seq > before.seq && entry.kind === "acted");
  if (news.length) fill(part("live"), news.map((entry) => entry.text).concat(game.waits === "you" ? t("practice.yours") : []).join(". "));
  draw();
  goOn();
}

/** Ask for the next step of the bots, after a pause in which people see what has happened. */
function goOn() {
  clearTimeout(timer);
  if (state.game.waits !== "bots") return;
  const results = JSON.stringify(state.game.table.results);
  const pause = results !== state.results && state.game.table.results.length ? READING : PAUSE;
  state.results = results;
  timer = setTimeout(() => (document.hidden ? goOn() : send("/step", { seq: state.game.table.seq })), pause);
}

async function main() {
  try {
    state.deck = await loadDeck(start.table.deck);
  } catch (refused) {
    say(refused.message);
    document.body.classList.add("ready");
    return;
  }
  draw();
  goOn();
  document.body.classList.add("ready");
  mountGuide(false);
}

main();
