// Describe a deck of one's own: a form that writes the deck file, the server that checks it, its cards as they will look.

import { Refused, ask, give } from "./api.js";
import { coloured, mountColours } from "./colours.js";
import { fill, h } from "./dom.js";
import { filled, lang, t } from "./words.js";

const LOOKS = JSON.parse(document.getElementById("looks").textContent);
/** A word of the form; {placeholders} filled in. */
function f(key, params) {
  const found = LOOKS.words[key] || key;
  return params ? filled(found, params) : found;
}

const form = document.getElementById("deck-form");
const text = document.getElementById("deck-text");
const said = document.getElementById("deck-said");
const cards = document.getElementById("deck-cards");
const games = document.getElementById("deck-games");
const keep = document.getElementById("deck-keep");
const maker = document.getElementById("maker");
const save = document.getElementById("deck-save");

let deck = blank();
let waiting = 0;
let asked = 0;

function blank() {
  return {
    deck: { name: { en: "My deck", ja: "わたしのデッキ" }, separator: "." },
    suits: [{ code: "a", name: { en: "Sun", ja: "日" }, colour: "red", mark: "sun" }, { code: "b", name: { en: "Moon", ja: "月" }, colour: "blue", mark: "moon" }],
    pictures: [{ code: "1", name: { en: "One", ja: "一" } }, { code: "2", name: { en: "Two", ja: "二" } }, { code: "3", name: { en: "Three", ja: "三" } }],
    extras: [],
  };
}

// --- the file ---------------------------------------------------------------------------------------------------------

function value(found) {
  if (typeof found === "string") return JSON.stringify(found);
  if (Array.isArray(found)) return `[${found.map(value).join(", ")}]`;
  if (found && typeof found === "object") return `{ ${Object.entries(found).map(([key, one]) => `${key} = ${value(one)}`).join(", ")} }`;
  return String(found);
}

function table(head, fields) {
  const lines = Object.entries(fields).filter(([, found]) => found !== "" && found !== undefined).map(([key, found]) => `${key} = ${value(found)}`);
  return [head, ...lines].join("\n");
}

function written() {
  const parts = [table("[deck]", { version: 1, ...deck.deck })];
  for (const kind of ["suits", "ranks", "pictures", "extras"]) for (const one of deck[kind] || []) parts.push(table(`[[${kind}]]`, one));
  return `${parts.join("\n\n")}\n`;
}

// --- the form ---------------------------------------------------------------------------------------------------------

function names(one) {
  const found = one.name || one.code || "";
  return typeof found === "string" ? { en: found, ja: found } : { en: found.en || found.ja, ja: found.ja || found.en };
}

function field(label, control) {
  return h("label", { class: "field" }, h("span", {}, label), control);
}

function entry(label, now, changed, more) {
  return h("input", { type: "text", value: now || "", maxlength: 40, autocomplete: "off", "aria-label": label, oninput: (event) => { changed(event.target.value); told(); }, ...more });
}

function choice(label, values, now, changed) {
  const el = h("select", { "aria-label": label, onchange: (event) => { changed(event.target.value); told(); } }, values.map(([one, shown]) => h("option", { value: one }, shown)));
  el.value = values.some(([one]) => one === now) ? now : values[0][0];
  return el;
}

function naming(one, row) {
  const said = names(one);
  const put = (language) => (typed) => { said[language] = typed; one.name = { en: said.en || said.ja || "?", ja: said.ja || said.en || "?" }; };
  return [entry(`${row} ${f("name-ja")}`, said.ja, put("ja"), { placeholder: f("name-ja") }), entry(`${row} ${f("name-en")}`, said.en, put("en"), { placeholder: f("name-en") })];
}

const look = (name) => [name, f(`look.${name}`)];

