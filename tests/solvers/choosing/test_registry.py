""""""

from __future__ import annotations

import re
from fractions import Fraction
from importlib.resources import files

import pytest
from all_machines import needs_llvm
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import CODES, ZermeloError
from zermelo.interpreter.facts import Fact
from zermelo.interpreter.machine import CHANCE, Move
from zermelo.solvers.choosing.choice import (
    Requirements,
    advise_other_solver,
    check_preconditions,
    check_request,
    choose_solver,
    default_reason,
    kind_of_game,
)
from zermelo.solvers.choosing.registry import SOLVERS, Need, find_solver, solvers_by_kind, unmet_needs
from zermelo.solvers.common.limits import Goal, Limits, Sampling
from zermelo.solvers.solution import Request
from zermelo.solving import facts_with_information

DRAWS = Fact(True, "chance draws in phase 'roll'")
NO_SUM = {"constant_sum": Fact(False, "the payoffs sum to 0 in line 4 and to 6 in line 5"), "sum": None}
HIDDEN = Fact(False, "Bob does not see 'hand[Alice]'")
ENDLESS = Fact(False, "the file says with 'endless' what a play without end is worth")
THREE = ("A", "B", "C")

REFUSALS = [
    ("minimax", {"players": THREE}, "needs-two-players", "its players are A, B, C"),
    ("alphabeta", NO_SUM, "needs-constant-sum", "the payoffs sum to 0 in line 4 and to 6 in line 5"),
    ("minimax", {"chance": DRAWS}, "needs-no-chance", "chance draws in phase 'roll'"),
    ("alphabeta", {"chance": DRAWS}, "needs-no-chance", "chance draws in phase 'roll'"),
    ("expectiminimax", {"players": ("Solo",)}, "needs-two-players", "its players are Solo"),
    ("expectiminimax", NO_SUM, "needs-constant-sum", "line 5"),
    ("expectiminimax", {"perfect_information": HIDDEN}, "needs-perfect-information", "does not see 'hand[Alice]'"),
    ("maxn", {"perfect_information": HIDDEN}, "needs-perfect-information", "does not see 'hand[Alice]'"),
    ("maxn", {"terminates": ENDLESS}, "needs-end", "'endless'"),
    ("minimax", {"terminates": ENDLESS}, "needs-end", "'endless'"),
    ("star1", {"bounds": ()}, "needs-bounds", "the rules do not bound its payoffs"),
    ("null_move", {"can_pass": Fact(False, "its phases are two")}, "needs-passes", "its phases are two"),
    ("mcts", {"bounds": ()}, "needs-bounds", "the rules do not bound its payoffs"),
    ("mcts", {"perfect_information": HIDDEN}, "needs-perfect-information", "does not see 'hand[Alice]'"),
]


@pytest.mark.parametrize(("name", "changes", "code", "why"), REFUSALS)
def test_refusals_say_which_fact_stands_against(known, tree, name, changes, code, why):
    with pytest.raises(ZermeloError) as raised:
        solve(tree(1), known(**changes), name)
    assert raised.value.code == code
    assert raised.value.message.startswith(f"the solver {name} is for games")
    assert why in raised.value.message


def test_every_need_of_every_solver_is_refused_somewhere():
    stated = {(solver.name, need) for solver in SOLVERS.values() for need in solver.needs}
    assert {Need.END, Need.PERFECT_INFORMATION} <= {need for name, need in stated if name == "maxn"}
    assert all(need.code in CODES for need in Need)


def test_a_refusal_names_a_solver_that_fits(known):
    with pytest.raises(ZermeloError) as raised:
        check_preconditions(SOLVERS["minimax"], known(chance=DRAWS))
    assert raised.value.help == "values of all positions fits this game: --solver positions"
    with pytest.raises(ZermeloError) as raised:
        check_preconditions(SOLVERS["minimax"], known(chance=DRAWS, perfect_information=HIDDEN))
    assert raised.value.help.endswith("fits this game: --solver sequence_form")
    open_end = Fact(None, "not proved")
    with pytest.raises(ZermeloError) as raised:
        check_preconditions(SOLVERS["sequence_form"], known(terminates=open_end))
    assert raised.value.help.startswith("leave out --solver: enhanced alpha-beta fits this game or, if its plays go")
    with pytest.raises(ZermeloError) as raised:
        check_preconditions(SOLVERS["minimax"], known(perfect_information=HIDDEN, terminates=open_end))
    assert "fits this game, if its plays all end" in raised.value.help
    with pytest.raises(ZermeloError) as raised:
        check_preconditions(SOLVERS["minimax"], known(perfect_information=HIDDEN, terminates=ENDLESS))
    assert raised.value.help.startswith("no other solver fits this game; let a rule end every play")


def test_what_is_not_proved_is_refused_as_such(known):
    unknown = {"constant_sum": Fact(None, "line 30 has not been summed"), "sum": None}
    with pytest.raises(ZermeloError, match="this is not known to be one: line 30 has not been summed"):
        check_preconditions(SOLVERS["minimax"], known(**unknown))


