"""What the words of the dialect mean over a machine, with exact numbers.

Lengths that the rules of a lowered game fix are these: a state is an array of one entry, the machine's state, and a key
one of one entry, the position. ``MOVES`` is 0; arrays of no fixed length grow.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, MutableMapping
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any, Final, Generic, TypeVar

from attrs import define, field, frozen

from zermelo.grammar.footprint import LATEST, Room
from zermelo.interpreter.machine import CHANCE, Machine, Move, PlayError, State
from zermelo.interpreter.native.dialect.language import Namespace
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import INFINITE
from zermelo.solvers.running.draws import Draws
from zermelo.solvers.running.growing import Growing

Result = TypeVar("Result")

Legal = MutableMapping[int, Move]

_MOST: Final = (1 << 63) - 1
_MADE_LAST: Final = 1024


@define(eq=False)
class Positions:
    """Numbers for positions, in the order in which they are met, as long as there is ``room`` for them and their
    entries in ``tables``. Those met later have number 0."""

    room: Room
    tables: list[Mapping[int, object]] = field(factory=list)
    _numbers: dict[Hashable, int] = field(factory=dict)

    def number(self, position: Hashable) -> int:
        """The number of a position."""
        found = self._numbers.get(position)
        if found is None:
            if len(self._numbers) >= self.room.most and not self.room.grows(self):
                return 0
            found = self._numbers[position] = len(self._numbers) + 1
        return found

    @property
    def are_few(self) -> bool:
        """Whether there is no room for more than a handful."""
        return self.room.budget.is_spent and self.room.most <= LATEST

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[object]:
        return iter(self._numbers)

    def __reversed__(self) -> Iterator[object]:
        """Positions with their entries, the latest ones first."""
        for position, number in reversed(self._numbers.items()):
            yield position, [table.get(place_of(number)) for table in self.tables]


def place_of(number: int) -> int:
    """The entry for a position of this number; those behind it are its own, too, where entries stand in groups."""
    return number << 3


@define(eq=False)
class NextStates(Generic[State]):
    """The states behind others. Those that a search looked at last are kept, since it often goes there; a search that
    never looks ahead keeps none, and is spared the look."""

    machine: Machine[State]
    _made: dict[tuple[int, Move], tuple[State, State]] = field(factory=dict)

    def after(self, state: State, move: Move) -> State:
        """The state behind a move, to go there."""
        known = self._made.get((id(state), move)) if self._made else None
        return self.machine.after(state, move) if known is None else known[1]

    def ahead(self, state: State, move: Move) -> State:
        """The state behind a move, to look at."""
        known = self._made.get((id(state), move))
        if known is None:
            if len(self._made) == _MADE_LAST:
                self._made.clear()
            known = self._made[id(state), move] = state, self.machine.after(state, move)
        return known[1]


@define(eq=False)
class RuleFaults:
    """The error of the rules met last. As over lowered rules it is noted in the context, and the search is left, up to
    a ``try`` of a search function."""

    error: PlayError | None = None

    def note(self, rules: list[int], error: PlayError, instead: Result) -> Result:
        """Note an error; what a word gives ``instead``, of which nothing is used."""
        self.error, rules[0] = error, 1
        return instead


@frozen
class Words(Generic[State]):
    """The words that the rules of a game give, and the tables and loops of kernels."""

    machine: Machine[State]
    positions: Positions
    faults: RuleFaults
    is_watched: bool

    def names(self) -> Namespace:
        """All of them, by name."""
        words = (self._lengths(), self._rules(), self._random(), self._tables(), self._loops(), FRACTIONS, WINDOWS)
        return {name: meaning for each in words for name, meaning in each.items()}

    def _lengths(self) -> Namespace:
        return {
            **lengths(self.machine),
            "INFINITE": INFINITE,
            "mix": lambda one, other: hash((one, other)) & _MOST,
            "array": lambda count: [0] * count if count else Growing(int),
        }

    def _rules(self) -> Namespace:
        machine, note = self.machine, self.faults.note
        behind = NextStates(machine)

        def moves(rules: list[int], state: list[State], legal: Legal) -> int:
            try:
                listed = machine.moves(state[0])
            except PlayError as error:
                return note(rules, error, 0)
            legal.update(enumerate(listed))
            return len(listed)

        def outcomes(rules: list[int], state: list[State], drawn: Legal, weights: MutableMapping[int, int]) -> int:
            try:
                listed = machine.outcomes(state[0])
            except PlayError as error:
                return note(rules, error, 0)
            whole = lcm(*(probability.denominator for _, probability in listed))
            for k, (move, probability) in enumerate(listed):
                drawn[k], weights[k] = move, int(probability * whole)
            return len(listed)

        def after(rules: list[int], state: list[State], move: Move) -> list[State]:
            try:
                return [behind.after(state[0], move)]
            except PlayError as error:
                return note(rules, error, state)

        def apply(rules: list[int], state: list[State], move: Move) -> int:
            try:
                state[0] = behind.ahead(state[0], move)
            except PlayError as error:
                return note(rules, error, 0)
            return 0

        def asked(question: Callable[..., Any]) -> Callable[..., Any]:
            def ask(rules: list[int], state: list[State], *player: int) -> Any:
                try:
                    return exact(question(state[0], *player))
                except PlayError as error:
                    return note(rules, error, 0)

            return ask

        def passed(rules: list[int], state: list[State]) -> int:
            try:
                there = machine.passed(state[0])
            except PlayError as error:
                return note(rules, error, 0)
            if there is None:
                return 0
            state[0] = there
            return 1

        def pack(state: list[State], key: list[Hashable]) -> int:
            key[0] = machine.position(state[0])
            return 0

        return {
            "actor": lambda state: machine.actor(state[0]),
            "moves": moves,
            "outcomes": outcomes,
            "apply": apply,
            "hurry": apply,  # no decision of a machine offers nothing, so there is none to leave
            "leave": lambda rules, state, steps: 0,
            "after": after,
            "set_up": lambda rules, state: 0,  # a machine itself knows what was perceived there
            "passed": passed,
            "pack": pack,
            "take_reads": lambda rules, past: 0,
            "add_reads": lambda rules, past: 0,
            "payoff": lambda state, player: exact(machine.payoff(state[0])[player]),
            "earned": lambda state, player: exact(machine.earned(state[0])[player]),
            "estimate": asked(lambda *given: machine.estimate(*given)),
            "unsettled": asked(lambda state: int(machine.is_unsettled(state))),
            "order_key": asked(lambda state: machine.rank(state)),
        }

    def _random(self) -> Namespace:
        """Numbers are drawn as machine code draws them. To sample, the state of a random generator is one of Python,
        which the number that stands there first seeds."""
        machine = self.machine

        def generator(random: list[Any]) -> Random:
            if isinstance(random[0], int):
                random[0] = Random(random[0])
            found: Random = random[0]
            return found

        def sample(rules: object, state: list[State], legal: object, weights: object, random: list[Any]) -> Move | int:
            if machine.actor(state[0]) == CHANCE:
                return machine.draw(state[0], generator(random))
            listed = machine.moves(state[0])
            return generator(random).choice(listed) if listed else -1

        def drawn(random: list[int], count: int) -> int:
            draws = Draws(random[0])
            place = draws.below(count)
            random[0] = draws.state
            return place

        return {"sample": sample, "drawn": drawn, "share": lambda gains, most: float(gains / most)}

    def _tables(self) -> Namespace:
        """Every position that there is room for has a place of its own (:mod:`zermelo.solvers.kernels.slots`)."""
        number = self.positions.number
        return {
            "slot_of": lambda key, size: place_of(number(key[0])) & size - 1,
            "group_of": lambda key, beside, size: place_of(number((key[0], beside))) & size - 1,
            "hash_of": lambda key: number(key[0]),
            "is_same": lambda one, other: one[0] == other[0],
        }

    def _loops(self) -> Namespace:
        """The positions of the path are the keys of a dictionary, in their order
        (:mod:`zermelo.solvers.kernels.repetition`)."""
        if not self.is_watched:
            return {}
        position, path = self.machine.position, dict[Hashable, int]()

        def comes_back(rules: object, watch: Any, state: list[State], depth: int) -> bool:
            here = position(state[0])
            if here in path:
                watch.met = path[here]
                return True
            path[here] = depth
            return False

        def go_back(watch: object, depth: int) -> None:
            path.popitem()

        return {"forget": lambda watch: path.clear(), "comes_back": comes_back, "go_back": go_back}


def lengths(machine: Machine[Any]) -> dict[str, int]:
    """The constants that the rules give."""
    return {
        "MOVES": 0,
        "KEY": 1,
        "STATE": 1,
        "CONTEXT": 1,
        "PLAYERS": len(machine.player_names),
        "MOMENT": 0,
        "PAST": 0,
    }


def _put_whole(target: Any, number: int | Fraction) -> None:
    target.over, target.under = number, 1


def _put_multiple(rules: object, target: Any, number: int, source: Any) -> None:
    target.over, target.under = number * source.over, 1


def _add(rules: object, target: Any, weight: int, term: Any) -> None:
    target.over += weight * term.over


def _divide(rules: object, target: Any, number: int) -> None:
    target.over = exact(Fraction(target.over) / number)


FRACTIONS: Namespace = {
    "product": lambda rules, number, other: number * other,
    "is_less": lambda one, other: one.over < other.over,
    "is_equal": lambda one, other: one.over == other.over,
    "is_whole": lambda one, number: one.over == number,
    "put_whole": _put_whole,
    "put_multiple": _put_multiple,
    "add": _add,
    "divide": _divide,
}
"""What is otherwise in :mod:`zermelo.solvers.kernels.fractions` where what is above may be an exact number, and what is
below is 1."""

WINDOWS: Namespace = {
    "slot_of_history": lambda node, move: (node.player, move),
    "promised": lambda is_first, killer, history: (is_first, 0, killer, history),
    "with_rank": lambda promise, rank: (promise[0], rank, *promise[2:]),
    "rest_of": lambda work, reach, move: (work, reach, move),
    "work_in": lambda rest: rest[0] if rest else 0,
    "reach_in": lambda rest: rest[1],
    "move_in": lambda rest: rest[2],
    "fetch": lambda search, state: None,
}
"""What :mod:`zermelo.solvers.kernels.window_order` and :mod:`zermelo.solvers.kernels.window_table` pack into one number
where moves are numbers; and nothing is fetched ahead."""
