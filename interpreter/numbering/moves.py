"""All moves of a game, or all outcomes of chance, numbered from 0 by what the file declares.

Programs that learn want a fixed list of actions, of which some are legal in a state. It follows from the rules alone:

- moves of one name with so many arguments are a *group*, whatever phases offer them, since moves are equal if name and
  arguments are. Groups are numbered one after the other, in the order in which the file first has them;
- the values of an argument are those of its domain, in its order, if that is the same in all states (``c in Card``,
  ``n in 1..3``), else those of its type (``to in empty_cells``: all cells); ``none`` of an optional one comes first.
  If several phases have a group, its values are those of the first, then what others add;
- within a group the last argument runs fastest. With n_k values for argument k, and v_k the place of its value,

      number = first + (...(v_0 n_1 + v_1) n_2 + ...) n_m + v_m.

So numbers are the same in every run, on every machine and in every state, and depend on nothing but the rules and the
parameters of the game. Some belong to moves that no state offers. Arguments can be found from a number, and a number
from arguments, with one table for each argument: ``groups`` are the layout for programs that do so for many at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import Final, overload

from attrs import field, frozen

from zermelo.foundation.records import Displayed, Unchanging
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.evaluation.context import Context, Domain, parameter_domain
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model import Chance, Model, Rule, RuleParameter
from zermelo.interpreter.model.cardinality import member_counts, values_of_type
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads_state, rules_of, slots
from zermelo.interpreter.types import SetType, Type, strip_none
from zermelo.interpreter.values import EvaluationError, OrderedSet, Value, typed_key

MOST_NUMBERS: Final = 1_000_000
"""The most moves, or outcomes, that are numbered."""

_READABLE: Final = 10**15
"""Larger counts are not written out."""


@frozen(eq=False, repr=False)
class MoveGroup(Displayed, Unchanging):
    """The moves of one ``name`` with the arguments ``values``, one tuple for each argument; the first has the number
    ``first``."""

    name: str
    first: int
    values: tuple[tuple[Value, ...], ...] = field(repr=False)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many values each argument has."""
        return tuple(map(len, self.values))

    @cached_property
    def places(self) -> tuple[dict[Value, int], ...]:
        """The place of each value of each argument."""
        return tuple({typed_key(value): place for place, value in enumerate(values)} for values in self.values)

    def __len__(self) -> int:
        return prod(self.sizes)

    def move(self, number: int) -> Move:
        """The move with a number, which is in this group."""
        rest, arguments = number - self.first, []
        for values in reversed(self.values):
            rest, place = divmod(rest, len(values))
            arguments.append(values[place])
        return Move(self.name, tuple(reversed(arguments)))

    def number(self, move: Move) -> int | None:
        """The number of a move with this name and so many arguments; None if an argument has another value."""
        at = 0
        for places, value in zip(self.places, move.arguments, strict=True):
            place = places.get(typed_key(value))
            if place is None:
                return None
            at = at * len(places) + place
        return self.first + at


class NumberedMoves(Sequence[Move], Unchanging):
    """All moves that the rules can name, or all outcomes of chance, in the fixed order of which the module tells.
    ``groups`` has them by name."""

    def __init__(self, groups: tuple[MoveGroup, ...]) -> None:
        self.groups = groups
        self._by_name = {(group.name, len(group.values)): group for group in groups}
        self._length = sum(map(len, groups))

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, number: int) -> Move: ...

    @overload
    def __getitem__(self, number: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, number: int | slice) -> Move | tuple[Move, ...]:
        if isinstance(number, slice):
            return tuple(self[k] for k in range(self._length)[number])
        at = range(self._length)[number]
        return next(group for group in reversed(self.groups) if group.first <= at and len(group)).move(at)

    def __iter__(self) -> Iterator[Move]:
        return (group.move(group.first + k) for group in self.groups for k in range(len(group)))

    def _number(self, move: object) -> int | None:
        if not isinstance(move, Move):
            return None
        group = self._by_name.get((move.name, len(move.arguments)))
        return None if group is None else group.number(move)

    def __contains__(self, move: object) -> bool:
        return self._number(move) is not None

    def index(self, move: Move, start: int = 0, stop: int | None = None) -> int:
        """The number of a move. Raises ``ValueError`` for one that no rule can make."""
        number = self._number(move)
        if number is None or number not in range(self._length)[start:stop]:
            raise ValueError(f"{move} is none of these moves")
        return number

    def __repr__(self) -> str:
        return f"<{self._length:,} numbered: {', '.join(group.name for group in self.groups)}>"


