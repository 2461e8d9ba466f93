"""Analyses of tables within limits: what is quick comes first, and time that ends takes nothing back."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
from zermelo.equilibria_page import analyse
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.notebook.texts import text_of
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.normal_form import nash
from zermelo.solvers.normal_form.normal_form import normal_form
from zermelo.solvers.tree_building.building import build_tree


def _coordination(strategies):
    """Two players who get 1 if they do the same: 2 ** n - 1 equilibria."""
    names = [f"s{k}" for k in range(strategies)]
    rows = "\n".join(
        f"    {row} | " + " | ".join("1, 1" if row == column else "0, 0" for column in names) for row in names
    )
    return f'game "Same"\nplayers Ann, Bob\ntable:\n    Ann \\ Bob | {" | ".join(names)}\n{rows}\n'


def _tree_and_table(game):
    tree = build_tree(game.machine, game.facts, game.machine.initial(), Limits(), ignore_progress)
    return tree, normal_form(tree, Limits())


def test_stages_that_time_ends_are_named_and_the_others_stand(monkeypatch):
    tree, table = _tree_and_table(zermelo.loads(_coordination(3)))
    whole = analyse(tree, table, Limits())
    assert whole.unfinished == [] and len(whole.equilibria) == 7 and whole.found.are_all
    stages = ["eliminate", "maximin", "extreme_equilibria", "best_correlated"]
    for place, stage in enumerate(stages):
        with monkeypatch.context() as here:
            limits = Limits(seconds=1000)

            def slow(*arguments, limits=limits):
                object.__setattr__(limits, "seconds", 0.0)
                raise limits.out_of_time({})

            here.setattr(f"zermelo.equilibria_page.{stage}", slow)
            known = analyse(tree, table, limits)
        assert len(known.unfinished) == (6, 5, 4, 2)[place]
        assert known.taken == whole.taken
        assert known.maximin == (whole.maximin if place > 1 else [])
        assert len(known.equilibria) == (7 if place > 2 else 3)
        assert known.found.are_all == (place > 2)
        assert known.correlated is None and known.extensive is None


def test_without_any_time_there_is_nothing_to_show():
    tree, table = _tree_and_table(zermelo.loads(_coordination(3)))
    with pytest.raises(ZermeloError) as refused:
        analyse(tree, table, Limits(seconds=0))
    assert refused.value.code == "out-of-time"


def test_pure_equilibria_alone(run, tmp_path):
    file = tmp_path / "same.game"
    file.write_text(_coordination(6))
    record = run("equilibria", str(file), "--pure", "--json").record
    assert len(record["equilibria"]) == 6 and record["all"] is False and record["unfinished"] == []
    assert record["maximin"]["Ann"]["value"] == str(Fraction(1, 6))
    printed = run("equilibria", str(file), "--pure", "--limit", "2").out
    assert printed.count("pure, strict") == 2 and "... and 4 more, which --limit 6 lists" in printed
    assert "mixed strategies" not in printed
    assert len(run("equilibria", str(file), "--pure", "--limit", "2", "--json").record["equilibria"]) == 2


def test_a_page_says_what_time_did_not_suffice_for(run, tmp_path, monkeypatch):
    file = tmp_path / "same.game"
    file.write_text(_coordination(3))

    def slow(table, is_coarse, limits):
        raise limits.out_of_time({})

    monkeypatch.setattr("zermelo.equilibria_page.best_correlated", slow)
    printed = run("equilibria", str(file)).out
    assert "is up: not looked for to the end are correlated equilibria" in printed
    assert "Ann secures  1/3" in printed and "correlated    " not in printed
    record = run("equilibria", str(file), "--json").record
    assert record["unfinished"] == ["correlated equilibria"] and record["correlated"] is None


def test_a_game_is_not_called_too_large_where_time_is_up(run, monkeypatch):
    def slow(table, limits, met):
        raise limits.out_of_time({})

    monkeypatch.setattr("zermelo.equilibria_page.extreme_equilibria", slow)
    printed = " ".join(run("equilibria", "matching_pennies").out.split())
    assert "is up: not looked for to the end are equilibria in mixed strategies" in printed
    assert "none in pure strategies" in printed and "too large" not in printed


# ``zermelo equilibria``: the page and the JSON.


MEETING = """\
game "Meeting at one of three places"
players A, B
table:
    A \\ B | a    | b    | c
    a     | 1, 1 | 0, 0 | 0, 0
    b     | 0, 0 | 1, 1 | 0, 0
    c     | 0, 0 | 0, 0 | 1, 1
