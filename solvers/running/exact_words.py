"""What the words of the dialect mean over a machine, with exact numbers.

Lengths that the rules of a lowered game fix are these: a state is an array of one entry, the machine's state, and a key
one of one entry, the position. ``MOVES`` is 0; arrays of no fixed length grow.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, MutableMapping
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any, Final, Generic

from attrs import define, field, frozen

from zermelo.grammar.footprint import Room
from zermelo.interpreter.machine import CHANCE, Machine, Move, State
from zermelo.interpreter.native.dialect.language import Namespace
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import INFINITE
from zermelo.solvers.running.growing import Growing

Legal = MutableMapping[int, Move]

_MOST: Final = (1 << 63) - 1


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

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[object]:
        return iter(self._numbers)

    def __reversed__(self) -> Iterator[object]:
        """Positions with their entries, the latest ones first."""
        for position, number in reversed(self._numbers.items()):
            yield position, [table.get(place_of(number)) for table in self.tables]


def place_of(number: int) -> int:
    """The entry for a position of this number; the one beside it is its own, too, where entries stand in pairs."""
    return number << 1


@frozen
class Words(Generic[State]):
    """The words that the rules of a game give, and the tables and loops of kernels."""

    machine: Machine[State]
    positions: Positions
    is_watched: bool

    def names(self) -> Namespace:
        """All of them, by name."""
        return {**self._lengths(), **self._rules(), **self._random(), **self._tables(), **self._loops(), **FRACTIONS}

    def _lengths(self) -> Namespace:
        return {
            **lengths(self.machine),
            "INFINITE": INFINITE,
            "mix": lambda one, other: hash((one, other)) & _MOST,
            "array": lambda count: [0] * count if count else Growing(int),
        }

    def _rules(self) -> Namespace:
        machine = self.machine

        def moves(rules: object, state: list[State], legal: Legal) -> int:
            listed = machine.moves(state[0])
            legal.update(enumerate(listed))
            return len(listed)

        def outcomes(rules: object, state: list[State], drawn: Legal, weights: MutableMapping[int, int]) -> int:
            listed = machine.outcomes(state[0])
            whole = lcm(*(probability.denominator for _, probability in listed))
            for k, (move, probability) in enumerate(listed):
                drawn[k], weights[k] = move, int(probability * whole)
            return len(listed)

        def apply(rules: object, state: list[State], move: Move) -> int:
            state[0] = machine.after(state[0], move)
            return 0

        def passed(rules: object, state: list[State]) -> int:
            there = machine.passed(state[0])
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
            "after": lambda rules, state, move: [machine.after(state[0], move)],
            "passed": passed,
            "pack": pack,
            "payoff": lambda state, player: exact(machine.payoff(state[0])[player]),
            "earned": lambda state, player: exact(machine.earned(state[0])[player]),
            "estimate": lambda rules, state, player: exact(machine.estimate(state[0], player)),
            "unsettled": lambda rules, state: int(machine.is_unsettled(state[0])),
            "order_key": lambda rules, state: exact(machine.rank(state[0])),
        }

    def _random(self) -> Namespace:
        """The state of a random generator is one of Python, which the number that stands there first seeds."""
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

        return {"sample": sample, "drawn": lambda random, count: generator(random).randrange(count)}

    def _tables(self) -> Namespace:
        """Every position that there is room for has a place of its own (:mod:`zermelo.solvers.kernels.slots`)."""
        number = self.positions.number
        return {
            "slot_of": lambda key, size: place_of(number(key[0])) & size - 1,
            "hash_of": lambda key: number(key[0]),
            "is_same": lambda one, other: one[0] == other[0],
        }

    def _loops(self) -> Namespace:
        """The positions of the path are the keys of a dictionary, in their order
        (:mod:`zermelo.solvers.kernels.repetition`)."""
        if not self.is_watched:
            return {}
        position, path = self.machine.position, dict[Hashable, None]()

        def comes_back(watch: object, state: list[State], depth: int) -> bool:
            here = position(state[0])
            if here in path:
                return True
            path[here] = None
            return False

        def go_back(watch: object, depth: int) -> None:
            path.popitem()

        return {"forget": lambda watch: path.clear(), "comes_back": comes_back, "go_back": go_back}


def lengths(machine: Machine[Any]) -> dict[str, int]:
    """The constants that the rules give."""
    return {"MOVES": 0, "KEY": 1, "STATE": 1, "CONTEXT": 1, "PLAYERS": len(machine.player_names)}


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
