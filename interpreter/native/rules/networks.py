"""A network as an estimate, in the dialect: :mod:`zermelo.interpreter.model.networks` says what it computes."""

from __future__ import annotations

from fractions import Fraction
from math import lcm

from zermelo.interpreter.model.game import InputUnit, Network, Perspective
from zermelo.interpreter.model.networks import MOST, ONE
from zermelo.interpreter.native.dialect.lowered_text import Body, Unsupported
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.variables import positions
from zermelo.interpreter.native.state_encoding.encoding import (
    Storage,
    encode,
    extent,
    set_element,
    step_of,
    storage_of,
)
from zermelo.interpreter.native.state_encoding.state_layout import PHASE, Place
from zermelo.interpreter.types import NumberType, Type, strip_none

_LARGEST = 1 << 12
"""The bound on payoffs times their denominator: estimates over ``2 * ONE`` times that have fewer than 30 bits."""


_SQUASHED = f"""(z: int) -> int:
    a: int = min(z if z >= 0 else -z, {MOST})
    f: int = {ONE} - {ONE**3} // ({ONE**2} + a * {ONE} + a * a)
    return f if z >= 0 else -f
"""


def network_functions(lowering: Lowering, network: Network) -> int:
    """Write ``estimate`` by a network, and ``features``, which are its units; returns the denominator of estimates."""
    units_function(lowering, network)
    text, size = lowering.text, len(network.output) - 1
    over = lcm(*(Fraction(amount).denominator for amount in (network.low, network.high, network.total)))
    low, high, total = (int(amount * over) for amount in (network.low, network.high, network.total))
    if max(map(abs, (low, high, total))) > _LARGEST:
        raise Unsupported("payoffs so large, in an estimate by a network")
    weights = text.table(tuple(weight for row in network.hidden for weight in row))
    outputs = text.table(network.output)
    squash = text.share("squashed", _SQUASHED)
    body = Body()
    body.line(f"X = array({len(network.units)})")
    body.line(f"H = array({size})")
    body.line("viewer: int = features(C, S, 0, X)")
    with body.block(f"for j in range({size})"):
        body.line("H[j] = 0")
    rows, active, columns = f"for i in range({len(network.units)})", "if X[i] != 0", f"for j in range({size})"
    with body.block(rows), body.block(active), body.block(columns):
        body.line(f"H[j] += X[i] * {weights}[i * {size} + j]")
    body.line(f"z = {outputs}[{size}]")
    with body.block(f"for j in range({size})"):
        body.line(f"z += {outputs}[j] * {squash}(H[j]) // {ONE}")
    body.line(f"f = {squash}(z)")
    body.line(f"v = {low} * ({ONE} - f) + {high} * ({ONE} + f)")
    text.function(
        "estimate(C: ints[CONTEXT], S: state, p: int) -> int", body, f"v if p == viewer else {2 * ONE * total} - v"
    )
    return 2 * ONE * over


def units_function(lowering: Lowering, network: Network) -> None:
    """Write ``features``, which writes the units of a position, and says who looks at it."""
    body, read = Body(), ""
    body.line("c: int = 0")
    body.line(f"viewer: int = {_viewer_text(lowering, network.perspective)}")
    places = [str(k) for k in range(len(network.units))]
    if network.perspective is not None:
        mirror = lowering.text.table((*range(len(places)), *network.perspective.mirror))
        body.line(f"first: int = viewer * {len(places)}")
        places = [f"{mirror}[first + {k}]" for k in range(len(places))]
    for place, unit in zip(places, network.units, strict=True):
        if unit.kind in ("one", "phase"):
            body.line(f"X[{place}] = {'1' if unit.kind == 'one' else _is_phase(lowering, unit.phase)}")
            continue
        stored, type, storage = _place_of(lowering, unit)
        if unit.kind == "has":
            element = set_element(type)
            bit = storage.marks + encode(unit.value, element) - extent(element)[0]
            told = f"{stored} >> {bit} & 1"
        else:
            if stored != read:
                body.line(f"c = {stored}")
                read = stored
            told = _told_text(unit, type, storage)
        elsewhere = "" if unit.variable else f" if {_is_phase(lowering, unit.phase)} else 0"
        body.line(f"X[{place}] = ({told}){elsewhere}")
    lowering.text.function("features(C: ints[CONTEXT], S: state, p: int, X: ints[TERMS]) -> int", body, "viewer")


def _viewer_text(lowering: Lowering, perspective: Perspective | None) -> str:
    """Who looks at a position."""
    found = "0"
    for phase, place in () if perspective is None else perspective.viewers.items():
        stored = f"S[{lowering.layout.arguments + place}]"
        found = f"{stored} if {_is_phase(lowering, phase)} else {found}"
    return found


def _is_phase(lowering: Lowering, name: str) -> str:
    number = next(k for k, phase in enumerate(lowering.layout.phases) if phase.name == name)
    return f"S[{PHASE}] == {number}"


def _place_of(lowering: Lowering, unit: InputUnit) -> tuple[str, Type, Storage]:
    """The stored value of the place at which a unit looks, its type, and how it is stored."""
    layout = lowering.layout
    if unit.variable:
        variable = next(each for each in layout.places if each.name == unit.variable)
        place = layout.places[variable]
        return _stored(place, positions(place)[unit.place]), variable.type, place.storage
    type = lowering.model.phases[unit.phase].parameters[unit.place].type
    return f"S[{layout.arguments + unit.place}]", type, storage_of(type)


def _stored(place: Place, at: int) -> str:
    """The stored value of an entry."""
    if place.is_planes:
        bits = (f"(S[{place.first + k}] >> {at} & 1) << {k}" for k in range(place.storage.width))
        return " | ".join(f"({bit})" for bit in bits)
    slot = f"S[{place.first + at // place.per_slot}]"
    if place.per_slot == 1:
        return slot
    width = place.storage.width
    return f"{slot} >> {at % place.per_slot * width} & {(1 << width) - 1}"


def _told_text(unit: InputUnit, type: Type, storage: Storage) -> str:
    """What a unit says of the stored value ``c``. Those that are none or unset are the least ones."""
    code = storage.put(encode(unit.value, type))
    if unit.kind == "is":
        return f"1 if c == {code} else 0"
    if unit.kind == "over":
        return f"1 if c > {code} else 0"
    base = strip_none(type).base
    assert isinstance(base, NumberType), "only numbers are beyond others"
    return f"(c - {code}) // {step_of(base)} if c > {code} else 0"
