"""From whose point of view a network sees a position: what is learnt for one player is learnt for the other.

Let R be a relabelling that exchanges the two players, with which some phases commute (:mod:`.group`) that no play
leaves. In them a position is worth for the second player what the renamed position is worth for the first. So a network
need only know the positions in which a certain player *looks* at the board, here who is an argument of the phase:
where that is the second player, the network is asked about the renamed position, and says what the second player gets.
Phases before, such as one in which it is drawn who begins, need not commute with R; there the first player looks.

Units that look at the values of an entry become, renamed, those that look at the renamed values of the renamed entry:
so the renamed position is never made, and its units are those of the position in another order.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import product

from zermelo.interpreter import model
from zermelo.interpreter.model import InputUnit, Model, Perspective
from zermelo.interpreter.model.rewriting import blocks_of_phase, reachable, statements
from zermelo.interpreter.symmetries.equivariance import Relabelling, Tables
from zermelo.interpreter.symmetries.group import candidates, prove_symmetry_in_phases
from zermelo.interpreter.values import Value


def perspective_of(game: Model, units: Sequence[InputUnit]) -> Perspective | None:
    """The perspective by the first proved symmetry that allows one; None if there is none."""
    tables = Tables()
    if len(game.players) != 2:
        return None
    for candidate in candidates(game):
        if game.players[0] in candidate.relabelling.members:
            found = prove_symmetry_in_phases(game, candidate.relabelling, candidate.permutations, tables)
            viewers = {} if found is None else _viewers(game, _kept(game, found[1]))
            mirror = None if found is None else _mirror(game, units, found[0])
            if viewers and mirror is not None:
                return Perspective(viewers, mirror)
    return None


def _kept(game: Model, proved: Collection[str]) -> list[str]:
    """The proved phases from which no play comes to another one."""
    targets = {
        name: {
            each.phase for block in blocks_of_phase(phase) for each in statements(block) if isinstance(each, model.Go)
        }
        for name, phase in game.phases.items()
    }
    return [name for name in proved if set(reachable([name], targets.__getitem__)) <= set(proved)]


def _viewers(game: Model, phases: Collection[str]) -> dict[str, int]:
    """The number of the first argument that is a player, of each of these phases that has one."""
    found = {}
    for name in phases:
        types = [parameter.type for parameter in game.phases[name].parameters]
        if game.player_type in types:
            found[name] = types.index(game.player_type)
    return found


def _mirror(game: Model, units: Sequence[InputUnit], exchange: Relabelling) -> tuple[int, ...] | None:
    """By the number of a unit that of the renamed one; None if there are not all of those."""
    places = {
        variable.name: _renamed_places(variable, exchange) for variable in game.variables if not variable.is_constant
    }
    numbers = {_key(unit, unit.place, unit.value): number for number, unit in enumerate(units)}
    renamed = [
        numbers.get(
            _key(unit, places[unit.variable][unit.place] if unit.variable else unit.place, exchange.of(unit.value))
        )
        for unit in units
    ]
    found = tuple(number for number in renamed if number is not None)
    return found if len(set(found)) == len(units) else None


def _key(unit: InputUnit, place: int, value: Value) -> tuple[object, ...]:
    """What tells a unit from others, if it looked at another place and value."""
    return unit.kind, unit.variable, unit.phase, place, value


def _renamed_places(variable: model.Variable, exchange: Relabelling) -> list[int]:
    """By the number of an entry that of the renamed one."""
    indices = list(product(*(type.members for type in variable.indices)))
    numbers = {index: number for number, index in enumerate(indices)}
    return [numbers[tuple(exchange.at((variable, k), value) for k, value in enumerate(index))] for index in indices]
