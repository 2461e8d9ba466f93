// The tab Tree: the tree of the game, as a picture, and searches of it.
import { part, picture } from "./elements.js"
import { game } from "./game.js"
import { Work } from "./panel.js"
import { say } from "./saying.js"
import { ask } from "./server.js"
import { startWatching } from "./watching.js"

/** Makes the tab work; it draws when it is asked to. */
export function startTree() {
  const place = part("tree-drawn")
  const work = new Work(place)
  const watching = startWatching(place)
  part("tree-form").addEventListener("submit", (event) => {
    event.preventDefault()
    draw()
  })
  part("watch").addEventListener("click", () => begin((signal) => watching.watch(question(), signal)))
  part("fit").addEventListener("change", (event) => place.classList.toggle("fitting", event.target.checked))
  game.addEventListener("changed", () => {
    part("tree-old").hidden = place.children.length === 0
  })
  return () => (place.children.length === 0 || !part("tree-old").hidden) && draw()

  function draw() {
    return begin(async (signal) => {
      const { svg } = await ask("/api/tree", question(), signal)
      place.replaceChildren(picture(svg))
      say("the tree has been drawn", place)
    })
  }

  function begin(drawing) {
    watching.stop()
    place.replaceChildren("drawing …")
    part("tree-old").hidden = true
    return work.run(drawing)
  }

  function question() {
    const depth = part("depth").valueAsNumber || null
    return { ...game.question, play: [], depth, solver: part("tree-solver").value.trim() || null }
  }
}
