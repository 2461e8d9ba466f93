// Links to what is on the page: `#bundled=nim&param.heaps=4&play=take(1, 3)&tab=play`. A game of the gallery goes by
// its name. Another one is in the link: `game=` and the text, compressed by deflate-raw, in base64url; no server is asked.

const PARAMETER = "param."
const KEPT = { "%28": "(", "%29": ")", "%2C": "," } // readable where a program would have them escaped

/** The address of this page with a game, by its name in the gallery or as a text, values of parameters, the moves of a
 * play, and a tab. */
export async function linkTo({ bundled, source, parameters, play, tab }) {
  const parts = new URLSearchParams(bundled === null ? { game: await packed(source) } : { bundled })
  for (const [name, value] of Object.entries(parameters)) parts.append(PARAMETER + name, value)
  for (const move of play) parts.append("play", move)
  parts.append("tab", tab)
  const fragment = String(parts).replace(/%28|%29|%2C/g, (escaped) => KEPT[escaped])
  return `${location.origin}${location.pathname}#${fragment}`
}

/** What is in the fragment of an address, as `linkTo` has it; null if there is no game in it. Throws an Error if the text
 * is damaged, or longer than `most` bytes: a short link can stand for an endless text. */
export async function readLink(fragment, most) {
  const parts = new URLSearchParams(fragment.slice(1))
  if (!parts.has("game") && !parts.has("bundled")) return null
  const named = [...parts].filter(([name]) => name.startsWith(PARAMETER))
  return {
    bundled: parts.get("bundled"),
    source: parts.has("bundled") ? null : await unpacked(parts.get("game"), most),
    parameters: Object.fromEntries(named.map(([name, value]) => [name.slice(PARAMETER.length), value])),
    play: parts.getAll("play"),
    tab: parts.get("tab") ?? "rules",
  }
}

async function packed(source) {
  const bytes = new Uint8Array(await new Response(through(source, new CompressionStream("deflate-raw"))).arrayBuffer())
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

async function unpacked(written, most) {
  const code = written.replaceAll("-", "+").replaceAll("_", "/")
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
