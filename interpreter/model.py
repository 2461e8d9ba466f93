"""The model: a checked game, typed and resolved, and the one thing that everything behind the checker works on.

A game is a finite state machine: variables, a current phase with arguments, and in every phase at most one decision.
The three notations (phases, ``tree:``, ``table:``) are lowered to it; parameters have their values in it.

Names are gone: a local name (a binder, parameter, ``let``) is a *slot* of its callable's frame, an array that lives
while the callable runs. Callables are defines, actions, phases (entry, decision and ``otherwise`` share one frame),
audiences of variables, and the few loose expressions of a model; each says how many slots it needs (``frame_size``),
and its parameters are the first of them. Every expression carries its base type and its span; payoffs are tuples in the
order of the players.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from fractions import Fraction
from typing import Any, Literal

from attrs import field, frozen

from grammar.source import Source, Span
from interpreter.types import MemberType, Type
from interpreter.values import Member, Value

Players = tuple[Member, ...]

# ---------------------------------------------------------------- expressions


@frozen
class Expr:
    """The base of all expressions."""

    type: Type = field(kw_only=True, eq=False, repr=False)
    span: Span = field(kw_only=True, eq=False, repr=False)


@frozen
class Const(Expr):
    value: Value


@frozen
class Local(Expr):
    slot: int
    name: str = field(eq=False)


@frozen
class Let(Expr):
    """``body`` with ``slot`` bound to ``value`` (from ``where``, and from the subject of a ``match``)."""

    slot: int
    value: Expr
    body: Expr


@frozen
class Read(Expr):
    """A variable, or one entry of it; none where an index is none."""

    variable: Variable
    indices: tuple[Expr, ...]


@frozen
class GetField(Expr):
    """Place ``index`` of a record; none of none."""

    record: Expr
    index: int
    name: str = field(eq=False)


@frozen
class Call(Expr):
    """A define, applied."""

    define: Define
    arguments: tuple[Expr, ...]


@frozen
class Apply(Expr):
    """A built-in function of :mod:`interpreter.functions`, applied to evaluated arguments.

    ``context`` is the board, or another type, that the function's geometry belongs to, where it has one.
    """

    function: str
    arguments: tuple[Expr, ...]
    context: Type | None = None


@frozen
class Negate(Expr):
    """Of a number."""

    operand: Expr


@frozen
class Arithmetic(Expr):
    """Of two numbers; ``/`` is exact, ``//`` and ``%`` floor."""

    operator: Literal["+", "-", "*", "/", "//", "%"]
    left: Expr
    right: Expr


