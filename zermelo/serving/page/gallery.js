// The gallery of bundled games: a dialog with a list that words narrow down.
import { goByArrows } from "./choosing.js"
import { make, part, refusal } from "./elements.js"
import { Refused, get } from "./server.js"

/** Makes the gallery work; `chosen({ name, source })` gets a game. */
export function startGallery(chosen) {
  const dialog = part("gallery")
  const list = part("games")
  part("open-gallery").addEventListener("click", async () => {
    dialog.showModal()
    if (list.children.length === 0) await shown(fill)
    part("wanted").focus()
  })
  part("close-gallery").addEventListener("click", () => dialog.close())
  part("wanted").addEventListener("input", (event) => narrow(event.target.value))
  goByArrows(list)

  async function fill() {
    const games = await get("/api/gallery")
    list.append(...games.map((game) => make("li", {}, entry(game))))
    list.querySelector("button").tabIndex = 0
  }

  function entry({ name, title, about }) {
    const take = () => shown(async () => {
      const game = await get(`/api/gallery/${encodeURIComponent(name)}`)
      dialog.close()
      chosen(game)
    })
    return make(
      "button", { type: "button", class: "game", tabindex: "-1", click: take },
      make("strong", {}, title), make("span", {}, about),
    )
  }

  function narrow(text) {
    const words = text.toLowerCase().split(/\s+/)
    for (const item of list.children) {
      const said = item.textContent.toLowerCase()
      item.hidden = !words.every((word) => said.includes(word))
    }
    const first = [...list.children].find((item) => !item.hidden)
    for (const item of list.children) item.firstChild.tabIndex = item === first ? 0 : -1
    const count = [...list.children].filter((item) => !item.hidden).length
    part("shown").textContent = count === 1 ? "1 game" : `${count} games`
  }

  async function shown(work) {
    try {
      await work()
    } catch (failed) {
      if (!(failed instanceof Refused)) throw failed
      part("shown").replaceChildren(refusal(failed))
    }
  }
}
