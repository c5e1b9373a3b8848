// History: a game again by slider, drawn like the table itself; and restoring a backup.

import { Refused, ask, tell } from "./api.js";
import { loadDeck } from "./cards.js";
import { rulingText, verdictTag } from "./dock.js";
import { avatar, brief, fill, h, icon, keep, name } from "./dom.js";
import { drawFelt } from "./felt.js";
import "./share.js";
import { drawStory } from "./story.js";
import { lang, t } from "./words.js";

const part = (id) => document.getElementById(id);

// --- the list: restoring ------------------------------------------------------------------------------------------

const restore = part("restore");
if (restore) {
  restore.addEventListener("change", async () => {
    const file = restore.files[0];
    if (!file) return;
    const said = part("restore-said");
    fill(said, t("history.restoring"));
    try {
      const answer = await fetch(`/api/restore?lang=${lang}`, { method: "POST", headers: { "Content-Type": "application/vnd.sqlite3" }, body: file });
      const found = await answer.json();
      if (!answer.ok) throw new Refused(found.error.code, found.error.message, answer.status, found);
      fill(said, t("history.restored", { n: found.tables, kept: found.kept }), " ", h("a", { class: "button", href: "/history" }, t("home.history")));
    } catch (error) {
      fill(said, h("span", { class: "error" }, error instanceof Refused ? error.message : t("error.unreachable")));
    }
    restore.value = "";
  });
}

const print = part("print");
if (print) print.addEventListener("click", () => window.print());

for (const button of document.querySelectorAll("[data-removed]")) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      const back = await tell(`/api/removed/${button.dataset.removed}/restore`, {}, 0);
      fill(part("removed-said"), t("history.brought-back"), " ", h("a", { class: "button", href: `/history/${encodeURIComponent(back.id)}` }, t("end.replay")));
    } catch (refused) {
      button.disabled = false;
      fill(part("removed-said"), h("span", { class: "error" }, refused.message));
    }
  });
}

for (const button of document.querySelectorAll("[data-unarchive]")) {
  button.addEventListener("click", () => tell(`/api/tables/${encodeURIComponent(button.dataset.unarchive)}/archive`, { archived: false })
    .then(() => window.location.reload(), (refused) => { button.textContent = refused.message; }));
}

// Times are written in the reader's own zone.
for (const el of document.querySelectorAll("time")) {
  const at = new Date(el.getAttribute("datetime"));
  if (!Number.isNaN(at.getTime())) el.textContent = at.toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
}

// --- one game -------------------------------------------------------------------------------------------------------

/** The game on this page: one picture for each event, asked for when the slider gets there. */
function replay(start, deck, entries) {
  const last = start.picture.seq;
  const base = `/api/tables/${encodeURIComponent(start.id)}`;
  const pictures = new Map([[last, Promise.resolve(start.picture)]]);
  const slider = part("slider");
  const marker = drawChart(start);
  let wanted = last;

  const picture = (seq) => {
    if (!pictures.has(seq)) {
      pictures.set(seq, ask(`${base}/at/${seq}?lang=${lang}`).then((found) => found.table, (error) => {
        pictures.delete(seq);
        throw error;
      }));
    }
    return pictures.get(seq);
  };

  async function show(seq) {
    wanted = Math.max(1, Math.min(last, seq));
    const here = wanted;
    slider.value = here;
    drawPlace(entries, here, last);
    marker(here);
    drawSteps();
    let table;
    try {
      table = await picture(here);
    } catch (error) {
      fill(part("event"), h("span", { class: "error" }, error.message));
      return;
    }
    if (here !== wanted) return; // the finger is already elsewhere
    drawFelt(part("felt"), table, deck, null, null, []);
    fill(part("phase"), table.phase);
    drawPhotograph(start.photographs, here);
    keep(part("scorestrip"), table.players, () => h("ul", {}, table.players.map((p) => h("li", { class: p.active ? "active" : "" }, avatar(p), brief(p, table.players), p.score === null ? null : h("b", {}, p.score)))));
    drawStory(part("story"), { ...table, entries: entries.filter((entry) => entry.seq <= here) }, deck, null, []);
  }

  function drawSteps() {
    const steps = [["first", "first", 1], ["back", "back", wanted - 1], ["on", "on", wanted + 1], ["last", "last", last]];
    keep(part("steps"), wanted, () => steps.map(([key, sign, to]) => h("button", {
      type: "button", class: "button", "data-key": `step-${key}`, "aria-label": t(`history.${key}`), title: t(`history.${key}`),
      disabled: to < 1 || to > last || to === wanted, onclick: () => show(to),
    }, icon(sign))));
  }

  slider.addEventListener("input", () => show(Number(slider.value)));
  show(last);
}

