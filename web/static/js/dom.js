// The only place where elements are made. Text goes in as text, never as markup, so a name can be anything.

/** An element: h("p", {class: "x", onclick: f, "aria-label": "y"}, child, [children], "text"). */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) el.addEventListener(name.slice(2), value);
    else if (name === "value") el.value = value;
    else el.setAttribute(name, value === true ? "" : value);
  }
  append(el, children);
  return el;
}

function append(el, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(el, child);
    else if (child !== null && child !== undefined && child !== false) {
      el.append(child instanceof Node ? child : String(child));
    }
  }
}

/** Replace everything inside `el`. */
export function fill(el, ...children) {
  while (el.firstChild) el.removeChild(el.firstChild);
  append(el, children);
}

const drawn = new WeakMap();

/** Redraw `el` with `draw()` only when `data` differs from what was drawn last; the focus stays where it was. */
export function keep(el, data, draw) {
  const print = JSON.stringify(data);
  if (drawn.get(el) === print) return false;
  drawn.set(el, print);
  const focused = el.contains(document.activeElement) ? document.activeElement.getAttribute("data-key") : null;
  const scroll = el.scrollTop;
  const open = Array.from(el.querySelectorAll("details[open] > summary[data-key]"), (summary) => summary.getAttribute("data-key"));
  fill(el, draw());
  for (const key of open) {
    const summary = el.querySelector(`summary[data-key="${CSS.escape(key)}"]`);
    if (summary) summary.parentNode.setAttribute("open", "");
  }
  el.scrollTop = scroll;
  if (focused) {
    const again = el.querySelector(`[data-key="${CSS.escape(focused)}"]`);
    if (again) again.focus({ preventScroll: true });
    else if (el.hasAttribute("tabindex")) el.focus({ preventScroll: true }); // go on from here, not from the top
  }
  return true;
}

const SVG = "http://www.w3.org/2000/svg";
const ICONS = JSON.parse(document.getElementById("icons").textContent);

/** An icon of the page's one family, in the colour of the text around it; `full`: filled. */
export function icon(key, full) {
  const picture = document.createElementNS(SVG, "svg");
  for (const [k, v] of Object.entries({ viewBox: "0 0 24 24", class: `icon-picture${full ? " full" : ""}`, "aria-hidden": "true", focusable: "false" })) picture.setAttribute(k, v);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[key]);
  picture.append(path);
  return picture;
}

/** The disc of a player: the first letter of the name in the colour of the seat. */
export function avatar(player) {
  return h("span", { class: `avatar seat-${player.seat % 8}`, "aria-hidden": "true" }, numbered(player.name) || Array.from(player.name.trim())[0] || "?");
}

/** What tells Player 1 from Player 2. */
const numbered = (text) => (/\D(\d{1,2})$/.exec(text.trim()) || ["", ""])[1];

/** The name in a line of many: of those who are numbered all begin alike. */
export function brief(player, players) {
  const number = players.length > 3 && numbered(player.name);
  return name(number ? `${Array.from(player.name.trim())[0]}${number}` : player.name);
}

// ms, as long as a double tap takes
const REST = 300;
const resting = new WeakMap();

/** `el` takes no taps for a moment: what is under the finger has just changed, and the tap was meant for what was there. */
export function rest(el) {
  el.classList.add("resting");
  clearTimeout(resting.get(el));
  resting.set(el, setTimeout(() => el.classList.remove("resting"), REST));
}

/** A player's name, which keeps its own writing direction. */
export function name(text) {
  return h("bdi", { class: "name" }, text);
}
