// Boot, import and build the apps once, and write the interpreter's memory for the browser.
// usage: node snapshot.mjs RUNTIME ENV_JSON OUT_FOLDER PACK…
import nodeCrypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { boot, main } from "./runtime.mjs";

const PAGE = 4096;
const SITE_PACKAGES = "/lib/python3.14/site-packages/";
// Read from disk while the apps run; the file system is not part of a snapshot.
const READ_LATER =
  /^(panel\/(theme\/css|_templates)\/|bokeh\/core\/_templates\/|lovecraft\/.*\.json$|apps\/(?!static\/.*\.(js|css)$))/;
// What Python may hold of the JavaScript world: found again by name in the browser.
const GLOBALS = ["JSON", "XMLHttpRequest", "Map", "Object", "setTimeout", "clearTimeout", "console"];

// Other people's code keeps its names in a traceback; its line numbers are a tenth of it. Dropped as
// it is loaded: later, the memory would be left full of holes.
// The collector runs often meanwhile: what is let go at once leaves its place to what comes next.
const LOADING = `
import gc, re, types, zipimport
import _frozen_importlib_external as external

ours = re.compile(r"/site-packages/(lovecraft|apps)/|/lovecraft_site\\.py$")
loaders = external._compile_bytecode, zipimport._unmarshal_code

def without(code):
    constants = tuple(without(c) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=constants)

def checked(load):
    def loaded(*given, **named):
        code = load(*given, **named)
        return code if code is None or ours.search(code.co_filename) else without(code)
    return loaded

external._compile_bytecode, zipimport._unmarshal_code = map(checked, loaders)
threshold = gc.get_threshold()
gc.set_threshold(100, 5, 5)
`;
const LOADED = `
external._compile_bytecode, zipimport._unmarshal_code = loaders
gc.set_threshold(*threshold)
`;

/** The same clock and the same random bytes at each build: the same memory. */
function freezeWorld() {
  let now = Date.UTC(2020, 0, 1);
  let state = 0x2545f491;
  Date.now = () => now++;
  performance.now = () => now++ - Date.UTC(2020, 0, 1);
  const fill = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      bytes[i] = state;
    }
    return array;
  };
  crypto.getRandomValues = fill;
  nodeCrypto.randomFillSync = fill; // what Emscripten takes in Node
}

/** Overwrite all memory the allocator holds free, so that it packs to nothing. */
function zeroFreeMemory(module) {
  const blocks = [];
  const top = () => module._sbrk(0);
  for (let size = 1 << 22; size >= 8; size = size > 64 ? size >> 1 : size - 8) {
    for (;;) {
      const before = top();
      const block = module._malloc(size);
      if (!block) break;
      if (top() !== before) {
        module._free(block); // fresh memory: nothing of this size is free any more
        break;
      }
      module.HEAPU8.fill(0, block, block + module._malloc_usable_size(block));
      blocks.push(block);
    }
  }
  for (const block of blocks) module._free(block);
  module.HEAPU8.fill(0, top());
  const [low, current] = [module._emscripten_stack_get_end(), module._emscripten_stack_get_current()];
  if (current > low) module.HEAPU8.fill(0, low, current - 256);
}

/**
 * The memory as the browser's module has it before anything is restored: the static data of the
 * WebAssembly file. Taken twice, at different times and in different environments; a page on which
 * the two disagree counts as unknown.
 */
async function staticImages(runtime, header) {
  const asm = path.resolve(runtime, "pyodide.asm.mjs");
  const { default: create } = await import(pathToFileURL(asm));
  const images = [];
  for (const HOME of ["/home/pyodide", "/home/somebody/else"]) {
    const stop = new Error("enough");
    const createPyodideModule = async (settings) => {
      const module = await create(settings);
      images.push(new Uint32Array(module.HEAPU8.slice().buffer));
      throw stop;
    };
    const options = { _loadSnapshot: header, createPyodideModule, env: { HOME } };
    await boot(runtime, options).catch((error) => {
      if (error !== stop) throw error;
    });
  }
  return images;
}

/**
 * Zstandard, by the interpreter itself: half of the memory repeats itself farther back than the
 * 32 kB that gzip looks, which makes a quarter of the download. A decoder holds as much as it looks
 * back: 8 MB instead of 4 would save another 1 %.
 */
