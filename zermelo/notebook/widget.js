// Shows the pages of a conversation with Python, and tells it what a person does.
//
// A page has a `turn`, a `title`, a `status`, a `remark`, a `log` of what has happened, two pictures, `tree` and
// `board` (null where there is none; the position as `text` then), `moves` to choose from, and `buttons`. A picture has
// its `svg`, a `width` and `height`, a `description`, and `spots`: places, in shares of its size, to click on. A move
// has a `text`, a `detail`, and the `cells` that it is about. Where steps follow one another, `steps` says at which one
// it is, which is the last, and whether a play `goes_on`. What a person does is a message:
//   {turn, do: "move", number}   {turn, do: "spot", name}   {turn, do: "press", name}   {turn, do: "step", number}

const PACE = 1500; // milliseconds that a step is shown while steps are played

export default { render };

function render({ model, el }) {
  const view = new View(el, (message) => model.send(message));
  const show = () => view.show(model.get("page"));
  model.on("change:page", show);
  show();
  return () => {
    view.pause();
    model.off("change:page", show);
  };
}

class View {
  constructor(root, send) {
    this.root = root;
    this.send = send;
    this.title = make("h4", {});
    this.status = make("p", { className: "status", role: "status" }); // these two stay, so that screen readers
    this.remark = make("p", { className: "remark", role: "status" }); // tell what changes in them
    this.buttons = make("div", { className: "buttons" });
    this.stepping = this.makeStepping();
    this.beside = make("div", { className: "beside" });
    root.classList.add("zermelo");
    root.setAttribute("role", "group");
    root.replaceChildren(this.title, this.status, this.remark, this.buttons, this.stepping, this.beside);
    root.addEventListener("keydown", (event) => this.onKey(event));
  }

  show(page) {
    this.page = page;
    this.chosen = []; // the cells of a move, as far as they have been clicked on
    this.root.removeAttribute("aria-busy");
    this.draw();
  }

  tell(message) {
    this.root.setAttribute("aria-busy", "true");
    this.told = message.number; // of a step, the one that Python hears of now
    this.send({ turn: this.page.turn, ...message });
  }

  draw() {
    const { page, root } = this;
    const focused = root.querySelector(":focus")?.dataset.key;
    const before = root.querySelector(".tree");
    const [left, top] = before ? [before.scrollLeft, before.scrollTop] : [0, 0];
    root.setAttribute("aria-label", page.title);
    this.title.textContent = page.tree ? "" : page.title; // a tree has its title in the picture
    this.status.textContent = page.status;
    this.remark.textContent = this.question() || page.remark;
    this.buttons.replaceChildren(...page.buttons.map((each) => this.button(each)));
    this.showSteps(page.steps);
    this.beside.replaceChildren(
      ...(page.tree ? [this.picture(page.tree, "tree", (name) => this.tell({ do: "spot", name }))] : []),
      ...(page.steps ? [] : [this.position(page)]),
    );
    for (const group of root.querySelectorAll("[data-roam]")) beginRoaming(group);
    for (const each of root.querySelectorAll("button, input")) each.dataset.lmSuppressShortcuts = "true"; // JupyterLab's
    root.querySelector(".tree")?.scrollTo(left, top);
    if (focused !== undefined) this.find(focused)?.focus({ preventScroll: true });
    bringIntoView(root.querySelector(".tree [aria-current]"));
  }

  position(page) {
    return make(
      "div",
      { className: "position" },
      ...(page.board ? [this.picture(page.board, "board", (name) => this.choose(name))] : []),
      ...(page.board || !page.text ? [] : [make("pre", {}, page.text)]),
      this.moves(),
      this.log(),
    );
  }

  find(key) {
    return [...this.root.querySelectorAll("[data-key]")].find((each) => each.dataset.key === key);
  }

  button({ name, text, is_enabled }) {
    const press = () => this.tell({ do: "press", name });
    return make("button", { type: "button", disabled: !is_enabled, onclick: press, data: { key: `press ${name}` } }, text);
  }

  // ---------------------------------------------------------------- steps

  /** A slider and a button to play, which stay where they are while pages come. */
  makeStepping() {
    this.timer = 0;
    this.wanted = null; // a step of the slider that Python has not heard of
    const act = () => (this.timer ? this.pause() : this.play());
    this.player = make("button", { type: "button", onclick: act, data: { key: "play" } }, "Play");
    this.slider = make("input", { type: "range", min: 0, ariaLabel: "The step", data: { key: "step" } });
    this.slider.addEventListener("input", () => {
      this.pause();
      this.wanted = this.slider.valueAsNumber;
      if (!this.root.hasAttribute("aria-busy")) this.tell({ do: "step", number: this.wanted });
    });
    this.count = make("span", {});
    return make("div", { className: "steps" }, this.player, this.slider, this.count);
  }

  showSteps(steps) {
    this.stepping.hidden = !steps;
    if (!steps) return;
    if (!steps.goes_on) this.pause();
    this.player.disabled = !steps.goes_on;
    this.slider.max = steps.last;
    const wanted = this.wanted;
    this.wanted = null;
    if (wanted !== null && wanted !== this.told) this.tell({ do: "step", number: wanted });
    else this.slider.value = steps.at;
    this.count.textContent = `step ${steps.at + 1} of ${steps.last + 1}`;
  }

