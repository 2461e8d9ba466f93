"""Samuel's learning by generalization: its rules by hand, which terms it keeps, and that it is repeatable."""

from __future__ import annotations

import json

import pytest
from all_machines import MACHINE_NAMES

import zermelo
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.learning import prepare_learning, run_learning, settings_of
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.kernels import generalization as kernel
from zermelo.solvers.learning.weights import parse_weights

TAKING = """
game "Taking stones"

players Ann, Bob
claim terminates

var taken[Player]: 0..40 = 0
var bonus[Player]: 0..40 = 0
var hold: 0..3 = 0
var left: 0..12 = 12

define gained(p: Player) = taken[p] + 2 * bonus[p]

feature lead(p) = taken[p] - taken[other p]
feature parity(p) = if left % 2 == 0 then 1 else -1
feature bonuses(p) = bonus[p] - bonus[other p]
feature thirds(p) = if left % 3 == 0 then 1 else -1
weight lead = 1/100
weight parity = 0
weight bonuses = 0
weight thirds = 0

estimate for p: weighted sum

start at play(Ann)

phase play(p: Player):
    turn p:
        move take(n in 1..2) if left >= n:
            left -= n
            taken[p] += n
            go play(other p)
        move keep if left >= 1:
            left -= 1
            bonus[p] += 1
            go play(other p)
    otherwise:
        if gained(Ann) > gained(Bob): end win Ann
        if gained(Ann) < gained(Bob): end win Bob
        end draw
"""


def learnt(text_or_name, games, machine="auto", seed=0, **settings):
    make = zermelo.loads if "\n" in text_or_name else zermelo.load
    return zermelo.learn(make(text_or_name).on(machine), method="weights", games=games, seed=seed, **settings)


# The rules, by hand. Kernels are Python, too, so each of them is called as it is.


class Holder:
    """A record with these fields."""

    def __init__(self, **held):
        self.__dict__.update(held)


@pytest.fixture
def learner(monkeypatch):
    """A learner of a feature that is kept, two terms and two in reserve."""
    for name, number in (("TERMS_USED", 2), ("MARKS", 3), ("LOSSES", 3)):
        monkeypatch.setattr(kernel, name, number, raising=False)
    look = Holder(weight=[0.05, 0.0, 0.0, 0.0, 0.0] * 2, largest=[8.0, 4.0, 2.0, 1.0, 1.0], now=[0.0] * 5)
    return Holder(
        look=look, play=Holder(before=[0.0] * 5, delta=0.0, tells=True), lead=0.08, least=0.025, losses=0, wins=0,
        correlation=[0.0] * 5, uses=[0] * 5, marks=[0] * 5, exchanged=[0] * 5, order=[1, 2, 3, 4], defeats=0,
    )  # fmt: skip


def test_correlations_are_means_of_agreements(learner):
    """With N = 16, C becomes C - (C - s) / 16: 1/16 after an agreement, 1/16 - 17/256 after a disagreement."""
    learner.play.before = [1.0, 2.0, -1.0, 5.0, 0.0]
    kernel.correlate(learner, 0.5)
    assert learner.correlation == [0, 1 / 16, -1 / 16, 0, 0] and learner.uses == [0, 1, 1, 0, 0]
    learner.play.before = [1.0, 3.0, 0.0, 5.0, 0.0]
    kernel.correlate(learner, -0.5)
    assert learner.correlation == [0, -1 / 256, -1 / 16, 0, 0] and learner.uses == [0, 2, 1, 0, 0]


@pytest.mark.parametrize(
    ("uses", "stands"), [(1, 16), (31, 16), (32, 32), (63, 32), (64, 64), (10**6, kernel.MOST_USES)]
)
def test_the_weight_of_the_past_is_a_power_of_2(uses, stands):
    assert kernel.weight_of_past(uses) == stands


@pytest.mark.parametrize(("ratio", "part"), [(1, 1), (1.99, 1), (2, 1 / 2), (3.5, 1 / 4), (4, 1 / 8)])
def test_weights_are_halved_with_the_ratio_of_correlations(ratio, part):
    assert kernel.halved(ratio) == part


def test_weights_follow_from_correlations(learner):
    """The leading term, of correlation -0.6, is at most 4 and counts 0.08 then; that of the other is 2.4 times less."""
    learner.correlation = [0, -0.6, 0.25, 0.9, 0]
    kernel.weigh(learner)
    assert learner.look.weight[:5] == pytest.approx([0.05, -0.08 / 4, 0.08 / 2 / 2, 0, 0])


def test_small_differences_say_nothing(learner):
    learner.play.before, learner.play.delta = [1.0, 1.0, 1.0, 0.0, 0.0], 0.0249
    kernel.learn(learner)
    assert not any(learner.correlation)
    learner.play.delta = -0.025
    kernel.learn(learner)
    assert learner.correlation[1] == -1 / 16
    learner.play.tells = False
    kernel.learn(learner)
    assert learner.correlation[1] == -1 / 16


def test_the_worst_term_goes_to_the_end_of_the_reserve(learner):
    learner.correlation = [0, 0.5, -0.1, 0, 0]
    for _ in range(2):
        kernel.exchange(learner)
    assert learner.marks == [0, 0, 2, 0, 0] and learner.order == [1, 2, 3, 4]
    kernel.exchange(learner)
    assert learner.order == [1, 3, 4, 2]
    assert learner.exchanged == [0, 0, 1, 0, 0] and not learner.marks[2] and not learner.correlation[2]


