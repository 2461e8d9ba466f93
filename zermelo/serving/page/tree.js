// The tab Tree: the tree of the game, as a picture.
import { part, picture } from "./elements.js"
import { game } from "./game.js"
import { Work } from "./panel.js"
import { say } from "./saying.js"
import { ask } from "./server.js"

/** Makes the tab work; it draws when it is asked to. */
export function startTree() {
  const place = part("tree-drawn")
  const work = new Work(place)
  part("tree-form").addEventListener("submit", (event) => {
    event.preventDefault()
    draw()
  })
  part("fit").addEventListener("change", (event) => place.classList.toggle("fitting", event.target.checked))
  game.addEventListener("changed", () => {
    part("tree-old").hidden = place.children.length === 0
  })
  return () => (place.children.length === 0 || !part("tree-old").hidden) && draw()

  function draw() {
    place.replaceChildren("drawing …")
    part("tree-old").hidden = true
    return work.run(async (signal) => {
      const depth = part("depth").valueAsNumber || null
      const solver = part("tree-solver").value.trim() || null
      const { svg } = await ask("/api/tree", { ...game.question, play: [], depth, solver }, signal)
      place.replaceChildren(picture(svg))
      say("the tree has been drawn", place)
    })
  }
}
