// The home page: a new game in a few taps.

import { Refused, ask, tell } from "./api.js";
import { fill, h, icon } from "./dom.js";
import { offerNames, seatUp } from "./names.js";
import { lang, t } from "./words.js";

const room = document.getElementById("new");
const MEMORY = "companion.last-setup";
const OWN = "\u0000own";
const PHONE = "push";

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(MEMORY)) || {};
  } catch (error) {
    return {};
  }
}

function remember(setup) {
  try {
    localStorage.setItem(MEMORY, JSON.stringify(setup));
  } catch (error) {
    // a browser that keeps nothing: the next game starts with the defaults
  }
}

/** Cameras that can watch a new table; none when there is none, or the server does not say. */
const cameras = ask("/api/cameras").then((found) => found.cameras, () => []);

const list = room && room.querySelector(".games");
const all = room ? ask(`/api/games?lang=${lang}`).then((found) => found.games) : null;
if (all) all.catch(() => null); // said when a game is chosen

/** Back to the games, as the server wrote them. */
function back() {
  fill(room, list);
}

async function choose(id) {
  try {
    const games = await all;
    setUp(games.find((game) => game.id === id));
  } catch (refused) {
    fill(room, list, h("p", { class: "error", role: "alert" }, refused.message));
  }
}
if (list) for (const tile of list.querySelectorAll("[data-game]")) tile.addEventListener("click", () => choose(tile.dataset.game));

function setUp(game) {
  const last = remembered();
  const names = (last.names || []).slice(0, game.most);
  const own = (last.games || {})[game.id] || {};
  const known = game.decks.some((d) => d.name === own.deck);
  const setup = {
    count: Math.min(game.most, Math.max(game.least, own.count || names.length || game.least)),
    names, teams: [], withTeams: false, deck: known ? own.deck : "", options: { ...(own.options || {}) }, busy: false,
  };
  const watching = h("div", {});
  const error = h("p", { class: "error", role: "alert" });
  const players = h("div", { class: "players" });
  const counts = h("div", { class: "row counts", role: "group", "aria-label": t("home.how-many") });

  const drawCounts = () => fill(counts, Array.from({ length: game.most - game.least + 1 }, (_, i) => game.least + i).map((n) => h("button", {
    type: "button", class: `button choice count${setup.count === n ? " on" : ""}`, "aria-pressed": setup.count === n ? "true" : "false", "data-count": n,
    onclick: () => { setup.count = n; together.hidden = n < 2; drawCounts(); drawPlayers(); drawDeck(); },
  }, n)));
  const drawPlayers = () => fill(players, Array.from({ length: setup.count }, (_, i) => h("div", { class: "seat-field" }, h("label", { class: "field" },
    h("span", {}, t("seat-number", { n: i + 1 })),
    h("input", { type: "text", maxlength: 40, autocomplete: "off", dir: "auto", placeholder: t("player-default", { n: i + 1 }), value: setup.names[i] || "", list: "known-names",
      "data-player": i, oninput: (event) => { setup.names[i] = event.target.value; } })),
  seatUp(setup.names, i, (to) => { drawPlayers(); players.querySelector(`[data-player="${to}"]`).focus(); }),
  setup.withTeams ? h("input", { type: "text", maxlength: 40, autocomplete: "off", dir: "auto", class: "team", "aria-label": t("home.team-of", { n: i + 1 }), placeholder: t("home.team"), value: setup.teams[i] || "",
    "data-team": i, oninput: (event) => { setup.teams[i] = event.target.value; } }) : null)));
  const deck = h("div", {});
  const drawDeck = () => fill(deck, game.decks.length > 1 ? h("label", { class: "field" }, h("span", {}, t("home.deck")), deckSelect(game, setup)) : null);
  const begin = h("button", { type: "button", class: "button primary big", id: "begin", onclick: () => startGame(game, setup, begin, error) }, t("home.start"));

  const lot = h("button", { type: "button", class: "button small", id: "lot", onclick: () => { shuffle(setup.names, setup.count); drawPlayers(); } }, t("home.lot"));

  const teams = h("button", { type: "button", class: "button small", id: "teams", "aria-pressed": "false", onclick: () => {
    setup.withTeams = !setup.withTeams;
    teams.setAttribute("aria-pressed", setup.withTeams ? "true" : "false");
    drawPlayers();
  } }, t("home.teams"));
  const guided = h("button", { type: "button", class: "button switch", id: "guided", "aria-pressed": "false", onclick: () => {
    setup.guided = !setup.guided;
    guided.classList.toggle("on", setup.guided);
    guided.setAttribute("aria-pressed", setup.guided ? "true" : "false");
  } }, h("span", {}, t("home.guided")), h("span", { class: "switch-sign", "aria-hidden": "true" }));
  const together = h("div", { class: "row" }, lot, teams);
  const rounds = h("div", {});
  offerNames(rounds, "known-names", game, (people) => { setup.names = people; setup.count = people.length; together.hidden = setup.count < 2; drawCounts(); drawPlayers(); drawDeck(); });

  together.hidden = setup.count < 2;
  drawCounts();
  drawPlayers();
  drawDeck();
  const title = h("h3", { tabindex: "-1" }, game.name);
  fill(room, h("div", { class: "setup" },
    h("div", { class: "setup-head" }, h("button", { type: "button", class: "button quiet icon", "aria-label": t("home.other-game"), onclick: back }, icon("back")), title),
    h("p", { class: "dim" }, game.about),
    h("fieldset", {}, h("legend", {}, t("home.how-many")), counts, rounds, players, together),
    deck,
    game.options.length ? h("details", { class: "rules" }, h("summary", {}, t("home.house-rules")), game.options.map((option) => h("label", { class: "field rule-field" },
      h("span", { class: "label" }, option.label, " ", h("span", { class: "clause" }, option.clause)),
      h("span", { class: "told" }, option.about), houseRule(option, setup)))) : null,
    watching,
    guided, error, begin));
  cameras.then((found) => {
    const plugged = found.filter((c) => c.source !== PHONE);
    const free = plugged.find((c) => !c.taken);
    setup.camera = free ? free.source : "";
    const sources = [...plugged.map((c) => [c.source, c.taken ? t("home.camera-taken", { name: c.name }) : c.name]), ["", t("home.camera-none")], [PHONE, t("home.camera-phone")]];
    fill(watching, h("label", { class: "field" }, h("span", {}, t("home.camera")), select(sources, setup.camera, (v) => { setup.camera = v; }, "camera")));
  });
  title.focus({ preventScroll: true });
  room.scrollIntoView({ block: "start" });
}

