// Files of the user's machine: through the File System Access API where the browser has it, else as up- and downloads.
import { make } from "./elements.js"

const TYPES = [{ description: "Games", accept: { "text/plain": [".game"] } }]

/** A file that cannot be a game, or that another program has written since. */
export class NotRead extends Error {
  isChanged = false
}

/** Lets the user choose files, and reads them; none if they choose none. Throws `NotRead`. */
export async function chooseFiles(most) {
  if (!window.showOpenFilePicker) return readAll(await uploaded(), most)
  try {
    const handles = await showOpenFilePicker({ multiple: true, types: TYPES })
    return await Promise.all(handles.map(async (handle) => ({ ...(await read(await handle.getFile(), most)), handle })))
  } catch (failed) {
    if (failed.name === "AbortError") return []
    throw failed
  }
}

/** The files with their texts. */
export function readAll(files, most) {
  return Promise.all(files.map((file) => read(file, most)))
}

/** Writes a text into a file, which the user chooses if there is no `handle`: where it stands now, and when it was written;
 * null if the user chooses none. */
export async function saveFile(name, text, handle) {
  try {
    const chosen = handle ?? (await window.showSaveFilePicker?.({ suggestedName: name, types: TYPES }))
    if (!chosen) return download(name, text)
    const stream = await chosen.createWritable()
    await stream.write(text)
    await stream.close()
    return { name: chosen.name, handle: chosen, modified: (await chosen.getFile()).lastModified }
  } catch (failed) {
    if (failed.name === "AbortError") return null
    throw failed
  }
}

/** Whether a program other than this page has written the file since it was read or written here. */
export async function isOlderThanFile({ handle, modified }) {
  try {
    return handle !== null && (await handle.getFile()).lastModified !== modified
  } catch (failed) {
    if (failed.name === "NotFoundError" || failed.name === "NotAllowedError") return false // saving says so
    throw failed
  }
}

/** A file with its text, whose lines end as those of the editor do; `ends` is how they end in the file. */
async function read(file, most) {
  if (file.size > most) throw new NotRead(`${file.name} is longer than ${most} bytes`)
  const { text, remark } = decoded(new Uint8Array(await file.arrayBuffer()), file.name)
  const ends = /\r\n/.test(text) ? "\r\n" : "\n"
  return { name: file.name, source: text.replace(/\r\n?/g, "\n"), ends, handle: null, modified: file.lastModified, remark }
}

/** The text of a file, and what is to be said about its encoding. A game is in UTF-8; other programs write other ones. */
function decoded(bytes, name) {
  const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (!isWide && bytes.includes(0)) throw new NotRead(`${name} is no text`)
  for (const encoding of isWide ? [bytes[0] === 0xff ? "utf-16le" : "utf-16be"] : ["utf-8", "windows-1252"]) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
      const remark = `${name} is not in UTF-8. It has been read as ${encoding}, and will be saved as UTF-8.`
      return { text, remark: encoding === "utf-8" ? "" : remark }
    } catch (failed) {
      if (!(failed instanceof TypeError)) throw failed
    }
  }
  throw new NotRead(`${name} is no text`)
}

function uploaded() {
  return new Promise((done) => {
    const field = make("input", { type: "file", accept: ".game", multiple: true })
    field.addEventListener("change", () => done([...field.files]))
    field.addEventListener("cancel", () => done([]))
    field.click()
  })
}

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }))
  make("a", { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
  return { name, handle: null, modified: null }
}
