// Analysis: what each move of a position is worth, beside the moves and on the board, and how best play goes on. What is
// found comes as it is found, and the search ends when another position is looked at.
import { Course } from "./course.js"
import { make, part } from "./elements.js"
import { say } from "./saying.js"
import { CHANCE } from "./seats.js"
import { Refused, follow } from "./server.js"
import { markBoard } from "./worths.js"

const NOTHING = { moves: [], values: {}, line: [], isExact: false }

/** Analyses positions while it is switched on. `jump(count)` hears of a moment of the play that is to be shown: after
 * so many moves. */
export class Analysis {
  #course
  #isOn = false
  #saying = "" // what a screen reader is told next, after it has been switched on: what is found, and what is exact
  #rules = "" // the question about the game of which something is known
  #known = new Map() // what has been found, by the play and who looks
  #search = new AbortController()
  #moment = null // what is on the board
  #listed = { choices: [], chosen: [] }

  constructor(jump) {
    this.#course = new Course(jump)
    part("analyse").addEventListener("click", () => this.#toggle())
    part("moves").addEventListener("listed", ({ detail }) => {
      this.#listed = detail
      this.#mark()
    })
    part("board").addEventListener("cleared", () => {
      this.look(null)
      this.#course.clear()
    })
    new MutationObserver(() => this.#begin()).observe(part("play"), { attributeFilter: ["hidden"] })
  }

  /** A position is on the board, null for one that is gone in a moment: `here`, as the server tells it, seen with the
   * eyes of `view`, in the game of a `question`, after so many, `count`, of the moves of a `play`. */
  look(moment) {
    this.#moment = moment
    const rules = moment ? JSON.stringify(moment.question) : this.#rules
    if (rules !== this.#rules) this.#known.clear()
    this.#rules = rules
    if (this.#saying === "exact") this.#saying = ""
    this.#begin()
  }

  stop() {
    this.#search.abort()
  }

  #toggle() {
    this.#isOn = !this.#isOn
    this.#saying = this.#isOn ? "found" : ""
    part("analyse").setAttribute("aria-pressed", String(this.#isOn))
    this.#begin()
  }

  /** Looks at the position on the board and, as soon as something has been found, at the others of the play, too: first
   * briefly, and from the last one back until their values are exact, as long as they are found to be. */
  async #begin() {
    this.stop()
    this.#search = new AbortController()
    const { signal } = this.#search
    part("analysis").hidden = !this.#isOn
    this.#show()
    if (!this.#isOn || this.#moment === null || part("play").hidden) return
    const { play, count, here } = this.#moment
    const others = play.map((_, k) => k).filter((k) => k !== count && this.#isTold(k)).reverse()
    let found = Promise.resolve()
    if (here.actor !== null) {
      await new Promise((heard) => {
        found = this.#find(count, false, signal, heard)
        found.finally(heard)
      })
    }
    for (const other of others) await this.#find(other, true, signal)
    await found
    for (const other of here.actor === null ? others : [count, ...others]) {
      await this.#find(other, false, signal)
      if (signal.aborted || !this.#foundAt(other)?.isExact) return
    }
  }

  /** The moments of the play that have a place in the course of the value, what is on the board and the last one among
   * them: how many moves have been made. */
  #moments() {
    const { play, count } = this.#moment
    return Array.from({ length: play.length + 1 }, (_, k) => k).filter((k) => k === count || k === play.length || this.#isTold(k))
  }

  /** Whether somebody may know of the position after so many moves, and what it is worth. */
  #isTold(count) {
    const { play, here, view } = this.#moment
    const { actor } = play[count]
    return here.isOpen || (actor !== CHANCE && (view === null || view === actor))
  }

  /** Asks what is known of the position after so many moves; `isBrief`: what is found soon will do. `first` is called
   * when something has been found. */
  async #find(count, isBrief, signal, first = () => {}) {
    if (signal.aborted) return
    const asked = this.#asked(count)
    const key = keyOf(asked)
    const before = this.#known.get(key)
    if (before?.isDone || before?.isExact || (before && isBrief)) return
    const note = (found) => {
      this.#known.set(key, found)
      this.#show()
      first()
    }
    try {
      await follow("/api/analysis", { ...asked, brief: isBrief }, signal, (kind, data) => {
        if (signal.aborted) return
        if (kind === "refused") throw new Refused(data)
        if (kind !== "progress") note({ ...data, isDone: !isBrief })
        else if (data.text.startsWith("{")) note(JSON.parse(data.text)) // and not words about waiting
      })
    } catch (failed) {
      if (failed.name === "AbortError" || signal.aborted) return
      if (!(failed instanceof Refused)) throw failed
      const found = this.#known.get(key)
      if (!isBrief) note({ ...(found ?? { ...NOTHING, said: failed.message }), isDone: true })
    }
  }

  /** The question about the position after so many moves. Where nothing is hidden it is the same for all who look. */
  #asked(count) {
    const { question, play, here, view } = this.#moment
    return { ...question, play: play.slice(0, count).map(({ move }) => move), view: here.isOpen ? null : view }
  }

  #foundAt(count) {
    return this.#known.get(keyOf(this.#asked(count))) ?? null
  }

  #show() {
    this.#mark()
    const found = this.#moment && this.#foundAt(this.#moment.count)
    part("known").textContent = this.#moment?.here.actor ? saidOf(found) : ""
    const line = found?.line ?? []
    part("best-line").textContent = line.length ? `Best play: ${line.map(({ move }) => move).join(", ")}` : ""
    if (this.#moment === null || !this.#isOn) return
    const moments = this.#moments()
    part("course").hidden = moments.length < 2
    this.#course.show({ ...this.#moment, moments, found: moments.map((count) => this.#foundAt(count)) })
    if (found?.moves.length && (this.#saying === "found" || (this.#saying === "exact" && found.isExact))) this.#say(found)
  }

  #say({ moves, said, isExact }) {
    this.#saying = isExact ? "" : "exact"
    const best = moves.find(({ isBest }) => isBest)
    say([best && `best: ${best.move}, ${best.text}`, said].filter(Boolean).join(". "), part("play"))
  }

  /** Writes what is known beside the moves that are listed, and on the board. */
  #mark() {
    const found = this.#isOn && this.#moment ? this.#foundAt(this.#moment.count) : null
    const known = new Map((found?.moves ?? []).map((each) => [each.move, each]))
    for (const button of part("moves").querySelectorAll("button")) {
      button.querySelector(".worth")?.remove()
      const worth = known.get(button.dataset.move)
      if (worth) button.append(beside(worth, found.isExact))
    }
    markBoard(part("board").querySelector("svg"), this.#listed, known, found)
  }
}

function keyOf({ play, view }) {
  return JSON.stringify([play, view])
}

function saidOf(found) {
  if (found === null) return "looking …"
  if (found.said === "") return "What the moves are worth may be told to the player to move alone."
  return found.isDone || found.isExact ? found.said : `${found.said} …`
}

/** What a move is worth, behind its text. */
function beside({ text, mixing, standing, isBest }, isExact) {
  const words = [text, isBest && "best", mixing].filter(Boolean).join(", ")
  return make("span", { class: ["worth", standing, !isExact && "estimated", isBest && "best"].filter(Boolean).join(" ") }, words)
}