/** The first `count` names in another order, every order as likely as any. */
function shuffle(names, count) {
  for (let i = 0; i < count; i += 1) names[i] = names[i] || "";
  for (let i = count - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [names[i], names[j]] = [names[j], names[i]];
  }
}

/** The decks of a game: first those that its rule sheet recommends for so many players, then all. */
function deckSelect(game, setup) {
  const option = (value, text) => h("option", { value }, text);
  const all = game.decks.map((d) => option(d.name, d.text));
  const advised = game.recommended.filter((row) => row.players === setup.count).map((row) => option(row.deck, row.text));
  const groups = advised.length
    ? [h("optgroup", { label: t("home.deck-sheet", { n: setup.count }) }, advised), h("optgroup", { label: t("home.deck-all") }, all)]
    : all;
  const el = h("select", { "data-option": "deck", onchange: (event) => { setup.deck = event.target.value; } }, option("", t("home.deck-default")), groups);
  el.value = setup.deck;
  return el;
}

/** The values of a house rule; where the game takes a text of the table's own, a text area for it. */
function houseRule(option, setup) {
  const chosen = setup.options[option.name] || option.values[0].value;
  const set = (value) => { setup.options[option.name] = value; };
  const values = option.values.map((v) => [v.value, v.text]);
  if (!option.free) return select(values, chosen, set, option.name);
  const own = !values.some(([value]) => value === chosen);
  const text = h("textarea", { rows: 8, maxlength: option.free, spellcheck: "false", "aria-label": t("home.own-text"), "data-text": option.name,
    value: own ? chosen : "", hidden: !own, oninput: (event) => set(event.target.value) });
  const choose = (value) => {
    text.hidden = value !== OWN;
    set(value === OWN ? text.value : value);
  };
  return [select([...values, [OWN, t("home.own-text")]], own ? OWN : chosen, choose, option.name), text];
}

function select(values, chosen, changed, key) {
  const el = h("select", { "data-option": key, onchange: (event) => changed(event.target.value) }, values.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  el.value = chosen;
  return el;
}

async function startGame(game, setup, button, error) {
  if (setup.busy) return;
  setup.busy = true;
  button.disabled = true;
  fill(error);
  const options = {};
  for (const option of game.options) {
    const value = setup.options[option.name];
    if (value && (option.free || option.values.some((v) => v.value === value))) options[option.name] = value;
  }
  const players = Array.from({ length: setup.count }, (_, i) => setup.names[i] || "");
  const teams = setup.withTeams && setup.count > 1 ? players.map((_, i) => setup.teams[i] || "") : [];
  const last = remembered();
  remember({ names: setup.names, games: { ...(last.games || {}), [game.id]: { count: setup.count, deck: setup.deck, options } } });
  try {
    const opened = await tell("/api/tables", { game: game.id, players, deck: setup.deck, options, ...(teams.length ? { teams } : {}), camera: setup.camera || null }, 0);
    const next = setup.camera === PHONE ? "/join#camera" : `${opened.marked ? "" : "/calibrate?first=1"}${setup.guided ? "#guide" : ""}`;
    window.location.assign(opened.url + next);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    fill(error, refused.message);
    setup.busy = false;
    button.disabled = false;
  }
}


// Times are written in the reader's own zone.
for (const el of document.querySelectorAll("time")) {
  const at = new Date(el.getAttribute("datetime"));
  if (!Number.isNaN(at.getTime())) el.textContent = at.toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
}
