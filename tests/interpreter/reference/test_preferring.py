"""``preferring``, compared with a list of all complete turns."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

from zermelo.interpreter.machine import CHANCE
from zermelo.interpreter.model import Loose
from zermelo.interpreter.reference.machine import ReferenceMachine

LONGEST = """
    game "Longest"
    players A, B
    type Place = a | b | c | d | e | f
    var at: Place = a
    var steps: 0..9 = 0
    start at walk(A)
    phase walk(p: Player):
        let bonus = 1
        turn p preferring (steps * bonus):
            move to_b if at == a:
                at := b
                steps += 1
                go walk(p)
            move to_c if at in {a, b}:
                at := c
                steps += 1
                go jump(p)
            move to_d if at == b:
                at := d
                steps += 1
                go walk(other p)
            move back if at == d or at == f:
                at := e
                go walk(other p)
            move over if at == e:
                end draw
    phase jump(p: Player):
        turn p:
            move on(n in 1..2):
                at := if n == 1 then d else f
                steps += n
                go walk(other p)
"""


def legal(machine, *moves: str) -> list[str]:
    state = machine.initial()
    for move in moves:
        state = machine.after(state, machine.find_move(state, move))
    return [str(move) for move in machine.moves(state)]


def test_only_steps_to_a_best_turn_are_kept(machine_of) -> None:
    machine = machine_of(LONGEST)
    assert legal(machine) == ["to_b"]  # a turn of b, c, f makes 4 steps, one of c, f makes 3
    assert legal(machine, "to_b") == ["to_c"]
    assert legal(machine, "to_b", "to_c") == ["on(1)", "on(2)"]  # this decision has no preference of its own


ROUND = """
    game "Round"
    players A, B
    var at: 0..3 = 0
    var spent: 0..1 = 0
    start at walk(A)
    phase walk(p: Player):
        turn p preferring (at, -spent):
            move go_round:
                at := (at + 1) % 3
                go walk(p)
            move stop(n in 0..1) if at != 1:
                spent := n
                go rest(other p)
            move end_it if at == 3:
                end draw
    phase rest(p: Player):
        turn p:
            move begin_again(n in {0, 3}):
                at := n
                go walk(other p)
"""


def test_turns_that_go_round_are_no_trouble(machine_of) -> None:
    machine = machine_of(ROUND)
    assert legal(machine) == ["go_round"]
    assert legal(machine, "go_round", "go_round") == ["go_round", "stop(0)"]


def test_a_step_that_ends_the_game_is_compared_like_the_others(machine_of) -> None:
    machine = machine_of(ROUND)
    assert legal(machine, "go_round", "go_round", "stop(0)", "begin_again(3)") == ["stop(0)", "end_it"]


FORCED = """
    game "Most captures"
    players Ann, Bob
    var taken: 0..3 = 0
    start at capture
    phase capture:
        turn Ann preferring (taken):
            move take_three:
                taken := 3
                go answer
            move blunder: {blunder}
    phase answer:
        turn Bob:
            move resign: end win Ann
"""


@pytest.mark.parametrize(
    ("blunder", "kept"),
    [
        ("end win Bob", ["take_three"]),
        ("go lost", ["take_three"]),
        ("go take_all", ["take_three"]),  # what the next phase assigns comes after the last move
        ("taken := 3, end win Bob", ["take_three", "blunder"]),
        ("taken := 2, go take_all", ["take_three"]),
    ],
)
def test_the_end_of_the_game_counts_with_the_values_right_after_the_last_move(machine_of, blunder, kept) -> None:
    effects = "".join(f"\n                {effect}" for effect in blunder.split(", "))
    lost = "\n    phase lost: end win Bob\n    phase take_all:\n        taken := 3\n        end win Bob\n"
    text = FORCED.replace(" {blunder}", effects) + lost
    assert legal(machine_of(text)) == kept


@pytest.mark.parametrize(("name", "seed"), [("backgammon", 1), ("backgammon", 2), ("backgammon", 3)])
def test_against_all_complete_turns(bundled, name: str, seed: int) -> None:
    machine = bundled(name)
    model = machine.model
    phases = {
        key: evolve(phase, decision=evolve(phase.decision, preferring=()))
        if hasattr(phase.decision, "preferring")
        else phase
        for key, phase in model.phases.items()
    }
    free = ReferenceMachine(evolve(model, phases=phases))
    preferring = [Loose(expr, model.phases["play"].frame_size) for expr in model.phases["play"].decision.preferring]

    def worth(state, mover: int):
        """The worth of the best completion of the turn from a state."""
        if free.actor(state) != mover:
            return tuple(free.evaluate(state, loose, model.players[mover]) for loose in preferring)
        return max(worth(free.after(state, move), mover) for move in free.moves(state))

    random = Random(seed)
    state = free.initial()
    told = machine.initial()
    for _ in range(12):
        if free.actor(state) == CHANCE:
            move = free.draw(state, random)
        else:
            mover = free.actor(state)
            worths = {move: worth(free.after(state, move), mover) for move in free.moves(state)}
            best = [move for move, found in worths.items() if found == max(worths.values())]
            assert machine.moves(told) == tuple(best)
            move = random.choice(best)
        state, told = free.after(state, move), machine.after(told, move)