  play() {
    this.timer = setInterval(() => {
      if (this.root.hasAttribute("aria-busy")) return;
      if (this.root.isConnected) this.tell({ do: "step", number: this.page.steps.at + 1 });
      else this.pause();
    }, PACE);
    this.player.textContent = "Pause";
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.player.textContent = "Play";
  }

  // ---------------------------------------------------------------- pictures

  picture({ svg, width, height, description, spots }, kind, act) {
    const source = `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
    const open = kind === "board" ? this.openCells() : null;
    const places = spots.map((spot, number) => {
      const same = spots.slice(0, number).filter(({ name }) => name === spot.name).length; // several boards have a b2
      const place = make("button", {
        type: "button",
        className: "spot",
        title: spot.label,
        ariaLabel: spot.label,
        onclick: () => act(spot.name),
        data: { key: `${kind} ${spot.name} ${same}` },
      });
      for (const side of ["left", "top", "width", "height"]) place.style[side] = `${spot[side] * 100}%`;
      if (spot.is_current) place.setAttribute("aria-current", "true");
      if (this.chosen.includes(spot.name)) place.setAttribute("aria-pressed", "true");
      place.classList.toggle("open", open !== null && this.chosen.length > 0 && open.has(spot.name));
      return place;
    });
    const image = make("img", { src: source, alt: description, width, height, draggable: false });
    const sheet = make("div", { className: "sheet", data: { roam: kind } }, image, ...places);
    sheet.style.width = `${width}px`;
    return make("div", { className: kind }, sheet);
  }

  // ---------------------------------------------------------------- moves

  /** The moves that are about the cells chosen so far, with their numbers. */
  candidates() {
    return this.page.moves
      .map((move, number) => ({ ...move, number }))
      .filter(({ cells }) => this.chosen.every((cell, k) => cells[k] === cell));
  }

  /** The cells that may be chosen next. */
  openCells() {
    return new Set(this.candidates().map(({ cells }) => cells[this.chosen.length]));
  }

  choose(cell) {
    const before = this.chosen;
    this.chosen = [...before, cell];
    if (this.candidates().length === 0) this.chosen = [cell]; // another move is begun
    if (this.candidates().length === 0) this.chosen = [];
    const found = this.candidates();
    if (this.chosen.length > 0 && found.length === 1 && found[0].cells.length === this.chosen.length) {
      this.tell({ do: "move", number: found[0].number });
    } else {
      this.draw();
    }
  }

  question() {
    return this.chosen.length > 0 ? `${this.chosen.join(", ")}: go on with a cell or a move. Escape begins again.` : "";
  }

  moves() {
    const items = this.candidates().map(({ text, detail, is_best, number }) => {
      const move = make(
        "button",
        { type: "button", onclick: () => this.tell({ do: "move", number }), data: { key: `move ${number}` } },
        is_best ? make("strong", {}, text) : text,
        ...(detail ? [" ", make("small", {}, detail)] : []),
      );
      return make("li", {}, move);
    });
    return make("ul", { className: "moves", ariaLabel: "moves", data: { roam: "moves" } }, ...items);
  }

  log() {
    const items = this.page.log.map((line) => make("li", {}, line));
    return make("ol", { className: "log", ariaLabel: "what has happened" }, ...items);
  }

  // ---------------------------------------------------------------- keys

  onKey(event) {
    if (event.key === "Escape" && this.chosen.length > 0) {
      this.chosen = [];
      this.draw();
    } else if (event.key in ARROWS && event.target.closest("[data-roam]")) {
      roam(event.target, ARROWS[event.key]);
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation(); // a notebook has keys of its own
  }
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** One button of a group can be reached by Tab; arrows lead on from there. */
function beginRoaming(group) {
  const stops = [...group.querySelectorAll("button")];
  const first = stops.find((each) => each.hasAttribute("aria-current")) ?? stops[0];
  for (const each of stops) each.tabIndex = each === first ? 0 : -1;
}

/** Move the focus to the nearest button of the group in a direction; what lies aside is farther away than it is. */
function roam(from, [across, down]) {
  const group = from.closest("[data-roam]");
  const middle = (each) => {
    const box = each.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2];
  };
  const [x, y] = middle(from);
  let nearest = null;
  let least = Infinity;
  for (const each of group.querySelectorAll("button")) {
    const [a, b] = middle(each);
    const ahead = (a - x) * across + (b - y) * down;
    const aside = Math.abs((a - x) * down) + Math.abs((b - y) * across);
    if (ahead > 1 && ahead + 2 * aside < least) [nearest, least] = [each, ahead + 2 * aside];
  }
  if (nearest === null) return;
  from.tabIndex = -1;
  nearest.tabIndex = 0;
  nearest.focus();
}

/** Scroll the tree, and not the page around it, to a node. */
function bringIntoView(node) {
  if (!node) return;
  const tree = node.closest(".tree");
  const [inside, around] = [node.getBoundingClientRect(), tree.getBoundingClientRect()];
  if (inside.left < around.left || inside.right > around.right) {
    tree.scrollLeft += inside.left - around.left - tree.clientWidth / 2;
  }
  if (inside.top < around.top || inside.bottom > around.bottom) {
    tree.scrollTop += inside.top - around.top - tree.clientHeight / 2;
  }
}

/** An element with properties, `data` and children. Texts become text, never markup. */
function make(tag, { data = {}, role, ...properties }, ...children) {
  const element = document.createElement(tag);
  Object.assign(element, properties);
  Object.assign(element.dataset, data);
  if (role) element.setAttribute("role", role);
  element.append(...children);
  return element;
}
