// The zones of a table over its picture from above: what is read in each, and frames that a finger drags and resizes.

import { Refused, ask, tell } from "./api.js";
import { fill, h } from "./dom.js";
import { t } from "./words.js";

const part = (id) => document.getElementById(id);
const start = JSON.parse(part("start").textContent);
const base = `/api/tables/${encodeURIComponent(start.id)}/camera`;
const picture = part("picture");
const board = part("zones");
const SVG = "http://www.w3.org/2000/svg";
const LEAST = 0.02; // the smallest side of a zone, as share of the table
const [LEFT, TOP, RIGHT, BOTTOM] = [0, 1, 2, 3];
const GRIPS = { nw: [LEFT, TOP], ne: [RIGHT, TOP], se: [RIGHT, BOTTOM], sw: [LEFT, BOTTOM] };

// `zones`: as the server tells them, each with its `box` (left, top, right, bottom, shares of the table).
const state = { zones: [], chosen: null, held: null, changed: false, fixed: true, busy: false };
const frames = new Map();

function say(text, bad) {
  fill(part("said"), text);
  part("said").classList.toggle("bad", Boolean(bad));
}

// --- drawing -------------------------------------------------------------------------------------------------------

function boxOf(outline) {
  const [xs, ys] = [outline.map((p) => p[0]), outline.map((p) => p[1])];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function frameOf(zone) {
  let frame = frames.get(zone.id);
  if (!frame) {
    frame = h("button", { type: "button", class: "frame-zone", "data-zone": zone.id, onkeydown: (event) => nudge(event, zone.id), onfocus: () => choose(zone.id) }, h("span", { class: "whose" }), h("span", { class: "what" }));
    frame.addEventListener("pointerdown", (event) => grab(event, zone.id, [LEFT, TOP, RIGHT, BOTTOM]));
    frames.set(zone.id, frame);
    board.append(frame);
  }
  return frame;
}

const grips = Object.entries(GRIPS).map(([name, sides]) => {
  const grip = h("span", { class: `grip ${name}`, hidden: true, "data-grip": name, "aria-hidden": "true" });
  grip.addEventListener("pointerdown", (event) => grab(event, state.chosen, sides));
  board.append(grip);
  return [grip, sides];
});

/** The colour of whose zone it is. */
const seatOf = (zone) => {
  const seat = zone.id.split(":")[1];
  return seat === undefined ? "everybodys" : `seat-${Number(seat) % 8}`;
};

function clashes() {
  const over = (a, b) => Math.min(a[RIGHT], b[RIGHT]) - Math.max(a[LEFT], b[LEFT]) > 1e-4 && Math.min(a[BOTTOM], b[BOTTOM]) - Math.max(a[TOP], b[TOP]) > 1e-4;
  const found = [];
  state.zones.forEach((one, i) => state.zones.slice(i + 1).forEach((other) => {
    if (over(one.box, other.box)) found.push([one, other]);
  }));
  return found;
}

function draw() {
  const met = state.fixed ? [] : clashes();
  const meeting = new Set(met.flat().map((zone) => zone.id));
  for (const zone of state.zones) {
    const frame = frameOf(zone);
    const [left, top, right, bottom] = zone.box.map((v) => v * 100);
    const inwards = (at) => `${(55 * zone.outline.reduce((sum, p) => sum + p[at], 0)) / zone.outline.length + 22.5}%`; // off its cards
    Object.assign(frame.style, state.fixed ? { left: inwards(0), top: inwards(1) } : { left: `${left}%`, top: `${top}%`, width: `${right - left}%`, height: `${bottom - top}%` });
    frame.className = `frame-zone ${seatOf(zone)}`;
    frame.classList.toggle("chosen", zone.id === state.chosen);
    frame.classList.toggle("clash", meeting.has(zone.id));
    fill(frame.children[0], zone.label);
    fill(frame.children[1], zone.reads);
    const reads = `${zone.label}: ${zone.reads || t("zones.empty")}`;
    frame.setAttribute("aria-label", state.fixed ? reads : t("zones.handle", { zone: reads }));
  }
  const chosen = state.zones.find((zone) => zone.id === state.chosen);
  for (const [grip, [x, y]] of grips) {
    grip.hidden = !chosen || state.fixed;
    if (chosen) Object.assign(grip.style, { left: `${chosen.box[x] * 100}%`, top: `${chosen.box[y] * 100}%` });
  }
  part("save").disabled = !state.changed || met.length > 0 || state.busy;
  if (met.length) say(t("zones.overlap", { one: met[0][0].label, other: met[0][1].label }), true);
  else if (state.changed) say(t("zones.changed"));
}

function svg(tag, props, ...children) {
  const el = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(props)) el.setAttribute(key, value);
  el.append(...children);
  return el;
}

function drawCards(cards) {
  const kind = (card) => (card.side === "down" ? "down" : card.name === "?" ? "unsure" : "");
  fill(part("cards"), svg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" },
    ...(state.fixed ? state.zones : []).map((zone) => svg("polygon", { class: `place-of ${seatOf(zone)}`, points: zone.outline.map((p) => p.join(",")).join(" ") })),
    ...cards.map((card) => svg("polygon", { class: `seen ${kind(card)}`, points: card.outline.map((p) => p.join(",")).join(" ") }))));
  const outside = cards.filter((card) => card.zone === null).map((card) => card.name || t("face-down"));
  fill(part("reads"),
    state.zones.flatMap((zone) => [h("dt", { class: seatOf(zone) }, zone.label), h("dd", { "data-reads": zone.id, class: zone.reads ? "" : "dim" }, zone.reads || t("zones.empty"))]),
    outside.length ? [h("dt", {}, t("zones.none")), h("dd", { "data-reads": "outside" }, outside.join(" "))] : []);
}

