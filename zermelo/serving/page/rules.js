// The tab Rules: what is known about the game, its parameters, and who sees what.
import { make, part } from "./elements.js"
import { game } from "./game.js"
import { Work } from "./panel.js"
import { ask } from "./server.js"

/** The function that fills the tab. */
export function startRules() {
  const place = part("rules-found") // keeps its rules when the next ones are refused: somebody is typing
  const work = new Work(part("rules-refused"))
  return () => work.run(async (signal) => {
    const rules = await ask("/api/rules", game.question, signal)
    part("rules-refused").replaceChildren()
    if (isBeingFilled(place)) return // what is written there will be another question
    if (place.contains(document.activeElement)) keepFocus(() => place.replaceChildren(...page(rules)))
    else place.replaceChildren(...page(rules))
  })
}

function page({ title, about, players, parameters, facts, sees }) {
  const several = players.length === 1 ? "Player" : "Players"
  return [
    make("h3", {}, title),
    about ? make("p", {}, about) : "",
    make("p", {}, `${several}: ${players.join(", ")}`),
    ...(parameters.length ? [make("h4", {}, "Parameters"), ...parameters.map(parameter)] : []),
    make("h4", {}, "What is known"),
    make("ul", {}, facts.map((fact) => make("li", {}, fact))),
    make("h4", {}, "Who sees what"),
    ...sees.map(view),
  ]
}

function parameter({ name, value, description }) {
  const id = `parameter-${name}`
  const changed = ({ target }) => {
    target.defaultValue = target.value // it is written no longer
    game.setParameter(name, target.value.trim())
  }
  return make(
    "p", { class: "field" },
    make("label", { for: id }, name),
    make("input", { id, value, size: "8", change: changed, autocomplete: "off" }),
    description ? make("span", { class: "hint" }, description) : "",
  )
}

function view({ player, sees, hidden }) {
  const items = (texts) => make("ul", {}, texts.map((text) => make("li", {}, text)))
  return make(
    "section", { class: "view" },
    make("h5", {}, player),
    ...(sees.length ? [make("p", {}, "sees"), items(sees)] : []),
    ...(hidden.length ? [make("p", {}, "does not see"), items(hidden)] : [make("p", {}, "Nothing is hidden from them.")]),
  )
}

/** Whether somebody is writing another value into a field of the panel. */
function isBeingFilled(place) {
  const { activeElement } = document
  return place.contains(activeElement) && activeElement.matches("input") && activeElement.value !== activeElement.defaultValue
}

/** Renews the panel; the field that somebody is in keeps the focus. */
function keepFocus(renew) {
  const { id } = document.activeElement
  renew()
  part(id)?.focus()
}
