// The largest cards with which the whole felt fits its room. Measured anew only when the room or what it holds changes.

/** So much of every card of a row of `n` is seen at least; the next one may lie over the rest. A short row lies open before
 * a player, a longer one in the middle where it is what all look at (`open`). Where cards would be small they lie as `close`
 * as in a hand, and as a `fan` large ones always do: every index in sight. */
const shown = (n, middle, open, close, fan) => (fan && n > 3 ? (close ? 0.3 : 0.4) : close ? (n <= 5 ? 0.5 : n <= 7 ? 0.4 : 0.24)
  : n <= 3 && !middle ? 0.92 : n <= 5 ? (middle && open ? 0.7 : 0.66) : n <= 7 ? 0.52 : 0.26);

const known = new WeakMap();

/** Choose the size of the cards of the felt `el` of this `table`. `holds`: what its size depends on. */
export function fit(el, table, holds) {
  if (!known.has(el) && window.ResizeObserver) new ResizeObserver(() => again(el)).observe(el.parentNode);
  const [wide, high] = spaceOf(el);
  const print = JSON.stringify([table, holds, wide, high]);
  const before = known.get(el);
  // rarely more lies there than usual: better smaller than cut
  if (before && before.print === print && el.scrollHeight <= before.high) return;
  const stays = before && before.table === table && before.wide === wide && keepWay(el, before, before.print === print);
  const way = stays ? before.way : measure(el);
  known.set(el, { print, table, holds, wide, way, size: parseFloat(el.style.getPropertyValue("--size")), high: Math.max(el.scrollHeight, spaceOf(el)[1]) });
}

const SAID = ["", "brief", "brief small", "brief smaller", "brief least", "brief least deep", "brief least deep mute"];

/** On a television what is said in the `dock` is whole: first it gives up whose turn it is, which the felt shows, then
 * letters get smaller, as far as they can be read across the room, then it takes room from the picture, and at last
 * the question of the camera, which is answered elsewhere, goes. */
export function fitSaid(dock) {
  for (const way of SAID) {
    dock.parentNode.dataset.said = way;
    if (dock.scrollHeight <= dock.clientHeight + 1) return;
  }
}

function again(el) {
  const { table, holds } = known.get(el);
  fit(el, table, holds);
}

// of their size: cards that much smaller stay where they are
const KEPT = 0.75;

/** All stays as it lies, only larger or smaller; false: that is not enough. `more`: only more lies there than usual. */
function keepWay(el, { way, size }, more) {
  el.classList.add("measuring");
  const high = spaceOf(el)[1];
  const least = size * KEPT - 1;
  const found = largest(el, way, high, least) || largest(el, way, high, more ? 0 : least, true);
  if (found) arrange(el, way, found);
  el.classList.remove("measuring");
  return found > 0;
}

/** Width and height that the felt may take, px: its room, or what the dock at the thumb leaves of the screen. */
function spaceOf(el) {
  const room = el.parentNode;
  const style = getComputedStyle(room);
  const padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  if (style.overflowY === "auto") return [room.clientWidth, Math.round(room.clientHeight - padding)];
  const dock = room.nextElementSibling;
  // beside the felt it sticks to the screen, and its offset grows while the page is scrolled
  const below = dock && dock.offsetTop > room.offsetTop && dock.offsetLeft < room.offsetLeft + room.offsetWidth;
  // taller it lies over the felt
  const steady = below && dock.classList.contains("steady") ? parseFloat(getComputedStyle(dock).minHeight) : 0;
  const other = below && !steady ? Math.max(Math.min(window.innerHeight * 0.37, 350), Math.min(dock.offsetHeight, window.innerHeight * 0.45)) : 0;
  const high = Math.ceil(window.innerHeight - room.offsetTop - (steady || other)) + (below ? 1 : 0);
  if (below) room.style.minHeight = `${high}px`;
  return [room.clientWidth, high];
}

const narrow = window.matchMedia("(max-width: 599px), (max-width: 859px) and (max-height: 500px)");

// little room for names
const tight = ["beside", "pairs", "round"];
const upright = window.matchMedia("(max-width: 599px)");

// px: cards below that may as well lie closer together
const SMALLISH = 110;
// px: on a phone
const SMALL = 76;
// what a card is worth that lies closer to the next one
const CLOSER = 0.87;
// and one of which about half lies under the next one
const CLOSE = 0.85;

/** How the places of a seat may lie: names above their cards or beside them, all places in one line or not, on a small
 * screen the piles in that line, too; on an upright phone two seats side by side. */
const WAYS = { above: [], beside: ["beside"], line: ["oneline"], both: ["beside", "oneline", "bare"], low: ["low", "oneline", "bare"], pairs: ["pairs", "oneline", "bare"],
  round: ["round", "oneline", "bare"], stacked: ["round", "stacked"] };
const CLASSES = new Set(Object.values(WAYS).flat());

/** A middle, and a seat in every corner or all but two. */
const corners = (el) => ["3", "4"].includes(el.dataset.seats) && !el.classList.contains("open-middle") && !el.querySelector(".facts");

/** Whatever lets the cards be larger; returns the way that was chosen. Every size that is tried costs a layout of the felt:
 * a way is given up with the first one that does not fit and would be no gain. */
