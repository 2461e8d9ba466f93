// What moves are worth, at the places that a click would choose, and the first moves of best play, as numbers and arrows.
import { steps } from "./board.js"

const SVG = new DOMParser().parseFromString("<svg></svg>", "text/html").querySelector("svg").namespaceURI
const FOLLOWED = 4 // moves of best play that are on the board
const LARGEST = 11 // of letters, in units of the picture

/** An element of a picture. */
export function shape(name, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

/** Marks the places that may be chosen next with the best that the moves over them are worth. `known` has what each move
 * is worth, and `found` is the record with the line of best play; without it all marks are taken off. */
export function markBoard(drawn, { choices, chosen }, known, found) {
  drawn?.querySelector(".worths")?.remove()
  if (drawn === null || found === null) return
  const marks = shape("g", { class: "worths", "aria-hidden": "true" })
  if (chosen.length === 0) {
    const line = found.line.slice(0, FOLLOWED)
    marks.append(...line.flatMap((step, k) => following(drawn, step.cells, k + 1)))
  }
  const best = new Map()
  for (const choice of choices) {
    const cell = steps(choice)[chosen.length]
    const worth = known.get(choice.text)
    if (cell === undefined || (worth?.amount ?? null) === null) continue // no simulation has come there yet
    if (!best.has(cell) || rank(worth) > rank(best.get(cell))) best.set(cell, worth)
  }
  for (const [cell, worth] of best) marks.append(...badge(boxOf(drawn, cell), worth, found.isExact))
  drawn.append(marks)
}

function rank({ isBest, amount }) {
  return isBest ? Infinity : (amount ?? -Infinity)
}

function boxOf(drawn, cell) {
  const name = CSS.escape(cell)
  const place = drawn.querySelector(`[data-at="${name}"]`) ?? drawn.querySelector(`[data-cell="${name}"]:not([data-at])`)
  const rect = place?.querySelector("rect")
  if (!rect) return null
  const [x, y, width, height] = ["x", "y", "width", "height"].map((each) => Number(rect.getAttribute(each)))
  return { x, y, width, height, isEntry: place.matches(".entry") }
}

/** A label in the upper right corner of a cell; on the edge of a card or number, which is read in its middle. */
function badge(box, { sign, standing, isBest }, isExact) {
  if (box === null) return []
  const size = Math.min(LARGEST, box.height * 0.3, (box.width - 1) / (0.5 * sign.length + 0.4))
  const width = Math.max(size * 1.3, size * (0.5 * sign.length + 0.4))
  const height = size * 1.35
  const [x, y] = [box.x + box.width - width - 1, box.isEntry ? box.y - height / 2 : box.y + 1]
  const classes = ["badge", standing, isExact ? "" : "estimated", isBest ? "best" : ""].filter(Boolean).join(" ")
  return [
    shape(
      "g", { class: classes },
      shape("rect", { x, y, width, height, rx: size * 0.3 }),
      shape("text", { x: x + width / 2, y: y + height * 0.76, "font-size": size, "text-anchor": "middle" }, sign),
    ),
  ]
}

/** The number of a move of best play on its last cell; an arrow from the first one, if there are several. */
function following(drawn, cells, number) {
  const boxes = cells.map((cell) => boxOf(drawn, cell))
  if (boxes.length === 0 || boxes.includes(null)) return []
  const [from, to] = [boxes[0], boxes.at(-1)]
  const size = Math.min(LARGEST, to.height * 0.3)
  const [cx, cy] = [to.x + size * 0.8 + 1, to.y + to.height - size * 0.8 - 1]
  const arrow = boxes.length > 1 ? [arrowBetween(middle(from), middle(to), size)] : []
  return [
    ...arrow,
    shape(
      "g", { class: `step step-${number % 2 ? "odd" : "even"}` },
      shape("circle", { cx, cy, r: size * 0.75 }),
      shape("text", { x: cx, y: cy + size * 0.36, "font-size": size, "text-anchor": "middle" }, String(number)),
    ),
  ]
}

function middle({ x, y, width, height }) {
  return [x + width / 2, y + height / 2]
}

function arrowBetween([x1, y1], [x2, y2], size) {
  const angle = Math.atan2(y2 - y1, x2 - x1)
  const at = (turn) => `${x2 - size * Math.cos(angle + turn)} ${y2 - size * Math.sin(angle + turn)}`
  const d = `M ${x1} ${y1} L ${x2} ${y2} M ${at(0.5)} L ${x2} ${y2} L ${at(-0.5)}`
  return shape("path", { class: "arrow", d })
}
