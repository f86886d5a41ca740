// The snapshot of Python's memory: fetched packed the first time, kept unpacked for the next ones.
// It goes from hand to hand in pieces: thirty megabytes in one would stay as long again.

const BASE = new URL("../", import.meta.url);
const KEPT = "lovecraft-memory:" + BASE.pathname; // apart from the service worker's own caches

/** The pieces of a response's body. */
async function* streamed(response) {
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** Gives a piece's memory back now: a worker that waits for taps has no reason to collect it. */
function release(piece) {
  piece.buffer.transfer?.(0);
}

/** Pieces that are each good until the next is asked for. */
async function* passing(pieces) {
  for await (const piece of pieces) {
    yield piece;
    release(piece);
  }
}

/**
 * Zstandard in WebAssembly; each piece is a view of the decoder's memory, good until the next. What
 * is not the whole frame, or does not have its checksum, throws.
 */
function* unpacked(zstd, parts) {
  const room = zstd.ZSTD_DStreamOutSize();
  const step = zstd.ZSTD_DStreamInSize();
  const [from, to, state] = [zstd.malloc(step), zstd.malloc(room), zstd.malloc(24)];
  const context = zstd.ZSTD_createDCtx();
  let left = 1; // nought at the end of the frame, negative after an error
  for (const part of parts) {
    for (let at = 0; at < part.length; at += step) {
      const input = part.subarray(at, at + step);
      new Uint8Array(zstd.memory.buffer, from, input.length).set(input);
      // Two structures of the decoder's: its output and its input, each an address, a size, a position.
      new Uint32Array(zstd.memory.buffer, state, 6).set([to, room, 0, from, input.length, 0]);
      for (let more = true; more; ) {
        left = zstd.ZSTD_decompressStream(context, state, state + 12);
        if (left < 0) throw new Error("snapshot: damaged");
        const io = new Uint32Array(zstd.memory.buffer, state, 6); // the memory may have grown
        const made = io[2];
        more = left > 0 && (io[5] < io[4] || made === room);
        io[2] = 0;
        if (made) yield new Uint8Array(zstd.memory.buffer, to, made);
      }
    }
    release(part);
  }
  if (left) throw new Error("snapshot: cut short");
}

/** A Python's memory, by its name, the assets' table and a way to get one of them. */
export class Memory {
  kept = false; // it came as an earlier visit had kept it

  constructor(assets, get, mark = () => {}, name = "snapshot") {
    Object.assign(this, { name, get, mark });
    this.url = new URL(assets[`${name}.bin.zst`].url, BASE).href;
  }

  /** The response that an earlier visit has kept, or null. */
  async #recall() {
    try {
      return (await caches.match(this.url, { cacheName: KEPT })) ?? null;
    } catch {
      return null; // no caches here
    }
  }

  async #fetch() {
    const decoder = this.get("zstd.wasm").then((response) => response.arrayBuffer());
    decoder.catch(() => {}); // awaited below; until then it is nobody's unhandled rejection
    const parts = []; // not in one: the decoder lets go of each when it is done with it
    for await (const part of streamed(await this.get(`${this.name}.bin.zst`))) parts.push(part);
    this.mark("snapshot fetched");
    const env = { emscripten_notify_memory_growth() {} };
    const { instance } = await WebAssembly.instantiate(await decoder, { env });
    return unpacked(instance.exports, parts);
  }

  /** How the memory is laid out, and its pieces in order. */
  async load() {
    const layout = this.get(`${this.name}.json`).then((response) => response.json());
    const [meta, response] = await Promise.all([layout, this.#recall()]);
    this.kept = response !== null;
    const pieces = response ? passing(streamed(response)) : await this.#fetch();
    this.mark("snapshot ready");
    return { ...meta, pieces };
  }

  /** Keep it unpacked for the next visit, in the place of what an older build kept. */
  async keep() {
    const cache = await caches.open(KEPT);
    if (await cache.match(this.url)) return;
    for (const request of await cache.keys()) await cache.delete(request);
    const { pieces } = await this.load();
    const body = new ReadableStream({
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value.slice());
      },
    });
    await cache.put(this.url, new Response(body));
  }

  /** What was kept did not serve: let go of it; says whether there was any. */
  async forget() {
    return this.kept && caches.delete(KEPT);
  }
}
