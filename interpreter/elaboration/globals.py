"""The names of a file and what they mean, found out on demand.

Declarations may use each other in any order: a type's size may come from a parameter or a constant define, a define may
use one that stands further down. So a declaration is elaborated when it is first asked for, and one that is asked for
while it is being elaborated uses itself, which the language forbids.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from attrs import define, field

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Label
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.names import BUILT_IN_FUNCTIONS, DeclaredNames, kind_of
from zermelo.interpreter.types import BOOL, DIRECTION, BoardType, MemberType, Type, UnknownType
from zermelo.interpreter.values import COMPASS, Member, Value

T = TypeVar("T")


@define(eq=False)
class Globals(ABC):
    """What the names of one file mean under given parameters.

    How each kind of declaration is elaborated stands in :mod:`zermelo.interpreter.elaboration.declarations`, above the
    rules for expressions, which know this class alone.

    ``overrides`` are the parameters as the user set them, by name, as values or as text.
    """

    declarations: DeclaredNames
    findings: Findings
    overrides: Mapping[str, Any]
    player_type: MemberType = field(factory=lambda: MemberType("Player", ()))
    types: dict[str, Type] = field(factory=lambda: {"Bool": BOOL, "Direction": DIRECTION})
    all_types: list[Type] = field(factory=list)
    parameters: dict[str, tuple[Type, Value]] = field(factory=dict)
    variables: dict[str, model.Variable] = field(factory=dict)
    defines: dict[str, model.Define | None] = field(factory=dict)
    actions: dict[str, model.Action | None] = field(factory=dict)
    phase_parameters: dict[str, tuple[model.FormalParameter, ...]] = field(factory=dict)
    history: list[model.Repeated | model.Repetitions] = field(factory=list)
    legends: dict[str, model.Legend] = field(factory=dict)
    members: dict[str, list[tuple[MemberType, Member]]] = field(factory=dict)
    used: set[str] = field(factory=set)
    cells: int = 0
    discount: Fraction | int = 1
    _under_way: list[tuple[str, syntax.Name]] = field(factory=list)

    def add_type(self, type: Type) -> None:
        """Take note of a type that the file makes, and of its members' names."""
        self.all_types.append(type)
        if isinstance(type, MemberType):
            for member in type.listed:
                self.members.setdefault(member.name, []).append((type, member))

    def once(self, table: dict[str, T], name: syntax.Name, make: Callable[[], T], broken: T) -> T:
        """``table[name]``, made now if it is not there; ``broken`` where it turns out to use itself."""
        if name.text in table:
            return table[name.text]
        names = [entry[0] for entry in self._under_way]
        if name.text in names:
            circle = self._under_way[names.index(name.text) :]
            self._report_recursion(circle)
            for text, _ in circle:
                table[text] = broken
            return broken
        self._under_way.append((name.text, name))
        try:
            made = make()
        finally:
            self._under_way.pop()
        return table.setdefault(name.text, made)

    def _report_recursion(self, circle: list[tuple[str, syntax.Name]]) -> None:
        first = circle[0][1]
        chain = f"'{first}' uses " + ", which uses ".join(f"'{text}'" for text, _ in [*circle[1:], circle[0]])
        helps = {
            "define": "for what can be reached step by step there is: reach x from S: next(x)",
            "action": "to repeat something, run over a set with 'for', or go to its phase again",
        }
        self.findings.report(
            "recursive-definition",
            first.span,
            f"'{first}' uses itself",
            remark=chain if len(circle) > 1 else "",
            labels=[Label(name.span, "by way of this one") for _, name in circle[1:]],
            help=helps.get(kind_of(self.declarations.named[first.text]), ""),
        )

    def report_hidden(self, name: syntax.Name, kind: str) -> None:
        """Report a local name that hides one of the file's own. Cells are too many to be spared."""
        declaration = self.declarations.named.get(name.text)
        if declaration is not None:
            self.findings.report(
                "shadowed-name",
                name.span,
                f"'{name}' hides the {kind_of(declaration)} '{name}'",
                remark=f"this {kind} hides it from here on",
                labels=[Label(declaration.name.span, "declared here")],
                help="choose another name",
            )
            return
        self._report_hidden_member(name, kind)

    def _report_hidden_member(self, name: syntax.Name, kind: str) -> None:
        owners = [type for type, _ in self.members.get(name.text, ()) if not isinstance(type, BoardType)]
        if owners:
            self.findings.report(
                "shadowed-name",
                name.span,
                f"'{name}' hides a member of {owners[0]}",
                remark=f"this {kind} hides it",
                help="choose another name",
            )

    def report_hidden_by_file(self) -> None:
        """Report declarations that hide members, or what the language brings along. Functions and values do not get
        into each other's way: a parameter may be called ``size``."""
        for name, declaration in self.declarations.named.items():
            self._report_hidden_member(declaration.name, kind_of(declaration))
            is_function = isinstance(declaration, syntax.Define | syntax.TypeDeclaration | syntax.Action)
            if name in COMPASS or (is_function and name in BUILT_IN_FUNCTIONS):
                what = "direction" if name in COMPASS else "built-in function"
                self.findings.report(
                    "shadowed-name",
                    declaration.name.span,
                    f"'{name}' hides the {what} '{name}'",
                    help="choose another name",
                )

    def value_names(self) -> list[str]:
        """Every name of the file that can stand in an expression, for suggestions."""
        built_in = ("Player", "Direction", "Bool", "true", "false", "none", "stuck", "orthogonal", "diagonal")
        return [*self.declarations.named, *self.members, *built_in, *COMPASS]

    def members_named(self, name: str) -> list[tuple[MemberType, Member]]:
        """The types that have a member of this name, and that member. A name that nobody knows yet may belong to a type
        that nobody has asked for yet."""
        if name not in self.members:
            for declaration in self.declarations.every(syntax.TypeDeclaration):
                if declaration.name.text not in [entry[0] for entry in self._under_way]:
                    self.named_type(declaration)
        return self.members.get(name, [])

    def has_broken_types(self) -> bool:
        """Whether a type has been found wrong, so that nobody knows the names of its members."""
        return any(isinstance(type, UnknownType) for type in self.types.values())

    @abstractmethod
    def parameter(self, declaration: syntax.Parameter) -> tuple[Type, Value]:
        """Its type, and the value that the user or the file gives it."""

    @abstractmethod
    def named_type(self, declaration: syntax.TypeDeclaration) -> Type: ...

    @abstractmethod
    def variable(self, declaration: syntax.Variable) -> model.Variable | None: ...

    @abstractmethod
    def define(self, declaration: syntax.Define) -> model.Define | None: ...

    @abstractmethod
    def action(self, declaration: syntax.Action) -> model.Action | None: ...
