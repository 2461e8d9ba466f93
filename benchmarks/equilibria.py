"""Hidden information: iterations of CFR+, and the time to approximate an equilibrium.

An iteration updates both players once, on every side, with alternating updates and linear averaging.
"""

from __future__ import annotations

from collections import Counter
from time import perf_counter
from typing import Final

from attrs import frozen

from benchmarks import ours
from benchmarks.measure import REPEATS, best_of_open
from benchmarks.peers import cpp, liteefg, openspiel
from benchmarks.report import Delay, Row
from benchmarks.search import measurement_or_reason
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import SequenceForm, sequence_form
from zermelo.solvers.imperfect_information.counterfactual_regret import VARIANTS, CounterfactualRegret
from zermelo.solvers.imperfect_information.lanes import lay_out


@frozen
class Game:
    """A game on all sides, with the ratios to reach, and the number of iterations of a short run."""

    title: str
    name: str
    theirs: str
    openspiel: float
    iterations: int
    liteefg: float | None = None


GAMES: Final = (
    Game("Leduc poker", "leduc_poker", "leduc_poker", 60, 4000, 10),
    Game("liar's dice", "liars_dice", "liars_dice", 100, 200),
)
_CPP_TARGET: Final = 2
_WIDE_TARGET: Final = 1
_WIDE_LISTS: Final = (
    *("bases", "families", "parents", "leads", "firsts", "ends", "columns", "others", "matrices", "payoffs"),
    *("bounds", "singles", "spans", "single_others", "single_payoffs"),
)
"""The lists of a layout that the program with AVX2 reads."""
_NEAR: Final = ((1e-3, "cfr_plus", 0.1), (1e-6, "predictive_cfr_plus", 10.0))
"""Exploitability, by which solver, and in how many seconds."""


def iterations(game: Game) -> list[Row]:
    """Iterations of CFR+ a second."""
    tree = ours.tree_of(game.name)
    form = sequence_form(tree, Limits(memory=1 << 30))
    regret = CounterfactualRegret(form, VARIANTS["cfr_plus"])

    def work() -> tuple[int, int]:
        regret.iterate(game.iterations // 10)
        return game.iterations // 10, 0

    mine = measurement_or_reason(lambda: best_of_open(work))
    peers = {
        openspiel.NAME: (lambda: best_of_open(openspiel.cfr_plus(openspiel.game_of(game.theirs))), game.openspiel),
        cpp.NAME: (
            lambda: cpp.run("cfr_plus", REPEATS, game.iterations, given=game_text(form)),
            _CPP_TARGET,
        ),
        cpp.WIDE: (
            lambda: cpp.run_wide("cfr_plus_avx2", REPEATS, game.iterations, given=layout_text(form)),
            _WIDE_TARGET,
        ),
    }
    if game.liteefg is not None:
        peers[liteefg.NAME] = (lambda: best_of_open(liteefg.cfr_plus(tree)), game.liteefg)
    return [
        Row(
            task=f"{game.title}, CFR+",
            unit="iterations/s",
            ours=mine,
            peer=peer,
            theirs=measurement_or_reason(run),
            target=target,
            note=f"{tree.histories:,} histories, {len(tree.information_sets):,} information sets",
        )
        for peer, (run, target) in peers.items()
    ]


def nearness() -> list[Delay]:
    """The time to approximate an equilibrium of Leduc poker, given its tree."""
    form = sequence_form(ours.tree_of("leduc_poker"), Limits())
    delays = []
    for wanted, name, limit in _NEAR:
        regret = CounterfactualRegret(form, VARIANTS[name])
        begin = perf_counter()
        regret.iterate()
        while sum(regret.gains()) / 2 > wanted:
            regret.iterate(max(1, regret.iterations // 10))
        task = f"Leduc poker, to an exploitability of {wanted:g} by {VARIANTS[name].title}"
        delays.append(Delay(task=task, ours=perf_counter() - begin, limit=limit))
    return delays


def game_text(form: SequenceForm) -> str:
    """A game of two players in the input format of the plain C++ program."""
    lines = []
    for player, sequences in enumerate(form.players):
        own, other, payoffs = form.leaves[player], form.leaves[1 - player], form.payoffs[player]
        order = sorted(range(len(own)), key=own.__getitem__)
        ends = Counter(own)
        lines.append(f"{len(sequences.parents)} {len(sequences)} {len(own)}")
        lines += map("{} {}".format, sequences.parents, sequences.firsts)
        lines += (str(ends[s]) for s in range(len(sequences)))
        lines += (f"{other[leaf]} {payoffs[leaf] / form.denominator!r}" for leaf in order)
    return "\n".join(lines)


def layout_text(form: SequenceForm) -> str:
    """A game of two players in the input format of the C++ program with AVX2."""
    game = lay_out(form)
    return "\n".join(" ".join(map(repr, (len(game[name]), *game[name]))) for name in _WIDE_LISTS)
