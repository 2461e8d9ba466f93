"""Trial games that were refused, misread, blamed for what is no fault, or slow: what is said of each of them now."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from all_machines import MACHINES, needs_llvm
from hypothesis import given
from hypothesis import strategies as st

import zermelo
from zermelo.files import apply_fixes
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.game_facts import count_information_sets
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.loading import load_any
from zermelo.numbers import exact_text, sample_decimals, sample_text
from zermelo.testing.expectations import Status, run_expectations

TRIAL = Path(__file__).parents[1] / "trial"

FOUND = {
    "exact/internal_together_names": ["betrays-hidden"],
    "exact/leak2": ["betrays-hidden"],
    "exact/leak_together_names": ["betrays-hidden"],
    "exact/min_x_alias": ["unused-name"],  # the move x of the last phase has no secret
    "values/told_east_or_record": ["unused-name"],
    "language/amazons_by": [],
    "language/forced_end": [],
    "language/game2048_let_way": [],
    "language/ludo_zs": [],
    "language/direction_clash": [],  # a player may be called north
    "language/full_diagonals": [],
    "language/none_in_set": ["type-mismatch"],
    "language/subsets0": [],  # the empty set is a subset of itself
    "language/match_none": ["shadowed-name", "not-exhaustive"],
    "language/parking_by": ["undefined-name"],
    "language/rare_card": [],  # a parameter may rule an outcome out
    "language/rare_card_phases": [],
    "language/revolt": [],
    "language/round1": [],  # 'round' is at its bound behind a condition that never lets it grow
    "language/w1": [],
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
    "positions/ruin",
    "positions/pull",
    "exact/min_crash_ok",
    "values/not_efficient",
    "values/telegraph",
    "values/go_one_or_true",
    "values/told_one_or_true",
    "exact/tell3",
    "values/knows_one_or_true",
    "exact/tell_knows3",
    "peers/empty_player",
    "peers/idle_player",
    "peers/local_array2",
    "peers/no_decision",
    "peers/order",
    "peers/param_list",
    "peers/unary",
    "reader/idle_choice",
    "best/five_names",
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
        ("language/direction_clash", {}, (1, -1)),
        ("language/full_diagonals", {}, (0, 0)),  # tic-tac-toe is a draw; with short diagonals X would win
        ("language/round1", {}, (1, -1)),
        ("language/round1", {"rounds": 5}, (1, -1)),
        ("secrets/dead2", {"dice": 1}, (1, -1)),
        ("secrets/dead2", {"dice": 5}, (1, -1)),
        ("secrets/matchpart", {}, (3, 0)),
        ("secrets/same_move_twice", {}, (0, 0)),
        ("secrets/earn", {}, (0,)),  # a good bandit and a bad one, and nobody is told which it was
        ("language/w1", {}, (16,)),  # a walk through all cells
        ("exact/tell3", {}, (1, -1)),
        ("exact/min_crash_ok", {}, (0, 0)),
        ("values/telegraph", {}, (1, 1)),  # a signal for each card
        ("positions/ruin", {}, (0, 0)),
        ("positions/pull", {}, (0, 0)),
        ("peers/idle_player", {}, (1, 2, 3)),
        ("peers/no_decision", {}, (1, 2)),
        ("peers/param_list", {}, (3, -3)),
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
    lines = ['game "Centipede"', "players A, B", "tree:", "    A:"]
    for k in range(1, 101):
        margin = "    " * (k + 1)
        lines += [
            f"{margin}take: ({k}, {k - 1})",
            f"{margin}pass: {'AB'[k % 2]}:" if k < 100 else f"{margin}pass: (0, 0)",
        ]
    game = "\n".join(lines)
    assert list(zermelo.check(game)) == []
    assert zermelo.solve(zermelo.loads(game)).value == (100, 99)


@pytest.mark.parametrize(
    ("name", "passed"),
    [("language/revolt", 3), ("values/knows_one_or_true", 2), ("exact/tell_knows3", 2)],
)
def test_what_files_expect(run, name: str, passed: int) -> None:
    ran = run("test", str(TRIAL / f"{name}.game"))
    assert ran.code == 0 and f"{passed} passed." in ran.out


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


# Games with hidden information that were once refused, or blamed for what is no fault.


FOLDER = Path(__file__).parents[1] / "trial" / "secrets"


def test_until_ends_the_inner_of_two_generators_alone():
    assert not zermelo.check((FOLDER / "until.game").read_text(encoding="utf-8"))


def test_a_variable_may_have_very_many_private_entries():
    game = zermelo.load(FOLDER / "manyentries.game", n=60)
    assert len(game.initial.moves) == 3600


def test_a_game_that_is_hidden_and_endless_has_bounds():
    """Each of them secures 0 by calling, whatever the other one does, so the bounds meet there."""
    found = zermelo.solve(zermelo.load(FOLDER / "endless.game"))
    assert found.solver == "horizon" and found.exact and found.value == (0, 0)


def test_a_game_that_is_hidden_and_goes_round_is_refused_for_both():
    text = (FOLDER / "endless.game").read_text(encoding="utf-8").replace("endless draw\n", "")
    with pytest.raises(zermelo.ZermeloError) as refused:
        zermelo.solve(zermelo.loads(text))
    assert refused.value.code == "no-solver"
    assert "Bob cannot tell the plays" in str(refused.value) and "lead back" in str(refused.value)


# Trial games in which the variables do not determine the position: values found by hand, on all machines.


POSITIONS = Path(__file__).parents[1] / "trial" / "proofs"

VALUES = {
    "01_let_not_in_position": 1,  # Ann writes 1, and Bob pays 1 in any case
    "01c_let_perfect_information": 0,  # matching pennies: Bob cannot see Ann's number
    "06_history_perfect_information": 0,  # the same, with the number of visits to a phase for a coin
    "11b_information_refuted": -1,  # Bob has seen the number before he guesses
}


@pytest.mark.parametrize("machine", ["reference", "python", "native"])
@pytest.mark.parametrize("name", VALUES)
def test_value(name: str, machine: str) -> None:
    game = load_any(str(POSITIONS / f"{name}.game"), {}).on(machine)
    assert zermelo.solve(game).value == (Fraction(VALUES[name]), -Fraction(VALUES[name]))


@pytest.mark.parametrize(
    ("name", "is_perfect"),
    [
        ("01_let_not_in_position", True),
        ("01c_let_perfect_information", False),
        ("06_history_perfect_information", False),
        ("11b_information_refuted", True),
    ],
)
def test_information(name: str, is_perfect: bool) -> None:
    """Proofs from the rules agree with a visit of all histories, which settles the rest."""
    game = load_any(str(POSITIONS / f"{name}.game"), {})
    model, _ = check(game.model.source)
    assert model is not None
    known, found = facts(model), count_information_sets(ReferenceMachine(model), 1000)
    assert found.finished
    assert (found.confusion is None) is is_perfect
    assert known.perfect_information.holds in (None, is_perfect)
    assert known.with_information_sets(found).perfect_information.holds is is_perfect


def test_claims_that_hold_of_no_position_alone() -> None:
    game = load_any(str(POSITIONS / "01b_let_false_survey_facts.game"), {})
    assert [result.status for result in run_expectations(game)] == [Status.FAILED, Status.FAILED]


def test_expectations() -> None:
    game = load_any(str(POSITIONS / "01c_let_perfect_information.game"), {})
    statuses = {result.said: result.status for result in run_expectations(game)}
    assert statuses["expect value == (0, 0)"] is Status.PASSED
    assert statuses["expect information_sets == 2"] is Status.PASSED


# A value is promised only where a game has one; an equilibrium of several, a guess and a mean are called that.


TELEGRAPH = str(Path(__file__).parents[1] / "trial" / "values" / "telegraph.game")
"""One sees a card and sends a signal, the other one guesses: they can agree to be right every time."""


def _head(printed):
    """The head of the column of payoffs."""
    return next(line for line in printed.splitlines() if line.startswith("player  ")).split("  ", 1)[1].strip()


@pytest.mark.parametrize(
    ("words", "head"),
    [
        (["two_ply_tree"], "value"),
        (["parking"], "value"),  # a single player
        (["forked_roads"], "value"),
        (["two_taxis"], "value"),  # a common payoff
        (["partners_signal"], "value"),  # a common payoff, and the most that can be agreed on
        (["partners_signal", "--solver", "normal_form"], "value"),
        (["partners_signal", "--solver", "lemke"], "an equilibrium pays"),
        ([TELEGRAPH, "-p", "kinds=5"], "value"),
        ([TELEGRAPH, "-p", "kinds=5", "--solver", "lemke"], "an equilibrium pays"),
        ([TELEGRAPH, "-p", "kinds=5", "--solver", "subgame_perfect"], "an equilibrium pays"),
        ([TELEGRAPH, "-p", "kinds=3", "--solver", "subgame_perfect"], "value"),
        (["three_player_tree"], "an equilibrium pays"),
        (["battle_of_the_sexes"], "an equilibrium pays"),
        (["pirates", "-p", "players=3"], "an equilibrium pays"),
        (["three_player_tree", "--solver", "paranoid"], "a guess"),
        (["kuhn_poker_for_several", "--solver", "cfr+", "--iterations", "5"], "these strategies pay"),
        (["chess", "--depth", "1"], "value, depth-limited"),
        (["tic_tac_toe", "--solver", "mcts", "--simulations", "50"], "a guess"),
    ],
)
def test_what_the_payoffs_are(run, words, head):
    assert _head(run("solve", *words).out) == head
    assert run("solve", *words, "--json").record["meaning"] == head.partition(",")[0]


def test_an_expectation_of_one_equilibrium_says_so(run, tmp_path):
    """Both pure equilibria are equilibria: what another pays is no contradiction."""
    file = tmp_path / "ballet.game"
    table = "    Ann \\ Bob | opera | football\n    opera     | 3, 2  | 0, 0\n    football  | 0, 0  | 2, 3\n"
    file.write_text(f'game "Ballet"\nplayers Ann, Bob\ntable:\n{table}expect value == (2, 3)\n')
    assert "an equilibrium pays (3, 2); others may differ" in " ".join(run("test", str(file)).out.split())


def test_heads_of_moves_and_of_comparisons(run):
    assert "an equilibrium pays A" in run("moves", "three_player_tree", "--values").out
    assert "value for MAX" in run("moves", "two_ply_tree", "--values").out
    assert "an equilibrium pays" in run("compare", "three_player_tree").out
    assert "an equilibrium pays Ann" in run("moves", "partners_signal", "--after", "deal(hearts)", "--values").out


def test_a_mean_of_simulations_comes_with_its_standard_error(run):
    words = "solve", "n_person_nim", "--solver", "mcts", "--simulations", "400"
    record = run(*words, "--json").record
    printed = run(*words).out
    for player, mean in record["value"].items():
        error = record["standard_errors"][player]
        assert 0 < float(error) < 0.2 and len(mean) < 8
        assert f"{player}      ≈ {mean} ± {error}\n" in printed
    assert run("solve", "nim", "-p", "heaps=1", "--json").record["standard_errors"] is None


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(2, 5), "2/5 = 0.4"),
        (Fraction(-1, 1000), "-1/1000 = -0.001"),
        (Fraction(1, 18), "1/18 ≈ 0.05556"),
        (Fraction(12345, 1000), "2469/200 ≈ 12.35"),
        (3, "3"),
    ],
)
def test_a_decimal_that_is_the_number_is_equal_to_it(number, text):
    assert exact_text(number) == text


@given(st.fractions(-1000, 1000), st.fractions(Fraction(1, 10**6), 100))
def test_as_many_decimals_as_the_standard_error_allows(mean, error):
    shown = Fraction(sample_decimals(mean, error))
    assert abs(shown - mean) <= max(error / 20, Fraction(1, 2) if error >= 10 else 0)


def test_a_sample_without_spread():
    assert sample_text(1, Fraction(0)) == "≈ 1 ± 0"
    assert sample_text(Fraction(-12863088, 12864661), Fraction(13, 10_000)) == "≈ -0.9999 ± 0.0013"


# Places on a ring and weights of chance, with numbers at the limits of machines; expected values by arithmetic.


ENDS = [1, 2**31, 2**60, 2**61 - 1, 2**61, 2**62, 2**63 - 1, 2**63, 2**64 + 1]

RING = """
game "Ring"
players Ann, Bob
type P = ring(7)
var at: P = P(3)
var n: 0..{n} = {n}
start at play(Ann)
phase play(p: Player):
    turn p:
        move go_on:
            at := {step}
            end payoff (steps(P(0), at), -steps(P(0), at))
