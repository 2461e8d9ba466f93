"""``zermelo moves --values --solver pimc`` and ``alphamu``."""

from __future__ import annotations

import json

import pytest

from zermelo.cli import main


def answered(capsys, *options):
    assert main(["moves", *options, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["values"]


def test_all_deals_are_weighed_if_they_are_few(capsys):
    found = answered(capsys, "kuhn_poker", "--after", "deal(Q, K)", "--values", "--solver", "pimc")
    assert found["all_deals"] and found["deals"] == 2
    assert {each["move"]: each["value"]["Alice"] for each in found["moves"]} == {"check": "0", "bet": "-1/2"}
    assert {each["standard_error"] for each in found["moves"]} == {None}


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
