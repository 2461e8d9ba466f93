// What a screen reader is told: findings, moves and results. The words are also on the page.
import { part } from "./elements.js"

/** Says something when what is being said is done. */
export function say(text) {
  part("said").textContent = text
}
