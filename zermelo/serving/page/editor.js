// The editor. It lives in a shadow root, where its style sheets need no exception from the page's policy.
import {
  EditorState, EditorView, bracketMatching, closeBrackets, closeBracketsKeymap, completionKeymap, defaultKeymap,
  drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSelectionMatches, history, historyKeymap,
  indentOnInput, indentUnit, indentWithTab, keymap, lineNumbers, lintGutter, lintKeymap, searchKeymap,
} from "./codemirror.js"
import { assistance } from "./assistance.js"
import { colours } from "./colours.js"
import { theme } from "./theme.js"

/** An editor in the element `host`; `changed(text)` hears of every change of the text. */
export function startEditor(host, changed) {
  const root = host.attachShadow({ mode: "open" })
  const parent = root.appendChild(document.createElement("div"))
  const view = new EditorView({ parent, root, state: EditorState.create({ extensions: extensions(changed) }) })
  view.dom.style.height = "100%"
  parent.style.height = "100%"
  return view
}

/** Replaces the text, as one step that can be undone. Lines that stay the same keep their marks. */
export function replaceText(view, text) {
  const old = view.state.doc.toString()
  let begin = 0
  while (begin < Math.min(old.length, text.length) && old[begin] === text[begin]) begin += 1
  let end = 0
  while (end < Math.min(old.length, text.length) - begin && old.at(-1 - end) === text.at(-1 - end)) end += 1
  if (begin === old.length && begin === text.length) return
  view.dispatch({ changes: { from: begin, to: old.length - end, insert: text.slice(begin, text.length - end) } })
}

/** Puts what is typed in the place of a selection. A browser left to itself would keep the look of the selected words by
 * inline styles, which the page's policy forbids. */
function typed(event, view) {
  const { from, to, empty } = view.state.selection.main
  if (event.inputType !== "insertText" || !event.data || empty || view.composing) return false
  const insert = () => view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type" })
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, event.data, insert))
  if (!isHandled) view.dispatch(insert())
  event.preventDefault()
  return true
}

function extensions(changed) {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    indentUnit.of("    "),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    colours,
    assistance,
    theme,
    // Tab indents; Escape and then Tab leaves the editor, which CodeMirror's keymap of commands sees to
    keymap.of([
      ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...searchKeymap, ...historyKeymap, indentWithTab,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({ "aria-label": "The text of the game", tabindex: "0" }),
    EditorView.domEventHandlers({ beforeinput: typed }),
    EditorView.updateListener.of((update) => update.docChanged && changed(update.state.doc.toString())),
  ]
}
