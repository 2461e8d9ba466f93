"""Why the positions of a game may have no value, as data: whoever knows the moves puts it into words."""

from __future__ import annotations

from zermelo.grammar.diagnostics import ZermeloError


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


class TooManyDigits(Exception):
    """Exact numbers have more digits than allowed."""


class NotEnclosed(Exception):
    """No bounds of the numbers in a circle have been proved; ``position`` is in it."""

    def __init__(self, position: int) -> None:
        super().__init__(f"no bounds have been proved for position {position}")
        self.position = position


def within_round() -> ZermeloError:
    """Why what is left of a round is not solved."""
    return ZermeloError(
        "no-value",
        "somebody has chosen already, and others, who choose at the same moment, do not know what: the position has no "
        "value of its own, since it depends on what they think",
        "ask for the position before anybody has chosen, or for the one after all have",
    )
