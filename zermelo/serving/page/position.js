// A position on the page: the board, the list of moves, what has been told, and the status.
import { board } from "./board.js"
import { make, part } from "./elements.js"

/** Shows a position of the server. `choices` are the moves or outcomes that can be chosen now, `told` is what has
 * happened so far, as far as it may be known; `choose(choice)` hears of a click or key. */
export function showPosition({ status, svg, seen }, choices, told, choose) {
  part("status").textContent = status
  part("board").replaceChildren(board({ svg, moves: choices }, choose, (left) => list(left, choose)))
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

function list(choices, choose) {
  const hadFocus = part("moves").contains(document.activeElement) || document.activeElement === part("show")
  const items = choices.map((choice, k) => {
    const text = choice.probability ? `${choice.text}, ${choice.probability}` : choice.text
    return make("li", {}, make("button", { type: "button", tabindex: k ? "-1" : "0", click: () => choose(choice) }, text))
  })
  part("moves").replaceChildren(...items)
  part("no-moves").hidden = items.length > 0
  if (hadFocus) part("moves").querySelector("button")?.focus()
}
