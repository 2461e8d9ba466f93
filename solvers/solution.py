"""What a solver is given, and what it gives back."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, Final, Generic, TypeAlias

from attrs import define, field, fields, frozen

from zermelo.foundation.records import ByValue, Displayed, Unchanging
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Machine, Move, Payoff, State
from zermelo.solvers.common.limits import Goal, Limits, Progress, Remark, Sampling, ignore_progress, ignore_remark

if TYPE_CHECKING:
    from zermelo.interpreter.native.images import Images
    from zermelo.solvers.common.trace import Trace
    from zermelo.solvers.forms.extensive_form import ExtensiveForm
    from zermelo.solvers.forms.policy import Advisor, ConditionalPlan, Duration
    from zermelo.solvers.forms.strategy import SampledExploitability, Strategy

# What a search leaves to the next one of the same problem: itself, with its table.


@define(eq=False, repr=False)
class Handover:
    """The last search that can go on from another root, or with another window. A search that does not fit is dropped
    before another one is made, so that their tables are never in memory together."""

    _search: Any = None
    _rules: object = None
    _kernel: str = ""

    def leave(self, search: object, rules: object, kernel: str) -> None:
        """Leave a search by a kernel of this identity over these rules."""
        self._search, self._rules, self._kernel = search, rules, kernel

    def take(self, rules: object, *kernels: str) -> Any:
        """The search that has been left, if its rules are these and its kernel is one of these; else None."""
        if self._rules is not rules or self._kernel not in kernels:
            self.leave(None, None, "")
        return self._search


# What is known before a search.


HALF_BYTES: Final = 4
"""The bytes of a number in ``halves`` and ``outcomes``."""


@frozen(eq=False, repr=False)
class Endgames(Displayed):
    """Positions whose exact values are known before a search, which goes no further where it meets one; or, if it
    ``is_estimate``, those about which more is known than the file's estimate says, which a search takes at its horizon.

    They stand in the order of their packed keys, each with one of the ``payoffs``, without what has been earned before.
    ``halves`` and ``outcomes`` are as in :class:`zermelo.solvers.kernels.endgames.Endgames`. With ``images`` there is
    one position for all that are images of each other, under the least of their keys; where these exchange the two
    players, the second half of the payoffs is the first one with that exchange."""

    halves: array[int]
    outcomes: array[int]
    payoffs: Sequence[Payoff]
    images: Images | None
    is_estimate: bool = False

    @property
    def bytes(self) -> int:
        """The memory that they take."""
        return HALF_BYTES * (len(self.halves) + len(self.outcomes))


class Certainty(Enum):
    """What a value is: the value of the game, one within proved bounds of it, the result of a search to a depth, or a
    guess of some kind."""

    EXACT = "exact"
    BOUNDED = "bounded"
    DEPTH_LIMITED = "depth-limited"
    HEURISTIC = "heuristic"


@frozen(eq=False, repr=False)
class Request(Displayed):
    """What is asked of solvers: the name of one, or None for the default; within which ``limits``; and the other fields
    as in :class:`Problem`. ``is_advised`` asks for what to do in every position; ``hurries`` asks for the best moves
    that win soonest or lose latest, where a game has such."""

    solver: str | None = None
    limits: Limits = field(factory=Limits)
    rollouts: bool = False
    seed: int = 0
    trace: Trace[Any] | None = None
    goal: Goal | None = None
    sampling: Sampling | None = None
    digits: int | None = None
    is_advised: bool = False
    is_listed: bool = False
    hurries: bool = False
    endgames: Endgames | None = None


@frozen(eq=False, repr=False)
class Problem(ByValue, Generic[State]):
    """A game to solve, or what is left of one: the value of ``root`` is asked for.

    A solver may rely on what ``facts`` hold to be true, and on nothing else. ``rollouts`` asks for random plays, drawn
    by ``seed``, instead of the file's estimate where a search is cut off. A ``trace`` is told what a solver does that
    can be traced. What iterates works towards a ``goal``, and ``remark`` is told how near it has come; ``sampling`` is
    for what samples. ``tree`` is the extensive form, where it has been built already. ``digits``:
    how many of the value are to be certain if it is not exact; as many as come easily if it is None. ``is_listed``
    tells that advice for every position will be asked for, so that an answer without it is of no use.
    ``endgames`` are positions whose values are known. ``handover`` is for what a search leaves to the next one.
    """

    machine: Machine[State]
    facts: Facts
    root: State
    progress: Progress = ignore_progress
    limits: Limits = field(factory=Limits)
    rollouts: bool = False
    seed: int = 0
    trace: Trace[State] | None = None
    goal: Goal = field(factory=Goal)
    remark: Remark = ignore_remark
    sampling: Sampling = field(factory=Sampling)
    tree: ExtensiveForm | None = None
    digits: int | None = None
    is_listed: bool = False
    endgames: Endgames | None = None
    handover: Handover = field(factory=Handover, eq=False, repr=False)

    def share(self, first: Fraction) -> Payoff:
        """The payoffs of both players where the first gets ``first``; for two players and constant sum."""
        if self.facts.sum is None:
            raise ValueError("the payoffs of this game have no constant sum")
        return first, self.facts.sum - first

    @property
    def has_estimate(self) -> bool:
        """Whether anything says what a position is worth where a search is cut off: the file, or random plays."""
        return self.rollouts or self.facts.has_estimate

    @property
    def has_certain_bounds(self) -> bool:
        """Whether no play can pay more or less than ``bounds`` say. They bound what plays pay that end; if it is not
        proved that all do, and the rules do not say what an endless one pays, it may be worth anything."""
        facts = self.facts
        return facts.terminates.holds is True or facts.has_endless or facts.discounted

    @property
    def certain_bounds(self) -> tuple[Fraction | int | float, Fraction | int | float]:
        """The least and the most that the first player can get in any play: bounds for a search of exact values."""
        return self.bounds if self.has_certain_bounds else (-inf, inf)

    @property
    def bounds(self) -> tuple[Fraction | int | float, Fraction | int | float]:
        """The least and the most that the first player can get in a play that ends, as far as that is known; a little
        less and more where these are the same, since a window between them must hold something."""
        low, high = (self.facts.bounds[0] if self.facts.bounds else None) or (-inf, inf)
        return (low - 1, high + 1) if low == high else (low, high)


Deals: TypeAlias = Sequence[tuple[State, Fraction]]
"""States that a player holds possible and cannot tell apart, each with its weight."""


@frozen(eq=False, kw_only=True, repr=False)
class Answer(ByValue, Unchanging):
    """What an algorithm found out.

    ``value`` is what each player gets when all play best from the root, in the order of the players, in units of
    payoff; ``certainty`` tells whether it is that number itself. ``best`` are optimal moves at the root: all of them,
    unless ``notes`` say otherwise, and none where chance acts, the play has ended, or ``strategies`` say what is done.
    ``line`` is the principal variation: best play up to the end or to the first draw of chance. ``alternatives`` are
    other payoffs that players who all choose best can reach, by deciding ties differently or in another equilibrium.
    They are empty only where it is proved that there are none, and leave out what mixtures bring besides. They are None
    where nobody has looked for them, or there are too many to list.
    ``is_optimum``: all get the same, and it is proved that nothing they could agree on brings more.
    ``counts`` has at least ``nodes`` (states visited, the root too) and ``terminals`` (those in which a play ends).
    ``strategies`` are those of all players, in order, where something is hidden; ``notes`` are sentences for the user.
    Where strategies are not proved to be an equilibrium, ``exploitability`` is what the players could gain on average,
    each by answering the others best, and ``interval`` what the first player's value is proved to lie between. Then
    ``value`` is what the strategies bring or, without strategies, the middle. Where the value is the mean of
    simulations, ``standard_errors`` are those of the mean of each player; and where strategies come from samples,
    ``sampled_exploitability`` estimates from below how far they are from an equilibrium.
    ``plan`` is what a single player does, where a search over their beliefs has found it.
    ``policy`` says what to do at every decision, where positions have been solved one by one; it is worked out anew
    whenever it is gone through. It needs the machine, and a pickle has all but this.

    How long a play takes from the root on: ``distance`` is the number of moves if those who win hurry and the others
    delay, ``duration`` is how long it takes on average where chance or mixtures have a say. ``lasting`` are the players
    who can see to it, alone or with those who want the same, that the play never ends or else brings them more than
    the value, whatever chance draws; where it draws, ``perhaps_lasting`` are those who can see to it that the play goes
    on for ever with a probability that is not 0, unless others give something away. Each is None where it has no
    meaning, or has not been found.
    """

    value: Payoff
    best: tuple[Move, ...] = ()
    line: tuple[Move, ...] = ()
    counts: Mapping[str, int]
    certainty: Certainty = Certainty.EXACT
    alternatives: tuple[Payoff, ...] | None = None
    notes: tuple[str, ...] = ()
    strategies: tuple[Strategy, ...] = ()
    exploitability: Fraction | None = None
    interval: tuple[Fraction, Fraction] | None = None
    sampled_exploitability: SampledExploitability | None = None
    standard_errors: tuple[Fraction, ...] | None = None
    policy: Advisor | None = field(default=None, eq=False, repr=False)
    distance: int | None = None
    duration: Duration | None = None
    lasting: tuple[int, ...] | None = None
    perhaps_lasting: tuple[int, ...] | None = None
    plan: ConditionalPlan | None = None
    is_optimum: bool = False

    def __reduce__(self) -> tuple[Callable[[], object], tuple[()]]:
        held = {each.name: getattr(self, each.name) for each in fields(type(self))}
        return partial(type(self), **{**held, "policy": None}), ()

    @property
    def exact(self) -> bool:
        """Whether the value is that of the game itself."""
        return self.certainty is Certainty.EXACT

    @property
    def error(self) -> Fraction:
        """How far the ``value``, if it is the middle of an interval, may be from what the players get; else 0.

        This holds for the other players, too: an interval is found only where their payoffs are the same as the first
        player's, or have a constant sum with these."""
        if self.interval is None or self.strategies:
            return Fraction(0)
        return (self.interval[1] - self.interval[0]) / 2


@frozen(eq=False, kw_only=True, repr=False)
class Solution(Answer):
    """An answer, with the name of the solver that found it, why it was this one, and the seconds it took. ``beyond``:
    why not all kernels ran over lowered rules, but in Python, with exact numbers; empty if they did, or if the machine
    has no lowered rules."""

    solver: str
    why: str
    beyond: str = field(default="", eq=False)
    seconds: float = field(eq=False)
