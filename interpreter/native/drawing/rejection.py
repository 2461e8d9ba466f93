"""Rejection sampling: drawing one of very many moves or outcomes without listing them.

For the method and its exactness see :mod:`zermelo.interpreter.reference.rejection`. The parameters of a rule are bound
one after the other, each to a value drawn from its domain. If a domain has n values, and at most N in any state, the
binding is accepted with probability n / N, so that all bindings of all rules are equally likely; an outcome of weight w
is accepted with probability w / W, where W bounds all weights. Guards and ``ensuring`` are tested last.

Each phase k with such a decision has a function ``draw_k(C, S, R)``, which returns a move or outcome, or -1 after too
many rejections.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from fractions import Fraction
from math import lcm, prod
from typing import Final

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr, Rule
from zermelo.interpreter.native.coding.encoding import is_set, plus, universe
from zermelo.interpreter.native.coding.move_counts import Pool, pool
from zermelo.interpreter.native.coding.number_codes import number_type, scale_of
from zermelo.interpreter.native.coding.subset_ranks import binomials, member_bounds
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.drawing.random_numbers import MOST_DRAWN, chosen_one, chosen_part
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering, TooNarrow
from zermelo.interpreter.native.rules.decisions import weight_of
from zermelo.interpreter.native.rules.rule import argument, binders_of, ensured, trial_names
from zermelo.interpreter.types import NumberType

_MOST_TRIES: Final = 1 << 14


def drawing_function(lowering: Lowering, phase: model.Phase, rules: tuple[Rule, ...], env: Env) -> bool:
    """Write ``draw_k`` for the current phase; False if its bindings cannot be drawn one by one."""
    body = Body()
    try:
        _draw(lowering, phase, [found for rule in rules if prod((found := pool(rule)).most)], env, body)
    except (Unsupported, TooNarrow):
        return False
    lowering.text.function(f"draw_{lowering.phase}(C: ints[CONTEXT], S: state, R: ints[1]) -> int", body, -1)
    return True


def _draw(lowering: Lowering, phase: model.Phase, pools: list[Pool], env: Env, body: Body) -> None:
    heaviest = [_heaviest(each.rule) for each in pools]
    scale = lcm(1, *(weight.denominator for weight in heaviest))
    shares = [int(prod(each.most) * weight * scale) for each, weight in zip(pools, heaviest, strict=True)]
    if len(pools) > 1 and sum(shares) >= MOST_DRAWN:
        raise Unsupported("a draw from so many")
    names = [trial_names(lowering, each.rule, env, body) for each in pools]
    text = lowering.text
    with body.block(f"for {text.local(body, 'i')} in range({_MOST_TRIES})"):
        share = text.let(body, "share", f"drawn(R, {sum(shares)})") if len(pools) > 1 else ""
        first = 0
        for each, now, weight, own in zip(pools, names, heaviest, shares, strict=True):
            with ExitStack() as blocks:
                if share:
                    blocks.enter_context(body.block(f"if {first} <= {share} and {share} < {first + own}"))
                blocks.enter_context(lowering.provided(each.rule.guards[0], now, body))
                _bind(lowering, phase, each, weight, 0, now, body)
            first += own


def _heaviest(rule: Rule) -> Fraction:
    """A bound on the weights of outcomes."""
    expr = rule.weight if rule.probability is None else rule.probability
    number = NumberType(1, 1) if expr is None else number_type(expr.type)
    if number is None or number.high is None or number.high <= 0:
        raise Unsupported("a weight without a bound")
    return Fraction(number.high)


def _bind(
    lowering: Lowering, phase: model.Phase, drawn: Pool, heaviest: Fraction, k: int, env: Env, body: Body
) -> None:
    """Draw the parameters from number k on, then test the binding."""
    rule = drawn.rule
    if k == len(rule.parameters):
        _keep(lowering, phase, rule, heaviest, env, body)
        return
    parameter, binder = rule.parameters[k], binders_of(rule)[k]
    count, value = _value(lowering, parameter.domain, env, body, drawn.is_even[k], drawn.most[k])
    with ExitStack() as blocks:
        if count is not None:
            blocks.enter_context(body.block(f"if drawn(R, {drawn.most[k]}) < {count}"))
        now = {**env, parameter.slot: value(body)}
        blocks.enter_context(lowering.provided(binder.tests, now, body))
        _bind(lowering, phase, drawn, heaviest, k + 1, now, body)


def _value(
    lowering: Lowering, domain: Expr, env: Env, body: Body, is_even: bool, most: int
) -> tuple[str | None, Callable[[Body], Mask | Scalar]]:
    """The number of values of a domain, None if it is fixed, and a writer of a draw from it."""
    text, element = lowering.text, lowering.element(domain)
    if not is_even and most >= MOST_DRAWN:
        raise Unsupported("a draw from so many")
    if not isinstance(domain, model.Subsets):
        if is_set(element):
            raise Unsupported("a draw from sets of sets")
        low, _ = universe(element)
        members = text.let(body, "members", lowering.mask(domain, env), "bits")

        def one(body: Body) -> Scalar:
            place = f"{chosen_one(lowering)}({members}, drawn(R, popcount({members})))"
            return lowering.bind(body, Scalar(plus(place, low), False, scale_of(element)), "x")

        return None if is_even else f"popcount({members})", one
    inner = lowering.element(domain.collection)
    _, most_chosen = member_bounds(domain, inner)
    _, size = universe(inner)
    members = text.let(body, "members", lowering.mask(domain.collection, env), "bits")
    chosen = text.let(body, "count", lowering.whole(domain.count, env))
    table = text.table(binomials(size, most_chosen))
    count = f"{table}[{chosen} * {size + 1} + popcount({members})]"
    count = f"({count} if {chosen} >= 0 and {chosen} <= {most_chosen} else 0)"

    def part(body: Body) -> Mask:
        return Mask(text.let(body, "part", f"{chosen_part(lowering)}(R, {members}, {chosen})", "bits"), inner)

    return None if is_even else count, part


def _keep(lowering: Lowering, phase: model.Phase, rule: Rule, heaviest: Fraction, env: Env, body: Body) -> None:
    """Return the binding if its weight accepts it and it is legal."""
    weight = weight_of(lowering, rule, env, body)
    most = heaviest * weight.scale
    if most.denominator != 1 or most >= MOST_DRAWN:
        raise Unsupported("a draw by such weights")
    code = lowering.moves.of(phase.name, rule.name)
    taken = f"return {code.text([argument(lowering, env, parameter) for parameter in rule.parameters])}"
    with ExitStack() as blocks:
        if most != 1 or weight.text != "1":
            blocks.enter_context(body.block(f"if drawn(R, {most}) < {weight.text}"))
        ensured(lowering, phase, rule, env, body, lambda: body.line(taken))
