// The tab Play: a play by clicks on the board or by the list of moves, against seats, with undo and hints.
import { goByArrows } from "./choosing.js"
import { part } from "./elements.js"
import { game } from "./game.js"
import { Work } from "./panel.js"
import { clearPosition, showPosition } from "./position.js"
import { say } from "./saying.js"
import { CHANCE, Seats, YOU } from "./seats.js"
import { ask } from "./server.js"

/** The function that shows the tab; a new play begins if the game has changed. */
export function startPlay() {
  const play = new Play()
  part("new-play").addEventListener("click", () => play.begin())
  part("undo").addEventListener("click", () => play.undo())
  part("hint").addEventListener("click", () => play.hint())
  goByArrows(part("moves"))
  game.addEventListener("changed", () => play.end())
  return () => play.isOn || play.begin()
}

class Play {
  isOn = false
  #made = [] // moves and outcomes, each with who has made it
  #work = new Work(part("play-refused"))
  #seats = new Seats(() => this.#work.run((signal) => this.#goOn(signal)))

  end() {
    this.isOn = false
    this.#work.stop()
  }

  async begin() {
    this.isOn = true
    this.#made = []
    const isShown = await this.#work.run(async (signal) => {
      const { players } = await ask("/api/rules", game.question, signal)
      this.#seats.place(players)
      await this.#goOn(signal)
    })
    if (!isShown) clearPosition()
  }

  /** Takes back what has been done since the last choice at the keyboard, and that choice. */
  undo() {
    let last = this.#made.pop()
    while (this.#made.length && this.#seats.of(last.actor) !== YOU) last = this.#made.pop()
    return this.#work.run((signal) => this.#goOn(signal))
  }

  hint() {
    return this.#work.run(async (signal) => {
      const { said } = await ask("/api/hint", this.#question, signal)
      part("advice").textContent = said
      say(said, part("play"))
    })
  }

  get #question() {
    return { ...game.question, play: this.#made.map(({ move }) => move) }
  }

  /** Shows the position. As long as nobody at the keyboard is to choose, has the move made and goes on. */
  async #goOn(signal) {
    part("play-refused").replaceChildren()
    for (;;) {
      const { actor } = await this.#show(signal)
      if (actor === null || this.#seats.of(actor) === YOU) return
      const { move } = await ask("/api/reply", { ...this.#question, seat: this.#seats.of(actor) }, signal)
      this.#made.push({ move, actor })
    }
  }

  /** Shows the position to whom it may be shown. Who that is depends on who is to move, which is asked first with the
   * eyes of the one who has looked at it last. */
  async #show(signal) {
    let view = this.#seats.view(null)
    let here = await ask("/api/position", { ...this.#question, view }, signal)
    if (this.#seats.view(here.actor) !== view) {
      view = this.#seats.view(here.actor)
      here = await ask("/api/position", { ...this.#question, view }, signal)
    }
    const { actor, status } = here
    const isYours = actor !== null && this.#seats.of(actor) === YOU
    const choices = isYours ? here.moves.concat(here.outcomes.map((outcome) => ({ ...outcome, cells: [] }))) : []
    const told = view === null ? this.#made.map((each) => `${each.actor}: ${each.move}`) : here.told
    let isOpen = true
    const choose = ({ text }) => {
      if (!this.isOn) return this.begin() // the board is that of an earlier text
      if (!isOpen) return null
      isOpen = false
      this.#made.push({ move: text, actor })
      return this.#work.run((later) => this.#goOn(later))
    }
    showPosition(here, choices, told, choose)
    part("undo").disabled = this.#made.length === 0
    part("hint").disabled = choices.length === 0 || actor === CHANCE
    if (isYours || actor === null) say([told.at(-1), status].filter(Boolean).join(". "), part("play"))
    return here
  }
}
