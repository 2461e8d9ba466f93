"""Statements that assign one value to many entries, on masks: to all of a variable (``board := none``) or to those of a
set (``for t in flipped: board[t] := p``)."""

from __future__ import annotations

from zermelo.interpreter import model
from zermelo.interpreter.model.rewriting import free_slots
from zermelo.interpreter.native.coding.encoding import is_set, universe
from zermelo.interpreter.native.coding.layout import Place
from zermelo.interpreter.native.dialect.templates import instantiate
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.admission import admitted
from zermelo.interpreter.native.expressions.bindings import Env
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.storing import positions
from zermelo.interpreter.native.expressions.variables import needs_check
from zermelo.interpreter.native.sets import conditions, optional_sets
from zermelo.interpreter.native.sets import selections as selecting
from zermelo.interpreter.storage import admission_test
from zermelo.interpreter.types import NoneType, OptionalType


def fill_selected(lowering: Lowering, statement: model.For, env: Env, body: Body) -> bool:
    """Lower a loop of this kind, if nothing in it can fail; whether that was possible. Then neither the order of the
    set matters nor its evaluation before the first assignment."""
    if len(statement.binders) != 1 or len(statement.body) != 1:
        return False
    (binder,), (assign,) = statement.binders, statement.body
    if not isinstance(assign, model.Assign) or assign.path or len(assign.indices) != 1:
        return False
    (index,), place = assign.indices, lowering.layout.places[assign.variable]
    type, value = assign.variable.type, assign.value
    if (
        not place.is_planes
        or not isinstance(index, model.Local)
        or index.slot != binder.slot
        or binder.slot in free_slots(value)
        or not conditions.is_plain(value)
        or isinstance(value, model.Read)
        or needs_check(assign.variable.indices[0], index.type)
        or universe(lowering.element(binder.domain))[0] != place.indices[0].bias
        or not (isinstance(value.type, NoneType) or admission_test(type, value.type) is None)
    ):
        return False
    given = lowering.scalar(value, env, type)
    if given.has_none and not isinstance(type, OptionalType):
        return False
    chosen = selecting.selected(lowering, binder, env)
    if chosen is None:
        if binder.stop is not None or binder.tests:
            return False
        try:
            chosen = lowering.mask(binder.domain, env)
        except Unsupported:
            return False
    body.line(f"{_fill_planes(lowering, place)}(S, {chosen}, {place.storage.put_text(given.text)})")
    return True


def fill(lowering: Lowering, statement: model.Fill, env: Env, body: Body) -> None:
    """Assign a value to all entries of a variable."""
    variable = statement.variable
    place = lowering.layout.places[variable]
    if is_set(variable.type):
        text = optional_sets.set_to_store(lowering, statement.value, env, variable.type, place.storage)
    else:
        value = lowering.scalar(statement.value, env, variable.type)
        value = admitted(lowering, value, statement.value.type, variable.type, "assigned-out-of-range", statement.span)
        text = place.storage.put_text(lowering.bind(body, value, "value").text)
    valid = positions(place)
    if place.is_planes:
        body.line(f"{_fill_planes(lowering, place)}(S, {sum(1 << at for at in valid)}, {text})")
    elif place.per_slot > 1:
        body.line(f"{_fill_packed(lowering, place, valid)}(S, {text})")
    else:
        slots = [place.first + at for at in valid]
        function = instantiate(lowering.text, "filling", SLOTS=slots, COUNT=len(slots))["fill"]
        body.line(f"{function}(S, {text})")


def _fill_planes(lowering: Lowering, place: Place) -> str:
    planes = place.storage.width
    return instantiate(lowering.text, "filling_planes", FIRST=place.first, PLANES=planes, FULL=lowering.full)["fill"]


def _fill_packed(lowering: Lowering, place: Place, valid: list[int]) -> str:
    width = place.storage.width
    entries = [0] * place.slots
    for at in valid:
        entries[at // place.per_slot] |= ((1 << width) - 1) << at % place.per_slot * width
    return instantiate(
        lowering.text, "filling_packed",
        FIRST=place.first, SLOTS=place.slots, WIDTH=width, DOUBLINGS=place.per_slot.bit_length() - 1, ENTRIES=entries,
    )["fill"]  # fmt: skip
