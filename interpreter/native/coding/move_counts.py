"""How many moves or outcomes a decision has, as far as its rules tell before play, and for how many there is room."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache
from math import prod
from typing import Final

from attrs import frozen

from zermelo.interpreter.errors import EvaluationError
from zermelo.interpreter.evaluation.context import Context
from zermelo.interpreter.evaluation.expressions import Compiler
from zermelo.interpreter.evaluation.set_sizes import size_bounds
from zermelo.interpreter.model import Rule
from zermelo.interpreter.model.rewriting import bound_slots, free_slots, reads_state, slots
from zermelo.interpreter.native.coding.encoding import is_set
from zermelo.interpreter.native.coding.subset_ranks import most_values

ROOM: Final = 1 << 10
"""How many moves or outcomes of one decision there is room for at first: more than nearly all games have, few enough
for every level of a search to have a list of its own."""

MORE_ROOM: Final = 1 << 14
"""For how many, once a decision has had more: rules are then lowered again."""


@frozen
class Pool:
    """How many bindings a rule has, before its guards: at least, and at most so many values of each parameter.
    ``is_even`` tells of which parameters that is exact."""

    rule: Rule
    least: int
    most: tuple[int, ...]
    is_even: tuple[bool, ...]


def pool(rule: Rule) -> Pool:
    """What is known of the size of a rule before play."""
    least, most, is_even = 1, [], []
    for k, parameter in enumerate(rule.parameters):
        earlier = {other.slot: other.domain for other in rule.parameters[:k]}
        low, high = 0, most_values(parameter.domain)
        if not reads_state(parameter.domain) and free_slots(parameter.domain) <= earlier.keys():
            frame_size = 1 + max(slots(parameter.domain) | bound_slots(parameter.domain) | {-1})
            with suppress(EvaluationError):  # a domain that goes wrong does so when it is needed
                low, known = size_bounds(Compiler(), parameter.domain, earlier)(Context(()), [None] * frame_size)
                high = high if known is None else min(high, known)
        least *= low
        most.append(high)
        is_even.append(low == high)
    return Pool(rule, least, tuple(most), tuple(is_even))


def is_large(rules: tuple[Rule, ...]) -> bool:
    """Whether there are surely more bindings, before guards, than a list at first has room for."""
    return sum(pool(rule).least for rule in rules) > ROOM


def may_be_large(rules: tuple[Rule, ...]) -> bool:
    """Whether there is reason to expect more bindings than a list at first has room for: the bound on them is high, and
    some are subsets, which soon are many."""
    has_subsets = any(is_set(parameter.type) for rule in rules for parameter in rule.parameters)
    return is_large(rules) or (has_subsets and sum(prod(pool(rule).most) for rule in rules) > ROOM)


@lru_cache(maxsize=4)
def is_endless(rules: tuple[Rule, ...]) -> bool:
    """Whether a decision surely has more moves or outcomes than any list has room for. Kept, since it is asked for at
    every rule of the decision."""
    return sum(pool(rule).least for rule in rules if not any(rule.guards) and rule.ensuring is None) > MORE_ROOM
