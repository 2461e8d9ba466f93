"""What compiled expressions and statements run on.

Every expression of a model is compiled once, into a Python closure ``(context, frame) -> value``: ``context`` is the
state as it is at the moment, ``frame`` the local names of the callable that is running.
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
    """The class of the one value that no variable ever shows: that of an entry that has none yet."""

    def __repr__(self) -> str:
        return "unset"


UNSET: Final = Unset()

VariableValues = Sequence[Value]
"""The entries of all variables, in the order of their offsets."""

Frame = list[Value]
"""The slots of a callable, its parameters first."""


class Context:
    """The state at a moment of a run: between two effects, while entering a phase, or at rest.

    ``values`` is a list of this context's own where statements run, and may be shared where nothing is assigned.
    ``memo`` keeps the values of defines for as long as no variable changes. ``snapshot`` is the newest entry of the
    history, None where the rules do not look at it; ``is_deciding`` tells that the decision it stands for is being
    made or has been. ``choices`` are those of a ``together`` that has been completed. ``offers`` tells whether the
    present phase's decision offers anything. ``told`` and ``earned`` collect what ``tell`` and ``earn`` did.
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
        """A context on which statements can run without a trace on this one."""
        memo = self.memo if self.snapshot is None else {}  # deciding changes what defines see of the history
        context = Context(list(self.values), memo, self.snapshot)
        context.is_deciding = True
        return context


Closure = Callable[[Context, Frame], Value]
"""A compiled expression."""

CompiledDefine = Callable[[Context, tuple[Value, ...]], Value]
"""A compiled define: a function of the state and its arguments."""


class Compiles(Protocol):
    """What compiles expressions, as the parts of the compiler see it."""

    def expression(self, expr: Expr) -> Closure:
        """The expression as a closure."""

    def condition(self, expr: Expr) -> Closure:
        """The same for a condition: its closure gives true or false, and raises an error for none."""

    def value(self, expr: Expr, what: str) -> Closure:
        """The same, with an error for none, where ``what`` (``a number``) is needed."""

    def define(self, define: Define) -> CompiledDefine:
        """The define as a function."""
