// Unpacks the snapshot once more, for the next visit: in a worker of its own, that ends with its memory.
import { Memory } from "./memory.js";

self.onmessage = async ({ data: assets }) => {
  const get = async (name) => {
    const response = await fetch(new URL(assets[name].url, new URL("../", self.location)));
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return response;
  };
  try {
    await new Memory(assets, get).keep();
  } catch (error) {
    // No room, no caches, no connection: the next visit unpacks it as this one did.
    console.info(`Python's memory was not kept unpacked: ${error.message}`);
  }
  self.close();
};
