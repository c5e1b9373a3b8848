// How to put the page among a device's apps: what this browser still needs, and the button where the browser has one.

const part = (id) => document.getElementById(id);
let offer = null;

part("secure-yes").hidden = !window.isSecureContext;
part("secure-no").hidden = window.isSecureContext;
part("installed").hidden = !window.matchMedia("(display-mode: standalone)").matches;

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
