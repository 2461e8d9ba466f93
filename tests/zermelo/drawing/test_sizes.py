"""Pictures of how large games are, and of the rules that plays use."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from solving import solve

import zermelo
from zermelo.decisions import simulate
from zermelo.drawing.sizes import draw_convergence, draw_coverage, draw_sizes
from zermelo.drawing.tables import draw_payoffs
from zermelo.interpreter.machine import display_text
from zermelo.pictures.curves import curves_picture, log_axis, spread_places
from zermelo.pictures.listings import listing_picture
from zermelo.pictures.marks import INK
from zermelo.pictures.matrices import region_picture
from zermelo.solvers.common.limits import Goal, Limits, Milestone, Sampling

HALF_USED = """game "Half used"
players A, B

start at first
phase first:
    turn A:
        move left: end win A
        move right: go second(1)

phase second(n: 1..2):
    if n == 2:
        end draw
    turn B:
        move left: end win B
"""


def sizes(name, most=10_000, depth=100):
    return draw_sizes(zermelo.load(name).initial, most, depth, Limits(), lambda _: None)


def coverage(game, most=None):
    return draw_coverage(game.initial, most, Limits(), lambda _: None)


def apart(picture):
    words = picture.words
    return [
        (word.text, other.text)
        for k, word in enumerate(words)
        for other in words[k + 1 :]
        if word.box.overlaps(other.box)
    ]


def test_the_lines_of_a_size():
    drawn = sizes("kuhn_poker")
    lines = {curve.name: [(ply, int(number)) for ply, number in curve.points] for curve in drawn.curves}
    assert lines["plays"] == [(0, 1), (1, 6), (2, 12), (3, 24), (4, 12)]
    assert lines["ended plays"] == [(3, 18), (4, 12)]
    assert lines["information sets"] == [(1, 3), (2, 6), (3, 3)]
    assert drawn.remarks == ("To ply 4: 30 plays end, 55 histories, 12 information sets.",)


def test_a_game_that_goes_on_says_so():
    assert "a ply has more than 50 states; --nodes allows more" in sizes("tic_tac_toe", 50).remarks[1]
    assert sizes("tic_tac_toe", depth=2).remarks[1] == "There is more after ply 2."


def test_what_no_play_uses_is_told():
    drawn = coverage(zermelo.loads(HALF_USED))
    counts = {line.number: line.count for line in drawn.lines}
    assert counts[7] == 1 and counts[12] == 0 and counts[2] is None
    (note,) = (note for line in drawn.lines for note in line.notes)
    assert HALF_USED.split("\n")[10][note.begin : note.end] == "n == 2" and note.words.startswith("never true")
    colours = {word.text: word.colour for word in listing_picture(drawn).words}
    rows = HALF_USED.split("\n")
    assert colours["never"] == colours[rows[11]] != colours[rows[6]] == colours[rows[1]] == INK
    words = [word.text for word in listing_picture(drawn).words]
    assert words.count("never") == 1 and note.words in words


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "connect_four", "pig", "two_ply_tree"])
def test_no_words_of_a_size_lie_on_others(name):
    assert not apart(curves_picture(sizes(name, 1_000)))


@pytest.mark.parametrize("name", ["tic_tac_toe", "goofspiel", "crosswords", "chess"])
def test_no_words_of_a_listing_lie_on_others(name):
    """The longer ones have several columns."""
    picture = listing_picture(coverage(zermelo.load(name), 20))
    assert not apart(picture) and picture.box.height < 64 * 17 + 150


def test_the_commands(run, tmp_path):
    for kind, said in (("sizes", "255,168 plays end"), ("coverage", "Lines: 9 of 9 (100 %)")):
        file = tmp_path / f"{kind}.svg"
        assert run("draw", "tic_tac_toe", kind, "-o", str(file)).code == 0
        assert said in file.read_text(encoding="utf-8")
    assert "coverage is that of all plays" in run("draw", "tic_tac_toe", "coverage", "--after", "mark(b2)").err
    assert "error[too-many-outcomes]" in run("draw", "four_card_whist", "sizes").err


# The lines of solvers that go on and on, held against runs that end where the points are.


UNBOUNDED = """\
game "A fountain"