function pack(py, data) {
  py.globals.set("data", new Uint8Array(data));
  return py
    .runPython(
      `
from compression.zstd import CompressionParameter as P, compress
compress(data.to_py(), options={P.compression_level: 19, P.window_log: 22,
                                P.enable_long_distance_matching: 1, P.checksum_flag: 1})
`,
    )
    .toJs();
}

/** Split a snapshot into its header and the runs of pages that must be put in place. */
async function sparse(snapshot, runtime) {
  const length = new Uint32Array(snapshot.buffer, 0, 2)[1];
  const header = snapshot.slice(0, length);
  const heap = snapshot.slice(length);
  const view = new Uint32Array(heap.buffer);
  const images = await staticImages(runtime, header);
  const alreadyThere = (page) => {
    for (let i = page >> 2; i < (page + PAGE) >> 2; i++)
      if (images.some((image) => (image[i] ?? 0) !== view[i])) return false;
    return true;
  };
  const runs = [];
  for (let page = 0; page < heap.length; ) {
    let end = page;
    while (end < heap.length && !alreadyThere(end)) end += PAGE;
    if (end > page) runs.push(page, end - page);
    page = end > page ? end : page + PAGE;
  }
  const parts = [];
  for (let i = 0; i < runs.length; i += 2) parts.push(heap.subarray(runs[i], runs[i] + runs[i + 1]));
  return { header, runs, heap: heap.length, data: Buffer.concat(parts) };
}

function keptFiles(FS) {
  const kept = []; // path and bytes of each
  const walk = (folder) => {
    for (const name of FS.readdir(folder)) {
      if (name === "." || name === "..") continue;
      const full = folder + name;
      if (FS.isDir(FS.stat(full).mode)) walk(full + "/");
      else if (READ_LATER.test(full.slice(SITE_PACKAGES.length)) && !full.endsWith(".pyc"))
        kept.push([full, FS.readFile(full)]);
    }
  };
  walk(SITE_PACKAGES);
  return kept;
}

await main(async () => {
  const [runtime, environment, out, ...packs] = process.argv.slice(2);
  const env = JSON.parse(fs.readFileSync(environment, "utf8"));
  globalThis.XMLHttpRequest ??= class XMLHttpRequest {}; // imported by Panel, used by nobody
  freezeWorld();
  const py = await boot(runtime, { _makeSnapshot: true, env });
  for (const pack of packs)
    py.unpackArchive(new Uint8Array(fs.readFileSync(pack)), "zip", { extractDir: SITE_PACKAGES });
  const build = py.toPy({}); // its names go with it
  py.runPython(LOADING, { globals: build });
  py.runPython("import importlib; importlib.invalidate_caches(); import lovecraft_site");
  const document = py.runPython("lovecraft_site.build()");
  py.runPython("lovecraft_site.warm()");
  py.runPython(LOADED, { globals: build });
  build.destroy();
  py.runPython("lovecraft_site.slim(); del lovecraft_site, importlib");
  if (process.env.SHOW_MODULES) console.log(py.runPython("import sys; ' '.join(sorted(sys.modules))"));
  zeroFreeMemory(py._module);

  const get = py._module.__hiwire_get; // the table may hold undefined, which the serialiser refuses
  py._module.__hiwire_get = (index) => get(index) ?? null;
  const unknown = [];
  const snapshot = py.makeMemorySnapshot({
    serializer: (value) => {
      const name = GLOBALS.find((each) => globalThis[each] === value);
      if (!name) unknown.push(String(value).slice(0, 200));
      return name ?? "";
    },
  });
  if (unknown.length) throw new Error("the snapshot holds JavaScript values: " + unknown.join("; "));

  const { header, runs, heap, data } = await sparse(snapshot, runtime);
  // The files' texts are in the memory, too: packed together with it they cost next to nothing.
  const kept = keptFiles(py.FS);
  const whole = Buffer.concat([data, ...kept.map(([, bytes]) => bytes)]);
  const packed = pack(py, whole);
  const meta = {
    heap,
    size: whole.length,
    pages: data.length,
    runs,
    header: Buffer.from(header).toString("base64"),
    files: kept.map(([path, bytes]) => [path, bytes.length]),
  };
  fs.mkdirSync(out, { recursive: true });
  fs.writeFileSync(path.join(out, "snapshot.bin.zst"), packed);
  fs.writeFileSync(path.join(out, "snapshot.json"), JSON.stringify(meta));
  fs.writeFileSync(path.join(out, "document.json"), document);
  console.log(JSON.stringify({ heap, raw: data.length, packed: packed.length }));
});
