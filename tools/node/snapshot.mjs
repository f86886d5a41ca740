// Boot, import and build the apps once, and write the interpreter's memory for the browser.
// usage: node snapshot.mjs RUNTIME ENV_JSON OUT_FOLDER PACK…
import fs from "node:fs";
import path from "node:path";
import { freezeWorld, write } from "./memory.mjs";
import { boot, main } from "./runtime.mjs";

const SITE_PACKAGES = "/lib/python3.14/site-packages/";
// Read from disk while the apps run; the file system is not part of a snapshot.
const READ_LATER =
  /^(panel\/(theme\/css|_templates)\/|bokeh\/core\/_templates\/|lovecraft\/.*\.json$|apps\/(?!static\/.*\.(js|css)$))/;

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

  const sizes = await write(py, runtime, out, "snapshot", { level: 19, kept: keptFiles(py.FS) });
  fs.writeFileSync(path.join(out, "document.json"), document);
  console.log(JSON.stringify(sizes));
});
