"""What estimates say of all positions of a graph: :mod:`zermelo.solvers.kernels.asking` goes along it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.running.views import RuleError
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.kernels import asking as kernel
from zermelo.solvers.learning.td import Scales, lists_of, set_up, source
from zermelo.solvers.learning.weights import TDSettings, Weights
from zermelo.solvers.positions.graph.graph import PositionGraph
from zermelo.solvers.positions.solved_positions import Guide, shortest_path
from zermelo.solvers.running.backend import Backend, GameKernels
from zermelo.solvers.running.lowered_backend import run_with_fallback
from zermelo.solvers.running.path_search import Slices


def ask_along(
    machine: Machine[Any],
    root: Any,
    graph: PositionGraph,
    marks: Sequence[int],
    estimates: Sequence[Weights],
    scales: Scales,
    limits: Limits,
    progress: Progress,
    has_unsettled: bool,
) -> tuple[Any, Any]:
    """What several estimates with the same settings say that the positions of a graph are worth to the first player: a
    row for each position; 0 where they are not asked. And whether each position that they are asked about is unsettled,
    in a game whose file may say so. ``marks`` are those of :mod:`zermelo.solvers.kernels.asking`. Asked so, weights are
    not rounded. Raises ``PlayError`` for an error of the rules."""

    def run(backend: Backend[Any]) -> tuple[Any, Any]:
        over = scales.denominators(backend)

        def ask_all(kernels: GameKernels) -> tuple[Any, Any]:
            count, words = len(graph), kernels.halves
            asker = kernels.new(
                kernel.Asker,
                learner=lists_of(estimates, over, 0),
                firsts=kernels.as_halves(graph.firsts),
                targets=kernels.as_halves(graph.targets),
                marks=kernels.as_halves(marks),
                places=words(count),
                free=words(count),
                held=kernels.elements(kernel.Held, count),
                worths=count * len(estimates),
                unsettled=words(count),
            )
            set_up(asker.learner, estimates, scales, backend, over)
            kernels.put(asker.held[0].state, backend.held(root))
            asker.places[0] = asker.taken = 1
            asker.estimates = len(estimates)
            slices = Slices(kernels.is_compiled)
            while asker.position < count:
                limits.check({"nodes": int(asker.position)})
                progress(int(asker.position))
                try:
                    kernels.call(kernel.ask_along, asker, min(count, asker.position + slices.next()))
                except RuleError as error:
                    guide = Guide(machine, root, graph)
                    made = guide.play(shortest_path(graph, int(asker.position)))
                    backend.explain(root, [backend.number_of(root, move) for move in made], error)
            worths = numpy.array(asker.worths, dtype=float).reshape(count, len(estimates))
            return worths, numpy.array(asker.unsettled, dtype=bool)

        settings = TDSettings(hidden=estimates[0].settings.hidden)
        return backend.run(source(settings, has_unsettled, kernel.ask_along), ask_all)

    return run_with_fallback(machine, limits, run)