players Ann, Bob

start at play(Ann)

phase play(p: Player):
    turn p:
        move draw_water:
            earn p: 1
            go play(other p)
        move go_home: end
"""


def drawn(game, solvers=(), steps=60, seed=0, after=()):
    state = zermelo.load(game).initial
    for move in after:
        state = state.after(move)
    return draw_convergence(state, solvers, steps, seed, Limits(), lambda _: None)


@pytest.mark.parametrize("solver", ["cfr", "cfr_plus", "external_sampling", "outcome_sampling"])
def test_a_point_is_what_a_run_of_that_many_iterations_comes_to(solver):
    (curve,) = drawn("kuhn_poker", [solver], seed=3).curves
    assert [count for count, _ in curve.points][-1] == 60
    game = zermelo.load("kuhn_poker")
    for count, amount in curve.points:
        run = solve(game.machine, game.facts, solver, goal=Goal(iterations=count), seed=3)
        assert float(amount) == pytest.approx(float(run.exploitability), abs=1e-6)


def test_a_point_of_a_tree_search_is_the_mean_of_that_many_simulations():
    """The first line is the move that is simulated most, whose mean is the guess of the search."""
    found = drawn("tic_tac_toe", ["mcts"], 500, seed=5)
    game = zermelo.load("tic_tac_toe")
    run = solve(game.machine, game.facts, "mcts", seed=5, sampling=Sampling(500))
    assert found.curves[0].name == display_text(run.best[0])
    assert found.curves[0].points[-1] == (500, run.value[0])


def test_a_point_of_an_information_set_search_is_the_mean_of_that_many_simulations():
    found = drawn("four_card_hand", ["ismcts"], 200, after=["heart"])
    state = zermelo.load("four_card_hand").initial.after("heart")
    simulated = simulate(state, simulations=200)
    moves = {display_text(each.move): each for each in simulated.worths}
    assert {curve.name for curve in found.curves} == set(moves)
    for curve in found.curves:
        assert curve.points[-1] == (200, moves[curve.name].payoff[0])
    assert simulated.best[0] == moves[found.curves[0].name].move


def test_what_is_at_an_equilibrium_has_no_place_on_a_scale_of_powers():
    """Rock, paper, scissors begins with equal probabilities, which are its equilibrium."""
    found = drawn("rock_paper_scissors", ["cfr", "external_sampling"])
    assert [curve.name for curve in found.curves] == ["external-sampling Monte Carlo CFR"]
    assert "CFR is at an equilibrium, as far as doubles tell, at iteration 1." in found.remarks


def test_the_usual_solvers():
    assert len(drawn("kuhn_poker").curves) == 4
    assert len(drawn("tic_tac_toe").curves) == 8  # of nine moves
    assert drawn("tic_tac_toe").remarks[0].endswith("The 8 moves simulated most of 9 are drawn.")


@pytest.mark.parametrize(("game", "after"), [("kuhn_poker", ()), ("tic_tac_toe", ()), ("connect_four", ("drop(4)",))])
def test_no_words_of_a_chart_lie_on_others(game, after):
    words = curves_picture(drawn(game, after=after)).words
    for k, word in enumerate(words):
        assert not any(word.box.overlaps(other.box) for other in words[k + 1 :]), word.text


@given(st.fractions(Fraction(1, 10**9), 10**9), st.fractions(Fraction(1, 10**9), 10**9))
@example(10**9 - Fraction(1, 10**9), 10**9 - Fraction(1, 10**9))
@example(1, 10**9 + Fraction(1, 10**9))
def test_an_axis_of_powers_holds_what_is_on_it(one, other):
    least, most = sorted([one, other])
    along = log_axis(least, most, 100)
    assert along.low <= least <= most <= along.high and 2 <= len(along.ticks) <= 8
    places = [along.place(number) for number in along.ticks]
    assert places[0] == 0 and places[-1] == pytest.approx(100) and places == sorted(places)


@given(st.lists(st.floats(-300, 0), max_size=12).map(sorted))
def test_names_keep_apart_and_in_order(wanted):
    places = spread_places(wanted)
    assert all(below - above >= 15 - 1e-6 for above, below in pairwise(places))
    free = [k for k in range(1, len(wanted) - 1) if wanted[k] - wanted[k - 1] > 200 < wanted[k + 1] - wanted[k]]
    assert all(places[k] == wanted[k] for k in free)


def test_payoffs_beyond_floating_point():
    """The figures are fractions, and so are the axes."""
    large = " * ".join([str(10**80)] * 5)
    text = f"""game "Huge"
