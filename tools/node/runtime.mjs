// Pyodide in Node, from the folder npm's package was unpacked to.
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Boot the runtime; `options` go to loadPyodide. */
export async function boot(folder, options = {}) {
  const index = path.resolve(folder) + "/";
  const { loadPyodide } = await import(pathToFileURL(index + "pyodide.mjs"));
  return loadPyodide({ indexURL: index, ...options });
}

/** Run a main function; a Python or JavaScript error ends the process with its text. */
export async function main(action) {
  try {
    await action();
    process.exit(0); // Pyodide keeps handles open
  } catch (error) {
    console.error(error?.stack ?? String(error));
    process.exit(1);
  }
}
