// Requests to the server behind the page, and its refusals. Nobody else is asked for anything.
import { gone, reached } from "./transport.js"

export { connection } from "./transport.js"

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
  return answered(await reach(path))
}

/** The answer to a question; `signal` takes it back. Throws `Refused`. */
export async function ask(path, question, signal) {
  return answered(await post(path, question, signal))
}

/** Follows the events of long work: `heard(kind, data)` for each of them, until the last one has come. */
export async function follow(path, question, signal, heard) {
  const response = await post(path, question, signal, true)
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

function post(path, question, signal, isFollowed = false) {
  const headers = { "Content-Type": "application/json" }
  return reach(path, { method: "POST", headers, body: JSON.stringify(question), signal, isFollowed })
}

async function reach(path, options) {
  try {
    return await reached(path, options)
  } catch (failed) {
    throw refused(gone(failed))
  }
}

/** A request that was taken back is no refusal. */
function refused(why) {
  return why instanceof Error ? why : new Refused(why)
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
    throw refused(gone(failed))
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
