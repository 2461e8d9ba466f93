"""Trial games that were refused, misread, blamed for what is no fault, or slow: what is said of each of them now."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from all_machines import MACHINES, needs_llvm

import zermelo
from zermelo.files import apply_fixes
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.native.model_lowering import lower
from zermelo.loading import load_any

TRIAL = Path(__file__).parents[1] / "trial"

FOUND = {
    "exact/internal_together_names": ["betrays-hidden"],
    "exact/leak2": ["betrays-hidden"],
    "exact/leak_together_names": ["betrays-hidden"],
    "exact/min_x_alias": ["unused-name"],  # the move x of the last phase has no secret
    "exact/tell_dir": ["unused-name"],
    "language/amazons_by": [],
    "language/forced_end": [],
    "language/game2048_let_way": [],
    "language/ludo_zs": [],
    "language/match_none": ["shadowed-name", "not-exhaustive"],
    "language/parking_by": ["undefined-name"],
    "language/rare_card": [],  # a parameter may rule an outcome out
    "language/rare_card_phases": [],
    "language/revolt": [],
    "language/round1": [],  # 'round' is at its bound behind a condition that never lets it grow
    "language/w1": [],
    "peers/depth_100": [],
    "secrets/dead2": [],  # nor does dice = 1 lead beyond its range
    "secrets/earn": [],
    "secrets/matchnone": ["not-exhaustive", "not-exhaustive"],
    "secrets/matchpart": [],  # all cards of the part are there
    "secrets/same_move_twice": [],  # two phases have a move of this name, one of them with an argument
    "secrets/together_noname": ["undefined-name"],
    "peers/absent": ["forgetful-label"],
    "peers/dark_view": ["wrong-kind-of-name"],
    "peers/forgets": ["forgetful-label"],
    "peers/thirds": ["probabilities-not-one"],
    "peers/zero_prob": ["zero-probability"],
    "reports/e12_zero_chance": ["zero-probability"],
}

CLEAN = [
    "exact/gr",
    "exact/min_compare",
    "exact/min_crash",
    "exact/min_crash_ok",
    "exact/min_efficient",
    "exact/min_team_value",
    "exact/move1",
    "exact/tell1",
    "exact/tell3",
    "exact/tell_knows",
    "exact/tell_knows3",
    "peers/depth_25",
    "peers/depth_30",
    "peers/empty_player",
    "peers/idle_player",
    "peers/local_array2",
    "peers/no_decision",
    "peers/order",
    "peers/param_list",
    "peers/unary",
    "reader/idle_choice",
    "reader/symm",
    "reports/e12b_param_zero",
    "reports/e12c_phase_zero",
    "reports/e18_test",
    "reports/e18_threshold",
    "reports/k3_three_one",
]


def text(name: str) -> str:
    return (TRIAL / f"{name}.game").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [*FOUND, *CLEAN])
def test_findings(name: str) -> None:
    assert [finding.code for finding in zermelo.check(text(name))] == FOUND.get(name, [])


@pytest.mark.parametrize(
    ("name", "parameters", "value"),
    [
        ("language/forced_end", {}, (1, -1)),  # taking three is allowed beside the blunder
        ("language/rare_card", {"q": 0}, (1, -1)),  # the card is good: Ann bets, and Bob folds
        ("language/rare_card", {"q": 1}, (0, 0)),  # it is bad, and Bob knows it: Ann passes
        ("language/rare_card_phases", {"q": 0}, (1, -1)),
        ("language/rare_card_phases", {"q": 1}, (0, 0)),
        ("language/revolt", {"q": 1}, (1, 1)),
        ("language/round1", {}, (1, -1)),
        ("language/round1", {"rounds": 5}, (1, -1)),
        ("secrets/dead2", {"dice": 1}, (1, -1)),
        ("secrets/dead2", {"dice": 5}, (1, -1)),
        ("secrets/matchpart", {}, (3, 0)),
        ("secrets/same_move_twice", {}, (0, 0)),
        ("secrets/earn", {}, (0,)),  # a good bandit and a bad one, and nobody is told which it was
        ("language/w1", {}, (16,)),  # a walk through all cells
        ("exact/tell1", {}, (1, -1)),  # 1 and true are told apart
        ("exact/tell3", {}, (1, -1)),
        ("exact/tell_dir", {}, (1, -1)),
        ("exact/move1", {}, (-1, 1)),  # Bob sees which of the two moves was made
        ("exact/min_crash", {}, (0, 0)),
        ("exact/min_crash_ok", {}, (0, 0)),
        ("exact/min_team_value", {}, (1, 1)),  # a signal for each card
        ("exact/gr", {}, (0, 0)),
        ("exact/min_compare", {}, (0, 0)),
        ("peers/idle_player", {}, (1, 2, 3)),
        ("peers/no_decision", {}, (1, 2)),
        ("peers/param_list", {}, (3, -3)),
        ("reports/e12b_param_zero", {"q": 0}, (1, -1)),  # as rare_card
        ("reports/e12b_param_zero", {"q": 1}, (0, 0)),
        ("reports/e12c_phase_zero", {"q": 0}, (1, -1)),
        ("reports/e12c_phase_zero", {"q": 1}, (0, 0)),
        ("reports/e18_threshold", {"q": 0}, (3, 0)),
        ("reports/e18_threshold", {"q": 1}, (1, 1)),
        ("reports/k3_three_one", {}, (1, -2, Fraction(1, 3))),
        ("reader/setorder_native", {}, (1, -1)),  # {1}, {2}, {3} come before {1, 2}
    ],
)
@pytest.mark.parametrize("machine", ["reference", "native"])
def test_values(name: str, parameters: dict[str, int], value: tuple[int, ...], machine: str) -> None:
    game = zermelo.load(TRIAL / f"{name}.game", **parameters).on(machine)
    assert zermelo.solve(game).value == value


def test_a_tree_of_100_decisions() -> None:
    """B takes at the last one, which brings both more than any end before."""
    assert zermelo.solve(zermelo.load(TRIAL / "peers/depth_100.game")).value == (100, 99)


@pytest.mark.parametrize(
    ("name", "passed"),
    [("language/revolt", 3), ("reports/e18_test", 3), ("exact/tell_knows", 2), ("exact/tell_knows3", 2)],
)
def test_what_files_expect(run, name: str, passed: int) -> None:
    ran = run("test", str(TRIAL / f"{name}.game"))
    assert ran.code == 0 and f"{passed} passed." in ran.out


def test_what_mixing_improves_is_not_efficient(run) -> None:
    """To toss a coin for the two corners brings both more than the strict equilibrium."""
    shown = run("equilibria", str(TRIAL / "exact/min_efficient.game")).out.splitlines()
    (row,) = [line for line in shown if line.startswith("e ")][1:]
    assert "strict" in row and "efficient" not in row


@pytest.mark.parametrize(
    ("number", "is_never"),
    [
        ("0", True),
        ("1 - 1", True),
        ("q", False),
        ("q * q", False),
        ("share", False),
        ("part(1)", False),
    ],
)
@pytest.mark.parametrize("word", ["weight", "prob"])
def test_an_outcome_that_no_parameter_offers_is_never_drawn(word: str, number: str, is_never: bool) -> None:
    """And one that some parameter offers is no mistake where it is not offered."""
    rules = f"""
