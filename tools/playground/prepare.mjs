// node prepare.mjs PYODIDE ARCHIVE WHEEL...: packs wheels into the archive that the page's workers unpack, with the byte
// code and the tables of the parser that Python would make each time anew.
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

const [place, archive, ...wheels] = process.argv.slice(2)
try {
  const { loadPyodide } = await import(pathToFileURL(join(place, "pyodide.mjs")))
  const python = await loadPyodide({ indexURL: `${place}/` })
  for (const wheel of wheels) {
    python.unpackArchive(new Uint8Array(readFileSync(wheel)), "whl", { extractDir: "/lib/python3.14/site-packages" })
  }
  const here = dirname(fileURLToPath(import.meta.url))
  python.runPython(readFileSync(join(here, "prepare.py"), "utf8"))
  writeFileSync(archive, python.FS.readFile("/packages.zip"))
} catch (failed) {
  console.error(String(failed.message ?? failed).slice(-2000)) // Node itself would print the source line: a megabyte
  process.exitCode = 1
}
