"""Scopes: the names that an expression or a statement may use, local ones among them; the help for places on a ring;
and the signs of members."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from attrs import define, evolve, field

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Label, Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.names import LocalName
from zermelo.interpreter.model.cardinality import fits, is_ring
from zermelo.interpreter.types import DirectionType, MemberType, NumberType, SetType, Type, strip_none
from zermelo.interpreter.values import COMPASS, EMPTY, OrderedSet

if TYPE_CHECKING:
    from zermelo.interpreter.elaboration.names import Globals

# Scopes: the meaning of names at a place in the text.
#
# A :class:`Scope` is one level of local names inside a callable. All scopes of a callable share its
# :class:`SlotCounter`, which gives each local name a slot of its own: slots never clash, and an expression can be moved
# within the callable. The outermost names are those of the file (:class:`Globals`).


@define(eq=False, repr=False)
class SlotCounter:
    """Counts the slots of one callable."""

    size: int = 0

    def new_slot(self) -> int:
        self.size += 1
        return self.size - 1


@define(eq=False, repr=False)
class Scope:
    """One level of local names, inside ``outer`` and finally the file's ``globals``.

    In a ``then:``, ``choices`` are the rules of its ``together``, and ``sure_to_choose`` the players who are sure to
    have made the only choice, None if that is unknown because of errors; ``unnamed_chooser`` is the word ``together``
    if the moves of this scope are those of a player without a name; ``stuck_allowed`` if ``stuck`` may be used here.
    """

    globals: Globals
    frame: SlotCounter
    outer: Scope | None = None
    names: dict[str, LocalName] = field(factory=dict)
    choices: Mapping[str, model.Rule] | None = None
    sure_to_choose: OrderedSet | None = EMPTY
    unnamed_chooser: Span | None = None
    stuck_allowed: bool = False
    all_names: list[LocalName] = field(factory=list)

    @property
    def findings(self) -> Findings:
        return self.globals.findings

    def inner(self) -> Scope:
        return evolve(self, outer=self, names={})

    def find(self, name: str) -> LocalName | None:
        return next((scope.names[name] for scope in self._outward() if name in scope.names), None)

    def _outward(self) -> Iterator[Scope]:
        """This scope, and those around it."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.outer

    def bind(
        self,
        name: syntax.Name,
        type: Type,
        kind: str,
        *,
        expendable: bool = False,
        holds: Type | None = None,
        declared: Type | None = None,
    ) -> int:
        """Give a local name a slot; report a name that it hides."""
        hidden = self.find(name.text)
        if hidden is not None:
            label = Label(hidden.span, f"the {hidden.kind} that is hidden")
            self.globals.report_shadow(name, f"another '{name}'", f"this {kind} hides it from here on", label)
        else:
            self.globals.report_hidden(name, kind)
        known = holds or declared or type
        local = LocalName(name.text, self.frame.new_slot(), type, name.span, kind, known, expendable, holds=holds)
        self.names[name.text] = local
        self.all_names.append(local)
        self.globals.locals.append(local)
        return local.slot

    def visible_names(self) -> list[str]:
        """All local names, for suggestions."""
        return [name for scope in self._outward() for name in scope.names]

    def report_unused(self) -> None:
        """Report the unused local names of this callable; called once, after its elaboration."""
        for local in self.all_names:
            if not local.used and not local.expendable and not local.name.startswith("_"):
                self.findings.report(
                    "unused-name",
                    local.span,
                    f"the {local.kind} '{local.name}' is never used",
                    help=f"remove it, or write '_{local.name}' to say that this is meant",
                )


# The help where a place on a ring meets a number: places are written as numbers, but are not numbers; and where a
# member has the name of a direction.


def help_to_place(number: model.Expr, wanted: Type, scope: Scope) -> str:
    """The help where a number stands for a place of the ring ``wanted``, or a member for the direction of its name."""
    if isinstance(_element(wanted), DirectionType):
        return _help_to_direction(number)
    if not is_ring(strip_none(wanted)) or not isinstance(strip_none(number.type), NumberType):
        return ""
    return f"{strip_none(wanted)}({scope.findings.source.excerpt(number.span)}) is the place with this number"


