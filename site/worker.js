// Python's home: boots once, from the memory snapshot or else plainly, then follows the page.
import { Memory } from "./memory.js";
import { begin, compile, restore, unpack } from "./runtime.js";
import { openStore } from "./store.js";

const BASE = new URL("../", self.location);

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

function options() {
  const { env, info } = python;
  return { indexURL: BASE.href, env: { ...env }, lockFileContents: { info, packages: {} } };
}

async function fromSnapshot(arriving, code, wasm) {
  const memory = await arriving;
  step = "restore";
  progress(true);
  const py = await restore(memory, code, wasm, options(), mark);
  py.pyimport("lovecraft_site").awake();
  mark("restored");
  return py;
}

async function plainly(code, wasm) {
  step = "plain";
  const packs = python.packs.map((name) => bytes(get(name)));
  const py = await begin(code, wasm, () => get("python_stdlib.zip"), options());
  await unpack(py, packs);
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
  const compiled = async () => {
    const module = await compile(await fetchAsset("pyodide.asm.wasm"));
    loaded += assets["pyodide.asm.wasm"].wire;
    progress();
    mark("wasm compiled");
    return module;
  };
  const memory = new Memory(assets, get, mark);
  let snapshot = plain ? null : memory.load();
  snapshot?.catch(() => {}); // looked at below; until then it is nobody's unhandled rejection
  const wasm = compiled();
  const [code] = await Promise.all([runtime(), wasm]); // without these two, no path leads on
  while (snapshot) {
    try {
      const py = await fromSnapshot(snapshot, code, wasm);
      return { py, how: "snapshot", kept: memory.kept };
    } catch (error) {
      const again = await memory.forget();
      console.info(`Booting ${again ? "from the packed" : "without the"} memory snapshot: ${error.message}`);
      snapshot = again ? memory.load() : null;
    }
  }
  return { py: await plainly(code, wasm), how: "plain", kept: true };
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
