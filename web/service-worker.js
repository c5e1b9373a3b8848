// What stands between the pages and the network when the server cannot be reached. It never answers from memory what the
// server could answer: a page is always asked for first, and only when nobody answers the offline page stands in for it.
// Scripts and styles have their content in their address, so what is kept of them cannot be stale. The version in here
// changes with every file of the pages; a browser then takes the new worker, which throws away all that the old one kept.

const VERSION = "%VERSION%";
const LANG = new URL(self.location.href).searchParams.get("lang") || "en";
const OFFLINE = `/offline?lang=${LANG}`;
const KEPT = `companion-${VERSION}-${LANG}`;
const SHELL = [OFFLINE, %SHELL%];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(SHELL.map((path) => new Request(path, { cache: "reload" })))).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => caches.open(KEPT).then((cache) => cache.match(OFFLINE))));
  else if (pathname.startsWith("/static/")) event.respondWith(unchanging(request));
});

/** What has its content in its address: from what is kept, else from the server; of this version it is kept then. */
async function unchanging(request) {
  const cache = await caches.open(KEPT);
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && request.url.includes(`/static/%STATIC%/`)) await cache.put(request, answer.clone());
  return answer;
}
