// My games: their names and files, a list of them, and what is said where one cannot be kept.
import { goByArrows } from "./choosing.js"
import { comparison } from "./comparison.js"
import { make, part } from "./elements.js"
import { NotRead, chooseFiles, readAll } from "./files.js"
import { game } from "./game.js"
import { mine, titleOf } from "./mine.js"
import { say } from "./saying.js"
import { get } from "./server.js"
import { games, remove } from "./store.js"

/** Makes the row above the text work, and the list of my games. `open(game)` gets the one that is to be seen and
 * `replace(source)` another text of it; `notice(text, works)` says what has happened. */
export function startMyGames(open, replace, notice) {
  part("open-file").addEventListener("click", () => withFiles(chooseFiles))
  part("save").addEventListener("click", () => save())
  part("name").addEventListener("change", async (event) => {
    await mine.rename(event.target.value.trim() || mine.name)
    part("name").value = mine.name
  })
  part("open-mine").addEventListener("click", async () => {
    part("my-games").replaceChildren() // it has the games as they were when it was open before
    part("no-games").hidden = true
    part("mine").showModal()
    await list()
    part("my-games").querySelector("button")?.focus()
  })
  part("close-mine").addEventListener("click", () => part("mine").close())
  mine.addEventListener("kept", show)
  addEventListener("keydown", (event) => {
    if (event.key !== "s" || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    save()
  })
  addEventListener("dragover", (event) => event.dataTransfer.types.includes("Files") && event.preventDefault(), true)
  addEventListener("drop", (event) => {
    const files = [...event.dataTransfer.files]
    if (files.length === 0) return
    event.preventDefault()
    event.stopPropagation() // the editor would insert their texts
    withFiles((most) => readAll(files, most))
  }, true)
  goByArrows(part("my-games"))
  show()

  /** Opens files, each as one of my games; the first is seen. */
  async function withFiles(read) {
    await saying(async () => {
      const { bytes } = await get("/api/limits")
      const files = await read(bytes)
      for (const { remark, ...file } of files.toReversed()) {
        await openFile({ ...file, isNamed: true, inFile: file.source })
        if (remark) notice(remark)
      }
      if (files.length > 1) notice(`${files.length} files are among my games now.`)
      if (files.length) say(`${mine.name} is open`)
    })
  }

  /** Opens a file, which may be that of one of my games: what differs from it is then a version of that game. */
  async function openFile(file) {
    const known = await gameIn(file.handle)
    open(known === null ? file : { ...file, id: known.id, revision: known.revision, source: known.source })
    if (known !== null && known.source !== file.source) {
      await mine.version("before its file was opened again")
      replace(file.source)
    }
    await mine.keep()
  }

  async function save(isMeant = false) {
    await saying(async () => {
      const name = await mine.save(isMeant)
      if (name !== null) say(`saved as ${name}`)
    })
  }

  /** Runs work with files; what stands against it is said at the top of the page. */
  async function saying(work) {
    try {
      await work()
    } catch (failed) {
      if (failed instanceof NotRead) notice(`${failed.message}.`, failed.isChanged ? { "Write over it": () => save(true) } : {})
      else if (failed instanceof DOMException) notice(`The file cannot be used: ${failed.message}`)
      else throw failed
    }
  }

  async function list() {
    await mine.keep() // what has been left a moment ago may still be on its way to the store
    try {
      const all = await games()
      part("my-games").replaceChildren(...all.map(entry))
      part("no-games").hidden = all.length > 0
    } catch (failed) {
      if (!(failed instanceof DOMException)) throw failed
      part("my-games").replaceChildren(make("li", {}, `This browser keeps no games: ${failed.message}`))
    }
  }

  function entry(stored) {
    const take = () => {
      part("mine").close()
      if (stored.id !== mine.id) open(stored)
    }
    const title = titleOf(stored.source) ?? "without a title"
    const when = new Date(stored.at).toLocaleString()
    const where = stored.id === mine.id ? "open here" : when
    const words = [make("strong", {}, stored.name), make("span", {}, `${title}, ${where}`)]
    const item = make("li", {}, make("button", { type: "button", class: "game", click: take }, ...words))
    item.append(make("button", { type: "button", class: "delete", disabled: stored.id === mine.id, click: sure }, "Delete", of(stored)))
    return item

    function sure(event) {
      event.currentTarget.replaceWith(make("button", { type: "button", class: "delete sure", click: away }, "Delete for good", of(stored)))
      item.querySelector(".sure").focus()
    }

    async function away() {
      await remove(stored.id)
      await list()
      say(`${stored.name} has been deleted`)
    }
  }

  /** Shows where the text is, and what stands against keeping it. */
  function show() {
    if (document.activeElement !== part("name")) part("name").value = mine.name
    part("kept").textContent = whereKept()
    part("not-kept").replaceChildren(...(mine.conflict ? conflict() : mine.failure ? [full(mine.failure)] : []))
  }

  function conflict() {
    if (part("not-kept").querySelector(".conflict")) return [...part("not-kept").children]
    const apart = () => mine.separate()
    const other = async () => open(await mine.giveWay())
    const words = `${mine.conflict.name} has been changed in another tab since it was opened here. What is written here is not kept in it.`
    return [make(
      "div", { class: "notice conflict", role: "alert" },
      make("p", {}, words),
      make("button", { type: "button", click: apart }, "Keep this text as another game"),
      make("button", { type: "button", click: other }, "Take the text of the other tab"),
      make("details", {}, make("summary", {}, "What differs"), comparison(mine.conflict.source, game.source, "From the other tab to this one")),
    )]
  }
}

/** The one of my games that is in a file; null if none is. */
async function gameIn(handle) {
  if (handle === null) return null
  for (const stored of await games()) if (await stored.handle?.isSameEntry(handle)) return stored
  return null
}

function of({ name }) {
  return make("span", { class: "unseen" }, ` ${name}`)
}

function whereKept() {
  if (mine.conflict || mine.failure) return "not kept"
  if (!mine.isKept) return "keeping …"
  if (mine.id === null) return "not changed yet"
  return mine.isInFile ? "kept in this browser, and saved" : "kept in this browser"
}

function full(failure) {
  const isFull = failure.name === "QuotaExceededError"
  const reason = isFull ? "The browser has no room for more." : `The browser keeps no games (${failure.message}).`
  const words = `${reason} What is written here is not among my games. Save it to a file${isFull ? ", or delete games that you do not need" : ""}.`
  return make("div", { class: "notice", role: "alert" }, make("p", {}, words))
}
