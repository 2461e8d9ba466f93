"""The syntax tree: what stands in a ``.game`` file, before anyone asks what it means.

Every node is frozen and knows its span. Spans do not count when trees are compared, so that a tree and the tree parsed
from its printed text are equal. Names are plain strings; a node that declares or uses a name carries the span of the
name itself in a :class:`Name`, where a finding will point.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from attrs import field, frozen

from grammar.source import NOWHERE, Span


@frozen
class Node:
    """The base of all nodes."""

    span: Span = field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@frozen
class Name(Node):
    """A name where it is declared, or used for something that is no expression."""

    text: str

    def __str__(self) -> str:
        return self.text


@frozen
class Comment(Node):
    """A comment, with its ``#``; ``own_line`` is false for one that stands behind code."""

    text: str
    own_line: bool


# ---------------------------------------------------------------- expressions


class Expression(Node):
    """The base of all expressions."""


@frozen
class Number(Expression):
    """A literal; ``0.1`` is exactly 1/10."""

    value: Fraction


@frozen
class Boolean(Expression):
    value: bool


@frozen
class NoneLiteral(Expression):
    """``none``"""


@frozen
class Reference(Expression):
    """A name in an expression: a variable, local, parameter, member, type, define without arguments, ``stuck``."""

    name: str


@frozen
class Field(Expression):
    """``target.name``; also ``Suit.clubs``, a member of a named type."""

    target: Expression
    name: Name


@frozen
class Index(Expression):
    """``target[arguments]``: a variable's entry, ``show[p]``, or a look-up in a constant table."""

    target: Expression
    arguments: tuple[Expression, ...]


@frozen
class Call(Expression):
    """``name(arguments)``: a define, a built-in function, or a type's name (``Square(5, y)``, ``Player(2)``)."""

    name: Name
    arguments: tuple[Expression, ...]


@frozen
class Other(Expression):
    """``other p``"""

    player: Expression


@frozen
class Next(Expression):
    """``next p``, or ``next p in S``."""

    player: Expression
    among: Expression | None


@frozen
class Negation(Expression):
    """``-e``"""

    operand: Expression


@frozen
class Not(Expression):
    operand: Expression


@frozen
class Arithmetic(Expression):
    """A sum, difference, product or quotient; ``+``, ``-`` and ``*`` serve sets, directions and squares, too."""

    operator: Literal["+", "-", "*", "/", "//", "%"]
    left: Expression
    right: Expression


@frozen
class Comparison(Expression):
    operator: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expression
    right: Expression


@frozen
class Membership(Expression):
    """``item in collection`` or ``item not in collection``."""

    item: Expression
    collection: Expression
    negated: bool


@frozen
class IsNone(Expression):
    """``e is none`` or ``e is not none``."""

    operand: Expression
    negated: bool


@frozen
class And(Expression):
    """Two or more parts; a chain is one node."""

    parts: tuple[Expression, ...]


@frozen
class Or(Expression):
    """Two or more parts; a chain is one node."""

    parts: tuple[Expression, ...]


@frozen
class Conditional(Expression):
    """``if condition then yes else no``"""

    condition: Expression
    yes: Expression
    no: Expression


@frozen
class Case(Node):
    """One line of a ``match``; without patterns it is ``else:``."""

    patterns: tuple[Expression, ...]
    body: Expression


@frozen
class Match(Expression):
    """``match subject:`` and a block of cases, the first that fits."""

    subject: Expression
    cases: tuple[Case, ...]


@frozen
class Binding(Node):
    """``name = value``"""

    name: Name
    value: Expression


@frozen
class Where(Expression):
    """``body where u = F, v = G``; each binding sees those before it."""

    body: Expression
    bindings: tuple[Binding, ...]


@frozen
class Binder(Node):
    """``name in domain``"""

    name: Name
    domain: Expression


Quantifier = Literal["some", "all", "no", "count", "sum", "min", "max", "first", "last"]


@frozen
class Quantified(Expression):
    """``some a in S, b in T: body`` and its kin."""

    quantifier: Quantifier
    binders: tuple[Binder, ...]
    body: Expression


@frozen
class Generator(Node):
    """One ``x in S`` of a comprehension, with ``while c`` or ``until c``, and the ``if`` tests behind it."""

    binder: Binder
    stop: Literal["while", "until"] | None
    stop_condition: Expression | None
    tests: tuple[Expression, ...]


@frozen
class Comprehension(Expression):
    """``{e for x in S if c for y in T}``; without an element it is the short form ``{x in S if c}``."""

    element: Expression | None
    generators: tuple[Generator, ...]


