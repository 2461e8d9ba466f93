// A search to watch: its steps one after the other, forwards and backwards, and a question before each cut-off.
import { part, picture } from "./elements.js"
import { ask } from "./server.js"

const PACE = 1500 // milliseconds that a step is shown while the search plays

/** Makes the controls work, which show the steps of a search in `place`. `watch(question, signal)` begins, and `stop()`
 * leaves the place to others. */
export function startWatching(place) {
  const controls = part("watching")
  const slider = part("watch-at")
  let search = null
  let at = 0
  let isAsked = false // about the cut-off of the next step
  let timer = 0
  part("watch-play").addEventListener("click", () => (timer ? pause() : play()))
  part("watch-back").addEventListener("click", () => (pause(), go(at - 1)))
  part("watch-step").addEventListener("click", () => (pause(), go(at + 1)))
  part("watch-answer").addEventListener("click", answer)
  slider.addEventListener("input", () => (pause(), go(slider.valueAsNumber - 1)))
  controls.addEventListener("keydown", onKey)
  place.addEventListener("keydown", onKey)
  return { watch, stop }

  async function watch(question, signal) {
    search = await ask("/api/watch", question, signal)
    slider.max = search.frames.length
    controls.hidden = false
    show(0)
    part("watch-play").focus({ preventScroll: true })
  }

  function stop() {
    pause()
    search = null
    controls.hidden = true
  }

  /** Goes to a step, unless it is the next one and has a cut-off to be asked about first. */
  function go(step) {
    const next = search.frames[step]
    if (next === undefined) return
    if (step === at + 1 && next.cut.length > 0 && part("watch-quiz").checked) pose()
    else show(step)
  }

  function pose() {
    isAsked = true
    pause()
    part("watch-said").textContent = search.question
    part("watch-answer").hidden = false
    part("watch-answer").focus()
    enable()
  }

  function answer() {
    show(at + 1)
    part("watch-step").focus()
  }

  function show(step) {
    at = step
    isAsked = false
    const { lines, said, at: work } = search.frames[at]
    const drawn = picture(lines.map((number) => search.lines[number]).join("\n"))
    place.replaceChildren(drawn)
    if (work) bringIntoView(drawn, work)
    part("watch-said").textContent = said
    part("watch-answer").hidden = true
    enable()
  }

  function enable() {
    const isLast = at === search.frames.length - 1
    slider.value = at + 1
    part("watch-count").textContent = `step ${at + 1} of ${search.frames.length}`
    slider.setAttribute("aria-valuetext", part("watch-count").textContent)
    part("watch-back").disabled = at === 0
    part("watch-step").disabled = isLast || isAsked
    part("watch-play").disabled = isAsked
  }

  function play() {
    if (at === search.frames.length - 1) show(0)
    timer = setInterval(() => (at < search.frames.length - 1 && place.checkVisibility() ? go(at + 1) : pause()), PACE)
    part("watch-play").textContent = "Pause"
  }

  function pause() {
    clearInterval(timer)
    timer = 0
    part("watch-play").textContent = "Play"
  }

  /** Arrows go from step to step wherever the focus is, and where it is on the slider, which has them itself. */
  function onKey(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (search === null || steps === undefined || event.target === slider || isAsked) return
    if (event.currentTarget === place && place.scrollWidth > place.clientWidth) return // they scroll there
    event.preventDefault()
    pause()
    go(at + steps)
  }

  function bringIntoView(drawn, [across, down]) {
    const box = drawn.getBoundingClientRect()
    const around = place.getBoundingClientRect()
    const x = box.left + across * box.width - around.left
    const y = box.top + down * box.height - around.top
    if (x < 0 || x > place.clientWidth) place.scrollLeft += x - place.clientWidth / 2
    if (y < 0 || y > place.clientHeight) place.scrollTop += y - place.clientHeight / 2
  }
}
