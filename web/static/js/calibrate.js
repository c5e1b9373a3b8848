// Where the table lies in the camera's picture: four corners to tap or drag, and the straightened table as proof.

import { Refused, ask, tell } from "./api.js";
import { fill, h } from "./dom.js";
import { t } from "./words.js";

const part = (id) => document.getElementById(id);
const start = JSON.parse(part("start").textContent);
const base = `/api/tables/${encodeURIComponent(start.id)}/camera`;
const frame = part("frame");
const picture = part("picture");
const flat = part("flat");
const loupe = part("loupe");
const SVG = "http://www.w3.org/2000/svg";
const WHOLE = [[0, 0], [1, 0], [1, 1], [0, 1]];
const AT_FIRST = [[0.12, 0.12], [0.88, 0.12], [0.88, 0.88], [0.12, 0.88]];
const CORNERS = ["top-left", "top-right", "bottom-right", "bottom-left"];
const ZOOM = 2.5;
const FAR = 10; // mm: so much off is a mistake of whoever marked it

// `wish`: what is asked of the server, the corners as dragged, or the mat as found.
const state = { corners: AT_FIRST.map((c) => c.slice()), wish: null, held: -1, asking: false, again: false, saving: false, measured: false };

function say(text, bad) {
  fill(part("said"), text);
  part("said").classList.toggle("bad", Boolean(bad));
}

function svg(tag, props, ...children) {
  const el = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(props)) el.setAttribute(key, value);
  el.append(...children);
  return el;
}

// --- the picture and its corners ---------------------------------------------------------------------------------

const area = svg("polygon", { class: "area" });
const first = svg("line", { class: "first" });
frame.insertBefore(svg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" }, area, first), loupe);
const handles = CORNERS.map((corner, i) => {
  const handle = h("button", { type: "button", class: "handle", "aria-label": t(`calibrate.corner.${corner}`), "data-corner": i, onkeydown: (event) => nudge(event, i) }, h("span", { "aria-hidden": "true" }, i + 1));
  frame.insertBefore(handle, loupe);
  return handle;
});

function place() {
  handles.forEach((handle, i) => {
    handle.style.left = `${state.corners[i][0] * 100}%`;
    handle.style.top = `${state.corners[i][1] * 100}%`;
    handle.classList.toggle("held", state.held === i);
  });
  area.setAttribute("points", state.corners.map((c) => c.join(",")).join(" "));
  const [[x1, y1], [x2, y2]] = [state.corners[3], state.corners[2]];
  for (const [key, value] of Object.entries({ x1, y1, x2, y2 })) first.setAttribute(key, value);
}

const clamp = (v) => Math.min(1, Math.max(0, v));

function move(i, x, y) {
  unmeasured();
  state.corners[i] = [clamp(x), clamp(y)];
  changed({ corners: state.corners });
}

/** Other corners, or a mat: show them, and try them when the finger is up. `quiet`: nobody asked, so nothing is said where
 * that fails. */
function changed(wish, quiet = false) {
  state.wish = wish;
  state.quiet = quiet;
  place();
  if (state.held < 0) prove();
}

function where(event) {
  const box = picture.getBoundingClientRect();
  return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height, box];
}

frame.addEventListener("pointerdown", (event) => {
  if (!picture.naturalWidth) return;
  event.preventDefault();
  const [x, y, box] = where(event);
  const away = state.corners.map(([cx, cy]) => ((cx - x) * box.width) ** 2 + ((cy - y) * box.height) ** 2);
  const i = away.indexOf(Math.min(...away));
  state.held = i;
  frame.setPointerCapture(event.pointerId);
  handles[i].focus({ preventScroll: true });
  // A finger beside the handle drags it from where it is; one farther off sends it there.
  const near = away[i] < 32 ** 2;
  state.offset = near ? [state.corners[i][0] - x, state.corners[i][1] - y] : [0, 0];
  move(i, x + state.offset[0], y + state.offset[1]);
  magnify();
});
frame.addEventListener("pointermove", (event) => {
  if (state.held < 0) return;
  const [x, y] = where(event);
  move(state.held, x + state.offset[0], y + state.offset[1]);
  magnify();
});
for (const kind of ["pointerup", "pointercancel"]) {
  frame.addEventListener(kind, () => {
    if (state.held < 0) return;
    state.held = -1;
    loupe.hidden = true;
    place();
    prove();
  });
}

