// Installable, and an own page while the server is away: only where browsers allow it (https, or the same machine).

if ("serviceWorker" in navigator && window.isSecureContext) {
  window.addEventListener("load", () => {
    navigator.serviceWorker.register(`/service-worker.js?lang=${document.documentElement.lang}`).catch(() => null);
  });
}
