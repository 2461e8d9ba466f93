// A position on the page: the board, the list of moves, what has been told, and the status.
import { Board, texts } from "./board.js"
import { make, part } from "./elements.js"

const LAST_NUMBER = /^(.*[(,] ?)-?\d+\)$/

/** Shows a position of the server. `choices` are the moves or outcomes that can be chosen now, `told` is what has
 * happened so far, as far as it may be known; `choose(choice)` hears of a click or key. */
export function showPosition({ status, svg, seen }, choices, told, choose) {
  const focused = document.activeElement?.closest("#board [data-cell]")?.dataset.cell ?? null
  const begun = (left) => {
    list(left, choose, board)
    const isByKeys = part("board").contains(document.activeElement)
    if (isByKeys && !board.goesOn) part("moves").querySelector("button")?.focus()
  }
  const board = new Board({ svg, moves: choices }, { made: choose, begun, shown: preview })
  part("status").textContent = status
  part("board").replaceChildren(board.element)
  part("seen").textContent = seen
  tell(told)
  part("advice").textContent = ""
  preview([])
  list(choices, choose, board)
  if (focused !== null && !board.focus(focused)) part("moves").querySelector("button")?.focus()
}

/** Shows no position; whoever listens to `cleared` has nothing of it left, either. */
export function clearPosition() {
  for (const id of ["status", "board", "seen", "advice", "moves", "preview"]) part(id).replaceChildren()
  tell([])
  for (const id of ["undo", "hint"]) part(id).disabled = true
  part("flip").hidden = true
  part("board").dispatchEvent(new Event("cleared"))
}

/** The moves of a position that is about to leave the page: nobody can choose one any more. */
export function clearMoves() {
  part("moves").replaceChildren()
}

function tell(told) {
  part("told").replaceChildren(...told.map((text) => make("li", {}, text)))
  part("told").parentElement.hidden = told.length === 0
}

/** Says which moves are left by what is pointed at; they are marked in the list, too. */
function preview(moves) {
  part("preview").textContent = texts(moves)
  const pointed = new Set(moves.map(({ text }) => text))
  for (const button of part("moves").querySelectorAll("button")) button.classList.toggle("pointed", pointed.has(button.dataset.move))
}

/** Lists moves to choose from; whoever listens to `listed` hears of them, and of the places that have been chosen. */
function list(choices, choose, board) {
  const hadFocus = part("moves").contains(document.activeElement) || document.activeElement === part("show")
  const button = (choice, ...content) => {
    const [point, leave] = [() => board.point(choice), () => board.point(null)]
    const listeners = { click: () => choose(choice), pointerenter: point, focus: point, pointerleave: leave, blur: leave }
    return make(
      "button", { type: "button", tabindex: choice === choices[0] ? "0" : "-1", "data-move": choice.text, ...listeners },
      ...content, choice.probability ? `, ${choice.probability}` : "",
    )
  }
  part("moves").replaceChildren(...[...inRows(choices)].map(([before, row]) => (
    row.length === 1
      ? make("li", {}, button(row[0], row[0].text))
      : make("li", { class: "numbers" }, numbers(before, row, button))
  )))
  part("no-moves").hidden = choices.length > 0
  if (hadFocus) part("moves").querySelector("button")?.focus()
  part("moves").dispatchEvent(new CustomEvent("listed", { detail: { choices, chosen: board.chosen } }))
}

/** Moves by their text up to the last argument, if that is a number: bids and amounts, which stand in one row. */
function inRows(choices) {
  const rows = new Map()
  for (const choice of choices) {
    const before = LAST_NUMBER.exec(choice.text)?.[1] ?? choice.text
    rows.set(before, [...(rows.get(before) ?? []), choice])
  }
  return rows
}

/** A row of numbers. The rest of the move's text is heard at each of them, and seen once. */
function numbers(before, row, button) {
  const unseen = (text) => make("span", { class: "unseen" }, text)
  const each = (choice) => button(choice, unseen(before), choice.text.slice(before.length, -1), unseen(")"))
  return [make("span", { class: "hint", "aria-hidden": "true" }, `${before}…)`), make("div", {}, row.map(each))]
}