function row(kind, one, index) {
  const list = deck[kind];
  const label = `${f(`${kind}`)} ${index + 1}`;
  const parts = naming(one, label);
  if (kind === "suits") {
    const own = one.mark && !LOOKS.marks.includes(one.mark);
    parts.push(choice(`${label} ${f("colour")}`, [...LOOKS.colours.map((c) => [c, f(`colour.${c}`)]), ...(/^#/.test(one.colour || "") ? [[one.colour, one.colour]] : [])], one.colour || "black", (c) => { one.colour = c; }));
    parts.push(choice(`${label} ${f("mark")}`, [...LOOKS.marks.map(look), ...(own ? [[one.mark, one.mark]] : [])], one.mark || "", (m) => { one.mark = m; }));
  } else {
    const known = [...LOOKS.pictures, ...LOOKS.marks];
    const own = one.picture && !known.includes(one.picture);
    parts.push(entry(`${label} ${f("index")}`, one.index, (typed) => { one.index = typed; }, { class: "code", maxlength: 3, placeholder: f("index") }));
    parts.push(choice(`${label} ${f("picture")}`, [["", f("picture.none")], ...known.map(look), ...(own ? [[one.picture, one.picture]] : [])], one.picture || (known.includes(one.code) ? one.code : ""), (p) => { one.picture = p; }));
  }
  parts.push(entry(`${label} ${f("code")}`, one.code, (typed) => { one.code = typed; }, { class: "code", placeholder: f("code") }));
  const step = (to) => () => { list.splice(index, 1); if (to !== null) list.splice(to, 0, one); draw(); told(); };
  parts.push(h("span", { class: "steps" },
    h("button", { type: "button", class: "button small", "aria-label": `${label} ${f("up")}`, disabled: index === 0, onclick: step(index - 1) }, "↑"),
    h("button", { type: "button", class: "button small", "aria-label": `${label} ${f("down")}`, disabled: index === list.length - 1, onclick: step(index + 1) }, "↓"),
    h("button", { type: "button", class: "button small", "aria-label": `${label} ${f("remove")}`, onclick: step(null) }, "×")));
  return h("li", {}, parts);
}

function free(kind) {
  const taken = new Set((deck[kind] || []).map((one) => one.code));
  const begun = { suits: "m", extras: "JK" }[kind] || "";
  for (let n = 1; ; n += 1) if (!taken.has(`${begun}${n}`)) return `${begun}${n}`;
}

function add(kind) {
  const code = free(kind);
  const fresh = kind === "extras" ? { code, name: { en: "Joker", ja: "ジョーカー" } } : { code, name: { en: code, ja: code } };
  if (kind === "suits") fresh.mark = LOOKS.marks.find((m) => !deck.suits.some((one) => one.mark === m)) || LOOKS.marks[0];
  (deck[kind] = deck[kind] || []).push(fresh);
  draw();
  told();
}

function list(kind) {
  return h("fieldset", { class: "parts" }, h("legend", {}, f(`${kind}`)), h("p", { class: "dim" }, f(`${kind}.about`)),
    h("ol", {}, (deck[kind] || []).map((one, index) => row(kind, one, index))),
    h("button", { type: "button", class: "button", onclick: () => add(kind) }, f(`${kind}.add`)));
}

function draw() {
  const head = deck.deck;
  const title = names(head);
  const kind = deck.ranks ? "ranks" : "pictures";
  const size = Array.isArray(head.size) ? head.size.join(" × ") : head.size || "poker";
  const sizes = Object.entries(LOOKS.sizes).map(([name, side]) => [name, `${f(`size.${name}`)} (${side.join(" × ")} mm)`]);
  if (Array.isArray(head.size)) sizes.push([size, `${size} mm`]);
  fill(form,
    h("div", { class: "row" },
      field(f("name-ja"), entry(f("name-ja"), title.ja, (typed) => { title.ja = typed; head.name = { en: title.en || typed || "?", ja: typed || title.en || "?" }; })),
      field(f("name-en"), entry(f("name-en"), title.en, (typed) => { title.en = typed; head.name = { en: typed || title.ja || "?", ja: title.ja || typed || "?" }; })),
      field(f("copies-each"), choice(f("copies-each"), [1, 2, 3, 4].map((n) => [String(n), `× ${n}`]), String(head.copies || 1), (n) => { head.copies = Number(n); })),
      field(f("size"), choice(f("size"), sizes, size, (s) => { if (LOOKS.sizes[s]) head.size = s; })),
      field(f("shape"), choice(f("shape"), [["card", f("shape.card")], ["tile", f("shape.tile")]], head.shape || "card", (s) => { head.shape = s; }))),
    head.like ? h("p", { class: "dim" }, f("like", { name: head.like })) : [list("suits"), list(kind), list("extras")]);
}

// --- checked by the server --------------------------------------------------------------------------------------------

/** Something has changed: write the file, and have it checked when the typing pauses. */
function told() {
  text.value = written();
  clearTimeout(waiting);
  waiting = setTimeout(check, 400);
}

async function send(path) {
  const body = text.value;
  const name = encodeURIComponent((names(deck.deck).en || "deck").slice(0, 24));
  let answer;
  try {
    const response = await fetch(`${path}?lang=${lang}&name=${name}`, { method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/toml" }, body });
    answer = await response.json();
  } catch (error) {
    answer = { error: { message: t("error.unreachable") } };
  }
  return answer;
}

async function check() {
  const mine = ++asked;
  const answer = await send("/api/deck-files/check");
  if (mine !== asked) return null;
  return show(answer) ? answer : null;
}

function show(answer) {
  said.classList.toggle("error", Boolean(answer.error));
  if (keep) keep.disabled = Boolean(answer.error);
  if (answer.error) {
    fill(said, answer.error.message);
    return false;
  }
  save.href = `data:application/toml;charset=utf-8,${encodeURIComponent(text.value)}`;
  const faces = answer.suits.reduce((n, suit) => n + suit.faces.length, 0);
  fill(said, f("good", { name: answer.title, n: answer.size, faces }));
  fill(games, answer.games.map((game) => h("li", { class: game.fits ? "yes" : "no" }, h("b", {}, game.name), " ", game.fits ? f("fits") : game.why)));
  const path = (face) => coloured(`/cards/${encodeURIComponent(answer.name)}/${encodeURIComponent(face.code)}.svg`);
  fill(cards, answer.suits.map((suit) => h("section", {}, h("h3", {}, suit.name), h("ul", { class: "faces" }, suit.faces.map((face) => h("li", {},
    h("img", { src: path(face), alt: "", width: 63, height: 88, loading: "lazy" }), h("span", { class: "dim" }, face.short, face.copies > 1 ? ` ×${face.copies}` : "")))))));
  return true;
}

/** What is said stays: nothing that was asked before answers into it. */
function quiet() {
  clearTimeout(waiting);
  asked += 1;
  if (text.value) return;
  draw();
  text.value = written();
}

/** A whole deck as one file: its first two letters say so, as those of every ZIP archive do. */
async function isPack(file) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return /\.deck$/i.test(file.name) || (head[0] === 0x50 && head[1] === 0x4b);
}

async function takePack(file) {
  said.classList.remove("error");
  fill(said, f("taking"));
  said.scrollIntoView({ block: "center" });
  try {
    if (file.size > LOOKS.most) throw new Refused("large", f("large", { most: LOOKS.most / 1e6 }));
    const name = encodeURIComponent(file.name.replace(/\.\w+$/, "").slice(0, 60));
    const found = await give(`/api/deck-files/pack?lang=${lang}&name=${name}`, "application/zip", file);
    window.location.assign(`/decks?deck=${encodeURIComponent(found.name)}`);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    said.classList.add("error");
    fill(said, refused.message);
  }
}

/** A file into the form: what the server has read in it. */
async function take(body) {
  text.value = body;
  const answer = await check();
  if (!answer) return;
  deck = { extras: [], ...answer.parts, deck: answer.parts.deck || {} };
  draw();
}

mountColours(document.getElementById("colours"));
document.getElementById("start").addEventListener("change", async (event) => {
  if (!event.target.value) {
    deck = blank();
    draw();
    told();
    return;
  }
  try {
    await take((await ask(`/api/deck-files/start?like=${event.target.value}&lang=${lang}`)).file);
  } catch (refused) {
    if (!(refused instanceof Refused)) throw refused;
    show({ error: refused });
  }
});
document.getElementById("deck-file").addEventListener("change", async (event) => {
  const file = event.target.files[0];
  event.target.value = "";
  if (!file) return;
  quiet();
  maker.open = true;
  if (await isPack(file)) {
    await takePack(file);
    return;
  }
  let body;
  try {
    body = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch (error) {
    show({ error: { message: f("not-text") } });
    return;
  }
  await take(body);
});
document.getElementById("deck-read").addEventListener("click", () => take(text.value));
maker.addEventListener("toggle", () => { if (!text.value) { draw(); told(); } });
if (keep) keep.addEventListener("click", async () => {
  keep.disabled = true;
  const answer = await send("/api/deck-files");
  if (show(answer)) window.location.assign(`/decks?deck=${encodeURIComponent(answer.name)}`);
});
