"""Any game that fits is written for Gambit, OpenSpiel and LiteEFG, and comes back as it was."""

from __future__ import annotations

from fractions import Fraction
from io import StringIO
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest
from random_cases import seeds
from random_games.explicit import table as random_table
from random_games.explicit import tree as random_tree
from random_games.labelled import labelled_tree
from random_games.small import write_small

import zermelo
from zermelo.formats import writing
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END
from zermelo.report.console import unwatched
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import ExtensiveForm, plan_of, sequence_form
from zermelo.solvers.normal_form.normal_form import count_strategies, normal_form
from zermelo.whole_tree import whole_tree

FOR_TREES = ("coin_flip_tree", "two_ply_tree", "three_player_tree", "kuhn_poker", "beer_or_quiche", "matching_pennies")


def expectations(machine: Any, state: Any) -> tuple[tuple[Fraction, ...], int]:
    """What the players get if all choose at random, and the number of histories: by recursion, on a machine alone."""
    actor = machine.actor(state)
    if actor == END:
        return machine.payoff(state), 1
    moves = machine.moves(state)
    weighed = machine.outcomes(state) if actor == CHANCE else [(move, Fraction(1, len(moves))) for move in moves]
    total = [Fraction(0)] * len(machine.player_names)
    histories = 1
    for move, chance in weighed:
        below, count = expectations(machine, machine.after(state, move))
        histories += count
        total = [amount + chance * more for amount, more in zip(total, below, strict=True)]
    return tuple(total), histories


def information_sets(machine: Any, state: Any, found: set[Any]) -> set[Any]:
    actor = machine.actor(state)
    if actor == END:
        return found
    if actor != CHANCE:
        found.add((actor, machine.information_state(state, actor)))
    for move in machine.moves(state) or [outcome for outcome, _ in machine.outcomes(state)]:
        information_sets(machine, machine.after(state, move), found)
    return found


def comes_back(game: zermelo.Game) -> str:
    """Write a game as a tree, and read that: it must have the same plays and sets; the text of it."""
    text = zermelo.convert(game, "efg").text
    back = zermelo.loads(text)
    assert back.titles == game.titles
    machine, theirs = game.machine, back.machine
    assert expectations(machine, machine.initial()) == expectations(theirs, theirs.initial())
    ours = information_sets(machine, machine.initial(), set())
    assert len(ours) == len(information_sets(theirs, theirs.initial(), set()))
    again = zermelo.convert(back, "efg")
    assert zermelo.convert(zermelo.loads(again.text), "efg").text == again.text
    return text


def tree_of(game: zermelo.Game) -> ExtensiveForm:
    return whole_tree(game.initial, "tables", Limits(), unwatched)


def value_by_gambit(text: str) -> tuple[Fraction, ...] | None:
    """The value of a tree of constant sum of two players; None without Gambit, or for another game."""
    try:
        import pygambit
    except ImportError:
        return None
    game = pygambit.read_efg(StringIO(text))
    assert game.is_perfect_recall
    form = sequence_form(tree_of(zermelo.loads(text)), Limits())
    if len(game.players) != 2 or not game.is_const_sum or prod(map(count_strategies, form.players)) > 2_000:
        return None
    payoffs = pygambit.nash.lp_solve(game, rational=True, use_strategic=True).equilibrium.payoffs
    return tuple(Fraction(str(payoffs[player])) for player in game.players)


def is_read_by_open_spiel(text: str) -> bool:
    spiel = pytest.importorskip("pyspiel")
    return spiel.load_efg_game(text) is not None


@pytest.mark.parametrize("name", FOR_TREES)
def test_bundled_games_come_back(name):
    game = zermelo.load(name)
    text = comes_back(game)
    value = value_by_gambit(text)
    assert value is None or value == game.solve().value == zermelo.loads(text).solve().value


@pytest.mark.parametrize("name", FOR_TREES)
def test_open_spiel_reads_what_is_written(name):
    assert is_read_by_open_spiel(zermelo.convert(name, "efg").text)


