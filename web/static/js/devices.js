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
  let choosing = ""; // the list of roles that may be open, by its key: nothing is redrawn under it

  const say = (text) => {
    fill(said, text);
    said.hidden = !text;
  };
  const roleName = (role) => (role.startsWith("seat-") ? table.players[Number(role.slice(5))].name : t(`role.${role}`));
  const give = async (row, role) => {
    say("");
    try {
      // Who is here now comes by the live stream alone: an answer that was long on its way would put an old list over it.
      await tell(`/api/tables/${encodeURIComponent(tableId)}/devices/${row.id}/role`, { role });
      say(t("devices.done", { role: roleName(role) }));
    } catch (refused) {
      say(refused.message);
      draw(true); // the list of roles shows again what the device is
    }
  };
  const choose = (row, role) => {
    if (role !== "host") return give(row, role);
    // It cannot be undone from here: ask first, in the place where it was chosen.
    fill(said, t("devices.hand-over-sure"), " ", h("button", { type: "button", class: "button primary", onclick: () => give(row, "host") }, t("devices.hand-over")));
    said.hidden = false;
    return undefined;
  };
  const one = (row) => {
    const mine = row.id === own;
    const label = `${roleName(row.role)} · ${t(`devices.kind.${row.kind}`)}`;
    return h("li", { class: "device" },
      h("div", {},
        h("span", {}, h("b", {}, row.seat === null ? roleName(row.role) : name(roleName(row.role))), ` · ${t(`devices.kind.${row.kind}`)}`,
          mine ? h("span", { class: "dim" }, ` · ${t("devices.own")}`) : null),
        doubled.includes(row.seat) ? h("p", { class: "reason foul" }, t("devices.doubled")) : null),
      mine || !row.movable ? null : roles(row, label));
  };
  const roles = (row, label) => {
    const key = `role-${row.id}`;
    const options = ROLES.concat(table.players.map((player) => `seat-${player.seat}`));
    const select = h("select", {
      "data-key": key, "aria-label": t("devices.role-of", { who: label }),
      onpointerdown: () => { choosing = key; },
      onkeydown: (event) => { choosing = event.key !== "Tab" && event.key !== "Escape" ? key : ""; },
      onchange: (event) => { choosing = ""; choose(row, event.target.value); },
      onblur: () => setTimeout(() => {
        if (document.activeElement === select) return; // only the window has lost the focus
        if (choosing === key) choosing = "";
        if (list.isConnected) draw(false); // what came while it was open
      }, 0),
    }, options.map((role) => h("option", { value: role, selected: role === row.role }, roleName(role))));
    return select;
  };
  const isOpen = () => list.contains(document.activeElement) && document.activeElement.getAttribute("data-key") === choosing;
  const draw = (anew) => {
    if (!anew && isOpen()) return;
    keep(list, [rows, doubled, own, anew ? Date.now() : 0], () => h("ul", {}, rows.map(one)));
  };
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
      rows = around.devices || [];
      doubled = around.doubled;
      button.hidden = table.role.name !== "host" || !around.devices;
      fill(button, t("devices.button", { n: rows.length }));
      if (list.isConnected) draw(false);
    },
  };
}
