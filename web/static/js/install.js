// How to put the page among a device's apps: what this browser still needs, and the button where the browser has one.

const part = (id) => document.getElementById(id);
let offer = null;

part("secure-yes").hidden = !window.isSecureContext;
part("secure-no").hidden = window.isSecureContext;
part("installed").hidden = !window.matchMedia("(display-mode: standalone)").matches;

// the way of this device first: an iPad says that it is a Mac, but has fingers
const agent = navigator.userAgent;
const kind = /iPhone|iPad/.test(agent) || (/Macintosh/.test(agent) && navigator.maxTouchPoints > 1) ? "ios" : /Android/.test(agent) ? "android" : "desktop";
document.querySelector(`[data-kind=${kind}]`).classList.add("this");

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
