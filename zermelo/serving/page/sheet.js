// The language on one page: a dialog.
import { part, refusal } from "./elements.js"
import { explained } from "./markdown.js"
import { Refused, get } from "./server.js"

export function startSheet() {
  const dialog = part("sheet")
  part("open-sheet").addEventListener("click", async () => {
    dialog.showModal()
    if (part("sheet-text").querySelector(".explained") === null) await fill()
  })
  part("close-sheet").addEventListener("click", () => dialog.close())
}

async function fill() {
  try {
    const { sheet } = await get("/api/sheet")
    part("sheet-text").replaceChildren(explained(sheet.replace(/^# .*\n/, "")))
  } catch (failed) {
    if (!(failed instanceof Refused)) throw failed
    part("sheet-text").replaceChildren(refusal(failed))
  }
}
