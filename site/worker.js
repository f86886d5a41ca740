// Python's home: boots once, from the memory snapshot or else plainly, then follows the page.
import { openStore } from "./store.js";

const BASE = new URL("../", self.location);
const SITE_PACKAGES = "/lib/python3.14/site-packages";
const SNAPSHOT_GLOBALS = ["JSON", "XMLHttpRequest", "Map", "Object", "setTimeout", "clearTimeout", "console"];

const started = performance.now();
const marks = {};
const mark = (name) => (marks[name] = Math.round(performance.now() - started));
const tell = (message) => self.postMessage(message);

let assets; // logical name → {url, size, wire, sha256}
let python; // environment and lock of the runtime
let step = "runtime";

// ── fetching, with progress in bytes over the wire ──────────────────────────────────────────────

let loaded = 0;
let total = 0;
let told = 0;

function progress(force = false) {
  if (!force && performance.now() - told < 50) return;
  told = performance.now();
  tell({ type: "progress", step, loaded: Math.min(loaded, total), total });
}

/** Fetch an asset; the response's body counts towards the progress. */
async function get(name) {
  const { url, size, wire } = assets[name];
  total += wire;
  let response;
  try {
    response = await fetch(new URL(url, BASE));
  } catch {
    throw new Error(`${name}: no connection`);
  }
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  let seen = 0;
  const counter = new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      loaded += (chunk.byteLength / size) * wire;
      progress();
      controller.enqueue(chunk);
    },
    flush() {
      if (seen !== size) throw new Error(`${name}: ${seen} bytes instead of ${size}`);
    },
  });
  return new Response(response.body.pipeThrough(counter), { headers: response.headers });
}

const bytes = async (response) => new Uint8Array(await (await response).arrayBuffer());