players A, B
start at p
phase p:
    turn A:
        move little: end payoff {{A: {large}, B: 0}}
        move much: end payoff {{A: 3 * ({large}), B: 1}}
"""
    state = zermelo.loads(text).initial
    searched = draw_convergence(state, ["mcts"], 50, 0, Limits(), lambda _: None)
    assert searched.curves[0].points[-1] == (50, 3 * 10**400)
    words = [word.text for word in curves_picture(searched).words]
    assert "3e400" in words
    words = [word.text for word in region_picture(draw_payoffs(state, Limits(), lambda _: None)).words]
    assert "3e400" in words
    assert str(Milestone(5, "simulations", {"much": Fraction(3 * 10**400)})) == "5 simulations, much 3.00e+400"


def test_the_command_draws_convergence(run, tmp_path):
    file = tmp_path / "convergence.svg"
    command = ("draw", "kuhn_poker", "convergence", "--solver", "cfr+", "--iterations", "50")
    assert run(*command, "-o", str(file)).code == 0
    assert "CFR+: " in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["kuhn_poker", "convergence", "--solver", "minimax"], "does-not-iterate"),
        (["kuhn_poker", "convergence", "--solver", "cfr", "--solver", "ismcts"], "a line for each move"),
        (["kuhn_poker", "convergence", "--solver", "mcts"], "needs-perfect-information"),
        (["tic_tac_toe", "convergence", "--solver", "cfr"], "leave out --solver: mcts fits this game"),
        (["matching_pennies", "convergence"], "an equilibrium from the first iteration on"),
        (["kuhn_poker", "convergence", "--solver", "cfrr"], "did you mean 'cfr'?"),
        (["kuhn_poker", "convergence", "--iterations", "0"], "at least 1"),
        (["kuhn_poker", "convergence", "--depth", "2"], "this kind: tree, sizes"),
        (["kuhn_poker", "--seed", "2"], "this kind: convergence"),
        (["kuhn_poker", "convergence", "--solver", "ismcts"], "chance is to draw"),
        (["tic_tac_toe", "--solver", "minimax", "--solver", "maxn"], "the values of one solver"),
        (["leduc_poker", "convergence", "--solver", "external_sampling", "--memory", "1M"], "out-of-memory"),
    ],
)
def test_a_chart_that_cannot_be_drawn(run, arguments, said):
    found = run("draw", *arguments)
    assert found.code != 0 and said in found.err


def test_no_solver_is_advised_that_does_not_fit(run, tmp_path):
    """Nothing is hidden here, so CFR does not fit; and nothing bounds the payoffs, so MCTS does not."""
    file = tmp_path / "unbounded.game"
    file.write_text(UNBOUNDED, encoding="utf-8")
    for named in ((), ("--solver", "cfr")):
        found = run("draw", str(file), "convergence", *named)
        assert found.code == 1 and "no solver that goes on and on fits this game" in found.err
