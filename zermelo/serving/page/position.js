// A position on the page: the board, the list of moves, what has been told, and the status.
import { board } from "./board.js"
import { make, part } from "./elements.js"

/** Shows a position of the server. `choices` are the moves or outcomes that can be chosen now, `told` is what has
 * happened so far, as far as it may be known; `choose(choice)` hears of a click or key. */
export function showPosition({ status, svg, seen }, choices, told, choose) {
  part("status").textContent = status
  part("board").replaceChildren(board({ svg, moves: choices }, choose, (left, cells) => list(left, choose, cells)))
  part("seen").textContent = seen
  part("told").replaceChildren(...told.map((text) => make("li", {}, text)))
  part("advice").textContent = ""
  list(choices, choose)
}

/** Shows no position: the game cannot be played. */
export function clearPosition() {
  for (const id of ["status", "board", "seen", "told", "advice", "moves"]) part(id).replaceChildren()
  for (const id of ["undo", "hint"]) part(id).disabled = true
  part("flip").hidden = true
}

/** Lists moves to choose from; whoever listens to `listed` hears of them, and of the cells that have been chosen. */
function list(choices, choose, chosen = []) {
  const hadFocus = part("moves").contains(document.activeElement)
  const items = choices.map((choice, k) => {
    const text = choice.probability ? `${choice.text}, ${choice.probability}` : choice.text
    const attributes = { type: "button", tabindex: k ? "-1" : "0", "data-move": choice.text, click: () => choose(choice) }
    return make("li", {}, make("button", attributes, text))
  })
  part("moves").replaceChildren(...items)
  part("no-moves").hidden = items.length > 0
  if (hadFocus) part("moves").querySelector("button")?.focus()
  part("moves").dispatchEvent(new CustomEvent("listed", { detail: { choices, chosen } }))
}
