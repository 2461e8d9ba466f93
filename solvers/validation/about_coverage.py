"""The questions about the use of the rules: whether plays come to every part, whether every condition decides, and
whether variables have all their values.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from random import Random
from typing import Final

from attrs import define, field, frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.records import Displayed
from zermelo.grammar.diagnostics import Finding, Span
from zermelo.interpreter.analysis import (
    Condition,
    Key,
    RulePart,
    defines_of,
    parts_of,
    ran_key,
)
from zermelo.interpreter.checks.game_facts import unless_too_many
from zermelo.interpreter.machine import CHANCE, END, PlayError
from zermelo.interpreter.model import Assign, Fill, Model, Variable
from zermelo.interpreter.model.rewriting import blocks, expressions_beside_rules, live_statements
from zermelo.interpreter.reference.machine import CountingMachine
from zermelo.interpreter.reference.run import ReferenceState
from zermelo.interpreter.types import BoardType, BoolType, MemberType, strip_none
from zermelo.interpreter.values import Value, display_value
from zermelo.solvers.common.limits import LimitReached, Limits, Progress
from zermelo.solvers.validation.shortest_plays import SHOWN, Extent, Reply, replies_about_lacking

# How often plays use each part of the rules.
#
# Every move is made once in each position that plays can reach, breadth first, on the reference machine with counters
# (:mod:`zermelo.interpreter.reference.machine`). If positions are too many, those that come first are followed by
# random plays, which reach late phases that a search does not. So the count of a line is exact for the positions that
# the extent names, and says nothing of others. How many positions these are is decided by the number of moves alone.
#
# Cost: a state of the reference machine for each position that waits, and the time of that machine, some hundred times
# that of lowered rules.


MOVES: Final = 20_000
"""The moves after which no further position is searched, unless the user says how many positions."""

RANDOM_MOVES: Final = 2_000
"""The moves after which no further random play begins; also the most moves of one play."""

_SHOWN: Final = 64
"""Positions between two reports of progress."""


@frozen(eq=False, repr=False)
class Coverage(Displayed):
    """The parts of a game, how often they were ``used`` in an ``extent``, and the values that variables have had;
    ``tried`` counts what was only tried out, whose values are included. A ``fault`` is an error of the rules that ended
    the count."""

    model: Model
    parts: tuple[RulePart, ...]
    used: Counter[Key]
    tried: Counter[Key]
    values: Mapping[Variable, frozenset[Value]]
    extent: Extent
    fault: PlayError | None = None


def cover(model: Model, most: int | None, limits: Limits, progress: Progress) -> Coverage:
    """Count the moves of the first ``most`` positions, by default of so many that :data:`MOVES` are made, and of random
    plays if these are not all; as far as the limits allow."""
    covering = _Covering(CountingMachine(model), limits, progress)
    try:
        with limits.enforce():
            covering.search(most)
            if not covering.is_whole:
                covering.play()
    except LimitReached:
        covering.stopped = "time ran out"
    except PlayError as fault:
        covering.fault, covering.stopped = fault, "until a rule failed"
    return covering.found()


@define(eq=False)
class _Covering:
    """The count in progress: the ``positions`` searched and the random ``plays``."""

    machine: CountingMachine
    limits: Limits
    progress: Progress
    positions: int = 0
    plays: int = 0
    is_whole: bool = False
    stopped: str = ""
    fault: PlayError | None = None
    known: set[object] = field(factory=set)

    def search(self, most: int | None) -> None:
        """Make the moves of positions, breadth first."""
        machine, moves, room = self.machine, 0, self.limits.room()
        waiting = deque[ReferenceState]()
        self._meet(machine.initial(), waiting)
        while waiting and (moves < MOVES if most is None else self.positions < most):
            check_deadline()
            if self.positions % _SHOWN == 0:
                self.progress(self.positions)
            state = waiting.popleft()
            listed = unless_too_many(partial(machine.listed, state))
            if listed is None:
                self.stopped = "chance has too many outcomes to list"
                return
            self.positions += 1
            for move, made in listed.items():
                there = machine.after(state, move, *made)
                moves += 1
                if self._meet(there, waiting) and not room.keep((machine.position(there), there)):
                    self.stopped = "memory ran out"
                    return
        self.is_whole = not waiting

    def _meet(self, state: ReferenceState, waiting: deque[ReferenceState]) -> bool:
        """Whether a state is at a new position, where the play goes on."""
        position = self.machine.position(state)
        if state.actor == END or position in self.known:
            return False
        self.known.add(position)
        waiting.append(state)
        return True

    def play(self) -> None:
        """Make random plays, the same in every run."""
        machine, random, moves = self.machine, Random(0), 0
        while moves < RANDOM_MOVES:
            self.plays += 1
            state = machine.initial()
            for _ in range(RANDOM_MOVES):
                check_deadline()
                if state.actor == END:
                    break
                if state.actor == CHANCE:
                    state = machine.after(state, *machine.drawn(state, random))
                else:
                    move, made = random.choice(list(machine.listed(state).items()))
                    state = machine.after(state, move, *made)
                moves += 1
            moves += 1  # a play without a move counts, too

    def found(self) -> Coverage:
        """What has been counted."""
        counts, tried = self.machine.counts, self.machine.tried
        return Coverage(
            self.machine.model,
            parts_of(self.machine.model),
            counts.used,
            tried.used,
            {variable: frozenset(seen | tried.values[variable]) for variable, seen in counts.values.items()},
            Extent(self.positions, self.is_whole, self.plays, self.stopped),
            self.fault,
        )


# The parts, conditions, and values of variables that no counted play has used.
#
# Of parts within each other only the outermost is named, and of statements in a row only the first: the others are
# unused because it is. For the same reason a condition that always holds is named in place of what stands behind it,
# and no value is reported for a variable with an assignment that is unused itself. A define or action that nothing
# calls has its cause elsewhere, too, and so has a phase that is not entered: some ``go`` to it is unused. Moves and
# outcomes are reported only if others of their name are used: else they are never offered, a question about the graph
# (:mod:`zermelo.solvers.validation.about_moves`).
#
# Parts for the case that something is none are not reported: the file may need them because of the types alone.
#
# What was only tried out counts as used: ``ensuring`` may refuse a move for what its effects do when it is tried out.
# The parts of defines that are also called beside the rules, by hints or criteria of ``preferring``, are left out,
# since their counts do not show that.


_STATEMENTS: Final = ("statement", "end", "go", "if", "match", "for")


@frozen(eq=False, repr=False)
class UnusedValues(Displayed):
    """The members of a variable's type, apart from none, that the variable never is."""

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
        beside = {define.name for define in defines_of(expressions_beside_rules(coverage.model))}
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
        self._look_at_row(part.inside, part.kind == "match")

    def _look_at_row(self, parts: Iterable[RulePart], is_match: bool) -> None:
        """Look at the parts inside another one, in order."""
        is_left, cause = False, False  # whether a statement has not been reached, and whether the reason is reported
        for part in parts:
            if part.kind == "match" and is_match:
                self._look_at_cases(part)
            elif part.kind not in (*_STATEMENTS, "turn", "chance", "together", "otherwise"):
                self._look_at(part)
            elif not is_left:
                is_left = part.kind != "otherwise" and not self.count(part.key)
                if not (is_left and cause):
                    self._look_at(part)
                cause = any(self._always_holds(part, condition) for condition in part.conditions)

    def _look_at_cases(self, rest: RulePart) -> None:
        """Look at the other cases of a match."""
        for part in rest.inside:
            if part.kind == "match":
                self._look_at_cases(part)
            else:
                self._look_at(part)

    def _always_holds(self, part: RulePart, condition: Condition) -> bool:
        """Whether a condition always holds, where the rules have no part for the case that it does not."""
        if condition.is_settled or not self.count(condition.held) or self.count(condition.failed):
            return False
        if condition.asks == "if":
            return condition.span == part.span and not any(inside.key == condition.failed for inside in part.inside)
        return condition.asks in ("guard", "ensuring")

    # ------------------------------------------------------------- values

    def values(self) -> Iterator[UnusedValues]:
        """The members of enumerations and the truth values that variables never have. Numbers and cells are left out:
        their types give bounds."""
        unassigned = set(_with_unused_assignment(self.coverage.model, self))
        for variable, seen in self.coverage.values.items():
            type = strip_none(variable.type)
            is_listed = isinstance(type, (MemberType, BoolType)) and not isinstance(type, BoardType)
            if is_listed and variable not in unassigned:
                missing = tuple(value for value in type.generate() if value not in seen)
                if missing and len(missing) < type.size:
                    yield UnusedValues(variable, missing)


