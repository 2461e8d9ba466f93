// The board: a click on a cell makes the move of that cell, or begins one of several cells. Marked are the cells that
// may come next.
import { picture } from "./elements.js"

/** The picture of a position, whose cells take clicks. `made(move)` hears of a move that is complete,
 * `begun(moves, cells)` which ones go on from the cells that have been chosen. */
export function board({ svg, moves }, made, begun) {
  if (svg === "") return "" // nothing can be seen, or too much to be drawn
  const drawn = picture(svg)
  let chosen = []
  for (const cell of drawn.querySelectorAll("[data-cell]")) {
    if (!moves.some((move) => move.cells.includes(cell.dataset.cell))) continue
    cell.classList.add("open")
    cell.addEventListener("click", () => choose(cell.dataset.cell))
  }
  return drawn

  function choose(cell) {
    const further = continuing(moves, [...chosen, cell])
    const isAgain = chosen.at(-1) === cell && further.length === 0
    chosen = isAgain ? [] : further.length ? [...chosen, cell] : [cell]
    const left = isAgain ? moves : continuing(moves, chosen)
    if (left.length === 1 && left[0].cells.length === chosen.length) made(left[0])
    else begun(left.length ? left : moves, left.length ? chosen : [])
    if (left.length === 0) chosen = []
    const next = new Set(chosen.length ? left.map((move) => move.cells[chosen.length]) : moves.flatMap((move) => move.cells))
    for (const each of drawn.querySelectorAll("[data-cell]")) {
      each.classList.toggle("chosen", chosen.includes(each.dataset.cell))
      each.classList.toggle("unmarked", !next.has(each.dataset.cell))
    }
  }
}

/** The moves whose cells begin with those that have been chosen. */
function continuing(moves, chosen) {
  return moves.filter((move) => chosen.every((cell, k) => move.cells[k] === cell))
}
