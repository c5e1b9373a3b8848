// The largest cards with which the whole felt fits its room. Measured anew only when the room or what it holds changes.

/** So much of every card of a row of `n` is seen at least; the next one may lie over the rest. */
const shown = (n) => (n <= 3 ? 0.92 : n <= 5 ? 0.66 : n <= 7 ? 0.52 : 0.26);

const known = new WeakMap();

/** Choose the size of the cards of the felt `el`. `holds`: what its size depends on. */
export function fit(el, holds) {
  const room = el.parentNode;
  if (!known.has(el) && window.ResizeObserver) new ResizeObserver(() => again(el)).observe(room);
  const print = JSON.stringify([holds, spaceOf(el)]);
  const before = known.get(el);
  if (before && before.print === print) return;
  known.set(el, { print, holds });
  measure(el);
}

function again(el) {
  const { print, holds } = known.get(el);
  const now = JSON.stringify([holds, spaceOf(el)]);
  if (now === print) return;
  known.set(el, { print: now, holds });
  measure(el);
}

let dockHigh = 0;

/** Width and height that the felt may take, px: its room, or what the dock at the thumb leaves of the screen. */
function spaceOf(el) {
  const room = el.parentNode;
  const style = getComputedStyle(room);
  const padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
  if (style.overflowY === "auto") return [room.clientWidth, Math.round(room.clientHeight - padding)];
  const dock = room.nextElementSibling;
  const below = dock && dock.offsetTop > room.offsetTop;
  if (below) {
    const likely = Math.min(window.innerHeight * 0.37, 350); // what most moments of a game need: it is kept free from the start
    dockHigh = Math.max(dockHigh, likely, Math.min(dock.offsetHeight, window.innerHeight * 0.45));
    if (dock.id === "dock") dock.style.minHeight = `${Math.floor(dockHigh)}px`;
  } else {
    dockHigh = 0;
    if (dock) dock.style.minHeight = "";
  }
  const high = Math.ceil(window.innerHeight - room.offsetTop - dockHigh) + (below ? 1 : 0);
  if (below) room.style.minHeight = `${high}px`;
  return [room.clientWidth, high];
}

/** Names above their cards or beside them: whatever lets the cards be larger. */
function measure(el) {
  const above = largest(el, false);
  const beside = largest(el, true);
  if (above >= beside) largest(el, false, above);
}

function largest(el, beside, known) {
  const [, high] = spaceOf(el);
  const style = getComputedStyle(el);
  const [least, top] = [parseFloat(style.getPropertyValue("--least-card")), parseFloat(style.getPropertyValue("--most-card"))];
  el.classList.toggle("beside", beside);
  let low = least;
  let up = known || top;
  el.classList.add("measuring");
  const fits = (size) => {
    el.style.setProperty("--size", `${size}px`);
    return el.scrollHeight <= high && rowsAreOpen(el);
  };
  if (known || fits(up)) low = up;
  for (let i = 0; i < 6 && up - low > 2; i += 1) {
    const middle = Math.round((low + up) / 2);
    if (fits(middle)) low = middle;
    else up = middle;
  }
  el.style.setProperty("--size", `${low}px`);
  el.classList.remove("measuring");
  return low;
}

function rowsAreOpen(el) {
  for (const place of el.querySelectorAll(".nothing")) if (place.offsetWidth * 1.397 < place.offsetHeight * 0.95) return false; // as a card, not squeezed
  for (const row of el.querySelectorAll(".cards")) {
    const first = row.firstElementChild;
    const n = row.children.length;
    if (!first || n < 2 || !first.firstElementChild || !first.classList.contains("card")) continue;
    const part = first.offsetWidth / first.firstElementChild.offsetWidth;
    if (part < shown(n)) return false;
  }
  return true;
}
