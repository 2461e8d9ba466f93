"""Built-in functions and tables in braces, lowered to tables indexed by names for their arguments."""

from __future__ import annotations

from attrs import evolve

from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding.encoding import is_set
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.expressions.bindings import Env
from zermelo.interpreter.native.expressions.lowering import Lowering


def table_of_sets(lowering: Lowering, expr: model.Apply | model.Lookup, env: Env) -> str | None:
    """A function with a set as its value, and arguments that may depend on the state, as a table of masks."""
    body = Body()
    found = with_names(lowering, expr, env, body)
    if found is None:
        return None
    named, names = found
    table = lowering.tabulated_mask(named, names, 4096)
    if table is None or not body.lines:
        return table
    return lowering.text.lift("at", body, table, "bits")


def with_names(
    lowering: Lowering, expr: model.Apply | model.Lookup, env: Env, body: Body
) -> tuple[model.Apply | model.Lookup, Env] | None:
    """The application with names in place of its arguments, which are assigned in the body."""
    names: Env = {}
    arguments: list[Expr] = []
    for k, argument in enumerate(expr.arguments if isinstance(expr, model.Apply) else (expr.key,)):
        if isinstance(argument, model.Const):
            arguments.append(argument)
        elif is_set(argument.type):
            return None
        else:
            names[k] = lowering.bind(body, lowering.scalar(argument, env), "a")
            arguments.append(model.Local(k, f"a{k}", type=argument.type, span=argument.span))

    def named() -> model.Apply | model.Lookup:
        if isinstance(expr, model.Lookup):
            return evolve(expr, key=arguments[0])
        return evolve(expr, arguments=tuple(arguments))

    return lowering.tabulation.variant(expr, named), names
