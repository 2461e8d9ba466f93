// Links that contain a game: `#game=` and the text, compressed by deflate-raw, in base64url. No server is asked.

const BEGIN = "#game="

/** The address of this page with a text in it. */
export async function linkTo(source) {
  const bytes = new Uint8Array(await new Response(through(source, new CompressionStream("deflate-raw"))).arrayBuffer())
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
  const code = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
  return `${location.origin}${location.pathname}${BEGIN}${code}`
}

/** The text in the fragment of an address; null if there is none. Throws an Error if it is damaged, or longer than
 * `most` bytes: a short link can stand for an endless text. */
export async function textIn(fragment, most) {
  if (!fragment.startsWith(BEGIN)) return null
  const code = fragment.slice(BEGIN.length).replaceAll("-", "+").replaceAll("_", "/")
  const bytes = Uint8Array.from(atob(code), (letter) => letter.charCodeAt(0))
  const reader = through(bytes, new DecompressionStream("deflate-raw")).getReader()
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  let length = 0
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.length
    if (length > most) {
      await reader.cancel()
      throw new Error(`the text in the link is longer than ${most} bytes`)
    }
    text += decoder.decode(read.value, { stream: true })
  }
  return text + decoder.decode()
}

function through(content, stream) {
  return new Blob([content]).stream().pipeThrough(stream)
}