def test_plays_that_may_end_are_tried(known):
    assert unmet_needs(SOLVERS["minimax"], known(terminates=Fact(None, "not proved"))) == ()


@pytest.mark.parametrize("name", ["minimax", "alphabeta", "maxn"])
def test_plays_need_not_end_for_a_search_to_a_depth(known, name):
    endless = known(terminates=ENDLESS)
    with pytest.raises(ZermeloError) as raised:
        check_preconditions(SOLVERS[name], endless)
    assert raised.value.code == "needs-end"
    check_preconditions(SOLVERS[name], endless, Requirements(deepens=True))


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({}, "enhanced_alphabeta"),
        ({"terminates": ENDLESS}, "positions"),
        ({"chance": DRAWS}, "positions"),
        ({"players": THREE}, "positions"),
        ({"players": ("Solo",), **NO_SUM}, "positions"),
        ({**NO_SUM, "chance": DRAWS}, "positions"),
        ({"perfect_information": HIDDEN}, "sequence_form"),
        ({"has_history": True}, "dfpn"),
        ({"has_history": True, "terminates": ENDLESS}, "positions"),
        ({"has_history": True, "chance": DRAWS}, "positions"),
    ],
)
def test_default_solver(known, changes, name):
    assert choose_solver(known(**changes)).name == name


def test_what_the_rules_know_of_the_past_does_not_keep_alpha_beta_from_tracing(known):
    assert choose_solver(known(has_history=True), Requirements(traces=True)).name == "alphabeta_table"


def test_no_solver(known):
    with pytest.raises(ZermeloError) as raised:
        choose_solver(known(perfect_information=HIDDEN, terminates=ENDLESS, chance=DRAWS))
    assert raised.value.code == "no-solver"
    assert "'endless'" in raised.value.message


def test_a_guess_is_never_the_default(known):
    facts = known(terminates=ENDLESS, bounds=((-1, 1), (-1, 1)))
    assert unmet_needs(SOLVERS["mcts"], facts) == ()
    with pytest.raises(ZermeloError) as raised:
        choose_solver(facts, Requirements(traces=True))
    assert raised.value.code == "no-solver"
    assert raised.value.help == "values of all positions fits this game: leave out --trace and --steps"


def test_one_that_advises_is_chosen_where_it_is_asked_for(known):
    advised = Requirements(advises=True)
    assert choose_solver(known()).name != "positions" and choose_solver(known(), advised).name == "positions"
    at_once = Fact(True, "both choose at once")
    in_one_round = known(simultaneous=at_once, perfect_information=HIDDEN, public_between_rounds=at_once)
    assert choose_solver(in_one_round).name != "positions" and choose_solver(in_one_round, advised).name == "positions"


def test_what_is_in_the_way_of_what_is_asked_for_is_said(known):
    with pytest.raises(ZermeloError) as raised:
        choose_solver(known(perfect_information=HIDDEN), Requirements(traces=True))
    assert raised.value.message.startswith("no solver that records its search fits this game: they are for games of")


def test_what_a_solver_has_no_use_for_is_refused(known, tree):
    for name, limits, sampling, code, message in (
        ("minimax", Limits(), Sampling(9), "does-not-sample", "minimax makes no simulations"),
        ("dfpn", Limits(depth=9), None, "searches-to-the-end", "searches to the end of all plays"),
        ("mcts", Limits(depth=9), Sampling(9), "searches-to-the-end", "looks as far as plays go"),
    ):
        with pytest.raises(ZermeloError) as raised:
            solve(tree(1), known(bounds=((0, 1), (-1, 0))), name, limits=limits, sampling=sampling)
        assert raised.value.code == code
        assert message in raised.value.message
        assert raised.value.help.startswith("these do: ")


def test_names_are_found_however_they_are_spelled():
    assert find_solver("alpha-beta") is find_solver("AlphaBeta") is SOLVERS["alphabeta"]
    assert find_solver("max^n") is SOLVERS["maxn"]
    with pytest.raises(ZermeloError) as raised:
        find_solver("minmax")
    assert raised.value.code == "unknown-solver"
    assert "did you mean 'minimax'?" in raised.value.help


def test_kinds_in_words(known):
    assert kind_of_game(known()) == "two players, zero sum, no chance, perfect information"
    ten = known(sum=Fraction(10), chance=DRAWS)
    assert kind_of_game(ten) == "two players, payoffs that always sum to 10, chance, perfect information"
    assert kind_of_game(known(players=("Solo",), **NO_SUM)) == "one player, no chance, perfect information"
    assert default_reason(SOLVERS["alphabeta"], known()).startswith(
        "two players, zero sum, no chance, perfect information; "
    )


