"""Why the positions of a game may have no value, as data: whoever knows the moves puts it into words."""

from __future__ import annotations

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.footprint import size
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.solvers.common.limits import Limits, ahead


class NeedsEndless(Exception):
    """What the root is worth depends on what a play is worth that never ends, and the rules do not say. It could go on
    for ever from ``position`` on, to which the edges ``play`` lead from the root; ``keepers`` can see to that, whatever
    the others do, as far as it is known."""

    def __init__(self, position: int, play: tuple[int, ...], keepers: tuple[int, ...] = ()) -> None:
        super().__init__(f"a play need not end that comes to position {position}")
        self.position = position
        self.play = play
        self.keepers = keepers


class EarnsForEver(Exception):
    """A play may go on for ever and earn something again and again, without a discount: it has no total. ``edge`` is
    one of those that earn."""

    def __init__(self, edge: int) -> None:
        super().__init__(edge)
        self.edge = edge


class NeedsOneNumber(Exception):
    """Plays may come back to ``position``, and more than one number counts."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class NeedsMixing(Exception):
    """In the round that begins in ``position`` more than two players choose, who have no equilibrium in which nobody
    mixes."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class TooManyPositions(ZermeloError):
    """The refusal (``out-of-memory``) of a graph that does not fit into memory, of which so many ``positions`` have
    ``taken`` so many bytes."""

    def __init__(self, positions: int, taken: float, limits: Limits) -> None:
        super().__init__(
            "out-of-memory",
            f"there are more than {positions:,} positions; so many take {size(int(taken))} of memory, "
            f"{taken / max(1, positions):,.0f} bytes each, and it is limited to {size(limits.memory)}",
            limits.more_memory,
        )


class TooManyDigits(Exception):
    """Exact numbers have more digits than allowed."""


class NotEnclosed(Exception):
    """No bounds of the numbers in a circle have been proved; ``position`` is in it."""

    def __init__(self, position: int) -> None:
        super().__init__(f"no bounds have been proved for position {position}")
        self.position = position


def without_all_positions(facts: Facts) -> list[str]:
    """What can be done without finding all positions of a game, in words, by solvers that it fits."""
    if not facts.perfect_information.holds:
        return []
    is_bounded = bool(facts.bounds) and None not in facts.bounds
    guess = ["--solver mcts makes a guess"] if is_bounded else []
    return [f"without --solver, {ahead(facts.has_estimate)}", *guess]
