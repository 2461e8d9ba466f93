// The game that is written here as one of my games: its name, its versions, and the file that it is in, if it is in one.
// A text becomes one of my games as soon as it is changed, and is kept as it is written.
import { NotRead, isOlderThanFile, saveFile } from "./files.js"
import { Conflict, addVersion, gameWith, games, write } from "./store.js"

const PAUSE = 500 // milliseconds without a change after which a text is kept
const SPELL = 5 * 60_000 // milliseconds of writing after which there is another version

/** A game that is in no store yet: its text as it came and, of a file, how its lines end and where it is. */
const FRESH = { id: null, revision: null, name: "", isNamed: false, ends: "\n", handle: null, modified: null, inFile: null }

/** Tells `kept` whenever something has been kept, or is to be, or cannot be, or another game is open. */
class Mine extends EventTarget {
  #open = opened({ ...FRESH, source: "" })
  #pause = 0
  #latest = Promise.resolve() // one thing after the other

  get name() {
    return this.#open.record.name || nameFor(this.#open.source)
  }

  get id() {
    return this.#open.record.id
  }

  /** Why the text is not kept; null if nothing stands against it. */
  get failure() {
    return this.#open.failure
  }

  /** The game as another tab has written it since it was read here; null if none has. */
  get conflict() {
    return this.#open.conflict
  }

  /** Whether the text is in the store, or as it came, just as it stands here. */
  get isKept() {
    return this.#open.record.source === this.#open.source
  }

  get isInFile() {
    return this.#open.record.inFile === this.#open.source
  }

  /** What finds the game again after a reload: its `id`, and the revisions of it that may be those of this tab, the one
   * that is written next among them: the page may end before it knows that this has been stored. */
  get mark() {
    return this.#open.mark
  }

  /** Another game takes the place of this one: a text, what has been read from a file, or one of my games. */
  begin(game) {
    const before = this.#open
    this.#open = opened({ ...FRESH, ...game })
    this.#do(before, () => keep(before))
    return this.keep()
  }

  /** A text that was left here goes on being the same one of my games. */
  resume(source, mark) {
    const [before, open] = [this.#open, opened({ ...FRESH, source: "" })]
    this.#open = open
    this.#do(before, () => keep(before))
    open.source = source
    open.mark = mark ?? open.mark
    return this.#do(open, async () => {
      const { id, revisions } = open.mark
      const stored = await gameWith(id)
      if (stored) open.record = { ...stored, revision: revisions.includes(stored.revision) ? stored.revision : null }
      open.mark = marked(open.record, id)
      await keep(open)
    })
  }

  /** The text has changed. */
  write(source) {
    if (source.length < this.#open.source.length / 2) this.version("before much was deleted")
    const wasKept = this.isKept
    this.#open.source = source
    if (wasKept && !this.isKept) this.dispatchEvent(new Event("kept"))
    clearTimeout(this.#pause)
    this.#pause = setTimeout(() => this.keep(), PAUSE)
  }

  /** Keeps the text now, not waiting for a pause. */
  keep() {
    const open = this.#open
    clearTimeout(this.#pause)
    return this.#do(open, () => keep(open))
  }

  /** Another name. The next file to be saved is another one, too. */
  rename(name) {
    const open = this.#open
    return this.#do(open, () => {
      open.record = { ...open.record, name: ending(name), isNamed: true, handle: null, inFile: null }
      return keep(open, true)
    })
  }

  /** Makes a version of the text as it is at this moment, if it is one of my games. */
  version(reason) {
    const open = this.#open
    const { source } = open
    return this.#do(open, async () => {
      await keep(open)
      if (open.record.id === null) return
      await addVersion(open.record.id, source, reason)
      open.since = Date.now()
    })
  }

  /** Where another tab has written the same game: this text becomes a game of its own. */
  separate() {
    const open = this.#open
    open.conflict = null
    open.record = { ...open.record, ...FRESH, ends: open.record.ends, source: "" }
    open.mark = marked(open.record)
    return this.keep()
  }

  /** Where another tab has written the same game: the text of that tab; the one of this tab becomes a version of it. */
  async giveWay() {
    const open = this.#open
    const { conflict, source } = open
    await this.#do(open, () => addVersion(conflict.id, source, "of a tab that gave way to another one"))
    return conflict
  }

  /** Saves the text into its file, or one that the user chooses, and says which; null if none. Throws `NotRead` if
   * another program has written the file, unless that `isMeant` to be written over. */
  async save(isMeant = false) {
    const open = this.#open
    const { record, source } = open
    if (!isMeant && (await isOlderThanFile(record))) {
      throw Object.assign(new NotRead(`another program has changed ${record.name} since it was read here`), { isChanged: true })
    }
    const saved = await saveFile(this.name, source.replaceAll("\n", record.ends), record.handle)
    if (saved === null) return null
    await this.#do(open, async () => {
      open.record = { ...open.record, ...saved, isNamed: true, inFile: source }
      await keep(open, true)
      await addVersion(open.record.id, source, `saved as ${saved.name}`)
    })
    return saved.name
  }

  /** Does a piece of work for a game after those before it, and notes what stood against it. */
  #do(open, work) {
    this.#latest = this.#latest.then(async () => {
      try {
        await work()
        open.failure = null
      } catch (failed) {
        if (failed instanceof Conflict) open.conflict = failed.stored
        else if (failed instanceof DOMException) open.failure = failed
        else throw failed
      }
      this.dispatchEvent(new Event("kept"))
    })
    return this.#latest
  }
}

export const mine = new Mine()

/** A game that is open: its `record` in the store, or as it came; its text now; when its last version was made; and what
 * stands against keeping it. */
function opened(record) {
  return { record, source: record.source, mark: marked(record), since: Date.now(), failure: null, conflict: null }
}

/** What finds a game again, as `Mine.mark` has it: by its `id`, or by the one that it is going to have. */
function marked(record, id = crypto.randomUUID()) {
  return { id: record.id ?? id, revisions: [record.revision, crypto.randomUUID()] }
}

/** Keeps a game as one of mine, unless it is just as it came or as it was kept. */
async function keep(open, isMeant = false) {
  const { record, source } = open
  const isNew = record.id === null
  if (record.source === source && !isMeant && !(isNew && record.isNamed)) return
  const name = record.isNamed || !isNew ? record.name : await freeName(source)
  const next = { ...record, id: open.mark.id, name, source, revision: open.mark.revisions[1] }
  await write(next, record.revision)
  open.record = next
  open.mark = marked(next)
  if (isNew && record.source !== source && record.source.trim()) await addVersion(next.id, record.source, "as it came")
  if (Date.now() - open.since < SPELL) return
  open.since = Date.now()
  await addVersion(next.id, source, "while writing")
}

/** A name after the title of a game, and none that another one of my games has. */
async function freeName(source) {
  const taken = new Set((await games()).map(({ name }) => name))
  const name = nameFor(source)
  for (let k = 1; ; k += 1) {
    const numbered = k === 1 ? name : name.replace(/\.game$/, `_${k}.game`)
    if (!taken.has(numbered)) return numbered
  }
}

function nameFor(source) {
  const title = titleOf(source) ?? ""
  return ending(title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "_").replace(/^_|_$/g, "") || "game")
}

/** The title of a game; null if its text has none. */
export function titleOf(source) {
  return /^game\s+"([^"\n]*)"/m.exec(source)?.[1] ?? null
}

function ending(name) {
  return name.endsWith(".game") ? name : `${name}.game`
}
