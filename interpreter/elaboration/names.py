"""The names that a file declares, in any order, and their meanings, elaborated on demand."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any, Final, Protocol, TypeVar

from attrs import define, evolve, field, frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Fix, Label, Span, did_you_mean
from zermelo.grammar.names import ShownName, alphabets, compact, disguised_letters, shape
from zermelo.interpreter import model
from zermelo.interpreter.model.rewriting import reachable
from zermelo.interpreter.types import BOOL, DIRECTION, BoardType, MemberType, Type, UnknownType
from zermelo.interpreter.values import COMPASS, Member, Value

# Members of a new type that are written as a set, as other languages do: ``type Card = {J, Q, K}``.
#
# Braces make a part of another type out of declared names. If none of the names is declared, the members of a new type
# must be meant. That is reported once, and the type is read in this sense, with an order in case it should have one, so
# that its members are not reported as unknown wherever they are used.


# The first pass: the names that a file declares.
#
# All declarations of a file see each other, in any order. So this pass only sorts them by name, and reports names that
# are declared twice, reserved, or missing. :mod:`zermelo.interpreter.elaboration` elaborates them on demand.


_CELL: Final = re.compile(r"[A-Za-z]{1,2}[0-9]+")
"""The name of a cell, or of a player in a game for several numbers of players: no file declares these names."""


def read_as_meant(tree: syntax.GameFile, declared: Callable[[], Set[str]], findings: Findings) -> syntax.GameFile:
    """The tree in which such types are enumerations; ``declared`` gives the names of all kinds that a file declares."""

    def meant(item: syntax.Declaration) -> syntax.Declaration:
        if not isinstance(item, syntax.TypeDeclaration) or not isinstance(item.definition, syntax.PartType):
            return item
        members = item.definition.members
        items = members.items if isinstance(members, syntax.SetLiteral) else ()
        names = [syntax.Name(each.name, span=each.span) for each in items if isinstance(each, syntax.Reference)]
        if len(names) < max(2, len(items)) or _is_any_known(names, declared()):
            return item
        written = " | ".join(name.text for name in names)
        findings.report(
            "foreign-word",
            members.span,
            "the members of a new type stand without braces, with '|' between them",
            help=f"or with '<', if they have an order: {' < '.join(name.text for name in names)}",
            fix=Fix(members.span, written, f"write '{written}'"),
        )
        return evolve(item, definition=syntax.Enumeration(tuple(names), ordered=True, span=members.span))

    return evolve(tree, declarations=tuple(map(meant, tree.declarations)))


def _is_any_known(names: Iterable[syntax.Name], declared: Set[str]) -> bool:
    return any(name.text in declared or name.text in COMPASS or _CELL.fullmatch(name.text) for name in names)


# Names that other languages have, and how the same is said here.


_OTHER: Final = "the other of two players is written: other p"
_PLAYER: Final = "the player of a phase has a name, such as p in: phase play(p: Player); the other one is: other p"
_CHANCE: Final = "chance draws in a phase of its own: chance: outcome roll(n in 1..6): ..."
_RANGED: Final = "a number has a range, as in 0..10"
_NOTHING: Final = "what has no value is 'none', and its type has a '?', as in: var board[Cell]: Player? = none"
_END: Final = "a play ends by: end win p, end draw, or end payoff (1, -1)"
_SETS: Final = "there are sets, as in set of 1..6, and tables, as in var x[Cell]: ..."

_HELPS: Final[dict[str, dict[str, str]]] = {
    "name": {
        **dict.fromkeys(("opponent", "enemy", "adversary", "other_player"), _OTHER),
        **dict.fromkeys(("player", "players", "current_player"), _PLAYER),
        **dict.fromkeys(("chance", "nature", "random", "dice", "die", "dealer"), _CHANCE),
        **dict.fromkeys(("empty", "nobody", "nothing"), _NOTHING),
    },
    "action": {
        **dict.fromkeys(("win", "draw", "payoff", "lose", "tie"), _END),
        "pass": "there is no statement that does nothing, and none is needed",
        "print": "to inform a player, write tell p that label(...)",
    },
    "variable": {**dict.fromkeys(("payoff", "winner"), _END)},
    "define or function": {
        **dict.fromkeys(("opponent", "other_player"), _OTHER),
        "range": "the numbers from 1 to 3 are written: 1..3",
        **dict.fromkeys(("len", "length", "card"), "size(S) is the number of members of a set"),
        **dict.fromkeys(
            ("empty", "is_empty"), "a place without a value is found by 'is none', a set without members by '== {}'"
        ),
        **dict.fromkeys(
            ("random", "rand", "randint", "roll", "dice", "choice", "shuffle"),
            _CHANCE,
        ),
    },
    "type": {
        **dict.fromkeys(("int", "integer", "number", "float", "double", "num", "natural"), _RANGED),
        **dict.fromkeys(
            ("string", "str", "text", "char"), "there are no texts; name the values: type Colour = red | green"
        ),
        **dict.fromkeys(("list", "array", "map", "dict", "vector"), _SETS),
    },
}


SAME: Final = {"null": "none", "nil": "none", "none": "none", "true": "true", "false": "false"}
"""Values of other languages, in lower case, and what they are called here."""


def help_for(what: str, name: str) -> str:
    """The help for a name from other languages, where ``what`` (``type``) was expected; empty if there is none."""
    return _HELPS.get(what, {}).get(name.lower(), "")


BUILT_IN_TYPES = frozenset({"Bool", "Player", "Direction"})

BUILT_IN_NAMES = BUILT_IN_TYPES | {"stuck", "orthogonal", "diagonal"}
"""Reserved names. The compass directions and the built-in functions may be hidden, which is reported as shadowing."""

BUILT_IN_FUNCTIONS = frozenset(
    {
        *("abs", "any", "between", "columns", "connected", "diagonals", "direction", "directions", "distance"),
        *("leaps", "lines", "max", "min", "neighbours", "number", "ray", "repeated", "repetitions", "rows", "size"),
        *("steps", "subsets"),
    }
)
"""The functions of :mod:`zermelo.interpreter.elaboration.calls`."""

Named = syntax.Parameter | syntax.TypeDeclaration | syntax.Variable | syntax.Define | syntax.Action
"""The declarations in the common name space of values, types and functions. Phases have their own."""

_D = TypeVar("_D", bound=syntax.Declaration)


class _Named(Protocol):
    """A declaration with a name."""

    @property
    def name(self) -> syntax.Name: ...


_N = TypeVar("_N", bound=_Named)


@frozen(eq=False, repr=False)
class DeclaredNames(ByValue):
    """The declarations of a file, by kind and name; the first of several with the same name.

    ``shown_moves`` are the names of moves, outcomes and choices that people are shown otherwise. ``are_clear`` is false
    if elaboration makes no sense: a name is declared twice, there are no players, or there are several notations.
    """

    tree: syntax.GameFile
    players: syntax.Players | syntax.PlayerCount | None
    named: Mapping[str, Named]
    phases: Mapping[str, syntax.Phase]
    setup: tuple[syntax.Setup, ...]
    start: syntax.Start | None
    tree_notation: syntax.Tree | None
    tables: tuple[syntax.Table, ...]
    shown_moves: Mapping[str, str]
    are_clear: bool

    def move_name(self, name: syntax.Name) -> str:
        """The name of a move, an outcome or a choice, which knows how it is shown."""
        return self.shown_moves.get(name.text, name.text)

    def every(self, kind: type[_D]) -> tuple[_D, ...]:
        """All declarations of one kind, in the order of the text."""
        return tuple(item for item in self.tree.declarations if isinstance(item, kind))


def kind_of(declaration: Named) -> str:
    """The kind of a declaration in messages."""
    match declaration:
        case syntax.Parameter():
            return "parameter"
        case syntax.TypeDeclaration():
            return "type"
        case syntax.Variable():
            return "variable"
        case syntax.Feature():
            return "feature"
        case syntax.Define():
            return "define"
        case syntax.Action():
            return "action"


def kind_with_article(declaration: Named) -> str:
    return "an action" if isinstance(declaration, syntax.Action) else f"a {kind_of(declaration)}"


def declare(tree: syntax.GameFile, findings: Findings) -> DeclaredNames:
    """Sort the declarations of a file by name."""
    tree = read_as_meant(tree, lambda: {name.text for name in _all_names(tree)} | BUILT_IN_NAMES, findings)
    if not findings.source.text.isascii():
        _report_look_alikes(tree, findings)
    named: dict[str, Named] = {}
    phases: dict[str, syntax.Phase] = {}
    clashes = False
    for item in tree.declarations:
        match item:
            case syntax.Phase():
                _add_declaration(phases, item.name, item, findings)
            case syntax.Parameter() | syntax.TypeDeclaration() | syntax.Variable() | syntax.Define() | syntax.Action():
                if item.name.text in BUILT_IN_NAMES:
                    clashes = True
                    findings.report(
                        "reserved-name",
                        item.name.span,
                        f"'{item.name}' is a name of the language",
                        remark="cannot be declared again",
                        help="choose another name",
                    )
                else:
                    clashes |= item.name.text in named
                    _add_declaration(named, item.name, item, findings)
    players = _players(tree, findings)
    tree_notation = _only_declaration(tree, syntax.Tree, "tree", findings)
    tables = tuple(item for item in tree.declarations if isinstance(item, syntax.Table))
    notations = sum(map(bool, (phases, tree_notation, tables)))
    declarations = DeclaredNames(
        tree,
        players,
        named,
        phases,
        tuple(item for item in tree.declarations if isinstance(item, syntax.Setup)),
        _only_declaration(tree, syntax.Start, "start", findings),
        tree_notation,
        tables,
        _shown_moves(tree, findings),
        are_clear=not clashes and players is not None and notations == 1,
    )
    for kind, word in (
        (syntax.Endless, "endless"),
        (syntax.Discount, "discount"),
        (syntax.Estimate, "estimate"),
        (syntax.Unsettled, "unsettled"),
        (syntax.OrderMoves, "order moves"),
    ):
        _only_declaration(tree, kind, word, findings)
    _require_parts(declarations, findings)
    return declarations


def _all_names(tree: syntax.GameFile) -> Iterator[syntax.Name]:
    """The names of all kinds that a file declares, those of cells and moves, too."""
    return (part for item in tree.declarations for part in syntax.nodes_in(item) if isinstance(part, syntax.Name))


def _report_look_alikes(tree: syntax.GameFile, findings: Findings) -> None:
    """Report each name that looks like an earlier one, or that mixes letters of alphabets which look alike."""
    first: dict[str, syntax.Name] = {}
    known: set[str] = set()
    for name in _all_names(tree):
        if name.text in known:
            continue
        known.add(name.text)
        other = first.setdefault(shape(name.text), name)
        if other is not name:
            findings.report(
                "look-alike-name",
                name.span,
                f"'{name}' looks like '{other}', and is another name",
                remark=_in_letters(name.text),
                labels=[Label(other.span, _in_letters(other.text))],
                help="write both in letters of one alphabet, or choose another name",
            )
        elif strange := disguised_letters(name.text):
            findings.report(
                "look-alike-name",
                name.span,
                f"'{name}' mixes letters of two alphabets that look alike",
                remark="; ".join(f"'{letter}' is {alphabets(letter)[0]}" for letter in strange),
                help="write it in letters of one alphabet",
            )


def _shown_moves(tree: syntax.GameFile, findings: Findings) -> dict[str, str]:
    """Check all display names; gives those of moves, outcomes and choices: one place of the file is enough for all."""
    moves: list[syntax.Name] = []
    variables: list[syntax.Name] = []
    for node in (node for item in tree.declarations for node in syntax.nodes_in(item)):
        match node:
            case syntax.Players(names=names) | syntax.Enumeration(members=names):
                _check_display_names(names, findings)
            case syntax.Variable(name=name):
                variables.append(name)
            case syntax.Move(name=name) | syntax.OutcomeClause(name=name) | syntax.ChanceBranch(name=name):
                moves.append(name)
            case syntax.DecisionNode(branches=branches):
                moves += [name for name, _ in branches]
            case syntax.Table(columns=columns, rows=rows):
                moves += [*columns, *(row.choice for row in rows)]
    _check_display_names(variables, findings)
    _check_display_names(moves, findings)
    return {name.text: name.text for name in moves if name.shown}


_NOT_SHOWN: Final = re.compile(r"[()\[\]{}<>,;?]|^\s*$")
"""What has another meaning in the text of a move, or is nothing."""


def _check_display_names(names: Iterable[syntax.Name], findings: Findings) -> None:
    """Whoever reads a display name must know what it means: it is that of one thing of its kind alone, and the name of
    no other. Spaces do not count, since they do not in a written move."""
    meant = {name.text: name for name in names}
    texts: dict[str, syntax.Name] = {}
    for name in names:
        if not isinstance(name.text, ShownName):
            continue
        first, other = texts.setdefault(name.text, name), meant.setdefault(compact(name.shown), name)
        if _NOT_SHOWN.search(name.shown):
            help = "a display name has no brackets, commas, semicolons or question marks, and is not empty"
            findings.report("syntax", name.span, f"'{name}' cannot be shown as \"{name.shown}\"", help=help)
        elif first.shown != name.shown:
            label = Label(first.span, f'shown as "{first.shown}"')
            findings.report("duplicate-name", name.span, f"'{name}' has two display names", labels=[label])
        elif other.text != name.text:
            message = f"\"{name.shown}\" means '{other}' already"
            findings.report("duplicate-name", name.span, message, labels=[Label(other.span, "the other one")])


def _in_letters(name: str) -> str:
    return f"in {' and '.join(alphabets(name))} letters"


def _add_declaration(table: dict[str, _N], name: syntax.Name, item: _N, findings: Findings) -> None:
    first = table.get(name.text)
    if first is None:
        table[name.text] = item
        return
    findings.report(
        "duplicate-name",
        name.span,
        f"'{name}' is declared twice",
        remark="the second declaration",
        labels=[Label(first.name.span, "first declared here")],
        help="rename or remove one of them",
    )


def _players(tree: syntax.GameFile, findings: Findings) -> syntax.Players | syntax.PlayerCount | None:
    named = _only_declaration(tree, syntax.Players, "players", findings)
    counted = _only_declaration(tree, syntax.PlayerCount, "players", findings)
    if named is not None and counted is not None:
        findings.report(
            "duplicate-name",
            counted.span,
            "'players' is declared twice",
            labels=[Label(named.span, "first declared here")],
            help="keep one of them",
        )
    return named or counted


def _only_declaration(tree: syntax.GameFile, kind: type[_D], word: str, findings: Findings) -> _D | None:
    """The declaration of a kind that may occur only once."""
    found = [item for item in tree.declarations if isinstance(item, kind)]
    for item in found[1:]:
        findings.report(
            "duplicate-name",
            item.span,
            f"'{word}' is declared twice",
            labels=[Label(found[0].span, "first declared here")],
            help="keep one of them",
        )
    return found[0] if found else None


def _require_parts(declarations: DeclaredNames, findings: Findings) -> None:
    """Every game has players, and exactly one of: phases with a start, a tree, a table."""
    tree = declarations.tree
    beginning = tree.declarations[0].span if tree.declarations else tree.span
    if declarations.players is None:
        findings.report(
            "missing-declaration",
            beginning,
            "the game has no players",
            help="declare them near the top of the file, as in: players White, Black",
        )
    notations: dict[str, Sequence[syntax.Node | None]] = {
        "phases": [*declarations.phases.values()],
        "a tree": [declarations.tree_notation],
        "a table": declarations.tables,
    }
    present = {word: parts[0].span for word, parts in notations.items() if parts and parts[0] is not None}
    if not present:
        findings.report(
            "missing-declaration",
            _end_of(tree.declarations[-1].span if tree.declarations else tree.span),
            "the game has no rules: neither phases, nor a tree, nor a table",
            help="add 'phase NAME:' with 'start at NAME', or 'tree:', or 'table:'",
        )
    elif len(present) > 1:
        findings.report(
            "duplicate-name",
            max(present.values(), key=lambda span: span.start),
            f"the game is written twice: as {' and as '.join(present)}",
            help="keep one of the notations",
        )
    elif declarations.phases and declarations.start is None:
        first = next(iter(declarations.phases.values()))
        findings.report(
            "missing-declaration",
            first.name.span,
            "the game does not say where it starts",
            help=f"add a line: start at {first.name}",
        )


def _end_of(span: Span) -> Span:
    """The empty span at the end of this one."""
    return Span(span.end, span.end, span.end_line, span.end_column, span.end_line, span.end_column)


def depends_on_parameters(node: syntax.Node, declarations: DeclaredNames) -> bool:
    """Whether the meaning of a piece of syntax can depend on parameters."""
    named = declarations.named
    for name in reachable(names_in(node), lambda name: names_in(named[name]) if name in named else ()):
        if isinstance(named.get(name), syntax.Parameter):
            return True
        if name == "Player" and isinstance(declarations.players, syntax.PlayerCount):
            return True
    return False


def names_in(node: syntax.Node) -> Iterator[str]:
    """The names of values, types, defines and actions that a piece of syntax uses, in the order of the text."""
    for part in syntax.nodes_in(node):
        if isinstance(part, syntax.Reference | syntax.NamedType | syntax.Call):
            yield str(part.name)
        elif isinstance(part, syntax.Do):
            yield str(part.action)


def report_doubles(
    named: Iterable[tuple[str, Span]],
    findings: Findings,
    message: str,
    code: str = "duplicate-name",
    first: str = "the first one",
    help: str = "",
) -> None:
    """Report each name that has come before; ``{}`` in the message is the name, ``first`` says what came before."""
    seen: dict[str, Span] = {}
    for name, span in named:
        if name in seen:
            findings.report(code, span, message.format(name), labels=[Label(seen[name], first)], help=help)
        seen.setdefault(name, span)


def report_undefined(
    name: str, span: Span, what: str, candidates: Iterable[str], findings: Findings, help: str = ""
) -> None:
    """Report an undeclared name, with the nearest declared one."""
    help = help_for(what, name) or help
    suggestion, fix = ("", None) if help_for(what, name) else did_you_mean(name, candidates, span)
    if what == "name" and (same := SAME.get(name.lower())) is not None:
        suggestion, help, fix = "", f"write '{same}'", Fix(span, same, f"write '{same}'", safe=True)
    findings.report("undefined-name", span, f"there is no {what} '{name}'", remark=suggestion, help=help, fix=fix)


# Local names: parameters, indices, what quantifiers and loops bind, and local variables.


@define(eq=False, repr=False)
class LocalName:
    """A local name. ``kind`` is its kind in messages; ``expendable`` ones may be unused (parameters of moves and
    phases); ``holds`` is the type of a local variable, None for all others; ``declared`` is the type to which the
    values belong, which may be a part of ``type``."""

    name: str
    slot: int
    type: Type
    span: Span
    kind: str
    declared: Type
    expendable: bool = False
    used: bool = False
    holds: Type | None = None


# The names of a file and their meanings, elaborated on demand.
#
# Declarations may use each other in any order: a type's size may come from a parameter or a constant define, a define
# may use a later one. So a declaration is elaborated on first use; a use during its own elaboration is recursion, which
# the language forbids.


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
        """Where a member or a field of a type is declared; None for boards, whose cells are named by rule."""
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
        if declaration is None:
            self._report_hidden_member(name, kind)
        else:
            hidden, label = f"the {kind_of(declaration)} '{name}'", Label(declaration.name.span, "declared here")
            self.report_shadow(name, hidden, f"this {kind} hides it from here on", label)

    def _report_hidden_member(self, name: syntax.Name, kind: str) -> None:
        owners = [type for type, _ in self.members.get(name.text, ()) if not isinstance(type, BoardType)]
        if owners:
            self.report_shadow(name, f"a member of {owners[0]}", f"this {kind} hides it")
        elif name.text in COMPASS and any(isinstance(type, BoardType) and type.directions for type in self.all_types):
            self.report_shadow(name, f"the direction '{name}'", f"this {kind} hides it")

    def report_hidden_by_file(self) -> None:
        """Report declarations that hide members or names of the language. Functions and values do not hide each other:
        a parameter may be called ``size``."""
        for name, declaration in self.declarations.named.items():
            self._report_hidden_member(declaration.name, kind_of(declaration))
            is_function = isinstance(declaration, syntax.Define | syntax.TypeDeclaration | syntax.Action)
            if is_function and name in BUILT_IN_FUNCTIONS:
                self.report_shadow(declaration.name, f"the built-in function '{name}'")

    def report_shadow(self, name: syntax.Name, hidden: str, remark: str = "", *labels: Label) -> None:
        """Report a name that hides another one."""
        message, help = f"'{name}' hides {hidden}", "choose another name"
        self.findings.report("shadowed-name", name.span, message, remark=remark, labels=labels, help=help)

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
