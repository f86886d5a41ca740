// Byte-compile archives with pyodide-build's own py-compile, inside the interpreter of the target.
// usage: node compile.mjs RUNTIME PYODIDE_BUILD_WHEEL PACKAGING_WHEEL (IN OUT)…
import fs from "node:fs";
import path from "node:path";
import { boot, main } from "./runtime.mjs";

// SOURCE_DATE_EPOCH makes py_compile write hash-based byte code: no dates in it.
const ENV = { SOURCE_DATE_EPOCH: "1577836800", PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" };

const COMPILE = `
import contextlib, logging, pathlib, sys, types
sys.path[:0] = ["/tools/pyodide_build.whl", "/tools/packaging.whl"]
# Only for the looks of a terminal and for the folders of a user: neither is here.
logger = types.ModuleType("pyodide_build.logger")
logger.logger = logging.getLogger("pyodide_build")
logger.set_log_level = lambda *_: contextlib.nullcontext()
sys.modules["pyodide_build.logger"] = logger
sys.modules["platformdirs"] = types.ModuleType("platformdirs")
from pyodide_build._py_compile import _compile
_compile(pathlib.Path(source), pathlib.Path(target), verbose=False)
`;

await main(async () => {
  const [runtime, build, packaging, ...jobs] = process.argv.slice(2);
  const py = await boot(runtime, { env: ENV });
  py.FS.mkdir("/tools");
  py.FS.writeFile("/tools/pyodide_build.whl", fs.readFileSync(build));
  py.FS.writeFile("/tools/packaging.whl", fs.readFileSync(packaging));
  for (let i = 0; i < jobs.length; i += 2) {
    const source = "/tools/" + path.basename(jobs[i]);
    py.FS.writeFile(source, fs.readFileSync(jobs[i]));
    py.runPython(COMPILE, { globals: py.toPy({ source, target: "/tools/out.zip" }) });
    fs.writeFileSync(jobs[i + 1], py.FS.readFile("/tools/out.zip"));
  }
});
