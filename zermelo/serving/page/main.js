// The page begins here: the editor, the tabs, and what becomes of a text that changes.
import { make, part, refusal } from "./elements.js"
import { replaceText, startEditor } from "./editor.js"
import { outdateFindings, showFindings } from "./findings.js"
import { startGallery } from "./gallery.js"
import { game } from "./game.js"
import { forget, keep, latest, left, setAside, take } from "./keeping.js"
import { readLink } from "./link.js"
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
let bundled = null // its name in the gallery, if it has come from there
let isKept = true
const editor = startEditor(part("editor"), (text) => {
  game.rewrite(text)
  mine.write(text)
  keepWhatIsWritten(text)
})
const play = startPlay()
const share = startShare(() => ({ bundled: game.source === opened ? bundled : null, play: play.moves, tab: looked }))
const fill = { rules: startRules(), play: () => play.look(), tree: startTree(), solve: startSolve(), share }
let seen = "rules"
let looked = "rules" // the latest tab but Share
let asking = 0
let renewing = 0

game.addEventListener("changed", () => {
  clearTimeout(asking)
  clearTimeout(renewing)
  outdateFindings()
  asking = setTimeout(() => showFindings(editor), PAUSE)
  renewing = setTimeout(() => seen !== "tree" && fill[seen]?.(), REST)
})
connection.addEventListener("back", () => {
  showFindings(editor)
  fill[seen]?.()
})
addEventListener("beforeunload", (event) => isKept || event.preventDefault())
const show = startTabs((name) => {
  seen = name
  if (name !== "share") looked = name
  fill[seen]?.()
})
startSheet()
startGallery(({ name, source }) => open({ source }, name))
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
if (!(await openLink())) await trying(async () => open({ source: await bundledText(FIRST) }, FIRST))
if (before.own !== null) {
  const [source, name] = [opened, bundled]
  goOnWith(before.own)
  notice("This is what you have written here.", { "Begin anew": () => open({ source }, name) })
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

/** Another game in the editor: a text, which may have a `name` in the gallery, a file, or one of my games. */
function open(another, name = null, parameters = {}) {
  const { source } = another
  if (game.source !== opened) setAside(game.source, mine.mark)
  opened = source
  bundled = name
  mine.begin(another)
  replaceText(editor, source)
  editor.dispatch({ selection: { anchor: 0 }, scrollIntoView: true })
  game.replace(source, parameters)
}

/** The text that was left in this tab, or in another one, goes on being the same one of my games. */
function goOnWith({ source, mark }) {
  mine.resume(source, mark)
  replaceText(editor, source)
}

/** Opens the game in the address of the page, with its parameters, moves and tab, and says whether there is one. Of what
 * is wrong in the address it says what is, and opens the rest. */
async function openLink() {
  const link = await orSay("the game in the link cannot be read", async () => {
    const { bytes } = await get("/api/limits")
    const read = await readLink(location.hash, bytes)
    return read && { ...read, source: read.source ?? (await bundledText(read.bundled)) }
  })
  if (!link) return false
  const { source } = link
  const given = await orSay("the parameters in the link cannot be read", async () => {
    if (Object.keys(link.parameters).length) await ask("/api/rules", { source, parameters: link.parameters })
    return link.parameters
  })
  const parameters = given ?? {}
  const made = await orSay("the play in the link cannot be read", async () => {
    const { kept } = link.play.length ? await ask("/api/replay", { source, parameters, play: link.play }) : { kept: [] }
    return kept
  })
  open({ source }, link.bundled, parameters)
  play.take(made ?? [])
  const isTab = show(link.tab)
  if (!isTab) complain({ code: "bad-usage", message: `there is no tab '${link.tab}', which the link names` })
  if (made && made.length < link.play.length) {
    const stop = `the play in the link stops after ${made.length} of its ${link.play.length} moves`
    complain({ code: "illegal-move", message: `${stop}: '${link.play[made.length]}' is not legal there` })
  }
  return true
}

/** The text of a game of the gallery. Throws `Refused` if there is none. */
async function bundledText(name) {
  const games = await get("/api/gallery")
  if (!games.some((game) => game.name === name)) {
    throw new Refused({ code: "unknown-game", message: `there is no game '${name}' in the gallery`, hint: "look there for its name" })
  }
  return (await get(`/api/gallery/${name}`)).source
}

/** What comes of a look into the link; null if it is refused, which is said. */
async function orSay(message, look) {
  try {
    return await look()
  } catch (failed) {
    complain(failed instanceof Refused ? failed : { message, hint: "ask for the link again; it may have been cut off" })
    return null
  }
}

/** Says at the top of the page what is wrong with a link. */
function complain(refused) {
  part("notices").append(refusal(refused))
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
