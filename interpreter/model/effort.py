"""The cost of evaluating an expression, so that checking evaluates none that would take minutes.

The cost counts evaluations of innermost parts. It is an upper bound, as far as types bound the sizes of sets, and is
capped at :data:`TOO_MUCH`.
"""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.model.cardinality import most_members
from zermelo.interpreter.model.rewriting import subexpressions

TOO_MUCH = 3_000_000
"""Evaluations; some seconds."""


def effort(expr: model.Expr) -> int:
    """The number of evaluations in the expression, at most :data:`TOO_MUCH`."""
    return _effort(expr, {})


def _effort(expr: model.Expr, defines: dict[model.Define, int]) -> int:
    match expr:
        case model.Const() | model.Local():
            return 1
        case model.Quantified(binders=binders, body=body) | model.Comprehension(binders=binders, element=body):
            times, total = 1, 0
            for binder in binders:
                total += times * _effort(binder.domain, defines)
                times *= rounds(binder.domain)
                tests = [test for test in (binder.stop_condition, *binder.tests) if test is not None]
                total += times * sum(_effort(test, defines) for test in tests)
            total += times * _effort(body, defines)
        case model.Reach(start=start, step=step):
            total = _effort(start, defines) + rounds(expr) * _effort(step, defines)
        case model.RangeSet() | model.Subsets():
            total = rounds(expr) + sum(_effort(part, defines) for part in subexpressions(expr))
        case model.Call(define=callee, arguments=arguments):
            if callee not in defines:
                defines[callee] = _effort(callee.body, defines)
            total = defines[callee] + sum(_effort(argument, defines) for argument in arguments)
        case _:
            total = 1 + sum(_effort(part, defines) for part in subexpressions(expr))
    return min(total, TOO_MUCH)


def rounds(collection: model.Expr) -> int:
    """The most rounds of a loop over a set; :data:`TOO_MUCH` if unknown."""
    length = most_members(collection)
    return TOO_MUCH if length is None else length
