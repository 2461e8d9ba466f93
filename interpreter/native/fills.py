"""Loops that give all entries of a set the same value, on masks: ``for t in flipped: board[t] := p``."""

from __future__ import annotations

from interpreter import model
from interpreter.native import conditions, selecting
from interpreter.native.bindings import Env
from interpreter.native.encoding import universe
from interpreter.native.lowering import Lowering
from interpreter.native.text import Body
from interpreter.native.unsupported import Unsupported
from interpreter.native.variables import needs_check
from interpreter.reference.storage import fits
from interpreter.rewriting import free_slots
from interpreter.types import NoneType, OptionalType


def fill_selected(lowering: Lowering, statement: model.For, env: Env, body: Body) -> bool:
    """Lower the loop so, where it is of this kind and nothing in it can go wrong; whether it was.

    The order of the set does not count then, nor does it matter that the set is made before the first assignment.
    """
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
        or not (isinstance(value.type, NoneType) or fits(type, value.type) is None)
    ):
        return False
    given = lowering.scalar(value, env, type)
    if given.has_none and not isinstance(type, OptionalType):
        return False
    text = lowering.text
    chosen = selecting.selected(lowering, binder, env)
    if chosen is None:
        if binder.stop is not None or binder.tests:
            return False
        try:
            chosen = lowering.mask(binder.domain, env)
        except Unsupported:
            return False
    mask, stored = text.local(body, "entries", "bits"), text.local(body, "value")
    body.line(f"{mask}: bits = {chosen}")
    body.line(f"{stored}: int = {place.storage.put_text(given.text)}")
    for k in range(place.storage.width):
        plane = f"S[{place.first + k}]"
        without = f"{plane} & ({mask} ^ {lowering.full})"
        body.line(f"{plane} = ({plane} | {mask}) if ({stored} >> {k}) & 1 != 0 else ({without})")
    return True
