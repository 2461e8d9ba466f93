"""One player who does not see the position, against chance: search in the tree of belief states.

The sections below say how the values of beliefs are found; here nobody but chance acts beside the player. Each move in
each position is played out once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from math import gcd, lcm
from typing import Final, Generic, Protocol, TypeAlias, TypeVar

from attrs import define, field, frozen

from zermelo.foundation.memory import Entries, MemoryBudget, MemoryQuota, format_bytes
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Loop, moves_differ_error
from zermelo.interpreter.machine import CHANCE, END, InformationState, Machine, Move, State
from zermelo.solvers.beliefs.consistent_plays import later_payments
from zermelo.solvers.common.limits import LimitReached, Limits, Progress
from zermelo.solvers.common.numbers import GoesRound, depth_first
from zermelo.solvers.forms.policy import Branch, ConditionalPlan, PlannedStep
from zermelo.solvers.solution import Answer, Problem

# What a search over beliefs has looked at, and the memory that its stores take.


_EVERY: Final = 256
"""How many things are looked at between two looks at the limits."""


@define(eq=False)
class Meter:
    """``looked`` counts what a search has looked at, and ``kept`` are its stores, all within the free memory."""

    limits: Limits
    progress: Progress
    looked: int = 0
    budget: MemoryBudget = field(init=False)
    kept: list[tuple[Entries, MemoryQuota]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.budget = self.limits.budget()

    def keep(self, *stores: Entries) -> None:
        """Count these stores, too, from now on."""
        self.kept += [(things, MemoryQuota(self.budget)) for things in stores]

    def drop(self, *stores: Entries) -> None:
        """Stop counting these stores, which are not needed any more."""
        for things, room in self.kept:
            if any(things is store for store in stores):
                room.shrink(0)
        self.kept = [(things, room) for things, room in self.kept if not any(things is each for each in stores)]

    def look(self) -> None:
        """Count one more thing looked at, and stop where limits say so: raises ``ZermeloError`` (``out-of-time``,
        ``out-of-memory``)."""
        self.looked += 1
        if self.looked % _EVERY == 0:
            self.progress(self.looked)
            self.limits.check({"nodes": self.looked})
            if not all(len(things) < room.most or room.grows(things) for things, room in self.kept):
                raise LimitReached(
                    "out-of-memory",
                    f"in {format_bytes(self.limits.memory)} of memory",
                    {"nodes": self.looked},
                    f"{self.limits.more_memory}; a smaller game may fit",
                )


# A game as one player meets it: from one of their decisions to the next, and what they perceive on the way.
#
# What a player knows at a decision is a set of positions that they cannot tell apart. All that searches over such sets
# need to know of a game is this: after a move in one of these positions, in which positions may the player have to
# decide next, and what will the player have perceived by then? Both depend on the position alone, since an observation
# tells of values and messages of one step, and a position holds all that the rest of a play depends on. So positions
# are numbered, and each move in each of them is played out once, however many sets they occur in.
#
# For one player against chance this is a partially observable Markov decision process (Astrom 1965; Kaelbling, Littman
# and Cassandra 1998): positions are its states, and what is perceived its observations.


@frozen(eq=False)
class Followed:
    """What may follow, up to the player's next decision or the end. Each of the ``arrivals`` is what the player
    perceives, the number of the position in which they are to decide then, its probability over ``scale`` (that of
    chance alone, as if the others' moves were certain), and the amounts that may be earned on the way there. ``ends``
    are the amounts that ends bring, in ascending order, each once, and ``mean`` is what is gained on the way, on
    average. Amounts are the player's, without what they had before.
    """

    scale: int
    arrivals: tuple[tuple[InformationState, int, int, frozenset[Fraction]], ...]
    ends: tuple[Fraction, ...]
    mean: Fraction


@define(eq=False)
class PerceivedSteps(Generic[State]):
    """The steps of ``player``, found when they are asked for. ``counts_earnings``: positions in which the player has
    earned different amounts are different. ``states`` has a state for each number of a position, and ``earned`` what
    the player has earned there."""

    machine: Machine[State]
    player: int
    counts_earnings: bool
    meter: Meter
    states: list[State] = field(factory=list)
    earned: list[Fraction] = field(factory=list)
    numbers: dict[Hashable, int] = field(factory=dict)
    found: dict[tuple[int, Move], Followed] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.meter.keep(self.states, self.earned, self.numbers, self.found)

    def moves(self, positions: tuple[int, ...]) -> tuple[Move, ...]:
        """The moves in positions that the player cannot tell apart. Raises ``ZermeloError`` (``moves-differ``)."""
        first = self.states[positions[0]]
        offered = self.machine.moves(first)
        for position in positions[1:]:
            state = self.states[position]
            if set(self.machine.moves(state)) != set(offered):
                raise moves_differ_error(self.machine, self.player, first, state)
        return offered

    def after(self, position: int, move: Move) -> Followed:
        """What may follow a move in a position of this number."""
        known = self.found.get((position, move))
        if known is None:
            state = self.states[position]
            heard = len(self.machine.information_state(state, self.player))
            after = self.machine.after(state, move)
            known = self.found[position, move] = self._play_out(after, heard, self.earned[position])
        return known

    def prospect(self, belief: Weights, move: Move) -> Prospect:
        """What a move leads to, if nobody but chance acts beside the player."""
        return prospect_of([(self.after(position, move), weight) for position, weight in belief])

    def beginning(self, state: State) -> Followed:
        """What may follow a state with which the search begins.

        Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``, ``too-many-outcomes``; :class:`GoesRound` if the
        others or chance may go on for ever."""
        heard = len(self.machine.information_state(state, self.player))
        return self._play_out(state, heard, self.machine.earned(state)[self.player])

    def _play_out(self, state: State, heard: int, had: Fraction) -> Followed:
        """What may follow a state, for a player who had made so many observations and earned so much before."""
        arrivals: dict[tuple[InformationState, int], Fraction] = {}
        gains: dict[tuple[InformationState, int], set[Fraction]] = {}
        ends: set[Fraction] = set()
        mean = Fraction(0)
        for there, chance in self._next_decisions(state):
            if self.machine.actor(there) == END:
                amount = self.machine.payoff(there)[self.player] - had
                ends.add(amount)
            else:
                earned = self.machine.earned(there)[self.player]
                amount = earned - had
                arrival = self.machine.information_state(there, self.player)[heard:], self._number(there, earned)
                arrivals[arrival] = arrivals.get(arrival, Fraction(0)) + chance
                gains.setdefault(arrival, set()).add(amount)
            mean += chance * amount
        scale = lcm(*(chance.denominator for chance in arrivals.values()))
        return Followed(
            scale,
            tuple((*arrival, int(chance * scale), frozenset(gains[arrival])) for arrival, chance in arrivals.items()),
            tuple(sorted(ends)),
            mean,
        )

    def _next_decisions(self, first: State) -> Iterator[tuple[State, Fraction]]:
        """The next decisions of the player and the ends that may come, with their probabilities."""
        machine, path = self.machine, dict[Hashable, int]()
        waiting = [(first, Fraction(1), False)]
        while waiting:
            state, chance, is_done = waiting.pop()
            actor = machine.actor(state)
            if actor in (END, self.player):
                yield state, chance
                continue
            position = machine.position(state)
            if is_done:
                del path[position]
                continue
            self.meter.look()
            if position in path:
                play = machine.play(state)
                raise GoesRound(Loop(play[: path[position]], play[path[position] :]))
            path[position] = len(machine.play(state))
            waiting.append((state, chance, True))
            if actor == CHANCE:
                ways = [(outcome, chance * likely) for outcome, likely in machine.outcomes(state)]
            else:
                ways = [(move, chance) for move in machine.moves(state)]
            waiting += [(machine.after(state, move), likely, False) for move, likely in reversed(ways)]

    def _number(self, state: State, earned: Fraction) -> int:
        """The number of the position of a state. With a discount, later payoffs are worth less, so that the same
        position at another time is another one."""
        machine = self.machine
        key = machine.position(state), earned if self.counts_earnings else None, later_payments(machine, state)
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.states)
            self.states.append(state)
            self.earned.append(earned)
        return number


# A conditional plan, written down from the moves that a search has chosen.


Node = TypeVar("Node", bound=Hashable)

Heard: TypeAlias = Sequence[tuple[InformationState, Node]]
"""What may be perceived, and what the player holds possible then: a node of the search."""


@frozen(eq=False)
class PlannedMove(Generic[Node]):
    """The step of a plan in a node."""

    move: Move
    possible: int
    heard: Heard[Node]


def write_plan(
    steps: PerceivedSteps[State],
    truths: Sequence[State],
    begins: Heard[Node],
    chosen: Callable[[Node], PlannedMove[Node]],
) -> ConditionalPlan:
    """The plan of a player who begins in some nodes, where they hold the states ``truths`` possible. Its steps stand in
    an order in which none leads back: the reverse of that in which a walk depth first leaves them. What is chosen must
    not lead back to a node.

    The amounts with which plays end are found by following the plan through the positions that it meets, with all that
    may have been earned before each. Raises ``ZermeloError``: ``out-of-time``, ``out-of-memory``."""
    machine, player = steps.machine, steps.player
    planned: dict[Node, PlannedMove[Node]] = {}
    left: dict[Node, None] = {}
    waiting = [(node, False) for _, node in begins]
    while waiting:
        node, is_done = waiting.pop()
        if is_done:
            left[node] = None
        elif node not in planned:
            planned[node] = chosen(node)
            waiting.append((node, True))
            waiting += [(after, False) for _, after in planned[node].heard]
    numbers = {node: number for number, node in enumerate(reversed(left))}
    met: list[dict[int, set[Fraction]]] = [{} for _ in numbers]

    def branches(heard: Heard[Node]) -> tuple[Branch, ...]:
        return tuple(Branch(perceived, numbers[node]) for perceived, node in heard)

    def ends(followed: Iterable[tuple[Set[Fraction], Followed]], heard: Heard[Node]) -> tuple[Fraction, ...]:
        """The amounts with which plays end, by what may have been earned before and what follows."""
        onward = {tuple(perceived): met[numbers[node]] for perceived, node in heard}
        found = set[Fraction]()
        for had, each in followed:
            found.update(before + amount for before in had for amount in each.ends)
            for perceived, position, _, gains in each.arrivals:
                earned = onward[tuple(perceived)].setdefault(position, set())
                earned.update(before + gain for before in had for gain in gains)
        return tuple(sorted(found))

    at_once = ends([({machine.earned(truth)[player]}, steps.beginning(truth)) for truth in truths], begins)
    written = []
    for node, number in numbers.items():
        step = planned[node]
        followed = ((had, steps.after(position, step.move)) for position, had in met[number].items())
        written.append(PlannedStep(step.move, step.possible, branches(step.heard), ends(followed, step.heard)))
    known = machine.information_state(truths[0], player)
    return ConditionalPlan(machine.player_names[player], known, branches(begins), tuple(written), at_once)


# The values of beliefs: what a single player who does not see the position can get, while chance decides the rest.
#
# A *belief* gives every position that the player holds possible its exact probability. A good decision needs to know no
# more of the past (Astrom 1965), so the value of what is to come is a function of the belief:
#
#     V(b)  =  max over moves m of  gain(b, m) + sum over what may be perceived of P(it | b, m) V(b after m and it),
#
# where gain is what the player earns on the way to their next decision, ends included, on average (Kaelbling, Littman
# and Cassandra, "Planning and acting in partially observable stochastic domains", 1998, with a horizon that the rules
# set). The search goes depth first, and keeps the value of every belief that it has met: plays that lead to the same
# belief share what follows, in whatever order things have been perceived. Weights of a belief are whole numbers without
# a common divisor, so that equal beliefs are equal tuples, and all values are fractions.
#
# Invariants: positions of one belief look the same to the player, so they offer the same moves; a belief in the table
# has its value. Cost: each belief once, times moves, positions and what may follow. There are no more beliefs than
# information sets, and in games that bring news of few kinds far fewer; but each has to hold its positions, which may
# be many.


Weights: TypeAlias = tuple[tuple[int, int], ...]
"""A belief: numbers of positions, in ascending order, with their weights, which have no common divisor."""


@frozen(eq=False)
class Prospect:
    """What a move, or the beginning of a play, leads to: a ``gain`` on average, and after each thing ``perceived`` a
    belief, with the probability of perceiving that."""

    gain: Fraction
    branches: tuple[tuple[InformationState, Weights, Fraction], ...]

    @property
    def heard(self) -> Heard[Weights]:
        """What may be perceived, and the beliefs then."""
        return [(perceived, belief) for perceived, belief, _ in self.branches]


def normalize_belief(weights: Mapping[int, int]) -> Weights:
    """The belief with these weights of positions."""
    divisor = gcd(*weights.values())
    return tuple((position, weights[position] // divisor) for position in sorted(weights))


class Surroundings(Protocol):
    """All that is not the player: the rules, chance, and the others, whose choices are draws."""

    @property
    def meter(self) -> Meter:
        """The limits."""

    def moves(self, positions: tuple[int, ...]) -> tuple[Move, ...]:
        """The moves in positions that the player cannot tell apart; raises ``ZermeloError`` (``moves-differ``)."""

    def prospect(self, belief: Weights, move: Move) -> Prospect:
        """What a move leads to."""


@define(eq=False)
class BeliefValues:
    """``values`` are the values of beliefs, and ``made`` the first best move in each."""

    around: Surroundings
    values: dict[Weights, Fraction] = field(factory=dict)
    made: dict[Weights, Move] = field(factory=dict)
    open: set[Weights] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self.around.meter.keep(self.values, self.made)

    def worth(self, prospect: Prospect) -> Fraction:
        """The value of a prospect. Raises ``ZermeloError``: ``needs-end`` if a play is found to go round, and what the
        surroundings raise."""
        return prospect.gain + sum(
            (chance * depth_first(self._visit, belief) for _, belief, chance in prospect.branches), Fraction(0)
        )

    def chosen(self, belief: Weights) -> PlannedMove[Weights]:
        """What the best plan does in a belief that has a value."""
        move = self.made[belief]
        return PlannedMove(move, len(belief), self.around.prospect(belief, move).heard)

    def _visit(self, belief: Weights) -> Generator[Weights, Fraction, Fraction]:
        """The value of a belief; asks for those of others."""
        if belief in self.values:
            return self.values[belief]
        if belief in self.open:
            raise ZermeloError(
                "needs-end",
                "a play of this game may never end: the player may come to believe what they have believed before",
                "let a rule end every play, such as a limit on the number of moves",
            )
        self.open.add(belief)
        self.around.meter.look()
        best: Fraction | None = None
        for move in self.around.moves(tuple(position for position, _ in belief)):
            prospect = self.around.prospect(belief, move)
            value = prospect.gain
            for _, after, chance in prospect.branches:
                value += chance * (yield after)
            if best is None or value > best:
                best, self.made[belief] = value, move
        assert best is not None, "a player who is to decide has a move"
        self.open.remove(belief)
        self.values[belief] = best
        return best


def belief_search(problem: Problem[State]) -> Answer:
    """Solve by search over beliefs. Needs one player, and plays that end.

    Raises ``ZermeloError``: ``moves-differ``, ``needs-end`` if a play is found to go round, ``too-many-outcomes``,
    ``out-of-time``, ``out-of-memory``."""
    machine, root = problem.machine, problem.root
    steps = PerceivedSteps(machine, 0, False, Meter(problem.limits, problem.progress))
    search = BeliefValues(steps)
    prospect = prospect_of([(steps.beginning(root), 1)])
    value = machine.earned(root)[0] + search.worth(prospect)
    return Answer(
        value=(value,),
        counts={"nodes": len(search.values), "positions": len(steps.states)},
        alternatives=(),
        notes=("A node is a belief: what the player holds possible, with its probabilities.",),
        plan=write_plan(steps, [root], prospect.heard, search.chosen),
    )


def worths_of_moves(
    machine: Machine[State], believed: Sequence[tuple[State, Fraction]], limits: Limits, progress: Progress
) -> dict[Move, Fraction]:
    """What each move brings a single player who goes on best, earnings before it included. The player is to decide, and
    holds these states possible with these probabilities. Raises as :func:`belief_search` does."""
    steps = PerceivedSteps(machine, 0, False, Meter(limits, progress))
    search = BeliefValues(steps)
    scale = lcm(*(chance.denominator for _, chance in believed))
    weighted = [(steps.beginning(state), int(chance * scale)) for state, chance in believed]
    ((_, belief, _),) = prospect_of(weighted).branches
    earned = sum((chance * machine.earned(state)[0] for state, chance in believed), Fraction(0))
    moves = steps.moves(tuple(position for position, _ in belief))
    return {move: earned + search.worth(steps.prospect(belief, move)) for move in moves}


def prospect_of(followed: list[tuple[Followed, int]]) -> Prospect:
    """The prospect of a move, by what follows it in the possible positions, each with its weight."""
    total = sum(weight for _, weight in followed)
    scale = lcm(*(each.scale for each, _ in followed))
    heard: dict[InformationState, dict[int, int]] = {}
    for each, weight in followed:
        share = weight * (scale // each.scale)
        for perceived, position, likely, _ in each.arrivals:
            weights = heard.setdefault(perceived, {})
            weights[position] = weights.get(position, 0) + share * likely
    branches = tuple(
        (perceived, normalize_belief(weights), Fraction(sum(weights.values()), total * scale))
        for perceived, weights in heard.items()
    )
    gain = sum((each.mean * weight for each, weight in followed), Fraction(0)) / total
    return Prospect(gain, branches)