const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
function nudge(event, i) {
  const step = KEYS[event.key];
  if (!step) return;
  event.preventDefault();
  const size = event.shiftKey ? 0.02 : 0.004;
  move(i, state.corners[i][0] + step[0] * size, state.corners[i][1] + step[1] * size);
}

/** What lies under the finger, beside it. */
function magnify() {
  const [x, y] = state.corners[state.held];
  loupe.hidden = false;
  loupe.classList.toggle("right", x < 0.5);
  const side = loupe.width;
  const shown = side / ZOOM * (picture.naturalWidth / picture.clientWidth);
  const pen = loupe.getContext("2d");
  pen.fillStyle = "#0d1113";
  pen.fillRect(0, 0, side, side);
  pen.drawImage(picture, x * picture.naturalWidth - shown / 2, y * picture.naturalHeight - shown / 2, shown, shown, 0, 0, side, side);
  pen.strokeStyle = "#f2b632";
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(side / 2, 0);
  pen.lineTo(side / 2, side);
  pen.moveTo(0, side / 2);
  pen.lineTo(side, side / 2);
  pen.stroke();
}

let shownOnce = false;
function refresh() {
  if (document.hidden || state.held >= 0) setTimeout(refresh, 500);
  else picture.src = `${base}/picture?width=1280&at=${Date.now()}`;
}
picture.addEventListener("load", () => {
  setTimeout(refresh, 1500);
  if (shownOnce) return;
  shownOnce = true;
  document.body.classList.remove("sightless");
  say(t("calibrate.drag"));
  begin();
});
picture.addEventListener("error", () => {
  if (!shownOnce) {
    document.body.classList.add("sightless");
    say(start.camera.state === "off" ? start.camera.text : t("calibrate.no-picture"), true);
  }
  setTimeout(refresh, 2000);
});

// --- proof ---------------------------------------------------------------------------------------------------------

/** The size of the table in mm, if somebody has typed it in cm. */
function measured() {
  const size = ["width", "height"].map((id) => 10 * Number.parseFloat(part(id).value.replace(",", ".")));
  return size.every((v) => v >= 10) ? { size } : {};
}

/** Show a size in mm as if somebody had typed it; it holds for the corners of now. */
function typed(size) {
  ["width", "height"].forEach((id, i) => { part(id).value = Math.round(size[i]) / 10; });
  state.measured = true;
}

/** Other corners have another size: what was measured and not typed does not hold for them. */
function unmeasured() {
  if (state.measured) for (const id of ["width", "height"]) part(id).value = "";
  state.measured = false;
}

function wish() {
  if (state.wish.mat || state.wish.cards) return state.wish;
  return { ...state.wish, ...measured(), ...(state.lens ? { lens: state.lens } : {}) };
}

/** Try what is chosen. One question at a time: the last one wins. */
async function prove() {
  if (state.asking) {
    state.again = true;
    return;
  }
  state.asking = true;
  part("save").disabled = true;
  say(t("calibrate.looking"));
  try {
    const found = await tell(`${base}/proof`, wish(), 0);
    if (!state.again) show(found);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (!state.again) refuse(error);
  } finally {
    state.asking = false;
    if (state.again) {
      state.again = false;
      prove();
    }
  }
}

function refuse(error) {
  if (state.quiet) {
    state.wish = null;
    say(t("calibrate.drag"));
    return;
  }
  say(error.message, true);
  flat.hidden = true;
  fill(part("exact"));
  part("exact").classList.remove("bad");
  fill(part("drawn"));
}

/** How exactly the table is known, or why nobody knows. */
function tellExact(found) {
  const off = found.error !== null && found.error > FAR;
  const bySize = found.by === "cards" && found.size && !wish().size && !state.wish.cards;
  const known = off ? "off" : bySize ? "sized" : found.by;
  const [width, height] = (found.size || []).map((mm) => Math.round(mm / 10));
  fill(part("exact"), t(`calibrate.exact.${known || (found.size ? "unknown" : "none")}`, { mm: found.error, width, height }));
  part("exact").classList.toggle("bad", off);
}

function show(found) {
  tellExact(found);
  if (state.wish.mat || state.wish.tags || state.wish.cards) {
    state.lens = found.lens;
    if (found.size) typed(found.size);
    state.corners = found.corners.map((c) => c.slice());
    state.wish = { corners: state.corners, ...(found.size ? { size: found.size } : {}) };
    place();
  }
  flat.onload = () => draw(found);
  flat.src = found.picture;
  flat.hidden = false;
  const inside = found.cards.filter((c) => c.inside).length;
  const outside = found.cards.length - inside;
  const unread = found.cards.filter((c) => c.inside && c.side === "up" && !c.face).length;
  say([t(found.cards.length ? "calibrate.cards" : "calibrate.no-cards", { n: inside }),
    unread ? t("calibrate.unread", { n: unread }) : "", outside ? t("calibrate.outside", { n: outside }) : ""].filter(Boolean).join(" "));
  part("save").disabled = false;
}