"""


def test_the_page(capsys):
    assert main(["equilibria", "prisoners_dilemma"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[2].split() == ["Row", "\\", "Column", "stay", "silent", "confess"]
    assert "confess  confess  1         1            pure, strict, dominant" in lines
    assert "left            confess, confess" in lines


def test_a_game_of_constant_sum_without_pure_equilibria(capsys):
    assert main(["equilibria", "kuhn_poker"]) == 0
    printed = capsys.readouterr().out
    assert "Alice secures  -1/18" in printed
    assert "7 strategies of Alice, 12 strategies of Bob" in " ".join(printed.split())
    assert "correlated" not in printed


def test_json(capsys):
    assert main(["equilibria", "rock_paper_scissors", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    (only,) = record["equilibria"]
    assert only["strategies"] == {"One": ["1/3"] * 3, "Two": ["1/3"] * 3}
    assert record["all"] is True
    assert record["maximin"]["One"]["value"] == "0"
    assert len(record["payoffs"]) == 9


PENNIES_FOR_THREE = """
game "Pennies for three"
players Ann, Bob, Cem
start at show
phase show:
    together:
        move heads
        move tails
    then:
        let one = if heads[Ann] == heads[Bob] then 1 else -1
        let two = if heads[Bob] == heads[Cem] then 1 else -1
        let three = if heads[Cem] == heads[Ann] then -1 else 1
        end payoff {Ann: one, Bob: two, Cem: three}
"""


def test_mixed_equilibria_of_three_players(tmp_path, capsys, monkeypatch):
    pytest.importorskip("pygambit")
    monkeypatch.setenv("COLUMNS", "200")
    file = tmp_path / "pennies.game"
    file.write_text(PENNIES_FOR_THREE)
    assert main(["equilibria", str(file)]) == 0
    assert "1/2 heads; 1/2 tails  1/2 heads; 1/2 tails  1/2 heads; 1/2 tails" in capsys.readouterr().out
    assert main(["equilibria", str(file), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["equilibria"][0]["strategies"] == {name: ["1/2", "1/2"] for name in ("Ann", "Bob", "Cem")}
    assert record["nearly"] == []


FERRY = """
game "Ferry for three"
players Ann, Bob, Cem
start at decide
phase decide:
    together:
        move row
        move rest
    then:
        let rowers = count p in Player: row[p]
        end payoff {p: if not row[p] then 1 else if rowers == 3 then 2 else 0 for p in Player}
"""


def test_what_is_only_near_an_equilibrium_says_so(tmp_path, capsys, monkeypatch):
    """A player who mixes is indifferent: the two others row with a probability whose square is 1/2."""
    pytest.importorskip("pygambit")
    monkeypatch.setenv("COLUMNS", "200")
    file = tmp_path / "ferry.game"
    file.write_text(FERRY)
    assert main(["equilibria", str(file), "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    (near,) = record["nearly"]
    assert [weights[0] for weights in near["strategies"].values()] == pytest.approx([0.5**0.5] * 3)
    assert 0 < float(near["gain"]) < 1e-6
    assert main(["equilibria", str(file)]) == 0
    printed = capsys.readouterr().out
    assert f"mixed, to within {near['gain']}\n" in printed
    assert "0.707107 row; 0.292893 rest" in printed


def test_what_is_missing_is_said_in_a_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pygambit", None)
    file = tmp_path / "pennies.game"
    file.write_text(PENNIES_FOR_THREE)
    assert main(["equilibria", str(file)]) == 0
    said = "none in pure strategies; mixed ones need pip install 'zermelo[gambit]'"
    assert said in " ".join(capsys.readouterr().out.split())


BROKEN = {
    "cannot be loaded": "raise ImportError('libgambit.so: cannot open shared object file')",
    "fails while it is loaded": "raise RuntimeError('made for another version of numpy')",
    "does not make tables": "class StrategicGame: pass",
    "makes no sense": """
