"""Whether a set is in the order of its type, so that loops can run along its mask."""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding.encoding import encode, is_set, set_element
from zermelo.interpreter.native.expressions.bindings import Env, Listing, Mask, Row, Thunk


def is_ascending(expr: Expr, env: Env) -> bool:
    """Whether a set is surely in the order of its type."""
    match expr:
        case model.Const(value=value):
            if is_set(set_element(expr.type)):
                return False
            codes = [encode(item, set_element(expr.type)) for item in value]
            return codes == sorted(codes)
        case model.SetOperation() | model.MakeSet() | model.Reach() | model.RangeSet() | model.Read() | model.Chosen():
            return True
        case model.Comprehension(element=model.Local(slot=slot), binders=(binder,)):
            return slot == binder.slot and is_ascending(binder.domain, env)
        case model.If(yes=yes, no=no):
            return is_ascending(yes, env) and is_ascending(no, env)
        case model.Let(body=body):
            return is_ascending(body, {**env, expr.slot: Thunk(expr.value, env)})
        case model.Call(define=define):
            inner: Env = {k: Thunk(a, env) for k, a in enumerate(expr.arguments) if is_set(a.type)}
            return is_ascending(define.body, inner)
        case model.Local(slot=slot):
            binding = env.get(slot)
            if isinstance(binding, Thunk):
                return is_ascending(binding.expr, binding.env)
            return isinstance(binding, Mask | Row) and binding.is_ascending
        case model.Apply(function="leaps"):
            return True
        case model.Quantified(quantifier="first" | "last", binders=(binder,)):
            return are_ascending(binder.domain, env)
        case _:
            return False


def are_ascending(expr: Expr, env: Env) -> bool:
    """Whether every set in a set of sets is surely in the order of its type."""
    match expr:
        case model.Const(value=value):
            of_sets = set_element(expr.type)
            return all(is_ascending(model.Const(row, type=of_sets, span=expr.span), env) for row in value)
        case model.Subsets():
            return True
        case model.Comprehension(binders=(binder,)) if expr.is_part:
            return are_ascending(binder.domain, env)
        case model.Comprehension(element=element, binders=binders):
            outer = {slot: binding for slot, binding in env.items() if all(slot != each.slot for each in binders)}
            return is_ascending(element, outer)
        case model.MakeSet(items=items):
            return all(is_ascending(item, env) for item in items)
        case model.SetOperation(left=left, right=right):
            return are_ascending(left, env) and are_ascending(right, env)
        case model.If(yes=yes, no=no):
            return are_ascending(yes, env) and are_ascending(no, env)
        case model.Let(slot=slot, value=value, body=inside):
            return are_ascending(inside, {**env, slot: Thunk(value, env)})
        case model.Call(define=define, arguments=arguments):
            return are_ascending(define.body, {k: Thunk(a, env) for k, a in enumerate(arguments) if is_set(a.type)})
        case model.Local(slot=slot):
            binding = env.get(slot)
            if isinstance(binding, Thunk):
                return are_ascending(binding.expr, binding.env)
            return isinstance(binding, Listing) and binding.is_ascending
        case _:
            return False
