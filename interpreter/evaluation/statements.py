"""Statements, compiled to closures that run on a context and a frame.

A closure gives None if the next statement follows, else how the block is left: into a phase, or to the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from math import prod
from typing import Any, Final, NamedTuple

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar.diagnostics import Span
from zermelo.interpreter import model
from zermelo.interpreter.evaluation.context import (
    UNSET,
    Closure,
    Compiles,
    Context,
    Frame,
    entry_name,
    parameter_domain,
    place_of_entry,
)
from zermelo.interpreter.evaluation.expressions import DomainWalk, argument_closure, loop, with_deadline_checks
from zermelo.interpreter.machine import Move, Payoff, Told
from zermelo.interpreter.model.cardinality import most_rounds
from zermelo.interpreter.storage import admission_test, admit, normaliser, place_name, replace_at, type_at
from zermelo.interpreter.types import Type
from zermelo.interpreter.values import EvaluationError, Member, Value, format_value

# The payoffs of ``end``.


Paying = Callable[[Context, Frame], Payoff]


def payoff_of(compiler: Compiles, outcome: model.Outcome, players: model.Players, span: Span) -> Paying:
    """The payoff as a closure; ``span`` is that of the statement."""
    match outcome:
        case model.WinOutcome():
            return _win(compiler, outcome, players)
        case model.PayoffOutcome():
            amounts = _payoff(compiler, outcome, players, span)
        case model.PayoffForOutcome():
            amounts = _payoff_for(compiler, outcome, players, span)
        case model.DrawOutcome():
            nothing = (Fraction(0),) * len(players)
            return lambda context, frame: nothing
    return _win_by(amounts, players, span) if outcome.largest_wins else amounts


def fixed_payoff(compiler: Compiles, fixed: model.FixedOutcome, players: model.Players) -> Payoff:
    """The payoff of an outcome that is the same in every position. Raises :class:`EvaluationError`."""
    return payoff_of(compiler, fixed.outcome, players, fixed.span)(Context(()), [None] * fixed.frame_size)


def _win(compiler: Compiles, outcome: model.WinOutcome, players: model.Players) -> Paying:
    winners, span = compiler.value(outcome.winners, "a player or a set of players"), outcome.winners.span
    known: dict[Value, Payoff] = {}

    def win(context: Context, frame: Frame) -> Payoff:
        who = winners(context, frame)
        if who not in known:
            known[who] = share_outcome(players, [who] if isinstance(who, Member) else who.items, span)
        return known[who]

    return win


def _win_by(amounts: Paying, players: model.Players, span: Span) -> Paying:
    """A win of those with the largest amount, or a draw if all have it."""

    def win(context: Context, frame: Frame) -> Payoff:
        found = amounts(context, frame)
        leaders = [player for player, amount in zip(players, found, strict=True) if amount == max(found)]
        if len(leaders) == len(players):
            return (Fraction(0),) * len(players)
        return share_outcome(players, leaders, span)

    return win


def share_outcome(players: model.Players, winners: Iterable[Member], span: Span) -> Payoff:
    """1 shared equally by the winners, -1 by all others; a single player wins 1."""
    won = set(winners)
    lost = len(players) - len(won)
    if not won or (lost == 0 and len(players) > 1):
        who = "everybody" if won else "nobody"
        raise EvaluationError(
            "no-payoff", f"{who} wins", span, "a play without winners and losers ends with 'end draw'"
        )
    return tuple(Fraction(1, len(won)) if player in won else Fraction(-1, lost) for player in players)


def _payoff(compiler: Compiles, outcome: model.PayoffOutcome, players: model.Players, span: Span) -> Paying:
    what = "number" if outcome.largest_wins else "payoff"
    entries = [
        (compiler.value(player, "a player"), compiler.value(amount, "a number")) for player, amount in outcome.entries
    ]

    def payoff(context: Context, frame: Frame) -> Payoff:
        pairs = ((player(context, frame), amount(context, frame)) for player, amount in entries)
        return _collect_amounts(pairs, players, what, span)

    return payoff


def _payoff_for(compiler: Compiles, outcome: model.PayoffForOutcome, players: model.Players, span: Span) -> Paying:
    slot, walk = loop(compiler, outcome.binders)
    player, amount = compiler.value(outcome.player, "a player"), compiler.value(outcome.amount, "a number")
    what = "number" if outcome.largest_wins else "payoff"

    def pairs(context: Context, frame: Frame) -> Iterable[tuple[Member, Value]]:
        for value in walk(context, frame):
            frame[slot] = value
            yield player(context, frame), amount(context, frame)

    return lambda context, frame: _collect_amounts(pairs(context, frame), players, what, span)


def _collect_amounts(pairs: Iterable[tuple[Member, Value]], players: model.Players, what: str, span: Span) -> Payoff:
    """The pairs as a tuple in the order of the players; each player must occur, with only one amount."""
    amounts: dict[Member, Value] = {}
    for player, amount in pairs:
        if amounts.setdefault(player, amount) != amount:
            both = f"{format_value(amounts[player])} and {format_value(amount)}"
            raise EvaluationError("conflicting-payoffs", f"{player.name} is given two {what}s, {both}", span)
    missing = [player.name for player in players if player not in amounts]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise EvaluationError("no-payoff", f"{' and '.join(missing)} {verb} given no {what}", span)
    return tuple(Fraction(amounts[player]) for player in players)


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

    def __init__(self, game: model.Model, compiler: Compiles) -> None:
        self.model = game
        self.compiler = compiler
        self._actions: dict[model.Action, CompiledBlock] = {}

    def block(self, statements: model.Block) -> CompiledBlock:
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

    def step(self, statement: model.Statement) -> CompiledBlock:
        return _COMPILERS[type(statement)](self, statement)

    def action(self, action: model.Action) -> CompiledBlock:
        """The body of an action; its frame is its own."""
        if action not in self._actions:
            self._actions[action] = self.block(action.body)
        return self._actions[action]


def compile_setup(statements: StatementCompiler) -> Callable[[], tuple[Context, Frame]]:
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


def _compile_checked(compiler: Compiles, expr: model.Expr, type: Type, what: str) -> Closure:
    """The closure of ``expr`` in the normal form of a type, with the check that the type admits it."""
    closure, normal = argument_closure(compiler, expr, type, what), normaliser(type)
    return closure if normal is None else lambda context, frame: normal(closure(context, frame))


# ------------------------------------------------------------- local names


def _set_local(statements: StatementCompiler, statement: model.SetLocal) -> CompiledBlock:
    slot = statement.slot
    if statement.type is None:
        value = statements.compiler.expression(statement.value)
    else:
        value = _compile_checked(statements.compiler, statement.value, statement.type, statement.name)

    def set_local(context: Context, frame: Frame) -> None:
        frame[slot] = value(context, frame)

    return set_local


def _set_local_field(statements: StatementCompiler, statement: model.SetLocalField) -> CompiledBlock:
    slot, path = statement.slot, statement.path
    what = statement.name + place_name(statement.type, path)
    value = _compile_checked(statements.compiler, statement.value, type_at(statement.type, path), what)

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
    value = _compile_checked(statements.compiler, statement.value, variable.type, variable.name)
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
    walk = with_deadline_checks(walk)
    outer = [binder.slot for binder in statement.binders[:-1]]
    body = statements.block(statement.body)

    def for_each(context: Context, frame: Frame) -> Leave | None:
        bindings = []
        for value in walk(context, frame):
            frame[last] = value
            bindings.append((value, [frame[slot] for slot in outer]))
        for frame[last], others in bindings:
            check_deadline()
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
        _compile_checked(statements.compiler, argument, parameter.type, f"{parameter.name} of phase {phase.name}")
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
        _compile_checked(statements.compiler, argument, parameter.type, f"{parameter.name} of {action.name}")
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


_COMPILERS: Final[dict[type[model.Statement], Callable[[StatementCompiler, Any], CompiledBlock]]] = {
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


# Compiled rules: the ``move`` and ``outcome`` clauses of a decision, and their bindings.


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
        self.domains = [parameter_domain(compiler, parameter) for parameter in rule.parameters]
        self.guards = [[compiler.condition(part) for part in parts] for parts in rule.guards]
        self.body = statements.block(rule.body)
        self.ensuring = None if rule.ensuring is None else compiler.condition(rule.ensuring)
        weight = rule.probability if rule.weight is None else rule.weight
        self._weight = None if weight is None else compiler.value(weight, "a number")
        self.weight_span = rule.span if weight is None else weight.span
        self._normal = [normaliser(parameter.type) for parameter in rule.parameters]
        self._has_many = prod(most_rounds(parameter.domain) for parameter in rule.parameters) > _MANY
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

    def ensures(self, context: Context, frame: Frame, effects: CompiledBlock | None = None) -> bool:
        """Whether ``ensuring`` holds right after the effects of the move in the frame; ``effects`` may be a copy of its
        body for trials."""
        if self.ensuring is None:
            return True
        trial, trial_frame = context.trial(), frame.copy()
        (effects or self.body)(trial, trial_frame)
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
            if not self.domains[k].contains(context, frame, value):
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
            walk = with_deadline_checks(walk)
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

        def loop_with_one_test(context: Context, frame: Frame) -> Iterable[None]:
            for value in walk(context, frame):
                frame[slot] = value
                if part(context, frame):
                    yield

        return loop_with_one_test

    def loop(context: Context, frame: Frame) -> Iterable[None]:
        for value in walk(context, frame):
            frame[slot] = value
            if all(part(context, frame) for part in parts):
                yield

    return loop
