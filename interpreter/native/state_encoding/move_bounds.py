"""Static bounds on the number of moves or outcomes of a decision.

They are asked for while rules are lowered, and nothing that runs a lowered program needs them.
"""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from math import prod

from attrs import frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter.evaluation.context import Context, parameter_bounds
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.model import Rule
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads_state, slots
from zermelo.interpreter.native.state_encoding.encoding import is_set
from zermelo.interpreter.native.state_encoding.move_codes import MORE_ROOM, ROOM, most_arguments
from zermelo.interpreter.values import EvaluationError


@frozen(eq=False, repr=False)
class Pool(ByValue):
    """Bounds on the bindings of a rule, before its guards: the least number, and the most values of each parameter.
    ``is_even`` marks the parameters for which this is exact."""

    rule: Rule
    least: int
    most: tuple[int, ...]
    is_even: tuple[bool, ...]


def pool(rule: Rule) -> Pool:
    """The bounds for a rule that are known before play."""
    least, most, is_even = 1, [], []
    for k, parameter in enumerate(rule.parameters):
        earlier = {other.slot for other in rule.parameters[:k]}
        low, high = 0, most_arguments(parameter)
        if not reads_state(parameter.domain) and free_slots(parameter.domain) <= earlier:
            frame_size = 1 + max(slots(parameter.domain) | bound_slots(parameter.domain) | {-1})
            with suppress(EvaluationError):  # a faulty domain is reported when it is used
                low, known = parameter_bounds(Compiler(), rule, k)(Context(()), [None] * frame_size)
                high = high if known is None else min(high, known)
        least *= low
        most.append(high)
        is_even.append(low == high)
    return Pool(rule, least, tuple(most), tuple(is_even))


def is_large(rules: tuple[Rule, ...]) -> bool:
    """Whether there are surely more bindings, before guards, than :data:`ROOM`."""
    return sum(pool(rule).least for rule in rules) > ROOM


def may_be_large(rules: tuple[Rule, ...]) -> bool:
    """Whether more bindings than :data:`ROOM` are to be expected: the bound is high, and some parameters are subsets,
    whose number grows fast."""
    has_subsets = any(is_set(parameter.type) for rule in rules for parameter in rule.parameters)
    return is_large(rules) or (has_subsets and sum(prod(pool(rule).most) for rule in rules) > ROOM)


@lru_cache(maxsize=4)
def is_endless(rules: tuple[Rule, ...]) -> bool:
    """Whether a decision surely has more moves or outcomes than any list holds. Cached: asked for at every rule of the
    decision."""
    return sum(pool(rule).least for rule in rules if not any(rule.guards) and rule.ensuring is None) > MORE_ROOM
