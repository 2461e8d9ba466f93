// The tabs: one panel is shown; arrow keys go from tab to tab, as the ARIA Authoring Practices have it.
import { goByArrows } from "./choosing.js"
import { part } from "./elements.js"

/** Makes the tabs work; `shown(name)` hears which panel is to be seen from now on. The function that shows a panel by its
 * name, and says whether there is one. */
export function startTabs(shown) {
  const list = part("tabs")
  const tabs = [...list.querySelectorAll("[role=tab]")]
  goByArrows(list, choose)
  for (const tab of tabs) tab.addEventListener("click", () => choose(tab))

  function choose(chosen) {
    if (chosen.getAttribute("aria-selected") === "true") return
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen))
      tab.tabIndex = tab === chosen ? 0 : -1
      part(tab.getAttribute("aria-controls")).hidden = tab !== chosen
    }
    shown(chosen.dataset.name)
  }

  return (name) => {
    const wanted = tabs.find((tab) => tab.dataset.name === name)
    if (wanted) choose(wanted)
    return wanted !== undefined
  }
}
