// Requests to the server behind the page, and its refusals. Nobody else is asked for anything.

const AGAIN = 1000 // milliseconds until a server that did not answer is asked whether it is back

/** Hears `back` when the server answers again. */
export const connection = new EventTarget()
let isWaiting = false

/** A refusal in the words of the server, or a game that does not load. */
export class Refused extends Error {
  constructor({ code = "refused", message, hint = "", diagnostics = null }) {
    super(message ?? notLoaded(diagnostics))
    this.code = code
    this.hint = hint
    this.diagnostics = diagnostics
  }
}

/** The answer to a GET request. */
export async function get(path) {
  return answered(await reached(path))
}

/** The answer to a question; `signal` takes it back. Throws `Refused`. */
export async function ask(path, question, signal) {
  return answered(await post(path, question, signal))
}

/** Follows the events of long work: `heard(kind, data)` for each of them, until the last one has come. */
export async function follow(path, question, signal, heard) {
  const response = await post(path, question, signal)
  if (!response.ok) return answered(response)
  let kind = "message"
  let data = ""
  for await (const line of lines(response.body)) {
    if (line.startsWith("event:")) kind = line.slice(6).trim()
    else if (line.startsWith("data:")) data += line.slice(5)
    else if (line === "" && data) {
      heard(kind, JSON.parse(data))
      kind = "message"
      data = ""
    }
  }
}

function post(path, question, signal) {
  const headers = { "Content-Type": "application/json" }
  return reached(path, { method: "POST", headers, body: JSON.stringify(question), signal })
}

/** The response of the server, which may have been stopped since the page was opened. */
async function reached(path, options) {
  try {
    return await fetch(path, options)
  } catch (failed) {
    throw gone(failed)
  }
}

/** What a request that got no answer means, or no more of it. */
function gone(failed) {
  if (failed.name === "AbortError") return failed
  waitForServer()
  const hint = "start `zermelo serve` again: the page goes on by itself, and your text is still here"
  return new Refused({ code: "no-server", message: "the server does not answer", hint })
}

async function waitForServer() {
  if (isWaiting) return
  isWaiting = true
  for (let isBack = false; !isBack; ) {
    await new Promise((rested) => setTimeout(rested, AGAIN))
    isBack = await fetch("/api/limits").then(({ ok }) => ok, () => false)
  }
  isWaiting = false
  connection.dispatchEvent(new Event("back"))
}

async function answered(response) {
  if (response.ok) return response.json()
  const isJson = response.headers.get("Content-Type")?.includes("json")
  throw new Refused(isJson ? await response.json() : { message: `the server answers ${response.status}` })
}

async function* lines(stream) {
  let rest = ""
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const parts = (rest + decoder.decode(read.value, { stream: true })).split(/\r?\n/)
      rest = parts.pop()
      yield* parts
    }
  } catch (failed) {
    throw gone(failed)
  } finally {
    reader.releaseLock()
  }
}

function notLoaded(diagnostics) {
  const errors = (diagnostics ?? []).filter((finding) => finding.severity === 1)
  if (errors.length === 0) return "the game cannot be read"
  const { message, range } = errors[0]
  return `the game has a mistake in line ${range.start.line + 1}: ${message.split("\n")[0]}`
}
