/**
 * What was done on this phone and not yet taken by the server: kept in order, sent once, and never lost by a reload.
 *
 * An action is `{id, game, address, page, fields, label, state, sentence}`; `fields` are the form's, as pairs, and hold the
 * client id by which the server knows a repeat. `state` is "waiting", or "refused" with the server's sentence.
 */

export const WAITING = "waiting";
export const REFUSED = "refused";

export class Outbox {
  /**
   * @param {object} parts
   * @param {{all: () => Promise<object[]>, put: (action: object) => Promise<object>, remove: (id: number) => Promise<void>}} parts.store
   * @param {(action: object) => Promise<{outcome: "done"|"refused"|"away"}>} parts.send sends one action
   * @param {(action: object, answer: object, fresh: boolean) => boolean} parts.answered called for each answer; for a refusal
   *   of something just done it tells whether the user has it before them again, so that it need not be kept
   * @param {(actions: object[]) => void} parts.changed called with all that is kept, whenever that changes
   */
  constructor({ store, send, answered, changed }) {
    Object.assign(this, { store, send, answered, changed });
    this.fresh = new Set();
    this.running = null;
  }

  /** Keep an action, and try to send it with all that wait before it. */
  async add(action) {
    const kept = await this.store.put({ ...action, state: WAITING, sentence: "" });
    this.fresh.add(kept.id);
    await this.#tell();
    return this.flush();
  }

  /** Try a refused action again, as if it had just been done. */
  async again(id) {
    const action = (await this.store.all()).find((kept) => kept.id === id);
    if (!action) return true;
    await this.store.put({ ...action, state: WAITING, sentence: "" });
    this.fresh.add(id);
    return this.flush();
  }

  async discard(id) {
    await this.store.remove(id);
    await this.#tell();
  }

  /** Send what waits, oldest first. Gives false as soon as the server can't be reached; what is refused stops nothing. */
  flush() {
    if (this.running) {
      this.more = true;
      return this.running;
    }
    this.running = this.#flush().finally(() => (this.running = null));
    return this.running;
  }

  async #flush() {
    do {
      this.more = false;
      for (const action of await this.store.all()) {
        if (action.state !== WAITING) continue;
        const answer = await this.send(action);
        const fresh = this.fresh.delete(action.id);
        if (answer.outcome === "away") {
          this.fresh.clear();
          await this.#tell();
          return false;
        }
        if (this.answered(action, answer, fresh) || answer.outcome === "done") await this.store.remove(action.id);
        else await this.store.put({ ...action, state: REFUSED, sentence: answer.sentence });
        await this.#tell();
      }
    } while (this.more);
    return true;
  }

  async #tell() {
    this.changed(await this.store.all());
  }
}

/** A store that a reload empties: for browsers that keep nothing. */
export class MemoryStore {
  #actions = new Map();
  #next = 1;

  async all() {
    return [...this.#actions.values()];
  }

  async put(action) {
    const kept = { ...action, id: action.id ?? this.#next++ };
    this.#actions.set(kept.id, kept);
    return kept;
  }

  async remove(id) {
    this.#actions.delete(id);
  }
}

const NAME = "continental";
const TABLE = "actions";

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** A store in the browser's own database, which plain http has too. */
export class DatabaseStore {
  constructor(database) {
    this.database = database;
  }

  static async open(factory = globalThis.indexedDB) {
    const request = factory.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(TABLE, { keyPath: "id", autoIncrement: true });
    return new DatabaseStore(await done(request));
  }

  #table(mode) {
    return this.database.transaction(TABLE, mode).objectStore(TABLE);
  }

  async all() {
    return done(this.#table("readonly").getAll());
  }

  async put(action) {
    const id = await done(this.#table("readwrite").put(action));
    return { ...action, id };
  }

  async remove(id) {
    await done(this.#table("readwrite").delete(id));
  }
}

/** The database where there is one, else memory. */
export async function openStore() {
  try {
    return await DatabaseStore.open();
  } catch {
    return new MemoryStore();
  }
}
