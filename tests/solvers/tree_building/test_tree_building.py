"""The extensive form built by kernels equals the reference version, number for number."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from random_cases import seeds
from random_games.labelled import labelled_tree
from random_games.paused import with_and_without
from small_games import HIDDEN_DIE

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.lowered_machines import machine_over
from zermelo.interpreter.native.running.kernels import CompiledExecutor
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.tree_building import building as building_module
from zermelo.solvers.tree_building.building import build_exactly

LEAK = """\
game "Leak"
players A, B

var face: 1..6 = 1    hidden

start at roll

phase roll:
    chance:
        outcome roll(n in 1..6):
            face := n
            go guess

phase guess:
    turn A:
        move name(n in 1..6) if n <= face: end payoff {A: 1, B: -1}
"""

MUCH_TOLD = """\
game "Much told"
players A, B

var face: 1..6 = 1    hidden

start at roll(0)

phase roll(round: 0..2):
    chance:
        outcome roll(n in 1..6):
            face := n
            for k in 1..10: tell A that heard(k, n)
            go guess(round)

phase guess(round: 0..2):
    turn A:
        move name(n in {1, 6}):
            if round == 2: end payoff {A: if n == face then 1 else -1, B: if n == face then -1 else 1}
            go roll(round + 1)
"""

TRIALS = [
    (Path(__file__).parents[2] / "trial" / "proofs" / f"{name}.game").read_text()
    for name in ("02_label_split", "02b_hidden_clock_phases")
]

GAMES = [
    ("kuhn_poker", {}),
    ("rock_paper_scissors", {}),
    ("prisoners_dilemma", {}),
    ("leduc_poker", {}),
    ("liars_dice", {"sides": 3}),
    ("coin_flip_tree", {}),
    ("three_player_tree", {}),
]


def _by_kernel(game, compiled, limits=None):
    program = game.prepared.program
    machine = machine_over(program, CompiledExecutor(program) if compiled else None)
    is_hidden = not game.facts.perfect_information.holds
    return building_module.build_by_kernel(machine, machine.initial(), is_hidden, limits or Limits(), ignore_progress)


def _is_same(mine, plain):
    for name in ("sets_of", "firsts", "children", "weights", "sequences"):
        assert list(getattr(mine, name)) == list(getattr(plain, name)), name
    assert mine.histories == plain.histories
    assert [mine.payoff(leaf) for leaf in range(mine.leaves)] == [plain.payoff(leaf) for leaf in range(plain.leaves)]
    for name in ("players", "parents", "firsts", "offers", "moves"):
        ours, theirs = getattr(mine.information_sets, name), getattr(plain.information_sets, name)
        assert list(ours) == list(theirs), name
    for s in range(len(mine.information_sets)):
        assert list(mine.information_sets.known(s)) == list(plain.information_sets.known(s))


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("name", "parameters"), GAMES, ids=[name for name, _ in GAMES])
def test_same_as_step_by_step(name, parameters, compiled):
    game = zermelo.load(name, **parameters)
    plain = build_exactly(
        game.reference,
        game.reference.initial(),
        not game.facts.perfect_information.holds,
        game.facts.discounted,
        Limits(),
    )
    _is_same(_by_kernel(game, compiled), plain)


@pytest.mark.parametrize("compiled", [False, True])
def test_same_where_histories_are_merged(compiled):
    game = zermelo.loads(HIDDEN_DIE)
    form = _by_kernel(game, compiled)
    _is_same(form, build_exactly(game.reference, game.reference.initial(), True, False, Limits()))
    assert form.nodes == 1 + 2 * 2
    assert form.histories == 1 + 6 * (1 + 2 + 2)


@pytest.mark.parametrize("compiled", [False, True])
def test_moves_that_betray_what_is_hidden_are_reported(compiled):
    with pytest.raises(ZermeloError) as error:
        _by_kernel(zermelo.loads(LEAK), compiled)
    assert error.value.code == "moves-differ"


def test_size_is_told_before_it_is_spent():
    with pytest.raises(ZermeloError, match="9,457 histories") as error:
        _by_kernel(zermelo.load("leduc_poker"), True, Limits(memory=1 << 20))
    assert error.value.code == "out-of-memory"
    with pytest.raises(ZermeloError, match="more than") as error:
        _by_kernel(zermelo.load("leduc_poker"), True, Limits(memory=1 << 17))
    assert error.value.code == "out-of-memory"


@pytest.mark.parametrize("seed", seeds(30))
def test_same_where_others_decide_in_secret(seed):
    """Equal observations in one step or in two make one information state: sets do not split."""
    texts = with_and_without(Random(seed))[1], labelled_tree(Random(seed), depth=5).game(), TRIALS[seed % len(TRIALS)]
    for text in texts:
        game = zermelo.loads(text)
        if not game.facts.perfect_information.holds:
            _is_same(
                _by_kernel(game, seed == 0),
                build_exactly(game.reference, game.reference.initial(), True, False, Limits()),
            )


@pytest.mark.parametrize("compiled", [False, True])
def test_information_states_grow_beyond_their_first_room(compiled, monkeypatch):
    """With many tellings there are more information states than decisions."""
    room, form_once = [], building_module._Building.form

    def noted(building):
        room.append(building.states_each)
        return form_once(building)

    monkeypatch.setattr(building_module._Building, "form", noted)
    game = zermelo.loads(MUCH_TOLD)
    form = _by_kernel(game, compiled)
    assert room == [1, 2, 4, 8]
    _is_same(form, build_exactly(game.reference, game.reference.initial(), True, False, Limits()))
    assert len(form.information_sets.known(len(form.information_sets) - 1)) > 20


def test_words_grow_beyond_their_first_pool(monkeypatch):
    monkeypatch.setattr(building_module, "_WORDS_AT_FIRST", 1 << 8)
    game = zermelo.load("leduc_poker")
    _is_same(_by_kernel(game, True), build_exactly(game.reference, game.reference.initial(), True, False, Limits()))
