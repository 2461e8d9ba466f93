"""Statements, compiled to closures that run on a context and a frame.

A closure gives None if the next statement follows, else how the block is left: into a phase, or to the end.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, NamedTuple

from zermelo.grammar.deadline import look
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.calls import argument_closure
from zermelo.interpreter.evaluation.context import UNSET, Closure, Compiles, Context, Frame
from zermelo.interpreter.evaluation.outcomes import payoff_of
from zermelo.interpreter.evaluation.quantifiers import looking, loop
from zermelo.interpreter.evaluation.variables import entry_name, place_of_entry
from zermelo.interpreter.machine import Payoff, Told
from zermelo.interpreter.model import Action, Block, Model, Statement
from zermelo.interpreter.storage import admission_test, admit, normaliser, place_name, replace_at, type_at
from zermelo.interpreter.types import Type
from zermelo.interpreter.values import Member, Value


class Entering(NamedTuple):
    """A ``go``: the next phase, and its arguments."""

    phase: str
    arguments: tuple[Value, ...]
    span: Span


class Ended(NamedTuple):
    """An ``end``."""

    payoff: Payoff


Leave = Entering | Ended
CompiledBlock = Callable[[Context, Frame], Leave | None]


class StatementCompiler:
    """Compiles the statements of one model. Every action is compiled once."""

    def __init__(self, model: Model, compiler: Compiles) -> None:
        self.model = model
        self.compiler = compiler
        self._actions: dict[Action, CompiledBlock] = {}

    def block(self, statements: Block) -> CompiledBlock:
        """A sequence of statements, up to one that leaves the block."""
        steps = [self.step(statement) for statement in statements]
        if len(steps) == 1:
            return steps[0]

        def block(context: Context, frame: Frame) -> Leave | None:
            for step in steps:
                leave = step(context, frame)
                if leave is not None:
                    return leave
            return None

        return block

    def step(self, statement: Statement) -> CompiledBlock:
        """A single statement."""
        return _COMPILERS[type(statement)](self, statement)

    def action(self, action: Action) -> CompiledBlock:
        """The body of an action; its frame is its own."""
        if action not in self._actions:
            self._actions[action] = self.block(action.body)
        return self._actions[action]


def compiled_setup(statements: StatementCompiler) -> Callable[[], tuple[Context, Frame]]:
    """A function that runs ``setup`` and gives its context and its frame."""
    game = statements.model
    first: list[Value] = []
    for variable in game.variables:
        normal = normaliser(variable.type) if variable.has_initial else None
        value = variable.initial if variable.has_initial else UNSET
        first.extend([value if normal is None else normal(value)] * variable.entries)
    setup = statements.block(game.setup)

    def run() -> tuple[Context, Frame]:
        context, frame = Context(list(first)), [None] * game.setup_frame_size
        setup(context, frame)
        return context, frame

    return run


def _checked(compiler: Compiles, expr: model.Expr, type: Type, what: str) -> Closure:
    """The closure of ``expr`` in the normal form of a type, with the check that the type admits it."""
    closure, normal = argument_closure(compiler, expr, type, what), normaliser(type)
    return closure if normal is None else lambda context, frame: normal(closure(context, frame))


# ------------------------------------------------------------- local names


def _set_local(statements: StatementCompiler, statement: model.SetLocal) -> CompiledBlock:
    slot = statement.slot
    if statement.type is None:
        value = statements.compiler.expression(statement.value)
    else:
        value = _checked(statements.compiler, statement.value, statement.type, statement.name)

    def set_local(context: Context, frame: Frame) -> None:
        frame[slot] = value(context, frame)

    return set_local


def _set_local_field(statements: StatementCompiler, statement: model.SetLocalField) -> CompiledBlock:
    slot, path = statement.slot, statement.path
    what = statement.name + place_name(statement.type, path)
    value = _checked(statements.compiler, statement.value, type_at(statement.type, path), what)

    def set_local_field(context: Context, frame: Frame) -> None:
        _require_record(frame[slot], path, statement.name, statement.span)
        frame[slot] = replace_at(frame[slot], path, value(context, frame))

    return set_local_field


def _require_record(record: Value, path: tuple[int, ...], name: str, span: Span) -> None:
    """Raise an error if there is no record whose field could be set."""
    for place in path:
        if record is UNSET:
            raise EvaluationError("unset-variable", f"a field of {name} is set before {name} has a value", span)
        if record is None:
            raise EvaluationError("none-value", f"a field of {name} is set, but its record is none", span)
        record = record[place]


# --------------------------------------------------------------- variables


def _assign(statements: StatementCompiler, statement: model.Assign) -> CompiledBlock:
    compiler, variable, path = statements.compiler, statement.variable, statement.path
    type = type_at(variable.type, path)
    closure, normal = compiler.expression(statement.value), normaliser(type)
    test = admission_test(type, statement.value.type)
    place_of, field = place_of_entry(compiler, variable, statement.indices), place_name(variable.type, path)
    value_span, span = statement.value.span, statement.span

    def assign(context: Context, frame: Frame) -> None:
        value = closure(context, frame)
        place = place_of(context, frame)
        if place is None:
            raise EvaluationError("none-value", f"an entry of {variable.name} is set, but its index is none", span)
        if value is None or test is not None:
            admit(value, test, type, entry_name(variable, place) + field, value_span)
        if normal is not None:
            value = normal(value)
        if path:
            _require_record(context.values[place], path, entry_name(variable, place), span)
            value = replace_at(context.values[place], path, value)
        context.values[place] = value
        context.memo = {}

    return assign


def _fill(statements: StatementCompiler, statement: model.Fill) -> CompiledBlock:
    variable = statement.variable
    value = _checked(statements.compiler, statement.value, variable.type, variable.name)
    first, behind = variable.offset, variable.offset + variable.entries

    def fill(context: Context, frame: Frame) -> None:
        context.values[first:behind] = [value(context, frame)] * (behind - first)
        context.memo = {}

    return fill


# ------------------------------------------------------------ flow of control


def _if(statements: StatementCompiler, statement: model.If_) -> CompiledBlock:
    condition = statements.compiler.condition(statement.condition)
    yes, no = statements.block(statement.yes), statements.block(statement.no)
    return lambda context, frame: yes(context, frame) if condition(context, frame) else no(context, frame)


def _for(statements: StatementCompiler, statement: model.For) -> CompiledBlock:
    last, walk = loop(statements.compiler, statement.binders)
    walk = looking(walk)
    outer = [binder.slot for binder in statement.binders[:-1]]
    body = statements.block(statement.body)

    def for_each(context: Context, frame: Frame) -> Leave | None:
        bindings = []
        for value in walk(context, frame):
            frame[last] = value
            bindings.append((value, [frame[slot] for slot in outer]))
        for frame[last], others in bindings:
            look()
            for slot, value in zip(outer, others, strict=True):
                frame[slot] = value
            leave = body(context, frame)
            if leave is not None:
                return leave
        return None

    return for_each


def _go(statements: StatementCompiler, statement: model.Go) -> CompiledBlock:
    phase = statements.model.phases[statement.phase]
    arguments = [
        _checked(statements.compiler, argument, parameter.type, f"{parameter.name} of phase {phase.name}")
        for argument, parameter in zip(statement.arguments, phase.parameters, strict=True)
    ]
    name, span = phase.name, statement.span
    if not arguments:
        always = Entering(name, (), span)
        return lambda context, frame: always
    return lambda context, frame: Entering(name, tuple([value(context, frame) for value in arguments]), span)


def _end(statements: StatementCompiler, statement: model.End) -> CompiledBlock:
    payoff = payoff_of(statements.compiler, statement.outcome, statements.model.players, statement.span)
    return lambda context, frame: Ended(payoff(context, frame))


def _do(statements: StatementCompiler, statement: model.Do) -> CompiledBlock:
    action = statement.action
    body = statements.action(action)
    arguments = [
        _checked(statements.compiler, argument, parameter.type, f"{parameter.name} of {action.name}")
        for argument, parameter in zip(statement.arguments, action.parameters, strict=True)
    ]
    rest: Frame = [None] * (action.frame_size - len(arguments))
    return lambda context, frame: body(context, [*[value(context, frame) for value in arguments], *rest])


# ------------------------------------------------------- payoffs and messages


def _earn(statements: StatementCompiler, statement: model.Earn) -> CompiledBlock:
    player = statements.compiler.value(statement.player, "a player")
    amount = statements.compiler.value(statement.amount, "a number")

    def earn(context: Context, frame: Frame) -> None:
        context.earned.append((player(context, frame), Fraction(amount(context, frame))))

    return earn


def _tell(statements: StatementCompiler, statement: model.Tell) -> CompiledBlock:
    compiler, label = statements.compiler, statement.label
    audience = compiler.value(statement.audience, "a player or a set of players")
    arguments = [(compiler.expression(argument), normaliser(argument.type)) for argument in statement.arguments]

    def tell(context: Context, frame: Frame) -> None:
        told = audience(context, frame)
        values = [
            value(context, frame) if normal is None else normal(value(context, frame)) for value, normal in arguments
        ]
        hearers = frozenset([told] if isinstance(told, Member) else told.items)
        context.told.append((hearers, Told(label, tuple(values))))

    return tell


_COMPILERS: Final[dict[type[Statement], Callable[[StatementCompiler, Any], CompiledBlock]]] = {
    model.SetLocal: _set_local,
    model.SetLocalField: _set_local_field,
    model.Assign: _assign,
    model.Fill: _fill,
    model.If_: _if,
    model.For: _for,
    model.Go: _go,
    model.End: _end,
    model.Do: _do,
    model.Earn: _earn,
    model.Tell: _tell,
}
