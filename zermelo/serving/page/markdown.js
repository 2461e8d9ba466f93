// The little Markdown in which the server explains names and words: code, emphasis and lists.
import { make } from "./elements.js"

/** Markdown as an element. */
export function explained(markdown) {
  const whole = make("div", { class: "explained" })
  for (const [k, piece] of markdown.split(/^```\w*\n?/m).entries()) {
    if (k % 2 === 1) whole.append(make("pre", {}, piece.trimEnd()))
    else for (const paragraph of piece.split(/\n{2,}/)) if (paragraph.trim()) whole.append(block(paragraph.trim()))
  }
  return whole
}

function block(text) {
  const lines = text.split("\n")
  const first = lines.findIndex((line) => line.startsWith("- "))
  if (first < 0) return make("p", {}, inline(text))
  const before = lines.slice(0, first).join(" ")
  const items = lines.slice(first).map((line) => make("li", {}, inline(line.replace(/^- /, ""))))
  return make("div", {}, before ? make("p", {}, inline(before)) : "", make("ul", {}, items))
}

function inline(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\*[^*]+\*)/).map((piece) => {
    if (/^`.+`$/.test(piece)) return make("code", {}, piece.slice(1, -1))
    if (/^\*\*.+\*\*$/.test(piece)) return make("strong", {}, piece.slice(2, -2))
    if (/^\*.+\*$/.test(piece)) return make("em", {}, piece.slice(1, -1))
    return piece
  })
}
