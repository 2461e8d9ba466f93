// How questions are answered on a page without a server: by Python in workers of the browser. What never changes are
// files. The page of `zermelo serve` has another file in place of this one.
import { part } from "./elements.js"
import { QUICK } from "./quick.js"

const AT_ONCE = 2 // searches; every worker takes some 100 MB
const GRACE = 1000 // milliseconds for work that nobody waits for any more

/** Hears nothing: Python on the page is never away for long. */
export const connection = new EventTarget()

/** The response to a request, as if a server had sent it. */
export function reached(path, { body, signal, isFollowed } = {}) {
  const name = path.replace("/api/", "")
  if (body === undefined) return fetch(new URL(`../api/${name}.json`, import.meta.url))
  const workers = QUICK.includes(name) ? quick : searching
  return isFollowed ? events(workers, name, body, signal) : answer(workers, name, body, signal)
}

/** What a question that got no answer means: it was taken back, or Python has not come. */
export function gone(failed) {
  if (failed.name === "AbortError") return failed
  const hint = "the connection may be bad: reload the page; `pip install 'zermelo[serve]'` brings it to your machine"
  return { code: "no-server", message: `Python cannot be loaded: ${failed.message}`, hint }
}

async function answer(workers, name, body, signal) {
  const { status, content } = await workers.ask({ name, body, signal, heard: () => {} })
  return new Response(content, { status, headers: { "Content-Type": "application/json" } })
}

/** The answer as events: words about progress, and at the end what was found, or why nothing was. */
function events(workers, name, body, signal) {
  const encoder = new TextEncoder()
  const stream = new ReadableStream({
    async start(controller) {
      const send = (kind, data) => controller.enqueue(encoder.encode(`event: ${kind}\ndata: ${data}\n\n`))
      try {
        const heard = (text) => send("progress", JSON.stringify({ text }))
        const { status, content } = await workers.ask({ name, body, signal, heard })
        send(status === 200 ? "solved" : "refused", content)
        controller.close()
      } catch (failed) {
        controller.error(failed)
      }
    },
  })
  return new Response(stream, { headers: { "Content-Type": "text/event-stream" } })
}

/** Workers that answer one question each at a time, and begin when they are needed. One that goes on with what nobody
 * waits for any more is ended; another takes its place. */
class Workers {
  #idle = []
  #count = 0
  #waiting = []

  constructor(most) {
    this.most = most
  }

  /** The status and the content of the answer to a question, when its turn has come. */
  ask(question) {
    return new Promise((resolve, reject) => {
      const asked = { ...question, resolve, reject }
      const takenBack = () => {
        this.#waiting = this.#waiting.filter((each) => each !== asked)
        reject(new DOMException("taken back", "AbortError"))
        asked.heard = () => {}
        const { worker } = asked
        if (worker) setTimeout(() => worker.asked === asked && this.#end(worker), GRACE)
      }
      if (question.signal?.aborted) takenBack()
      else {
        question.signal?.addEventListener("abort", takenBack)
        this.#waiting.push(asked)
        this.#goOn()
      }
    })
  }

  /** Begins with a worker before anybody asks. */
  begin() {
    if (this.#count === 0) this.#idle.push(this.#started())
    this.#goOn()
  }

  #goOn() {
    while (this.#waiting.length > 0 && (this.#idle.length > 0 || this.#count < this.most)) {
      const worker = this.#idle.pop() ?? this.#started()
      const asked = this.#waiting.shift()
      asked.worker = worker
      worker.asked = asked
      worker.postMessage({ name: asked.name, body: asked.body })
    }
  }

  #started() {
    this.#count += 1
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" })
    worker.addEventListener("message", ({ data }) => this.#heard(worker, data))
    worker.addEventListener("error", (event) => this.#heard(worker, { failed: event.message || "a worker does not begin" }))
    return worker
  }

  #heard(worker, { isReady, progress, failed, status, content, isLast }) {
    if (isReady) return this.ready?.()
    if (progress !== undefined) return worker.asked?.heard(progress)
    const asked = worker.asked
    worker.asked = null
    if (asked) asked.worker = null
    if (failed === undefined) asked?.resolve({ status, content })
    else asked?.reject(new Error(failed))
    if (isLast || failed !== undefined) return this.#end(worker)
    this.#idle.push(worker)
    return this.#goOn()
  }

  #end(worker) {
    worker.terminate()
    worker.asked = null
    this.#idle = this.#idle.filter((each) => each !== worker)
    this.#count -= 1
    this.#goOn()
  }
}

const quick = new Workers(1)
const searching = new Workers(AT_ONCE)
quick.ready = () => searching.begin() // so that Python is there when somebody wants to solve
quick.begin()
part("count").textContent = "Python is being loaded"
