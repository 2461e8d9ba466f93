// What a screen reader is told: findings, moves and results. The words are also on the page.
import { part } from "./elements.js"

/** Says something when what is being said is done: about `place`, unless that is out of sight by now. */
export function say(text, place = document.body) {
  if (place.checkVisibility()) part("said").textContent = text
}