class StrategicGame:
    players = "ABC"
    from_arrays = classmethod(lambda cls, *arrays: cls())
class Found:
    equilibrium = {name: [(0, float("nan"))] for name in "ABC"}
class nash:
    logit_solve = lambda table, event_callback: Found()
    gnm_solve = enumpoly_solve = lambda table, nash_callback, **options: nash_callback({})
""",
    "raises": """
class StrategicGame:
    from_arrays = classmethod(lambda cls, *arrays: cls())
class nash: pass
""",
    "ends its process": """
class StrategicGame:
    from_arrays = classmethod(lambda cls, *arrays: __import__("os")._exit(3))
""",
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_library_that_is_broken_is_named_and_nothing_else_is_printed(tmp_path, monkeypatch, capfd, fault):
    (tmp_path / "pygambit.py").write_text(BROKEN[fault])
    monkeypatch.delitem(sys.modules, "pygambit", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / "pennies.game"
    file.write_text(PENNIES_FOR_THREE)
    try:
        assert main(["equilibria", str(file)]) == 0
        printed = capfd.readouterr()
        said = " ".join(printed.out.split())
        assert "mixed ones need pip install --upgrade 'zermelo[gambit]': the library pygambit" in said
        assert printed.err == ""
        assert "Ann secures 0" in said
    finally:
        sys.modules.pop("pygambit", None)


def test_an_equilibrium_that_a_lottery_betters_is_not_efficient(run):
    """If Ann tosses a coin between a and b, and Bob plays c, both get 2 on average, which is more than 1."""
    file = str(Path(__file__).parents[2] / "trial" / "values" / "not_efficient.game")
    found = run("equilibria", file, "--json").record["equilibria"]
    judged = {tuple(each["payoff"].values()): each["efficient"] for each in found}
    assert judged == {("4", "0"): True, ("1", "1"): False, ("4/5", "0"): False}
    assert [("efficient" in each["marks"]) for each in found] == [each["efficient"] for each in found]


@pytest.mark.parametrize(
    ("game", "option", "whole"),
    [
        ("t07_long_decimals", "", "≈ 0.08475, ≈ -0.08475"),
        ("t09_third", "", "≈ 0.25 r3; ≈ 0.75 r4"),
        ("e15_third_player", "--pure", "l, l, r, r"),
        ("e17_never_moves", "--pure", "-1000000000000 "),
        ("h1_skewed_chance", "", "-27/10, 27/10"),
    ],
)
def test_numbers_and_names_are_whole_in_any_terminal(run, monkeypatch, game, option, whole):
    file = str(Path(__file__).parents[2] / "trial" / "tables" / f"{game}.game")
    printed = {}
    for width in (80, 400):
        monkeypatch.setenv("COLUMNS", str(width))
        printed[width] = run("equilibria", file, *option.split()).out
    assert set(printed[80].split()) == set(printed[400].split())
    assert whole in printed[80] and max(map(len, printed[80].splitlines())) <= 80


def test_a_number_that_is_rounded_on_the_page_is_exact_as_json(run):
    """Row's value by hand: against c1 and c4, r3 with 333333333 and r4 with 1000000000 parts."""
    file = str(Path(__file__).parents[2] / "trial" / "tables" / "t09_third.game")
    (only,) = run("equilibria", file, "--json").record["equilibria"]
    assert only["strategies"]["Row"][2:] == ["333333333/1333333333", "1000000000/1333333333"]


