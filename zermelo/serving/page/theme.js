// The look of the editor. Its colours are the variables of style.css, so that it is dark or light with the page.
import { EditorView } from "./codemirror.js"

const monospaced = { fontFamily: "var(--monospaced)", fontSize: "0.875rem" }

const box = {
  backgroundColor: "var(--raised)",
  color: "var(--ink)",
  border: "1px solid var(--line)",
  borderRadius: "6px",
  boxShadow: "var(--shadow)",
}

export const theme = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "var(--raised)" },
  "&.cm-focused": { outline: "none" }, // the page shows the focus around the editor
  ".cm-scroller": { ...monospaced, lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { caretColor: "var(--ink)", padding: "0.5rem 0" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--raised)", color: "var(--faint)", border: "none" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--active)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selection)",
  },
  ".cm-selectionMatch": { backgroundColor: "var(--match)" },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--match)", outline: "1px solid var(--line)" },
  ".cm-tooltip": { ...box, maxWidth: "min(34rem, 90vw)" },
  ".cm-tooltip pre": { ...monospaced, margin: "0 0 0.25rem", whiteSpace: "pre-wrap" },
  ".cm-tooltip .explained": { padding: "0.5rem 0.75rem", fontSize: "0.875rem", lineHeight: "1.45" },
  ".cm-tooltip .explained p": { margin: "0.25rem 0" },
  ".cm-tooltip .explained ul": { margin: "0.25rem 0", paddingLeft: "1.25rem" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionLabel": monospaced,
  ".cm-completionDetail": { color: "inherit", opacity: "0.8", fontSize: "0.8rem" },
  ".cm-diagnostic": { padding: "0.4rem 0.75rem", fontSize: "0.875rem", whiteSpace: "pre-wrap" },
  ".cm-diagnostic-error": { borderLeft: "4px solid var(--error)" },
  ".cm-diagnostic-warning": { borderLeft: "4px solid var(--warning)" },
  ".cm-diagnosticAction": {
    font: "inherit",
    color: "var(--on-accent)",
    backgroundColor: "var(--accent)",
    padding: "0.1rem 0.5rem",
    borderRadius: "4px",
  },
  ".cm-panels": { backgroundColor: "var(--paper)", color: "var(--ink)", borderColor: "var(--line)" },
  ".cm-textfield, .cm-button": { background: "var(--raised)", color: "var(--ink)", border: "1px solid var(--edge)" },
  ".z-comment": { color: "var(--comment)", fontStyle: "italic" },
  ".z-string": { color: "var(--string)" },
  ".z-number, .z-constant": { color: "var(--number)" },
  ".z-keyword, .z-operator": { color: "var(--keyword)" },
  ".z-type, .z-name-type, .z-name-class": { color: "var(--type)" },
  ".z-name-function, .z-name-method, .z-name-event": { color: "var(--function)" },
  ".z-name-enumMember, .z-name-macro": { color: "var(--number)" },
  ".z-name-property": { color: "var(--property)" },
  ".z-name-variable, .z-name-parameter": { color: "var(--ink)" },
})