def _with_unused_assignment(model: Model, unused: Unused) -> Iterator[Variable]:
    """The variables with an assignment that no play has made."""
    for block in blocks(model):
        for statement in live_statements(block):
            if isinstance(statement, Assign | Fill) and not unused.count(ran_key(statement)):
                yield statement.variable


USED: Final = "Is every part of the rules used?"
DECIDES: Final = "Does every condition decide?"
OCCURS: Final = "Does every value occur?"

_SAID: Final = {
    "branch": "no play takes this branch",
    "else": "no play takes this 'else'",
    "case": "no play takes this case",
    "otherwise": "no play comes to this 'otherwise'",
    "end": "no play comes to this 'end'",
    "turn": "no play comes to this decision",
    "chance": "no play comes to this decision",
    "together": "no play comes to this decision",
    "move": "no play makes this move here",
    "outcome": "no play draws this outcome here",
}


def coverage_replies(coverage: Coverage) -> Iterator[Reply]:
    """The questions about a coverage."""
    if (fault := coverage.fault) is not None:
        yield Reply("Does a rule fail?", "yes", SHOWN, fault.finding, fault.play)
        return
    unused = Unused(coverage)
    parts = [(part.span, _unused_part(unused, part)) for part in unused.parts]
    conditions = [(condition.span, _idle_condition(coverage, condition.span)) for condition in unused.conditions]
    values = [(each.variable.span, _unused_values(coverage, each)) for each in unused.values()]
    yield from _answers(coverage, USED, parts)
    yield from _answers(coverage, DECIDES, conditions)
    yield from _answers(coverage, OCCURS, values)


