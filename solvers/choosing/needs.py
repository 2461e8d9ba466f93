"""Preconditions of solvers on games."""

from __future__ import annotations

from enum import Enum

from zermelo.interpreter.analysis.fact import Fact
from zermelo.interpreter.checks.game_facts import Facts


class Need(Enum):
    """A precondition of solvers: the code of the refusal, and the kind of game in words."""

    ONE_PLAYER = ("needs-one-player", "games of one player")
    TWO_PLAYERS = ("needs-two-players", "games of two players")
    SEVERAL_OPPONENTS = ("needs-several-opponents", "games of three or more players")
    CONSTANT_SUM = ("needs-constant-sum", "games of constant sum")
    COMMON_PAYOFF = ("needs-common-payoff", "games in which all players get the same")
    NO_CHANCE = ("needs-no-chance", "games without chance")
    PERFECT_INFORMATION = ("needs-perfect-information", "games of perfect information")
    IMPERFECT_INFORMATION = ("needs-imperfect-information", "games in which something is hidden")
    PUBLIC = ("needs-public", "games in which everybody knows the position, but for what others choose at that moment")
    PASSES = (
        "needs-passes",
        "games in which a player could let the other one move instead",
    )
    END = ("needs-end", "games whose plays all end")
    BOUNDS = ("needs-bounds", "games with known bounds on payoffs")
    FINITE = ("needs-bounds", "games with a discount, or with bounds on what plays pay, endless ones included")

    def __init__(self, code: str, kind: str) -> None:
        self.code = code
        self.kind = kind

    def fact(self, facts: Facts) -> Fact:
        """The fact that meets this need if it holds."""
        match self:
            case Need.ONE_PLAYER:
                return Fact(len(facts.players) == 1, f"its players are {', '.join(facts.players)}")
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
            case Need.PUBLIC:
                return facts.public_between_rounds
            case Need.PASSES:
                return facts.can_pass
            case Need.END:
                return facts.terminates
            case Need.BOUNDS:
                is_bounded = bool(facts.bounds) and None not in facts.bounds
                how = "the rules bound every payoff" if is_bounded else "the rules do not bound its payoffs"
                return Fact(True if is_bounded else None, how)
            case Need.FINITE:
                is_certain = facts.has_endless or facts.terminates.holds is True
                if facts.discounted or (is_certain and Need.BOUNDS.is_met(facts)):
                    return Fact(True, "an endless play is worth a certain amount, or there is none")
                return Fact(None, "nothing says what an endless play is worth")

    def is_met(self, facts: Facts) -> bool:
        """Whether a solver with this need may be run. Needs must be proved, with two exceptions: if it is unknown
        whether every play ends, the search itself detects cycles; and solvers for hidden information are correct
        without it."""
        holds = self.fact(facts).holds
        return holds is True or (self in (Need.END, Need.IMPERFECT_INFORMATION) and holds is None)
