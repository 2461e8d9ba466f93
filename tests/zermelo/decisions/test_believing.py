"""``zermelo moves --believe`` and :func:`zermelo.belief`; ``tests/solvers/beliefs`` tests the numbers themselves."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest

import zermelo
from zermelo.cli import main
from zermelo.grammar.diagnostics import ZermeloError

BET = ["moves", "kuhn_poker", "--after", "deal(J, Q); bet", "--believe", "Bob"]


def answered(capsys, *options):
    assert main([*options, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["belief"]


def test_others_choose_as_a_file_says(capsys, tmp_path):
    assert main(["solve", "kuhn_poker", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    (alice,) = (strategy for strategy in found["strategies"] if strategy["player"] == "Alice")
    bets = {
        decision["known"][0][-1]: Fraction(decision["moves"]["bet"]["probability"])
        for decision in alice["decisions"]
        if len(decision["known"]) == 2
    }
    file = tmp_path / "kuhn.json"
    file.write_text(json.dumps(found))
    for others in ("best", str(file)):
        belief = answered(capsys, *BET, "--others", others)
        likely = {each["differs_in"][0]["value"]: Fraction(each["probability"]) for each in belief["positions"]}
        assert likely == {card: bets[card] / (bets["J"] + bets["K"]) for card in "JK"}


def test_a_file_that_does_not_say_enough_is_refused(capsys, tmp_path):
    assert main(["solve", "kuhn_poker", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    file = tmp_path / "kuhn.json"
    for strategies, said in (
        ([], "it has no list of strategies"),
        ([{"player": "Alice"}], "a decision of it is not as"),
        ([{"player": "Alice", "decisions": []}], "it does not say what Alice does knowing hand[Alice] = J"),
    ):
        file.write_text(json.dumps(found | {"strategies": strategies}))
        assert main([*BET, "--others", str(file)]) == 2
        printed = capsys.readouterr().err
        assert "bad-strategy" in printed and said in printed


def test_the_same_seed_gives_the_same_samples(capsys):
    first, again = (answered(capsys, *BET, "--samples", "200", "--seed", "3") for _ in range(2))
    assert first == again and not first["exact"]
    assert first != answered(capsys, *BET, "--samples", "200", "--seed", "4")


def test_boards_stand_in_one_column(capsys):
    assert main(["moves", "blind_tic_tac_toe", "--after", "mark(a1)", "--believe", "O"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("1/9") == 9 and "X../.../..." in printed and "known" not in printed.partition("believes")[2]


def test_where_nothing_is_hidden_the_position_is_known(capsys):
    assert main(["moves", "tic_tac_toe", "--after", "mark(a1)", "--believe", "O", "--others", "best"]) == 0
    assert "the position is known" in capsys.readouterr().out


def test_a_player_who_does_not_exist():
    with pytest.raises(ZermeloError) as refused:
        zermelo.belief(zermelo.load("kuhn_poker").initial, "Bobby")
    assert refused.value.code == "unknown-player"


@pytest.mark.parametrize("options", [[], ["--samples", "5"]])
def test_nobody_perceives_anything_in_the_middle_of_the_first_draws(capsys, options):
    assert main(["moves", "oh_hell", "--after", "dealer(P1)", "--believe", "P2", *options]) == 1
    assert "P2 has perceived nothing yet: chance is to draw first" in capsys.readouterr().err


def test_what_is_perceived_before_a_draw_is_believed_while_it_is_made():
    """In Leduc poker a card is turned up between the bets: nobody has noticed yet that there were two checks."""
    before = zermelo.load("leduc_poker").initial
    for move in ("deal((J, hearts))", "deal((Q, spades))", "check"):
        before = before.after(move)
    during = before.after("check")
    assert during.actor == zermelo.CHANCE
    views = [
        {str(each.state.view("Bob")): each.probability for each in zermelo.belief(state, "Alice").positions}
        for state in (before, during)
    ]
    assert views[0] == views[1] and sum(views[0].values()) == 1
