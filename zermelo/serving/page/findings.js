// Findings while typing: underlined, in the gutter, and as a list below the text, with what mends them.
import { offset } from "./assistance.js"
import { setDiagnostics } from "./codemirror.js"
import { colourNames } from "./colours.js"
import { make, part, refusal } from "./elements.js"
import { say } from "./saying.js"
import { Refused, ask } from "./server.js"

const SEVERITIES = { 1: "error", 2: "warning", 3: "info", 4: "hint" }

const QUIET = 300 // milliseconds without a change after which the text is checked at the extremes of its parameters

let latest = new AbortController()

/** The findings that are shown are of an earlier text, until those of this one are shown. */
export function outdateFindings() {
  part("found").setAttribute("aria-busy", "true")
}

/** Asks for the findings of the text in an editor, and shows them unless the text has changed meanwhile; and again, for
 * those at the extremes of its parameters, when nobody has written for a moment. */
export async function showFindings(view) {
  latest.abort()
  latest = new AbortController()
  const { signal } = latest
  const text = view.state.doc
  const source = text.toString()
  try {
    const { diagnostics, tokens, fixes } = await ask("/api/findings", { source, whole: false }, signal)
    if (view.state.doc !== text) return
    colourNames(view, tokens)
    show(view, diagnostics.map((diagnostic) => finding(diagnostic, text, fixes)))
    await new Promise((rested) => setTimeout(rested, QUIET))
    if (view.state.doc !== text) return
    const whole = await ask("/api/findings", { source, whole: true }, signal)
    if (view.state.doc !== text || whole.diagnostics.length === diagnostics.length) return
    show(view, whole.diagnostics.map((diagnostic) => finding(diagnostic, text, whole.fixes)))
  } catch (failed) {
    if (failed.name === "AbortError") return
    if (!(failed instanceof Refused)) throw failed
    part("findings").replaceChildren(make("li", {}, refusal(failed)))
    part("count").textContent = "The text has not been read"
  } finally {
    if (latest.signal === signal && view.state.doc === text) part("found").removeAttribute("aria-busy")
  }
}

function show(view, found) {
  view.dispatch(setDiagnostics(view.state, found.map(underlined)))
  list(view, found)
}

/** A finding as the page shows it, with those of the edits that mend it. */
function finding(diagnostic, text, mends) {
  const [message, ...help] = diagnostic.message.split("\n")
  const { range } = diagnostic
  const own = mends.filter((mend) => (mend.diagnostics ?? []).some((each) => isSame(each, diagnostic)))
  return {
    from: offset(text, range.start),
    to: offset(text, range.end),
    line: range.start.line + 1,
    severity: SEVERITIES[diagnostic.severity] ?? "error",
    code: String(diagnostic.code ?? ""),
    message,
    help: help.join(" "),
    fixes: own.map((mend) => ({ title: mend.title, edits: Object.values(mend.edit.changes).flat() })),
  }
}

function isSame(one, other) {
  const place = ({ start, end }) => [start.line, start.character, end.line, end.character].join(" ")
  return one.message === other.message && place(one.range) === place(other.range)
}

function underlined(found) {
  return {
    from: found.from,
    to: found.to,
    severity: found.severity,
    source: found.code,
    message: found.help ? `${found.message}\n${found.help}` : found.message,
    actions: found.fixes.map((fix) => ({ name: fix.title, apply: (view) => mend(view, fix) })),
  }
}

function mend(view, fix) {
  const text = view.state.doc
  const changes = fix.edits.map(({ range, newText }) => (
    { from: offset(text, range.start), to: offset(text, range.end), insert: newText }
  ))
  view.dispatch({ changes })
  view.focus()
}

function list(view, found) {
  part("findings").replaceChildren(...found.map((each) => item(view, each)))
  const summary = summed(found)
  if (part("count").textContent === summary) return
  part("count").textContent = summary
  say(found.length ? `${summary}. Line ${found[0].line}: ${found[0].message}` : summary)
}

function item(view, found) {
  const go = () => {
    view.dispatch({ selection: { anchor: found.from }, scrollIntoView: true })
    view.focus()
  }
  const place = make("button", { type: "button", class: "place", click: go }, `line ${found.line}`)
  const fixes = found.fixes.map((fix) => (
    make("button", { type: "button", class: "fix", click: () => mend(view, fix) }, fix.title)
  ))
  const help = found.help ? make("p", { class: "hint" }, found.help) : ""
  const words = make("p", {}, place, ` ${found.severity}: `, found.message, " ", make("code", {}, found.code))
  return make("li", { class: found.severity }, words, help, ...fixes)
}

function summed(found) {
  const errors = found.filter((each) => each.severity === "error").length
  const others = found.length - errors
  if (errors + others === 0) return "Nothing found: the game is in order"
  const several = (count, word) => (count === 1 ? `1 ${word}` : `${count} ${word}s`)
  return [errors && several(errors, "error"), others && several(others, "warning")].filter(Boolean).join(", ")
}
