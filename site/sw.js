// Offline: one cache a build, filled before it is used, kept until its successor is whole.
/* global self, caches */

const MANIFEST = /*{{manifest}}*/ { build: "", files: {} }; // path → sha256, written by the build

const SCOPE = new URL(self.registration.scope);
const PREFIX = `lovecraft:${SCOPE.pathname}:`; // two deployments on one origin share nothing
const CACHE = PREFIX + MANIFEST.build;
const INDEX = new URL("./", SCOPE).href;
const LAB = SCOPE.pathname + "lab/"; // has a worker of its own; until that is there, the network's
const TIMEOUT = 30_000;

const address = (path) => new URL(path, SCOPE).href;

/** As a fetch demands it: the browser itself refuses another file, and nothing here holds megabytes. */
function integrity(sha256) {
  const bytes = sha256.match(/../g).map((byte) => parseInt(byte, 16));
  return "sha256-" + btoa(String.fromCharCode(...bytes));
}

async function hashOf(response) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await response.arrayBuffer()));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Only our own origin's plain, whole answers are kept or served. */
function sound(response) {
  return response?.ok && !response.redirected && response.type !== "opaque";
}

async function fromNetwork(url, sha256) {
  // Hashed names may come from the browser's own cache: the first visit has just fetched them.
  const cache = url === INDEX ? "no-cache" : "default";
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await fetch(url, { cache, integrity: integrity(sha256), signal });
  if (!sound(response)) throw new Error(`${url}: ${response.status}`);
  return response;
}

async function olderCopy(url, sha256) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX) || name === CACHE) continue;
    const response = await (await caches.open(name)).match(url);
    // A name that bears the hash was given to no other file, and was checked when it came.
    const named = url.includes(`.${sha256.slice(0, 10)}.`);
    if (response && (named || (await hashOf(response.clone())) === sha256)) return response;
  }
  return null;
}

async function install() {
  const cache = await caches.open(CACHE);
  for (const [path, sha256] of Object.entries(MANIFEST.files)) {
    const url = address(path);
    if (await cache.match(url)) continue; // an install that was cut short goes on where it stopped
    await cache.put(url, (await olderCopy(url, sha256)) ?? (await fromNetwork(url, sha256)));
  }
}

async function complete() {
  const cache = await caches.open(CACHE);
  const kept = new Set((await cache.keys()).map((request) => request.url));
  return Object.keys(MANIFEST.files).every((path) => kept.has(address(path)));
}

async function clean() {
  if (!(await complete())) return;
  for (const name of await caches.keys())
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
}

async function network(request) {
  const response = await fetch(request, { signal: AbortSignal.timeout(TIMEOUT) });
  return response.type === "basic" || response.type === "opaqueredirect" ? response : Response.error();
}

async function answer(request) {
  const cache = await caches.open(CACHE);
  const url = new URL(request.url);
  const home = [SCOPE.pathname, SCOPE.pathname + "index.html"].includes(url.pathname);
  const kept = await cache.match(home ? INDEX : url.origin + url.pathname);
  if (kept) return kept;
  if (request.mode !== "navigate" || home) return network(request);
  // Other pages under our scope come from the network; without one, the tables are better than nothing.
  return network(request).catch(() => Response.redirect(INDEX));
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) =>
  event.waitUntil(clean().then(() => self.clients.claim())),
);
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== SCOPE.origin) return;
  if (!url.pathname.startsWith(SCOPE.pathname)) return;
  if (url.pathname.startsWith(LAB) && request.mode !== "navigate") return;
  event.respondWith(answer(request));
});
self.addEventListener("message", (event) => {
  if (event.data?.type === "take over") self.skipWaiting();
  if (event.data?.type === "complete")
    event.waitUntil(complete().then((whole) => event.ports[0].postMessage(whole)));
});