def help_to_places(numbers: model.Expr, wanted: Type, scope: Scope) -> str:
    """The help where a set of numbers stands for a set of places of the ring ``wanted``."""
    found = strip_none(numbers.type)
    if not is_ring(strip_none(wanted)) or not isinstance(found, SetType) or not isinstance(found.element, NumberType):
        return ""
    return f"{strip_none(wanted)}(k) is the place with the number k"


def help_between(left: model.Expr, right: model.Expr, scope: Scope) -> str:
    """The help where one of the two is a place on a ring and the other a number."""
    return help_to_place(right, left.type, scope) or help_to_place(left, right.type, scope)


def help_to_combine(left: model.Expr, right: model.Expr, scope: Scope) -> str:
    """The help where a place on a ring is used as a number, a member as the direction of its name, or the member of a
    set as a set."""
    if isinstance(left.type, SetType) and fits(right.type, left.type.element):
        return f"a set of one member is written {{{scope.findings.source.excerpt(right.span)}}}"
    for side in (right, left):
        if help := _help_to_direction(side):
            return help
        if is_ring(strip_none(side.type)):
            ring, place = strip_none(side.type), scope.findings.source.excerpt(side.span)
            return f"the number of a place is that of the steps to it, steps(0, {place}); {ring}(k) is the place k"
    return ""


def _help_to_direction(found: model.Expr) -> str:
    members = _element(found.type)
    names = [name for name in COMPASS if isinstance(members, MemberType) and name in members.by_name]
    return f"'{names[0]}' is a member of {members} here; the direction is Direction.{names[0]}" if names else ""


def _element(type: Type) -> Type:
    """The type of the members of a set; any other type itself."""
    base = strip_none(type)
    return strip_none(base.element) if isinstance(base, SetType) else base


# Legends of enumerations, which give members signs: ``"♥" = hearts``.
#
# A record of members with signs is shown as their signs, side by side. So that this text can be read again, no sign of
# a type is the beginning of another one (a *prefix code*): then it is always clear where a sign ends.


_NO_SIGN: Final = re.compile(r"[\s()\[\]{}<>,;?]|^$|^none$")
"""What has another meaning in the text of a move."""


def signs_of(type_name: str, members: Collection[str], scope: Scope) -> dict[str, str]:
    """The signs that the file's legends give to members of an enumeration, by the names of the members."""
    signs: dict[str, str] = {}
    for legend in scope.globals.declarations.every(syntax.Legend):
        if type_name and legend.target.text == type_name:
            for entry in legend.entries:
                _add_sign(entry, signs, members, type_name, scope)
    return signs


def _add_sign(
    entry: syntax.LegendEntry, signs: dict[str, str], members: Collection[str], type_name: str, scope: Scope
) -> None:
    report, sign = scope.findings.report, entry.text
    member = entry.value.name if isinstance(entry.value, syntax.Reference) else ""
    if member not in members:
        listed = ", ".join(members)
        report("type-mismatch", entry.value.span, f"this is not a member of {type_name}", help=f"these are: {listed}")
    elif _NO_SIGN.search(sign):
        help = "a sign has no spaces, brackets, commas, semicolons or question marks"
        report("syntax", entry.span, f'"{sign}" cannot be a sign in the text of a move', help=help)
    elif member in signs:
        report("duplicate-name", entry.span, f"the legend has a sign for {member} already")
    elif sign in members and sign != member:
        report("duplicate-name", entry.span, f'"{sign}" is the name of another member')
    else:
        for other in signs.values():
            if sign.startswith(other) or other.startswith(sign):
                message = f'"{sign}" and "{other}" cannot be told apart: one begins like the other'
                report("duplicate-name", entry.span, message)
                return
        signs[member] = sign