def test_what_time_did_not_suffice_for_is_not_known(run, monkeypatch):
    def late(*arguments):
        raise Limits(0.0).out_of_time({})

    monkeypatch.setattr("zermelo.equilibria_page.is_efficient", late)
    record = run("equilibria", "stag_hunt", "--json").record
    assert {each["efficient"] for each in record["equilibria"]} == {None}
    assert record["unfinished"].count("which equilibria are efficient") == 1


def test_mixed_ones_that_were_found_before_the_time_was_up_are_listed(run, monkeypatch, game_file):
    """Time ends the search as soon as there is an equilibrium that is not pure."""
    whole, mixed = nash.MixedProfile, []

    def profile(*arguments):
        made = whole(*arguments)
        mixed.extend([] if made.is_pure else [made])
        return made

    def look():
        if mixed:
            raise Limits(0.0).out_of_time({})

    monkeypatch.setattr(nash, "MixedProfile", profile)
    monkeypatch.setattr(nash, "check_deadline", look)
    record = run("equilibria", game_file(MEETING), "--json").record
    assert "equilibria in mixed strategies" in record["unfinished"] and record["all"] is False
    found = [each["strategies"]["A"] for each in record["equilibria"]]
    assert found[:3] == [["1", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]] and len(found) == 4
    assert sorted(found[3]) == ["0", "1/2", "1/2"]  # two of the three places


def test_json_names_the_information_set_of_every_move(run):
    record = run("equilibria", "kuhn_poker", "--json", "--limit", "1").record
    choices = record["choices"]["Alice"]
    assert [len(choices), len(record["choices"]["Bob"])] == [27, 64]
    for name, moves in zip(record["strategies"]["Alice"], choices, strict=True):
        assert sorted(name.replace(";", ",").split(", ")) == sorted(choice["move"] for choice in moves)
        assert len({str(choice["known"]) for choice in moves}) == len(moves)
        assert {choice["known"][0] for choice in moves} == {f"hand[Alice] = {card}" for card in "JQK"}


# ``zermelo correlated``, and its line among the equilibria of a table.


def test_the_page_in_correlated_command(run):
    """The published example of von Stengel and Forges (2008): 3.5 and 6.5."""
    ran = run("correlated", "student_and_professor", "--for", "Professor")
    lines = ran.out.splitlines()
    assert (ran.code, ran.err) == (0, "")
    assert lines[2].split("  ")[0] == "drawn" and "Student is told" in lines[2]
    assert "Student gets    7/2 = 3.5" in lines
    assert "Professor gets  at most 13/2 = 6.5" in lines
    assert "welfare         10" in lines


def test_the_greatest_sum_is_marked(run):
    lines = run("correlated", "chicken").out.splitlines()
    assert "welfare   at most 21/2 = 10.5" in lines and "One gets  21/4 = 5.25" in lines


def test_json_says_what_everybody_is_told_and_when(run):
    """Followed move for move, what is drawn pays what is said."""
    record = run("correlated", "student_and_professor", "--json").record
    game = zermelo.load("student_and_professor")
    assert record["for"] is None and record["all"] is True and record["welfare"] == "10"
    assert sum(Fraction(each["probability"]) for each in record["drawn"]) == 1
    expected = [Fraction(0), Fraction(0)]
    for each in record["drawn"]:
        told = {
            (own["player"], tuple(decision["known"])): decision["move"]
            for own in each["strategies"]
            for decision in own["decisions"]
        }
        for talent in ("good", "bad"):
            state = game.initial.after(talent)
            while not state.is_over:
                known = tuple(map(str, state.information_state(state.actor)))
                state = state.after(told[state.actor, known])
            for player, amount in enumerate(state.payoff):
                expected[player] += Fraction(each["probability"]) * amount / 2
    assert dict(zip(game.players, map(str, expected), strict=True)) == record["payoff"]


