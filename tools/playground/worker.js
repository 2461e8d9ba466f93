// A worker of the page without a server: Python, which answers one question after the other.
import { loadPyodide } from "../pyodide/pyodide.mjs"

const SECONDS = 60 // for an answer
const MEMORY = 1 << 30 // bytes for the tables of a game: the whole of Python has 4 GB at most
const PACKAGES = "/lib/python3.14/site-packages"

const begun = begin()

async function begin() {
  const packed = fetch(new URL("../python/packages.zip", import.meta.url))
  const python = await loadPyodide({ indexURL: new URL("../pyodide/", import.meta.url).href })
  const response = await packed
  if (!response.ok) throw new Error(`${response.url} is not there`)
  python.unpackArchive(await response.arrayBuffer(), "zip", { extractDir: PACKAGES })
  const start = python.pyimport("zermelo.serving.in_browser").start
  const answer = start(SECONDS, MEMORY)
  postMessage({ isReady: true })
  return answer
}

begun.catch((failed) => postMessage({ failed: failed.message }))

addEventListener("message", async ({ data: { name, body } }) => {
  const answer = await begun
  try {
    const [status, content] = answer(name, body, (progress) => postMessage({ progress })).toJs()
    postMessage({ status, content })
  } catch (failed) {
    postMessage({ status: 422, content: JSON.stringify(lost(failed)), isLast: true })
  }
})

/** What is said when Python itself has ended. */
function lost(failed) {
  return {
    code: "out-of-memory",
    message: "Python in the browser has ended, probably because it needed too much memory",
    hint: `\`zermelo serve\` on your machine allows more (${String(failed.message).split("\n").at(-1) || failed.name})`,
  }
}
