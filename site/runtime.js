// Python begun by hand: from a memory that `memory.js` gives, or plainly, with files already under way.
// The tables' worker does so, and the notebooks' kernel.

export const SITE_PACKAGES = "/lib/python3.14/site-packages";

// What Python may hold of the JavaScript world.
const GLOBALS = ["JSON", "XMLHttpRequest", "Map", "Object", "setTimeout", "clearTimeout", "console"];

/** As it came: only so does the browser find the machine code it has kept from earlier visits. */
export function compile(response) {
  const headers = { "Content-Type": "application/wasm" };
  const typed = response.headers.get("Content-Type") === headers["Content-Type"];
  return WebAssembly.compileStreaming(typed ? response : new Response(response.body, { headers }));
}

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

/**
 * Python as it comes, with nothing but its library (asked for as a response): `code` is loadPyodide
 * and what it makes its module with.
 */
export async function begin([loadPyodide, createPyodideModule], wasm, library, options) {
  const release = serve(wasm, library);
  try {
    return await loadPyodide({ ...options, createPyodideModule });
  } finally {
    release();
  }
}

/** Archives of modules, each here or on its way: from now on they can be imported. */
export async function unpack(py, packs) {
  for (const pack of packs) py.unpackArchive(await pack, "zip", { extractDir: SITE_PACKAGES });
  py.runPython("import importlib; importlib.invalidate_caches()");
}

/** Python as the memory left it. */
export async function restore(memory, [loadPyodide, createModule], wasm, options, mark = () => {}) {
  const { heap, size, pages, runs, header, files, pieces } = memory;
  const texts = new Uint8Array(size - pages);
  // Only the header goes through loadPyodide: it would size the memory by the snapshot's length,
  // and a heap that had grown cannot be restored that way. The pages are put in place here.
  const createPyodideModule = async (settings) => {
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
  const noLibrary = async () => new Response(); // it is in the memory
  const py = await begin([loadPyodide, createPyodideModule], wasm, noLibrary, {
    ...options,
    _loadSnapshot: Uint8Array.from(atob(header), (char) => char.charCodeAt(0)),
    _snapshotDeserializer: (name) => {
      if (!GLOBALS.includes(name)) throw new Error(`snapshot: unknown global ${name}`);
      return self[name];
    },
  });
  let at = 0;
  for (const [path, size] of files) {
    py.FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    py.FS.writeFile(path, texts.subarray(at, (at += size)));
  }
  return py;
}
