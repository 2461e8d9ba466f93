"""Compiled rules: the ``move`` and ``outcome`` clauses of a decision, and their bindings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Closure, Context, Frame
from zermelo.interpreter.evaluation.domains import domain
from zermelo.interpreter.evaluation.quantifiers import DomainWalk, looking
from zermelo.interpreter.evaluation.statements import StatementCompiler
from zermelo.interpreter.machine import Move
from zermelo.interpreter.model.effort import rounds
from zermelo.interpreter.storage import normaliser
from zermelo.interpreter.values import Value, format_value

Arguments = tuple[Value, ...]
Bindings = Callable[[Context, Frame], Iterable[None]]
"""Yields once per binding, which is then in the frame."""

_KNOWN_MOVES: Final = 100_000
"""The most interned moves of a rule; interning makes equal moves mostly one object."""


_MANY: Final = 10_000
"""Bindings from which on the loops over them check the deadline."""


class CompiledRule:
    """A compiled clause: one move for each binding of its parameters that meets the guards."""

    def __init__(self, rule: model.Rule, statements: StatementCompiler) -> None:
        compiler = statements.compiler
        self.model = rule
        self.name = rule.name
        self.slots = [parameter.slot for parameter in rule.parameters]
        self.domains = [domain(compiler, parameter.domain) for parameter in rule.parameters]
        self.guards = [[compiler.condition(part) for part in parts] for parts in rule.guards]
        self.body = statements.block(rule.body)
        self.ensuring = None if rule.ensuring is None else compiler.condition(rule.ensuring)
        weight = rule.probability if rule.weight is None else rule.weight
        self._weight = None if weight is None else compiler.value(weight, "a number")
        self.weight_span = rule.span if weight is None else weight.span
        self._normal = [normaliser(parameter.type) for parameter in rule.parameters]
        self._has_many = prod(rounds(parameter.domain) for parameter in rule.parameters) > _MANY
        self._loops = self._nest(0)
        self._moves: dict[Arguments, Move] = {}

    def move(self, arguments: Arguments) -> Move:
        """The move with these arguments, interned."""
        known = self._moves.get(arguments)
        if known is None:
            if len(self._moves) >= _KNOWN_MOVES:
                self._moves.clear()
            known = self._moves[arguments] = Move(self.name, arguments)
        return known

    def bindings(self, context: Context, frame: Frame) -> Iterator[Arguments]:
        """The arguments of all bindings that meet the guards, each of which is then in the frame."""
        if self.meets(0, context, frame):
            slots = self.slots
            for _ in self._loops(context, frame):
                yield tuple([frame[slot] for slot in slots])

    def legal(self, context: Context, frame: Frame) -> Iterator[Arguments]:
        """The same, without those after which ``ensuring`` fails."""
        if self.ensuring is None:
            yield from self.bindings(context, frame)
        else:
            for arguments in self.bindings(context, frame):
                if self.ensures(context, frame):
                    yield arguments

    def ensures(self, context: Context, frame: Frame) -> bool:
        """Whether ``ensuring`` holds right after the effects of the move in the frame."""
        if self.ensuring is None:
            return True
        trial, trial_frame = context.trial(), frame.copy()
        self.body(trial, trial_frame)
        return bool(self.ensuring(trial, trial_frame))

    def weigh(self, context: Context, frame: Frame) -> Value:
        """The weight or the probability of the outcome in the frame."""
        if self._weight is None:
            return 1
        weight = self._weight(context, frame)
        if weight < 0:
            raise EvaluationError(
                "negative-weight", f"outcome {self.name} gets {format_value(weight)}", self.weight_span
            )
        return weight

    def bind(self, context: Context, frame: Frame, arguments: Arguments) -> bool:
        """Put arguments into the frame, in normal form; false if they are no binding that meets the guards."""
        if len(arguments) != len(self.slots) or not self.meets(0, context, frame):
            return False
        for k, value in enumerate(arguments):
            normal = self._normal[k]
            if value is None or not self.domains[k].contains(context, frame, value):
                return False
            frame[self.slots[k]] = value if normal is None else normal(value)
            if not self.meets(k + 1, context, frame):
                return False
        return True

    def put(self, frame: Frame, arguments: Arguments) -> None:
        """Put the arguments of a known binding into the frame."""
        for slot, value in zip(self.slots, arguments, strict=True):
            frame[slot] = value

    def meets(self, bound: int, context: Context, frame: Frame) -> bool:
        """Whether the parts of the guard that need the first ``bound`` parameters hold."""
        return all(part(context, frame) for part in self.guards[bound])

    def _nest(self, bound: int) -> Bindings:
        """The loops over the parameters after the first ``bound``, each with its parts of the guard."""
        if bound == len(self.slots):
            return lambda context, frame: _ONCE
        slot, parts = self.slots[bound], self.guards[bound + 1]
        walk: DomainWalk = self.domains[bound].walk
        if self._has_many:
            walk = looking(walk)
        if bound + 1 == len(self.slots):
            return _last_loop(slot, walk, parts)
        inner = self._nest(bound + 1)

        def loop(context: Context, frame: Frame) -> Iterable[None]:
            for value in walk(context, frame):
                frame[slot] = value
                if all(part(context, frame) for part in parts):
                    yield from inner(context, frame)

        return loop


_ONCE: Final = (None,)


def _last_loop(slot: int, walk: DomainWalk, parts: list[Closure]) -> Bindings:
    """The innermost loop, where most time is spent. The usual guard of one part is a case of its own."""
    if len(parts) == 1:
        (part,) = parts

        def tested(context: Context, frame: Frame) -> Iterable[None]:
            for value in walk(context, frame):
                frame[slot] = value
                if part(context, frame):
                    yield

        return tested

    def loop(context: Context, frame: Frame) -> Iterable[None]:
        for value in walk(context, frame):
            frame[slot] = value
            if all(part(context, frame) for part in parts):
                yield

    return loop
