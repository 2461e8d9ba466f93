// The games of this browser, each with its versions, in IndexedDB. Nothing is sent to anybody.

const MOST = 50 // versions of a game, of which the oldest are forgotten

/** Another tab has written the game since it was read here; `stored` is what stands there now. */
export class Conflict extends Error {
  constructor(stored) {
    super(`${stored.name} has been changed in another tab`)
    this.stored = stored
  }
}

let opening = null

/** All games, the latest first. */
export async function games() {
  const all = await within("readonly", (stored) => answer(stored.getAll()))
  return all.sort((one, other) => other.at - one.at)
}

/** The game with an `id`; null if there is none. */
export async function gameWith(id) {
  return (await within("readonly", (stored) => answer(stored.get(id)))) ?? null
}

/** Writes a game that was read here as the revision `known`. What another tab has written is not written over: throws
 * `Conflict`. A game that was deleted meanwhile is there again. */
export function write(game, known) {
  return within("readwrite", async (stored) => {
    const before = await answer(stored.get(game.id))
    if (before && before.revision !== known && before.source !== game.source) throw new Conflict(before)
    await answer(stored.put({ ...game, at: Date.now() }))
  })
}

/** Deletes a game and its versions. */
export function remove(id) {
  return within("readwrite", async (stored, versions) => {
    for (const number of await answer(versions.index("game").getAllKeys(id))) await answer(versions.delete(number))
    await answer(stored.delete(id))
  })
}

/** Keeps a version of a game, with the reason for it, unless it is the same as the one before. */
export function addVersion(game, source, reason) {
  return within("readwrite", async (_, versions) => {
    const before = await answer(versions.index("game").getAll(game))
    if (before.at(-1)?.source === source) return
    await answer(versions.add({ game, source, reason, at: Date.now() }))
    for (const { number } of before.slice(0, Math.max(0, before.length + 1 - MOST))) await answer(versions.delete(number))
  })
}

/** The versions of a game, the latest first. */
export async function versionsOf(game) {
  return (await within("readonly", (_, versions) => answer(versions.index("game").getAll(game)))).reverse()
}

/** Runs `work(games, versions)` as one transaction; what comes of it is known when all is stored. */
async function within(mode, work) {
  const transaction = (await database()).transaction(["games", "versions"], mode)
  const ended = new Promise((done, failed) => {
    transaction.oncomplete = () => done()
    transaction.onabort = () => failed(transaction.error)
  })
  try {
    const result = await work(transaction.objectStore("games"), transaction.objectStore("versions"))
    await ended
    return result
  } catch (failed) {
    ended.catch(() => {}) // the reason is `failed`
    if (!(failed instanceof DOMException)) transaction.abort() // the browser has done so already for its own errors
    throw failed
  }
}

function database() {
  opening ??= new Promise((done, failed) => {
    const request = indexedDB.open("zermelo", 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore("games", { keyPath: "id" })
      const versions = request.result.createObjectStore("versions", { keyPath: "number", autoIncrement: true })
      versions.createIndex("game", "game")
    }
    request.onsuccess = () => done(request.result)
    request.onerror = () => {
      opening = null // it may be possible later
      failed(request.error)
    }
  })
  return opening
}

function answer(request) {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result)
    request.onerror = () => failed(request.error)
  })
}
