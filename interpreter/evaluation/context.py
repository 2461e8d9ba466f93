"""The run-time environment of compiled expressions and statements.

Every expression of a model is compiled once, into a Python closure ``(context, frame) -> value``: ``context`` is the
current state, ``frame`` holds the local names of the running callable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Protocol

from zermelo.interpreter.evaluation.history import Snapshot
from zermelo.interpreter.machine import Move, Told
from zermelo.interpreter.model import Define, Expr
from zermelo.interpreter.values import Member, Value


class Unset:
    """The class of :data:`UNSET`, which stands for the missing value of an unset entry."""

    def __repr__(self) -> str:
        return "unset"


UNSET: Final = Unset()

VariableValues = Sequence[Value]
"""The entries of all variables, in the order of their offsets."""

Frame = list[Value]
"""The slots of a callable, its parameters first."""


class Context:
    """The state at a moment of a run: between two effects, while entering a phase, or at rest.

    ``values`` is the context's own list while statements run, and may be shared while nothing is assigned. ``memo``
    holds values of defines until a variable changes. ``snapshot`` is the newest entry of the history, None if the rules
    do not read it; ``is_deciding`` says that its decision is being made or has been. ``choices`` are those of a
    completed ``together``. ``offers`` tests whether the present decision offers a move. ``told`` and ``earned`` collect
    the effects of ``tell`` and ``earn``.
    """

    __slots__ = ("choices", "earned", "is_deciding", "memo", "offers", "snapshot", "told", "values")

    def __init__(
        self, values: VariableValues, memo: dict[Any, Value] | None = None, snapshot: Snapshot | None = None
    ) -> None:
        self.values: Any = values
        self.memo: dict[Any, Value] = {} if memo is None else memo
        self.snapshot = snapshot
        self.is_deciding = False
        self.choices: Mapping[Member, Move] = {}
        self.offers: Callable[[Context, Frame], bool] | None = None
        self.told: list[tuple[frozenset[Member], Told]] = []
        self.earned: list[tuple[Member, Fraction]] = []

    def trial(self) -> Context:
        """A copy on which statements can run without side effects on this context."""
        memo = self.memo if self.snapshot is None else {}  # defines see another history once a decision is made
        context = Context(list(self.values), memo, self.snapshot)
        context.is_deciding = True
        return context


Closure = Callable[[Context, Frame], Value]
"""A compiled expression."""

CompiledDefine = Callable[[Context, tuple[Value, ...]], Value]
"""A compiled define: a function of the state and its arguments."""


class Compiles(Protocol):
    """The compiler of expressions, as its parts see it."""

    def expression(self, expr: Expr) -> Closure:
        """The expression as a closure."""

    def condition(self, expr: Expr) -> Closure:
        """The same for a condition: the closure raises an error for none."""

    def value(self, expr: Expr, what: str) -> Closure:
        """The same, with an error for none, which names what is needed: ``what`` (``a number``)."""

    def define(self, define: Define) -> CompiledDefine:
        """The define as a function."""