function measure(el) {
  const small = narrow.matches;
  // five seats one above the other would be too high
  const tower = upright.matches && el.classList.contains("many");
  const more = ["line", "both", ...(small && !tower ? ["low"] : []), ...(upright.matches ? ["pairs"] : []), ...(!upright.matches && corners(el) ? ["round", "stacked"] : [])];
  const ways = (names, close) => names.map((name) => ({ name, close, worth: close ? CLOSE : WAYS[name].includes("oneline") && !small ? CLOSER : 1 }));
  const [, high] = spaceOf(el);
  let best = null;
  // what it is worth
  let size = 0;
  const attempt = (way) => {
    const found = largest(el, way, high, size / way.worth);
    if (found) [best, size] = [way, found * way.worth];
  };
  el.classList.add("measuring");
  ways(["above", "beside"], false).forEach(attempt);
  if (size < SMALLISH) ways(more, false).forEach(attempt);
  // read from across a room: cards lie open
  const far = document.body.classList.contains("board");
  if (size < (small ? SMALL : SMALLISH) && !far) ways(["above", "beside", ...more], true).forEach(attempt);
  if (!best) {
    best = leastBad(el, ways(["above", "beside", ...more], true), high);
    size = largest(el, best, high, 0, true) * best.worth;
  }
  arrange(el, best, size ? Math.round(size / best.worth) : sizes(el)[0]);
  el.classList.remove("measuring");
  return best;
}

/** The smallest and the largest size that a card may have, px. */
function sizes(el) {
  const style = getComputedStyle(el);
  return ["--least-card", "--most-card"].map((name) => parseFloat(style.getPropertyValue(name)));
}

function arrange(el, way, size) {
  for (const name of CLASSES) el.classList.toggle(name, WAYS[way.name].includes(name));
  el.style.setProperty("--size", `${size}px`);
}

/** The largest size of the cards above `over` with which all fits in this way; 0: none. `closed`: rows may close up further
 * than they should. */
function largest(el, way, high, over, closed = false) {
  const [least, top] = sizes(el);
  const fits = (size) => {
    arrange(el, way, size);
    return el.scrollHeight <= high && (closed ? rowsStayInside(el) : rowsAreOpen(el, way.close)) && (!tight.some((name) => WAYS[way.name].includes(name)) || namesAreWhole(el));
  };
  let low = Math.max(least, Math.floor(over) + 1);
  let up = top;
  if (low > top || !fits(low)) return 0;
  if (fits(up)) return up;
  for (let i = 0; i < 6 && up - low > 2; i += 1) {
    const middle = Math.round((low + up) / 2);
    if (fits(middle)) low = middle;
    else up = middle;
  }
  return low;
}

// px of a felt that is too high: so bad are rows that had to close up further than they should
const CLOSED = 6;

/** Where nothing fits: the way in which, with the smallest cards, least is too high or closed up. */
function leastBad(el, ways, high) {
  const bad = ways.map((way) => {
    arrange(el, way, sizes(el)[0]);
    return Math.max(0, el.scrollHeight - high) + (rowsAreOpen(el, way.close) ? 0 : CLOSED);
  });
  return ways[bad.indexOf(Math.min(...bad))];
}

/** Beside the cards there is room for a name and what is told of its player. */
function namesAreWhole(el) {
  return Array.from(el.querySelectorAll(".plate")).every((plate) => {
    const title = plate.querySelector("h2");
    const labels = Array.from(plate.querySelectorAll(".counter-label"));
    return labels.every((label) => label.scrollWidth <= label.clientWidth + 1) && plate.scrollWidth <= plate.clientWidth + 4 && title.scrollWidth <= title.clientWidth + 1 && title.offsetHeight < 2 * parseFloat(getComputedStyle(title).fontSize);
  });
}

/** An empty place for one card is as wide as a card, not squeezed; those of a row close up as its cards will. */
const placesAreWhole = (el) => Array.from(el.querySelectorAll(".nothing:only-child")).every((place) => place.offsetWidth * 1.397 >= place.offsetHeight * 0.95);

/** What lies before a player does not reach into the place of the next one. */
const rowsStayInside = (el) => placesAreWhole(el) && Array.from(el.querySelectorAll(".place.seat > .zones")).every((row) => row.scrollWidth <= row.clientWidth + 2);

// px, with the padding of the row
const FINGER = 51;

/** Of a hand of three on a phone each card stays as wide as a finger; longer rows and small cards cannot. */
const fingersFit = (el, slot, n) => n > 3 || !narrow.matches || !el.classList.contains("single") || slot >= FINGER;

function rowsAreOpen(el, close) {
  if (!placesAreWhole(el)) return false;
  for (const zone of el.querySelectorAll(".zone")) {
    // as if all cards lay there that have their room
    const n = Number(zone.dataset.room);
    const row = zone.lastElementChild;
    const card = row.firstElementChild;
    if (!(n > 1) || !card) continue;
    const size = card.offsetHeight / 1.397;
    const slot = (row.clientWidth - size) / (n - 1);
    // less the gap before it
    if (close && !fingersFit(el, slot - 0.07 * size, n)) return false;
    if (slot / size < shown(n, Boolean(zone.closest(".middle")), el.classList.contains("open-row"), close, !narrow.matches && zone.classList.contains("zone-fan"))) return false;
  }
  return true;
}
