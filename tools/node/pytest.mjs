// Run a test suite under Pyodide.  usage: node pytest.mjs RUNTIME PACKAGES_ZIP WHEEL SUITE_ZIP
import fs from "node:fs";
import { boot, main } from "./runtime.mjs";

const SITE_PACKAGES = "/lib/python3.14/site-packages/";
const unpack = (py, file, extractDir) =>
  py.unpackArchive(new Uint8Array(fs.readFileSync(file)), "zip", { extractDir });

const RUN = `
import importlib, os, sys
importlib.invalidate_caches()
os.chdir("/suite")
import pytest
from hypothesis import settings
# No clock of a phone: this interpreter is slower, and the deadline is not what is tested here.
settings.register_profile("pyodide", deadline=None, max_examples=25, database=None)
settings.load_profile("pyodide")
pytest.main(["-q", "-p", "no:cacheprovider", "-m", "not long and not host", "tests/engine"])
`;

await main(async () => {
  const [runtime, packages, wheel, suite] = process.argv.slice(2);
  const py = await boot(runtime);
  unpack(py, packages, SITE_PACKAGES);
  unpack(py, wheel, SITE_PACKAGES);
  py.FS.mkdir("/suite");
  unpack(py, suite, "/suite");
  const code = Number(py.runPython(RUN));
  if (code) throw new Error(`pytest ended with ${code}`);
});
