// The page begins here: the editor, the tabs, and what becomes of a text that changes.
import { make, part, refusal } from "./elements.js"
import { replaceText, startEditor } from "./editor.js"
import { showFindings } from "./findings.js"
import { startGallery } from "./gallery.js"
import { game } from "./game.js"
import { forget, keep, latest, left, setAside, take } from "./keeping.js"
import { textIn } from "./link.js"
import { mine, titleOf } from "./mine.js"
import { startMyGames } from "./my_games.js"
import { startPlay } from "./play.js"
import { startRules } from "./rules.js"
import { say } from "./saying.js"
import { Refused, ask, connection, get } from "./server.js"
import { startShare } from "./share.js"
import { startSheet } from "./sheet.js"
import { startSolve } from "./solve.js"
import { startTabs } from "./tabs.js"
import { startTree } from "./tree.js"
import { startVersions } from "./versions.js"

const FIRST = "tic_tac_toe"
const PAUSE = 30 // milliseconds after a keystroke until the server is asked for findings
const REST = 400 // and until a tab is renewed

let opened = "" // the text as it came; what differs from it has been written here
let isKept = true
const editor = startEditor(part("editor"), (text) => {
  game.rewrite(text)
  mine.write(text)
  keepWhatIsWritten(text)
})
const fill = { rules: startRules(), play: startPlay(), tree: startTree(), share: startShare(), solve: startSolve() }
let seen = "rules"
let asking = 0
let renewing = 0

game.addEventListener("changed", () => {
  clearTimeout(asking)
  clearTimeout(renewing)
  asking = setTimeout(() => showFindings(editor), PAUSE)
  renewing = setTimeout(() => seen !== "tree" && fill[seen]?.(), REST)
})
connection.addEventListener("back", () => {
  showFindings(editor)
  fill[seen]?.()
})
addEventListener("beforeunload", (event) => isKept || event.preventDefault())
startTabs((name) => {
  seen = name
  fill[seen]?.()
})
startSheet()
startGallery((source) => open({ source }))
const replace = (source) => replaceText(editor, source)
startMyGames(open, replace, notice)
startVersions(replace)
mine.addEventListener("kept", () => keepWhatIsWritten(game.source))
part("format").addEventListener("click", format)
part("editor").addEventListener("input", () => part("notices").replaceChildren())
addEventListener("hashchange", () => {
  part("notices").replaceChildren()
  openLink()
})
const before = { own: left(), other: latest() }
if (!(await openLink())) await trying(async () => open({ source: (await get(`/api/gallery/${FIRST}`)).source }))
if (before.own !== null) {
  const source = opened
  goOnWith(before.own)
  notice("This is what you have written here.", { "Begin anew": () => open({ source }) })
} else if (before.other !== null) {
  const title = titleOf(before.other.source) ?? "without a title"
  const when = new Date(before.other.at).toLocaleString()
  const openIt = () => {
    goOnWith(before.other)
    take(before.other)
  }
  notice(`You have written a game here before: ${title}, ${when}.`, { "Open it": openIt })
}

/** Keeps the text in the browser if it has been written here. */
function keepWhatIsWritten(text) {
  const isAsItCame = text === opened && mine.id === null
  if (isAsItCame) forget()
  isKept = isAsItCame || keep(text, mine.mark)
}

/** Says something at the top of the page, with a button for each thing that can be done about it. */
function notice(text, works = {}) {
  const buttons = Object.entries(works).map(([name, work]) => (
    make("button", { type: "button", click: () => (part("notices").replaceChildren(), work()) }, name)
  ))
  part("notices").replaceChildren(make("div", { class: "notice", role: "status" }, make("p", {}, text), ...buttons))
}

/** Another game in the editor: a text, a file, or one of my games. */
function open(another) {
  const { source } = another
  if (game.source !== opened) setAside(game.source, mine.mark)
  opened = source
  mine.begin(another)
  replaceText(editor, source)
  editor.dispatch({ selection: { anchor: 0 }, scrollIntoView: true })
  game.replace(source)
}

/** The text that was left in this tab, or in another one, goes on being the same one of my games. */
function goOnWith({ source, mark }) {
  mine.resume(source, mark)
  replaceText(editor, source)
}

/** Opens the game in the address of the page, and says whether there is one. */
async function openLink() {
  let text = null
  try {
    const { bytes } = await get("/api/limits")
    text = await textIn(location.hash, bytes)
  } catch (failed) {
    const hint = failed instanceof Refused ? failed.hint : "ask for the link again; it may have been cut off"
    const message = failed instanceof Refused ? failed.message : "the game in the link cannot be read"
    part("notices").replaceChildren(refusal({ code: failed.code, message, hint }))
  }
  if (text !== null) open({ source: text })
  return text !== null
}

async function format() {
  part("notices").replaceChildren()
  await trying(async () => {
    const { source } = await ask("/api/format", { source: game.source })
    replaceText(editor, source)
    say("formatted")
  })
}

/** Runs work whose refusal is shown at the top of the page. */
async function trying(work) {
  try {
    await work()
  } catch (failed) {
    if (!(failed instanceof Refused)) throw failed
    part("notices").replaceChildren(refusal(failed))
  }
}
