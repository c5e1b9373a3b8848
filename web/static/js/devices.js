// The devices at a table, for its host: who is here, in which role; another role, or the host's own, given by hand.

import { tell } from "./api.js";
import { fill, h, keep, name } from "./dom.js";
import { openSheet } from "./sheet.js";
import { t } from "./words.js";

const ROLES = ["host", "scorekeeper", "camera", "board", "spectator"];

/** `button` opens the list; it shows itself only to the host. Returns {open, hello(own id), update(table, around)}. */
export function mountDevices(tableId, button) {
  const list = h("div", { class: "devices" });
  const said = h("p", { class: "note", role: "status", hidden: true });
  let own = "";
  let table = null;
  let rows = [];
  let doubled = [];
  let choosing = false; // a list of roles may be open: nothing is redrawn under it

  const say = (text) => {
    fill(said, text);
    said.hidden = !text;
  };
  const roleName = (role) => (role.startsWith("seat-") ? table.players[Number(role.slice(5))].name : t(`role.${role}`));
  const give = async (row, role) => {
    say("");
    try {
      take((await tell(`/api/tables/${encodeURIComponent(tableId)}/devices/${row.id}/role`, { role })).devices);
      say(t("devices.done", { role: roleName(role) }));
    } catch (refused) {
      say(refused.message);
    }
    choosing = false;
    draw(true);
  };
  const choose = (row, role) => {
    if (role !== "host") return give(row, role);
    // It cannot be undone from here: ask first, in the place where it was chosen.
    fill(said, t("devices.hand-over-sure"), " ", h("button", { type: "button", class: "button primary", onclick: () => give(row, "host") }, t("devices.hand-over")));
    said.hidden = false;
    return undefined;
  };
  const one = (row) => {
    const options = ROLES.concat(table.players.map((player) => `seat-${player.seat}`));
    const mine = row.id === own;
    const label = `${roleName(row.role)} · ${t(`devices.kind.${row.kind}`)}`;
    return h("li", { class: "device" },
      h("div", {},
        h("span", {}, h("b", {}, row.seat === null ? roleName(row.role) : name(roleName(row.role))), ` · ${t(`devices.kind.${row.kind}`)}`,
          mine ? h("span", { class: "dim" }, ` · ${t("devices.own")}`) : null),
        doubled.includes(row.seat) ? h("p", { class: "reason foul" }, t("devices.doubled")) : null),
      mine || !row.movable ? null : h("select", { "data-key": `role-${row.id}`, "aria-label": t("devices.role-of", { who: label }), onpointerdown: () => { choosing = true; }, onkeydown: (event) => { choosing = event.key !== "Tab" && event.key !== "Escape"; }, onblur: () => { choosing = false; }, onchange: (event) => { choosing = false; choose(row, event.target.value); } },
        options.map((role) => h("option", { value: role, selected: role === row.role }, roleName(role)))));
  };
  const draw = (anew) => {
    if (!anew && choosing && list.contains(document.activeElement)) return;
    keep(list, [rows, doubled, own, anew ? Date.now() : 0], () => h("ul", {}, rows.map(one)));
  };
  const take = (found) => { rows = found; };
  const open = () => {
    say("");
    draw(true);
    openSheet(t("devices.title"), [h("p", { class: "dim" }, t("devices.lead")), said, list,
      h("p", {}, h("a", { class: "button", href: `/tables/${encodeURIComponent(tableId)}/join` }, t("devices.codes")))]);
  };
  button.addEventListener("click", open);
  return {
    open,
    hello: (id) => { own = id; },
    update: (picture, around) => {
      table = picture;
      take(around.devices || []);
      doubled = around.doubled;
      button.hidden = table.role.name !== "host" || !around.devices;
      fill(button, t("devices.button", { n: rows.length }));
      if (list.isConnected) draw(false);
    },
  };
}
