// Python's home: boots once, from the memory snapshot or else plainly, then follows the page.
import { Memory } from "./memory.js";
import { openStore } from "./store.js";

const BASE = new URL("../", self.location);
const SITE_PACKAGES = "/lib/python3.14/site-packages";
const SNAPSHOT_GLOBALS = ["JSON", "XMLHttpRequest", "Map", "Object", "setTimeout", "clearTimeout", "console"];

const started = performance.now();
const marks = {};
const mark = (name) => (marks[name] = Math.round(performance.now() - started));
const tell = (message) => self.postMessage(message);

let assets; // logical name → {url, size, wire}
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

/** Ask for an asset and have it counted in the progress's total. */
async function fetchAsset(name) {
  const { url, wire } = assets[name];
  total += wire;
  let response;
  try {
    response = await fetch(new URL(url, BASE));
  } catch {
    throw new Error(`${name}: no connection`);
  }
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

/** Fetch an asset; the response's body counts towards the progress. */
async function get(name) {
  const { size, wire } = assets[name];
  const response = await fetchAsset(name);
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

async function fromSnapshot(snapshotArriving, loadPyodide, createModule, wasm) {
  const { heap, size, pages, runs, header, files, pieces } = await snapshotArriving;
  step = "restore";
  progress(true);
  const texts = new Uint8Array(size - pages);
  // Only the header goes through loadPyodide: it would size the memory by the snapshot's length,
  // and a heap that had grown cannot be restored that way. The pages are put in place here.
  const fill = async (settings) => {
    const module = await createModule(settings);
    module._emscripten_resize_heap(heap);
    const places = [...runs, -1, texts.length]; // address and bytes of each
    let [run, done, seen] = [0, 0, 0];
    for await (const piece of pieces) {
      if ((seen += piece.length) > size) break;
      for (let at = 0; at < piece.length; ) {
        const [address, bytes] = [places[run], places[run + 1]];
        const part = piece.subarray(at, at + bytes - done);
        if (address < 0) texts.set(part, done);
        else module.HEAPU8.set(part, address + done);
        at += part.length;
        done += part.length;
        if (done === bytes) [run, done] = [run + 2, 0];
      }
    }
    if (seen !== size) throw new Error(`snapshot: ${seen} bytes instead of ${size}`);
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
    let at = 0;
    for (const [path, size] of files) {
      py.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
      py.FS.writeFile(path, texts.subarray(at, (at += size)));
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
  const compile = async () => {
    // As it came: only so does the browser find the machine code it has kept from earlier visits.
    let response = await fetchAsset("pyodide.asm.wasm");
    const headers = { "Content-Type": "application/wasm" };
    if (response.headers.get("Content-Type") !== headers["Content-Type"])
      response = new Response(response.body, { headers });
    const module = await WebAssembly.compileStreaming(response);
    loaded += assets["pyodide.asm.wasm"].wire;
    progress();
    mark("wasm compiled");
    return module;
  };
  const memory = new Memory(assets, get, mark);
  let snapshot = plain ? null : memory.load();
  snapshot?.catch(() => {}); // looked at below; until then it is nobody's unhandled rejection
  const wasm = compile();
  const [code] = await Promise.all([runtime(), wasm]); // without these two, no path leads on
  while (snapshot) {
    try {
      const py = await fromSnapshot(snapshot, ...code, wasm);
      return { py, how: "snapshot", kept: memory.kept };
    } catch (error) {
      const again = await memory.forget();
      console.info(`Booting ${again ? "from the packed" : "without the"} memory snapshot: ${error.message}`);
      snapshot = again ? memory.load() : null;
    }
  }
  return { py: await plainly(...code, wasm), how: "plain", kept: true };
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
  const { py, how, kept } = await bootPython(message.plain);
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
    else if (incoming.type === "library") library(py, glue, apps);
  };
  for (const early of waiting.splice(0)) handle(early);
  tell({ type: "ready", how, kept, marks });
}

/**
 * What the snapshot left out, for imports nobody rehearsed: the standard library and the packs, as
 * archives to import from. Comes when the page has time.
 */
async function library(py, glue, apps) {
  const library = "/lib/python314.zip";
  if (py.FS.analyzePath(library).exists && py.FS.stat(library).size) return; // booted plainly
  try {
    const folder = "/lib/packs/";
    py.FS.mkdirTree(folder);
    // Nothing is left to be collected: no pieces counted, no copy made.
    const write = async (path, name) =>
      py.FS.writeFile(path, await bytes(fetchAsset(name)), { canOwn: true });
    await write(library, "python_stdlib.zip");
    for (const name of python.packs) await write(folder + name, name);
    glue.library_arrived(python.packs.map((name) => folder + name));
    apps.library_came();
  } catch (error) {
    console.info(`The standard library did not arrive: ${error.message}`);
  }
}

self.onmessage = ({ data: message }) => {
  if (message.type !== "boot") return handle(message);
  start(message).catch((error) => tell({ type: "failed", step, message: String(error?.message ?? error) }));
};