@frozen
class SetLiteral(Expression):
    """``{a, b, c}``; ``{}`` is the empty set."""

    items: tuple[Expression, ...]


@frozen
class TableLiteral(Expression):
    """``{boat: 1, cruiser: 3}``, to be indexed on the spot."""

    entries: tuple[tuple[Expression, Expression], ...]


@frozen
class TupleLiteral(Expression):
    """``(a, b)``: two or more items."""

    items: tuple[Expression, ...]


@frozen
class Range(Expression):
    """``low..high``, both ends included."""

    low: Expression
    high: Expression


@frozen
class Reach(Expression):
    """``reach x from start: step``: the closure of ``start`` under ``step``."""

    name: Name
    start: Expression
    step: Expression


# ---------------------------------------------------------------------- types


class TypeExpression(Node):
    """The base of what may stand where a type is wanted."""


@frozen
class NamedType(TypeExpression):
    """``Card``, ``Player``, ``Bool``, ``Direction``."""

    name: str


@frozen
class Enumeration(TypeExpression):
    """``a | b | c``, or ``J < Q < K``, whose members compare."""

    members: tuple[Name, ...]
    ordered: bool


@frozen
class RangeType(TypeExpression):
    """``low..high``, with ``by step`` for fractions."""

    low: Expression
    high: Expression
    step: Expression | None = None


@frozen
class RecordField(Node):
    name: Name
    type: TypeExpression


@frozen
class RecordType(TypeExpression):
    """``(rank: Rank, suit: Suit)``"""

    fields: tuple[RecordField, ...]


@frozen
class OptionalType(TypeExpression):
    """``T?``"""

    inner: TypeExpression


@frozen
class SetType(TypeExpression):
    """``set of T``"""

    element: TypeExpression


@frozen
class PartType(TypeExpression):
    """``{s in Square if ...}`` or ``{queen, rook}``: a part of another type, written as a set."""

    members: Expression


@frozen
class BoardType(TypeExpression):
    """``grid(w, h)``, ``hex(w, h)`` or ``ring(n)``."""

    shape: Literal["grid", "hex", "ring"]
    arguments: tuple[Expression, ...]


@frozen
class GraphType(TypeExpression):
    """``graph(a7 - d7 - g7, a1 - a4)``: chains of neighbours."""

    chains: tuple[tuple[Name, ...], ...]


@frozen
class EdgesType(TypeExpression):
    """``edges(T)``: the pairs of neighbours of a board."""

    board: TypeExpression


# ----------------------------------------------------------------- statements


class Statement(Node):
    """The base of all statements."""


Block = tuple[Statement, ...]


@frozen
class Let(Statement):
    """``let name = value``"""

    name: Name
    value: Expression


@frozen
class LocalVariable(Statement):
    """``var name: T = value`` inside a body."""

    name: Name
    type: TypeExpression
    initial: Expression | None


@frozen
class Assignment(Statement):
    """``target := value``, ``target += value`` or ``target -= value``; the target is a name, an entry or a field."""

    target: Expression
    operator: Literal[":=", "+=", "-="]
    value: Expression


@frozen
class LayoutRow(Node):
    text: str


@frozen
class LayoutAssignment(Statement):
    """``board := layout`` and rows of characters, read by the file's legend; of a grid the last rank comes first."""

    target: Name
    rows: tuple[LayoutRow, ...]


@frozen
class If(Statement):
    """``if``, any number of ``else if``, and ``else``, which is None where there is none."""

    branches: tuple[tuple[Expression, Block], ...]
    otherwise: Block | None


@frozen
class MatchCase(Node):
    """One case of a ``match`` over statements; without patterns it is ``else:``."""

    patterns: tuple[Expression, ...]
    body: Block


@frozen
class MatchStatement(Statement):
    subject: Expression
    cases: tuple[MatchCase, ...]


@frozen
class For(Statement):
    """``for x in S, y in T if G:``"""

    binders: tuple[Binder, ...]
    guard: Expression | None
    body: Block


@frozen
class Go(Statement):
    """``go phase(arguments)``"""

    phase: Name
    arguments: tuple[Expression, ...]


@frozen
class Win(Node):
    """``win p`` or ``win S``"""

    winners: Expression


@frozen
class Draw(Node):
    """``draw``"""


@frozen
class PayoffMap(Node):
    """``payoff {p: e, other p: -e}``"""

    entries: tuple[tuple[Expression, Expression], ...]