game "Chance"
players Ann
param q: 0..1 by 1/2 = 0
define share = q
define part(k: 0..1) = q * k / 2
start at draw
phase draw:
    chance:
        outcome one {word} {number}: end payoff (q + share + part(1))
        outcome two {word} 1: end payoff (0)
"""
    codes = [finding.code for finding in zermelo.check(rules) if finding.code == "zero-probability"]
    assert codes == ["zero-probability"] * is_never
    if not is_never:
        assert zermelo.solve(zermelo.loads(rules)).value == (0,)


def test_the_finding_is_where_the_match_is() -> None:
    """And not once more at each of its uses, of which it shows one."""
    findings = zermelo.check(text("secrets/matchnone"))
    assert [finding.span.line for finding in findings] == [8, 12]


def test_smaller_sets_come_first() -> None:
    state = zermelo.load(TRIAL / "reader" / "setorder_min.game").initial
    assert [state.after(move).payoff for move in state.moves] == [(1, -1)] * 5


def test_fixes_keep_what_is_certain() -> None:
    """``x *= 2`` has one meaning, ``x =- 2`` has two."""
    times, minus = text("reader/fix_times"), text("reader/fix_minus")
    assert apply_fixes(Source("times", times))[0].text == times.replace("x *= 2", "x := x * 2")
    assert apply_fixes(Source("minus", minus))[1] == 0


def test_who_chooses_together_has_a_name_in_the_fix() -> None:
    (finding,) = zermelo.check(text("secrets/together_noname"))
    assert finding.fix is not None and finding.fix.replacement == "together p in Player"


def test_a_measure_that_names_a_parameter_of_a_phase(run) -> None:
    ran = run("check", str(TRIAL / "language" / "parking_by.game"))
    assert "`terminates by {approach: ...}`" in ran.out


def test_a_measure_that_does_not_fall_names_the_decision(run) -> None:
    """The amazon that walks burns nothing yet; by phases it falls (tests/trial/proofs)."""
    ran = run("test", str(TRIAL / "language" / "amazons_by.game"))
    assert ran.code and "walk(b1, b2) in phase 'walk' leads from (36) to (36), which is not less" in ran.out


def test_the_sum_of_several_players_who_win_and_lose() -> None:
    assert zermelo.load(TRIAL / "language" / "ludo_zs.game", players=3).facts.zero_sum.holds


@needs_llvm
@pytest.mark.parametrize("name", ["w1", "game2048_let_way"])
def test_a_let_that_holds_a_ray_is_lowered(name: str) -> None:
    """It decided between seconds and minutes."""
    assert lower(load_any(str(TRIAL / "language" / f"{name}.game"), {}).model)


@pytest.mark.parametrize("make", MACHINES)
def test_nobody_perceives_what_they_earn(make) -> None:
    game = zermelo.load(TRIAL / "secrets" / "earn.game")
    machine = make(game.model)
    seen = set()
    for outcome, _ in machine.outcomes(machine.initial()):
        state = machine.after(machine.initial(), outcome)
        (pull,) = [move for move in machine.moves(state) if str(move) == "pull"]
        seen.add(tuple(map(str, machine.information_state(machine.after(state, pull), 0))))
    assert len(seen) == 1
