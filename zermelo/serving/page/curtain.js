// The curtain between players at one screen: nothing that one of them knows is on the page until the other has asked to see it.
import { part } from "./elements.js"
import { clearPosition } from "./position.js"
import { say } from "./saying.js"

/** Draws the curtain, until the next player has the screen. Rejects if `signal` takes the position back. */
export async function passTo(player, signal) {
  clearPosition()
  const words = `Pass the screen to ${player}`
  part("said").textContent = ""
  part("pass").textContent = words
  part("show").textContent = `Show what ${player} sees`
  part("curtain").hidden = false
  if (part("play").checkVisibility()) part("curtain").focus() // and not the button: a key may still be held down
  say(words, part("play"))
  try {
    await new Promise((shown, takenBack) => {
      part("show").addEventListener("click", shown, { once: true, signal })
      signal.addEventListener("abort", () => takenBack(signal.reason), { once: true })
    })
  } finally {
    part("curtain").hidden = true
  }
}
