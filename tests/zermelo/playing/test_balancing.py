"""How games play: samples against what their own lines say, and what is told of them."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo
from zermelo.commands import balance as command
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.playing.balancing import Balance, Measure, PlayRecord

TAKEN = """\
game "Taken"

players A, B

var coins: 0..6 = 6
var pot: 0..6 = 0

start at play(A)

phase play(p: Player):
    turn p:
        move take: end win p
        move leave: end draw
        move lose: end win other p
"""
"""A game of one move, in which a random player wins, draws and loses equally often."""


def measure(found: Balance, name: str) -> Measure:
    return next(each for each in found.measures if each.name == name)


def retold(game: zermelo.Game, play: PlayRecord) -> tuple[object, ...]:
    """What a play comes to if its line is played again, without the code that is tested."""
    states = [game.initial]
    for move in play.line:
        states.append(states[-1].after(move))
    decisions = [state for state in states if state.actor not in (None, zermelo.CHANCE)]
    offers = [state.moves for state in decisions]
    payoff = states[-1].payoff or ()
    ahead = [player for player, amount in zip(game.players, payoff, strict=True) if amount == max(payoff)]
    is_turned = None
    if len(ahead) == 1 and game.initial.estimate(game.players[0]) is not None:
        halfway = {player: decisions[len(decisions) // 2].estimate(player) or 0 for player in game.players}
        is_turned = halfway[ahead[0]] < max(halfway.values())
    offered = Counter(move for moves in offers if len(moves) > 1 for move in moves)
    choices = Fraction(sum(len(moves) for moves in offers), len(offers))
    free = sum(len(moves) > 1 for moves in offers)
    return payoff, len(decisions), choices, free, is_turned, offered


@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "n_person_nim", "pig"])
def test_plays_are_what_their_lines_say(name: str) -> None:
    game = zermelo.load(name)
    found = zermelo.balance(game, strengths=["random"], plays=12, jobs=1)
    (sample,) = found.samples[0]
    assert len(sample.plays) == 12
    for play in sample.plays:
        told = (play.payoff, play.moves, play.choices, play.free, play.is_turned, play.offered)
        assert told == retold(game, play)
        assert sum(play.chosen.values()) == play.free and set(play.chosen) <= set(play.line)


def test_random_players_do_what_chance_would() -> None:
    """Each of three ends a third of the time: 600 plays are within four standard errors of that."""
    found = zermelo.balance(zermelo.loads(TAKEN), strengths=["random"], plays=600, jobs=1)
    (sample,) = found.samples[0]
    for name in ("A wins", "draws", "B wins"):
        estimate = sample.estimate(measure(found, name))
        assert estimate is not None and estimate.bounds is not None
        assert abs(estimate.mean - Fraction(1, 3)) < Fraction(8, 100)
        assert estimate.bounds[0] < estimate.mean < estimate.bounds[1]
    lead = sample.estimate(measure(found, "advantage of A"))
    assert lead is not None and lead.mean == Fraction(sum(2 * play.payoff[0] for play in sample.plays), 600)


def test_the_number_of_processes_makes_no_difference() -> None:
    game = zermelo.load("kuhn_poker")
    one, two = (zermelo.balance(game, strengths=["random"], plays=9, seed=4, jobs=jobs) for jobs in (1, 2))
    assert one.samples == two.samples
    assert zermelo.balance(game, strengths=["random"], plays=9, seed=5, jobs=1).samples != one.samples


def test_best_play_is_solved_and_not_played() -> None:
    found = zermelo.balance(zermelo.load("kuhn_poker"), strengths=["best"], jobs=1)
    (sample,) = found.samples[0]
    assert sample.value == (Fraction(-1, 18), Fraction(1, 18)) and not sample.plays  # Kuhn 1950


def test_who_cannot_play_is_named_and_stops_nobody_else() -> None:
    """Nobody solves chess, and nobody is greedy where cards are hidden."""
    found = zermelo.balance(zermelo.load("chess"), strengths=["best"], jobs=1)
    refusal = found.samples[0][0].refusal
    assert refusal is not None and refusal.code == "out-of-nodes"
    found = zermelo.balance(zermelo.load("kuhn_poker"), strengths=["greedy", "random"], plays=3, jobs=1)
    greedy, random = found.samples[0]
    assert greedy.refusal is not None and greedy.refusal.code == "no-solver" and not greedy.plays
    assert random.refusal is None and len(random.plays) == 3


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_the_rules_is_raised(jobs: int) -> None:
    """Once the counter is at its end, whoever raises it breaks the rules."""
    game = zermelo.loads(
        'game "Up"\nplayers A, B\nvar n: 0..3 = 0\nstart at p(A)\nphase p(q: Player):\n    turn q:\n'
        "        move up:\n            n += 1\n            go p(other q)\n        move stop: end win q\n"
    )
    with pytest.raises(zermelo.PlayError) as raised:
        game.balance(strengths=["random"], plays=100, jobs=jobs)
    assert [str(move) for move in raised.value.play] == ["up"] * 4 and raised.value.code == "assigned-out-of-range"


def test_plays_that_are_all_the_same_are_one() -> None:
    """Players who do nothing at random make the same moves each time, which proves nothing, unless they begin
    otherwise."""
    game = zermelo.load("tic_tac_toe")
    found = zermelo.balance(game, strengths=["greedy"], plays=5, jobs=1)
    (sample,) = found.samples[0]
    estimate = sample.estimate(measure(found, "draws"))
    assert sample.different == 1 and estimate is not None and estimate.bounds is None
    assert sample.difference(sample, measure(found, "draws")) is None
    opened = zermelo.balance(game, strengths=["greedy"], plays=5, jobs=1, opening=2).samples[0][0]
    assert opened.different > 1 and opened.estimate(measure(found, "draws")).bounds is not None  # type: ignore[union-attr]


DEALT = TAKEN.replace(
    "start at play(A)",
    "estimate for p: 0\n\nstart at deal\n\nphase deal:\n    chance:\n        outcome card(n in 1..30): go play(A)",
)
"""The same after a draw of chance that changes nothing."""


def test_moves_that_nobody_chooses_are_named() -> None:
    """Whoever looks one move ahead never resigns."""
    sample = zermelo.balance(zermelo.loads(DEALT), strengths=["greedy"], plays=60, jobs=1).samples[0][0]
    assert 10 <= sample.different <= 30
    assert sample.never_chosen() == [("leave", sample.different), ("lose", sample.different)]
    few = zermelo.balance(zermelo.loads(DEALT), strengths=["greedy"], plays=9, jobs=1)
    assert few.samples[0][0].never_chosen() == []


def test_a_play_that_is_repeated_does_not_show_what_nobody_chooses() -> None:
    game = zermelo.loads(TAKEN.replace("start at", "estimate for p: 0\n\nstart at"))
    sample = zermelo.balance(game, strengths=["greedy"], plays=20, jobs=1).samples[0][0]
    assert sample.different == 1 and sample.never_chosen() == []


def test_two_variants_are_held_side_by_side(run, tmp_path: Path) -> None:
    generous = tmp_path / "generous.game"
    generous.write_text(
        TAKEN.replace("Taken", "Given").replace("leave: end draw", "leave: end win p"), encoding="utf-8"
    )
    taken = tmp_path / "taken.game"
    taken.write_text(TAKEN, encoding="utf-8")
    ran = run("balance", str(taken), str(generous), "--strength", "random", "--plays", "300", "--json")
    record = json.loads(ran.out)
    low, high = record["differences"][0]["measures"]["A wins"]
    shares = [Fraction(game["samples"][0]["measures"]["A wins"]["mean"]) for game in record["games"]]
    assert 0 < low < float(shares[1] - shares[0]) < high
    text = run("balance", str(taken), str(generous), "--strength", "random", "--plays", "300").out
    assert "Taken  " in text and "Given  " in text and "difference between" in text


def test_variants_by_a_parameter_are_named_by_it(run) -> None:
    text = run("balance", "subtraction_game", "--second", "most=2", "--strength", "random", "--plays", "4").out
    assert "most = 3  most = 2" in " ".join(text.split("\n")).replace("   ", "  ")


def test_games_for_other_numbers_of_players_are_refused() -> None:
    with pytest.raises(ZermeloError, match="not as many players"):
        zermelo.balance(zermelo.load("tic_tac_toe"), zermelo.load("n_person_nim"), plays=1)


def test_no_time_is_no_play() -> None:
    game = zermelo.load("tic_tac_toe")
    found = zermelo.balance(game, strengths=["random", "greedy"], plays=3, time=0, jobs=1)
    assert found.stopped == "after 0 s" and not found.samples[0][0].plays


def test_a_picture_has_a_bar_for_each_strength(run, tmp_path: Path) -> None:
    file = tmp_path / "who wins.svg"
    run("balance", "tic_tac_toe", "--strength", "random", "--strength", "greedy", "--plays", "10", "-o", str(file))
    text = file.read_text(encoding="utf-8")
    assert all(f">{name}<" in text for name in ("random", "greedy", "X wins", "draws", "O wins"))
    assert ">Tic-tac-toe (size = 3): who wins<" in text
    assert command.EXAMPLES.startswith("examples:")


def test_the_numbers_of_a_picture_are_what_is_told(run, tmp_path: Path) -> None:
    file = tmp_path / "who wins.json"
    ran = run("balance", "tic_tac_toe", "--strength", "random", "--plays", "10", "-o", str(file), "--json")
    told = json.loads(ran.out)["games"][0]["samples"][0]["measures"]
    rows = json.loads(file.read_text(encoding="utf-8"))
    assert [row["result"] for row in rows] == ["X wins", "draws", "O wins"]
    for row in rows:
        assert row["share"] == float(Fraction(told[row["result"]]["mean"]))
        assert [row["low"], row["high"]] == told[row["result"]]["interval"]
        assert (row["game"], row["strength"], row["plays"]) == ("Tic-tac-toe", "random", 10)


@pytest.mark.parametrize("name", ["who wins.xls", "missing/who wins.svg"])
def test_a_file_that_cannot_be_written_is_refused_before_the_first_play(run, tmp_path: Path, monkeypatch, name) -> None:
    monkeypatch.setattr(command, "balance", lambda *_, **__: pytest.fail("it plays"))
    assert run("balance", "tic_tac_toe", "-o", str(tmp_path / name)).code == 2


def test_what_was_played_is_told_if_there_is_nothing_to_draw(run, tmp_path: Path) -> None:
    ran = run("balance", "tic_tac_toe", "--strength", "best", "-o", str(tmp_path / "who wins.svg"))
    assert ran.code == 2 and "worth X 0, O 0" in ran.out and "nobody won or lost" in ran.err