/** SHA-256 as hex; null where the browser has no crypto (plain http on a network). */
async function sha256(data) {
  if (!self.crypto?.subtle) return null;
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

// ── the runtime ─────────────────────────────────────────────────────────────────────────────────

/** What loadPyodide would fetch by itself, handed over from fetches already under way. */
function serve(wasm, library) {
  const network = self.fetch;
  self.fetch = (input, options) => {
    const url = String(input?.url ?? input);
    if (url.endsWith("/pyodide.asm.wasm")) return Promise.resolve(new Response());
    if (url.endsWith("/python_stdlib.zip")) return library();
    return network(input, options);
  };
  const instantiate = WebAssembly.instantiateStreaming;
  WebAssembly.instantiateStreaming = async (_response, imports) => {
    const module = await wasm;
    return { module, instance: await WebAssembly.instantiate(module, imports) };
  };
  return () => {
    self.fetch = network;
    WebAssembly.instantiateStreaming = instantiate;
  };
}

function options(createPyodideModule) {
  const { env, info } = python;
  return {
    indexURL: BASE.href,
    env: { ...env },
    lockFileContents: { info, packages: {} },
    createPyodideModule,
  };
}

/** Fetch, check and unpack the snapshot. */
async function fetchSnapshot() {
  const metaArriving = get("snapshot.json").then((response) => response.json());
  const packed = await bytes(get("snapshot.bin"));
  mark("snapshot fetched");
  const [meta, hash] = await Promise.all([metaArriving, sha256(packed)]);
  if (hash && hash !== assets["snapshot.bin"].sha256) throw new Error("snapshot: wrong hash");
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = new Uint8Array(await new Response(unpacked).arrayBuffer());
  if (data.length !== meta.size) throw new Error("snapshot: wrong size");
  mark("snapshot ready");
  return { ...meta, data };
}

async function fromSnapshot(snapshotArriving, loadPyodide, createModule, wasm) {
  const { heap, pages, runs, header, data } = await snapshotArriving;
  step = "restore";
  progress(true);
  // Only the header goes through loadPyodide: it would size the memory by the snapshot's length,
  // and a heap that had grown cannot be restored that way. The pages are put in place here.
  const fill = async (settings) => {
    const module = await createModule(settings);
    module._emscripten_resize_heap(heap);
    for (let i = 0, offset = 0; i < runs.length; offset += runs[i + 1], i += 2)
      module.HEAPU8.set(data.subarray(offset, offset + runs[i + 1]), runs[i]);
    mark("heap filled");
    return module;
  };
  const release = serve(wasm, async () => new Response());
  try {
    const py = await loadPyodide({
      ...options(fill),
      _loadSnapshot: Uint8Array.from(atob(header), (char) => char.charCodeAt(0)),
      _snapshotDeserializer: (name) => {
        if (!SNAPSHOT_GLOBALS.includes(name)) throw new Error(`snapshot: unknown global ${name}`);
        return self[name];
      },
    });
    const files = JSON.parse(new TextDecoder().decode(data.subarray(pages)));
    for (const [path, text] of Object.entries(files)) {
      py.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      py.FS.writeFile(path, text);
    }
    py.pyimport("lovecraft_site").awake();
    mark("restored");
    return py;
  } finally {
    release();
  }
}

async function plainly(loadPyodide, createModule, wasm) {
  step = "plain";
  const packs = python.packs.map((name) => bytes(get(name)));
  const release = serve(wasm, () => get("python_stdlib.zip"));
  let py;
  try {
    py = await loadPyodide(options(createModule));
  } finally {
    release();
  }
  for (const pack of packs) py.unpackArchive(await pack, "zip", { extractDir: SITE_PACKAGES });
  py.runPython("import importlib; importlib.invalidate_caches()");
  step = "import";
  progress(true);
  tell({ type: "document", document: py.pyimport("lovecraft_site").build() });
  mark("built");
  return py;
}

async function bootPython(plain) {
  const runtime = async () => {
    const [{ loadPyodide }, { default: createModule }] = await Promise.all([
      import("./pyodide.mjs"),
      import("./pyodide.asm.mjs"),
    ]);
    return [loadPyodide, createModule];
  };
  const compile = () =>
    get("pyodide.asm.wasm").then(async (response) => {
      const headers = { "Content-Type": "application/wasm" };
      const module = await WebAssembly.compileStreaming(new Response(response.body, { headers }));
      mark("wasm compiled");
      return module;
    });
  const snapshot = plain ? null : fetchSnapshot();
  snapshot?.catch(() => {}); // looked at below; until then it is nobody's unhandled rejection
  const wasm = compile();
  const [code] = await Promise.all([runtime(), wasm]); // without these two, no path leads on
  if (!plain) {
    try {
      return { py: await fromSnapshot(snapshot, ...code, wasm), how: "snapshot" };
    } catch (error) {
      console.info(`Booting without the memory snapshot: ${error.message}`);
    }
  }
  return { py: await plainly(...code, wasm), how: "plain" };
}

// ── what Python sees of the device ──────────────────────────────────────────────────────────────

let persisted = false;

function makeHost(store, page, channel) {
  return {
    boot: JSON.stringify({ ...page, storage: store.kind, base: BASE.href }),
    load: async () => JSON.stringify(await store.load().catch(() => ({}))),
    put: async (key, text, rev) => {
      const answer = await store.put(key, text, rev).catch((error) => "failed:" + error.name);
      if (answer === "ok" && !persisted) {
        persisted = true;
        tell({ type: "persist" });
      }
      return answer;
    },
    remove: (key, rev) => store.remove(key, rev).catch((error) => "failed:" + error.name),
    notify: (text) => channel?.postMessage(text),
    page: (text) => tell({ type: "page", text }),
  };
}

// ── the conversation with the page ──────────────────────────────────────────────────────────────

const waiting = []; // messages that came before Python was ready
let handle = (message) => waiting.push(message);

async function start(message) {
  ({ assets, python } = message);
  const name = "lovecraft:" + BASE.pathname;
  const storeOpening = openStore(name); // opens while Python boots
  const { py, how } = await bootPython(message.plain);
  const glue = py.pyimport("lovecraft_site");
  const apps = py.pyimport("apps.main");
  glue.link((patch) => tell({ type: "patch", patch }));
  mark("linked");

  const channel = self.BroadcastChannel ? new BroadcastChannel(name) : null;
  step = "start";
  await apps.start(makeHost(await storeOpening, message.page, channel));
  if (channel) channel.onmessage = (event) => apps.on_notify(event.data);
  mark("started");

  handle = (incoming) => {
    if (incoming.type === "patch") glue.receive(incoming.patch);
    else if (incoming.type === "route") apps.route(incoming.hash);
    else if (incoming.type === "visible") apps.visible(incoming.shown);
    else if (incoming.type === "library") library(py, glue);
  };
  for (const early of waiting.splice(0)) handle(early);
  tell({ type: "ready", how, marks });
}

/**
 * What the snapshot left out, for imports nobody rehearsed: the standard library and the packs, as
 * archives to import from. Comes when the page has time.
 */
async function library(py, glue) {
  const library = "/lib/python314.zip";
  if (py.FS.analyzePath(library).exists && py.FS.stat(library).size) return; // booted plainly
  try {
    py.FS.writeFile(library, await bytes(get("python_stdlib.zip")));
    const folder = "/lib/packs/";
    py.FS.mkdirTree(folder);
    for (const name of python.packs) py.FS.writeFile(folder + name, await bytes(get(name)));
    glue.library_arrived(python.packs.map((name) => folder + name));
  } catch (error) {
    console.info(`The standard library did not arrive: ${error.message}`);
  }
}

self.onmessage = ({ data: message }) => {
  if (message.type !== "boot") return handle(message);
  start(message).catch((error) => tell({ type: "failed", step, message: String(error?.message ?? error) }));
};
