"""LiteEFG (Liu, Farina and Ozdaglar 2024): its CFR+ on a game written to a file in its own format."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import import_peer
from zermelo.formats.writing import liteefg_text
from zermelo.solvers.forms.extensive_form import ExtensiveForm

NAME = "LiteEFG"


def cfr_plus(tree: ExtensiveForm) -> Callable[[], tuple[int, int]]:
    """An iteration of its CFR+ with linear averaging on a game of two players, which returns 1 and 0; raises
    :class:`~benchmarks.measure.Unavailable`."""
    lite = import_peer("LiteEFG", NAME)
    with redirect_stdout(StringIO()):  # it prints when it is ready
        graph = import_module("LiteEFG.baselines.CFRplus").graph()
    with TemporaryDirectory() as folder:
        file = Path(folder, "game")
        file.write_text(liteefg_text(tree), encoding="utf-8")
        environment = lite.FileEnv(str(file))
    environment.set_graph(graph)

    def iterate() -> tuple[int, int]:
        graph.update_graph(environment)
        environment.update_strategy(graph.current_strategy())
        return 1, 0

    return iterate
