// The board: moves are made where they are about something, by clicks, by dragging, or by keys. Whatever can come next is
// marked, and what a click would do is shown before it.
import { dragging } from "./dragging.js"
import { picture } from "./elements.js"

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

/** The picture of a position, whose places take clicks. */
export class Board {
  element = "" // nothing can be seen, or too much to be drawn
  chosen = [] // the names of the places that have been clicked
  #places = [] // where something can be clicked; one name may stand at several places, such as those of a column
  #moves
  #heard

  /** `heard.made(move)` hears of a move that is complete, `heard.begun(moves)` which ones go on from what has been
   * `chosen`, and `heard.shown(moves)` which ones would go on from the place that is pointed at. */
  constructor({ svg, moves }, heard) {
    this.#moves = moves
    this.#heard = heard
    if (svg === "") return
    this.element = picture(svg)
    this.#places = [...this.element.querySelectorAll("[data-cell]")].filter(({ dataset }) => (
      moves.some((move) => steps(move).includes(dataset.cell))
    ))
    if (this.#places.length === 0) return
    this.element.setAttribute("role", "group")
    for (const mark of this.element.children) if (!mark.matches("title, desc, [data-cell]")) mark.setAttribute("aria-hidden", "true")
    for (const place of this.#places) this.#listen(place)
    this.#mark()
  }

  /** Shows the places of a move; of none, what can be clicked. */
  point(move) {
    const cells = move ? move.cells : []
    for (const place of this.#all()) place.classList.toggle("target", cells.includes(place.dataset.cell))
  }

  /** Whether a click on a place can come next. */
  get goesOn() {
    return this.#places.some((place) => place.classList.contains("next"))
  }

  /** Gives the focus to the place with a name or, if nothing can be clicked there, to the first one; says whether there
   * is one. */
  focus(name) {
    const reached = this.#places.filter((place) => place.hasAttribute("tabindex"))
    const place = reached.find(({ dataset }) => dataset.cell === name) ?? reached[0]
    place?.focus()
    return place !== undefined
  }

  #all() {
    return this.element === "" ? [] : this.element.querySelectorAll("[data-cell]")
  }

  #listen(place) {
    const name = place.dataset.cell
    place.classList.add("open")
    place.setAttribute("role", "button")
    const isDragged = dragging(place, {
      begins: () => this.#begins(name),
      lifted: () => this.chosen.at(-1) !== name && this.#choose(name),
      dropped: (over) => this.#choose(this.#leads(over) ? over : name),
      leads: (over) => this.#leads(over),
    })
    place.addEventListener("click", () => isDragged() || this.#choose(name))
    place.addEventListener("keydown", (event) => this.#press(event, place))
    for (const kind of ["pointerenter", "focus"]) place.addEventListener(kind, () => this.#show(name))
    for (const kind of ["pointerleave", "blur"]) place.addEventListener(kind, () => this.#show(null))
  }

  /** The choices after which a click at a place would come. */
  #way(name) {
    return this.#continuing([...this.chosen, name]).length > 0 ? this.chosen : []
  }

  /** Whether a move goes on from a place to another one. */
  #begins(name) {
    const way = [...this.#way(name), name]
    return this.#continuing(way).some(({ cells }) => cells.length > way.length)
  }

  #leads(name) {
    return this.chosen.length > 0 && this.chosen.at(-1) !== name && this.#continuing([...this.chosen, name]).length > 0
  }

  #choose(name) {
    const isAgain = this.chosen.at(-1) === name && this.#continuing([...this.chosen, name]).length === 0
    const way = isAgain ? [] : [...this.#way(name), name]
    const left = this.#continuing(way)
    if (left.length === 1 && way.length >= left[0].cells.length) return this.#heard.made(left[0])
    this.chosen = left.length > 0 ? way : []
    this.#mark()
    this.#show(name)
    return this.#heard.begun(left.length > 0 ? left : this.#moves)
  }

  /** The moves whose places begin with some. */
  #continuing(way) {
    return this.#moves.filter((move) => way.every((name, k) => steps(move)[k] === name))
  }

  /** Marks what has been chosen, and what can come next; that can be reached by keys, too. */
  #mark() {
    const count = this.chosen.length
    const next = new Set(this.#continuing(this.chosen).map((move) => steps(move)[count]))
    for (const place of this.#all()) {
      const name = place.dataset.cell
      const isChosen = this.chosen.includes(name)
      place.classList.toggle("chosen", isChosen)
      place.classList.toggle("next", next.has(name))
      place.classList.toggle("movable", isChosen || (next.has(name) && this.#begins(name)))
      place.classList.toggle("unmarked", count > 0 && !next.has(name))
    }
    const reached = this.#places.filter((place) => next.has(place.dataset.cell) || this.chosen.includes(place.dataset.cell))
    const first = reached.find((place) => place === document.activeElement) ?? reached[0]
    for (const place of this.#places) {
      if (reached.includes(place)) place.setAttribute("tabindex", place === first ? "0" : "-1")
      else place.removeAttribute("tabindex")
      place.setAttribute("aria-pressed", String(this.chosen.includes(place.dataset.cell)))
      place.setAttribute("aria-label", this.#label(place.dataset.cell))
    }
  }

  #label(name) {
    const moves = this.#continuing([...this.#way(name), name])
    return moves.length ? `${name}: ${texts(moves)}` : name
  }

  /** Shows what a click at a place would do: the moves that it would leave, and where they go on. */
  #show(name) {
    const isChosen = name !== null && this.chosen.at(-1) === name
    const way = name === null || isChosen ? this.chosen : [...this.#way(name), name]
    const moves = this.#continuing(way)
    const targets = new Set(way.length > 0 && name !== null ? moves.map((move) => steps(move)[way.length]) : [])
    for (const place of this.#all()) place.classList.toggle("target", targets.has(place.dataset.cell))
    this.#heard.shown(name === null && this.chosen.length === 0 ? [] : moves)
  }

  #press(event, place) {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault()
      if (!event.repeat) this.#choose(place.dataset.cell)
    } else if (event.key === "Escape" && this.chosen.length > 0) {
      this.chosen = []
      this.#mark()
      this.#show(place.dataset.cell)
      this.#heard.begun(this.#moves)
    } else if (event.key in WAYS) {
      event.preventDefault()
      this.#nearest(place, WAYS[event.key])?.focus()
    }
  }

  /** The place that is nearest in a direction, of those that keys can reach. */
  #nearest(place, [right, down]) {
    const middle = (each) => {
      const { x, y, width, height } = each.getBoundingClientRect()
      return [x + width / 2, y + height / 2]
    }
    const [x, y] = middle(place)
    const far = this.#places.filter((each) => each.hasAttribute("tabindex") && each !== place).map((each) => {
      const [dx, dy] = [middle(each)[0] - x, middle(each)[1] - y]
      const [ahead, aside] = right !== 0 ? [dx * right, Math.abs(dy)] : [dy * down, Math.abs(dx)]
      return { each, ahead, distance: ahead + 2 * aside }
    })
    const near = far.filter(({ ahead }) => ahead > 1).sort((one, other) => one.distance - other.distance)[0]?.each
    if (near) for (const each of this.#places) if (each.hasAttribute("tabindex")) each.setAttribute("tabindex", each === near ? "0" : "-1")
    return near
  }
}

/** The places of a move in the order of the clicks, with those that are needed only where others have the same ones. */
export function steps({ cells, further }) {
  return [...cells, ...further]
}

/** Moves in a few words. */
export function texts(moves) {
  const several = moves.slice(0, 3).map(({ text }) => text).join(", ")
  return moves.length > 3 ? `${several} and ${moves.length - 3} more` : several
}
