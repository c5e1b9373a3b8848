// The line of events and the score sheet: what happened, what the referee said, where every point comes from.

import { evidence, rulingText, verdictTag } from "./dock.js";
import { cardImage } from "./cards.js";
import { h, icon, keep, name } from "./dom.js";
import { lang, t } from "./words.js";

let tab = "events";

/** Draw the tabs and the chosen one. `tools`: {correct(seq), takeBack(seq), older()} or null for those who look on. */
export function drawStory(el, table, deck, tools, older) {
  const redraw = () => drawStory(el, table, deck, tools, older);
  const entries = older.concat(table.entries);
  const seqs = new Set();
  const all = entries.filter((e) => !seqs.has(e.seq) && seqs.add(e.seq)).sort((a, b) => b.seq - a.seq);
  keep(el, [tab, tab === "events" ? all : [table.scores, table.players.map((p) => p.name)], Boolean(tools)], () => [
    h("div", { class: "tabs", role: "tablist", onkeydown: (event) => turn(event, el, redraw) }, ["events", "scores"].map((key) => h("button", {
      type: "button", role: "tab", tabindex: tab === key ? "0" : "-1", class: `tab${tab === key ? " on" : ""}`, "aria-selected": tab === key ? "true" : "false", "data-key": `tab-${key}`,
      onclick: () => { tab = key; redraw(); },
    }, t(`tab.${key}`)))),
    h("div", { role: "tabpanel", "aria-label": t(`tab.${tab}`) }, tab === "events" ? eventList(all, deck, tools) : scoreSheet(table, deck)),
  ]);
}

/** Arrow keys change the tab. */
function turn(event, el, redraw) {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  tab = tab === "events" ? "scores" : "events";
  redraw();
  el.querySelector(`[data-key=tab-${tab}]`).focus();
}

function eventList(entries, deck, tools) {
  const first = entries.length ? entries[entries.length - 1].seq : 1;
  return [
    h("ol", { class: "events", reversed: true }, entries.map((entry) => eventRow(entry, deck, tools))),
    first > 1 && tools && tools.older ? h("button", { type: "button", class: "button", "data-key": "older", onclick: tools.older }, t("older")) : null,
  ];
}

function eventRow(entry, deck, tools) {
  const gone = !entry.standing && !entry.pending;
  const line = [
    h("span", { class: "seq" }, `#${entry.seq}`),
    h("span", { class: "event-text" }, gone ? h("s", {}, entry.text) : entry.text, gone ? h("span", { class: "sr" }, ` (${t("taken-back")})`) : null),
    entry.source === "camera" ? h("span", { class: "by-camera", title: t("by-camera") }, icon("camera"), h("span", { class: "sr" }, t("by-camera"))) : null,
    entry.verdict && !gone ? verdictTag(entry, true) : null,
  ];
  const time = entry.at ? h("time", { class: "at", datetime: entry.at }, clock(entry.at)) : null;
  const may = tools && tools.takeBack && entry.revocable && (entry.correctable || (entry.kind === "tookback" && entry.standing));
  const inside = [evidence(entry), may ? h("div", { class: "row event-tools" },
    entry.correctable ? h("button", { type: "button", class: "button small", "data-key": `correct-${entry.seq}`, onclick: () => tools.correct(entry.seq) }, t("correct")) : null,
    h("button", { type: "button", class: "button small", "data-key": `drop-${entry.seq}`, onclick: () => tools.takeBack(entry.seq) }, entry.kind === "tookback" ? t("bring-back") : t("take-back")), h("span", { class: "stretch" }), time) : null].filter(Boolean);
  return h("li", { class: `event ${entry.kind}${gone ? " gone" : ""}${entry.pending ? " waits" : ""}`, "data-seq": entry.seq },
    inside.length ? h("details", {}, h("summary", { class: "event-line", "data-key": `event-${entry.seq}` }, line), inside) : h("div", { class: "event-line" }, line),
    gone ? null : rulingText(entry));
}

function clock(at) {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? "" : time.toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" });
}

function scoreSheet(table, deck) {
  if (!table.scores.length) return h("p", { class: "dim" }, t("no-scores"));
  const total = (seat) => table.scores.filter((line) => line.seat === seat).reduce((sum, line) => sum + line.points, 0);
  return [chart(table), table.players.map((player) => {
    const lines = table.scores.filter((line) => line.seat === player.seat);
    return h("details", { class: "sheet-of", open: table.players.length <= 4 },
      h("summary", {}, h("span", { class: `dot seat-${player.seat % 8}`, "aria-hidden": "true" }), name(player.name), h("span", { class: "stretch" }), h("b", {}, total(player.seat))),
      lines.length ? h("table", {}, h("tbody", {}, lines.map((line, i) => h("tr", {},
        h("td", {}, withoutHead(line, lines[i - 1]), line.cards.length ? h("span", { class: "cards tiny" }, line.cards.map((face) => cardImage(deck, { face, side: "up" }))) : null),
        h("td", { class: "points" }, (line.points > 0 ? "+" : "") + line.points))))) : h("p", { class: "dim" }, t("no-scores")));
  })];
}

const SVG = "http://www.w3.org/2000/svg";

function svg(tag, props) {
  const el = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(props)) el.setAttribute(key, value);
  return el;
}

/** What a line of the sheet says, without the beginning that it shares with the one above it: `Game 1:`. */
function withoutHead(line, above) {
  const head = line.text.slice(0, line.text.indexOf(":") + 1);
  return head && above && above.text.startsWith(head) ? line.text.slice(head.length).trim() : line.text;
}

/** Everybody's running total over the lines of the sheet. */
function chart(table) {
  const seats = table.players.map((p) => p.seat);
  const runs = new Map(seats.map((seat) => [seat, [0]]));
  for (const line of table.scores) {
    for (const seat of seats) {
      const run = runs.get(seat);
      run.push(run[run.length - 1] + (line.seat === seat ? line.points : 0));
    }
  }
  const all = Array.from(runs.values()).flat();
  const low = Math.min(...all);
  const high = Math.max(...all, low + 1);
  const steps = table.scores.length;
  const x = (i) => 4 + (292 * i) / steps;
  const y = (v) => 96 - (92 * (v - low)) / (high - low);
  const picture = svg("svg", { viewBox: "0 0 300 100", class: "chart", role: "img", "aria-label": t("chart") });
  picture.append(svg("line", { x1: 4, x2: 296, y1: y(0), y2: y(0), class: "axis" }));
  for (const [seat, run] of runs) {
    picture.append(svg("polyline", { points: run.map((v, i) => `${x(i).toFixed(1)},${y(v).toFixed(1)}`).join(" "), class: `line seat-${seat % 8}` }));
  }
  return picture;
}
