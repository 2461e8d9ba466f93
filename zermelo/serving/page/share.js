// The tab Share: a link that contains the game.
import { part } from "./elements.js"
import { game } from "./game.js"
import { linkTo } from "./link.js"
import { say } from "./saying.js"

/** The function that fills the tab. */
export function startShare() {
  part("copy").addEventListener("click", async () => {
    const field = part("link")
    field.select()
    await navigator.clipboard.writeText(field.value)
    part("copied").textContent = "copied"
    say("the link has been copied")
  })
  return async () => {
    part("copied").textContent = ""
    const source = game.source
    const link = await linkTo(source)
    if (source !== game.source) return
    part("link").value = link
    part("link-length").textContent = `${link.length} characters`
  }
}
