// The lab offline: answers from a cache of its own, filled while nothing else is to do; kept until
// its successor is whole. JupyterLite's own worker comes behind it, for the notebooks' files.
/* global self, caches, clients, importScripts */

{
  const MANIFEST = /*{{manifest}}*/ { build: "", files: {} }; // path from the site's root → sha256, begun

  const SCOPE = new URL(self.registration.scope);
  const SITE = new URL("../", SCOPE);
  const PREFIX = `lovecraft-lab:${SCOPE.pathname}:`;
  const CACHE = PREFIX + MANIFEST.build;
  const TIMEOUT = 60_000;
  const QUIET = 10_000; // milliseconds without a request before the rest is fetched; or when told

  const FILES = new Map(Object.entries(MANIFEST.files).map(([path, hash]) => [new URL(path, SITE).href, hash]));

  /** The listed file that a request means, or undefined. */
  function listed(request) {
    const url = new URL(request.url);
    const plain = url.origin + url.pathname;
    return [plain, plain + "index.html", plain + "/index.html"].find((one) => FILES.has(one));
  }

  async function whole(response, hash) {
    if (!response?.ok || response.redirected || response.type === "opaque") return false;
    const sum = await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer());
    const hex = Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.startsWith(hash);
  }

  /** The same file in any cache of this origin: the tables keep the runtime, too. */
  async function elsewhere(url, hash) {
    for (const name of await caches.keys()) {
      if (name === CACHE) continue;
      const response = await (await caches.open(name)).match(url);
      if (response && (await whole(response, hash))) return response;
    }
    return null;
  }

  async function keep(url, response) {
    if (!(await whole(response, FILES.get(url)))) return false;
    await (await caches.open(CACHE)).put(url, response);
    return true;
  }

  async function answer(event, url) {
    const kept = await (await caches.open(CACHE)).match(url);
    if (kept) return kept;
    const known = await elsewhere(url, FILES.get(url));
    const response = known ?? (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) }));
    event.waitUntil(keep(url, response.clone()).catch(() => {}));
    return response;
  }

  let last = 0; // when a file was asked for
  let busy = false; // a first load goes on: its files go straight to the page, and are kept afterwards
  let filling = null;
  let filled = false;

  async function quiet() {
    while (Date.now() - last < QUIET) await new Promise((done) => setTimeout(done, QUIET / 20));
    busy = false;
  }

  async function fill() {
    const cache = await caches.open(CACHE);
    for (const [url, hash] of FILES) {
      await quiet();
      if (await cache.match(url)) continue;
      const response = (await elsewhere(url, hash)) ?? (await fetch(url, { signal: AbortSignal.timeout(TIMEOUT) }));
      if (!(await keep(url, response))) return; // another build lies on the host: its own worker will come
    }
    for (const name of await caches.keys())
      if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
    filled = true;
  }

  async function complete() {
    const cache = await caches.open(CACHE);
    const kept = new Set((await cache.keys()).map((request) => request.url));
    return [...FILES.keys()].every((url) => kept.has(url));
  }

  function begin(event) {
    if (filled) return;
    filling ??= fill()
      .catch(() => {})
      .finally(() => (filling = null));
    event.waitUntil(filling);
  }

  self.addEventListener("install", (event) => {
    event.stopImmediatePropagation();
    const first = (names) => !names.some((name) => name.startsWith(PREFIX));
    event.waitUntil(caches.keys().then((names) => (busy = first(names))));
  });
  self.addEventListener("activate", (event) => {
    event.stopImmediatePropagation();
    event.waitUntil(clients.claim());
  });
  self.addEventListener("fetch", (event) => {
    const { request } = event;
    // At every saving Panel's part of JupyterLab asks its server, which is not here, for a layout.
    if (request.url.startsWith(SCOPE.href + "panel-preview/layout/")) return event.respondWith(Response.json(null));
    const url = request.method === "GET" && listed(request);
    if (!url) return;
    last = Date.now();
    if (!busy) event.respondWith(answer(event, url));
    begin(event);
  });
  self.addEventListener("message", (event) => {
    if (event.data?.type === "begun") {
      last = 0;
      begin(event);
    }
    if (event.data?.type === "complete")
      event.waitUntil(complete().then((done) => event.ports[0].postMessage(done)));
  });
}

// Its names are global, which is why ours stand in a block.
importScripts("./service-worker-drive.js");
