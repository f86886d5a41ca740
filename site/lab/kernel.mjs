// The notebooks' Python: the tables' own runtime and packs, unpacked before the kernel looks for them.
// JupyterLite imports this as Pyodide's module; all files are found from here.
const PARTS = /*{{parts}}*/ {};
const SITE_PACKAGES = "/lib/python3.14/site-packages";

const at = (path) => new URL("../../../" + path, import.meta.url).href;
const file = (name) => at(PARTS.files[name]);

async function fetched(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response;
}

const bytes = async (url) => new Uint8Array(await (await fetched(url)).arrayBuffer());

/** loadPyodide asks for its files by their plain names: give it ours, which bear their hash. */
function serve() {
  const network = self.fetch;
  self.fetch = (input, options) => {
    const url = String(input?.url ?? input);
    const name = ["pyodide.asm.wasm", "python_stdlib.zip"].find((one) => url.endsWith("/" + one));
    return name ? network(file(name), options) : network(input, options);
  };
  return () => (self.fetch = network);
}

async function boot() {
  const packs = PARTS.packs.map((path) => bytes(at(path)));
  const later = bytes(file("vendor.zip"));
  const [{ loadPyodide: load }, { default: createPyodideModule }] = await Promise.all([
    import(file("pyodide.mjs")),
    import(file("pyodide.asm.mjs")),
  ]);
  const release = serve();
  let py;
  try {
    py = await load({
      env: { ...PARTS.env, LOVECRAFT_LANG: self.navigator.language },
      indexURL: at("assets/"),
      lockFileContents: { info: PARTS.info, packages: {} },
      createPyodideModule,
    });
  } finally {
    release();
  }
  for (const pack of packs) py.unpackArchive(await pack, "zip", { extractDir: SITE_PACKAGES });
  const archive = "/lib/vendor.zip";
  py.FS.writeFile(archive, await later);
  py.runPython("import importlib; importlib.invalidate_caches()");
  py.pyimport("lovecraft_lab").begin(archive, SITE_PACKAGES);
  return py;
}

// Whoever imports this wants Python: early.js long before JupyterLite asks for it.
const begun = boot().catch((error) => {
  console.warn("Python is begun once more:", error);
  return null;
});

export async function loadPyodide({ stdout, stderr }) {
  const py = (await begun) ?? (await boot());
  py.setStdout({ batched: stdout });
  py.setStderr({ batched: stderr });
  self.postMessage({ type: "begun" });
  return py;
}
