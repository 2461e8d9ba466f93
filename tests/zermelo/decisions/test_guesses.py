"""``zermelo moves --values --solver pimc`` and ``alphamu``."""

from __future__ import annotations

import json
from fractions import Fraction
from random import Random
from types import SimpleNamespace

import pytest
from attrs import evolve
from hypothesis import example, given, settings
from hypothesis import strategies as st
from random_cases import many
from random_games.labelled import labelled_tree

import zermelo
from zermelo import decisions as decisions_module
from zermelo.cli import main
from zermelo.decisions import simulate
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END
from zermelo.solvers.common.limits import Limits, Sampling


def answered(capsys, *options):
    assert main(["moves", *options, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["values"]


def test_all_deals_are_weighed_if_they_are_few(capsys):
    found = answered(capsys, "kuhn_poker", "--after", "deal(Q, K)", "--values", "--solver", "pimc")
    assert found["all_deals"] and found["deals"] == 2
    assert {each["move"]: each["value"]["Alice"] for each in found["moves"]} == {"check": "0", "bet": "-1/2"}
    assert {each["standard_error"] for each in found["moves"]} == {None}


COIN = """
game "A coin"
players Ann, Bob
claim zero_sum
type Side = heads | tails
var coin: Side = heads hidden
start at toss
phase toss:
    chance:
        outcome fall(secret s in Side):
            coin := s
            go begin
phase begin:
    turn Ann:
        move wait: go guess
        move stop: end draw
phase guess:
    turn Ann:
        move call(s in Side):
            if s == coin: end win Ann
            end win Bob
"""


def test_a_call_that_would_have_to_know_the_coin_is_a_fusion(run, game_file):
    ran = run("moves", game_file(COIN), "--after", "fall(tails)", "--values", "--solver", "pimc")
    assert ran.code == 0, ran.err
    assert " ".join(ran.out.split()).endswith(
        "fusion after wait Ann would have to know the deal: in one call(heads) is best, in another call(tails), and "
        "they look the same"
    )


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("oos", "--iterations", "20"), "counts iterations 20, information sets 9 note A guess: how often Alice"),
        (("ismcts", "--simulations", "20"), "counts simulations 20, moves in the trees 12, depth 3 note A guess:"),
        (
            ("ismcts", "--simulations", "20", "--observers", "single"),
            "observers one: the others choose as if they knew no more than Alice",
        ),
    ],
)
def test_what_a_guess_rests_on_is_said(run, options, says):
    ran = run("moves", "kuhn_poker", "--after", "deal(K, Q)", "--values", "--solver", *options)
    printed = " ".join(ran.out.split())
    assert says in printed and "deals 2, all that fit, with their probabilities" in printed


def test_a_fusion_is_told(capsys):
    assert main(["moves", "four_card_hand", "--after", "heart", "--values", "--solver", "pimc"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "in one follow(6♦) is best, in another follow(6♥), and they look the same" in printed


def test_alphamu_looks_as_far_as_it_is_told(capsys):
    means = [
        {
            each["move"]: each["value"]["MAX"]
            for each in answered(
                capsys, "four_card_hand", "--after", "heart", "--values", "--solver", "alphamu", "--depth", depth
            )["moves"]
        }
        for depth in "12"
    ]
    assert set(means[0].values()) == {"0"}
    assert [means[1][f"lead(({rank}, clubs))"] for rank in ("seven", "eight")] == ["-1/2", "-1/2"]


def test_drawn_deals_are_the_same_for_one_seed(capsys):
    asked = ["blind_tic_tac_toe", "-p", "width=2", "-p", "height=2", "-p", "run=2", "--after", "mark(a1)"]
    deals = ["--values", "--solver", "pimc", "--deals", "2"]
    first, again = (answered(capsys, *asked, *deals, "--seed", "5") for _ in range(2))
    assert first == again and first["deals"] == 2 and not first["all_deals"]
    assert None not in {each["standard_error"] for each in first["moves"]}
    assert {each["error"] for each in first["moves"]} == {None}, "nothing bounds the error of a sample"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["kuhn_poker"], "no-value"),
        (["goofspiel"], "needs-perfect-information"),
        (["kuhn_poker_for_several", "--after", "deal(1); deal(2); deal(3)"], "needs-two-players"),
        (["leduc_poker", "--after", "deal(J♥); deal(Q♠)", "--solver", "alphamu"], "needs-no-chance"),
    ],
)
def test_what_open_cards_cannot_solve_is_refused(options, code, capsys):
    assert main(["moves", "--values", "--solver", "pimc", *options]) in (1, 2)
    assert f"error[{code}]" in capsys.readouterr().err


WHIST = (
    "deal({(two, clubs), (nine, clubs), (four, hearts), (nine, spades)}, "
    "{(three, clubs), (eight, hearts), (five, hearts), (two, spades)})"
)


def test_deals_that_nobody_could_list_are_drawn(capsys):
    found = answered(capsys, "four_card_whist", "--after", WHIST, "--values", "--solver", "pimc", "--deals", "40")
    assert found["deals"] == 40 and not found["all_deals"]
    means = {each["move"]: each["value"]["North"] for each in found["moves"]}
    for nine in ("clubs", "spades"):  # nothing is higher, so leading it wins the trick in every deal
        assert means[f"lead((nine, {nine}))"] >= means["lead((two, clubs))"]


