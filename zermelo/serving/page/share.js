// The tab Share: a link to what was on the page before.
import { part } from "./elements.js"
import { game } from "./game.js"
import { linkTo } from "./link.js"
import { say } from "./saying.js"

/** The function that fills the tab; `seen()` is the game's name in the gallery, the moves of the play, and the tab that
 * was to be seen. */
export function startShare(seen) {
  game.addEventListener("changed", clear)
  part("copy").addEventListener("click", async () => {
    const field = part("link")
    field.select()
    await navigator.clipboard.writeText(field.value)
    part("copied").textContent = "copied"
    say("the link has been copied")
  })
  return async () => {
    clear()
    const { question } = game
    const { bundled, play, tab } = seen()
    const link = await linkTo({ ...question, bundled, play, tab })
    if (question.source !== game.source) return
    part("link").value = link
    part("copy").disabled = false
    const moves = play.length === 1 ? "1 move" : `${play.length} moves`
    const title = part(`tab-${tab}`).textContent
    part("link-length").textContent = `${link.length} characters; opens the tab ${title}${play.length ? `, after ${moves}` : ""}`
  }
}

/** Shows no link: the one that is there leads to something else by now. */
function clear() {
  part("link").value = ""
  for (const id of ["link-length", "copied"]) part(id).textContent = ""
  part("copy").disabled = true
}
