// The camera of a table: what it sees now, which one to use, and the ways to its pages.

import { ask, tell } from "./api.js";
import { fill, h } from "./dom.js";
import { closeSheet, openSheet } from "./sheet.js";
import { t } from "./words.js";

const PHONE = "push";

/** Show the camera in a sheet. `table`: the table's id; `camera`: its state; `acts`: may this device change it;
 * `changed(around)`: it was changed. */
export async function openCamera(table, camera, acts, changed) {
  const page = `/tables/${encodeURIComponent(table)}`;
  const base = `/api${page}/camera`;
  const view = camera.state === "ok" && acts ? h("img", { class: "camera-view", alt: t("camera.picture") }) : null;
  const ways = h("div", { class: "row" });
  const choices = h("div", { class: "row" });
  let shown = true;
  const refresh = () => {
    if (shown && view) view.src = `${base}/picture?${Date.now()}`;
  };
  if (view) for (const kind of ["load", "error"]) view.addEventListener(kind, () => setTimeout(refresh, 700));
  const text = h("p", {}, camera.text);
  openSheet(t("camera"), h("div", { class: "column" }, text, view, ways, choices), () => { shown = false; });
  refresh();
  if (!acts) return;
  const choose = (source) => async () => {
    try {
      const { around } = await tell(base, { camera: source }, 0);
      if (source === PHONE) window.location.assign(`${page}/join#camera`);
      closeSheet();
      changed(around);
    } catch (error) {
      fill(text, error.message);
    }
  };
  fill(ways,
    camera.state !== "off" && camera.state !== "failed" ? h("a", { class: "button", id: "to-corners", href: `${page}/calibrate` }, t("calibrate")) : null,
    camera.state !== "off" && camera.state !== "failed" ? h("a", { class: "button", id: "to-zones", href: `${page}/zones` }, t("zones")) : null,
    camera.phone ? h("a", { class: "button", href: `${page}/join#camera` }, t("camera.phone-code")) : null);
  const offered = await ask("/api/cameras").catch(() => ({ cameras: [] }));
  const here = (c) => camera.state !== "off" && (c.source === PHONE ? Boolean(camera.phone) : c.name === camera.source); // it is taken, by this table
  fill(choices,
    offered.cameras.map((c) => h("button", { type: "button", class: `button choice${here(c) ? " on" : ""}`, "aria-pressed": here(c) ? "true" : "false", "data-source": c.source, onclick: choose(c.source) },
      c.source === PHONE ? t("camera.use-phone") : c.taken && !here(c) ? t("home.camera-taken", { name: c.name }) : c.name)),
    camera.state === "off" ? null : h("button", { type: "button", class: "button quiet", onclick: choose(null) }, t("camera.stop")));
}
