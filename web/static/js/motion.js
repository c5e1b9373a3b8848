// Cards move: what was just played comes from where it was, or from whoever played it; a trick that was won goes to its
// winner. Only what people have not asked to keep still, and never what a finger needs: the page is drawn first.

// ms
const TIME = 380;
const EASE = "cubic-bezier(.2, .75, .3, 1)";
const still = window.matchMedia ? window.matchMedia("(prefers-reduced-motion: reduce)") : { matches: true };
const able = typeof Element.prototype.animate === "function";

const keyOf = (card) => `${card.closest("[data-zone]").dataset.zone}|${card.dataset.card}`;

/** Where every card lies, before the felt is drawn anew. */
export function remember(el) {
  if (!able || still.matches || document.hidden || !el.querySelector("[data-card]")) return null;
  return Array.from(el.querySelectorAll("[data-card]"), (card) => ({
    key: keyOf(card), face: card.dataset.card, zone: card.closest("[data-zone]").dataset.zone, box: card.firstElementChild.getBoundingClientRect(), look: card.firstElementChild,
  }));
}

/** Let what has changed since `before` move to where it is now. */
export function settle(el, before, table) {
  const { seat, scored } = winnerOf(table);
  if (scored) owed = seat;
  if (!before) return;
  const now = Array.from(el.querySelectorAll("[data-card]"), (card) => ({ key: keyOf(card), face: card.dataset.card, card }));
  const left = before.slice();
  const fresh = now.filter((one) => {
    const i = left.findIndex((old) => old.key === one.key);
    if (i >= 0) left.splice(i, 1);
    return i < 0;
  });
  // another picture, not a move: the slider of a replay, a correction far back
  if (fresh.length > 12) return;
  const last = table.entries[table.entries.length - 1];
  const actor = last && last.seat !== null ? el.querySelector(`[data-place=seat-${last.seat}] .plate`) : null;
  fresh.forEach(({ face, card }, i) => {
    const from = take(left, face);
    const look = card.firstElementChild;
    const source = from ? from.box : actor && actor.getBoundingClientRect();
    if (source) fly(look, source, look.getBoundingClientRect(), i, !from);
  });
  const winner = seat === null ? owed : seat;
  if (winner !== null && gather(left, el.querySelector(`[data-place=seat-${winner}] .plate`))) owed = null;
}

function take(left, face) {
  const i = left.findIndex((old) => old.face === face && face !== "?");
  return i < 0 ? null : left.splice(i, 1)[0];
}

function fly(look, from, to, order, small) {
  if (!to.width || !from.width) return;
  const dx = from.left + from.width / 2 - (to.left + to.width / 2);
  const dy = from.top + from.height / 2 - (to.top + to.height / 2);
  if (Math.abs(dx) + Math.abs(dy) < 4) return;
  const scale = small ? 0.4 : from.width / to.width;
  look.animate([
    { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, opacity: small ? 0 : 1 },
    { opacity: 1, offset: 0.3 },
    { transform: "none", opacity: 1 },
  ], { duration: TIME, delay: order * 60, easing: EASE, fill: "backwards" });
}

/** Cards that are gone from where they were played go to the plate of the seat that has more than before; false where
 * there are none. */
function gather(left, goal) {
  const gone = left.filter((old) => !old.zone.startsWith("stock")).slice(0, 10);
  if (gone.length < 2 || !goal) return false;
  const to = goal.getBoundingClientRect();
  gone.forEach((old, i) => {
    const ghost = old.look.cloneNode(true);
    ghost.className = "card-face ghost";
    Object.assign(ghost.style, { left: `${old.box.left}px`, top: `${old.box.top}px`, width: `${old.box.width}px`, height: `${old.box.height}px` });
    document.body.append(ghost);
    const dx = to.left + to.width / 2 - (old.box.left + old.box.width / 2);
    const dy = to.top + to.height / 2 - (old.box.top + old.box.height / 2);
    const run = ghost.animate([{ transform: "none", opacity: 1 }, { opacity: 1, offset: 0.7 }, { transform: `translate(${dx}px, ${dy}px) scale(.35)`, opacity: 0 }],
      { duration: TIME * 1.5, delay: i * 50, easing: "ease-in", fill: "both" });
    run.onfinish = () => ghost.remove();
    run.oncancel = run.onfinish;
  });
  return true;
}

let counts = new Map();
// who won what still lies there
let owed = null;

/** The one seat that has more cards before it or a higher score than in the picture before, and whether it is the score. */
function winnerOf(table) {
  const grown = [];
  const next = new Map();
  for (const player of table.players) {
    const lying = table.zones.filter((zone) => zone.seat === player.seat).reduce((sum, zone) => sum + zone.cards.length, 0);
    const now = { total: lying + (player.score || 0), score: player.score || 0 };
    const old = counts.get(player.seat);
    next.set(player.seat, now);
    if (old && now.total > old.total) grown.push({ seat: player.seat, scored: now.score > old.score });
  }
  counts = next;
  return grown.length === 1 ? grown[0] : { seat: null, scored: false };
}
