"""Sightings: the entries of variables that a player sees for the first time, or with a new value."""

from __future__ import annotations

from collections.abc import Mapping, Set

from zermelo.interpreter.model import SeenBy, Variable
from zermelo.interpreter.native.coding.encoding import encode, is_set
from zermelo.interpreter.native.coding.layout import ACTOR, Place
from zermelo.interpreter.native.coding.observations import SEEN, WORD, Part, Perception
from zermelo.interpreter.native.dialect.text import Body
from zermelo.interpreter.native.dialect.unsupported import Unsupported
from zermelo.interpreter.native.expressions.bindings import Env, code_of
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.expressions.variables import stored_text
from zermelo.interpreter.types import OptionalType, strip_none
from zermelo.interpreter.values import Member


def put_sighting(body: Body, head: str, words: list[str]) -> None:
    """Write a head and the words after it."""
    body.write("R", "n", (head, *words))
    body.line(f"n += {len(words) + 1}")


def put_observation(body: Body, head: str, words: list[str]) -> None:
    """Write an observation with one head, preceded by its length."""
    put_sighting(body, str(len(words) + 1), [head, *words])


def words_of(part: Part, text: str) -> list[str]:
    """The words of a value, given in its stored form."""
    count = part.size - part.has_flag
    if count == 1:
        return [text]
    return [f"(({text}) >> {k * WORD}) & {(1 << WORD) - 1}" for k in range(count)]


def _entries(variable: Variable, place: Place) -> list[tuple[int, int, list[int]]]:
    """The entries of a variable: their positions, their numbers among the model's entries, their indices as codes."""
    found: list[tuple[int, list[int]]] = [(0, [])]
    for index in place.indices:
        codes = [encode(value, index.type) for value in strip_none(index.type).members]
        found = [(at * index.extent + code - index.bias, [*codes_before, code]) for at, codes_before in found
                 for code in codes]  # fmt: skip
    return sorted((at, variable.offset + k, codes) for k, (at, codes) in enumerate(found))


def _show_seen(lowering: Lowering, perception: Perception, variable: Variable, at: str, body: Body) -> None:
    place = perception.layout.places[variable]
    part = perception.seen_part(variable)
    head = perception.head(SEEN, perception.firsts[variable])
    scaled = f" + {perception.head(0, 1)} * {at}" if place.indices else ""
    put_sighting(body, f"{head}{scaled}", words_of(part, stored_text(lowering, place, at)))


def seen_always(
    lowering: Lowering, perception: Perception, variable: Variable, visible_to: Mapping[Member, Set[int]], body: Body
) -> None:
    """New values of a variable whose audience is fixed: each player sees the entries whose numbers in the model are in
    ``visible_to``."""
    place = perception.layout.places[variable]
    entries = _entries(variable, place)
    visible = [
        sum(1 << at for at, number, _ in entries if number in visible_to[player]) for player in perception.model.players
    ]
    if not any(visible):
        return
    if place.is_planes:
        masks = lowering.text.table(visible, "bits")
        differing = " | ".join(f"(S[{place.first + k}] ^ L[{place.first + k}])" for k in range(place.storage.width))
        changed = lowering.text.let(body, "changed", f"({differing or '0'}) & {masks}[p]", "bits")
        with lowering.each_member(body, changed) as at:
            _show_seen(lowering, perception, variable, at, body)
        return
    flags = lowering.text.table([mask >> at & 1 for mask in visible for at in range(place.extent)])
    if not place.indices:
        with body.block(f"if S[{place.first}] != L[{place.first}] and {flags}[p] != 0"):
            _show_seen(lowering, perception, variable, "0", body)
        return
    at = lowering.text.local(body, "at")
    with body.block(f"for {at} in range({place.extent})"):
        now, before = (stored_text(lowering, place, at, state) for state in ("S", "L"))
        changed = f"{now} != {before}"
        with body.block(f"if {changed} and {flags}[p * {place.extent} + {at}] != 0"):
            _show_seen(lowering, perception, variable, at, body)


def seen_now(lowering: Lowering, perception: Perception, variable: Variable, seen_by: SeenBy, body: Body) -> None:
    """New values of a variable whose audience depends on the state, and values that become visible."""
    text, place = lowering.text, perception.layout.places[variable]
    audience = _audience(lowering, perception, variable, seen_by)
    entries = _entries(variable, place)
    k = text.local(body, "k")
    with body.block(f"for {k} in range({len(entries)})"):
        at = text.let(body, "at", f"{text.table([at for at, _, _ in entries])}[{k}]")
        codes = "".join(
            f", {text.table([codes[i] for _, _, codes in entries])}[{k}]" for i in range(len(place.indices))
        )
        with body.block(f"if ({audience}(C, S{codes}) >> p) & 1 != 0"):
            now, before = (stored_text(lowering, place, at, state) for state in ("S", "L"))
            is_new = f"L[{ACTOR}] != 0 and ({audience}(C, L{codes}) >> p) & 1 == 0"  # nobody acts before the start
            if place.storage.has_unset:
                is_new += f" and {now} != {place.storage.unset}"
            with body.block(f"if {now} != {before} or ({is_new})"):
                _show_seen(lowering, perception, variable, at, body)


def _audience(lowering: Lowering, perception: Perception, variable: Variable, seen_by: SeenBy) -> str:
    """The function for the mask of players who see an entry."""
    body = Body()
    names = [lowering.text.local(body, "i") for _ in variable.indices]
    env: Env = {k: code_of(index, name) for k, (index, name) in enumerate(zip(variable.indices, names, strict=True))}
    expr = seen_by.audience
    if is_set(expr.type):
        if isinstance(expr.type, OptionalType):
            raise Unsupported("an audience that may be none")
        mask = lowering.mask(expr, env)
    else:
        player = lowering.scalar(expr, env, OptionalType(perception.model.player_type))
        mask = f"{lowering.code('only')}({player.text})"
    name = f"audience_{perception.firsts[variable]}"
    parameters = "".join(f", {name}: int" for name in names)
    lowering.text.function(f"{name}(C: ints[CONTEXT], S: state{parameters}) -> bits", body, mask)
    return name
