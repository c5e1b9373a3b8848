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
  fill(el, draw());
  el.scrollTop = scroll;
  if (focused) {
    const again = el.querySelector(`[data-key="${CSS.escape(focused)}"]`);
    if (again) again.focus({ preventScroll: true });
  }
  return true;
}

/** A player's name, which keeps its own writing direction. */
export function name(text) {
  return h("bdi", { class: "name" }, text);
}
