"""What solvers need of a game, held against what is known of it."""

from __future__ import annotations

from enum import Enum

from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.checks.game_facts import Facts


class Need(Enum):
    """What a solver may need: the code of the refusal, and the kind of game in words."""

    TWO_PLAYERS = ("needs-two-players", "games of two players")
    SEVERAL_OPPONENTS = ("needs-several-opponents", "games of three or more players")
    CONSTANT_SUM = ("needs-constant-sum", "games of constant sum")
    COMMON_PAYOFF = ("needs-common-payoff", "games in which all players get the same")
    NO_CHANCE = ("needs-no-chance", "games without chance")
    PERFECT_INFORMATION = ("needs-perfect-information", "games of perfect information")
    IMPERFECT_INFORMATION = ("needs-imperfect-information", "games in which something is hidden")
    PASSES = (
        "needs-passes",
        "games in which a player could let the other move in his place",
    )
    END = ("needs-end", "games whose plays all come to an end")
    BOUNDS = ("needs-bounds", "games of which it is known how little and how much a play can pay")

    def __init__(self, code: str, kind: str) -> None:
        self.code = code
        self.kind = kind

    def fact(self, facts: Facts) -> Fact:
        """The fact that meets this need if it holds."""
        match self:
            case Need.TWO_PLAYERS:
                return Fact(len(facts.players) == 2, f"its players are {', '.join(facts.players)}")
            case Need.SEVERAL_OPPONENTS:
                return Fact(len(facts.players) > 2, f"its players are {', '.join(facts.players)}")
            case Need.CONSTANT_SUM:
                return facts.constant_sum
            case Need.COMMON_PAYOFF:
                return facts.common_payoff
            case Need.NO_CHANCE:
                return facts.deterministic
            case Need.PERFECT_INFORMATION:
                return facts.perfect_information
            case Need.IMPERFECT_INFORMATION:
                known = facts.perfect_information.holds
                return Fact(None if known is None else not known, facts.perfect_information.how)
            case Need.PASSES:
                return facts.can_pass
            case Need.END:
                return facts.terminates
            case Need.BOUNDS:
                is_bounded = bool(facts.bounds) and None not in facts.bounds
                how = "the rules set bounds to every payoff" if is_bounded else "the rules set no bounds to its payoffs"
                return Fact(True if is_bounded else None, how)

    def is_met(self, facts: Facts) -> bool:
        """Whether a solver with this need may be run. A need must be proved to be met, but for two: where it is not
        known whether every play ends, the search notices by itself when a play goes round; and what is good for hidden
        information does no harm where there may be none."""
        holds = self.fact(facts).holds
        return holds is True or (self in (Need.END, Need.IMPERFECT_INFORMATION) and holds is None)
