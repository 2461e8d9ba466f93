"""The extensive form built by kernels equals the reference version, number for number."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping
from fractions import Fraction
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from random_cases import seeds
from random_games.labelled import Branches, LabelledTree, labelled_tree
from random_games.paused import with_and_without
from small_games import HIDDEN_DIE

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.native.running.kernels import Executor
from zermelo.interpreter.native.running.machine import machine_over
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
    machine = machine_over(program, Executor(program, compiles_after=0) if compiled else None)
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


# Random trees with labels at different depths, beside Gambit and OpenSpiel where these are installed: they read the
# same tree, written for Gambit, and must find the same information sets and the same value.


LABELLED_TREES_TRIALS = Path(__file__).parents[2] / "trial" / "proofs"


def random_trees(count: int) -> list[LabelledTree]:
    """Trees of two players in which some label joins nodes, with at most 64 pure strategies for each."""
    found: list[LabelledTree] = []
    for seed in itertools.count():
        tree = labelled_tree(Random(seed), depth=3 + seed % 3)
        strategies = dict.fromkeys(tree.players, 1)
        for node in {node.set: node for _, node in tree.root.nodes() if node.player is not None}.values():
            strategies[str(node.player)] *= len(node.children)
        if len(set(tree.sets.values())) < len(tree.sets) and max(strategies.values()) <= 64:
            found.append(tree)
        if len(found) == count:
            break
    return found


def grouped(sets: Mapping[Branches, Hashable]) -> set[frozenset[Branches]]:
    """Which nodes are together."""
    found: dict[Hashable, set[Branches]] = {}
    for path, number in sets.items():
        found.setdefault(number, set()).add(path)
    return set(map(frozenset, found.values()))


def ours(tree: LabelledTree) -> tuple[zermelo.Game, dict[Branches, tuple[str, tuple[Hashable, ...]]]]:
    """The game, and the information state at every decision."""
    game = zermelo.loads(tree.game())
    found: dict[Branches, tuple[str, tuple[Hashable, ...]]] = {}
    waiting: list[tuple[Branches, zermelo.State]] = [((), game.initial)]
    while waiting:
        path, state = waiting.pop()
        if state.actor not in (None, zermelo.CHANCE):
            found[path] = state.actor, state.information_state(state.actor)
        moves = [move for move, _ in state.outcomes] if state.actor == zermelo.CHANCE else state.moves
        waiting += [((*path, move.name), state.after(move)) for move in moves]
    return game, found


@pytest.mark.parametrize("machine", ["reference", "python", "native"])
@pytest.mark.parametrize("name", ["02_label_split", "02b_hidden_clock_phases"])
def test_who_does_not_notice_a_secret_decision_can_but_guess(name: str, machine: str) -> None:
    """By hand: Ann guesses a fair coin."""
    game = zermelo.loads((LABELLED_TREES_TRIALS / f"{name}.game").read_text()).on(machine)
    assert zermelo.solve(game).value == (0, 0)


def test_gambit_finds_the_same_in_its_own_file() -> None:
    gambit = pytest.importorskip("pygambit")
    theirs = gambit.read_efg(str(LABELLED_TREES_TRIALS / "clock.efg"))
    assert [len(theirs.get_infosets(player)) for player in ("Ann", "Bob")] == [2, 1]
    payoffs = gambit.nash.lp_solve(theirs, rational=True).equilibrium.payoffs
    assert [payoffs["Ann"], payoffs["Bob"]] == [0, 0]


def test_gambit_reads_the_same_trees() -> None:
    gambit = pytest.importorskip("pygambit")
    for tree in random_trees(200):
        game, known = ours(tree)
        theirs = gambit.read_efg(StringIO(tree.efg()))
        assert theirs.is_perfect_recall
        sets = {
            frozenset(tuple(member.actions) for member in theirs.get_members(gambit.H.path(*first.actions)))
            for player in tree.players
            for first in theirs.get_infosets(player)
        }
        assert grouped(known) == sets == grouped(dict(tree.sets)), tree.game()
        # Of the tree itself, the linear program of 17.0.0b2 sometimes gives a profile that is no equilibrium.
        profile = gambit.nash.lp_solve(theirs, rational=True, use_strategic=True).equilibrium
        value = tuple(Fraction(str(profile.payoffs[player])) for player in tree.players)
        assert zermelo.solve(game).value == value, tree.game()


def test_our_strategies_are_equilibria_for_open_spiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    for tree in random_trees(200):
        game, known = ours(tree)
        theirs = pyspiel.load_efg_game(tree.efg())
        solution = zermelo.solve(game, solver="sequence_form")
        decisions = {
            (strategy.player, tuple(decision.known)): decision
            for strategy in solution.strategies
            for decision in strategy.decisions
        }
        names: dict[Branches, Hashable] = {}
        policy: dict[str, list[tuple[int, float]]] = {}
        waiting: list[tuple[Branches, Any]] = [((), theirs.new_initial_state())]
        while waiting:
            path, state = waiting.pop()
            actions = {state.action_to_string(action): action for action in state.legal_actions()}
            if path in known:
                player, perceived = known[path]
                names[path] = name = state.information_state_string(tree.players.index(player))
                decision = decisions[player, tuple(perceived)]
                mixed = zip(decision.moves, decision.probabilities, strict=True)
                policy[name] = [(actions[move.name], float(chance)) for move, chance in mixed]
            waiting += [((*path, name), state.child(action)) for name, action in actions.items()]
        assert grouped(names) == grouped(known)
        assert pyspiel.exploitability(theirs, policy) == pytest.approx(0, abs=1e-9)


def test_both_ways_to_build_a_tree_make_the_same_sets() -> None:
    for tree in random_trees(100):
        game = zermelo.loads(tree.game())
        form = build_exactly(game.reference, game.reference.initial(), True, False, Limits(), ignore_progress)
        assert len(form.information_sets) == len(set(tree.sets.values()))
