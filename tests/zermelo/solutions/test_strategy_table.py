"""A strategy on a page: what is left out does not matter, and what is left says the same as the whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
from zermelo.game import CHANCE
from zermelo.solutions.strategy_table import PAGE, _merged, _rows, _terse, heard, mixture, sightings, strategy_table

GAMES = [
    ("kuhn_poker", {}, None),
    ("goofspiel", {}, None),
    ("goofspiel", {"open": True}, "subgame_perfect"),
    ("liars_dice", {"sides": 3}, None),
    ("beer_or_quiche", {}, None),
    ("kuhn_poker_for_several", {"players": 2}, "sequence_form"),
    ("fireworks", {}, None),
]


@pytest.fixture(params=GAMES, ids=lambda case: f"{case[0]}{sum(map(bool, case[1].values()))}")
def solved(request):
    name, parameters, solver = request.param
    game = zermelo.load(name, **parameters)
    return game, zermelo.solve(game, solver=solver) if solver else zermelo.solve(game)


def _come_by(game, strategies):
    """What players know at decisions that come while all follow their strategies, by playing all such plays."""
    known = [{tuple(each.known): each for each in strategy.decisions} for strategy in strategies]
    found, waiting = set(), [game.initial]
    while waiting:
        state = waiting.pop()
        if state.is_over:
            continue
        if state.actor == CHANCE:
            waiting += [state.after(outcome) for outcome, _ in state.outcomes]
            continue
        here = tuple(state.information_state(state.actor))
        found.add((state.actor, here))
        waiting += [state.after(move) for move in known[game.players.index(state.actor)][here].support]
    return found


def test_decisions_that_come_are_those_of_the_plays(solved):
    game, solution = solved
    met = {(strategy.player, tuple(each.known)) for strategy in solution.strategies for each in strategy.decisions.met}
    assert met == _come_by(game, solution.strategies)


def test_every_row_speaks_of_the_decisions_that_it_stands_for(solved):
    """Each decision fits the knowledge of exactly one row, and that row has its moves."""
    for strategy in solved[1].strategies:
        kept = strategy.decisions.reached.chosen
        rows = _merged(_terse(_rows(kept, strategy.player)))
        assert len(rows) <= len(kept)
        for decision in kept:
            values = dict(sightings(decision.known))
            fitting = [
                row
                for row in rows
                if row.after == heard(decision.known, strategy.player)
                and all(values.get(name, ("",))[0] in some for name, some in row.sees)
                and len({name for row in rows for name, _ in row.sees} & set(values)) == len(row.sees)
            ]
            assert [row.does for row in fitting] == [mixture(decision)]


def test_forced_moves_are_no_decisions(solved):
    for strategy in solved[1].strategies:
        assert all(len(each.moves) > 1 for each in strategy.decisions.chosen)
        assert len(strategy_table(strategy, is_all=True).rows) == len(strategy.decisions)
        assert len(strategy_table(strategy).rows) <= PAGE


def test_a_page_and_everything(capsys):
    assert main(["solve", "goofspiel"]) == 0
    page = capsys.readouterr().out
    assert main(["solve", "goofspiel", "--all"]) == 0
    everything = capsys.readouterr().out
    assert len(page.splitlines()) < 36 < 80 < len(everything.splitlines())
    assert "hand[One] = {" not in page and "hand[One] = {" in everything  # it follows from the bids


def test_no_move_of_an_equilibrium_loses_off_the_path_either(solved):
    for strategy in solved[1].strategies:
        for each in strategy.decisions:
            made = zip(each.probabilities, each.losses, strict=True)
            assert not any(loss for chance, loss in made if chance)


def test_what_is_off_the_path_is_marked(capsys):
    """A king that never checks would call: nothing beats it."""
    assert main(["solve", "kuhn_poker", "--all"]) == 0
    marked = [line.split("  ") for line in capsys.readouterr().out.splitlines() if line.endswith("off the path")]
    assert [[cell.strip() for cell in line if cell] for line in marked] == [
        ["hand[Alice] = K", "check, Bob: bet", "call", "off the path"]
    ]
    alice, bob = zermelo.solve(zermelo.load("kuhn_poker")).strategies
    assert [each.is_met for each in (*alice.decisions, *bob.decisions)].count(False) == 1


TRIALS = Path(__file__).parents[2] / "trial" / "strategies"


@pytest.mark.parametrize("game", ["hidden_twice", "forgets", "swap"])
def test_rows_that_would_look_alike_tell_what_was_seen_before(game):
    solution = zermelo.solve(zermelo.load(TRIALS / f"{game}.game"))
    for strategy in solution.strategies:
        for is_all in (False, True):
            table = strategy_table(strategy, is_all)
            answers = f"{strategy.player} does", "might as well"
            known = [k for k, head in enumerate(table.heads) if head not in answers]
            assert len({tuple(row[k] for k in known) for row in table.rows}) == len(table.rows)


def test_the_first_card_decides_and_the_second_does_not():
    """The payoffs ask for the first card alone: high if it was 2."""
    ann, _ = zermelo.solve(zermelo.load(TRIALS / "forgets.game")).strategies
    table = strategy_table(ann)
    said = {tuple(row) for row in table.rows if "card = 2" in row[1]}
    assert said == {("card = 1", "card = 2, next_one", "high")}


STAY_OUT = """game "Stay out"
players Ann, Bob
var shown: (1..2)? hidden
start at enter

phase enter:
    turn Ann:
        move out: end win Ann
        move hide(place in 1..60, secret side in 1..2):
            shown := side
            go guess

phase guess:
    turn Bob:
        move say(side in 1..2): end win if side == shown then Bob else Ann
"""


def test_what_is_left_out_is_counted(capsys, tmp_path):
    file = tmp_path / "stay_out.game"
    file.write_text(STAY_OUT)
    assert main(["solve", str(file)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "60 decisions to which these strategies do not lead, which --all lists" in said


@pytest.mark.parametrize("game", ["kuhn_poker", "goofspiel"])
def test_brief_strategies_are_strategies(game, tmp_path, capsys):
    assert main(["solve", game, "--json"]) == 0
    whole = capsys.readouterr().out
    assert main(["solve", game, "--json", "--brief"]) == 0
    brief = capsys.readouterr().out
    assert len(brief) < len(whole) / 2 or game == "kuhn_poker"
    assert len(whole) < 30_000 and len(brief) < 4_000  # goofspiel has 23,324 and 2,923 characters
    for decision in json.loads(brief)["strategies"][0]["decisions"]:
        assert set(decision) == {"known", "moves"}
    path = tmp_path / "brief.json"
    path.write_text(brief)
    assert main(["exploit", game, str(path)]) == 0
    assert "Nobody can gain" in capsys.readouterr().out


def test_a_decision_is_a_line_of_json(capsys):
    assert main(["solve", "kuhn_poker", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum('"known"' in line and '"moves"' in line for line in lines) == 12
