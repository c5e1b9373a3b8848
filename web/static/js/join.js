// The codes of a table: the host makes one worthless and gets a new one. It cannot be undone, so it takes two taps.

import { tell } from "./api.js";
import { t } from "./words.js";

const table = document.getElementById("main").dataset.table;
const toast = document.getElementById("toast");
let sure = null;

async function revoke(button) {
  if (sure !== button) {
    sure = button;
    toast.textContent = t("join.revoke-sure");
    toast.hidden = false;
    return;
  }
  button.disabled = true;
  try {
    await tell(`/api/tables/${table}/links/${button.dataset.revoke}/revoke`, {});
    location.reload();
  } catch (refused) {
    toast.textContent = refused.message;
    button.disabled = false;
  }
}

for (const button of document.querySelectorAll("[data-revoke]")) button.addEventListener("click", () => revoke(button));
