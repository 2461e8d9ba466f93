// The tab Play: a play by clicks on the board or by the list of moves, against seats, with undo and hints.
import { goByArrows } from "./choosing.js"
import { part } from "./elements.js"
import { game } from "./game.js"
import { mine } from "./mine.js"
import { Work } from "./panel.js"
import { clearPosition, showPosition } from "./position.js"
import { say } from "./saying.js"
import { CHANCE, Seats, YOU } from "./seats.js"
import { ask } from "./server.js"

/** The function that shows the tab. If the game has changed the play goes on as far as it can. */
export function startPlay() {
  const play = new Play()
  part("new-play").addEventListener("click", () => play.begin())
  part("undo").addEventListener("click", () => play.undo())
  part("flip").addEventListener("click", () => play.flip())
  part("hint").addEventListener("click", () => play.hint())
  goByArrows(part("moves"))
  game.addEventListener("changed", () => play.end())
  game.addEventListener("replaced", () => play.forget())
  return () => play.isOn || play.resume()
}

class Play {
  isOn = false // whether the moves so far are those of a play of the game as it is now
  #isFlipped = false // whether the board is seen from the other end
  #made = [] // moves and outcomes, each with who has made it
  #left = [] // those behind them that a change of the text has made illegal: the next change may bring them back
  #work = new Work(part("play-refused"))
  #seats = new Seats(() => this.#showAgain())

  end() {
    this.isOn = false
    this.#work.stop()
  }

  forget() {
    this.#made = []
    this.#left = []
  }

  begin() {
    mine.version("a play began")
    this.forget()
    return this.resume()
  }

  /** Makes the moves so far in the game as it is now, those that are legal in it, and says if there are others. */
  async resume() {
    const isShown = await this.#work.run(async (signal) => {
      const { players } = await ask("/api/rules", game.question, signal)
      this.#seats.place(players)
      const before = this.#made.concat(this.#left)
      const { kept } = await ask("/api/replay", { ...game.question, play: before.map(({ move }) => move) }, signal)
      const stop = `The play has stopped after ${kept.length} of its ${before.length} moves`
      this.#made = kept
      this.#left = before.slice(kept.length)
      this.isOn = true
      const isCut = this.#left.length > 0 // before others at the seats go on
      await this.#goOn(signal)
      if (!isCut) return
      this.#advise(`The game has changed. ${stop}: the next one is not legal any more.`)
    })
    if (!isShown) clearPosition()
  }

  /** Takes back what has been done since the last choice at the keyboard, and that choice. */
  undo() {
    let last = this.#made.pop()
    while (this.#made.length && this.#seats.of(last.actor) !== YOU) last = this.#made.pop()
    this.#left = []
    return this.#showAgain()
  }

  flip() {
    this.#isFlipped = !this.#isFlipped
    part("flip").setAttribute("aria-pressed", String(this.#isFlipped))
    return this.#showAgain()
  }

  hint() {
    if (!this.isOn) return this.resume()
    return this.#work.run(async (signal) => {
      const { said } = await ask("/api/hint", this.#question, signal)
      this.#advise(said)
    })
  }

  #showAgain() {
    return this.isOn ? this.#work.run((signal) => this.#goOn(signal)) : this.resume()
  }

  #advise(said) {
    part("advice").textContent = said
    say(said, part("play"))
  }

  #push(move, actor) {
    this.#made.push({ move, actor })
    this.#left = []
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
      this.#push(move, actor)
    }
  }

  /** Shows the position to whom it may be shown. Who that is depends on who is to move, which is asked first with the
   * eyes of the one who has looked at it last. */
  async #show(signal) {
    let view = this.#seats.view(null)
    let here = await ask("/api/position", { ...this.#question, view, flipped: this.#isFlipped }, signal)
    if (this.#seats.view(here.actor) !== view) {
      view = this.#seats.view(here.actor)
      here = await ask("/api/position", { ...this.#question, view, flipped: this.#isFlipped }, signal)
    }
    const { actor, status } = here
    const isYours = actor !== null && this.#seats.of(actor) === YOU
    const choices = isYours ? here.moves.concat(here.outcomes.map((outcome) => ({ ...outcome, cells: [] }))) : []
    const told = view === null ? this.#made.map((each) => `${each.actor}: ${each.move}`) : here.told
    let isOpen = true
    const choose = ({ text }) => {
      if (!this.isOn) return this.resume() // the board is that of an earlier text
      if (!isOpen) return null
      isOpen = false
      this.#push(text, actor)
      return this.#work.run((later) => this.#goOn(later))
    }
    showPosition(here, choices, told, choose)
    part("flip").hidden = part("board").querySelector("[data-cell]") === null
    part("undo").disabled = this.#made.length === 0
    part("hint").disabled = choices.length === 0 || actor === CHANCE
    if (isYours || actor === null) say([told.at(-1), status].filter(Boolean).join(". "), part("play"))
    return here
  }
}
