// How questions reach the server behind the page. Another file stands in place of this one where the page has no server.

const AGAIN = 1000 // milliseconds until a server that did not answer is asked whether it is back

/** Hears `back` when the server answers again. */
export const connection = new EventTarget()
let isWaiting = false

/** The response of the server, which may have been stopped since the page was opened. What becomes of an answer by
 * events, `isFollowed` in the options, is the same here. */
export function reached(path, options) {
  return fetch(path, options)
}

/** What a request that got no answer means, or no more of it: a request taken back, or what to say of the server. */
export function gone(failed) {
  if (failed.name === "AbortError") return failed
  waitForServer()
  const hint = "start `zermelo serve` again: the page goes on by itself, and your text is still here"
  return { code: "no-server", message: "the server does not answer", hint }
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