function drawPlace(entries, seq, last) {
  const entry = entries.find((e) => e.seq === seq);
  fill(part("place"), t("history.of", { n: seq, all: last }));
  fill(part("event"), entry ? entry.text : "", entry && entry.verdict ? verdictTag(entry, true) : null);
  fill(part("ruling"), entry ? rulingText(entry) : null);
}

/** The last photograph of the whole table that was taken up to this entry, beside the table as the referee knows it. */
function drawPhotograph(photographs, seq) {
  const taken = Object.keys(photographs).map(Number).filter((at) => at <= seq);
  const figure = part("photograph");
  figure.hidden = !taken.length;
  if (!taken.length) return;
  const at = Math.max(...taken);
  const source = `/evidence/${photographs[at]}`;
  const image = figure.querySelector("img");
  if (image.getAttribute("src") !== source) image.src = source;
  image.alt = t("history.photograph", { n: at });
  fill(figure.querySelector("figcaption"), t("history.photograph", { n: at }));
}

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, props, text) {
  const el = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(props)) el.setAttribute(key, value);
  if (text !== undefined) el.textContent = text;
  return el;
}

/** Everybody's total after each event; returns what moves the marker to an event. */
function drawChart(start) {
  const all = start.runs.flat();
  const low = Math.min(0, ...all);
  const high = Math.max(0, ...all);
  if (low === high) return () => {};
  const steps = Math.max(1, start.picture.seq - 1);
  const x = (i) => 22 + (274 * i) / steps;
  const y = (v) => 94 - (86 * (v - low)) / (high - low);
  const drawing = svg("svg", { viewBox: "0 0 300 100", class: "chart", role: "img", "aria-label": t("chart") });
  for (const value of new Set([low, 0, high])) {
    drawing.append(svg("line", { x1: 22, x2: 296, y1: y(value), y2: y(value), class: "axis" }));
    drawing.append(svg("text", { x: 19, y: y(value) + 3, "text-anchor": "end" }, String(value)));
  }
  start.runs.forEach((run, seat) => {
    drawing.append(svg("polyline", { points: run.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join(" "), class: `line seat-${seat % 8}` }));
  });
  const now = svg("line", { y1: 4, y2: 97, class: "now" });
  drawing.append(now);
  fill(part("chart"), drawing, h("ul", { class: "legend" }, start.picture.players.map((player) => h("li", {},
    h("span", { class: `dot seat-${player.seat % 8}`, "aria-hidden": "true" }), name(player.name)))));
  part("chart-part").hidden = false;
  return (seq) => {
    for (const end of ["x1", "x2"]) now.setAttribute(end, x(seq - 1).toFixed(1));
  };
}

async function main() {
  const start = JSON.parse(part("start").textContent);
  try {
    const [deck, found] = await Promise.all([loadDeck(start.picture.deck), ask(`/api/tables/${encodeURIComponent(start.id)}/entries?lang=${lang}`)]);
    replay(start, deck, found.entries);
    document.body.classList.add("ready");
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    fill(part("event"), h("span", { class: "error" }, error.message));
  }
}

if (part("start")) main();
