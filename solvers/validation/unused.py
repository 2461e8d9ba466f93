"""What of the rules no counted play has used: parts, conditions, and values of variables.

Of parts within each other only the outermost is named, and of statements in a row only the first: the others are
unused because it is. For the same reason a condition that always holds is named in place of what stands behind it, and
no value is missed of a variable with an assignment that is unused itself. A define or action that nothing calls has its
cause elsewhere, too, and so has a phase that is not entered: some ``go`` to it is unused. Moves and outcomes are missed
only if others of their name are used: else they are never offered, which is asked of the graph
(:mod:`zermelo.solvers.validation.offered`).

What is done where something is none is not missed: the file may need it because of the types alone.

What was only tried out counts as used: a move that ``ensuring`` refuses may be refused for what its effects do then.
The parts of defines that are also called beside the rules, by hints or criteria of ``preferring``, are left out, since
their counts do not show that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from attrs import define, field, frozen

from zermelo.grammar.displayed import Displayed
from zermelo.interpreter.analysis.parts import Condition, Key, RulePart, asked_beside, defines_of, ran
from zermelo.interpreter.model import Assign, Fill, Model, Variable
from zermelo.interpreter.model.walks import blocks, live_statements
from zermelo.interpreter.types import BoardType, BoolType, MemberType, strip_none
from zermelo.interpreter.values import Value
from zermelo.solvers.validation.covering import Coverage

_STATEMENTS: Final = ("statement", "end", "go", "if", "match", "for")


@frozen(eq=False, repr=False)
class UnusedValues(Displayed):
    """The members of its type, none left out, that a variable never is."""

    variable: Variable
    values: tuple[Value, ...]


@define(eq=False)
class Unused:
    """What is unused in a coverage."""

    coverage: Coverage
    parts: list[RulePart] = field(factory=list)
    conditions: list[Condition] = field(factory=list)
    offered: set[str] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        coverage = self.coverage
        rules = (part for whole in coverage.parts for part in whole.walk() if part.kind in ("move", "outcome"))
        self.offered = {rule.name for rule in rules if self.count(rule.key)}
        beside = {define.name for define in defines_of(asked_beside(coverage.model))}
        for part in coverage.parts:
            match part.kind:
                case "define" if part.name in beside or not self.count(part.key):
                    continue
                case "action" | "phase" if not self.count(part.key):
                    continue
            self._look_at(part)

    def count(self, key: Key) -> int:
        """How often something was used or tried out."""
        return self.coverage.used[key] + self.coverage.tried[key]

    def phases_behind(self, part: RulePart) -> list[str]:
        """The phases that no play enters, and to which an unused part would lead."""
        entered = {whole.name for whole in self.coverage.parts if whole.kind == "phase" and self.count(whole.key)}
        return sorted({inside.name for inside in part.walk() if inside.kind == "go"} - entered)

    def _look_at(self, part: RulePart) -> None:
        if not self.count(part.key):
            is_known = part.kind in ("move", "outcome") and part.name not in self.offered
            if not is_known and part.kind != "none":
                self.parts.append(part)
            return
        self.conditions += [
            condition
            for condition in part.conditions
            if self._always_holds(part, condition) and condition.if_none is not False
        ]
        self._row(part.inside, part.kind == "match")

    def _row(self, parts: Iterable[RulePart], is_match: bool) -> None:
        """Look at the parts inside another one, in order."""
        is_left, cause = False, False  # a statement has not been reached, and why is said
        for part in parts:
            if part.kind == "match" and is_match:
                self._cases(part)
            elif part.kind not in (*_STATEMENTS, "turn", "chance", "together", "otherwise"):
                self._look_at(part)
            elif not is_left:
                is_left = part.kind != "otherwise" and not self.count(part.key)
                if not (is_left and cause):
                    self._look_at(part)
                cause = any(self._always_holds(part, condition) for condition in part.conditions)

    def _cases(self, rest: RulePart) -> None:
        """Look at the other cases of a match."""
        for part in rest.inside:
            if part.kind == "match":
                self._cases(part)
            else:
                self._look_at(part)

    def _always_holds(self, part: RulePart, condition: Condition) -> bool:
        """Whether a condition always holds, where nothing is said of what would happen if it did not."""
        if condition.is_settled or not self.count(condition.held) or self.count(condition.failed):
            return False
        if condition.asks == "if":
            return condition.span == part.span and not any(inside.key == condition.failed for inside in part.inside)
        return condition.asks in ("guard", "ensuring")

    # ------------------------------------------------------------- values

    def values(self) -> Iterator[UnusedValues]:
        """The members of enumerations and the truth values that variables never have. Numbers and cells are left out:
        their types give bounds."""
        unassigned = set(_assigned(self.coverage.model, self))
        for variable, seen in self.coverage.values.items():
            type = strip_none(variable.type)
            is_listed = isinstance(type, (MemberType, BoolType)) and not isinstance(type, BoardType)
            if is_listed and variable not in unassigned:
                missing = tuple(value for value in type.generate() if value not in seen)
                if missing and len(missing) < type.size:
                    yield UnusedValues(variable, missing)


def _assigned(model: Model, unused: Unused) -> Iterator[Variable]:
    """The variables with an assignment that no play has made."""
    for block in blocks(model):
        for statement in live_statements(block):
            if isinstance(statement, Assign | Fill) and not unused.count(ran(statement)):
                yield statement.variable
