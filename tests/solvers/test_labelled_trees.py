"""Random trees with labels at different depths, beside Gambit and OpenSpiel where these are installed: they read the
same tree, written for Gambit, and must find the same information sets and the same value."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Mapping
from fractions import Fraction
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest
from random_games.labelled import Branches, LabelledTree, labelled_tree

import zermelo
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.tree_building.building import build_exactly

TRIALS = Path(__file__).parents[1] / "trial" / "proofs"


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
    game = zermelo.loads((TRIALS / f"{name}.game").read_text()).on(machine)
    assert zermelo.solve(game).value == (0, 0)


def test_gambit_finds_the_same_in_its_own_file() -> None:
    gambit = pytest.importorskip("pygambit")
    theirs = gambit.read_efg(str(TRIALS / "clock.efg"))
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
