// Dragging on the board, with a mouse, a pen or a finger: what lies uppermost at a place goes with the pointer.

const STILL = 6 // pixels within which a pointer that goes down and up makes a click

/** Lets a piece be dragged from a place. `begins()` says whether a move goes on from there; `lifted()` and `dropped(name)`
 * hear of the places where it comes from and where it comes to, `leads(name)` says whether it may. The result says
 * whether the click that comes now is the end of a drag. */
export function dragging(place, { begins, lifted, dropped, leads }) {
  let start = null // where the pointer went down
  let piece = null // what goes with it
  let isDragged = false
  place.addEventListener("pointerdown", (event) => {
    isDragged = false
    if (!event.isPrimary || event.button !== 0 || !begins()) return
    start = { x: event.clientX, y: event.clientY }
    place.setPointerCapture(event.pointerId)
  })
  place.addEventListener("pointermove", (event) => {
    if (start === null) return
    const [x, y] = [event.clientX - start.x, event.clientY - start.y]
    if (piece === null && Math.hypot(x, y) < STILL) return
    if (piece === null) {
      piece = uppermost(place)
      lifted()
    }
    const board = place.ownerSVGElement
    const scale = board.viewBox.baseVal.width / board.getBoundingClientRect().width
    for (const mark of piece) mark.setAttribute("transform", `translate(${x * scale} ${y * scale})`)
    const over = under(event)
    for (const each of board.querySelectorAll(".over")) if (each !== over) each.classList.remove("over")
    if (over && leads(over.dataset.cell)) over.classList.add("over")
  })
  // a finger that drags a piece does not move the page
  place.addEventListener("touchmove", (event) => start !== null && event.preventDefault(), { passive: false })
  for (const kind of ["pointerup", "pointercancel"]) {
    place.addEventListener(kind, (event) => {
      start = null
      if (piece === null) return
      for (const mark of piece) mark.removeAttribute("transform")
      for (const each of place.ownerSVGElement.querySelectorAll(".over")) each.classList.remove("over")
      piece = null
      isDragged = true
      dropped(kind === "pointerup" ? under(event)?.dataset.cell : null)
    })
  }
  return () => isDragged
}

function under({ clientX, clientY }) {
  return document.elementFromPoint(clientX, clientY)?.closest("[data-cell]") ?? null
}

/** The marks of what lies uppermost at a place: the last one in it, and what touches that. */
function uppermost(place) {
  const room = place.firstElementChild.getBBox()
  const marks = [...place.ownerSVGElement.children].filter((mark) => mark.getBBox && !mark.matches("[data-cell]"))
  const inside = marks.map((mark) => ({ mark, box: mark.getBBox() })).filter(({ box }) => (
    box.width < 0.93 * room.width && isWithin(box, room)
  ))
  const last = inside.at(-1)
  return last ? inside.filter(({ box }) => touches(box, last.box)).map(({ mark }) => mark) : []
}

function isWithin(box, room) {
  return box.x >= room.x - 1 && box.y >= room.y - 1
    && box.x + box.width <= room.x + room.width + 1 && box.y + box.height <= room.y + room.height + 1
}

function touches(one, other) {
  const isApart = (begin, length) => (
    one[begin] + one[length] < other[begin] + 1 || other[begin] + other[length] < one[begin] + 1
  )
  return !isApart("x", "width") && !isApart("y", "height")
}
