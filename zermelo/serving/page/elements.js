// Making elements of the page.

/** An element with attributes and children. An attribute that is a function is a listener; false leaves it out. */
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value)
    else if (value === true) element.setAttribute(key, "")
    else if (value !== false && value !== null) element.setAttribute(key, value)
  }
  element.append(...children.flat())
  return element
}

/** The element of the page with an `id`. */
export function part(id) {
  return document.getElementById(id)
}

/** A picture of the server as an element of the page. Scripts in it would not run: the page's policy forbids them. */
export function picture(svg) {
  const read = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement
  const element = document.importNode(read, true)
  element.classList.add("picture")
  return element
}

/** A table with a caption, heads of columns, and rows of text. */
export function table(caption, columns, rows) {
  const heads = columns.map((column) => make("th", { scope: "col" }, column))
  const lines = rows.map((row) => make("tr", {}, row.map((cell) => make("td", {}, String(cell)))))
  return make(
    "table", {}, make("caption", {}, caption), make("thead", {}, make("tr", {}, heads)), make("tbody", {}, lines),
  )
}

/** What a refusal says: its message, its code and what may help. */
export function refusal(refused) {
  const hint = refused.hint ? make("p", { class: "hint" }, refused.hint) : ""
  const code = refused.code ? make("code", {}, refused.code) : ""
  return make("div", { class: "refusal", role: "alert" }, make("p", {}, refused.message, " ", code), hint)
}