def _answers(coverage: Coverage, question: str, found: list[tuple[Span, Finding]]) -> Iterator[Reply]:
    """An answer for each finding, or one for all that are none."""
    lines = sorted({span.line for span, _ in found})
    listed = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
    named = [(f"line {span.line}", finding) for span, finding in found]
    return replies_about_lacking(question, coverage.extent, bool(coverage.model.parameters), named, listed)


def _unused_part(unused: Unused, part: RulePart) -> Finding:
    phases = unused.phases_behind(part)
    return Finding(
        "never-reached",
        _SAID.get(part.kind, "no play comes to this line"),
        unused.coverage.model.source,
        part.span,
        f"so no play comes to phase {' or '.join(phases)}" if phases else "",
        help="remove it, or see why the rules do not lead there",
    )


def _idle_condition(coverage: Coverage, span: Span) -> Finding:
    return Finding(
        "idle-condition",
        "this condition holds whenever it is asked",
        coverage.model.source,
        span,
        help="remove it, or see what it should ask",
    )


def _unused_values(coverage: Coverage, unused: UnusedValues) -> Finding:
    values = " or ".join(map(display_value, unused.values))
    return Finding(
        "unused-value",
        f"{unused.variable.name} is never {values}",
        coverage.model.source,
        unused.variable.declared,
        help="remove the value from its type, or see which rule should assign it",
    )
