"""How the things of a game are drawn: ``drawn board as disc``. No rule depends on it.

Of a variable it says what its values look like, of a board or a range of numbers what lies below them. A look is a list
of words, which are names of nothing else, so that any name may be given to a player or a variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import define, field

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Label, Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.declarations import FileGlobals
from zermelo.interpreter.elaboration.expressions import elaborate_constant, is_known
from zermelo.interpreter.elaboration.names import Globals, report_undefined
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.model.cardinality import type_in_words
from zermelo.interpreter.types import (
    BoardType,
    MemberType,
    NumberType,
    RecordType,
    SetType,
    Type,
    UnknownType,
    optional,
    strip_none,
)
from zermelo.interpreter.values import Member, Value, format_value

SHAPES: Final = ("disc", "ring", "square", "card", "die")
"""What a value may be drawn as, beside a text alone."""

COLOURS: Final = (
    "black", "blue", "brown", "cyan", "gold", "gray", "green", "grey", "magenta", "orange", "pink", "purple", "red",
    "silver", "tan", "turquoise", "violet", "white", "yellow",
)  # fmt: skip

SIGN: Final = "text"
"""The word for the sign of the value on a shape."""

PATTERNS: Final = {
    "squares": "grid(...)",
    "checkerboard": "grid(...)",
    "lines": "grid(...)",
    "points": "a range of numbers",
}
"""What a board or a range may look like, and which of them may."""

FACING: Final = "facing"
SIDES: Final = ("left", "right", "top", "bottom")
PLACES: Final = ("bar", "off")

LOOK_WORDS: Final = (*SHAPES, SIGN, *COLOURS, *PATTERNS, FACING, *PLACES)
"""All words of looks."""


def drawings_of(globals: FileGlobals) -> tuple[tuple[model.Drawn, ...], tuple[model.Ground, ...]]:
    """How variables are drawn, and what lies below them."""
    scope, named = globals.scope(), globals.declarations.named
    drawn: list[model.Drawn] = []
    grounds: list[model.Ground] = []
    first: dict[str, Span] = {}
    for written in globals.declarations.every(syntax.Drawn):
        name = written.target
        declaration = named.get(name.text)
        if not isinstance(declaration, syntax.Variable | syntax.TypeDeclaration):
            every = globals.declarations.every
            names = [each.name.text for each in every(syntax.Variable)]
            names += [each.name.text for each in every(syntax.TypeDeclaration)]
            report_undefined(name.text, name.span, "variable or type", names, globals.findings)
            continue
        globals.refer(name.span, declaration.name.span)
        if first.setdefault(name.text, name.span) != name.span:
            message, label = f"'{name}' is drawn already", Label(first[name.text], "here")
            globals.findings.report("duplicate-name", name.span, message, labels=[label])
            continue
        if isinstance(declaration, syntax.TypeDeclaration):
            ground = _ground_of(written, globals.named_type(declaration), scope)
            if ground is not None:
                grounds.append(ground)
        elif (variable := globals.variable(declaration)) is not None:
            drawn.append(_drawn_of(written, variable, scope))
    return tuple(drawn), tuple(grounds)


# What lies on a place.


def _drawn_of(written: syntax.Drawn, variable: model.Variable, scope: Scope) -> model.Drawn:
    looks: dict[Value, model.Appearance] = {}
    for entry in written.entries:
        value = _value_of(entry, variable, scope)
        look = _look_of(entry.look, scope)
        if value is None:
            continue
        if value.value in looks:
            message = f"there is a look for {format_value(value.value)} already"
            scope.findings.report("duplicate-name", entry.value.span, message)
        looks.setdefault(value.value, look)
    return model.Drawn(variable, None if written.look is None else _look_of(written.look, scope), looks)


def _value_of(entry: syntax.DrawnEntry, variable: model.Variable, scope: Scope) -> model.Const | None:
    """The value of a variable that an entry is about, or a member that is a part of its values."""
    kind = strip_none(variable.type)
    whole = optional(kind.element) if isinstance(kind, SetType) else variable.type
    wanted = whole
    if isinstance(entry.value, syntax.Reference):
        name = entry.value.name
        wanted = next((part for part in _parts(whole) if name in _names(part)), whole)
    value = elaborate_constant(entry.value, scope, wanted, "what is drawn")
    if not is_known(value):
        return None
    if not wanted.contains(value.value):
        message = f"'{variable.name}' can never be {format_value(value.value)}"
        scope.findings.report("out-of-range", entry.value.span, message, remark=type_in_words(wanted))
        return None
    return value


def _parts(type: Type) -> Iterator[Type]:
    """A type and, of a record, those of its fields."""
    kind = strip_none(type)
    yield kind
    if isinstance(kind.base, RecordType):
        yield from map(strip_none, kind.base.items)


def _names(type: Type) -> Mapping[str, Member]:
    kind = type.base
    return kind.by_name if isinstance(kind, MemberType) else {}


@define(eq=False, repr=False)
class _Reading:
    """The words of a look so far, each at most once of its kind."""

    scope: Scope
    seen: dict[str, str] = field(factory=dict)

    def read(self, kind: str, word: syntax.LookWord) -> None:
        if kind in self.seen:
            message = f"'{word.text}' is a second {kind}"
            self.scope.findings.report("duplicate-name", word.span, message, remark=f"it has one: '{self.seen[kind]}'")
        self.seen.setdefault(kind, word.text)

    def colour(self, word: syntax.LookWord) -> bool:
        """Whether a word is a colour, or a player's name, and then takes it."""
        is_colour = not word.is_quoted and (word.text in COLOURS or word.text in _names(self.scope.globals.player_type))
        if is_colour:
            self.read("colour", word)
            place = self.scope.globals.place_of(self.scope.globals.player_type, word.text)
            if place is not None:
                self.scope.globals.refer(word.span, place)
        return is_colour

    @property
    def own_colour(self) -> Member | str:
        name = self.seen.get("colour", "")
        return _names(self.scope.globals.player_type).get(name, name)


