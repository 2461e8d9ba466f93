// What has changed in a game since a play of it began. The play goes on with the rules as they were until it is begun again.
import { comparison } from "./comparison.js"
import { make, part } from "./elements.js"
import { game } from "./game.js"

/** Shows what has changed since a play began with these rules, a question about the game; with `null` nothing has.
 * `goOn` makes the moves so far under the new rules, `begin` begins again. */
export function showChanges(rules, { goOn, begin } = {}) {
  const place = part("rules-changed")
  const { source, parameters } = game.question
  const isTextOld = rules !== null && rules.source !== source
  const values = rules === null ? [] : valuesChanged(rules.parameters, parameters)
  place.hidden = !isTextOld && values.length === 0
  if (place.hidden) return place.replaceChildren()
  const isOpen = place.querySelector("details")?.open ?? false
  place.replaceChildren(
    make("p", {}, "The game has changed since this play began. The play goes on with the rules as they were."),
    make("button", { type: "button", click: begin }, "Begin again"),
    make("button", { type: "button", click: goOn }, "Go on with the new rules"),
    make(
      "details", { open: isOpen },
      make("summary", {}, "What has changed"),
      values.length ? make("p", {}, `Parameters: ${values.join(", ")}`) : "",
      isTextOld ? comparison(rules.source, source, "Since the play began") : "",
    ),
  )
}

function valuesChanged(before, now) {
  const names = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => before[name] !== now[name])
  return names.map((name) => `${name} is ${now[name] ?? "as the file has it"} now`)
}
