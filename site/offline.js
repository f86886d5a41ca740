// The service worker from the page's side: registers it, tells honestly what works offline,
// offers a new build when one is whole, and never changes builds under a running game.

const $ = (id) => document.getElementById(id);
const FIRST_TAPS = 1000; // milliseconds
let word = (key) => key;
let registration = null;
let begun = false;
let failed = false; // the offline copy of a first visit could not be made

async function complete() {
  if (!navigator.serviceWorker?.controller && !registration?.active) return false;
  const worker = registration?.active ?? navigator.serviceWorker.controller;
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const timer = setTimeout(() => resolve(false), 5000);
    port1.onmessage = ({ data }) => {
      clearTimeout(timer);
      resolve(data === true);
    };
    worker.postMessage({ type: "complete" }, [port2]);
  });
}

async function light() {
  const ready = await complete();
  const state = ready ? "ready" : failed ? "failed" : begun ? "loading" : "none";
  $("offline").dataset.state = state;
  $("offline").textContent = word(`site.offline.${state}`);
}

function offer(worker) {
  $("update-text").textContent = word("site.update");
  $("update-now").textContent = word("site.update_now");
  $("update").hidden = false;
  $("update-now").onclick = () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    worker.postMessage({ type: "take over" });
  };
}

function follow() {
  if (registration.waiting && registration.active) offer(registration.waiting);
  const worker = registration.installing;
  worker?.addEventListener("statechange", () => {
    if (worker.state === "installed" && registration.active) offer(worker);
    failed = worker.state === "redundant" && !registration.active;
    light();
  });
}

async function register() {
  failed = false;
  try {
    registration = await navigator.serviceWorker.register("./sw.js", { updateViaCache: "none" });
    registration.onupdatefound = follow;
    follow();
  } catch (error) {
    console.info(`No offline copy: ${error.message}`);
    failed = true;
    await light();
  }
}

/** Say everything in another language from now on. */
export function speakOffline(words) {
  word = words;
  if (begun) light();
}

/** Make, watch and tell of the offline copy. */
export async function watchOffline(words) {
  word = words;
  if (begun || !navigator.serviceWorker) return light();
  begun = true;
  await light();
  // The first copy is a download of its own: the person's first taps come before it.
  if (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, FIRST_TAPS));
  await register();
  navigator.serviceWorker.ready.then(light);
  addEventListener("online", () => {
    if (failed) register(); // what was missing may be had now
    else light();
  });
  addEventListener("offline", light);
  document.addEventListener("visibilitychange", () => {
    // An app resumed on a phone never navigates: this is its only way to hear of a new build.
    if (document.visibilityState === "visible") registration?.update().catch(() => {});
  });
  return light();
}
