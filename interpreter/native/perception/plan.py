"""The encoding of a model's observations, and their slots in a state (see
:mod:`zermelo.interpreter.native.coding.observations`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.analysis.information import perfect_information
from zermelo.interpreter.intervals import hull
from zermelo.interpreter.model import Audience, Model, Tell
from zermelo.interpreter.model.walks import blocks, rules_of, statements
from zermelo.interpreter.native.coding.encoding import is_set, same_codes, storage_of
from zermelo.interpreter.native.coding.layout import StateLayout
from zermelo.interpreter.native.coding.observations import (
    WORD,
    ArgumentGroup,
    Part,
    Perception,
)
from zermelo.interpreter.native.coding.unobserved import NothingHidden, NotLowered
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.types import NoneType, NumberType, OptionalType, Type, strip_none

MOST_TOLD: Final = 12
"""The most tellings between two decisions."""

_MOST_HEARERS: Final = 32


def plan_perception(game: Model, layout: StateLayout) -> Perception | NothingHidden | NotLowered:
    """The encoding of observations, with slots added to the layout; or why there is none."""
    tellings = [statement for block in blocks(game) for statement in statements(block) if isinstance(statement, Tell)]
    if perfect_information(game, layout.phases).holds and not tellings:
        return NothingHidden()
    try:
        return _planned(game, layout, tellings)
    except Unsupported as beyond:
        return NotLowered(beyond.construct)


def _planned(game: Model, layout: StateLayout, tellings: list[Tell]) -> Perception:
    if any(isinstance(statement, Tell) for statement in statements(game.setup)):
        raise Unsupported("telling something before the play begins")
    if len(game.players) > _MOST_HEARERS:
        raise Unsupported(f"hidden information for more than {_MOST_HEARERS} players")
    shown = [
        (rule.name, [(parameter.type, parameter.secret) for parameter in rule.parameters])
        for phase in layout.phases
        if not isinstance(phase.decision, model.Chance)
        for rule in rules_of(phase.decision)
    ]
    said = [(telling.label, [(argument.type, False) for argument in telling.arguments]) for telling in tellings]
    perception = Perception(game, layout, _groups(shown), _groups(said), layout.size, 0, 0)
    layout.size += 2 * len(game.players)
    perception.told = layout.size
    perception.told_size = 1 + max((len(group.parts) for group in perception.tellings), default=0)
    if tellings:
        layout.size += 1 + MOST_TOLD * perception.told_size
    first = 0
    entries = 0
    for variable in game.variables:
        if variable.visibility is Audience.NOBODY:
            continue
        perception.firsts[variable] = first
        first += layout.places[variable].extent
        entries += variable.entries * (1 + perception.seen_part(variable).size)
    asked = [
        sum(part.size for part in perception.asked_parts(k) if part is not None) for k in range(len(layout.phases))
    ]
    perception.words = (
        len(game.players) * (2 + max((group.size for group in perception.moves), default=0))
        + (MOST_TOLD * (2 + max((group.size for group in perception.tellings), default=0)) if tellings else 0)
        + (1 + entries)
        + (2 + max(asked, default=0))
    )
    return perception


def _groups(named: Iterable[tuple[str, list[tuple[Type, bool]]]]) -> tuple[ArgumentGroup, ...]:
    """One group for each name and number of arguments, which are given with their types and whether they are secret."""
    gathered: dict[tuple[str, int], list[list[tuple[Type, bool]]]] = {}
    for name, arguments in named:
        gathered.setdefault((name, len(arguments)), []).append(arguments)
    return tuple(
        ArgumentGroup(name, tuple(_part([arguments[k] for arguments in found]) for k in range(count)))
        for (name, count), found in gathered.items()
    )


def _part(found: list[tuple[Type, bool]]) -> Part:
    """The encoding of an argument with these types in different phases."""
    type = _joined([type for type, _ in found])
    is_secret = any(secret for _, secret in found)
    has_flag = is_secret and is_set(type)
    shown = OptionalType(strip_none(type)) if is_secret and not has_flag else type
    part = Part(shown, storage_of(shown), has_flag)
    if part.storage.width > WORD and not is_set(type):
        raise Unsupported("a value of more than 62 bits")
    return part


def _joined(types: list[Type]) -> Type:
    """A common supertype in which every value keeps its code."""
    inner = [strip_none(type).base for type in types if not isinstance(type, NoneType)]
    if not inner:
        raise Unsupported("an argument that is always none")
    joined = inner[0]
    for other in inner[1:]:
        if isinstance(joined, NumberType) and isinstance(other, NumberType):
            joined = hull(joined, other)
        elif joined != other or not same_codes(joined, other):
            raise Unsupported("moves or tellings of one name with arguments of different types")
    has_none = any(isinstance(type, OptionalType | NoneType) for type in types)
    return OptionalType(joined) if has_none else joined
