// Who makes the moves of each player, and who looks at the board.
import { make, part } from "./elements.js"

const SEATS = {
  you: "You",
  best: "The best move",
  random: "At random",
  "mcts:100": "100 simulations",
  "mcts:1000": "1,000 simulations",
  "mcts:10000": "10,000 simulations",
  pimc: "Averages over deals",
  ismcts: "Sampled plays",
}
export const CHANCE = "chance"
export const YOU = "you"
const MOVER = ""
const EVERYTHING = "*"

/** The choice of seats for the players of a game. */
export class Seats {
  #players = []

  constructor(changed) {
    this.changed = changed
    part("seen-by").addEventListener("change", changed)
  }

  /** Another game: everybody sits at the keyboard, chance is drawn. The same players keep their seats. Says whether they
   * are others. */
  place(players) {
    if (players.join("\n") === this.#players.join("\n")) return false
    this.#players = players
    part("seats").replaceChildren(
      ...players.map((player, k) => this.#choice(player, `seat-${k}`, SEATS)),
      this.#choice("Chance", "seat-chance", { draws: "Drawn at random", you: "You choose" }),
    )
    const views = [[MOVER, "the player to move"], ...players.map((player) => [player, player]), [EVERYTHING, "everybody"]]
    part("seen-by").replaceChildren(...views.map(([value, text]) => make("option", { value }, text)))
    return true
  }

  /** Whether the screen goes from one player at the keyboard to another one, of whom nobody has chosen to see the view. */
  isAnother(view, before) {
    const isSitting = (player) => player !== null && this.of(player) === YOU
    return part("seen-by").value === MOVER && view !== before && isSitting(view) && isSitting(before)
  }

  /** Who answers for an actor: `you`, or a name that the server knows; chance that draws has none. */
  of(actor) {
    if (actor === CHANCE) return part("seat-chance").value === YOU ? YOU : "random"
    return part(`seat-${this.#players.indexOf(actor)}`).value
  }

  /** The player with whose eyes the position is seen; null for all that is there. Where nobody is named it is whoever
   * moves at the keyboard, else whoever has looked `before`, and never one whose moves are made for them, but when
   * nobody sits there. */
  view(actor, before) {
    if (actor === CHANCE && this.of(CHANCE) === YOU) return null // whoever draws the cards sees them
    const wanted = part("seen-by").value
    if (wanted === EVERYTHING) return null
    if (wanted !== MOVER) return wanted
    const sitting = this.#players.filter((player) => this.of(player) === YOU)
    return [actor, before].find((player) => sitting.includes(player)) ?? sitting[0] ?? null
  }

  #choice(name, id, seats) {
    const options = Object.entries(seats).map(([value, text]) => make("option", { value }, text))
    return make(
      "p", { class: "field" },
      make("label", { for: id }, name),
      make("select", { id, change: this.changed }, options),
    )
  }
}
