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
const ICONS = {
  camera: "M4 7h3l2-3h6l2 3h3a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2zm8 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8z",
  undo: "M9 5 4 10l5 5v-3h5a4 4 0 0 1 0 8H8v2h6a6 6 0 0 0 0-12H9z",
  people: "M8 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zm0 2c-4 0-7 2-7 5v2h14v-2c0-3-3-5-7-5zm9-2a3 3 0 1 0 0-6v6zm0 2v7h6v-2c0-3-3-5-6-5z",
};

/** A small picture in the colour of the text around it. */
export function icon(key) {
  const picture = document.createElementNS(SVG, "svg");
  for (const [k, v] of Object.entries({ viewBox: "0 0 24 24", class: "icon-picture", "aria-hidden": "true", focusable: "false" })) picture.setAttribute(k, v);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[key]);
  path.setAttribute("fill-rule", "evenodd");
  picture.append(path);
  return picture;
}

const REST = 300; // ms, as long as a double tap takes
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
