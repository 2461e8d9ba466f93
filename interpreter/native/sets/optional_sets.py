"""Sets that may be none: a player's choice in a ``together``, an entry of a variable.

A mask cannot be none. Where the set itself is needed, none is an error, and the mask includes that check. Whether the
set is none is a separate condition, which :func:`is_none` gives without evaluating the set.
"""

from __future__ import annotations

from attrs import evolve

from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.coding import encoding
from zermelo.interpreter.native.coding.encoding import Storage, set_element
from zermelo.interpreter.native.coding.layout import Place
from zermelo.interpreter.native.coding.moves import RuleCode
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported, described
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Row, Thunk
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.storing import stored_set
from zermelo.interpreter.native.expressions.variables import position_of_entry, stored_text
from zermelo.interpreter.native.sets.names import define_names, let_names
from zermelo.interpreter.types import BOOL, NoneType, OptionalType, Type


def is_none(lowering: Lowering, expr: Expr, env: Env) -> str:
    """Whether a set is none, as a condition."""
    if not isinstance(expr.type, OptionalType):
        return str(int(isinstance(expr.type, NoneType)))
    match expr:
        case model.Const(value=value):
            return str(int(value is None))
        case model.Local(slot=slot):
            binding = env.get(slot)
            if isinstance(binding, Thunk):
                return is_none(lowering, binding.expr, binding.env)
            assert isinstance(binding, Mask | Row), "a name of a set"
            return binding.none if isinstance(binding, Mask) else "0"
        case model.Read(variable=variable, indices=indices):
            at, may_miss = position_of_entry(lowering, lowering.layout.places[variable], indices, env)
            return _read_none(lowering, lowering.layout.places[variable], at, may_miss, expr.span)
        case model.Chosen():
            return f"(not {has_chosen(lowering, expr, env)})"
        case model.If():
            yes, no = is_none(lowering, expr.yes, env), is_none(lowering, expr.no, env)
            return f"({yes} if {lowering.condition(expr.condition, env)} else {no})"
        case model.Call(define=define):
            body = Body()
            result = is_none(lowering, define.body, define_names(lowering, expr, env, body))
            return lowering.text.lift(define.name, body, result)
        case model.Quantified():
            return lowering.condition(evolve(expr, quantifier="no", type=BOOL), env)
        case model.Let():
            body = Body()
            result = is_none(lowering, expr.body, let_names(lowering, body, expr, env))
            return lowering.text.lift("let", body, result)
        case _:
            raise Unsupported(f"testing whether {described(expr)} that is a set is none")


def set_of_name(lowering: Lowering, binding: Mask, span: Span) -> str:
    """The set bound to a name."""
    if binding.none == "0":
        return binding.text
    helper = lowering.check("some_set")
    return f"{helper}(C, {binding.text}, {binding.none}, {lowering.text.site('none-value', span)})"


def nothing(lowering: Lowering, expr: model.Const, env: Env) -> str:
    """The error for a set that is none, with a substitute mask."""
    helper = lowering.check("no_set")
    return f"{helper}(C, {lowering.text.site('none-value', expr.span)})"


def set_at_entry(lowering: Lowering, place: Place, at: str, span: Span) -> str:
    """The set at an entry; a negative entry is an error."""
    storage = place.storage
    body = Body()
    body.fail_if("at < 0", "site", 0)
    _read_stored(lowering, place, body)
    if storage.has_none:
        body.fail_if(f"m == {storage.put(storage.none)}", "site", 0)
    head = "(C: ints[CONTEXT], S: state, at: int, site: int, unset: int) -> bits"
    sites = f"{lowering.text.site('none-value', span)}, {lowering.text.site('unset-variable', span)}"
    return f"{lowering.text.apart('read_set', head, body, storage.take_text('m'))}(C, S, {at}, {sites})"


def _read_none(lowering: Lowering, place: Place, at: str, may_miss: bool, span: Span) -> str:
    """The condition that an entry is none or does not exist."""
    storage = place.storage
    if not storage.marks:
        return f"({at} < 0)" if may_miss else "0"
    body = Body()
    body.return_if("at < 0", 1)
    _read_stored(lowering, place, body)
    head = "(C: ints[CONTEXT], S: state, at: int, unset: int) -> int"
    is_no_set = f"m == {storage.put(storage.none)}" if storage.has_none else 0
    helper = lowering.text.apart("is_no_set", head, body, is_no_set)
    return f"{helper}(C, S, {at}, {lowering.text.site('unset-variable', span)})"


def _read_stored(lowering: Lowering, place: Place, body: Body) -> None:
    """The entry ``at`` in its stored form, as ``m``; it must not be unset."""
    body.line(f"m: bits = {stored_text(lowering, place, 'at')}")
    if place.storage.has_unset:
        body.fail_if("m == 0", "unset", 0)


def set_held(type: Type, text: str) -> Mask:
    """The set in a place of this type, from its stored form."""
    storage = encoding.storage_of(type)
    none = f"({text} == {storage.put(storage.none)})" if storage.has_none else "0"
    return Mask(storage.take_text(text), set_element(type), True, none)


def set_to_store(lowering: Lowering, expr: Expr, env: Env, type: Type, storage: Storage) -> str:
    """The stored form of a set, perhaps none, in a place of this type."""
    if isinstance(expr.type, NoneType):
        return str(storage.put(storage.none))
    text = storage.put_text(stored_set(lowering, expr, env, type))
    if not isinstance(expr.type, OptionalType) or not isinstance(type, OptionalType):
        return text
    return f"({storage.put(storage.none)} if {is_none(lowering, expr, env)} else {text})"


def has_chosen(lowering: Lowering, expr: model.Chosen, env: Env) -> str:
    """The condition that a player chose the rule."""
    body, code = _choice(lowering, expr)
    is_chosen = f"x >= 0 and {lowering.moves.rule_text('x')} == {code.number}"
    helper = lowering.text.apart("chosen", "(S: state, p: int) -> int", body, is_chosen)
    return f"{helper}(S, {lowering.whole(expr.player, env)})"


def chosen_set(lowering: Lowering, expr: model.Chosen, env: Env) -> str:
    """The set chosen by a player."""
    body, argument, is_another = argument_chosen(lowering, expr)
    body.fail_if(is_another, "site", 0)
    head = "(C: ints[CONTEXT], S: state, p: int, site: int) -> bits"
    helper = lowering.text.apart("choice", head, body, argument)
    site = lowering.text.site("none-value", expr.span)
    return f"{helper}(C, S, {lowering.whole(expr.player, env)}, {site})"


def argument_chosen(lowering: Lowering, expr: model.Chosen) -> tuple[Body, str, str]:
    """A body that reads the choice of player ``p``; the argument in it, and the condition that ``p`` chose another rule
    or none."""
    assert expr.parameter is not None
    body, code = _choice(lowering, expr)
    is_another = f"x < 0 or {lowering.moves.rule_text('x')} != {code.number}"
    return body, code.argument_text("x", expr.parameter), is_another


def _choice(lowering: Lowering, expr: model.Chosen) -> tuple[Body, RuleCode]:
    """A body that reads the choice of player ``p`` as ``x``, a move or -1, and the code of the rule that is meant."""
    choices = lowering.layout.choices
    assert choices is not None
    body = Body()
    body.line(f"x: int = S[{choices} + p] - 1")
    return body, lowering.moves.of(lowering.layout.phases[lowering.phase].name, expr.rule.name)
