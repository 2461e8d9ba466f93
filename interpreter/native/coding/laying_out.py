"""Laying out the states of a model: the slots of :mod:`.layout`, and how each variable is kept in them."""

from __future__ import annotations

from typing import Final

from zermelo.interpreter.model import Compare, Earn, Expr, Model, Together, Variable
from zermelo.interpreter.model.compatibility import common_type
from zermelo.interpreter.model.liveness import remembered_names
from zermelo.interpreter.model.rewriting import walk
from zermelo.interpreter.model.walks import blocks, expressions, statements
from zermelo.interpreter.native.coding.encoding import encode, is_set, storage_of, universe
from zermelo.interpreter.native.coding.layout import PHASE, Index, Place, StateLayout
from zermelo.interpreter.native.coding.number_codes import code_bounds, number_type
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.types import SetType, Type, strip_none

_PLANES_LIMIT: Final = 512
_PLANE_WIDTH: Final = 6
_NUMBER_WIDTH: Final = 4
"""The most planes of a number: wider ones are used in arithmetic rather than queried all at once."""

_STATE_BITS: Final = 1 << 19
"""The most bits of a state: compiled code keeps several on the stack of its thread."""


def lay_out(model: Model, move_bits: int, width: int = 64) -> StateLayout:
    """The layout for a model whose moves are numbers of ``move_bits`` bits, with slots of at least ``width`` bits, a
    multiple of 64."""
    phases = tuple(model.phases.values())
    layout = StateLayout(model, phases)
    players = len(model.players)
    layout.pieces.append((PHASE, len(phases).bit_length()))
    layout.size = 2
    layout.arguments = layout.size
    layout.most_arguments = max((len(phase.parameters) for phase in phases), default=0)
    for k in range(layout.most_arguments):
        widths = [storage_of(phase.parameters[k].type).width for phase in phases if len(phase.parameters) > k]
        layout.pieces.append((layout.size, max(widths)))
        layout.size += 1
    layout.payoffs = layout.size
    layout.size += players
    if any(isinstance(statement, Earn) for block in blocks(model) for statement in statements(block)):
        layout.earnings = layout.size
        layout.size += players
    if model.discount != 1:
        layout.decisions = layout.size
        layout.size += 2
    if any(isinstance(phase.decision, Together) for phase in phases):
        layout.choices = layout.size
        layout.pieces.extend((layout.choices + k, move_bits + 1) for k in range(players))
        layout.size += players
        layout.waiting = layout.size
        layout.pieces.append((layout.waiting, players))
        layout.size += 1
    if model.history:
        layout.history = layout.size
        layout.size += 1
    widest = max(width, *(piece for _, piece in layout.pieces_of_phase), 0)
    for variable in model.variables:
        try:
            place = _place(variable, layout.size, width)
        except Unsupported as beyond:
            beyond.locate(variable.span)
            raise
        layout.places[variable] = place
        layout.size += place.slots
        widest = max(widest, place.slot_width)
        if place.per_slot > 1 and not variable.is_constant:
            layout.packed.append(place)
        elif not variable.is_constant:
            layout.pieces.extend(layout.pieces_of((variable,)))
    layout.names = layout.size
    layout.size += max((phase.frame_size for phase in phases), default=0)
    widest = max([widest, *(_mask_width(expr) for whole in expressions(model) for expr in walk(whole))])
    if widest > width:
        return lay_out(model, move_bits, -(-widest // 64) * 64)
    layout.width = width
    remembered = {slot for phase in phases for slot in remembered_names(phase)}
    layout.remembered = tuple(sorted(map(layout.name_slot, remembered)))
    layout.pieces.extend((slot, width) for slot in layout.remembered)
    if layout.size * layout.width > _STATE_BITS:
        raise Unsupported(f"a state of {layout.size * layout.width // 8} bytes")
    return layout


def _mask_width(expr: Expr) -> int:
    """The width of the widest mask in the lowering of an expression: intermediate sets, too, must fit into a word."""
    if isinstance(expr, Compare) and is_set(expr.left.type) and is_set(expr.right.type):
        return _universe_size(common_type(_members(expr.left.type), _members(expr.right.type)))
    return _universe_size(_members(expr.type)) if is_set(expr.type) else 0


def _members(type: Type) -> Type:
    """The innermost element type of nested sets."""
    base = strip_none(type).base
    return _members(base.element) if isinstance(base, SetType) else type


def _universe_size(element: Type) -> int:
    try:
        return universe(element)[1]
    except Unsupported:
        return 0  # such a set has no mask: lowered code loops over it, or refuses it


def _place(variable: Variable, first: int, width: int) -> Place:
    storage = storage_of(variable.type, has_unset=not variable.has_initial)
    indices = tuple(map(_index, variable.indices))
    extent = 1
    for index in indices:
        extent *= index.extent
    if number_type(variable.type) is None:
        is_small = not is_set(variable.type) and storage.width <= _PLANE_WIDTH
    else:
        is_small = storage.width <= _NUMBER_WIDTH and storage.width < extent
    is_planes = bool(indices) and is_small and extent <= _PLANES_LIMIT
    per_slot = 1
    while extent > _PLANES_LIMIT and not is_planes and 2 * per_slot * storage.width <= width:
        per_slot *= 2
    return Place(variable, first, indices, extent, storage, is_planes, per_slot)


def _index(type: Type) -> Index:
    base = number_type(type)
    if base is None:
        return Index(type, *universe(type))
    members = [encode(value, base) for value in strip_none(type).members]
    low, high = (min(members), max(members)) if members else code_bounds(base)
    return Index(type, low, high - low + 1)
