"""What a position is called in a table: its packed key, that of its canonical image where the table keeps only those.

The key is everything that the rest of a play depends on, apart from who acts, which the rows say
(:mod:`zermelo.interpreter.native.state_encoding.state_layout`). A table says how the bits of its keys are laid out, so
that it can be told whether this program lays them out alike, and so that other programs can read them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy
from attrs import define

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Machine
from zermelo.interpreter.native.dialect.kernel_source import Kernel, kernel
from zermelo.interpreter.native.images import Images
from zermelo.interpreter.native.running.kernels import PythonKernels
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.interpreter.native.running.views import BeyondLimits
from zermelo.interpreter.native.state_encoding.state_layout import Place, StateLayout
from zermelo.solvers.kernels.expansion import Expansion, find_key
from zermelo.solvers.running.backend import exchange_of
from zermelo.solvers.running.lowered_backend import LoweredBackend, images_of
from zermelo.solvers.solution import Problem
from zermelo.solvers.tables.dataset import Key

WORD: Final = (1 << 64) - 1


def lowered(machine: Machine[Any]) -> LoweredMachine:
    """The machine whose positions have keys. Raises ``ZermeloError`` (``no-table``) for a game without such keys."""
    if not isinstance(machine, LoweredMachine):
        why = "its rules run on the reference machine, whose positions have no packed keys"
    elif machine.program.model.history:
        why = "the rules look at the history of the play, so that a position is more than what its key holds"
    else:
        return machine
    raise no_table(why)


def asked_images(
    problems: Sequence[Problem[Any]], machine: LoweredMachine, up_to_symmetry: bool | None
) -> Images | None:
    """The images of positions of which a table of some problems keeps one, as it is asked for. Raises ``ZermeloError``
    (``no-table``) if there are none though they are asked for."""
    found = None if up_to_symmetry is False else images_of(machine, all(map(may_exchange, problems)))
    if up_to_symmetry and found is None:
        raise no_table("no symmetry of the rules is known that makes no difference to what players get")
    return found


def may_exchange(problem: Problem[Any]) -> bool:
    """Whether a position may stand for its image in which the two players have changed places: what the one gets there
    is what the other gets here, and their sum is constant. An endless play has to pay something certain, which is half
    of that sum then: as the rules do not notice the exchange, they pay both the same."""
    from zermelo.solvers.positions.undecided import may_leave_out

    return may_leave_out(problem) and problem.facts.has_endless


def decisive_behind(problems: Sequence[Problem[Any]], machine: LoweredMachine) -> tuple[int, ...]:
    """What the first player gets by a decisive move of each player; empty if decided positions are not to be told from
    others, or if it is not the same behind the roots of all problems."""
    from zermelo.solvers.positions.undecided import decisive_payoffs, may_leave_out

    if not all(map(may_leave_out, problems)):
        return ()
    found = {tuple(decisive_payoffs(machine, problem)) for problem in problems}
    return found.pop() if len(found) == 1 else ()


DEPENDS_ON_TIES: Final = "what players get may depend on how ties are broken, so all positions are needed"
"""Why symmetries are of no use where more than one number counts."""

NO_DECISIVE_MOVES: Final = (
    "which moves win at once, so that others miss a win, is known where two players have a constant sum, nothing is "
    "left to chance, only ends pay, and plays end or the rules have 'endless'"
)
"""Why missed wins are not known."""


def no_table(why: str) -> ZermeloError:
    """The error for a game whose positions cannot be kept in a table."""
    return ZermeloError(
        "no-table",
        f"this game can have no table: {why}",
        "`zermelo solve --solver positions --positions FILE` writes what to do at each decision",
    )


# How the bits of a key are laid out.


def layout_record(layout: StateLayout) -> list[dict[str, Any]]:
    """The fields of a key from the lowest bit of ``key0`` on, as JSON. A field of a variable is one of its planes,
    which hold a bit of each of its entries, or else holds one or several entries."""
    names = {0: "phase"} | {layout.arguments + k: f"argument {k}" for k in range(layout.most_arguments)}
    names |= {at: f"name {slot}" for slot, at in layout.names.items() if at in layout.remembered}
    fields: list[dict[str, Any]] = []
    places = {place.first + k: place for place in layout.places.values() for k in range(place.slots)}
    packed = [(place.first + k, place.slot_width) for place in layout.packed for k in range(place.slots)]
    for slot, bits in [*layout.pieces, *packed]:
        if slot in places:
            fields.append({**_variable_record(places[slot]), "part": slot - places[slot].first, "bits": bits})
        else:
            fields.append({"field": names.get(slot, f"slot {slot}"), "bits": bits})
    return fields


def _variable_record(place: Place) -> dict[str, Any]:
    """How the entries of a variable are stored."""
    storage = place.storage
    return {
        "field": place.variable.name,
        "kept": "planes" if place.is_planes else "entries",
        "indices": [[str(index.type), index.bias, index.extent] for index in place.indices],
        "values": str(place.variable.type),
        "value_bits": storage.width,
        "lowest": storage.bias,
        "unset_is_0": storage.has_unset,
        "marks": storage.marks,
    }


# Keys in arrays, one row of words for each, and as values that can be sorted and searched.

Array = numpy.ndarray[Any, Any]


def sortable_kind(width: int) -> str:
    """The type of keys of ``width`` words that sort as their words do: one number or, of several words, text."""
    return "uint64" if width == 1 else f"S{8 * width}"


def sortable(words: Array) -> Array:
    """Keys of that type."""
    whole = numpy.ascontiguousarray(words)
    width = whole.shape[1]
    return whole[:, 0] if width == 1 else whole.astype(">u8").view(sortable_kind(width))[:, 0]


def words_of(keys: Array, width: int) -> Array:
    """The words of keys of that type."""
    if width == 1:
        return keys.reshape(-1, 1)
    return numpy.ascontiguousarray(keys).view(">u8").astype("uint64").reshape(len(keys), width)


# The keys of single states.


@define(eq=False)
class KeyFinder:
    """Finds the keys of states, or those of their canonical images, one at a time."""

    machine: LoweredMachine
    images: Images | None
    _kernels: PythonKernels | None = None
    _call: Any = None

    @classmethod
    def on(cls, machine: Machine[Any], symmetries: int) -> KeyFinder:
        """That of a machine, for a table with so many symmetries: all of the rules, or those that leave the players as
        they are. Raises ``ZermeloError`` (``no-table``)."""
        searching = lowered(machine)
        fixing = images_of(searching) if symmetries > 1 else None
        if symmetries > (1 if fixing is None else len(fixing.symmetries)):
            return cls(searching, images_of(searching, with_exchanges=True))
        return cls(searching, fixing)

    def has_keys_of(self, other: KeyFinder) -> bool:
        """Whether the same key stands for the same phase and the same variables in both, and so do its images."""
        return self._meaning == other._meaning

    @property
    def _meaning(self) -> tuple[object, ...]:
        layout = self.machine.program.layout
        phases = [phase.name for phase in layout.phases]
        return layout_record(layout), phases, None if self.images is None else self.images.text

    def of(self, state: LoweredState) -> Key:
        """The key of a state that is no end. Raises ``ZermeloError`` (``no-table``)."""
        return self.find(state)[0]

    def find(self, state: LoweredState) -> tuple[Key, bool]:
        """The key of a state that is no end, and whether the two players have changed places in the position that it
        names. Raises ``ZermeloError`` (``no-table``)."""
        if self._kernels is None or self._kernels.program is not self.machine.program:
            self._kernels = PythonKernels(self.machine.program, key_source(self.images, find_key))
            self._call = self._kernels.new(
                Expansion, words=0, actors=0, firsts=0, targets=0, kinds=0, exchanged=0, weights=0, paid=0
            )
        try:
            self._kernels.put(self._call.state, LoweredBackend(self.machine).held(state))
        except BeyondLimits as error:
            raise no_table(error.why) from error
        is_exchanged = self._kernels.call(find_key, self._call) != 0
        return tuple(word & WORD for word in self._call.key[: self.machine.program.layout.key_words]), is_exchanged


def key_source(images: Images | None, *functions: Any) -> Kernel:
    """The source of a kernel that writes keys."""
    name = "pack(state, key)" if images is None else "least_image(state, key)"
    source = kernel(*functions, name=name, is_exchanged=exchange_of(images))
    return source if images is None else source.with_rules(images.text)
