// How to put the page among a device's apps: what this browser still needs, and the button where the browser has one.

import { workerRefused } from "./worker.js";

const part = (id) => document.getElementById(id);
let offer = null;

/** `plain`: no https; `untrusted`: https with a certificate that this device does not trust yet. */
function draw(plain, untrusted) {
  part("secure-yes").hidden = plain || untrusted;
  part("secure-no").hidden = !plain && !untrusted;
  part("secure-why").hidden = !plain;
  part("untrusted-why").hidden = !untrusted;
}
draw(!window.isSecureContext, false);
workerRefused.then((error) => { if (error === "SecurityError") draw(false, true); });
part("installed").hidden = !window.matchMedia("(display-mode: standalone)").matches;

// the way of this device first: an iPad says that it is a Mac, but has fingers
const agent = navigator.userAgent;
const kind = /iPhone|iPad/.test(agent) || (/Macintosh/.test(agent) && navigator.maxTouchPoints > 1) ? "ios" : /Android/.test(agent) ? "android" : "desktop";
document.querySelectorAll(`[data-kind=${kind}]`).forEach((way) => way.classList.add("this"));

window.addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  offer = event;
  part("install").hidden = false;
});
part("install").addEventListener("click", async () => {
  if (!offer) return;
  offer.prompt();
  await offer.userChoice;
  offer = null;
  part("install").hidden = true;
});
window.addEventListener("appinstalled", () => { part("installed").hidden = false; });
