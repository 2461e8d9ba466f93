// What has changed from one text to another, line by line (Myers, "An O(ND) difference algorithm and its variations", 1986).
import { make } from "./elements.js"

const MOST = 1000 // changed lines beyond which all lines between the first and the last change count as changed
const AROUND = 2 // unchanged lines that are shown around the changed ones
const SIGNS = { removed: "−", added: "+", same: "" }

/** The lines of both texts in order, each with its `kind`, `same`, `removed` or `added`, and its number in the texts. */
export function compare(old, now) {
  const [before, after] = [old.split("\n"), now.split("\n")]
  let begin = 0
  while (begin < Math.min(before.length, after.length) && before[begin] === after[begin]) begin += 1
  let end = 0
  while (end < Math.min(before.length, after.length) - begin && before.at(-1 - end) === after.at(-1 - end)) end += 1
  const kinds = [
    ...Array(begin).fill("same"),
    ...kindsBetween(before.slice(begin, before.length - end), after.slice(begin, after.length - end)),
    ...Array(end).fill("same"),
  ]
  let [left, right] = [0, 0]
  return kinds.map((kind) => {
    const text = kind === "added" ? after[right] : before[left]
    if (kind !== "added") left += 1
    if (kind !== "removed") right += 1
    return { kind, text, left: kind === "added" ? "" : left, right: kind === "removed" ? "" : right }
  })
}

/** The kinds of the lines of a shortest way from one list to the other. */
function kindsBetween(before, after) {
  const reached = new Map([[1, 0]]) // for each diagonal, the most lines of `before` that are behind us
  const trace = []
  for (let changes = 0; changes <= Math.min(MOST, before.length + after.length); changes += 1) {
    trace.push(new Map(reached))
    for (let k = -changes; k <= changes; k += 2) {
      let x = isDown(reached, k, changes) ? reached.get(k + 1) : reached.get(k - 1) + 1
      while (x < before.length && x - k < after.length && before[x] === after[x - k]) x += 1
      reached.set(k, x)
      if (x >= before.length && x - k >= after.length) return wayBack(trace, before.length, after.length)
    }
  }
  return [...before.map(() => "removed"), ...after.map(() => "added")]
}

function isDown(reached, k, changes) {
  return k === -changes || (k !== changes && reached.get(k - 1) < reached.get(k + 1))
}

function wayBack(trace, x, y) {
  const kinds = []
  for (let changes = trace.length - 1; changes >= 0; changes -= 1) {
    const reached = trace[changes]
    const isAdded = isDown(reached, x - y, changes)
    const from = isAdded ? x - y + 1 : x - y - 1
    const [fromX, fromY] = [reached.get(from), reached.get(from) - from]
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      kinds.push("same")
      x -= 1
      y -= 1
    }
    if (changes > 0) kinds.push(isAdded ? "added" : "removed")
    x = fromX
    y = fromY
  }
  return kinds.reverse()
}

/** The changes as a table, with the unchanged lines around them. */
export function comparison(old, now, caption) {
  const lines = compare(old, now)
  const changed = lines.flatMap(({ kind }, k) => (kind === "same" ? [] : [k]))
  if (changed.length === 0) return make("p", { class: "comparison" }, `${caption}: the texts are the same.`)
  const isNear = lines.map(() => false)
  for (const k of changed) isNear.fill(true, Math.max(0, k - AROUND), k + AROUND + 1)
  const rows = lines.flatMap((line, k) => {
    const gap = isNear[k] && k > 0 && !isNear[k - 1] ? [make("tr", { class: "gap" }, make("td", { colspan: "4" }, "…"))] : []
    return isNear[k] ? [...gap, row(line)] : []
  })
  const count = (kind) => lines.filter((line) => line.kind === kind).length
  const words = `${caption}: ${count("added")} added, ${count("removed")} removed`
  const heads = ["before", "now", "", "text"].map((text) => make("th", { scope: "col" }, text || make("span", { class: "unseen" }, "change")))
  const whole = make("table", {}, make("caption", {}, words), make("thead", {}, make("tr", {}, heads)), make("tbody", {}, rows))
  return make("div", { class: "comparison scrolled", tabindex: "0", role: "region", "aria-label": caption }, whole)
}

function row({ kind, text, left, right }) {
  const name = { removed: "del", added: "ins", same: "span" }[kind]
  const sign = make("td", {}, make("span", { "aria-label": kind === "same" ? null : kind, role: kind === "same" ? null : "img" }, SIGNS[kind]))
  return make("tr", { class: kind }, make("td", {}, String(left)), make("td", {}, String(right)), sign, make("td", {}, make(name, {}, text)))
}