function show(found, afresh) {
  state.fixed = found.fixed;
  board.classList.toggle("fixed", found.fixed);
  fill(part("note"), found.fixed ? t("zones.fixed") : found.note);
  part("note").hidden = !found.fixed && !found.note;
  part("reset").disabled = found.fixed;
  const known = new Map(state.zones.map((zone) => [zone.id, zone.box]));
  state.zones = found.zones.map((zone) => ({ ...zone, box: !afresh && state.changed && known.has(zone.id) ? known.get(zone.id) : boxOf(zone.outline) }));
  for (const [id, frame] of frames) {
    if (!state.zones.some((zone) => zone.id === id)) {
      frame.remove();
      frames.delete(id);
    }
  }
  drawCards(found.cards);
  draw();
}

// --- dragging ------------------------------------------------------------------------------------------------------

function choose(id) {
  if (state.fixed || state.chosen === id) return;
  state.chosen = id;
  draw();
}

function grab(event, id, sides) {
  const zone = state.zones.find((one) => one.id === id);
  if (state.fixed || !zone || (event.button ?? 0) > 0) return;
  if (event.pointerType === "touch" && state.chosen !== id) {
    choose(id); // the first touch may as well be the beginning of a scroll
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  const target = event.currentTarget;
  target.setPointerCapture(event.pointerId);
  frames.get(id).focus({ preventScroll: true });
  choose(id);
  state.held = { pointer: event.pointerId, id, sides, x: event.clientX, y: event.clientY, box: zone.box.slice() };
  const move = (moved) => {
    if (!state.held || moved.pointerId !== state.held.pointer) return;
    const size = board.getBoundingClientRect();
    shift(id, sides, state.held.box, (moved.clientX - state.held.x) / size.width, (moved.clientY - state.held.y) / size.height);
  };
  const end = (ended) => {
    if (!state.held || ended.pointerId !== state.held.pointer) return;
    state.held = null;
    for (const [kind, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) target.removeEventListener(kind, listener);
  };
  for (const [kind, listener] of [["pointermove", move], ["pointerup", end], ["pointercancel", end]]) target.addEventListener(kind, listener);
}

/** The zone's `box` with some sides moved; it stays on the table, and a zone. */
function shift(id, sides, box, dx, dy) {
  const zone = state.zones.find((one) => one.id === id);
  const next = box.slice();
  if (sides.length === 4) {
    const x = Math.min(1 - box[RIGHT], Math.max(-box[LEFT], dx));
    const y = Math.min(1 - box[BOTTOM], Math.max(-box[TOP], dy));
    [x, y, x, y].forEach((step, side) => { next[side] = box[side] + step; });
  } else {
    for (const side of sides) {
      const low = side === LEFT || side === TOP;
      const limit = low ? [0, box[side + 2] - LEAST] : [box[side - 2] + LEAST, 1];
      next[side] = Math.min(limit[1], Math.max(limit[0], box[side] + (side % 2 ? dy : dx)));
    }
  }
  if (next.every((v, side) => v === zone.box[side])) return;
  zone.box = next;
  state.changed = true;
  draw();
}

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function nudge(event, id) {
  const step = KEYS[event.key];
  if (!step || state.fixed) return;
  event.preventDefault();
  const zone = state.zones.find((one) => one.id === id);
  shift(id, event.shiftKey ? [RIGHT, BOTTOM] : [LEFT, TOP, RIGHT, BOTTOM], zone.box, step[0] * 0.005, step[1] * 0.005);
}

// --- the live picture ----------------------------------------------------------------------------------------------

let shown = false;
async function look() {
  if (!document.hidden && !state.held && !state.busy) {
    const found = await ask(`${base}/zones`).catch(() => null);
    if (found && !state.held && !state.busy) show(found);
    else if (!found && !shown) {
      document.body.classList.add("sightless");
      say(start.camera.state === "off" ? start.camera.text : t("calibrate.no-picture"), true);
    }
    if (found) {
      picture.src = `${base}/flat?width=1280&at=${Date.now()}`;
      if (!shown) {
        document.body.classList.remove("sightless");
        say("");
      }
      shown = true;
    }
  }
  setTimeout(look, 1500);
}

async function put(zones, said) {
  if (state.busy) return;
  state.busy = true;
  draw();
  try {
    const found = await tell(`${base}/zones`, zones, 1);
    state.changed = false;
    state.busy = false;
    show(found, true);
    say(said);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(error.message, true);
  } finally {
    state.busy = false;
    part("save").disabled = !state.changed;
  }
}

part("save").addEventListener("click", () => put({ zones: state.zones.map((zone) => ({ id: zone.id, box: zone.box })) }, t("zones.saved")));
part("reset").addEventListener("click", () => put({}, t("zones.back-to-solved")));
if (start.first) part("go").href += window.location.hash;
look();