@frozen
class PayoffComprehension(Node):
    """``payoff {q: e for q in S}``"""

    player: Expression
    amount: Expression
    generators: tuple[Generator, ...]


@frozen
class PayoffTuple(Node):
    """``payoff (a, b, c)``; ``payoff e`` is a tuple of one."""

    amounts: tuple[Expression, ...]


Outcome = Win | Draw | PayoffMap | PayoffComprehension | PayoffTuple


@frozen
class End(Statement):
    """``end`` with an outcome; without one every player gets 0 beside what he has earned."""

    outcome: Outcome | None


@frozen
class Earn(Statement):
    """``earn p: e``"""

    player: Expression
    amount: Expression


@frozen
class Tell(Statement):
    """``tell S that label(arguments)``"""

    audience: Expression
    label: Name
    arguments: tuple[Expression, ...]


@frozen
class Do(Statement):
    """``name(arguments)``: an action carried out."""

    action: Name
    arguments: tuple[Expression, ...]


# ------------------------------------------------------------------ decisions


@frozen
class MoveParameter(Node):
    """``x in S``, and whether it is ``secret``."""

    name: Name
    domain: Expression
    secret: bool


@frozen
class Move(Node):
    """One ``move`` clause; in ``together`` it has no body."""

    name: Name
    parameters: tuple[MoveParameter, ...]
    secret: bool
    guard: Expression | None
    ensuring: Expression | None
    body: Block | None


@frozen
class OutcomeClause(Node):
    """One ``outcome`` clause; at most one of ``weight`` and ``probability`` is given."""

    name: Name
    parameters: tuple[MoveParameter, ...]
    guard: Expression | None
    weight: Expression | None
    probability: Expression | None
    body: Block


@frozen
class Turn(Node):
    """``turn p preferring (a, b):``"""

    player: Expression
    preferring: tuple[Expression, ...]
    moves: tuple[Move, ...]


@frozen
class Chance(Node):
    outcomes: tuple[OutcomeClause, ...]


@frozen
class Together(Node):
    """``together p in S:``; ``binder`` is None for ``together:``, which means every player."""

    binder: Binder | None
    moves: tuple[Move, ...]
    then: Block


Decision = Turn | Chance | Together


# --------------------------------------------------------------- declarations


class Declaration(Node):
    """The base of what may stand at the left margin."""


@frozen
class Players(Declaration):
    """``players X, O``"""

    names: tuple[Name, ...]


@frozen
class PlayerCount(Declaration):
    """``players 2..6 = 3``: P1, P2, ..."""

    low: Expression
    high: Expression
    default: Expression


@frozen
class Parameter(Declaration):
    """``param name: domain = default``"""

    name: Name
    domain: TypeExpression
    default: Expression


@frozen
class Require(Declaration):
    condition: Expression


@frozen
class TypeDeclaration(Declaration):
    name: Name
    definition: TypeExpression


@frozen
class VariableIndex(Node):
    """One index of a variable: ``Cell``, or ``q: Player`` where the visibility names it."""

    name: Name | None
    type: TypeExpression


@frozen
class Visibility(Node):
    """``public``, ``hidden``, ``private`` or ``seen by e``; ``audience`` is given for the last alone."""

    kind: Literal["public", "hidden", "private", "seen"]
    audience: Expression | None = None


@frozen
class Variable(Declaration):
    """``var name[I, J]: T = initial visibility``; without a word of visibility it is public."""

    name: Name
    indices: tuple[VariableIndex, ...]
    type: TypeExpression
    initial: Expression | None
    visibility: Visibility | None


@frozen
class FormalParameter(Node):
    """``name: T`` of a define, action or phase; only a phase's may be ``secret``."""

    name: Name
    type: TypeExpression
    secret: bool = False


@frozen
class Define(Declaration):
    name: Name
    parameters: tuple[FormalParameter, ...]
    body: Expression


@frozen
class Action(Declaration):
    name: Name
    parameters: tuple[FormalParameter, ...]
    body: Block


@frozen
class Setup(Declaration):
    body: Block


@frozen
class Start(Declaration):
    """``start at phase(arguments)``"""

    phase: Name
    arguments: tuple[Expression, ...]


@frozen
class Phase(Declaration):
    """``phase name(parameters):`` with its entry statements, its one decision, and ``otherwise:``."""

    name: Name
    parameters: tuple[FormalParameter, ...]
    entry: Block
    decision: Decision | None
    otherwise: Block | None


