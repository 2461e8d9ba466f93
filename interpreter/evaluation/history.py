"""The history of a play: the variables at each entry of a phase with a decision.

Only models that read it keep one: a linked list of snapshots, shared by the states of a play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence

from attrs import frozen

from zermelo.interpreter.model import Model, Repeated, Variable
from zermelo.interpreter.values import Value

Variables = tuple[Variable, ...]

Projection = tuple[int, tuple[Value, ...]]
"""The values of some variables, preceded by their hash, so that most comparisons end at once."""


def project(variables: Variables, values: Sequence[Value]) -> Projection:
    """The part of ``values`` that belongs to ``variables``."""
    chosen: list[Value] = []
    for variable in variables:
        chosen.extend(values[variable.offset : variable.offset + variable.entries])
    found = tuple(chosen)
    return hash(found), found


@frozen(eq=False, repr=False)
class Snapshot:
    """An entry of the history, taken before the entry statements of ``phase``; ``before`` is the previous one.

    ``projections`` has the values of the variables for each expression that reads the history.
    """

    before: Snapshot | None
    phase: str
    arguments: tuple[Value, ...]
    projections: Mapping[Variables, Projection]

    def back(self) -> Iterator[Snapshot]:
        """This snapshot and all before it, newest first."""
        snapshot: Snapshot | None = self
        while snapshot is not None:
            yield snapshot
            snapshot = snapshot.before


def with_snapshot(
    model: Model, before: Snapshot | None, phase: str, arguments: tuple[Value, ...], values: Sequence[Value]
) -> Snapshot:
    """The history with one more snapshot."""
    looked_at = {place.variables for place in model.history}
    return Snapshot(before, phase, arguments, {variables: project(variables, values) for variables in looked_at})


def is_repeated(earlier: Snapshot | None, variables: Variables, values: Sequence[Value]) -> bool:
    """Whether the variables had their present values in a snapshot up to ``earlier``."""
    if earlier is None:
        return False
    present = project(variables, values)
    return any(snapshot.projections[variables] == present for snapshot in earlier.back())


def repetitions(now: Snapshot | None, variables: Variables, values: Sequence[Value]) -> int:
    """The number of snapshots up to ``now`` with its phase, its arguments, and the present values of the variables."""
    if now is None:
        return 0
    present = project(variables, values)
    return sum(
        snapshot.projections[variables] == present
        and snapshot.phase == now.phase
        and snapshot.arguments == now.arguments
        for snapshot in now.back()
    )


def future_of(model: Model, now: Snapshot | None) -> Hashable:
    """The part of the history on which the rest of the play depends: for each expression that reads the history, the
    projections that it compares with. The newest snapshot is kept apart, since it does not count as earlier yet."""
    if now is None:
        return None
    places: list[Hashable] = []
    for place in model.history:
        if isinstance(place, Repeated):
            earlier = now.before.back() if now.before is not None else iter(())
            seen = frozenset(snapshot.projections[place.variables] for snapshot in earlier)
            places.append((now.projections[place.variables], seen))
        else:
            counted = Counter(
                (snapshot.phase, snapshot.arguments, snapshot.projections[place.variables]) for snapshot in now.back()
            )
            places.append(frozenset(counted.items()))
    return tuple(places)
