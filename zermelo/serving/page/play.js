// The tab Play: a play by clicks on the board or by the list of moves, against seats, with undo and hints.
import { Analysis } from "./analysis.js"
import { showChanges } from "./changes.js"
import { goByArrows } from "./choosing.js"
import { passTo } from "./curtain.js"
import { part } from "./elements.js"
import { game } from "./game.js"
import { mine } from "./mine.js"
import { Work } from "./panel.js"
import { clearMoves, clearPosition, showPosition } from "./position.js"
import { say } from "./saying.js"
import { CHANCE, Seats, YOU } from "./seats.js"
import { ask } from "./server.js"

/** Makes the tab work; gives the play. It goes on with the rules that it began with; before its first choice at the
 * keyboard it follows the text. */
export function startPlay() {
  const play = new Play()
  part("new-play").addEventListener("click", () => play.begin())
  part("undo").addEventListener("click", () => play.undo())
  part("flip").addEventListener("click", () => play.flip())
  part("hint").addEventListener("click", () => play.hint())
  goByArrows(part("moves"))
  game.addEventListener("changed", () => play.hear())
  game.addEventListener("replaced", () => play.forget())
  return play
}

class Play {
  isOn = false // whether the moves so far are those of a play of the game with these rules
  #rules = null // the question about the game as it was when the play began
  #hasSecrets = false // whether players at one screen must not look at each other's view
  #seer = null // with whose eyes the position on the page is seen
  #isFlipped = false // whether the board is seen from the other end
  #made = [] // moves and outcomes, each with who has made it
  #left = [] // those behind them that a change of the text has made illegal: the next change may bring them back
  #work = new Work(part("play-refused"))
  #seats = new Seats(() => this.#showAgain())
  #analysis = new Analysis((count) => this.#jump(count))

  /** The moves and outcomes so far. */
  get moves() {
    return this.#made.map(({ move }) => move)
  }

  /** The tab is to be seen. */
  look() {
    return this.isOn || this.resume()
  }

  /** A play that somebody else has begun: moves and outcomes, each with who has made it. */
  take(made) {
    this.forget()
    this.#made = made
  }

  /** The text has changed. */
  hear() {
    if (this.#hasBegun) return this.#compare()
    this.isOn = false
    this.#analysis.look(null)
    return this.#work.stop()
  }

  forget() {
    this.#made = []
    this.#left = []
    this.isOn = false
    showChanges(null)
  }

  begin() {
    this.forget()
    clearMoves() // those of the play before, which a click would not make
    return this.resume()
  }

  /** Makes the moves so far in the game as it is now, those that are legal in it, and says if there are others. */
  async resume() {
    const rules = game.question
    const isShown = await this.#work.run(async (signal) => {
      const { players, has_secrets: hasSecrets } = await ask("/api/rules", rules, signal)
      const before = this.#made.concat(this.#left)
      const { kept } = await ask("/api/replay", { ...rules, play: before.map(({ move }) => move) }, signal)
      if (this.#seats.place(players)) this.#seer = null
      this.#rules = rules
      this.#hasSecrets = hasSecrets
      this.#compare()
      const stop = `The play has stopped after ${kept.length} of its ${before.length} moves`
      this.#made = kept
      this.#left = before.slice(kept.length)
      this.isOn = true
      const isCut = this.#left.length > 0 // before others at the seats go on
      await this.#goOn(signal)
      if (!isCut) return
      this.#advise(`The game has changed. ${stop}: the next one is not legal any more.`)
    })
    if (!isShown && !this.isOn) clearPosition()
  }

  /** Takes back what has been done since the last choice at the keyboard, and that choice. */
  undo() {
    let last = this.#made.pop()
    while (this.#made.length && this.#seats.of(last.actor) !== YOU) last = this.#made.pop()
    this.#left = []
    if (!this.#hasBegun && JSON.stringify(this.#rules) !== JSON.stringify(game.question)) this.isOn = false
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

  /** Whether there is a choice that somebody at the keyboard has made. */
  get #hasBegun() {
    return this.isOn && this.#made.some(({ actor }) => this.#seats.of(actor) === YOU)
  }

  #compare() {
    showChanges(this.#rules, { goOn: () => this.resume(), begin: () => this.begin() })
  }

  get #question() {
    return { ...this.#rules, play: this.moves }
  }

  /** Shows an earlier or later moment of the play: after so many of its moves. Nobody moves there before somebody at the
   * keyboard does, but at the end. */
  #jump(count) {
    if (!this.isOn) return this.resume()
    const play = this.#made.concat(this.#left)
    this.#made = play.slice(0, count)
    this.#left = play.slice(count)
    return this.#work.run((signal) => (this.#left.length ? this.#show(signal) : this.#goOn(signal)))
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
    let view = this.#seats.view(null, this.#seer)
    let here = await ask("/api/position", { ...this.#question, view, flipped: this.#isFlipped }, signal)
    if (this.#seats.view(here.actor, this.#seer) !== view) {
      view = this.#seats.view(here.actor, this.#seer)
      here = await ask("/api/position", { ...this.#question, view, flipped: this.#isFlipped }, signal)
    }
    if (this.#hasSecrets && this.#seats.isAnother(view, this.#seer)) await passTo(view, signal)
    this.#seer = view
    const { actor, status } = here
    const isYours = actor !== null && this.#seats.of(actor) === YOU
    const choices = isYours ? here.moves.concat(here.outcomes.map((outcome) => ({ ...outcome, cells: [], further: [] }))) : []
    const told = view === null ? this.#made.map((each) => `${each.actor}: ${each.move}`) : here.told
    const count = this.#made.length
    const choose = ({ text }) => {
      if (!this.isOn) return this.resume() // the board is that of an earlier text
      if (this.#made.length !== count) return null // a choice has been made, or taken back
      if (!this.#hasBegun) mine.version("a play began")
      this.#push(text, actor)
      return this.#work.run((later) => this.#goOn(later))
    }
    showPosition(here, choices, told, choose)
    part("flip").hidden = part("board").querySelector("[data-cell]:not(.entry)") === null
    const play = this.#made.concat(this.#left)
    const isLasting = isYours || actor === null || this.#left.length > 0
    this.#analysis.look(isLasting ? { question: this.#rules, here, view, play, count } : null)
    part("undo").disabled = this.#made.length === 0
    part("hint").disabled = choices.length === 0 || actor === CHANCE
    if (isYours || actor === null) say([told.at(-1), status].filter(Boolean).join(". "), part("play"))
    return here
  }
}