@frozen
class Compare(Expr):
    """``==`` and ``!=`` compare any two values of one type; the others compare numbers, members by index, tuples from
    the left (:func:`interpreter.values.sort_key`)."""

    operator: Literal["==", "!=", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@frozen
class Contains(Expr):
    """``item in collection``; false for none."""

    item: Expr
    collection: Expr


@frozen
class IsNone(Expr):
    operand: Expr


@frozen
class Not(Expr):
    operand: Expr


@frozen
class And(Expr):
    parts: tuple[Expr, ...]


@frozen
class Or(Expr):
    parts: tuple[Expr, ...]


@frozen
class If(Expr):
    condition: Expr
    yes: Expr
    no: Expr


@frozen
class MakeTuple(Expr):
    """A tuple or a record."""

    items: tuple[Expr, ...]


@frozen
class MakeSet(Expr):
    """A set literal, kept in the order of its type."""

    items: tuple[Expr, ...]


@frozen
class RangeSet(Expr):
    low: Expr
    high: Expr


@frozen
class SetOperation(Expr):
    """Union, difference and intersection, kept in the order of the type."""

    operator: Literal["+", "-", "*"]
    left: Expr
    right: Expr


@frozen
class Lookup(Expr):
    """A constant table indexed; none where the key is none or has no entry."""

    table: Mapping[Value, Value] = field(eq=False)
    key: Expr


@frozen
class Binder:
    """``name in domain``: ``slot`` takes each value of ``domain`` in order, up to the stop condition (``while`` stops
    before the first value that fails it, ``until`` behind the first that meets it); values that fail one of ``tests``
    are passed over. A :class:`Subsets` domain is walked or drawn from without listing it."""

    slot: int
    name: str = field(eq=False)
    domain: Expr
    stop: Literal["while", "until"] | None = None
    stop_condition: Expr | None = None
    tests: tuple[Expr, ...] = ()


@frozen
class Quantified(Expr):
    """``min``, ``max``, ``first`` and ``last`` give none where nothing matches; ``first`` and ``last`` (one binder)
    give the value of the binder, ``min`` and ``max`` the value of the body."""

    quantifier: Literal["some", "all", "no", "count", "sum", "min", "max", "first", "last"]
    binders: tuple[Binder, ...]
    body: Expr


@frozen
class Comprehension(Expr):
    """The set of ``element`` over all bindings, in the order in which they first give it; none is dropped."""

    element: Expr
    binders: tuple[Binder, ...]


@frozen
class Subsets(Expr):
    """The set of all subsets of ``collection`` with ``count`` members, in lexicographic order."""

    collection: Expr
    count: Expr


@frozen
class Reach(Expr):
    """The closure of the set ``start``: ``step`` is a set that may use ``slot``; in the order of the type."""

    slot: int
    start: Expr
    step: Expr


@frozen
class Repeated(Expr):
    """Whether ``variables`` have had their present values at an earlier decision of the play, of whatever phase."""

    variables: tuple[Variable, ...]


@frozen
class Repetitions(Expr):
    """How often ``variables`` have had their present values in the present phase with the same arguments, now
    counted."""

    variables: tuple[Variable, ...]


@frozen
class Stuck(Expr):
    """In entry statements: whether the decision of this phase offers nothing."""


@frozen
class Chosen(Expr):
    """In ``then:``: parameter number ``parameter`` of the choice ``rule`` by ``player``, none if he chose otherwise;
    where ``parameter`` is None, whether he chose it at all."""

    rule: str
    player: Expr
    parameter: int | None


# ----------------------------------------------------------------- statements


@frozen
class Statement:
    """The base of all statements."""

    span: Span = field(kw_only=True, eq=False, repr=False)


Block = tuple[Statement, ...]


@frozen
class SetLocal(Statement):
    """``let``, a local ``var``, or an assignment to one. ``type`` is what a local ``var`` may hold; a ``let`` has
    none."""

    slot: int
    value: Expr
    name: str
    type: Type | None = None


@frozen
class SetLocalField(Statement):
    """One place of a local ``var`` that holds a record; ``path`` leads there through nested records."""

    slot: int
    path: tuple[int, ...]
    value: Expr
    name: str
    type: Type


@frozen
class Assign(Statement):
    """One entry of a variable, or a field of it (``path``: the places through nested records), takes a value."""

    variable: Variable
    indices: tuple[Expr, ...]
    path: tuple[int, ...]
    value: Expr


@frozen
class Fill(Statement):
    """Every entry of an indexed variable takes the same value."""

    variable: Variable
    value: Expr


@frozen
class If_(Statement):
    condition: Expr
    yes: Block
    no: Block


@frozen
class For(Statement):
    """All bindings are made first; the body then runs for each in turn."""

    binders: tuple[Binder, ...]
    body: Block


@frozen
class Go(Statement):
    phase: str
    arguments: tuple[Expr, ...]


@frozen
class WinOutcome:
    """1 shared equally by the winners, -1 by all others; a player alone in the game wins 1. ``winners`` is a player or
    a set of players."""

    winners: Expr


@frozen
class PayoffOutcome:
    """Pairs of a player and an amount, evaluated at the end; each player must come up exactly once (twice with equal
    amounts is the same payoff)."""

    entries: tuple[tuple[Expr, Expr], ...]


@frozen
class PayoffForOutcome:
    """The same by comprehension: ``amount`` goes to ``player`` for all bindings."""

    player: Expr
    amount: Expr
    binders: tuple[Binder, ...]


@frozen
class DrawOutcome:
    """0 for all, and also what ``end`` alone means."""


Outcome = WinOutcome | PayoffOutcome | PayoffForOutcome | DrawOutcome


@frozen
class End(Statement):
    outcome: Outcome


@frozen
class Earn(Statement):
    player: Expr
    amount: Expr


@frozen
class Tell(Statement):
    """``audience`` is a player or a set of players."""

    audience: Expr
    label: str
    arguments: tuple[Expr, ...]


@frozen
class Do(Statement):
    """An action, carried out."""

    action: Action
    arguments: tuple[Expr, ...]


# ------------------------------------------------------------------ callables


@frozen(eq=False)
class FormalParameter:
    """Its slot is its place among the parameters of its callable."""

    name: str
    type: Type
    secret: bool
    span: Span = field(repr=False)


@frozen(eq=False)
class Define:
    """``reads_state`` tells whether its value depends on the state (directly or through other defines); where not, it
    is a function of its arguments alone."""

    name: str
    parameters: tuple[FormalParameter, ...]
    body: Expr
    frame_size: int
    reads_state: bool
    span: Span = field(repr=False)


@frozen(eq=False)
class Action:
    name: str
    parameters: tuple[FormalParameter, ...]
    body: Block
    frame_size: int
    span: Span = field(repr=False)


class Audience(Enum):
    """Who sees a variable, where it needs no expression."""

    EVERYBODY = "everybody"
    NOBODY = "nobody"


@frozen(eq=False)
class SeenBy:
    """``audience`` gives a player, a set of players or none; the indices of the entry are its first slots."""

    audience: Expr
    frame_size: int


@frozen(eq=False)
class Variable:
    """A state variable. Its entries lie side by side: entry (i, j) of ``v[I, J]`` stands at
    ``offset + i.index * size(J) + j.index``, counted in the order of the index types.

    ``initial`` is the first value of every entry, where ``has_initial``; else entries begin unset. What only
    ``setup`` assigns is constant (``is_constant``) and no part of a position.
    """

    name: str
    indices: tuple[Type, ...]
    type: Type
    has_initial: bool
    initial: Value
    visibility: Audience | SeenBy
    is_constant: bool
    offset: int
    span: Span = field(repr=False)

    @property
    def entries(self) -> int:
        """How many entries the variable has; 1 without indices."""
        count = 1
        for index in self.indices:
            count *= index.size
        return count


# ------------------------------------------------------------------ decisions


@frozen(eq=False)
class RuleParameter:
    """``name in domain`` of a move or outcome; others do not perceive a ``secret`` one."""

    slot: int
    name: str
    domain: Expr
    type: Type
    secret: bool
    span: Span = field(repr=False)


@frozen(eq=False)
class Rule:
    """A ``move`` or ``outcome`` clause: one for each binding of its parameters that meets the guards.

    ``guards[k]`` holds the parts of the guard that need the first k parameters (k = 0, ..., number of parameters):
    test them as soon as these are bound. ``ensuring`` must hold in the position right after the effects. Of
    ``weight`` and ``probability`` an outcome has at most one, a move neither.
    """

    name: str
    parameters: tuple[RuleParameter, ...]
    guards: tuple[tuple[Expr, ...], ...]
    ensuring: Expr | None
    secret: bool
    weight: Expr | None
    probability: Expr | None
    body: Block
    span: Span = field(repr=False)


@frozen(eq=False)
class Turn:
    player: Expr
    preferring: tuple[Expr, ...]
    moves: tuple[Rule, ...]
    span: Span = field(repr=False)


@frozen(eq=False)
class Chance:
    outcomes: tuple[Rule, ...]
    span: Span = field(repr=False)


@frozen(eq=False)
class Together:
    """Every player of ``players`` (a set) chooses one of ``moves``, in whose guards and domains he is ``slot``; a
    player to whom nothing is offered does not choose. Then ``then`` runs."""

    players: Expr
    slot: int
    moves: tuple[Rule, ...]
    then: Block
    span: Span = field(repr=False)


Decision = Turn | Chance | Together


@frozen(eq=False)
class Phase:
    """``otherwise`` is None where the file has none: a decision that offers nothing is then an error."""

    name: str
    parameters: tuple[FormalParameter, ...]
    entry: Block
    decision: Decision | None
    otherwise: Block | None
    frame_size: int
    span: Span = field(repr=False)


# ------------------------------------------------- what a file says of itself


@frozen(eq=False)
class Claim:
    property: str
    arguments: tuple[Expr, ...]
    span: Span = field(repr=False)


@frozen(eq=False)
class Estimate:
    """What a position is worth to the player in slot 0."""

    value: Expr
    frame_size: int


@frozen(eq=False)
class Loose:
    """An expression of its own, with its frame."""

    value: Expr
    frame_size: int


@frozen(eq=False)
class Legend:
    """The characters that stand for a variable's values, and back."""

    variable: Variable
    characters: Mapping[Value, str]


@frozen(eq=False)
class WrittenMove:
    """A move in an ``expect`` or ``test``, as :meth:`interpreter.machine.Move.__str__` writes it."""

    text: str
    span: Span = field(repr=False)


@frozen(eq=False)
class Expectation:
    """An ``expect`` of the file. By ``kind``:

    ``value``: ``number`` is a tuple of payoffs or one for the first player, ``tolerance`` a number or None;
    ``best``: ``moves`` has one; ``positions``, ``information_sets``, ``plays``: ``number``, and ``length`` for plays;
    ``equilibrium``: ``moves`` has one for each player; ``true``: ``condition``; ``knows``: ``player`` and
    ``condition``; ``illegal``: ``moves`` has one.

    ``settings`` are the parameters under which it is said.
    """

    kind: Literal["value", "best", "positions", "information_sets", "plays", "equilibrium", "true", "knows", "illegal"]
    span: Span = field(repr=False)
    number: Any = None
    tolerance: Fraction | int | None = None
    length: int | None = None
    moves: tuple[WrittenMove, ...] = ()
    player: Loose | None = None
    condition: Loose | None = None
    settings: Mapping[str, Value] = field(factory=dict)


@frozen(eq=False)
class PlayLine:
    moves: tuple[WrittenMove, ...]


@frozen(eq=False)
class Test:
    title: str
    lines: tuple[PlayLine | Expectation, ...]
    span: Span = field(repr=False)


# ------------------------------------------------------------------ the whole


@frozen(eq=False)
class Model:
    """A checked game under given parameters. ``cells`` counts the entries of all variables together."""

    title: str
    source: Source = field(repr=False)
    notation: Literal["phases", "tree", "table"]
    player_type: MemberType
    parameters: Mapping[str, Value]
    types: tuple[Type, ...] = field(repr=False)
    variables: tuple[Variable, ...] = field(repr=False)
    cells: int
    defines: tuple[Define, ...] = field(repr=False)
    actions: tuple[Action, ...] = field(repr=False)
    setup: Block = field(repr=False)
    setup_frame_size: int
    phases: Mapping[str, Phase] = field(repr=False)
    start: Go = field(repr=False)
    endless: Outcome | None = field(repr=False)
    discount: Fraction | int = field(repr=False)
    estimate: Estimate | None = field(repr=False)
    unsettled: Loose | None = field(repr=False)
    order_moves: Loose | None = field(repr=False)
    claims: tuple[Claim, ...] = field(repr=False)
    expectations: tuple[Expectation, ...] = field(repr=False)
    tests: tuple[Test, ...] = field(repr=False)
    legends: tuple[Legend, ...] = field(repr=False)
    history: tuple[Repeated | Repetitions, ...] = field(repr=False)
    """The places where the rules look at the history of the play, which is then part of every position."""

    @property
    def players(self) -> Players:
        return self.player_type.listed
