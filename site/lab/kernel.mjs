// The notebooks' Python: the tables' own runtime, its memory as the kernel leaves it when it is ready
// (or made here, where that does not serve), and the files that imports look for.
// JupyterLite imports this as Pyodide's module; all files are found from here.
import { Memory } from "{{memory}}";
import { begin, compile, restore, SITE_PACKAGES, unpack } from "{{runtime}}";

const PARTS = /*{{parts}}*/ {};
const LATER = "/lib/vendor.zip";
const LIBRARY = "/lib/python314.zip";

const at = (path) => new URL("../../../" + path, import.meta.url).href;

async function get(name) {
  const url = at(PARTS.files[name].url);
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response;
}

const bytes = async (name) => new Uint8Array(await (await get(name)).arrayBuffer());

async function runtime() {
  const [{ loadPyodide: load }, { default: createModule }] = await Promise.all([
    import(at(PARTS.files["pyodide.mjs"].url)),
    import(at(PARTS.files["pyodide.asm.mjs"].url)),
  ]);
  return [load, createModule];
}

const language = self.navigator.language;
const options = () => ({
  env: { ...PARTS.env },
  indexURL: at("assets/"),
  lockFileContents: { info: PARTS.info, packages: {} },
});

async function boot(fromMemory) {
  const memory = fromMemory ? new Memory(PARTS.files, get, undefined, "kernel").load() : null;
  const wasm = get("pyodide.asm.wasm").then(compile);
  const packs = Promise.all(PARTS.packs.map(bytes));
  const archives = Promise.all([bytes("vendor.zip"), bytes("python_stdlib.zip")]);
  for (const coming of [memory, wasm, packs, archives]) coming?.catch(() => {}); // awaited below
  const code = await runtime();
  const py = await (memory
    ? restore(await memory, code, wasm, options())
    : begin(code, wasm, () => get("python_stdlib.zip"), options()));
  await unpack(py, await packs);
  const [later, library] = await archives;
  py.FS.writeFile(LATER, later, { canOwn: true });
  py.FS.writeFile(LIBRARY, library, { canOwn: true });
  const lab = py.pyimport("lovecraft_lab");
  if (!memory) lab.begin(LATER, SITE_PACKAGES);
  lab.awake(language);
  lab.destroy();
  return py;
}

// Whoever imports this wants Python: early.js long before JupyterLite asks for it.
const begun = boot(true).catch((error) => {
  console.warn("Python is begun once more:", error);
  return null;
});

export async function loadPyodide({ stdout, stderr }) {
  const py = (await begun) ?? (await boot(false));
  py.setStdout({ batched: stdout });
  py.setStderr({ batched: stderr });
  self.postMessage({ type: "begun" });
  return py;
}
