// What the panels have in common: they are filled when they are seen, and one filling ends the one before.
import { refusal } from "./elements.js"
import { Refused } from "./server.js"

/** Runs work of a panel: refusals are shown in `place`, and work that begins later replaces that before. */
export class Work {
  #latest = new AbortController()

  constructor(place) {
    this.place = place
  }

  stop() {
    this.#latest.abort()
  }

  /** Runs `work(signal)` and says whether it came to its end. */
  async run(work) {
    this.#latest.abort()
    this.#latest = new AbortController()
    const { signal } = this.#latest
    this.place.setAttribute("aria-busy", "true")
    try {
      await work(signal)
      return true
    } catch (failed) {
      if (failed.name === "AbortError" || signal.aborted) return false
      if (!(failed instanceof Refused)) throw failed
      this.place.replaceChildren(refusal(failed))
      return false
    } finally {
      if (this.#latest.signal === signal) this.place.removeAttribute("aria-busy")
    }
  }
}
