// The course of the value over a play, for one player: a chart, a slider that goes through its moments, and the moves
// that lost something.
import { make, part } from "./elements.js"
import { shape } from "./worths.js"

const HEIGHT = 110
const [LEFT, RIGHT, TOP, BOTTOM] = [52, 14, 14, 16]
const NAMES = ["won", "drawn", "lost"]
const LEAST = 240 // pixels of its width

/** The course of the value; `jump(count)` hears of the moment that somebody wants to see. */
export class Course {
  #shown = null

  constructor(jump) {
    this.jump = jump
    part("moment").addEventListener("change", () => this.#go(Number(part("moment").value)))
    part("moment").addEventListener("input", () => this.#describe(Number(part("moment").value)))
    part("course-of").addEventListener("change", () => this.#draw())
  }

  /** Shows a play: who made its moves, and what has been `found` at some of its `moments`, null for nothing. `count` of
   * its moves have been made on the board, and `view` tells whose knowledge may be shown: somebody from whom something is
   * hidden is not told either how many moves others have made. */
  show(shown) {
    this.#shown = shown
    const { here, view } = shown
    const players = here.isOpen || view === null ? here.players : [view]
    const select = part("course-of")
    if (players.join("\n") !== [...select.options].map(({ value }) => value).join("\n")) {
      const kept = players.includes(select.value) ? select.value : players[0]
      select.replaceChildren(...players.map((player) => make("option", { value: player }, player)))
      select.value = kept
    }
    this.#draw()
  }

  /** Shows nothing of any play. */
  clear() {
    this.#shown = null
    part("course").hidden = true
    for (const id of ["course-of", "course-drawn", "moment-told", "losses"]) part(id).replaceChildren()
    part("moment").removeAttribute("aria-valuetext")
  }

  /** What each moment is worth to the player that is chosen: null where that is not known to them. */
  #points() {
    const { play, moments, found, here } = this.#shown
    const player = part("course-of").value
    return found.map((record, k) => {
      const count = moments[k]
      if (count === play.length && here.payoff) return atTheEnd(here.payoff[player])
      const isTheirs = here.isOpen || (play[count]?.actor ?? here.actor) === player
      return isTheirs ? (record?.values[player] ?? null) : null
    })
  }

  /** The moves that lost something, with the numbers of the moments before them. */
  #losses() {
    const { play, moments, found } = this.#shown
    return moments.flatMap((count, k) => {
      const { move, actor } = play[count] ?? {}
      const loss = found[k]?.moves.find((each) => each.move === move)?.loss
      return loss ? [{ move, actor, k, loss }] : []
    })
  }

  get #isAll() {
    return this.#shown.here.isOpen || this.#shown.view === null
  }

  #go(k) {
    this.jump(this.#shown.moments[k])
  }

  #draw() {
    const { moments, count } = this.#shown
    if (moments.length < 2) return
    const now = moments.indexOf(count)
    const points = this.#points()
    const losses = this.#losses()
    renew(part("course-drawn"), [chart(points, now, new Set(losses.map(({ k }) => k + 1)), (k) => this.#go(k))])
    const moment = part("moment")
    moment.max = String(moments.length - 1)
    moment.value = String(now)
    this.#describe(now)
    renew(
      part("losses"),
      losses.map(({ move, actor, k, loss }) => {
        const number = this.#isAll ? `${moments[k] + 1}. ` : ""
        const text = `${number}${actor}: ${move}, ${loss}`
        return make("li", {}, make("button", { type: "button", value: k, click: () => this.#go(k) }, text))
      }),
    )
    part("losses").hidden = losses.length === 0
  }

  #describe(k) {
    const { play, moments } = this.#shown
    const worth = this.#points()[k]
    const after = this.#isAll ? `after ${moments[k]} of ${play.length}` : `moment ${k + 1} of ${moments.length}`
    const when = moments[k] === 0 ? "at the beginning" : after
    const told = worth ? `${when}: ${worth.text} for ${part("course-of").value}` : when
    part("moment").setAttribute("aria-valuetext", told)
    part("moment-told").textContent = told
  }
}

/** Shows elements in a place. Where they are as before they stay: a click that has begun on them is not lost. */
function renew(place, elements) {
  const { children } = place
  const isSame = elements.length === children.length && elements.every((each, k) => each.isEqualNode(children[k]))
  if (!isSame) place.replaceChildren(...elements)
}

function atTheEnd(payoff) {
  const [above, below = 1] = payoff.split("/").map(Number)
  return { number: above / below, text: payoff, standing: "", span: null }
}

/** The values that are known, from moment to moment; `lost` are the moments behind moves that lost something. */
function chart(points, now, lost, jump) {
  const known = points.flatMap((point, k) => (point ? [{ ...point, k }] : []))
  const width = Math.max(LEAST, part("course-drawn").clientWidth)
  const span = known.find((point) => point.span)?.span
  const [low, high] = span ?? reachOf(known.map(({ number }) => number))
  const x = (k) => LEFT + (k / (points.length - 1)) * (width - LEFT - RIGHT)
  const y = (number) => TOP + ((high - number) / (high - low)) * (HEIGHT - TOP - BOTTOM)
  const grid = [high, (low + high) / 2, low].flatMap((number, k) => [
    shape("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(number), y2: y(number) }),
    shape("text", { class: "tick", x: LEFT - 6, y: y(number) + 4, "text-anchor": "end" }, span ? NAMES[k] : short(number)),
  ])
  const line = known.map(({ k, number }) => `${x(k)},${y(number)}`).join(" ")
  const dots = known.map(({ k, number, standing }) => (
    shape("circle", { class: `moment ${standing}`, cx: x(k), cy: y(number), r: 3.5 })
  ))
  const marks = known.filter(({ k }) => lost.has(k)).map(({ k, number }) => {
    const place = { x: x(k), y: y(number) + (y(number) < TOP + 20 ? 18 : -7) }
    return shape("text", { class: "lost-here", ...place, "text-anchor": "middle" }, "?")
  })
  const drawn = shape(
    "svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", "aria-hidden": "true" },
    ...grid,
    shape("line", { class: "now", x1: x(now), x2: x(now), y1: TOP - 8, y2: HEIGHT - BOTTOM + 8 }),
    shape("polyline", { class: "course", points: line }),
    ...dots,
    ...marks,
  )
  drawn.addEventListener("click", (event) => {
    const box = drawn.getBoundingClientRect()
    const share = (((event.clientX - box.left) / box.width) * width - LEFT) / (width - LEFT - RIGHT)
    jump(Math.round(Math.min(1, Math.max(0, share)) * (points.length - 1)))
  })
  return drawn
}

/** What the axis spans: 0, and as much on one side or both as there is. */
function reachOf(numbers) {
  const reach = Math.max(0, ...numbers.map(Math.abs)) || 1
  return numbers.some((number) => number < 0) ? [-reach, reach] : [0, reach]
}

function short(number) {
  return String(Number(number.toPrecision(2))).replace("-", "−")
}