def test_solution(known, tree):
    machine = tree([0, [1, 3, 12, 8], [1, 2, 4, 6], [1, 14, 5, 2]])
    chosen = solve(machine, known())
    assert chosen.solver == "enhanced_alphabeta"
    assert chosen.why == default_reason(SOLVERS["enhanced_alphabeta"], known())
    assert chosen.value == (3, -3)
    assert chosen.seconds >= 0
    asked = solve(machine, known(), "minimax")
    assert (asked.solver, asked.why) == ("minimax", "it was asked for")
    behind = machine.after(machine.initial(), Move("b"))
    assert solve(machine, known(), root=behind).value == (2, -2)


def test_draws_need_no_constant_sum(known, tree):
    machine = tree([CHANCE, (Fraction(1, 2), (1, 1)), (Fraction(1, 2), [1, (0, 2), (2, 0)])])
    assert solve(machine, known(chance=DRAWS, **NO_SUM)).value == (Fraction(1, 2), Fraction(3, 2))


# What is chosen for games whose rules look at the history: draughts on 16 squares, drawn by a third repetition.


REPETITION = "    if repetitions(board) >= 3: end draw\n"


def draughts(rule: str, declared: str = "") -> str:
    """The bundled checkers on 4 x 4 squares, a row of men each, without its clock."""
    text = (files("zermelo") / "gamedefs" / "checkers.game").read_text(encoding="utf-8")
    text = text.replace("grid(8, 8)", "grid(4, 4)").replace("then 8 else 1", "then 4 else 1")
    text = text.replace("s.y <= 3:", "s.y <= 1:").replace("s.y >= 6:", "s.y >= 4:").replace(", terminates", declared)
    text = text.replace("    if by is none and idle == patience: end draw\n", rule)
    text = re.split(r"^(?:test|reachable|never)\b", text, maxsplit=1, flags=re.MULTILINE)[0]  # of the whole board
    return re.sub(r"^(param|var idle|expect| +idle :=).*\n", "", text, flags=re.MULTILINE)


@needs_llvm
def test_a_third_repetition_is_worth_what_going_on_for_ever_is():
    """Who can win at all can win without coming back to a position; so the value is that of the game in which plays go
    on for ever and are drawn, which retrograde analysis finds without a history."""
    game = zermelo.loads(draughts(REPETITION))
    found = solve(game.on("native").searching, game.facts)
    assert (found.solver, found.exact) == ("dfpn", True)
    assert found.counts["nodes"] < 20_000
    endless = zermelo.loads(draughts("", "\nendless draw"))
    again = zermelo.solve(endless, "positions")
    assert again.exact and again.value == found.value


@needs_llvm
def test_deepening_solves_it_with_a_table_of_pasts():
    """Without a table 337 million nodes were not enough."""
    game = zermelo.loads(draughts(REPETITION))
    found = solve(game.on("native").searching, game.facts, "principal_variation")
    assert (found.value, found.exact) == ((0, 0), True)
    assert found.counts["nodes"] < 400_000


# Kinds of games in words: for the help, and for why a solver was chosen.


def test_every_solver_is_listed_once_under_a_kind_of_game():
    lines = solvers_by_kind().splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sorted(listed) == sorted(SOLVERS)
    heads = [line for line in lines if line.startswith("solvers where ")]
    assert len(heads) == len(set(heads)) == 6
    assert "there is no chance" in next(head for head in heads if lines[lines.index(head) + 1].startswith("  enhanced"))


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("rock_paper_scissors", "two players, zero sum, no chance, choices at once"),
        ("kuhn_poker", "two players, zero sum, chance, hidden information"),
        ("nim", "two players, zero sum, no chance, perfect information"),
        ("parking", "one player against chance, perfect information"),
    ],
)
def test_choices_at_once_are_not_called_hidden(name, kind):
    assert kind_of_game(facts_with_information(zermelo.load(name))) == kind


# A solver that does not fit a game is refused for that, whatever else is asked of it, and the help leads on.


@pytest.mark.parametrize(("game", "solver"), [("subtraction_game", "sequence_form"), ("kuhn_poker", "minimax")])
def test_what_is_asked_is_not_the_reason(game, solver):
    """Without the options that are asked for in vain the solver would not run either."""
    facts = zermelo.load(game).facts
    check_request(find_solver(solver), facts, Request(goal=Goal(iterations=9), is_advised=True))
    with pytest.raises(ZermeloError) as raised:
        check_preconditions(find_solver(solver), facts)
    assert raised.value.code.startswith("needs-")


def test_options_that_no_solver_takes_are_named_beside_the_one_that_fits():
    asked = Requirements(deepens=True)
    assert advise_other_solver(zermelo.load("kuhn_poker").facts, asked) == (
        "the linear program of the sequence form fits this game: --solver sequence_form, and leave out --depth and "
        "--nodes"
    )


def test_a_search_to_a_depth_without_an_estimate_gets_one():
    asked = Requirements(deepens=True)
    assert advise_other_solver(zermelo.load("coin_flip_tree").facts, asked) == (
        "expectiminimax fits this game: `zermelo solve --solver expectiminimax --estimate rollouts`"
    )


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=list(SOLVERS))
def test_every_algorithm_is_where_the_registry_says(solver):
    assert callable(solver.algorithm)