# Deals that fit, and ``zermelo moves --values --solver ismcts``.


def listed(monkeypatch, most):
    """Have only so many states listed before deals are drawn."""
    monkeypatch.setattr(decisions_module, "_MOST_LISTED", most)


def deals_seen(monkeypatch):
    """The deals of each search from now on."""
    seen = []
    search = decisions_module.simulate_deals

    def watched(problem, player, deals, is_single):
        seen.append(deals)
        return search(problem, player, deals, is_single)

    monkeypatch.setattr(decisions_module, "simulate_deals", watched)
    return seen


def random_decision(game, random):
    """A decision of a player in a random play, None if there is none."""
    decisions, state = [], game.initial
    while not state.is_over:
        if state.actor != zermelo.game.CHANCE:
            decisions.append(state)
            state = state.after(random.choice(state.moves))
        else:
            state = state.after(random.choice([outcome for outcome, chance in state.outcomes if chance]))
    return random.choice(decisions) if decisions else None


def random_labelled(seed):
    """A random tree with information sets, and a decision in it."""
    random = Random(seed)
    tree = labelled_tree(random, players=random.choice((2, 3)), depth=4)
    game = zermelo.loads(tree.game())
    return game, random_decision(game, random)


def moves_below(machine, states, tells_apart):
    """How many moves there are behind some states, where ``tells_apart`` says of a decision what its node is known by,
    given the state and who decides."""
    found, waiting = {}, list(states)
    while waiting:
        state = waiting.pop()
        actor = machine.actor(state)
        if actor == END:
            continue
        if actor == CHANCE:
            waiting += [machine.after(state, outcome) for outcome, chance in machine.outcomes(state) if chance]
            continue
        moves = machine.moves(state)
        found.setdefault(tells_apart(state, actor), set()).update(moves)
        waiting += [machine.after(state, move) for move in moves]
    return sum(map(len, found.values()))


@settings(max_examples=many(25), deadline=None)
@given(seed=st.integers(0, 1 << 30), drawn=st.booleans())
def test_every_deal_fits_what_was_perceived(seed, drawn):
    """By the reference machine: the player is to move, and knows just what they know."""
    game, state = random_labelled(seed)
    if state is None:
        return
    with pytest.MonkeyPatch.context() as monkeypatch:
        if drawn:
            listed(monkeypatch, 0)
        deals = deals_seen(monkeypatch)
        simulate(state, simulations=20, deals=30, seed=seed)
    reference, player = game.reference, game.number(state.actor)
    known = tuple(state.information_state(state.actor))
    assert sum(share for _, share in deals[0]) == 1
    for deal, share in deals[0]:
        assert share > 0
        there = reference.initial()
        for move in game.searching.play(deal):
            there = reference.after(there, move)
        assert reference.actor(there) == player
        assert tuple(reference.information_state(there, player)) == known


@settings(max_examples=many(25), deadline=None)
@given(seed=st.integers(0, 1 << 30), observers=st.sampled_from(decisions_module.OBSERVERS))
@example(seed=1, observers="single")
@example(seed=110, observers="multiple")
def test_the_trees_have_the_information_sets_of_the_reference(seed, observers):
    """With so much exploration every move that can be made has been: with several observers the trees have as many as
    the information sets behind the deals. Confusing two, or taking one for two, changes the number. With one observer a
    node may hold several decisions of another player, and moves of the same name are one or not, as phases are."""
    game, state = random_labelled(seed)
    if state is None:
        return
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setattr(decisions_module, "Sampling", lambda wanted: Sampling(wanted, 1000.0))
        deals = deals_seen(monkeypatch)
        found = simulate(state, observers, 6_000, seed=seed)
    machine, observer, roots = game.reference, game.number(state.actor), []
    for deal, _ in deals[0]:
        there = machine.initial()
        for move in game.searching.play(deal):
            there = machine.after(there, move)
        roots.append(there)

    def known_to(player, there):
        return tuple(machine.information_state(there, player))

    def by_actor(there, actor):
        return actor, known_to(actor, there)

    def by_observer(there, actor):
        return actor, known_to(observer, there)

    def by_both(there, actor):
        return actor, known_to(observer, there), known_to(actor, there)

    if observers == "multiple":
        assert found.counts["moves in the trees"] == moves_below(machine, roots, by_actor)
    else:
        assert (
            moves_below(machine, roots, by_observer)
            <= found.counts["moves in the trees"]
            <= moves_below(machine, roots, by_both)
        )


