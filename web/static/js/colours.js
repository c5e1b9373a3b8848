// Two colours or four for the suits of playing cards, as this device likes it.

import { t } from "./words.js";

const MEMORY = "companion.four-colours";
let four = false;
try {
  four = localStorage.getItem(MEMORY) === "on";
} catch (error) {
  four = false;
}

/** The address of a drawn card or suit sign in the colours of this device. */
export function coloured(path) {
  return four ? `${path}${path.includes("?") ? "&" : "?"}four=1` : path;
}

/** Every card that the page shows already, in the colours of now. */
function recolour() {
  for (const picture of document.querySelectorAll("img")) {
    const [path, asked] = (picture.getAttribute("src") || "").split("?");
    if (!/^\/(cards\/.+\/|suits\/)/.test(path)) continue;
    const kept = (asked || "").split("&").filter((part) => part && part !== "four=1");
    picture.src = [path, [...kept, ...(four ? ["four=1"] : [])].join("&")].filter(Boolean).join("?");
  }
}

/** Make `button` the switch. */
export function mountColours(button) {
  if (four) recolour();
  if (!button) return;
  const draw = () => {
    button.setAttribute("aria-pressed", four ? "true" : "false");
    button.textContent = t(four ? "colours.four" : "colours.two");
  };
  button.addEventListener("click", () => {
    four = !four;
    try {
      localStorage.setItem(MEMORY, four ? "on" : "off");
    } catch (error) {
      // a browser that keeps nothing: the switch holds until the page goes
    }
    draw();
    recolour();
  });
  draw();
  button.hidden = false;
}
