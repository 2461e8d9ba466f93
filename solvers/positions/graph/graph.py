"""The graph of the positions of a game, the contest of two sides on it, its components, and why it may have no
values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.memory import format_bytes
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import CHANCE, END, Machine, Payoff, State
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.running.kernels import Standby
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress, lookahead_advice
from zermelo.solvers.kernels.answers import DONE
from zermelo.solvers.kernels.components import Search, go_on, start, write_end, write_members, write_starts
from zermelo.solvers.running.path_search import Slices

# The graph of positions: what a game is to those who solve it position by position.
#
# Positions are numbered from 0, which is the root. The moves of position ``p`` are the *edges* ``firsts[p]`` up to
# ``firsts[p + 1]``, in the order in which the machine lists them; edge ``e`` leads to position ``targets[e]``. So the
# graph is a few flat arrays of whole numbers, which kernels read as they are.
#
# **What a position is worth.** Let v(p) be what the players get from p on, apart from what they have earned before.
# An edge e is worth::
#
#     reward(e) + factor(e) * v(target)
#
# where the factor is the game's discount if a player decides on the edge and the play goes on: what a decision itself
# earns, and what it pays if it ends the play, counts in full, and all that comes after it, the outcomes of chance
# behind it included, counts less. Chance takes nothing off. Then v(p) is the payoff at an end, the expectation over the
# edges of a chance position, and what the best edge is worth to the player who decides. A play that goes on for ever
# pays what it earned, plus what ``endless`` says; with a discount below 1 the latter vanishes.
#
# **Rounds.** Players who move at once do so one after another, without knowing what has been chosen. Where somebody has
# chosen already, the player to act is *within a round*. Such positions have no value of their own: the round is a
# matrix game at the position in which it begins, over the values of the positions in which it ends. It is one decision:
# only the edges that end it take the discount off.
#
# **Equal positions.** All ends that pay the same are one position.


ROOT: Final = 0
"""The position whose value is asked for."""

DRAWS: Final = -1
PAYS: Final = -2
"""Kinds of positions: chance draws; this minus k for an end that pays ``amounts[k]``."""

EXCHANGED: Final = 1 << 30
"""The mark of targets that stand for an image."""

AT_ROOT: Final = -1
NOT_MET: Final = -2
"""Instead of an edge: the position is the root, or there is none."""

_PART: Final = 1 << 16
"""Positions that are looked at together, since single elements of flat arrays are slow to read in Python."""


@frozen(eq=False)
class PositionGraph:
    """The positions that can be reached from the root, of a game of these ``players``.

    ``kinds[p]`` is the player who is to act, from 0; ``len(players)`` plus that within a round; and a negative number
    where nobody decides. ``weights[e]`` is the weight of an outcome: its probability is its share in the weights of all
    edges of the position; None if chance never draws. ``rewards[e]`` is the number, among the ``amounts``, of what the
    players earn by a move; number 0 is nothing, and None means that they earn nothing on the way. ``endless`` is what
    an endless play pays, None if the rules do not say. Where the graph ``rises``, every edge leads to a higher number,
    so that no play comes back to a position.

    ``met[k]`` is the first edge to a position that the watched witness k describes, ``AT_ROOT`` if the root is one, and
    ``NOT_MET`` if none is; of the ends that count as one position, the witness may describe only some.

    ``moves[e]`` is a number of the move or outcome, the same for equal ones; None if they were not asked for, or do not
    fit.

    The moves of the last ``unsearched`` positions before the ends have not been made, because the search was to stop
    there: they have no edges. The graph of a game has none of these.

    With ``exchanges``, a target that has the mark ``EXCHANGED`` beside its number stands for the image of the position
    in which two players have changed places. Only graphs of undecided positions have these
    (:mod:`zermelo.solvers.positions.undecided`), and those for tables (:mod:`zermelo.solvers.tables.building`); nothing
    but retrograde analysis takes them.

    The numbers are in sequences of any kind; kernels take a ``list[half]`` as it is (``kernels.as_halves``). There may
    be more targets, weights, rewards and moves than edges.
    """

    players: tuple[str, ...]
    kinds: Sequence[int]
    firsts: Sequence[int]
    targets: Sequence[int]
    weights: Sequence[int] | None
    rewards: Sequence[int] | None
    amounts: Sequence[Payoff]
    discount: Fraction = Fraction(1)
    endless: Payoff | None = None
    rises: bool = False
    unsearched: int = 0
    met: Sequence[int] = ()
    moves: Sequence[int] | None = None
    exchanges: bool = False

    def __len__(self) -> int:
        """The number of positions."""
        return len(self.kinds)

    def actor(self, position: int) -> int:
        """Who acts: a player, ``CHANCE`` or ``END``."""
        kind = self.kinds[position]
        if kind < 0:
            return END if kind <= PAYS else CHANCE
        return kind % len(self.players)

    def is_within_round(self, position: int) -> bool:
        """Whether the player to act does not know what others have chosen."""
        return self.kinds[position] >= len(self.players)

    @cached_property
    def kinds_met(self) -> set[int]:
        """The kinds that there are."""
        return distinct(self.kinds)

    @property
    def has_rounds(self) -> bool:
        """Whether players choose at once anywhere."""
        return max(self.kinds_met) >= len(self.players)

    def edges(self, position: int) -> range:
        """The edges that leave a position."""
        return range(self.firsts[position], self.firsts[position + 1])

    def payoff(self, position: int) -> Payoff:
        """What an end pays."""
        return self.amounts[PAYS - self.kinds[position]]

    def reward(self, edge: int) -> Payoff:
        """What the players earn by a move."""
        return self.amounts[self.rewards[edge] if self.rewards is not None else 0]

    def factor(self, position: int, edge: int) -> Fraction:
        """The factor by which the value behind an edge of a position is multiplied."""
        after = self.kinds[self.targets[edge]]
        is_over = after <= PAYS or after >= len(self.players)
        return self.discount if self.kinds[position] >= 0 and not is_over else Fraction(1)

    def probabilities(self, position: int) -> list[Fraction]:
        """The probabilities of the edges of a chance position."""
        assert self.weights is not None, "chance draws"
        weights = [self.weights[edge] for edge in self.edges(position)]
        return [Fraction(weight, sum(weights)) for weight in weights]


def distinct(numbers: Sequence[int]) -> set[int]:
    """The numbers in a long sequence."""
    return set().union(*(numbers[first : first + _PART] for first in range(0, len(numbers), _PART)))


# Games in which one number counts: one player, two players with a constant sum, players with a common payoff.
#
# The number is what the first player gets. A player either wants more of it or less, however many others are in the
# game; so what a position is worth is one number, and has the same meaning in a circle as outside.


@define(eq=False)
class Contest:
    """A graph of positions in which player ``p`` wants more of the first player's payoff if ``wants[p]`` is 1, and less
    if it is -1.

    What is known so far: ``numbers[p]`` is the worth of position ``p``, and ``choices[p]`` an edge that is best there
    for the player who decides, such that all these choices together bring about that worth. None and -1 where nothing
    is known yet, or there is nothing to choose. (To find out how much depends on endless plays, these may be taken to
    be infinitely good or bad. Then None stands for an infinite number, too, once the position has been looked at.)
    """

    graph: PositionGraph
    wants: tuple[int, ...]
    _numbers: list[Fraction | None] = field(factory=list, init=False)
    _choices: list[int] = field(factory=list, init=False)
    _total: Fraction | None = field(default=None, init=False)
    _later: dict[int, Callable[[int], Fraction]] = field(factory=dict, init=False)
    """What makes the numbers of positions that nobody has asked for yet."""

    @property
    def numbers(self) -> list[Fraction | None]:
        """What the positions are worth, as far as it is known; made when it is first asked for, since not all
        algorithms keep numbers here."""
        if not self._numbers:
            self._numbers = [None] * len(self.graph)
        while self._later:
            position, make = self._later.popitem()
            self._numbers[position] = make(position)
        return self._numbers

    def number(self, position: int) -> Fraction | None:
        """What one position is worth: as in ``numbers``, without making those of others."""
        if not self._later:
            return self.numbers[position]
        make = self._later.pop(position, None)
        if make is not None:
            self._numbers[position] = make(position)
        return self._numbers[position]

    def put(self, position: int, number: Fraction) -> None:
        """Note what one position is worth: as in ``numbers``, without making those of others."""
        if not self._numbers:
            self._numbers = [None] * len(self.graph)
        self._numbers[position] = number

    def make_later(self, positions: Iterable[int], make: Callable[[int], Fraction]) -> None:
        """Let the numbers of positions be made when they are asked for."""
        self._numbers = self._numbers or [None] * len(self.graph)
        self._later.update(dict.fromkeys(positions, make))

    @property
    def choices(self) -> list[int]:
        """The best edges, as far as they are known."""
        if not self._choices:
            self._choices = [-1] * len(self.graph)
        return self._choices

    @property
    def total(self) -> Fraction:
        """The constant sum: what two opposed players get together."""
        if self._total is None:
            ends = (self.graph.payoff(p) for p, kind in enumerate(self.graph.kinds) if kind <= PAYS)
            self._total = sum(next(ends, self.graph.endless or ()), Fraction(0))
        return self._total

    @property
    def endless(self) -> Fraction | None:
        """What an endless play is worth, beside what it earns; None if the rules do not say."""
        return None if self.graph.endless is None else self.graph.endless[0]

    def worth(self, position: int, edge: int) -> Fraction:
        """What an edge of a position is worth, if the number behind it is known."""
        number = self.number(self.graph.targets[edge])
        assert number is not None, "positions are solved after all that lie behind them"
        return self.graph.reward(edge)[0] + self.graph.factor(position, edge) * number


Component = Sequence[int]
"""The positions of a strongly connected component."""


def contest_of(graph: PositionGraph) -> Contest | None:
    """The contest that a game is; None if more than one number counts."""
    players = len(graph.players)
    endless = [] if graph.endless is None or graph.discount < 1 else [graph.endless]
    ends = [graph.amounts[PAYS - kind] for kind in graph.kinds_met if kind <= PAYS] + endless
    rewards = [] if graph.rewards is None else [graph.amounts[number] for number in distinct(graph.rewards)]
    if all(len(set(payoff)) == 1 for payoff in ends + rewards):
        return Contest(graph, (1,) * players)
    sums = {sum(payoff) for payoff in ends}
    # Where later payoffs count less, only what sums to 0 has a constant sum.
    is_constant = len(sums) <= 1 and not any(map(sum, rewards)) and (graph.discount == 1 or not any(sums))
    return Contest(graph, (1, -1)) if players == 2 and is_constant else None


# The strongly connected components of a graph of positions: sets of positions that plays go round in.
#
# Found by Tarjan's algorithm (:mod:`zermelo.solvers.kernels.components`), unless every edge leads to a higher number:
# then every position is a component by itself, and the last one comes first.


POSITION_BYTES: Final = 12
"""The bytes of a position while components are found, and in the result."""

_SEARCH: Final = Standby(lambda: kernel(start, go_on, write_members, write_starts, write_end), worth=1 << 14)
"""A step is an edge, which takes a microsecond or two in Python."""

_CHUNK: Final = 1 << 20
"""Positions of the result that are written at a time."""


@define(eq=False)
class Components:
    """The components in reverse topological order: an edge leads to a position of the same component or of an earlier
    one. Component ``c`` has the positions ``members[starts[c]:starts[c + 1]]`` in *reverse postorder*: each stands
    before those to which it leads, unless that closes a circle. ``numbers[p]`` is the component of position ``p``.
    Kernels read these lists as they are; ``starts`` may be longer than needed."""

    numbers: Sequence[int]
    members: Sequence[int]
    starts: Sequence[int]
    count: int

    def __len__(self) -> int:
        """The number of components."""
        return self.count

    def __getitem__(self, component: int) -> Sequence[int]:
        """The positions of a component."""
        return self.members[self.starts[component] : self.starts[component + 1]]

    def __iter__(self) -> Iterator[Sequence[int]]:
        """One component after another."""
        return (self[component] for component in range(self.count))


def begins_round(graph: PositionGraph, position: int) -> bool:
    """Whether a round begins in a position in which nobody has chosen yet."""
    return graph.kinds[position] >= 0 and graph.is_within_round(graph.targets[graph.firsts[position]])


def goes_round(graph: PositionGraph, component: Sequence[int]) -> bool:
    """Whether a play can come back to a position of a component."""
    first = component[0]
    return len(component) > 1 or any(graph.targets[edge] == first for edge in graph.edges(first))


def find_components(
    graph: PositionGraph, limits: Limits, progress: Progress = ignore_progress, compiled: bool = True
) -> Components:
    """The components of a graph; ``compiled`` says whether machine code may be used. ``progress`` is told how many
    edges and positions have been looked at.

    Raises ``ZermeloError`` (``out-of-memory``, ``out-of-time``)."""
    size = len(graph)
    if graph.rises:
        backwards = range(size - 1, -1, -1)
        return Components(backwards, backwards, range(size + 1), size)
    limits.require(POSITION_BYTES * size, f"the order of {size:,} positions")
    kernels = (compiled and _SEARCH.compiled(len(graph.targets))) or _SEARCH.interpreted()
    firsts, targets = kernels.as_halves(graph.firsts), kernels.as_halves(graph.targets)
    numbers, members, starts = (
        kernels.halves(size, everywhere=True),
        kernels.halves(size),
        kernels.halves(size + 1),
    )
    search = kernels.new(Search, firsts=firsts, targets=targets, lows=numbers, stack=members, following=starts)
    slices = Slices(kernels.is_compiled)
    kernels.call(start, search, size)
    while kernels.call(go_on, search, slices.next()) != DONE:
        progress(search.steps)
        limits.check({"nodes": size})
    ranges = [(first, min(first + _CHUNK, size)) for first in range(0, size, _CHUNK)]
    for write in (write_members, write_starts):
        for first, end in ranges:
            kernels.call(write, search, first, end)
            limits.check({"nodes": size})
    kernels.call(write_end, search)
    found = Components(numbers, members, starts, search.count)
    limits.hold(found, POSITION_BYTES * size)
    return found


def as_one_component(graph: PositionGraph, size: int) -> Components:
    """The first ``size`` positions as if they were one component, and each of the others as one by itself: for
    algorithms that need no strongly connected components, where finding these would cost too much. Only ``starts`` is
    filled in, which is all that retrograde analysis reads."""
    others = len(graph) - size
    return Components((), (), [*range(others + 1), len(graph)], others + 1)


def decisions_before(machine: Machine[State], state: State) -> int:
    """The decisions of players on the play to a state that discount what it pays: those that are made at once are one,
    and what ends the play counts in full."""
    count, at = 0, machine.initial()
    for move in machine.play(state):
        is_players, at = machine.actor(at) >= 0, machine.after(at, move)
        count += is_players and machine.actor(at) != END and not machine.is_within_round(at)
    return count


# Attractors: from where plays can be brought to some goals, found from the goals back (Zermelo 1913).


_BETWEEN: Final = 4096
"""Positions between two looks at the clock."""


def attractor(
    goals: Iterable[int], onward: Iterable[tuple[int, Collection[int]]], needs_all: Callable[[int], bool]
) -> dict[int, int]:
    """The ``goals``, and all positions from which one way ``onward`` leads to such a position, or each of them where it
    ``needs_all``; each with the number of steps within which the goals are reached. A deadline ends it.

    Cost: one step for each way."""
    before = defaultdict[int, list[int]](list)
    needed: dict[int, int] = {}
    for position, targets in onward:
        needed[position] = len(targets) if needs_all(position) else 1
        for target in targets:
            before[target].append(position)
    steps = dict.fromkeys(goals, 0)
    found = [*steps]
    for k, position in enumerate(found):  # to which others are added on the way
        if k % _BETWEEN == 0:
            check_deadline()
        for source in before.get(position, ()):
            needed[source] -= 1
            if needed[source] == 0 and source not in steps:
                steps[source] = steps[position] + 1
                found.append(source)
    return steps


# Why the positions of a game may have no value, as data; a caller that knows the moves turns it into a message.


class NeedsEndless(Exception):
    """The value of the root depends on that of endless plays, and the rules do not say it. A play could go on for ever
    from ``position`` on, to which the edges ``play`` lead from the root; ``keepers`` can see to that, whatever the
    others do, as far as it is known."""

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


class _AtPosition(Exception):
    """What is wrong at a position."""

    def __init__(self, position: int) -> None:
        super().__init__(f"at position {position}")
        self.position = position


class NeedsOneNumber(_AtPosition):
    """Plays may come back to ``position``, and more than one number counts."""


class NeedsMixing(_AtPosition):
    """More than two players choose in the round that begins in ``position``, and it has no equilibrium in which nobody
    mixes."""


class NotEnclosed(_AtPosition):
    """No bounds of the numbers in a circle have been proved; ``position`` is in it."""


class TooManyPositions(ZermeloError):
    """The refusal (``out-of-memory``) of a graph that does not fit into memory: its first ``positions`` have ``taken``
    so many bytes."""

    def __init__(self, positions: int, taken: float, limits: Limits) -> None:
        super().__init__(
            "out-of-memory",
            f"there are more than {positions:,} positions; so many take {format_bytes(int(taken))} of memory, "
            f"{taken / max(1, positions):,.0f} bytes each, and it is limited to {format_bytes(limits.memory)}",
            limits.more_memory,
        )


class TooManyDigits(Exception):
    """Exact numbers have more digits than allowed."""


def suggest_other_solvers(facts: Facts) -> list[str]:
    """What to do instead of finding all positions of a game, in words: other solvers that fit the game."""
    if not facts.perfect_information.holds:
        return []
    is_bounded = bool(facts.bounds) and None not in facts.bounds
    guess = ["--solver mcts makes a guess"] if is_bounded else []
    return [f"without --solver, {lookahead_advice(facts.has_estimate)}", *guess]
