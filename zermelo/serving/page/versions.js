// The versions of a game: a dialog with when and why each was made, what has changed since, and the way back to it.
import { comparison } from "./comparison.js"
import { goByArrows } from "./choosing.js"
import { make, part } from "./elements.js"
import { game } from "./game.js"
import { mine } from "./mine.js"
import { say } from "./saying.js"
import { versionsOf } from "./store.js"

/** Makes the dialog work; `restore(source)` puts the text of a version into the editor. */
export function startVersions(restore) {
  const dialog = part("versions")
  part("open-versions").addEventListener("click", async () => {
    for (const id of ["version-list", "version"]) part(id).replaceChildren() // they are of when it was open before
    part("no-versions").hidden = true
    dialog.showModal()
    await list()
    part("version-list").querySelector("button")?.focus()
  })
  part("close-versions").addEventListener("click", () => dialog.close())
  goByArrows(part("version-list"))

  async function list() {
    await mine.keep()
    const all = await stored()
    part("version-list").replaceChildren(...all.map((version, k) => make("li", {}, entry(version, k))))
    part("no-versions").hidden = all.length > 0
  }

  async function stored() {
    try {
      return mine.id === null ? [] : await versionsOf(mine.id)
    } catch (failed) {
      if (failed instanceof DOMException) return [] // why nothing is kept stands above the text
      throw failed
    }
  }

  function entry(version, k) {
    const when = new Date(version.at).toLocaleString()
    const look = (event) => {
      for (const each of part("version-list").querySelectorAll("button")) each.setAttribute("aria-pressed", "false")
      event.currentTarget.setAttribute("aria-pressed", "true")
      part("version").replaceChildren(comparison(version.source, game.source, "Since this version"), back(version, when))
    }
    const words = [make("strong", {}, when), make("span", {}, version.reason)]
    return make("button", { type: "button", class: "game", tabindex: k ? "-1" : "0", "aria-pressed": "false", click: look }, ...words)
  }

  function back({ source }, when) {
    const take = async () => {
      await mine.version("before a version was restored")
      dialog.close()
      restore(source)
      say(`restored: ${when}`)
    }
    return make("p", {}, make("button", { type: "button", disabled: source === game.source, click: take }, "Restore this version"))
  }
}
