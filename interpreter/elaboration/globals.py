"""The names of a file and their meanings, elaborated on demand.

Declarations may use each other in any order: a type's size may come from a parameter or a constant define, a define may
use a later one. So a declaration is elaborated on first use; a use during its own elaboration is recursion, which the
language forbids.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from attrs import define, field, frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Label, Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.local_names import LocalName
from zermelo.interpreter.elaboration.names import BUILT_IN_FUNCTIONS, DeclaredNames, kind_of
from zermelo.interpreter.types import BOOL, DIRECTION, BoardType, MemberType, Type, UnknownType
from zermelo.interpreter.values import COMPASS, Member, Value

T = TypeVar("T")


@frozen(eq=False, repr=False)
class NamedTable(ByValue):
    """``define jumps = {3: 5, 7: 2}``: its entries, and the types of its keys and of its values."""

    entries: dict[Value, Value]
    keys: Type
    values: Type


@define(eq=False, repr=False)
class Globals(ABC):
    """The names of a file under given parameters.

    The elaboration of declarations, in :mod:`zermelo.interpreter.elaboration.declarations`, implements this interface,
    on which the rules for expressions rely.

    ``overrides`` are the parameters set by the user, by name, as values or as text. ``references`` leads from each
    place where a name is used to the name that declares it, ``locals`` are all local names.
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
    tables: dict[str, NamedTable | None] = field(factory=dict)
    actions: dict[str, model.Action | None] = field(factory=dict)
    phase_parameters: dict[str, tuple[model.FormalParameter, ...]] = field(factory=dict)
    history: list[model.Repeated | model.Repetitions] = field(factory=list)
    legends: dict[str, model.Legend] = field(factory=dict)
    members: dict[str, list[tuple[MemberType, Member]]] = field(factory=dict)
    used: set[str] = field(factory=set)
    locals: list[LocalName] = field(factory=list)
    references: dict[Span, Span] = field(factory=dict)
    cells: int = 0
    discount: Fraction | int = 1
    _under_way: list[tuple[str, syntax.Name]] = field(factory=list)
    _places: dict[tuple[str, str], Span] = field(factory=dict)

    def add_type(self, type: Type) -> None:
        """Register a type of the file, and the names of its members."""
        self.all_types.append(type)
        if isinstance(type, MemberType):
            for member in type.listed:
                self.members.setdefault(member.name, []).append((type, member))

    def place_parts(self, type: Type, parts: Iterable[syntax.Name]) -> None:
        """Note where the members of an enumeration, the nodes of a graph, or the fields of a record are declared."""
        for part in parts:
            first = self._places.setdefault((str(type), part.text), part.span)
            if first != part.span:
                self.refer(part.span, first)

    def place_of(self, type: Type, part: str) -> Span | None:
        """Where a member or a field of a type is declared; None of boards, whose cells are named by rule."""
        return self._places.get((str(type), part))

    def use(self, name: str, span: Span) -> None:
        """Note that the declared ``name`` is used at ``span``."""
        self.used.add(name)
        self.refer(span, self.declarations.named[name].name.span)

    def use_part(self, type: Type, part: str, span: Span) -> None:
        """The same for a member or a field of a type, which is then used, too."""
        self.used.add(str(type))
        place = self.place_of(type, part)
        if place is not None:
            self.refer(span, place)

    def refer(self, span: Span, declared: Span) -> None:
        """Note that the name at ``span`` means what is declared by the name at ``declared``."""
        self.references[span] = declared

    def once(self, table: dict[str, T], name: syntax.Name, make: Callable[[], T], broken: T) -> T:
        """``table[name]``, made now if it is missing; ``broken`` if it uses itself."""
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
            "define": "to follow steps as far as they lead: reach x from S: next(x)",
            "action": "to repeat something, run over a set with 'for', or go to its phase again",
        }
        self.findings.report(
            "recursive-definition",
            first.span,
            f"'{first}' uses itself",
            remark=chain if len(circle) > 1 else "",
            labels=[Label(name.span, "through this one") for _, name in circle[1:]],
            help=helps.get(kind_of(self.declarations.named[first.text]), ""),
        )

    def report_hidden(self, name: syntax.Name, kind: str) -> None:
        """Report a local name that hides a name of the file. Cells do not count: they are too many."""
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
        """Report declarations that hide members or names of the language. Functions and values do not hide each other:
        a parameter may be called ``size``."""
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
        """The names of the file that expressions may use, for suggestions."""
        built_in = ("Player", "Direction", "Bool", "true", "false", "none", "stuck", "orthogonal", "diagonal")
        return [*self.declarations.named, *self.members, *built_in, *COMPASS]

    def members_named(self, name: str) -> list[tuple[MemberType, Member]]:
        """The members of this name, with their types. For an unknown name all types are elaborated first."""
        if name not in self.members:
            for declaration in self.declarations.every(syntax.TypeDeclaration):
                if declaration.name.text not in [entry[0] for entry in self._under_way]:
                    self.named_type(declaration)
        return self.members.get(name, [])

    def has_broken_types(self) -> bool:
        """Whether a type has errors, so that the names of its members are unknown."""
        return any(isinstance(type, UnknownType) for type in self.types.values())

    @abstractmethod
    def parameter(self, declaration: syntax.Parameter) -> tuple[Type, Value]:
        """The type of a parameter, and the value set by the user or the file."""

    @abstractmethod
    def named_type(self, declaration: syntax.TypeDeclaration) -> Type: ...

    @abstractmethod
    def variable(self, declaration: syntax.Variable) -> model.Variable | None: ...

    @abstractmethod
    def define(self, declaration: syntax.Define) -> model.Define | None: ...

    @abstractmethod
    def table(self, declaration: syntax.Define) -> NamedTable | None:
        """The table that a define names."""

    @abstractmethod
    def action(self, declaration: syntax.Action) -> model.Action | None: ...