@pytest.mark.parametrize("seed", seeds(25))
@pytest.mark.parametrize("write", [write_small, random_tree, random_table], ids=["phases", "tree", "table"])
def test_random_games_come_back(seed, write, monkeypatch):
    monkeypatch.setattr(writing, "MOST_NODES", 500)
    game = zermelo.loads(write(Random(seed)))
    try:
        text = comes_back(game)
    except ZermeloError as refused:
        assert refused.code == "too-large-to-convert" or isinstance(refused, zermelo.PlayError)
        return
    value = value_by_gambit(text)
    if value is not None:
        assert game.solve().value == value


@pytest.mark.parametrize("seed", seeds(20))
def test_what_is_written_of_a_random_tree_is_that_tree(seed):
    """The helper writes the same tree without the project; only the order of information sets may differ."""
    tree = labelled_tree(Random(seed), depth=4, players=2 + seed % 2)
    lines = zermelo.convert(tree.efg(), "efg").text.splitlines()[3:]
    theirs = tree.efg().splitlines()[1:]
    numbers: dict[tuple[str, str], set[str]] = {}
    for ours, line in zip(lines, theirs, strict=True):
        if line.startswith("p"):
            (_, _, player, number, _, *rest), (_, _, owner, other, _, *more) = line.split(), ours.split()
            assert (player, rest) == (owner, more)
            numbers.setdefault((player, number), set()).add(other)
        elif line.startswith("t"):
            assert line.split("{")[1] == ours.split("{")[1]
        else:
            assert line.split("{")[1] == ours.split("{")[1]
    assert all(len(found) == 1 for found in numbers.values())
    assert len({(player, *found) for (player, _), found in numbers.items()}) == len(numbers)


def test_earnings_discounts_and_labels_are_told():
    """Of Bob's payoffs half is left, since Ann has decided before; what Ann earns comes before all that."""
    game = zermelo.loads(
        'game "Coins"\nplayers Ann, Bob\ndiscount 1/2\nclaim terminates\nparam n: 1..3 = 2\nstart at take\n'
        "phase take:\n    turn Ann:\n"
        '        move take "pick up"(k in 1..n):\n            earn Ann: k\n            go give\n'
        "phase give:\n    turn Bob:\n        move give: end payoff (1, 3)\n        move keep: end payoff (0, 4)\n"
    )
    made = zermelo.convert(game, "efg")
    assert made.text == (
        'EFG 2 R "Coins" { "Ann" "Bob" }\n""\n\np "" 1 1 "" { "pick up(1)" "pick up(2)" } 0\n'
        'p "" 2 1 "" { "give" "keep" } 0\nt "" 1 "" { 3/2, 3/2 }\nt "" 2 "" { 1, 2 }\n'
        'p "" 2 2 "" { "give" "keep" } 0\nt "" 3 "" { 5/2, 3/2 }\nt "" 4 "" { 2, 2 }\n'
    )
    assert [(lost.code, lost.message) for lost in made.findings] == [
        ("moved-payoff", "discounts are part of the payoffs at the ends: 'discount'"),
        ("dropped-part", "claims are left out: 'claim terminates'"),
        ("dropped-part", "parameters, which have one value each, are left out: 'param n: 1..3 = 2'"),
        ("moved-payoff", "earnings are added to the payoffs at the ends: 'earn Ann: k'"),
    ]


def test_a_state_is_written_from_there_on():
    state = zermelo.load("two_ply_tree").initial.after("A2")
    assert zermelo.convert(state, "efg").text.splitlines()[3:] == [
        'p "" 2 1 "" { "A21" "A22" "A23" } 0',
        *(f't "" {k} "" {{ {pay}, {-pay} }}' for k, pay in enumerate((2, 4, 6), start=1)),
    ]


def test_a_game_as_a_game_is_its_tree():
    game = zermelo.load("nim", heaps=2, smallest=2)
    made = zermelo.convert(game, "game")
    assert "tree:" in made.text and made.findings[-1].code == "renamed-label"
    assert zermelo.loads(made.text).solve().value == game.solve().value


