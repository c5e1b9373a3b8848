// The codes of a table: one at a time, so that nobody scans the wrong one, of the players first. Where one of them has
// come, the code of the next one stands there. The host makes a code worthless and gets a new
// one; it cannot be undone, so it takes two taps.

import { ask, tell } from "./api.js";
import { t } from "./words.js";

const main = document.getElementById("main");
const toast = document.getElementById("toast");
const tiles = Array.from(document.querySelectorAll(".who-tile"));
const seats = tiles.filter((tile) => tile.dataset.seat);
const LOOK = 2500; // ms between two looks at who has come
let sure = null;

/** The first player of whom no device has come. */
const nextSeat = () => seats.find((tile) => !tile.classList.contains("taken"));

function show(role) {
  const known = (tiles.find((tile) => tile.dataset.role === role) || nextSeat() || tiles[0]).dataset.role;
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

/** Who has come: a seat whose code is shown makes room for the next one. */
async function look() {
  const found = document.hidden ? null : await ask(`/api/tables/${encodeURIComponent(main.dataset.table)}`).catch(() => null);
  if (found) {
    const shown = tiles.find((tile) => tile.classList.contains("on"));
    const before = shown.classList.contains("taken");
    for (const tile of seats) tile.classList.toggle("taken", found.around.seats.includes(Number(tile.dataset.seat)));
    if (!before && shown.classList.contains("taken") && nextSeat()) show(nextSeat().dataset.role);
    document.getElementById("all-here").hidden = Boolean(nextSeat());
  }
  setTimeout(look, LOOK);
}
if (seats.length > 1) look();

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
