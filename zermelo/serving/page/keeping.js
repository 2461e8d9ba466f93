// What is written here is kept in the browser, and sent to nobody: a reload, the way back in the history, or a server
// that has ended loses nothing. Every tab keeps its own text; the latest of other tabs is offered.

const BEGIN = "zermelo.text."
const MOST = 5 // texts of tabs, of which the oldest are forgotten

/** The name under which this tab keeps its text: the same after a reload. */
const own = stored(() => (sessionStorage.zermelo ??= BEGIN + crypto.randomUUID())) ?? BEGIN

/** Keeps a text that was written after the page was opened with this address, and says whether the browser does. `mark`
 * finds it among my games (mine.js). */
export function keep(source, mark, name = own) {
  const done = stored(() => {
    localStorage.setItem(name, JSON.stringify({ source, mark, link: location.hash, at: Date.now() }))
    for (const { name } of all().slice(MOST)) localStorage.removeItem(name)
    return true
  })
  return done ?? false
}

/** Keeps a text that gives way to another one, as if a tab had left it. */
export function setAside(source, mark) {
  keep(source, mark, BEGIN + crypto.randomUUID())
}

/** Nothing is kept of this tab any more. */
export function forget() {
  stored(() => localStorage.removeItem(own))
}

/** What was left in this tab at the present address; null if nothing was. */
export function left() {
  return all().find(({ name, link }) => name === own && link === location.hash) ?? null
}

/** The latest text of another tab, or of another address in this one, with when it was left; null if there is none. */
export function latest() {
  return all().find(({ name, link }) => name !== own || link !== location.hash) ?? null
}

/** The text is open here now, and not offered again. */
export function take({ name }) {
  stored(() => localStorage.removeItem(name))
}

/** All that is kept, the latest first. */
function all() {
  const names = stored(() => Object.keys(localStorage).filter((name) => name.startsWith(BEGIN))) ?? []
  const read = names.map((name) => ({ ...stored(() => JSON.parse(localStorage.getItem(name))), name }))
  return read.filter(({ source }) => typeof source === "string").sort((one, other) => other.at - one.at)
}

/** What comes of a look into the browser's store; null where it is forbidden or full. */
function stored(look) {
  try {
    return look() ?? null
  } catch {
    return null
  }
}