def test_what_has_no_end_or_too_many_nodes_is_refused(monkeypatch):
    with pytest.raises(ZermeloError) as raised:
        zermelo.convert("pig", "efg")
    assert raised.value.code == "too-large-to-convert" and "no end" in raised.value.message
    with pytest.raises(ZermeloError) as raised:
        zermelo.convert("connect_four", "efg")
    assert raised.value.code == "too-large-to-convert" and "1,000,000" in raised.value.message
    monkeypatch.setattr(writing, "MOST_NODES", 54)
    with pytest.raises(ZermeloError) as raised:
        zermelo.convert("kuhn_poker", "efg")
    assert raised.value.code == "too-large-to-convert"
    monkeypatch.setattr(writing, "MOST_NODES", 55)
    assert len(zermelo.convert("kuhn_poker", "efg").text.splitlines()) == 3 + 55


def test_progress_is_told_before_a_large_tree_is_refused(monkeypatch):
    monkeypatch.setattr(writing, "_TOLD", 10)
    monkeypatch.setattr(writing, "MOST_NODES", 5_000)
    machine = zermelo.load("tic_tac_toe").machine
    told: list[int] = []
    with pytest.raises(ZermeloError) as raised:
        next(writing.histories(machine, machine.initial(), told.append))
    assert raised.value.code == "too-large-to-convert"
    assert len(told) > 5 and told == sorted(told) and told[-1] <= 5_000


# Tables.


@pytest.mark.parametrize("seed", seeds(10))
def test_tables_come_back(seed):
    game = zermelo.loads(random_table(Random(seed)))
    text = zermelo.convert(game, "nfg").text
    assert zermelo.convert(text, "nfg").text == text
    table = normal_form(tree_of(game), Limits())
    numbers = [Fraction(word) for line in text.split('""\n\n')[1].splitlines() for word in line.split()]
    backwards = product(*map(range, reversed(table.counts)))
    assert numbers == [amount for profile in backwards for amount in table.payoff(profile[::-1])]


def test_gambit_reads_tables():
    gambit = pytest.importorskip("pygambit")
    game = gambit.read_nfg(StringIO(zermelo.convert("coin_flip_tree", "nfg").text))
    payoffs = gambit.nash.lp_solve(game, rational=True).equilibrium.payoffs
    assert [payoffs[player] for player in game.players] == [3, -3]


@pytest.mark.parametrize("seed", range(5))
def test_a_profile_of_the_table_leads_back_to_strategies(seed):
    """They bring what the profile brings in the table."""
    random = Random(seed)
    game = zermelo.load("kuhn_poker")
    made = zermelo.convert(game, "nfg")
    tree = tree_of(game)
    table, form = normal_form(tree, Limits()), sequence_form(tree, Limits())
    mixtures = []
    for count in table.counts:
        weights = [random.choice((0, 0, 0, 1, 2)) for _ in range(count)] + [1]
        weights = [*weights[: count - 1], weights[count - 1] + 1]
        mixtures.append([Fraction(weight, sum(weights)) for weight in weights])
    expected = [Fraction(0), Fraction(0)]
    for profile in table.profiles():
        share = mixtures[0][profile[0]] * mixtures[1][profile[1]]
        expected = [total + share * pay for total, pay in zip(expected, table.payoff(profile), strict=True)]
    plans = []
    for player, strategy in enumerate(made.strategies(mixtures)):
        chances = [Fraction(1), *(chance for decision in strategy.decisions for chance in decision.probabilities)]
        plans.append(plan_of(form.players[player], chances))
    assert list(form.expectation(plans)) == expected


def test_what_is_no_profile_is_refused():
    made = zermelo.convert("prisoners_dilemma", "nfg")
    for profile in ([[1, 0]], [[1, 0], [1, 1]], [[1, 0], [2, -1]], [[1, 0], [1, 0, 0]]):
        with pytest.raises(ZermeloError) as raised:
            made.strategies(profile)
        assert raised.value.code == "bad-usage"
    with pytest.raises(ZermeloError):
        zermelo.convert("prisoners_dilemma", "efg").strategies([[1, 0], [1, 0]])


