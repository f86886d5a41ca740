// Boot, make the notebooks' kernel, and write the interpreter's memory for the browser.
// usage: node kernel.mjs RUNTIME ENV_JSON OUT_FOLDER LATER_PACK PACK…
import fs from "node:fs";
import { freezeWorld, write } from "./memory.mjs";
import { boot, main } from "./runtime.mjs";

const SITE_PACKAGES = "/lib/python3.14/site-packages";
const LATER = "/lib/vendor.zip";

await main(async () => {
  const [runtime, environment, out, later, ...packs] = process.argv.slice(2);
  freezeWorld();
  const py = await boot(runtime, { _makeSnapshot: true, env: JSON.parse(environment) });
  for (const pack of packs)
    py.unpackArchive(new Uint8Array(fs.readFileSync(pack)), "zip", { extractDir: SITE_PACKAGES });
  py.FS.writeFile(LATER, new Uint8Array(fs.readFileSync(later)));
  py.runPython("import importlib; importlib.invalidate_caches()");
  const lab = py.pyimport("lovecraft_lab");
  lab.begin(LATER, SITE_PACKAGES);
  lab.asleep();
  lab.destroy();
  console.log(JSON.stringify(await write(py, runtime, out, "kernel", { level: 12 })));
});
