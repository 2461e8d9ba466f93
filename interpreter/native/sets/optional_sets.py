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
from zermelo.interpreter.native.expressions.admission import define_names, let_names
from zermelo.interpreter.native.expressions.bindings import Env, Mask, Row, Thunk
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.storing import stored_set
from zermelo.interpreter.native.expressions.variables import position_of_entry, stored_text
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
            body.line(f"return {is_none(lowering, define.body, define_names(lowering, expr, env, body))}")
            return lowering.text.lift(define.name, body)
        case model.Quantified():
            return lowering.condition(evolve(expr, quantifier="no", type=BOOL), env)
        case model.Let():
            body = Body()
            body.line(f"return {is_none(lowering, expr.body, let_names(lowering, body, expr, env))}")
            return lowering.text.lift("let", body)
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
    lines = ["if at < 0:", *_failing("    "), "    return 0", f"m: bits = {stored_text(lowering, place, 'at')}"]
    lines += _checked_set(place)
    if storage.has_none:
        lines += [f"if m == {storage.put(storage.none)}:", *_failing("    "), "    return 0"]
    lines.append(f"return {storage.take_text('m')}")
    parameters = "C: ints[CONTEXT], S: state, at: int, site: int, unset: int"
    sites = f"{lowering.text.site('none-value', span)}, {lowering.text.site('unset-variable', span)}"
    return f"{lowering.helper('read_set', parameters, lines, 'bits')}(C, S, {at}, {sites})"


def _read_none(lowering: Lowering, place: Place, at: str, may_miss: bool, span: Span) -> str:
    """The condition that an entry is none or does not exist."""
    storage = place.storage
    if not storage.marks:
        return f"({at} < 0)" if may_miss else "0"
    lines = ["if at < 0:", "    return 1", f"m: bits = {stored_text(lowering, place, 'at')}", *_checked_set(place)]
    lines.append(f"return m == {storage.put(storage.none)}" if storage.has_none else "return 0")
    helper = lowering.helper("is_no_set", "C: ints[CONTEXT], S: state, at: int, unset: int", lines)
    return f"{helper}(C, S, {at}, {lowering.text.site('unset-variable', span)})"


def _checked_set(place: Place) -> list[str]:
    """The check that an entry is not unset."""
    if not place.storage.has_unset:
        return []
    return ["if m == 0:", "    if C[0] == 0:", "        C[0] = unset", "    return 0"]


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
    choices, code = _choice(lowering, expr)
    lines = [f"x: int = S[{choices} + p] - 1", f"return x >= 0 and {lowering.moves.rule_text('x')} == {code.number}"]
    helper = lowering.helper("chosen", "S: state, p: int", lines)
    return f"{helper}(S, {lowering.whole(expr.player, env)})"


def chosen_set(lowering: Lowering, expr: model.Chosen, env: Env) -> str:
    """The set chosen by a player."""
    choices, code = _choice(lowering, expr)
    assert expr.parameter is not None, "a set is an argument of a choice"
    lines = [
        f"x: int = S[{choices} + p] - 1",
        f"if x < 0 or {lowering.moves.rule_text('x')} != {code.number}:",
        *_failing("    "),
        "    return 0",
        f"return {code.argument_text('x', expr.parameter)}",
    ]
    helper = lowering.helper("choice", "C: ints[CONTEXT], S: state, p: int, site: int", lines, "bits")
    site = lowering.text.site("none-value", expr.span)
    return f"{helper}(C, S, {lowering.whole(expr.player, env)}, {site})"


def _choice(lowering: Lowering, expr: model.Chosen) -> tuple[int, RuleCode]:
    choices = lowering.layout.choices
    assert choices is not None
    return choices, lowering.moves.of(lowering.layout.phases[lowering.phase].name, expr.rule)


def _failing(indent: str) -> list[str]:
    return [f"{indent}if C[0] == 0:", f"{indent}    C[0] = site"]
