"""Why a move is illegal: the part of the rule that fails.

The move is tested in the order of the machine: does a rule of this name exist here, are the arguments of the right
number and in their domains, does each part of the guard hold, does ``ensuring`` hold afterwards, is a better turn
possible. The first failure is the answer. A failing call of a define is followed into its body, down to the false part.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Final

from zermelo.grammar.diagnostics import Finding, Label, Span, nearest
from zermelo.grammar.names import compact, read_as
from zermelo.interpreter import model
from zermelo.interpreter.evaluation.context import Compiles, Context, Frame
from zermelo.interpreter.evaluation.statements import CompiledRule
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.model import Expr
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, phase_title, walk
from zermelo.interpreter.reference.decisions import CompiledTogether, Legal
from zermelo.interpreter.reference.run import ReferenceState, Runner
from zermelo.interpreter.types import (
    BoolType,
    DirectionType,
    MemberType,
    NumberType,
    OptionalType,
    PartType,
    SetType,
    TupleType,
    Type,
    strip_none,
)
from zermelo.interpreter.values import (
    COMPASS,
    OrderedSet,
    Value,
    display_value,
    format_value,
    in_type_order,
    read_number,
)

# Reading moves and values as the machine writes them: ``mark(b2)``, ``deal({two of ...})``.


FEW: Final = 12
"""How many moves or values a message lists."""


def split_move(text: str) -> tuple[str, tuple[str, ...]]:
    """The name and the texts of the arguments; spaces and quotes do not count."""
    name, bracket, rest = compact(text).partition("(")
    return name, _split(rest.removesuffix(")")) if bracket else ()


def split_play(text: str) -> list[str]:
    """The moves of a play, written one after the other, with commas or semicolons between them; spaces do not count.

    A comma within brackets belongs to a move; no move has a semicolon, so that one always ends a move. A move with a
    bracket left open goes on to the next semicolon, or to the end.
    """
    parts = [part for run in "".join(text.split()).split(";") for part in _split(run)]
    return [part for part in parts if part]


def written_arguments(written: tuple[str, ...], parameters: tuple[model.RuleParameter, ...]) -> tuple[str, ...] | None:
    """The texts of all arguments of a rule: those at the end may be left out if they are optional. None if there are
    too few or too many."""
    missing = parameters[len(written) :]
    if len(written) > len(parameters) or not all(parameter.is_optional for parameter in missing):
        return None
    return written + ("none",) * len(missing)


def _split(text: str) -> tuple[str, ...]:
    """The parts between commas outside brackets."""
    parts = [""]
    depth = 0
    for character in text:
        depth += (character in "({<") - (character in ")}>")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return tuple(parts) if text else ()


def read_value(type: Type, text: str) -> Value:
    """The value of a type for ``text`` (without spaces); raises ``ValueError`` if there is none."""
    match type:
        case OptionalType():
            return None if text == "none" else read_value(type.inner, text)
        case PartType():
            return read_value(type.parent, text)
        case MemberType():
            return _look_up(type.by_text, text)
        case DirectionType():
            return _look_up({format_value(direction): direction for direction in COMPASS.values()}, text)
        case BoolType():
            return _look_up({"true": True, "false": False}, text)
        case NumberType():
            return read_number(text)
        case TupleType():
            parts = _split(text[1:-1]) if text.startswith("(") and text.endswith(")") else _signs(type, text)
            return tuple(read_value(item, part) for item, part in zip(type.items, parts, strict=True))
        case SetType():
            return in_type_order(
                OrderedSet(read_value(type.element, part) for part in _split(_strip_brackets(text, "{", "}")))
            )
        case _:
            raise ValueError(text)


def _signs(type: TupleType, text: str) -> tuple[str, ...]:
    """The signs of a record's members, written side by side: no sign of a type begins another one of it, so that there
    is one way to read them."""
    parts = []
    for item in type.items:
        member = strip_none(item).base
        signs = member.by_sign if isinstance(member, MemberType) else {}
        parts.append(next((sign for sign in signs if text.startswith(sign)), ""))
        text = text.removeprefix(parts[-1])
    if text or not all(parts):
        raise ValueError(text)
    return tuple(parts)


def _look_up(entries: dict[str, Value], text: str) -> Value:
    if text not in entries:
        raise ValueError(text)
    return entries[text]


def _strip_brackets(text: str, opening: str, closing: str) -> str:
    if not (text.startswith(opening) and text.endswith(closing)):
        raise ValueError(text)
    return text[1:-1]


LeftOut = Callable[[ReferenceState, Legal], Finding | None]
"""Why some moves of a state are left out, given those that remain; None if no clause excludes any."""


class WhyNot:
    """Explains moves of one machine; ``left_out`` explains those that a clause excludes, though the rules allow
    them."""

    def __init__(self, runner: Runner, compiler: Compiles, left_out: LeftOut) -> None:
        self._runner = runner
        self._compiler = compiler
        self._left_out = left_out

    def explain(self, state: ReferenceState, text: str, allowed: Legal) -> Finding:
        """Why the move with this text is illegal; ``allowed`` are the legal moves."""
        name, written = split_move(text)
        decision = state.phase.decision
        if state.actor == END or decision is None:
            message = f"the play has ended; '{name}' comes too late"
            return Finding("game-over", message, self._runner.model.source, state.phase.model.span)
        if len(moves := split_play(text)) > 1 and not any(read_as(rule.name, compact(text)) for rule in decision.rules):
            message = f"these are {len(moves)} moves, and one is expected"
            source, span = self._runner.model.source, state.phase.model.span
            return Finding("illegal-move", message, source, span, help=f"make one after the other: first {moves[0]}")
        for rule in decision.rules:
            if read_as(rule.name, name):
                attempt = _Attempt(self._runner, self._compiler, state, rule)
                return attempt.explain(written) or self._left_out(state, allowed) or attempt.without_weight()
        return self._no_such_move(state, name, [rule.name for rule in decision.rules])

    def _no_such_move(self, state: ReferenceState, name: str, here: list[str]) -> Finding:
        game = self._runner.model
        kind = "outcome" if state.actor == CHANCE else "move"
        who, verb = ("chance", "draw") if state.actor == CHANCE else (display_value(game.players[state.actor]), "move")
        message = f"there is no {kind} '{name}' here: {who} is to {verb} in {phase_title(game, state.phase.model)}"
        elsewhere = [
            phase_title(game, phase.model)
            for phase in self._runner.phases.values()
            if phase.decision is not None and any(read_as(rule.name, name) for rule in phase.decision.rules)
        ]
        if elsewhere:
            message += f", and '{name}' belongs to {' and '.join(elsewhere)}"
        guess = nearest(name, here)
        help = f"the {kind}s here are {', '.join(here)}" if guess is None else f"did you mean '{guess}'?"
        return Finding("illegal-move", message, game.source, state.phase.model.span, help=help)


class _Attempt:
    """A written move, followed through its rule."""

    def __init__(self, runner: Runner, compiler: Compiles, state: ReferenceState, rule: CompiledRule) -> None:
        self.runner = runner
        self.compiler = compiler
        self.rule = rule
        self.context: Context = runner.context(state)
        self.frame: Frame = list(state.frame)
        if isinstance(state.phase.decision, CompiledTogether):
            self.frame[state.phase.decision.slot] = state.waiting[0]

    def explain(self, written: tuple[str, ...]) -> Finding | None:
        """The first failure of the arguments, the guard or ``ensuring``."""
        parameters = self.rule.model.parameters
        whole = written_arguments(written, parameters)
        if whole is None:
            names = ", ".join(f"{parameter.name}{'?' if parameter.is_optional else ''}" for parameter in parameters)
            takes = f"{len(parameters)} argument{'' if len(parameters) == 1 else 's'}"
            message = f"'{self.rule.name}' takes {takes}{f' ({names})' if names else ''}, not {len(written)}"
            return self.finding(self.rule.model.span, message)
        return self.failing_guard(0) or self.failing_argument(whole) or self.failing_afterwards()

    def failing_argument(self, written: tuple[str, ...]) -> Finding | None:
        """The first argument outside its domain, or with a false part of the guard."""
        for k, (text, parameter) in enumerate(zip(written, self.rule.model.parameters, strict=True)):
            try:
                value = read_value(parameter.type, text)
            except ValueError:
                return self.finding(
                    parameter.span, f"'{text}' is not in {parameter.type}", help=_hint(text, parameter.type)
                )
            if not self.rule.domains[k].contains(self.context, self.frame, value):
                return self.finding(parameter.domain.span, self.outside(k, value))
            self.frame[parameter.slot] = value
            failing = self.failing_guard(k + 1)
            if failing is not None:
                return failing
        return None

    def outside(self, k: int, value: Value) -> str:
        """The message for a value outside the domain of parameter k, with those inside."""
        name = self.rule.model.parameters[k].name
        values = list(islice(self.rule.domains[k].walk(self.context, self.frame), FEW + 1))
        message = f"'{name}' cannot be {display_value(value)} here"
        if not values:
            return f"{message}; it has no value to choose from"
        listed = ", ".join(map(display_value, values[:FEW]))
        return f"{message}, only {listed}{', ...' if len(values) > FEW else ''}"

    def failing_guard(self, bound: int) -> Finding | None:
        """The first false part of the guard among those that need ``bound`` parameters."""
        for part in self.rule.model.guards[bound]:
            if not self.compiler.condition(part)(self.context, self.frame):
                return self.failing(part, self.context, self.frame, "is false")
        return None

    def failing_afterwards(self) -> Finding | None:
        """The failure of ``ensuring``."""
        ensuring = self.rule.model.ensuring
        if ensuring is not None and not self.rule.ensures(self.context, self.frame):
            trial, frame = self.context.trial(), self.frame.copy()
            self.rule.body(trial, frame)
            return self.failing(ensuring, trial, frame, "would be false after it")
        return None

    def without_weight(self) -> Finding:
        """The finding of an outcome without any other failure."""
        return self.finding(self.rule.model.span, f"'{self.rule.name}' has weight 0 here")

    def failing(self, part: Expr, context: Context, frame: Frame, how: str) -> Finding:
        """The finding for a false condition: its false part, the innermost part of a define that makes it false, and
        the values that this part reads."""
        while isinstance(part, model.And):
            part = next(each for each in part.parts if not self.compiler.condition(each)(context, frame))
        inner, inner_frame = self.innermost(part, context, frame)
        message = f"'{self.text(part)}' {how}"
        if inner is not part:
            message += f", since '{self.text(inner)}' {how.removesuffix(' after it')}"
        reads = self.reads(inner, context, inner_frame)
        labels = () if inner is part else (Label(inner.span, "this is false"),)
        return self.finding(part.span, message + (f": {', '.join(reads)}" if reads else ""), labels)

    def innermost(self, part: Expr, context: Context, frame: Frame) -> tuple[Expr, Frame]:
        """The innermost false part of a condition, inside conjunctions, cases and defines."""
        match part:
            case model.And():
                false = next(p for p in part.parts if not self.compiler.condition(p)(context, frame))
                return self.innermost(false, context, frame)
            case model.If():
                holds = self.compiler.condition(part.condition)(context, frame)
                return self.innermost(part.yes if holds else part.no, context, frame)
            case model.Call():
                arguments = [self.compiler.expression(argument)(context, frame) for argument in part.arguments]
                rest = [None] * (part.define.frame_size - len(arguments))
                return self.innermost(part.define.body, context, [*arguments, *rest])
            case _:
                return part, frame

    def reads(self, expr: Expr, context: Context, frame: Frame) -> list[str]:
        """The entries that a condition reads outside its binders, with their values."""
        bound = bound_slots(expr)
        found: dict[str, None] = {}
        for part in walk(expr):
            if isinstance(part, model.Read) and not free_slots(part) & bound:
                indices = [self.compiler.expression(index)(context, frame) for index in part.indices]
                index = f"[{', '.join(map(display_value, indices))}]" if indices else ""
                value = self.compiler.expression(part)(context, frame)
                found[f"{part.variable.name}{index} is {display_value(value)}"] = None
        return list(found)

    def text(self, expr: Expr) -> str:
        """The expression as the file writes it."""
        return " ".join(self.runner.model.source.excerpt(expr.span).split())

    def finding(self, span: Span, message: str, labels: tuple[Label, ...] = (), help: str = "") -> Finding:
        return Finding("illegal-move", message, self.runner.model.source, span, labels=labels, help=help)


def _hint(text: str, type: Type) -> str:
    """A suggestion, or the members of the type, if it lists them by name."""
    base = strip_none(type).base
    if not isinstance(base, MemberType):
        return ""
    guess = nearest(text, base.by_name)
    if guess is not None:
        return f"did you mean '{guess}'?"
    return f"its values are {', '.join(islice(base.by_name, FEW))}{', ...' if len(base.by_name) > FEW else ''}"