def _look_of(written: syntax.Look, scope: Scope) -> model.Appearance:
    reading = _Reading(scope)
    for word in written.words:
        if word.is_quoted or word.text == SIGN:
            reading.read("text", word)
        elif word.text in SHAPES:
            reading.read("shape", word)
        elif not reading.colour(word):
            candidates = (*SHAPES, SIGN, *COLOURS, *_names(scope.globals.player_type))
            help = f"a look is of a shape ({', '.join(SHAPES)}), a text in quotation marks, and a colour"
            report_undefined(word.text, word.span, "shape or colour", candidates, scope.findings, help)
    is_signed = any(word.text == SIGN and not word.is_quoted for word in written.words)
    face = "" if is_signed else reading.seen.get("text", "")
    return model.Appearance(reading.seen.get("shape", ""), face, is_signed, reading.own_colour)


# What lies below: boards and ranges of numbers.


def _ground_of(written: syntax.Drawn, type: Type, scope: Scope) -> model.Ground | None:
    name, kind = written.target, type.base
    if not isinstance(kind, BoardType | NumberType):
        if not isinstance(kind, UnknownType):
            help = "a variable is drawn, or a type that is a board or a range of numbers"
            message = f"'{name}' is no board and no range"
            scope.findings.report("wrong-kind-of-name", name.span, message, help=help)
        return None
    shape = f"{kind.shape}(...)" if isinstance(kind, BoardType) else PATTERNS["points"]
    reading = _Reading(scope)
    for word in () if written.look is None else written.look.words:
        if word.text in PATTERNS and not word.is_quoted:
            if shape != PATTERNS[word.text]:
                message = f"'{word.text}' is for {PATTERNS[word.text]}, and '{name}' is {shape}"
                scope.findings.report("wrong-kind-of-name", word.span, message)
            reading.read("pattern", word)
        elif word.text == FACING and not word.is_quoted and isinstance(kind, NumberType):
            reading.read("order", word)
        elif word.is_quoted:
            message = "a board has a pattern and a colour, and no text"
            help = f"it is drawn as {', '.join(PATTERNS)}, in a colour, without quotation marks"
            scope.findings.report("wrong-kind-of-name", word.span, message, help=help)
        elif not reading.colour(word):
            candidates = (*PATTERNS, *COLOURS, *_names(scope.globals.player_type))
            help = f"a board is drawn as {', '.join(PATTERNS)}, in a colour"
            report_undefined(word.text, word.span, "pattern or colour", candidates, scope.findings, help)
    if "order" in reading.seen and "pattern" not in reading.seen and written.look is not None:
        message, help = f"only points may be '{FACING}'", f"'drawn {name} as points {FACING}'"
        scope.findings.report("wrong-kind-of-name", written.look.words[0].span, message, help=help)
    sides: dict[str, Member | str] = {}
    places: dict[Value, str] = {}
    for entry in written.entries:
        if isinstance(kind, BoardType):
            _read_side(entry, sides, scope)
        else:
            _read_place(entry, type, places, scope)
    return model.Ground(
        type=type,
        variables=frozenset(_indexed_by(name.text, scope.globals)),
        pattern=reading.seen.get("pattern", ""),
        colour=reading.own_colour,
        is_facing="order" in reading.seen,
        sides=sides,
        places=places,
    )


def _read_side(entry: syntax.DrawnEntry, sides: dict[str, Member | str], scope: Scope) -> None:
    side = entry.value.name if isinstance(entry.value, syntax.Reference) else ""
    if side not in SIDES:
        message, help = "a board has no such side", f"its sides are {', '.join(SIDES)}"
        scope.findings.report("wrong-kind-of-name", entry.value.span, message, help=help)
    elif side in sides:
        scope.findings.report("duplicate-name", entry.value.span, f"there is a colour for '{side}' already")
    reading = _Reading(scope)
    for word in entry.look.words:
        if not reading.colour(word):
            candidates = (*COLOURS, *_names(scope.globals.player_type))
            report_undefined(word.text, word.span, "colour", candidates, scope.findings, "a side has a colour")
    sides.setdefault(side, reading.own_colour)


def _read_place(entry: syntax.DrawnEntry, type: Type, places: dict[Value, str], scope: Scope) -> None:
    value = elaborate_constant(entry.value, scope, type, "a place")
    reading = _Reading(scope)
    for word in entry.look.words:
        if word.text in PLACES and not word.is_quoted:
            reading.read("place", word)
        else:
            help = "a number that is no point is the bar, or off the board"
            report_undefined(word.text, word.span, "place", PLACES, scope.findings, help)
    if not is_known(value):
        return
    if not type.contains(value.value):
        message = f"{format_value(value.value)} is not among them"
        scope.findings.report("out-of-range", entry.value.span, message, remark=type_in_words(type))
    elif value.value in places:
        scope.findings.report("duplicate-name", entry.value.span, f"{format_value(value.value)} has a place already")
    places.setdefault(value.value, entry.look.words[0].text)


def _indexed_by(name: str, globals: Globals) -> Iterator[str]:
    """The variables whose last index is written as this type."""
    for variable in globals.declarations.every(syntax.Variable):
        last = variable.indices[-1].type if variable.indices else None
        if isinstance(last, syntax.NamedType) and last.name == name:
            yield variable.name.text
