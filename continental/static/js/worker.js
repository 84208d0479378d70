/**
 * Lets pages of a game be reloaded without a network, where the browser allows a worker: over https, and on the host's own
 * machine. A page is always asked for first; the copy is shown only where nothing answers. Nothing but pages of games and
 * static files is kept, and no answer to an action ever.
 */

const PAGES = "continental-pages-1";
const FILES = "continental-files-1";
const MOST_PAGES = 20;

const isPage = (request, address) => request.mode === "navigate" && /^\/g\/\d+\//.test(address.pathname);
const isFile = (address) => address.pathname.startsWith("/static/");

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== self.location.origin) return;
  if (isPage(request, address)) event.respondWith(page(event, request));
  else if (isFile(address)) event.respondWith(file(event, request));
});

async function page(event, request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) event.waitUntil(keep(PAGES, request, answer.clone()));
    // Whoever may no longer look at a page must not find it here either.
    else if (answer.status < 500) event.waitUntil(caches.open(PAGES).then((cache) => cache.delete(request)));
    return answer;
  } catch (error) {
    const kept = await caches.match(request, { cacheName: PAGES });
    if (kept) return kept;
    throw error;
  }
}

async function file(event, request) {
  const kept = await caches.match(request, { cacheName: FILES });
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) event.waitUntil(keep(FILES, request, answer.clone()));
  return answer;
}

async function keep(name, request, answer) {
  const cache = await caches.open(name);
  await cache.put(request, answer);
  if (name !== PAGES) return;
  const kept = await cache.keys();
  await Promise.all(kept.slice(0, -MOST_PAGES).map((old) => cache.delete(old)));
}