@pytest.mark.parametrize(
    ("name", "play"),
    [
        ("leduc_poker", ("deal(J♥)", "deal(Q♠)", "check", "raise", "call", "turn_up(Q♥)", "check")),
        ("liars_dice", ("roll(3)", "roll(5)", "bid(1, 5)", "bid(2, 2)")),
        ("kuhn_poker_for_several", ("deal(1)", "deal(2)", "deal(3)", "check", "bet")),
    ],
)
def test_weights_of_deals_that_are_drawn(name, play, monkeypatch):
    """Deep in a play, after draws of chance too, the weighed deals come near the exact belief."""
    state = zermelo.load(name).initial
    for move in play:
        state = state.after(move)
    deals = deals_seen(monkeypatch)
    exact = simulate(state, simulations=1)
    listed(monkeypatch, 0)
    sampled = simulate(state, simulations=1, deals=4_000)
    assert exact.deals.covers and not sampled.deals.covers
    machine = state.game.searching
    known, found = ({machine.play(each): share for each, share in group} for group in deals)
    assert found.keys() <= known.keys()
    for play, probability in known.items():
        assert abs(found.get(play, Fraction(0)) - probability) < Fraction(6, 100)


def answered_by_simulations(capsys, *options):
    assert main(["moves", *options, "--values", "--solver", "ismcts", "--json"]) == 0
    return json.loads(capsys.readouterr().out)["values"]


def test_the_record(capsys):
    found = answered_by_simulations(capsys, "kuhn_poker", "--after", "deal(J, K); bet", "--simulations", "500")
    assert (found["solver"], found["exact"], found["certainty"]) == ("ismcts", False, "heuristic")
    assert (found["deals"], found["all_deals"], found["simulations"]) == (2, True, 500)
    assert {each["move"]: each["best"] for each in found["moves"]} == {"fold": False, "call": True}
    assert sum(each["simulations"] for each in found["moves"]) == 500


def test_moves_that_were_not_simulated(capsys):
    found = answered_by_simulations(capsys, "liars_dice", "--after", "roll(3); roll(5)", "--simulations", "1")
    assert sum(each["value"] is None for each in found["moves"]) == len(found["moves"]) - 1


def test_it_is_called_a_guess(capsys):
    words = ["moves", "four_card_whist", "--after", WHIST, "--values", "--solver", "ismcts", "--deals", "40"]
    assert main([*words, "--observers", "single"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "A guess:" in printed and "as if they knew no more than North" in printed
    assert "40, drawn at random, worth 40 independent ones" in printed


def test_nobody_is_to_move(capsys):
    assert main(["moves", "kuhn_poker", "--values", "--solver", "ismcts"]) in (1, 2)
    assert "error[no-value]" in capsys.readouterr().err


def test_payoffs_without_bounds_are_refused():
    game = zermelo.load("kuhn_poker")
    state = game.initial.after("deal(J, Q)")
    facts = evolve(game.facts, bounds=(None, None))
    with pytest.MonkeyPatch.context() as monkeypatch, pytest.raises(ZermeloError) as raised:
        monkeypatch.setattr(type(game), "facts", facts)
        simulate(state)
    assert raised.value.code == "needs-bounds"


def test_no_time_at_all():
    state = zermelo.load("kuhn_poker").initial.after("deal(J, Q)")
    with pytest.raises(ZermeloError) as raised:
        simulate(state, deals=10, limits=Limits(seconds=0))
    assert raised.value.code == "out-of-time"


def test_as_many_deals_as_there_are_positions_are_all_of_them():
    believed = [SimpleNamespace(state=k, probability=Fraction(1, 2 + 2 * (k > 0))) for k in range(3)]
    drawn = decisions_module._sample_positions(SimpleNamespace(positions=believed), 3, Random(0))
    assert drawn == [(0, Fraction(1, 2)), (1, Fraction(1, 4)), (2, Fraction(1, 4))]


# `zermelo moves --values --solver oos`: what is printed, what limits do, and what is refused.


def test_the_record_in_online(run):
    words = ("moves", "kuhn_poker", "--after", "deal(J, K); bet", "--values", "--solver", "oos", "--iterations", "300")
    found = run(*words, "--json").record["values"]
    assert (found["solver"], found["exact"], found["certainty"]) == ("oos", False, "heuristic")
    assert (found["deals"], found["all_deals"], found["iterations"]) == (2, True, 300)
    assert [each["move"] for each in found["moves"]] == ["fold", "call"]
    assert sum(each["probability"] for each in found["moves"]) == pytest.approx(1)


def test_it_is_called_a_guess_in_online(run):
    ran = run("moves", "liars_dice", "--after", "roll(3); roll(5)", "--values", "--solver", "oos", "--iterations", "50")
    assert ran.code == 0
    printed = " ".join(ran.out.split())
    assert "A guess: how often" in printed and "6, all that fit, with their probabilities" in printed


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("kuhn_poker",), "no-value"),
        (("kuhn_poker", "--after", "deal(J, K)", "--time", "0"), "out-of-time"),
    ],
)
def test_refusals(run, options, code):
    ran = run("moves", *options, "--values", "--solver", "oos")
    assert ran.code in (1, 2) and f"error[{code}]" in ran.err


def test_a_full_table_is_said(run):
    words = ("moves", "leduc_poker", "--after", "deal(J♥); deal(K♠)", "--values", "--solver", "oos")
    ran = run(*words, "--memory", "300K", "--iterations", "5000")
    assert ran.code == 0 and "The memory is full" in ran.out
