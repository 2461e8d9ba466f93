"""Where in the picture of a position a move is clicked: at the cells that it names, at the entries of variables that
its arguments are indices of, and at the cards that it is chosen from.

Nothing of it is in the file. A parameter that indexes a variable, in the rule or in what it calls, stands for an entry
of it, such as ``q`` in ``men_on[p, q]`` for a point; one whose domain is a set that is drawn, such as ``c in hand[p]``,
for a thing in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import product
from typing import Any, Final

from attrs import fields, frozen

from zermelo.drawing.positions import entry_name, name_in_entry
from zermelo.game import Game, State
from zermelo.interpreter.machine import Move, PlayError, Seen
from zermelo.interpreter.model import Assign, Call, Contains, Do, Expr, Local, Read, Rule, Statement, Together, Turn
from zermelo.interpreter.model.rewriting import reads, walk
from zermelo.interpreter.types import NumberType, SetType, Type, strip_none
from zermelo.interpreter.values import Cell, OrderedSet, Value
from zermelo.pictures.marks import Spot

_MOVES: Final = 100
"""The most moves that are tried to see where they lead."""


@frozen
class Clicks:
    """The spots at which a move is clicked, one after the other, and ``further`` ones that tell it from others which
    are clicked at the same."""

    spots: tuple[str, ...]
    further: tuple[str, ...] = ()


def clicks_of(
    state: State, moves: Sequence[Move], seen: Iterable[Seen], spots: Iterable[Spot], changed: Mapping[Move, Cell]
) -> list[Clicks]:
    """Where each move is clicked in a picture with these spots, of which a player has ``seen`` these entries. Moves
    that name no cell may have ``changed`` one (:func:`~zermelo.drawing.positions.cells_changed`)."""
    spot_of = {entry: spot.name for spot in spots for entry in spot.entries}
    drawn = _Drawn(state, spot_of, _entries(state.game, spot_of), list(seen))
    is_known = state.game.facts.perfect_information.holds is True and len(moves) <= _MOVES
    found = []
    for move in moves:
        if move in changed:
            found.append(Clicks((changed[move].name,)))
            continue
        places = drawn.places(move)
        names = [place.name if isinstance(place, Cell) else spot_of[_name(place)] for place in places.values()]
        target = drawn.target(move, places) if is_known and len(move.arguments) > 1 else None
        found.append(Clicks(tuple(names)) if target is None else Clicks((names[0], target), tuple(names[1:])))
    return found


def _entries(game: Game, spot_of: Mapping[str, str]) -> list[Seen]:
    """The entries that have a spot, without their values, which may be hidden."""
    return [
        Seen(variable.name, indices, None)
        for variable in (game.model.variables if spot_of else ())
        for indices in product(*(index.members for index in variable.indices))
        if entry_name(variable.name, indices) in spot_of
    ]


_Place = Cell | Seen | tuple[Seen, Value]
"""A cell, an entry, or a value in an entry."""


def _name(place: Seen | tuple[Seen, Value]) -> str:
    """The name of an entry, or of a value in it, as spots have it."""
    if isinstance(place, Seen):
        return entry_name(place.variable, place.indices)
    entry, value = place
    return name_in_entry(entry_name(entry.variable, entry.indices), value)


@frozen
class _Drawn:
    """A position that is drawn: the names of spots by what they show, the entries ``there``, some of which may be face
    down, and those that are ``seen`` with their values."""

    state: State
    spot_of: Mapping[str, str]
    there: Sequence[Seen]
    seen: Sequence[Seen]

    def places(self, move: Move) -> dict[int, _Place]:
        """The places that the arguments of a move stand for, by the numbers of these, as far as the picture has
        them."""
        found: dict[int, _Place] = {k: each for k, each in enumerate(move.arguments) if isinstance(each, Cell)}
        told = set(found)
        indexing, sources = _uses(self.state.game, move.name, len(move.arguments))
        for variable, indices in indexing:
            parameters = {parameter for _, parameter in indices}
            if parameters & told:
                continue
            own = self._own(
                entry
                for entry in self.there
                if entry.variable == variable
                and all(entry.indices[place] == move.arguments[parameter] for place, parameter in indices)
            )
            if len(own) == 1:
                found[min(parameters)] = own[0]
                told |= parameters
        for parameter, value in enumerate(move.arguments):
            if parameter in told:
                continue
            holding = (each for each in self.seen if each.variable in sources[parameter] and _holds(each.value, value))
            own = [entry for entry in self._own(holding) if _name((entry, value)) in self.spot_of]
            if own:
                found[parameter] = (own[0], value)
        return dict(sorted(found.items()))

    def _own(self, entries: Iterable[Seen]) -> list[Seen]:
        """Those of the player to move, if there are any, else all."""
        game, several = self.state.game, list(entries)
        actor = game.model.players[game.machine.actor(self.state.machine_state)]
        return [entry for entry in several if actor in entry.indices] or several

    def target(self, move: Move, places: Mapping[int, _Place]) -> str | None:
        """The spot to which a move leads if it does not name it: that of the only entry which it changes beside the
        first of its places, of those that differ from this in the last index. None if there is none, or if there are
        several."""
        entry = next(iter(places.values()), None)
        if not isinstance(entry, Seen):
            return None
        if sum(isinstance(each, Seen) and each.variable == entry.variable for each in places.values()) > 1:
            return None  # it does name it
        before, after = self._row(self.state, entry), {}
        with suppress(PlayError):  # the player who makes the move hears of it
            after = self._row(self.state.after(move), entry)
        changed = [indices for indices, value in after.items() if before.get(indices) != value]
        others = [indices for indices in changed if indices != entry.indices]
        if len(changed) != 2 or len(others) != 1:
            return None
        return self.spot_of.get(entry_name(entry.variable, others[0]))

    def _row(self, state: State, entry: Seen) -> dict[tuple[Value, ...], Value]:
        return {
            each.indices: each.value
            for each in state.game.machine.entries(state.machine_state)
            if each.variable == entry.variable and each.indices[:-1] == entry.indices[:-1]
        }


def _holds(held: Value, value: Value) -> bool:
    return value in held.items if isinstance(held, OrderedSet) else held == value


# What the parameters of a rule are used for.


_Indexing = tuple[tuple[str, tuple[tuple[int, int], ...]], ...]
"""The variables that parameters index: at which place of the indices which parameter stands."""


def _uses(game: Game, name: str, count: int) -> tuple[_Indexing, list[set[str]]]:
    """What moves of this name, with so many arguments, index by them, the most arguments at once first; and for each
    argument the variables from whose values it is taken."""
    indexing: dict[Any, None] = {}
    sources: list[set[str]] = [set() for _ in range(count)]
    for phase in game.model.phases.values():
        rules = phase.decision.moves if isinstance(phase.decision, Turn | Together) else ()
        for rule in rules:
            if rule.name == name and len(rule.parameters) == count:
                own, taken = _uses_of_rule(rule)
                indexing |= dict.fromkeys(own)
                for parameter, variables in enumerate(taken):
                    sources[parameter] |= variables
    return tuple(sorted(indexing, key=lambda use: (-len(use[1]), use[1]))), sources


@lru_cache(maxsize=256)
def _uses_of_rule(rule: Rule) -> tuple[_Indexing, tuple[frozenset[str], ...]]:
    slots = {parameter.slot: number for number, parameter in enumerate(rule.parameters)}
    expressions = [*(parameter.domain for parameter in rule.parameters), *(part for own in rule.guards for part in own)]
    indexing = tuple(dict.fromkeys(use for part in (*expressions, rule.body) for use in _indexing(part, slots)))
    taken = []
    for parameter in rule.parameters:
        sets = [parameter.domain, *_sets_with(expressions, parameter.slot)]
        kind = strip_none(parameter.type).base
        taken.append(frozenset(each.variable.name for one in sets for each in reads(one) if _is_of(each, kind)))
    return indexing, tuple(taken)


def _sets_with(expressions: Iterable[Expr], slot: int) -> Iterator[Expr]:
    """The collections in which the value of a slot has to be."""
    for expression in expressions:
        for part in walk(expression):
            if isinstance(part, Contains) and isinstance(part.item, Local) and part.item.slot == slot:
                yield part.collection


def _is_of(read: Read, kind: Type) -> bool:
    """Whether a variable holds values of a kind: numbers only as members of a set, since a single one is mostly a
    count."""
    held = strip_none(read.variable.type)
    if isinstance(held, SetType):
        element = strip_none(held.element).base
        return element == kind or (isinstance(element, NumberType) and isinstance(kind, NumberType))
    return held.base == kind and not isinstance(kind, NumberType)


def _indexing(whole: Any, slots: Mapping[int, int]) -> Iterator[tuple[str, tuple[tuple[int, int], ...]]]:
    """The variables that the values of ``slots``, which are those of parameters, index in an expression, a statement or
    several, and in what these call."""
    if isinstance(whole, tuple):
        for part in whole:
            yield from _indexing(part, slots)
        return
    if not isinstance(whole, Expr | Statement):
        return
    if isinstance(whole, Read | Assign):
        own = _parameters(whole.indices, slots)
        if own:
            yield whole.variable.name, tuple(sorted(own.items()))
    if isinstance(whole, Call | Do):
        called = whole.define if isinstance(whole, Call) else whole.action
        if given := _parameters(whole.arguments, slots):
            yield from _indexing(called.body, given)
    for field in fields(type(whole)):
        if field.name not in ("type", "span", "variable", "define", "action"):
            yield from _indexing(getattr(whole, field.name), slots)


def _parameters(arguments: Sequence[Expr], slots: Mapping[int, int]) -> dict[int, int]:
    """Which of the arguments are parameters, by their places."""
    return {
        place: slots[each.slot]
        for place, each in enumerate(arguments)
        if isinstance(each, Local) and each.slot in slots
    }