# The command.

TREE = 'EFG 2 R "Two" { "Player 1" }\np "a label" 1 1 "" { "go on" "stop" } 0\nt "" 1 "" { 1 }\nt "" 2 "" { 0 }\n'


def test_standard_input_and_a_file_by_its_ending(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("convert", "-", typed=TREE)
    assert ran.code == 0 and ran.out.startswith('game "Two"') and "warning[dropped-part]" in ran.err
    assert run("convert", "-", "-o", "two.nfg", typed=TREE).code == 0
    assert (tmp_path / "two.nfg").read_text(encoding="utf-8").startswith('NFG 1 R "Two" { "Player 1" }')
    assert run("convert", "two.nfg", "--to", "efg").out.startswith('EFG 2 R "Two" { "Player 1" }')
    assert run("convert", "kuhn_poker").out.startswith('EFG 2 R "Kuhn poker"')
    assert run("convert", "nim", "-p", "heaps=1", "-p", "smallest=1", "--to", "nfg").out.startswith('NFG 1 R "Nim"')


def test_the_file_that_is_read_is_not_written_over(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.efg").write_text(TREE, encoding="utf-8")
    for output in ("two.efg", str(tmp_path / "two.efg")):
        ran = run("convert", "two.efg", "-o", output)
        assert ran.code == 2 and "is the file that is read" in ran.err
    assert (tmp_path / "two.efg").read_text(encoding="utf-8") == TREE


def test_strict_writes_nothing_if_something_is_lost(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = run("convert", "-", "--strict", "-o", "two.game", typed=TREE)
    assert (ran.code, ran.out) == (1, "") and "dropped-part" in ran.err and not (tmp_path / "two.game").exists()
    ran = run("convert", "-", "--strict", "-o", "two.game", typed=TREE.replace("a label", ""))
    assert (ran.code, ran.out, ran.err) == (0, "", "") and (tmp_path / "two.game").exists()


def test_the_record(run):
    record = run("convert", "-", "--json", typed=TREE).record
    assert record["format"] == "game" and record["read_as"] == "efg" and record["text"].startswith('game "Two"')
    assert [lost["code"] for lost in record["findings"]] == ["dropped-part"]


@pytest.mark.parametrize("command", ["solve", "check", "draw", "equilibria", "show", "moves", "test"])
def test_every_command_reads_a_tree(run, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "two.efg").write_text(TREE, encoding="utf-8")
    ran = run(command, "two.efg", *(["-o", "two.svg"] if command == "draw" else []))
    assert ran.code == 0, ran
    if command in ("solve", "moves"):
        assert "go on" in ran.out and "Player 1" in ran.out
    if command == "check":
        assert "warning[dropped-part]: labels of nodes are left out: 'a label'\n --> two.efg:2:1" in ran.out


def test_check_points_into_the_file_that_is_wrong(run):
    ran = run("check", "-", typed=TREE.replace("{ 0 }", "{ zero }"))
    assert ran.code == 1 and "error[foreign-syntax]" in ran.out and " --> <stdin>:4:13\n" in ran.out


def test_what_is_lost_for_liteefg(run):
    ran = run("convert", "kuhn_poker", "--to", "liteefg")
    assert "node h chance actions h.0=0.16666666666666666 " in ran.out
    assert "warning[truncated-number]: fractions are written as decimals: 1/6 is 0.16666666666666666" in ran.err
    assert "truncated-number" not in run("convert", "coin_flip_tree", "--to", "liteefg").err


def test_a_format_that_is_none():
    with pytest.raises(ZermeloError) as raised:
        zermelo.convert("kuhn_poker", "gdl")
    assert raised.value.code == "bad-usage" and "game, efg, nfg, liteefg" in raised.value.help
