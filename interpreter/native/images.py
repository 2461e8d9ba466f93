"""The images of states under symmetries of the rules, as a text of the kernel dialect beside that of the rules.

The text has two functions:

===========================  ==================================================================================
``least_image(S, K)``        the least key of a position and its images, written to K, and the number of the image
                             that has it: 0 is the position itself
``renamed_player(image, p)`` the player whose place player p takes in an image
===========================  ==================================================================================

So two positions get the same key if and only if one is an image of the other. The values of all of them are those of
the position with the least key, read for the renamed players.

**Cost.** An image is made by tables. Values that lie in planes are moved some entries at a time: their bits, side by
side, are the index of an entry of a table, which has these bits where they belong. In all other layouts values are
moved one by one. The phase and its arguments come first in the order of keys, so they alone often show that an image is
not the least: if two players take turns and a symmetry exchanges them, the first player is to move in the least image.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Final

from attrs import frozen

from zermelo.interpreter.model import Variable
from zermelo.interpreter.native.dialect.kernel_source import instantiate
from zermelo.interpreter.native.dialect.lowered_text import Body, Text, Unsupported
from zermelo.interpreter.native.expressions.variables import positions
from zermelo.interpreter.native.program import Program
from zermelo.interpreter.native.state_encoding.encoding import (
    Storage,
    domain_codes,
    encode,
    extent,
    is_set,
    set_element,
    storage_of,
)
from zermelo.interpreter.native.state_encoding.state_layout import PHASE, Place, packed_words
from zermelo.interpreter.symmetries.equivariance import Relabelling
from zermelo.interpreter.types import Type, strip_none

_NAMES: Final = 1 << 20
"""The number of the first fresh name: the names of the rules have lower ones."""

_HEAD: Final = 62
"""The most bits of the phase and its arguments that are compared first."""

_ENTRIES: Final = 1 << 13
"""The most entries of the tables of a variable, for all images, unless tables for single entries have more already."""

_CHUNK: Final = 8
"""The most bits of an index of a table."""

_WORD: Final = 62
"""The most bits of a number in a table of ``int``."""


@frozen(eq=False)
class Images:
    """The text, and the symmetries by their numbers. Some of them may ``exchange`` players."""

    text: str
    symmetries: tuple[Relabelling, ...]
    exchange: bool


def images(program: Program, symmetries: tuple[Relabelling, ...]) -> Images:
    """The functions for a group of symmetries of a game, the identity first. Raises
    :class:`~zermelo.interpreter.native.dialect.lowered_text.Unsupported`."""
    layout, text = program.layout, Text(count=_NAMES)
    if layout.history is not None or layout.choices is not None or layout.remembered or layout.packed:
        raise Unsupported("images of states with more than their phase and plain variables")
    moved = symmetries[1:]
    first, rest = Body(), Body()
    _write_head(program, moved, text, first)
    for variable, place in layout.places.items():
        if not variable.is_constant:
            _write_variable(place, moved, text, rest)
    head = Body()
    pieces, bits = [], 0
    for piece in layout.pieces_of_phase:
        if bits + piece[1] <= _HEAD:
            pieces.append(piece)
            bits += piece[1]
    shape = "(S: state, T: state, image: int) -> int"
    instantiate(
        text, "phases", {"least_image": "least_image"},
        IMAGES=len(symmetries), HALF=(1 << 32) - 1,
        head=text.extract("head", "(S: state) -> int", head, packed_words(pieces)[0]),
        rename_head=text.extract("rename_head", shape, first),
        rename_rest=text.extract("rename_rest", shape, rest),
    )  # fmt: skip
    players = program.model.players
    renamed = text.table([symmetry.of(player).index for symmetry in symmetries for player in players])
    text.define_as(
        "renamed_player", f"(image: int, p: int) -> int:\n    return {renamed}[image * {len(players)} + p]\n"
    )
    exchange = any(symmetry.of(player) != player for symmetry in symmetries for player in players)
    return Images(f"from __future__ import annotations\n\n{text.render()}", symmetries, exchange)


# ------------------------------------------------------------------ values


def _write_head(program: Program, moved: Sequence[Relabelling], text: Text, body: Body) -> None:
    """Write the phase and its arguments; slots of arguments that the phase does not have are 0."""
    layout = program.layout
    body.line(f"T[{PHASE}] = S[{PHASE}]")
    for k in range(layout.most_arguments):
        slot = layout.arguments + k
        body.line(f"T[{slot}] = S[{slot}]")
        types: dict[Type, list[int]] = {}
        for number, phase in enumerate(layout.phases):
            if len(phase.parameters) > k:
                types.setdefault(phase.parameters[k].type, []).append(number)
        for type, numbers in types.items():
            value = _Values(type, storage_of(type), moved)
            if not value.is_fixed:
                phases = " or ".join(f"S[{PHASE}] == {number}" for number in numbers)
                with body.block(f"if {phases}"):
                    body.line(f"T[{slot}] = {value.text(text, f'S[{slot}]')}")


@frozen(eq=False)
class _Values:
    """The images of the stored values of a type under each symmetry."""

    type: Type
    storage: Storage
    moved: Sequence[Relabelling]

    @property
    def is_fixed(self) -> bool:
        return all(symmetry.fixes(self.type) for symmetry in self.moved)

    def renamed(self, symmetry: Relabelling) -> dict[int, int]:
        """The stored values with their images, unset included."""
        codes = domain_codes(self.type)
        if codes is None:
            raise Unsupported("images of values of a type with so many")
        found = {0: 0} if self.storage.has_unset else {}
        for code, value in codes:
            stored = self.storage.put(code)
            if 0 <= stored < 1 << self.storage.width and (value is None or self.type.contains(value)):
                found[stored] = self.storage.put(encode(symmetry.of(value), self.type))
        return found

    def text(self, text: Text, stored: str) -> str:
        """The image of a stored value, in the dialect."""
        if self.is_fixed:
            return stored
        if is_set(self.type):
            return f"{_bit_mover(self, text)}({stored}, image)"
        maps = [self.renamed(symmetry) for symmetry in self.moved]
        size = 1 + max(max(found) for found in maps)
        table = text.table([found.get(k, 0) for found in maps for k in range(size)])
        return f"{table}[(image - 1) * {size} + {stored}]"


def _bit_mover(values: _Values, text: Text) -> str:
    """The name of a function that gives the image of a stored set: each bit goes to its place, some at a time."""
    element, marks = set_element(values.type), values.storage.marks
    low, size = extent(element)
    width = size + marks
    places = []
    for symmetry in values.moved:
        place = {k: k for k in range(marks)}
        for value in strip_none(element).base.members:
            here, there = (encode(each, element) - low for each in (value, symmetry.of(value)))
            place[here + marks] = there + marks
        places.append(place)
    chunks = -(-width // _CHUNK)
    table = [
        sum(1 << place[chunk * _CHUNK + k] for k in range(_CHUNK) if index >> k & 1 and chunk * _CHUNK + k in place)
        for place in places
        for chunk in range(chunks)
        for index in range(1 << _CHUNK)
    ]
    name, body = text.table(table, "bits"), Body()
    body.line("found: bits = 0")
    with body.block(f"for k in range({chunks})"):
        index = f"((image - 1) * {chunks} + k) * {1 << _CHUNK} + ((x >> (k * {_CHUNK})) & {(1 << _CHUNK) - 1})"
        body.line(f"found = found | {name}[{index}]")
    return text.extract("moved_bits", "(x: bits, image: int) -> bits", body, "found")


# --------------------------------------------------------------- variables


def _write_variable(place: Place, moved: Sequence[Relabelling], text: Text, body: Body) -> None:
    """Write the entries of a variable, each renamed, at renamed indices."""
    values = _Values(place.variable.type, place.storage, moved)
    targets = [_targets(place, symmetry) for symmetry in moved]
    if values.is_fixed and all(here == there for target in targets for here, there in target.items()):
        for slot in range(place.first, place.first + place.slots):
            body.line(f"T[{slot}] = S[{slot}]")
    elif place.is_planes:
        _write_planes(place, values, targets, text, body)
    else:
        table = text.table([target.get(at, at) for target in targets for at in range(place.extent)])
        at, there = text.local(body, "at"), text.local(body, "there")
        with body.block(f"for {at} in range({place.extent})"):
            body.line(f"{there} = {place.first} + {table}[(image - 1) * {place.extent} + {at}]")
            body.line(f"T[{there}] = {values.text(text, f'S[{place.first} + {at}]')}")


def _targets(place: Place, symmetry: Relabelling) -> dict[int, int]:
    """Where the entry at each position goes."""
    variable, at = place.variable, positions(place)
    entries = list(product(*(index.members for index in variable.indices)))
    position = dict(zip(entries, at, strict=True))
    return {position[entry]: position[_renamed_entry(variable, symmetry, entry)] for entry in entries}


def _renamed_entry(variable: Variable, symmetry: Relabelling, entry: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(symmetry.at((variable, k), index) for k, index in enumerate(entry))


def _write_planes(place: Place, values: _Values, targets: list[dict[int, int]], text: Text, body: Body) -> None:
    """Write entries in planes, some at a time. Their image is a number for each plane or, where the planes are short,
    one number with all planes side by side."""
    width, count, first = place.storage.width, place.extent, place.first
    group = 1
    while (group + 1) * width <= _CHUNK and _table_size(count, width, group + 1) * len(targets) <= _ENTRIES:
        group += 1
    is_one = width * count <= _WORD
    kind = "int" if is_one else "bits"
    tables = [text.table(table, kind) for table in _tables_of_planes(place, values, targets, group, is_one)]
    found = [text.let(body, "found", 0, kind) for _ in tables]
    groups, part = -(-count // group), text.local(body, "part")
    with body.block(f"for {part} in range({groups})"):
        parts = [f"(S[{first + plane}] >> ({part} * {group})) & {(1 << group) - 1}" for plane in range(width)]
        shifted = (f"(({bits}) << {plane * group})" if plane else f"({bits})" for plane, bits in enumerate(parts))
        index = text.let(body, "index", " | ".join(shifted))
        body.line(f"{index} = {index} + ((image - 1) * {groups} + {part}) * {1 << group * width}")
        for name, table in zip(found, tables, strict=True):
            body.line(f"{name} = {name} | {table}[{index}]")
    for plane in range(width):
        whole = f"({found[0]} >> {plane * count}) & {(1 << count) - 1}" if is_one else found[plane]
        body.line(f"T[{first + plane}] = {whole}")


def _tables_of_planes(
    place: Place, values: _Values, targets: list[dict[int, int]], group: int, is_one: bool
) -> list[list[int]]:
    """The images of ``group`` entries with all possible bits, image by image and group by group: a table for each
    plane, or one for all planes."""
    width, count = place.storage.width, place.extent
    tables = [list[int]() for _ in range(1 if is_one else width)]
    for symmetry, target in zip(values.moved, targets, strict=True):
        renamed = values.renamed(symmetry)
        for part, index in product(range(-(-count // group)), range(1 << group * width)):
            planes = [0] * width
            for k in range(group):
                stored = sum((index >> (plane * group + k) & 1) << plane for plane in range(width))
                if part * group + k in target:
                    image = renamed.get(stored, 0)
                    for plane in range(width):
                        planes[plane] |= (image >> plane & 1) << target[part * group + k]
            if is_one:
                planes = [sum(bits << plane * count for plane, bits in enumerate(planes))]
            for table, bits in zip(tables, planes, strict=True):
                table.append(bits)
    return tables


def _table_size(count: int, width: int, group: int) -> int:
    """The entries of a table for one image."""
    return -(-count // group) << group * width