@frozen
class ClaimItem(Node):
    """One property; ``arguments`` are the k of ``constant_sum k`` and the measure of ``terminates by (e, ...)``."""

    property: Literal[
        "zero_sum",
        "constant_sum",
        "common_payoff",
        "perfect_information",
        "deterministic",
        "terminates",
        "symmetric",
    ]
    arguments: tuple[Expression, ...] = ()


@frozen
class Claim(Declaration):
    items: tuple[ClaimItem, ...]


@frozen
class Endless(Declaration):
    """``endless draw``: what a play that never ends is worth."""

    outcome: Outcome


@frozen
class Discount(Declaration):
    factor: Expression


@frozen
class Estimate(Declaration):
    """``estimate for p: e``"""

    player: Name
    value: Expression


@frozen
class Unsettled(Declaration):
    """``unsettled if e``"""

    condition: Expression


@frozen
class OrderMoves(Declaration):
    """``order moves by e``"""

    key: Expression


@frozen
class LegendEntry(Node):
    """``"P" = (White, pawn)``"""

    character: str
    value: Expression


@frozen
class Legend(Declaration):
    variable: Name
    entries: tuple[LegendEntry, ...]


@frozen
class PlayedMove(Node):
    """A move as it is written in a play: ``mark(b2)``."""

    name: Name
    arguments: tuple[Expression, ...]


@frozen
class ExpectValue(Node):
    """``value == e``, with ``within tolerance``; ``value`` is a tuple, or one number for its first player."""

    value: Expression
    tolerance: Expression | None


@frozen
class ExpectBest(Node):
    """``best == move``"""

    move: PlayedMove


@frozen
class ExpectCount(Node):
    """``positions == n``, ``information_sets == n`` or ``plays(length) == n``."""

    what: Literal["positions", "information_sets", "plays"]
    length: Expression | None
    count: Expression


@frozen
class ExpectEquilibrium(Node):
    """``equilibrium (a, b)``: one pure choice for each player."""

    choices: tuple[PlayedMove, ...]


@frozen
class ExpectTrue(Node):
    """``expect e`` in a test: a condition on the position reached."""

    condition: Expression


@frozen
class ExpectKnows(Node):
    """``expect knows(p, e)`` in a test: in all plays that p cannot tell from this one, e is the same."""

    player: Expression
    fact: Expression


@frozen
class ExpectIllegal(Node):
    """``expect illegal mark(a1)`` in a test."""

    move: PlayedMove


Expectation = ExpectValue | ExpectBest | ExpectCount | ExpectEquilibrium | ExpectTrue | ExpectKnows | ExpectIllegal


@frozen
class Expect(Declaration):
    """``expect ...``, with ``with size = 4`` for other parameters."""

    expectation: Expectation
    settings: tuple[Binding, ...] = ()


@frozen
class PlayLine(Node):
    """``play deal(J, Q), bet`` in a test."""

    moves: tuple[PlayedMove, ...]


@frozen
class ExpectLine(Node):
    """``expect ...`` in a test."""

    expectation: Expectation


@frozen
class Test(Declaration):
    title: str
    lines: tuple[PlayLine | ExpectLine, ...]


# ----------------------------------------------------------- trees and tables


@frozen
class Leaf(Node):
    """A payoff tuple; one number is short for ``(x, -x)`` with two players, and for ``(x)`` with one."""

    amounts: tuple[Expression, ...]


@frozen
class DecisionNode(Node):
    """``Player @label:`` and its branches."""

    player: Name
    label: Name | None
    branches: tuple[tuple[Name, TreeNode], ...]


@frozen
class ChanceBranch(Node):
    probability: Expression
    name: Name
    child: TreeNode


@frozen
class ChanceNode(Node):
    branches: tuple[ChanceBranch, ...]


TreeNode = Leaf | DecisionNode | ChanceNode


@frozen
class Tree(Declaration):
    root: TreeNode


@frozen
class TableCell(Node):
    amounts: tuple[Expression, ...]


@frozen
class TableRow(Node):
    choice: Name
    cells: tuple[TableCell, ...]


@frozen
class Table(Declaration):
    """``table:``, or ``table Third = left:`` for each choice of the other players (``others``)."""

    others: tuple[tuple[Name, Name], ...]
    row_player: Name
    column_player: Name
    columns: tuple[Name, ...]
    rows: tuple[TableRow, ...]


@frozen
class GameFile(Node):
    """A whole file: its title, its declarations and its comments, each in the order of the text."""

    title: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = field(default=(), eq=False)
