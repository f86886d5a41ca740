// Everything the person keeps, on this device: key → {rev, text}, swapped only over the expected rev.

const STORE = "entries";

const settle = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const sound = (value) =>
  Number.isInteger(value?.rev) && typeof value?.text === "string" ? value : null;

/** What a write over `stored` answers: null lets it pass. */
function verdict(stored, expected) {
  const entry = sound(stored);
  if ((entry?.rev ?? 0) === expected) return null;
  return "conflict:" + JSON.stringify(entry);
}

class Database {
  kind = "indexeddb";

  constructor(db) {
    this.db = db;
  }

  async load() {
    const store = this.db.transaction(STORE).objectStore(STORE);
    const [keys, values] = await Promise.all([settle(store.getAllKeys()), settle(store.getAll())]);
    return Object.fromEntries(keys.map((key, i) => [key, sound(values[i])]).filter(([, v]) => v));
  }

  /** Read, compare and write in one transaction: two tabs cannot both win. */
  swap(key, expected, write) {
    return new Promise((resolve) => {
      let transaction, answer;
      try {
        transaction = this.db.transaction(STORE, "readwrite", { durability: "strict" });
      } catch (error) {
        return resolve("failed:" + error.name);
      }
      transaction.oncomplete = () => resolve(answer ?? "ok");
      transaction.onabort = () => resolve("failed:" + (transaction.error?.name ?? "abort"));
      const store = transaction.objectStore(STORE);
      const reading = store.get(key);
      reading.onsuccess = () => {
        answer = verdict(reading.result, expected);
        try {
          if (!answer) write(store);
        } catch (error) {
          transaction.abort();
          answer = "failed:" + error.name;
          return resolve(answer);
        }
        transaction.commit?.(); // do not wait for the next turn: the tab may be killed
      };
    });
  }

  put(key, text, rev) {
    return this.swap(key, rev - 1, (store) => store.put({ rev, text }, key));
  }

  remove(key, rev) {
    return this.swap(key, rev, (store) => store.delete(key));
  }
}

class Memory {
  kind = "memory";
  entries = new Map();

  async load() {
    return Object.fromEntries(this.entries);
  }

  async put(key, text, rev) {
    const answer = verdict(this.entries.get(key), rev - 1);
    if (!answer) this.entries.set(key, { rev, text });
    return answer ?? "ok";
  }

  async remove(key, rev) {
    const answer = verdict(this.entries.get(key), rev);
    if (!answer) this.entries.delete(key);
    return answer ?? "ok";
  }
}

/** The database `name`; where the browser refuses one, memory that lasts as long as the page. */
export async function openStore(name) {
  try {
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    const db = await settle(request);
    db.onversionchange = () => db.close(); // a newer build wants to change the shape
    return new Database(db);
  } catch {
    return new Memory();
  }
}
