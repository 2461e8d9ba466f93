// What the page uses of CodeMirror 6, under one roof.
export { EditorState, StateEffect, StateField } from "@codemirror/state"
export {
  Decoration, EditorView, drawSelection, dropCursor, highlightActiveLine, highlightActiveLineGutter,
  highlightSpecialChars, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view"
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
export { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language"
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet } from "@codemirror/autocomplete"
export { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint"
export { highlightSelectionMatches, searchKeymap } from "@codemirror/search"
