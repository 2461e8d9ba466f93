// The game on the page: its text and its parameters. Panels hear when it has become another one.

/** Listens to `changed`: another text or other parameters; and to `replaced`: another file, of which that is said, too. */
class Game extends EventTarget {
  #source = ""
  #parameters = {}

  get source() {
    return this.#source
  }

  /** What the server wants to know of a game in every question about it. */
  get question() {
    return { source: this.#source, parameters: this.#parameters }
  }

  /** Another text. Parameters that it does not declare have no value. */
  rewrite(source) {
    this.#source = source
    const kept = Object.entries(this.#parameters).filter(([name]) => RegExp(`\\bparam\\s+${name}\\b`).test(source))
    this.#parameters = Object.fromEntries(kept)
    this.#changed()
  }

  /** Another file: its parameters have their own values, but for those that are given. */
  replace(source, parameters) {
    this.#parameters = parameters
    this.dispatchEvent(new Event("replaced"))
    this.rewrite(source)
  }

  setParameter(name, value) {
    this.#parameters = { ...this.#parameters, [name]: value }
    this.#changed()
  }

  #changed() {
    this.dispatchEvent(new Event("changed"))
  }
}

export const game = new Game()