def test_beta_takes_over_and_alpha_is_jolted(learner, monkeypatch):
    gains = iter([1.0, -1.0, 0.0, -1.0, -1.0])
    monkeypatch.setattr(kernel, "gain_of_alpha", lambda look, play: next(gains))
    learner.correlation, learner.look.weight[1] = [0, 0.5, -0.1, 0, 0], 0.02
    kernel.compare(learner)
    assert learner.look.weight[6] == 0.02 and learner.wins == 1
    for _ in range(3):
        kernel.compare(learner)
    assert learner.losses == 2 and learner.correlation[1] == 0.5
    kernel.compare(learner)
    assert learner.losses == 0 and learner.correlation == [0, 0, -0.1, 0, 0]
    assert learner.look.weight[1] == 0 and learner.look.weight[6] == 0.02


# What it learns.


@pytest.mark.parametrize("seed", range(3))
def test_the_useful_term_is_kept_and_others_are_exchanged(seed):
    """A bonus counts twice at the end, and how many stones are left says nothing about who is ahead."""
    found = learnt(TAKING, 600, seed=seed, terms=2, exploration=0.3)
    exchanged = dict(zip(found.game.features, found.progression.exchanged, strict=True))
    assert "bonuses" in found.progression.order[:2] and exchanged["bonuses"] == 0
    assert exchanged["parity"] >= 2 and exchanged["thirds"] >= 2


def test_the_first_feature_keeps_its_weight():
    assert learnt(TAKING, 50).by_name["lead"] == 0.01


# It is repeatable.


@pytest.mark.parametrize("method", ["weights", "spsa"])
def test_one_seed_gives_one_file_on_every_machine(method):
    game = zermelo.load("connect_four", rows=4, columns=4)
    found = {
        zermelo.learn(game.on(machine), method=method, games=6, seed=3, depth=2).text() for machine in MACHINE_NAMES
    }
    assert len(found) == 1
    assert zermelo.learn(game, method=method, games=6, seed=4, depth=2).text() not in found


@pytest.mark.parametrize("method", ["weights", "spsa"])
@pytest.mark.parametrize("games", [7, 20])
def test_learning_goes_on_as_if_it_had_not_been_stopped(method, games):
    game = zermelo.loads(TAKING)
    half = parse_weights("half", zermelo.learn(game, method=method, games=games, seed=1).text())
    assert half.games == games
    assert (
        zermelo.learn(game, games=40, resume=half).text() == zermelo.learn(game, method=method, games=40, seed=1).text()
    )


@pytest.mark.parametrize("method", ["weights", "spsa"])
def test_what_is_learnt_before_an_interrupt_is_kept(method):
    game = zermelo.loads(TAKING)

    def interrupt(reached):
        if reached.count >= 20:
            raise KeyboardInterrupt

    learning = prepare_learning(game.initial, 1000, Limits(), 0, settings_of(method), report=interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_learning(learning, game.initial)
    assert 10 <= learning.known.games < 1000
    assert learning.known.text() == zermelo.learn(game, method=method, games=learning.known.games).text()


@pytest.mark.parametrize("method", ["weights", "spsa"])
def test_time_ends_learning(method):
    game = zermelo.loads(TAKING)
    learning = prepare_learning(game.initial, None, Limits(0), 0, settings_of(method))
    run_learning(learning, game.initial)
    assert learning.known.games == 0


def test_climbing_finds_that_a_bonus_counts():
    assert learnt_by_climbing(2000).by_name["bonuses"] > 0


def learnt_by_climbing(games):
    return zermelo.learn(zermelo.loads(TAKING), method="spsa", games=games, depth=1, exploration=0.3)


# What is refused.


@pytest.mark.parametrize(
    ("game", "code"),
    [
        ("pig", "needs-no-chance"),
        ("tic_tac_toe", "no-features"),
        ("nim", "no-features"),
        ("parking", "needs-two-players"),
    ],
)
def test_games_that_cannot_be_learnt_are_refused(game, code):
    with pytest.raises(ZermeloError) as caught:
        learnt(game, 1)
    assert caught.value.code == code


@pytest.mark.parametrize(
    "settings",
    [{"alpha": 0.1}, {"hidden": 3}, {"terms": 0}, {"depth": 0}, {"depth": 65}, {"exploration": 2}, {"method": "guess"}],
)
def test_settings_of_other_methods_are_refused(settings):
    with pytest.raises(ZermeloError) as caught:
        zermelo.learn(zermelo.loads(TAKING), **{"method": "weights", "games": 1, **settings})
    assert caught.value.code == "bad-usage"


@pytest.mark.parametrize("order", [["parity"], ["lead", "parity", "bonuses"], None, ["parity", "parity", "bonuses"]])
def test_a_file_with_another_order_is_refused(order):
    record = json.loads(learnt(TAKING, 3).text())
    record["to_go_on"]["order"] = order
    with pytest.raises(ZermeloError) as caught:
        parse_weights("x.json", json.dumps(record))
    assert caught.value.code == "bad-weights"


BROKEN = TAKING.replace("feature thirds(p) = if left % 3 == 0 then 1 else -1", "feature thirds(p) = 1 / (left - 1)")


@pytest.mark.parametrize("machine", MACHINE_NAMES)
def test_an_error_of_the_rules_is_told_with_the_play(machine):
    with pytest.raises(zermelo.PlayError) as caught:
        learnt(BROKEN, 5, machine)
    taken = sum(int(str(move)[5]) if "take" in str(move) else 1 for move in caught.value.play)
    assert caught.value.code == "zero-divisor" and taken == 11