def numbered_moves(game: Model) -> NumberedMoves:
    """All moves of players. Raises ``ZermeloError`` (``too-many-moves``)."""
    phases = (phase for phase in game.phases.values() if not isinstance(phase.decision, Chance))
    return _numbered((rule for phase in phases for rule in rules_of(phase.decision)), "too-many-moves")


def numbered_outcomes(game: Model) -> NumberedMoves:
    """All outcomes of chance. Raises ``ZermeloError`` (``too-many-outcomes``)."""
    phases = (phase for phase in game.phases.values() if isinstance(phase.decision, Chance))
    return _numbered((rule for phase in phases for rule in rules_of(phase.decision)), "too-many-outcomes")


def _numbered(rules: Iterable[Rule], code: str) -> NumberedMoves:
    by_name: dict[tuple[str, int], list[Rule]] = {}
    for rule in rules:
        by_name.setdefault((rule.name, len(rule.parameters)), []).append(rule)
    groups: list[MoveGroup] = []
    first = 0
    for (name, count), alike in by_name.items():
        for rule in alike:
            _check_count(first, rule, code)
        values = tuple(_joined([_Argument.of(rule.parameters[k]).values() for rule in alike]) for k in range(count))
        _check_room(first + prod(map(len, values)), name, code)
        groups.append(MoveGroup(name, first, values))
        first += len(groups[-1])
    return NumberedMoves(tuple(groups))


def _joined(lists: Iterable[Iterable[Value]]) -> tuple[Value, ...]:
    """All values of several lists, in the order in which they first come."""
    found: dict[Value, Value] = {}
    for values in lists:
        for value in values:
            found.setdefault(typed_key(value), value)
    return tuple(found.values())


# The values of an argument, and how many there are, which is known before they are listed.


@frozen(repr=False)
class _Argument(Displayed):
    """The values of an argument: ``known`` is its domain if that is the same in all states."""

    parameter: RuleParameter
    known: Domain | None

    @staticmethod
    def of(parameter: RuleParameter) -> _Argument:
        domain = parameter.domain
        if reads_state(domain) or free_slots(domain):
            return _Argument(parameter, None)
        return _Argument(parameter, parameter_domain(Compiler(), parameter))

    @property
    def _frame(self) -> list[Value]:
        """Room for the names that the domain binds."""
        domain = self.parameter.domain
        return [None] * (1 + max(slots(domain) | bound_slots(domain) | {-1}))

    def count(self) -> int | None:
        """None if there is no bound."""
        if self.known is not None:
            with suppress(EvaluationError):  # a faulty domain is reported when it is used
                return self.known.count(Context(()), self._frame)
        inner = strip_none(self.parameter.type)
        sizes = self._sizes(inner)
        if sizes is None:
            return values_of_type(self.parameter.type)
        assert isinstance(inner.base, SetType)
        members = values_of_type(inner.base.element)
        return None if members is None else self.parameter.is_optional + sum(comb(members, size) for size in sizes)

    def values(self) -> Iterator[Value]:
        if self.known is not None:
            with suppress(EvaluationError):
                yield from self.known.walk(Context(()), self._frame)
                return
        inner = strip_none(self.parameter.type)
        if self.parameter.is_optional:
            yield None
        sizes = self._sizes(inner)
        if sizes is None:
            yield from inner.generate()
            return
        assert isinstance(inner.base, SetType)
        members = inner.base.element.members.items
        yield from (OrderedSet(chosen) for size in sizes for chosen in combinations(members, size))

    def _sizes(self, type: Type) -> range | None:
        """The sizes of sets to choose from, if the rules bound them."""
        if not isinstance(type.base, SetType):
            return None
        least, most = member_counts(self.parameter.domain)
        members = values_of_type(type.base.element)
        if members is None or (least == 0 and most is None):
            return None
        return range(least, min(members, members if most is None else most) + 1)


def _check_count(first: int, rule: Rule, code: str) -> None:
    count = 1
    for parameter in rule.parameters:
        several = _Argument.of(parameter).count()
        if several is None:
            raise ZermeloError(
                code,
                f"'{rule.name}' cannot be numbered: '{parameter.name}' has no bounds, or astronomically many values",
                "give it a type with few values, or choose in several steps",
            )
        count *= several
    _check_room(first + count, rule.name, code)


def _check_room(count: int, name: str, code: str) -> None:
    if count > MOST_NUMBERS:
        many = f"{count:,}" if count < _READABLE else f"more than {_READABLE:,}"
        raise ZermeloError(
            code,
            f"up to '{name}' there are {many} to number, and at most {MOST_NUMBERS:,} are",
            "smaller parameters of the game make them fewer, or choices in several steps",
        )
