"""Running kernels on a game: backends, hosts' drivers, time slices, limits, threads and growing tables.

**How a kernel runs on any machine.** A *host* (``solvers/search/alphabeta.py``) turns what a kernel finds into an
answer. It is given a *backend* and a problem, and is made a solver by the decorator ``with_fallback``::

    KERNEL = PathKernel(kernel.Search, kernel.start, kernel.minimax)

    @with_fallback
    def minimax(backend, problem):
        path = backend.watch(problem)                       # 1. what the holes depend on
        def work(kernels):                                  # 2. a search, and what it has found
            search = CallSearch(KERNEL, backend, kernels, problem.limits, problem.progress, path)
            search.run(problem.root)
            ... backend.value(search.search.value), search.counts ...
        return backend.run(KERNEL.source(**path.holes), work)

There are two backends. ``LoweredBackend`` runs the kernel over lowered rules, compiled or as plain Python.
``ExactBackend`` runs the same text over the interface of any machine, with exact numbers: where the lowered rules come
to a native limit (``BeyondLimits``, ``BeyondKernel``: the host raises it, and begins anew on the other backend), and
for traces.

What a kernel finds in its records on the exact backend:

- A payoff, an estimate, or what is earned is an ``int`` or a ``Fraction`` (the unit is 1). ``INFINITE`` is infinite,
  and stays so under ``+``, ``-`` and a sign. A host takes the bounds of its windows from ``backend.infinite``, and
  makes values of results by ``backend.value``.
- A state is a list of one entry, the machine's state, so ``copy(there.state, ply.state, STATE)`` and ``apply`` do what
  they say, in records, in lists and as ``after``. A key is a list of one entry, the position.
- ``legal[k]`` is a ``Move``: ``backend.move`` makes one of what a kernel has listed, on both. A kernel may keep it and
  compare it for equality, but not compute with it. The number that stands for no move is still a number.
- ``MOVES`` is 0, and arrays of that length grow, be they fields or made by ``array``. A host looks at them by place, as
  ``[search.values[k] for k in range(count)]``, and neither slices them nor goes through them.
- ``slot_of``, ``group_of`` and ``hash_of`` number the positions in the order in which they are met: none takes the
  place of another.
  When there is no more memory for new ones, these share the first place. For that a host makes its table by
  ``kernels.elements(kernel.Entry, size, everywhere=True)``.
- ``comes_back`` and its like keep the path in a dictionary. The functions of ``kernels/fractions.py`` never overflow.
- A hole that is a function may be filled by one of Python, which takes the same parameters (``state[0]`` is the state).
- A rule that goes wrong sets ``rules[0]``, as over lowered rules; where no ``except PlayError`` of the kernel takes it,
  the call raises the machine's error, with its play.
- ``drawn`` draws the same numbers as machine code; ``sample`` draws from a ``random.Random``, which the number in
  ``random[0]`` seeds.
- A search function may return a record: ``backend.run(kernel, work, shown)`` says what a trace shows of it, as
  ``TraceView(lambda search, result, arguments: sees.fraction(result))``, and what window it is for.
- A path grows within ``Limits.room``: whenever it is lengthened, the calls or plies used last are measured.

What is new for a kernel goes into ``exact_backend.py``, under its name: it takes the place of a word, a constant or a
function of any kernel module.
"""
