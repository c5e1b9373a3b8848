// The codes of a table: one at a time, so that nobody scans the wrong one. The host makes a code worthless and gets a new
// one; it cannot be undone, so it takes two taps.

import { tell } from "./api.js";
import { t } from "./words.js";

const main = document.getElementById("main");
const toast = document.getElementById("toast");
const tiles = Array.from(document.querySelectorAll(".who-tile"));
let sure = null;

function show(role) {
  const known = tiles.some((tile) => tile.dataset.role === role) ? role : tiles[0].dataset.role;
  for (const tile of tiles) {
    const on = tile.dataset.role === known;
    tile.classList.toggle("on", on);
    if (on) tile.setAttribute("aria-current", "true");
    else tile.removeAttribute("aria-current");
  }
  for (const code of document.querySelectorAll(".code")) code.classList.toggle("on", code.id === known);
  main.classList.add("chooses");
}

for (const tile of tiles) {
  tile.addEventListener("click", (event) => {
    event.preventDefault();
    history.replaceState(null, "", `#${tile.dataset.role}`);
    show(tile.dataset.role);
    const code = document.querySelector(".code.on");
    if (code.getBoundingClientRect().bottom > window.innerHeight) code.scrollIntoView({ block: "nearest" });
  });
}
window.addEventListener("hashchange", () => show(location.hash.slice(1)));
show(location.hash.slice(1));

async function revoke(button) {
  if (sure !== button) {
    sure = button;
    toast.textContent = t("join.revoke-sure");
    toast.hidden = false;
    return;
  }
  button.disabled = true;
  try {
    await tell(`/api/tables/${main.dataset.table}/links/${button.dataset.revoke}/revoke`, {});
    location.reload();
  } catch (refused) {
    toast.textContent = refused.message;
    button.disabled = false;
  }
}

for (const button of document.querySelectorAll("[data-revoke]")) button.addEventListener("click", () => revoke(button));