"""

WEIGHTS = """
game "Weights"
players Ann, Bob
start at draw
phase draw:
    chance:
        outcome a weight {a}: end payoff (1, -1)
        outcome b weight {b}: end payoff (0, 0)
"""

machines = pytest.mark.parametrize("machine", ["reference", "python", "native"])


def value(text: str, machine: str) -> Fraction | None:
    """Ann's payoff; None if a machine refuses the game, which the reference machine never does."""
    try:
        return zermelo.solve(zermelo.loads(text).on(machine)).value[0]
    except zermelo.ZermeloError as refusal:
        assert refusal.code == "machine-unavailable" and machine != "reference"
        return None


@machines
@pytest.mark.parametrize("n", ENDS)
def test_steps_on_a_ring(n: int, machine: str) -> None:
    for step, there in (("at + n", 3 + n), ("at - n", 3 - n), ("at - 2 * n", 3 - 2 * n)):
        assert value(RING.format(n=n, step=step), machine) in (there % 7, None)


@machines
@pytest.mark.parametrize("a", [*ENDS, Fraction(1, 2**60 + 1)])
def test_weights(a: int | Fraction, machine: str) -> None:
    for b in (1, 3, 2**61, 2**64, Fraction(1, 3)):
        assert value(WEIGHTS.format(a=a, b=b), machine) in (a / (Fraction(a) + b), None)
