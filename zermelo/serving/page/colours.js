// Colours of the text: words, numbers and comments at once, names as soon as the server has said what they stand for.
import { Decoration, EditorView, StateEffect, StateField } from "./codemirror.js"
import { WORDS } from "./words.js"

const PIECE = /(?<comment>#.*)|(?<string>"[^"\n]*"?)|(?<number>\b\d+(?:\.\d+)?)|(?<word>[\p{L}_][\p{L}\p{M}\p{N}_]*)/gu

const named = StateEffect.define()

const words = StateField.define({
  create: (state) => piecesOf(state.doc.toString()),
  update: (marks, change) => (change.docChanged ? piecesOf(change.state.doc.toString()) : marks),
  provide: (field) => EditorView.decorations.from(field),
})

const names = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    const told = change.effects.find((effect) => effect.is(named))
    return told ? namesIn(change.state.doc, told.value) : marks.map(change.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** The extension that colours the text. */
export const colours = [words, names]

/** Colours the names in an editor: `tokens` are [line, character, length, kind], lines counted from 0. */
export function colourNames(view, tokens) {
  view.dispatch({ effects: named.of(tokens) })
}

function piecesOf(text) {
  const marks = []
  for (const piece of text.matchAll(PIECE)) {
    const kind = kindOf(piece.groups)
    if (kind) marks.push(coloured(kind, piece.index, piece.index + piece[0].length))
  }
  return Decoration.set(marks)
}

function kindOf({ comment, string, number, word }) {
  if (comment) return "comment"
  if (string) return "string"
  if (number) return "number"
  return Object.keys(WORDS).find((kind) => WORDS[kind].has(word))
}

function namesIn(text, tokens) {
  const marks = tokens
    .filter(([line]) => line < text.lines)
    .map(([line, character, length, kind]) => {
      const begin = Math.min(text.line(line + 1).from + character, text.length)
      return coloured(`name-${kind}`, begin, Math.min(begin + length, text.length))
    })
  return Decoration.set(marks.filter((mark) => mark.from < mark.to), true)
}

function coloured(kind, from, to) {
  return Decoration.mark({ class: `z-${kind}` }).range(from, to)
}