def test_rows_are_limited(run):
    printed = run("correlated", "student_and_professor", "--limit", "1").out
    assert "which --limit" in printed
    record = run("correlated", "student_and_professor", "--limit", "1", "--json").record
    assert len(record["drawn"]) == 1 and record["all"] is False


@pytest.mark.parametrize(("rounds", "welfare"), [(1, "420/79"), (2, "10")])
def test_bargaining_helps(run, rounds, welfare):
    """A round that decides nothing lets the mediator arrange more (Farina and others 2019)."""
    assert run("correlated", "sheriff", "-p", f"rounds={rounds}", "--json").record["welfare"] == welfare


def test_equilibria_name_it_where_it_brings_more(run):
    printed = " ".join(run("equilibria", "student_and_professor").out.split())
    assert "correlated welfare at most 6:" in printed and "extensive welfare at most 10:" in printed
    record = run("equilibria", "student_and_professor", "--json").record
    assert sum(Fraction(amount) for amount in record["extensive"]["payoff"].values()) == 10
    assert sum(Fraction(each["probability"]) for each in record["extensive"]["profiles"]) == 1
    assert "extensive" not in run("equilibria", "chicken").out
    record = run("equilibria", "chicken", "--json").record
    assert record["extensive"] == record["correlated"]


def test_who_is_not_in_the_game(run):
    ran = run("correlated", "chicken", "--for", "Three")
    assert ran.code == 2 and "error[unknown-player]" in ran.err


def test_the_page_says_in_which_information_set_every_move_of_a_strategy_is_made(run):
    """Kuhn poker: what Alice's six moves are, in order; where her bet makes a decision needless, a mark stands."""
    printed = " ".join(run("equilibria", "kuhn_poker").out.split())
    assert (
        "Alice moves 1. seeing hand[Alice] = J; 2. after check, Bob: bet and seeing hand[Alice] = J; "
        "3. seeing hand[Alice] = Q; 4. after check, Bob: bet and seeing hand[Alice] = Q; "
        "5. seeing hand[Alice] = K; 6. after check, Bob: bet and seeing hand[Alice] = K (*: earlier moves exclude it)"
    ) in printed
    assert "1/9 bet, *, check, call, check, call" in printed
    assert "Bob moves 1. after Alice: check and seeing hand[Bob] = Q; 2. after Alice: bet and" in printed
    assert "moves" not in run("equilibria", "prisoners_dilemma").out, "whoever decides once needs no list"
    assert "Alice moves    1. seeing" in text_of(zermelo.equilibria(zermelo.load("kuhn_poker")))


_TWICE = """\
EFG 2 R "Chance, then Ann twice" { "Ann" "Bob" }
c "" 1 "" { "h" 1/2 "t" 1/2 } 0
p "" 1 1 "high" { "a" "b" } 0
p "" 1 3 "again" { "a" "b" } 0
t "" 1 "" { 1, 0 }
t "" 2 "" { 0, 1 }
p "" 1 5 "last" { "a" "b" } 0
t "" 3 "" { 1, 0 }
t "" 4 "" { 0, 1 }
p "" 1 2 "low" { "a" "b" } 0
p "" 1 4 "more" { "a" "b" } 0
t "" 5 "" { 1, 0 }
t "" 6 "" { 0, 1 }
t "" 7 "" { 0, 1 }
"""


def test_sets_that_the_last_moves_do_not_tell_apart_are_told_apart(run, tmp_path):
    """In a tree from Gambit the name of a set is all that a player sees of chance; without any, sets are counted."""
    file = tmp_path / "twice.efg"
    file.write_text(_TWICE)
    printed = " ".join(run("equilibria", str(file)).out.split())
    told = printed[printed.index("Ann moves") : printed.index("(*")].split("; ")
    assert len(told) == len({text.split(". ")[1] for text in told}) == 5, told
    printed = " ".join(run("equilibria", "coin_flip_tree").out.split())
    assert "MIN moves 1. after MAX: left (1 of 2); 2. after MAX: left (2 of 2); 3. after MAX: right (1 of 2)" in printed
