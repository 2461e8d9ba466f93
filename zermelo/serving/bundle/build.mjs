// Bundles editor.mjs with CodeMirror into ../page/codemirror.js: `npm ci && npm run build` in this folder.
// The first line of the bundle names the versions in package-lock.json; the licences go into a file beside it.
import { readFileSync, writeFileSync } from "node:fs"
import { build } from "esbuild"

const PAGE = "../page/codemirror"

const { metafile } = await build({
  entryPoints: ["editor.mjs"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  metafile: true,
  write: false,
})
const names = [...new Set(Object.keys(metafile.inputs).map(packageOf).filter(Boolean))].sort()
const locked = JSON.parse(readFileSync("package-lock.json", "utf8")).packages
const versions = names.map((name) => `${name} ${locked[`node_modules/${name}`].version}`)

await build({
  entryPoints: ["editor.mjs"],
  outfile: `${PAGE}.js`,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  banner: { js: `// ${versions.join(", ")}; licences in codemirror.LICENSE.txt` },
})
const licences = names.map((name) => `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`)
writeFileSync(`${PAGE}.LICENSE.txt`, licences.join("\n" + "-".repeat(80) + "\n\n"))

/** The package that a file in node_modules belongs to. */
function packageOf(file) {
  return file.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//)?.[1]
}
