// Installable, and an own page while the server is away: only where browsers allow it (https, or the same machine).

const start = () => navigator.serviceWorker.register(`/service-worker.js?lang=${document.documentElement.lang}`);
const loaded = () => new Promise((done) => { window.addEventListener("load", done); });

/** Why the browser takes no worker although the address is secure: the name of its error, empty when it takes it. It is
 * `SecurityError` where it does not trust the server's certificate. */
export const workerRefused = "serviceWorker" in navigator && window.isSecureContext ? loaded().then(start).then(() => "", (error) => error.name) : Promise.resolve("");
