"""A rule of a decision: its candidates, the bindings of its parameters that meet its guards, and its ``ensuring``."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.interpreter import model
from zermelo.interpreter.model import Binder, Rule
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.arithmetic import coded
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Row, Scalar, code_of
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets import loops
from zermelo.interpreter.types import SetType, strip_none


def trial_names(lowering: Lowering, rule: Rule, env: Env, body: Body) -> Env:
    """The phase's names for a rule, copied out of the state if ``ensuring`` is evaluated in another one."""
    return env if rule.ensuring is None else local_arguments(lowering, env, body)


def local_arguments(lowering: Lowering, env: Env, body: Body) -> Env:
    """The phase's names, copied out of the state, which effects change."""
    kept: Env = {}
    for slot, binding in env.items():
        if isinstance(binding, Scalar):
            kept[slot] = lowering.bind(body, binding, "p")
        elif isinstance(binding, Mask):
            name = lowering.text.let(body, "p", binding.text, "bits")
            none = lowering.bind(body, Scalar(binding.none), "none").text if binding.none != "0" else "0"
            kept[slot] = Mask(name, binding.element, binding.is_ascending, none)
    return kept


def argument(lowering: Lowering, env: Env, parameter: model.RuleParameter) -> str:
    """The text of an argument of a move: a code, or the mask of a set."""
    binding = env[parameter.slot]
    if isinstance(binding, Scalar):
        return coded(lowering, binding, parameter.type, parameter.domain.span).text
    if isinstance(binding, Mask) and binding.is_ascending:
        return binding.text
    if isinstance(binding, Row) and binding.is_ascending:
        return binding.mask
    raise Unsupported("a set in an order of its own as an argument of a move", parameter.span)


def bound(lowering: Lowering, parameter: model.RuleParameter, text: str, body: Body) -> Scalar | Mask:
    """A fresh name for an argument of a move, given as by :func:`argument`."""
    base = strip_none(parameter.type).base
    if not isinstance(base, SetType):
        return lowering.bind(body, code_of(parameter.type, text), "a")
    return Mask(lowering.text.let(body, "a", text, "bits"), base.element)


def binders_of(rule: Rule) -> tuple[Binder, ...]:
    """The parameters of a rule with their guards."""
    return tuple(
        Binder(parameter.slot, parameter.name, parameter.domain, tests=rule.guards[k + 1])
        for k, parameter in enumerate(rule.parameters)
    )


def candidates(
    lowering: Lowering,
    rule: Rule,
    env: Env,
    body: Body,
    inner: Callable[[Env], None],
    loop: loops.Loops = loops.bindings,
) -> None:
    """Loops over all bindings of a rule that meet its guards."""
    try:
        with lowering.provided(rule.guards[0], env, body):
            loop(lowering, binders_of(rule), env, body, inner)
    except Unsupported as beyond:
        beyond.locate(rule.span)
        raise


def ensured(
    lowering: Lowering, phase: model.Phase, rule: Rule, env: Env, body: Body, inner: Callable[[], None]
) -> None:
    """``inner`` under the condition that ``ensuring`` holds after the effects, which are applied to a copy of the
    state."""
    if rule.ensuring is None:
        inner()
        return
    scratch = lowering.text.local(body, "T", "state")
    number = lowering.moves.of(phase.name, rule.name).number
    arguments = "".join(f", {argument(lowering, env, parameter)}" for parameter in rule.parameters)
    body.line(f"{scratch} = scratch()")
    body.line(f"copy({scratch}, S, {lowering.layout.size})")
    body.line(f"body_{number}(C, {scratch}{arguments})")
    lowering.is_deciding = True
    condition = lowering.condition(rule.ensuring, env)
    lowering.is_deciding = False
    with body.block(f"if {lowering.text.lift('ensured', Body(), condition, state=scratch)}"):
        inner()
