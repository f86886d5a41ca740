// An interpreter's memory as files from which a browser's goes on: pages and how they lie.
import nodeCrypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { boot } from "./runtime.mjs";

const PAGE = 4096;
// What Python may hold of the JavaScript world: found again by name in the browser.
const GLOBALS = ["JSON", "XMLHttpRequest", "Map", "Object", "setTimeout", "clearTimeout", "console"];

/** The same clock and the same random bytes at each build: the same memory. */
export function freezeWorld() {
  globalThis.XMLHttpRequest ??= class XMLHttpRequest {}; // imported by Panel, used by nobody
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
 * back: 8 MB instead of 4 would save another 1 %. Level 19 packs a tenth better than 12, and takes five
 * times as long.
 */
function pack(py, data, level) {
  py.globals.set("data", new Uint8Array(data));
  py.globals.set("level", level);
  return py
    .runPython(
      `
from compression.zstd import CompressionParameter as P, compress
compress(data.to_py(), options={P.compression_level: level, P.window_log: 22,
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

/**
 * Write NAME.bin.zst and NAME.json into a folder: memory, and the texts of files (path and bytes of
 * each). They are in the memory, too: packed together with it they cost next to nothing.
 */
export async function write(py, runtime, out, name, { level, kept = [] }) {
  zeroFreeMemory(py._module);
  const get = py._module.__hiwire_get; // the table may hold undefined, which the serialiser refuses
  py._module.__hiwire_get = (index) => get(index) ?? null;
  const unknown = [];
  const snapshot = py.makeMemorySnapshot({
    serializer: (value) => {
      const known = GLOBALS.find((each) => globalThis[each] === value);
      if (!known) unknown.push(String(value).slice(0, 200));
      return known ?? "";
    },
  });
  if (unknown.length) throw new Error("the snapshot holds JavaScript values: " + unknown.join("; "));

  const { header, runs, heap, data } = await sparse(snapshot, runtime);
  const whole = Buffer.concat([data, ...kept.map(([, bytes]) => bytes)]);
  const packed = pack(py, whole, level);
  const meta = {
    heap,
    size: whole.length,
    pages: data.length,
    runs,
    header: Buffer.from(header).toString("base64"),
    files: kept.map(([path, bytes]) => [path, bytes.length]),
  };
  fs.mkdirSync(out, { recursive: true });
  fs.writeFileSync(path.join(out, name + ".bin.zst"), packed);
  fs.writeFileSync(path.join(out, name + ".json"), JSON.stringify(meta));
  return { heap, raw: data.length, packed: packed.length };
}
