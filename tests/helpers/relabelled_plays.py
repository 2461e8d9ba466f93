"""Plays beside their images under a relabelling, on the reference machine."""

from __future__ import annotations

from random import Random

from attrs import evolve

from zermelo.interpreter.evaluation.context import entry_indices
from zermelo.interpreter.machine import CHANCE, END, Move, Payoff, PlayError
from zermelo.interpreter.model import Model
from zermelo.interpreter.model.rewriting import rules_of
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.run import ReferenceState
from zermelo.interpreter.symmetries.equivariance import Relabelling
from zermelo.interpreter.values import OrderedSet, Value, in_type_order


def player_image(model: Model, relabelling: Relabelling, player: int) -> int:
    return relabelling.of(model.players[player]).index if player >= 0 else player


def payoff_image(model: Model, relabelling: Relabelling, payoff: Payoff) -> Payoff:
    image = list(payoff)
    for player, amount in enumerate(payoff):
        image[player_image(model, relabelling, player)] = amount
    return tuple(image)


def stored(value: Value) -> Value:
    """A value as variables hold it: sets in the order of their type."""
    if isinstance(value, OrderedSet):
        return in_type_order(OrderedSet(map(stored, value)))
    return tuple(map(stored, value)) if type(value) is tuple else value


def state_image(model: Model, relabelling: Relabelling, state: ReferenceState) -> ReferenceState:
    """The state that a relabelling makes of a state."""
    values = list(state.values)
    for variable in model.variables:
        for place in range(variable.offset, variable.offset + variable.entries):
            indices = entry_indices(variable, place)
            there = variable.offset
            for k, (index, type) in enumerate(zip(indices, variable.indices, strict=True)):
                stride = 1
                for later in variable.indices[k + 1 :]:
                    stride *= later.size
                there += type.members.items.index(relabelling.at((variable, k), index)) * stride
            values[there] = stored(relabelling.of(state.values[place]))
    return evolve(
        state,
        before=None,
        move=None,
        actor=player_image(model, relabelling, state.actor),
        arguments=tuple(map(relabelling.of, state.arguments)),
        values=tuple(values),
        frame=tuple(map(relabelling.of, state.frame)),
        earned=payoff_image(model, relabelling, state.earned),
        end=None if state.end is None else payoff_image(model, relabelling, state.end),
        memo=None,
        moves=None,
        outcomes=None,
        space=None,
        perceived={},
    )


def constants(model: Model, state: ReferenceState) -> list[Value]:
    """What no play changes: a symmetry that did would lead to positions of another game."""
    fixed = (variable for variable in model.variables if variable.is_constant)
    return [state.values[variable.offset : variable.offset + variable.entries] for variable in fixed]


def move_image(model: Model, relabelling: Relabelling, state: ReferenceState, move: Move) -> Move:
    rules = {rule.name: rule for rule in rules_of(model.phases[state.phase.name].decision)}
    return relabelling.move(rules[move.name], move)


def fault(machine: ReferenceMachine, relabelling: Relabelling, random: Random, length: int = 12) -> str:
    """What a random play shows that a relabelling changes; empty if it shows nothing. A play ends at an error of the
    rules."""
    try:
        state = machine.initial()
        for _ in range(length):
            shown = _fault_of_position(machine, relabelling, state)
            listed = _continuations(machine, state)
            if shown or not listed:
                return shown
            move = random.choice(listed)
            shown = _fault_of_move(machine, relabelling, state, move)
            if shown:
                return shown
            state = machine.after(state, move)
    except PlayError:
        return ""
    return ""


def fault_somewhere(machine: ReferenceMachine, relabelling: Relabelling, most: int) -> str:
    """What any move in the first positions of a game, breadth first, shows that a relabelling changes; empty if none
    does. A move is an error of the rules if and only if the renamed one is."""
    waiting = [machine.initial()]
    met = {machine.position(waiting[0])}
    for state in waiting:
        try:
            shown = _fault_of_position(machine, relabelling, state)
            listed = _continuations(machine, state)
        except PlayError:
            continue
        for move in listed:
            try:
                there = machine.after(state, move)
            except PlayError:
                shown = shown or _fault_of_error(machine, relabelling, state, move)
                continue
            shown = shown or _fault_of_move(machine, relabelling, state, move)
            if machine.position(there) not in met and len(met) < most:
                met.add(machine.position(there))
                waiting.append(there)
        if shown:
            return shown
    return ""


def _continuations(machine: ReferenceMachine, state: ReferenceState) -> list[Move]:
    if machine.actor(state) == END:
        return []
    return list(machine.moves(state)) or [move for move, _ in machine.outcomes(state)]


def _fault_of_position(machine: ReferenceMachine, relabelling: Relabelling, state: ReferenceState) -> str:
    """What a relabelling changes in a position: constants, what an end pays, moves or outcomes."""
    model = machine.model
    image = state_image(model, relabelling, state)
    if constants(model, image) != constants(model, state):
        return "constants"
    if machine.actor(state) == END:
        wanted = payoff_image(model, relabelling, machine.payoff(state))
        return "" if machine.payoff(image) == wanted else f"payoffs after {machine.play(state)}"
    if machine.actor(state) == CHANCE:
        chances = {
            move_image(model, relabelling, state, move): probability for move, probability in machine.outcomes(state)
        }
        return "" if chances == dict(machine.outcomes(image)) else f"outcomes after {machine.play(state)}"
    offered = {move_image(model, relabelling, state, move) for move in machine.moves(state)}
    if offered == set(machine.moves(image)):
        return ""
    return f"moves after {machine.play(state)}: {sorted(map(str, offered))} {machine.moves(image)}"


def _fault_of_move(machine: ReferenceMachine, relabelling: Relabelling, state: ReferenceState, move: Move) -> str:
    """What a relabelling changes in what a move leads to."""
    model = machine.model
    image = state_image(model, relabelling, state)
    there = machine.after(image, move_image(model, relabelling, state, move))
    after = machine.after(state, move)
    wanted = state_image(model, relabelling, after)
    if machine.position(there) != machine.position(wanted) or machine.earned(there) != machine.earned(wanted):
        return f"effects of {machine.play(after)}"
    if machine.actor(there) != machine.actor(wanted):
        return f"who moves after {machine.play(after)}"
    return ""


def _fault_of_error(machine: ReferenceMachine, relabelling: Relabelling, state: ReferenceState, move: Move) -> str:
    """Whether the image of a move that is an error is none."""
    image = state_image(machine.model, relabelling, state)
    try:
        machine.after(image, move_image(machine.model, relabelling, state, move))
    except PlayError:
        return ""
    return f"no error after {machine.play(state)}"
