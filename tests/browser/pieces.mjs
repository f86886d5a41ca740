// Unpacks a memory that comes in pieces of many sizes; prints the hash of each outcome once.
// usage: node pieces.mjs MEMORY_MJS DECODER PACKED
import { createHash } from "node:crypto";
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [module, decoder, packed] = process.argv.slice(2);
const { Memory } = await import(pathToFileURL(module));
const data = fs.readFileSync(packed);
const outcomes = new Set();
let random = 1;

/** The packed bytes in pieces as a network might hand them over. */
function pieces() {
  const cut = [];
  for (let at = 0; at < data.length; ) {
    random = (random * 48271) % 0x7fffffff;
    const size = random % 2 ? 65_536 : (random % 2_000_000) + 1;
    cut.push(new Uint8Array(data.subarray(at, (at += size))));
  }
  return ReadableStream.from(cut);
}

const files = {
  "zstd.wasm": () => fs.readFileSync(decoder),
  "a.json": () => "{}",
  "a.bin.zst": pieces,
};
const get = async (name) => new Response(files[name]());
for (let turn = 0; turn < 12; turn++) {
  const memory = await new Memory({ "a.bin.zst": { url: "a" } }, get, undefined, "a").load();
  const sum = createHash("sha256");
  for await (const piece of memory.pieces) sum.update(piece);
  outcomes.add(sum.digest("hex"));
}
console.log([...outcomes].join(" "));
