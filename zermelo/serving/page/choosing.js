// One place in the order of the Tab key for a row or list of controls; arrow keys go from one to the next.

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

/** Lets arrow keys, Home and End go through the buttons in `group`; `reached` hears of the one with the focus. */
export function goByArrows(group, reached = () => {}) {
  group.addEventListener("keydown", (event) => {
    const buttons = [...group.querySelectorAll("button")].filter((button) => button.checkVisibility())
    const here = buttons.indexOf(event.target)
    const count = buttons.length
    const there = { Home: 0, End: count - 1 }[event.key] ?? (here + STEPS[event.key] + count) % count
    if (here < 0 || Number.isNaN(there)) return
    event.preventDefault()
    buttons[there].focus()
  })
  group.addEventListener("focusin", (event) => {
    for (const button of group.querySelectorAll("button")) button.tabIndex = button === event.target ? 0 : -1
    reached(event.target)
  })
}