function draw(found) {
  const wide = flat.clientWidth < 500 ? 600 : 1000; // letters that can be read on a phone
  const high = wide * flat.naturalHeight / flat.naturalWidth;
  const points = (outline) => outline.map(([x, y]) => `${(x * wide).toFixed(1)},${(y * high).toFixed(1)}`).join(" ");
  const middle = (outline) => {
    const n = outline.length;
    return { x: outline.reduce((sum, p) => sum + p[0], 0) / n * wide, y: outline.reduce((sum, p) => sum + p[1], 0) / n * high };
  };
  const seatOf = (zone) => (zone.id.includes(":") ? `seat-${Number(zone.id.split(":")[1]) % 8}` : "everybodys");
  const cut = (words, room) => (words.length > room ? `${words.slice(0, Math.max(1, room - 1))}…` : words);
  const name = (zone) => { // as much of it as its place is wide
    const [xs, ys] = [0, 1].map((i) => zone.outline.map((p) => p[i]));
    const room = Math.floor((Math.max(...xs) - Math.min(...xs)) * wide / (/[\u3040-\u9fff]/.test(zone.label) ? 20 : 10.5));
    return svg("text", { class: `whose ${seatOf(zone)}`, x: (Math.min(...xs) * wide + 6).toFixed(1), y: (Math.min(...ys) * high + 22).toFixed(1) }, cut(zone.label, room));
  };
  const text = (cls, at, words) => svg("text", { class: cls, x: at.x.toFixed(1), y: (at.y + 10).toFixed(1) }, words);
  const cards = found.cards.filter((c) => c.inside);
  fill(part("drawn"), svg("svg", { viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": cards.map((c) => c.name || t(c.side === "down" ? "face-down" : "unknown-card")).join(", ") },
    ...found.zones.map((zone) => svg("polygon", { class: `zone ${seatOf(zone)}`, points: points(zone.outline) })),
    ...found.zones.map(name),
    ...cards.map((c) => svg("polygon", { class: `seen ${c.side === "down" ? "down" : c.face ? "" : "unsure"}`, points: points(c.outline) })),
    ...cards.map((c) => text("what", middle(c.outline), c.side === "down" ? "" : c.name || "?"))));
}

// --- buttons -------------------------------------------------------------------------------------------------------

part("find-mat").addEventListener("click", () => changed({ mat: true }));
part("find-tags").addEventListener("click", () => {
  if (measured().size) changed({ tags: true });
  else say(t("calibrate.size-first"), true);
});
part("find-cards").addEventListener("click", () => changed({ cards: true }));
part("whole").addEventListener("click", () => {
  state.lens = 0;
  unmeasured();
  state.corners = WHOLE.map((c) => c.slice());
  changed({ corners: state.corners });
});
part("turn").addEventListener("click", () => {
  state.corners = [...state.corners.slice(1), state.corners[0]];
  [part("width").value, part("height").value] = [part("height").value, part("width").value];
  changed({ corners: state.corners });
});
for (const id of ["width", "height"]) part(id).addEventListener("change", () => { state.measured = false; if (state.wish) prove(); });
part("save").addEventListener("click", async () => {
  if (state.saving || state.asking) return;
  state.saving = true;
  try {
    await tell(`${base}/area`, wish(), 1);
    window.location.assign(start.next + window.location.hash);
  } catch (error) {
    state.saving = false;
    if (!(error instanceof Refused)) throw error;
    say(error.message, true);
  }
});

/** The picture is there: begin with the corners in use, or with a printed mat that lies there. */
async function begin() {
  const found = await ask(`${base}/area`).catch(() => ({ corners: null }));
  if (state.wish) return;
  if (found.corners) state.corners = found.corners.map(([x, y]) => [clamp(x), clamp(y)]);
  if (found.size) typed(found.size);
  state.lens = found.lens || 0;
  if (found.corners) changed({ corners: state.corners });
  else changed({ mat: true }, true);
}

if (start.first) part("later").href += window.location.hash;
place();
refresh();
