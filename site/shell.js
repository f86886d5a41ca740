// The page around the apps: shows the boot, ties page and Python together, obeys `host.page`.
import { PageDocument } from "./document.js";
import { speakOffline, watchOffline } from "./offline.js";

const $ = (id) => document.getElementById(id);
const app = globalThis.lovecraft;
if (!app) {
  const { words } = JSON.parse($("build-data").textContent);
  const say = words[navigator.language.slice(0, 2)] ?? words.en;
  $("failed-text").textContent = say["site.missing"].replace("{message}", "start.js");
  $("retry").textContent = say["site.retry"];
  $("retry").onclick = () => location.reload();
  $("failed").hidden = false;
  throw new Error("start.js did not run");
}
const { data } = app;
const word = (key) => data.words[app.lang]?.[key] ?? data.words.en[key] ?? key;
const remember = (key, value) => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // storage is forbidden here: the page still works, it only forgets
  }
};

app.ready = new Promise((resolve) => (app.arrived = resolve));
app.linked = false;

const page = new PageDocument(data.assets, $("root"), (patch) => send({ type: "patch", patch }));
const send = (message) => app.worker.postMessage(message);

// ── the boot, as seen ───────────────────────────────────────────────────────────────────────────

const digits = new Intl.NumberFormat(app.lang, { maximumFractionDigits: 1, minimumFractionDigits: 1 });
const megabytes = (bytes) => digits.format(bytes / 1e6);

function showProgress({ step, loaded, total }) {
  $("boot-bar").value = total ? loaded / total : 0;
  $("boot-step").textContent = word(`site.step.${step}`);
  $("boot-bytes").textContent = word("site.bytes")
    .replace("{loaded}", megabytes(loaded))
    .replace("{total}", megabytes(total));
}

function showFailure({ step, message }) {
  $("boot").hidden = true;
  $("failed").hidden = false;
  $("failed-text").textContent = word("site.failed")
    .replace("{step}", word(`site.step.${step}`))
    .replace("{message}", message);
  $("retry").textContent = word("site.retry");
  console.info(`The boot failed at “${step}”: ${message}`);
}

$("retry").addEventListener("click", () => {
  if (app.missing) return; // the page is loaded again
  app.worker.terminate();
  $("failed").hidden = true;
  $("boot").hidden = false;
  Object.assign(app, app.boot());
  listen();
});

function showReady({ how, kept, marks }) {
  $("boot").hidden = true;
  app.linked = true;
  app.how = how;
  app.marks = marks;
  document.documentElement.dataset.ready = how;
  app.arrived(how);
  watchOffline(word);
  setTimeout(() => {
    // once the first taps are answered
    send({ type: "library" });
    // the offline copy has the packed file then: it need not be fetched again
    if (!kept) navigator.serviceWorker?.ready.then(keepMemory);
  }, 3000);
}

function keepMemory() {
  new Worker(data.assets["keep.js"].url, { type: "module" }).postMessage(data.assets);
}

// ── what Python asks of the page ────────────────────────────────────────────────────────────────

const wishes = {
  lang(lang) {
    app.lang = lang;
    document.documentElement.lang = lang;
    remember("lang", lang);
    $("licences").textContent = word("site.licences");
    speakOffline(word);
  },
  theme(theme) {
    document.documentElement.dataset.theme = theme;
    remember("theme", theme);
  },
  title(title) {
    document.title = title;
  },
  hash(hash, { replace }) {
    if (hash === location.hash) return;
    // Set by Python, so Python need not be told: pushState and replaceState fire no hashchange.
    history[replace ? "replaceState" : "pushState"](null, "", hash || "#");
  },
  last(last) {
    remember("last", JSON.stringify(last));
  },
  awake(on) {
    screenLock.wanted = on;
    if (on) holdScreen();
    else releaseScreen();
  },
  /** Through the device's own way to share, else to the clipboard, else shown to be copied. */
  async share({ hash, title }) {
    const url = location.href.split("#")[0] + hash;
    try {
      if (navigator.share) await navigator.share({ title, url });
      else await navigator.clipboard.writeText(url);
    } catch (error) {
      if (error?.name !== "AbortError") prompt(title, url);
    }
  },
  download({ name, text, type }) {
    saveFile(new File([text], name, { type }));
  },
  /** A drawing as an image: handed over, or saved where nothing takes it. */
  async picture({ name, svg, title }) {
    const file = new File([await png(svg)], name, { type: "image/png" });
    try {
      if (navigator.canShare?.({ files: [file] })) return await navigator.share({ files: [file], title });
    } catch (error) {
      if (error?.name === "AbortError") return;
    }
    saveFile(file);
  },
};

function saveFile(file) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** An SVG as the bytes of a PNG of its own size. */
async function png(svg) {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  canvas.getContext("2d").drawImage(image, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

/** The screen stays on while a page wants it; the lock is lost whenever the page is hidden. */
const screenLock = { wanted: false, asking: false, held: null };

async function holdScreen() {
  const lock = screenLock;
  if (!lock.wanted || lock.held || lock.asking || document.visibilityState !== "visible") return;
  lock.asking = true;
  try {
    lock.held = (await navigator.wakeLock?.request("screen")) ?? null;
    lock.held?.addEventListener("release", () => (lock.held = null));
  } catch {
    // not allowed now (a low battery, say): asked again when the page comes back
  }
  lock.asking = false;
  if (!lock.wanted) releaseScreen();
}

function releaseScreen() {
  screenLock.held?.release().catch(() => {});
  screenLock.held = null;
}

document.addEventListener("visibilitychange", holdScreen);

function obey(text) {
  const asked = JSON.parse(text);
  for (const [key, value] of Object.entries(asked)) wishes[key]?.(value, asked);
}

// ── the conversation with the worker ────────────────────────────────────────────────────────────

const bokehLoaded = new Promise((resolve) => {
  if (document.readyState === "complete") resolve();
  else document.addEventListener("DOMContentLoaded", resolve, { once: true });
});

/** The document as prepared at build time stands while Python is still on its way. */
async function render(json) {
  await bokehLoaded;
  if (app.missing) return;
  await page.render(json);
  app.rendered = true;
}

const handlers = {
  progress: showProgress,
  failed: showFailure,
  ready: showReady,
  patch: ({ patch }) => page.apply(patch),
  page: ({ text }) => obey(text),
  persist: () => navigator.storage?.persist?.().catch(() => {}),
  document: ({ document }) => render(document),
};

function receive({ data: message }) {
  handlers[message.type]?.(message);
}

function listen() {
  app.worker.onmessage = receive;
  app.worker.onerror = (event) => showFailure({ step: "worker", message: event.message || "worker.js" });
  for (const early of app.inbox.splice(0)) receive(early);
}

$("build").textContent = data.build;
$("licences").textContent = word("site.licences");
$("boot-step").textContent = word("site.step.runtime");
listen();
const route = () => send({ type: "route", hash: location.hash });
addEventListener("hashchange", route);
if (location.hash !== app.route) route(); // a link was followed before this script ran
document.addEventListener("visibilitychange", () =>
  send({ type: "visible", shown: document.visibilityState === "visible" }),
);
await render(data.document);
