// The kernel's worker: Python begins to boot, then comes JupyterLite's own part, which asks for it.
import "./pyodide.mjs";
import "{{worker}}";
