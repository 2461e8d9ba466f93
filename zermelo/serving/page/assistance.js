// What the server knows about a place of the text: the words that may come there, and what a name means.
import { autocompletion, hoverTooltip, snippet } from "./codemirror.js"
import { explained } from "./markdown.js"
import { Refused, ask } from "./server.js"

// the numbers of the Language Server Protocol, and the icons of CodeMirror
const KINDS = {
  2: "method", 3: "function", 5: "property", 6: "variable", 7: "class", 9: "namespace", 14: "keyword", 18: "text",
  20: "enum", 21: "constant", 23: "text",
}
const PLAIN_TEXT = 1

/** Completion and hover, as extensions of the editor. */
export const assistance = [autocompletion({ override: [completions] }), hoverTooltip(meaning)]

/** A place of a text as the Language Server Protocol counts: lines and characters from 0. */
export function position(text, offset) {
  const line = text.lineAt(offset)
  return { line: line.number - 1, character: offset - line.from }
}

/** The offset of such a place. */
export function offset(text, { line, character }) {
  if (line >= text.lines) return text.length
  const { from, to } = text.line(line + 1)
  return Math.min(from + character, to)
}

async function completions(context) {
  const begun = context.matchBefore(/[\p{L}\p{M}\p{N}_]+/u)
  if (!begun && !context.explicit && !context.matchBefore(/\./)) return null
  const { doc } = context.state
  const items = await orNothing(ask("/api/completion", { source: doc.toString(), position: position(doc, context.pos) }))
  if (items === null || items.length === 0) return null
  return { from: begun ? begun.from : context.pos, options: items.map(option), validFor: /^[\p{L}\p{M}\p{N}_]*$/u }
}

function option(item) {
  const documentation = item.documentation?.value ?? item.documentation
  return {
    label: item.label,
    type: KINDS[item.kind] ?? "text",
    detail: item.detail ?? undefined,
    info: documentation ? () => explained(documentation) : undefined,
    apply: (item.insertTextFormat ?? PLAIN_TEXT) === PLAIN_TEXT ? item.insertText : snippet(item.insertText),
  }
}

async function meaning(view, pos) {
  const { doc } = view.state
  const hover = await orNothing(ask("/api/hover", { source: doc.toString(), position: position(doc, pos) }))
  if (!hover) return null
  const text = hover.contents.value ?? hover.contents
  return {
    pos: hover.range ? offset(doc, hover.range.start) : pos,
    end: hover.range ? offset(doc, hover.range.end) : pos,
    create: () => ({ dom: explained(text) }),
  }
}

/** What is asked in passing is no reason for a message, if it is refused. */
async function orNothing(answer) {
  try {
    return await answer
  } catch (failed) {
    if (failed instanceof Refused) return null
    throw failed
  }
}
