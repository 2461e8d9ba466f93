// The tab Solve: progress, a button that ends it, the value, and strategies as tables.
import { make, part, table } from "./elements.js"
import { game } from "./game.js"
import { Work } from "./panel.js"
import { say } from "./saying.js"
import { Refused, follow } from "./server.js"

const FIELDS = ["depth", "seconds", "iterations", "simulations", "seed"]

/** Makes the tab work; it solves when it is asked to. */
export function startSolve() {
  const place = part("solved")
  const work = new Work(place)
  part("solve-form").addEventListener("submit", (event) => {
    event.preventDefault()
    solve()
  })
  part("stop").addEventListener("click", () => {
    work.stop()
    place.replaceChildren(make("p", {}, "stopped: there is no value"))
    say("stopped")
    rest()
  })
  game.addEventListener("changed", () => {
    part("solved-old").hidden = place.children.length === 0
  })

  async function solve() {
    place.replaceChildren()
    part("solved-old").hidden = true
    part("progress").textContent = "solving"
    part("solve").disabled = true
    part("stop").disabled = false
    const isWhole = await work.run(async (signal) => {
      const solver = part("solver").value.trim() || null
      const given = Object.fromEntries(FIELDS.map((name) => [name, part(`solve-${name}`).valueAsNumber || null]))
      await follow("/api/solve", { ...game.question, solver, ...given }, signal, heard)
      if (place.children.length === 0) throw new Refused({ code: "no-server", message: "the server has ended the work" })
    })
    if (isWhole || !part("stop").disabled) rest()
  }

  function heard(kind, data) {
    if (kind === "progress") part("progress").textContent = data.text
    if (kind === "refused") throw new Refused(data)
    if (kind === "solved") {
      place.replaceChildren(...result(data))
      say(`solved: ${values(data).map(([player, value]) => `${player} ${value}`).join(", ")}`)
    }
  }

  function rest() {
    part("progress").textContent = ""
    part("solve").disabled = false
    part("stop").disabled = true
  }
}

function result(solved) {
  const strategies = solved.strategy.map(({ player, columns, rows }) => (
    make("div", scrolled(`The strategy of ${player}`), table(`The strategy of ${player}`, columns, rows))
  ))
  return [
    ...(solved.value ? [table("The value of the game", ["player", "value"], values(solved))] : []),
    ...strategies,
    make("h4", {}, "As the command prints it"),
    make("pre", scrolled("What the command prints"), solved.page),
  ]
}

/** Who gets how much. */
function values({ value }) {
  return Object.entries(value ?? {})
}

/** The attributes of what may be wider than the page, and is moved by the keyboard too. */
function scrolled(label) {
  return { class: "scrolled", tabindex: "0", role: "region", "aria-label": label }
}
