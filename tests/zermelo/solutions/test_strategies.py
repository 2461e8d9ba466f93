"""Strategies as results: printed, saved, read again, best responses to them, and matches between them."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
from zermelo.game import CHANCE
from zermelo.solutions.strategy_table import (
    PAGE,
    _drop_implied_variables,
    _merge_rows,
    _rows,
    mixture,
    perceptions_text,
    sightings,
    strategy_table,
)

TRIALS = Path(__file__).parents[2] / "trial" / "proofs"


@pytest.fixture
def saved(tmp_path, capsys):
    """Saves the solution of a game as the command line does, after a change to it."""

    def save(game, change=lambda record: None, name="saved.json"):
        assert main(["solve", *game.split(), "--json"]) == 0
        record = json.loads(capsys.readouterr().out)
        change(record)
        path = tmp_path / name
        path.write_text(json.dumps(record), encoding="utf-8")
        return str(path)

    return save


def printed(capsys, *words):
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_the_page_tells_who_does_what(capsys):
    lines = printed(capsys, "solve", "kuhn_poker").splitlines()
    head = next(line for line in lines if line.startswith("Bob sees"))
    assert head.split("  ")[-1].strip() == "might as well"
    assert any(line.split() == ["hand[Bob]", "=", "K", "Alice:", "check", "bet"] for line in lines)


@pytest.mark.parametrize("name", ["02_label_split", "02b_hidden_clock_phases"])
def test_decisions_of_others_in_secret_do_not_part_decisions(saved, capsys, name):
    """Ann has two information sets and Bob one; the file of strategies survives a round trip."""
    game = str(TRIALS / f"{name}.game")
    file = saved(game)
    decisions = {s["player"]: s["decisions"] for s in json.loads(Path(file).read_text())["strategies"]}
    assert [len(decisions[player]) for player in ("Ann", "Bob")] == [2, 1]
    assert len(decisions["Ann"][1]["known"]) == 3
    assert "Nobody can gain" in printed(capsys, "exploit", game, file)


def test_json_has_every_decision(capsys):
    record = json.loads(printed(capsys, "solve", "kuhn_poker", "--json"))
    alice, bob = record["strategies"]
    assert len(alice["decisions"]) == len(bob["decisions"]) == 6
    for decision in bob["decisions"]:
        assert sum(Fraction(move["probability"]) for move in decision["moves"].values()) == 1


def test_nobody_gains_against_an_equilibrium(saved, capsys):
    file = saved("kuhn_poker")
    record = json.loads(printed(capsys, "exploit", "kuhn_poker", file, "--json"))
    assert [answer["gain"] for answer in record["answers"]] == ["0", "0"]
    assert "Nobody can gain" in printed(capsys, "exploit", "kuhn_poker", file)


def test_what_the_uniform_strategy_loses(capsys):
    """OpenSpiel's values: an exploitability of 0.458333 in Kuhn's poker and of 2.373611 in Leduc poker."""
    assert "11/24" in printed(capsys, "exploit", "kuhn_poker", "uniform")
    record = json.loads(printed(capsys, "exploit", "leduc_poker", "uniform", "--json"))
    gains = [Fraction(answer["gain"]) for answer in record["answers"]]
    assert float(sum(gains) / 2) == pytest.approx(2.373611, abs=1e-6)


def test_against_one_strategy_only_the_other_answers(saved, capsys):
    file = saved("kuhn_poker", lambda record: record["strategies"].pop())
    record = json.loads(printed(capsys, "exploit", "kuhn_poker", file, "--json"))
    (answer,) = record["answers"]
    assert answer["player"] == "Bob" and answer["value"] is None and answer["best"] == "1/18"


ALIKE = """\
game "Alike"
players Ann, Bob, Cy
start at choose
phase choose:
    together:
        move left
        move right
    then:
        let are_alike = left[Ann] == left[Bob] and left[Bob] == left[Cy]
        end payoff {p: if are_alike then 1 else 0 for p in Player}
"""


def test_a_best_response_is_found_where_all_others_have_strategies(run, game_file, tmp_path):
    """Against two who choose at random nobody gets more than 1/4, or 1/2 if one of them always goes left."""
    game, file = game_file(ALIKE), tmp_path / "some.json"

    def judged(command, *players):
        left = [{"known": ["to decide: choose"], "moves": {"left": {"probability": "1"}}}]
        listed = [
            {"player": player, "decisions": left if player == "Bob" else [], "elsewhere": "uniform"}
            for player in players
        ]
        file.write_text(json.dumps({"title": "Alike", "parameters": {}, "strategies": listed}), encoding="utf-8")
        return run(command, game, str(file), "--machine", "reference", "--json").record

    answers = judged("exploit", "Ann", "Cy")["answers"]
    assert [(each["player"], each["value"], each["best"], each["gain"]) for each in answers] == [
        ("Bob", None, "1/4", None)
    ]
    answers = judged("exploit", "Ann", "Bob")["answers"]
    assert [(each["player"], each["value"], each["best"]) for each in answers] == [("Cy", None, "1/2")]
    answers = judged("exploit", "Ann", "Bob", "Cy")["answers"]
    assert [(each["value"], each["best"], each["gain"]) for each in answers] == [
        ("1/4", "1/2", "1/4"), ("1/4", "1/4", "0"), ("1/4", "1/2", "1/4"),
    ]  # fmt: skip
    assert judged("exploit", "Ann")["message"].endswith("leaves more than one player without a strategy")
    assert judged("match", "Ann", "Bob")["message"].endswith("has no strategy for Cy")
    assert judged("match", "Ann", "Bob", "Cy")["plays"][0]["value"] == dict.fromkeys(("Ann", "Bob", "Cy"), "1/4")


def test_matches_are_exact(saved, capsys):
    file = saved("kuhn_poker")
    record = json.loads(printed(capsys, "match", "kuhn_poker", file, "uniform", "--json"))
    brought = {tuple(play["seats"]): play["value"]["Alice"] for play in record["plays"]}
    assert brought[file, file] == "-1/18"
    assert brought["uniform", "uniform"] == "1/8"
    assert Fraction(brought[file, "uniform"]) >= Fraction(-1, 18) >= Fraction(brought["uniform", file])
    said = " ".join(printed(capsys, "match", "kuhn_poker", file, "uniform").split())
    assert "mean over all seats" in said


def test_rounded_probabilities_are_taken(saved, capsys):
    def round_off(record):
        for strategy in record["strategies"]:
            for decision in strategy["decisions"]:
                for move in decision["moves"].values():
                    move["probability"] = f"{float(Fraction(move['probability'])):.9f}"

    record = json.loads(printed(capsys, "exploit", "kuhn_poker", saved("kuhn_poker", round_off), "--json"))
    assert all(0 <= Fraction(answer["gain"]) < Fraction(1, 10**8) for answer in record["answers"])


def first_decision(record):
    return record["strategies"][0]["decisions"][0]


def put(probability):
    """Sets the probability of check in the first player's first decision, which knows only the card."""
    return lambda record: first_decision(record)["moves"]["check"].update(probability=probability)


def twice(record):
    record["strategies"][1]["decisions"].append(record["strategies"][1]["decisions"][2])


def negative(record):
    for move, probability in zip(first_decision(record)["moves"].values(), ("4/3", "-1/3"), strict=True):
        move["probability"] = probability


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda record: record.pop("strategies"), "no list of strategies"),
        (lambda record: record["strategies"][0].update(player="Zoe"), "for Zoe, a player that the game does not have"),
        (lambda record: record["strategies"].append(3), "a player that the game does not have"),
        (lambda record: record["strategies"].append(record["strategies"][0]), "two strategies for Alice"),
        (lambda record: record["strategies"][0].update(decisions=3), "the decisions of Alice are not a list"),
        (lambda record: record["strategies"][0]["decisions"].pop(0), "it does not say what Alice does knowing"),
        (lambda record: record["strategies"][0]["decisions"].append(7), "decision 7 of Alice does not say"),
        (lambda record: first_decision(record).update(known=["hand[Alice] = A"]), "Alice never knows hand[Alice] = A"),
        (lambda record: first_decision(record).update(known=[[]] * 9), "decision 1 of Alice is not in this game"),
        (lambda record: first_decision(record).update(moves=[]), "decision 1 of Alice lists no moves"),
        (twice, "decision 7 of Bob repeats one before"),
        (lambda record: record["strategies"][0].update(elsewhere="best"), "`elsewhere` of a strategy is best, and not"),
        (lambda record: first_decision(record)["moves"].update(fly={"probability": "0"}), "fly is not one of"),
        (lambda record: first_decision(record)["moves"].update(check=1), "the probability of check is not a number"),
        (lambda record: first_decision(record)["moves"].update(check={}), "of check is not a number: null"),
        (lambda record: first_decision(record)["moves"].clear(), "sum to 0, not to 1"),
        (negative, "the probability of check is 4/3, not between 0 and 1"),
        (put("-1/3"), "the probability of check is -1/3, not between 0 and 1"),
        (put("1/0"), "not a number: 1/0"),
        (put("2/4e3"), "not a number"),
        (put("1e999999999"), "not a number: 1e999999999"),
        (put(True), "not a number: true"),
        (put(float("inf")), "not a number: Infinity"),
        (put(float("nan")), "not a number: NaN"),
        (put(-0.25), "is -0.25, not between 0 and 1"),
        (put("9" * 5000 + "/" + "9" * 5001), "sum to"),
        (put(10**4200), "not between 0 and 1"),
        (put([[[]]]), "not a number: [[[]]]"),
        (lambda record: record.pop("title"), "does not say for which game"),
        (lambda record: record.update(title="Leduc"), "for 'Leduc', but this game is 'Kuhn poker'"),
        (lambda record: record.pop("parameters"), "does not say under which parameters"),
        (lambda record: record["parameters"].update(ante=2), "for ante = 2, but here it is null"),
    ],
)
def test_files_that_do_not_fit(saved, capsys, change, said):
    file = saved("kuhn_poker", change)
    for command in ("exploit", "match"):
        assert main([command, "kuhn_poker", file]) == 2
        shown = " ".join(capsys.readouterr().err.split())
        assert "bad-strategy" in shown and said in shown


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "it is not JSON (line 1, column 1)"),
        (b'{"title":\n  nothing}', "it is not JSON (line 2, column 3)"),
        (b"[" * 200_000, "nested too deep"),
        (b'{"a":' * 200_000, "nested too deep"),
        (b"[1, 2]", "not what `zermelo solve --json` prints"),
        (b'{"title": "Kuhn poker", "title": "Kuhn poker"}', "'title' is given twice"),
        (b'{"title": "\xff"}', "it is not text"),
        (b"9" * 10_000, "not what `zermelo solve --json` prints"),
    ],
)
def test_files_that_hold_no_such_record(tmp_path, capsys, content, said):
    file = tmp_path / "strategies.json"
    file.write_bytes(content)
    assert main(["exploit", "kuhn_poker", str(file)]) == 2
    shown = " ".join(capsys.readouterr().err.split())
    assert "bad-strategy" in shown and said in shown


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_files_may_have_any_encoding_of_unicode(saved, capsys, encoding):
    """A console may choose one when output goes to a file, with a byte order mark."""
    path = Path(saved("kuhn_poker"))
    path.write_text(path.read_text(encoding="utf-8"), encoding=encoding)
    assert "Nobody can gain" in printed(capsys, "exploit", "kuhn_poker", str(path))


def test_moves_given_twice_are_refused(saved, capsys):
    """JSON would silently take the last one."""
    path = Path(saved("kuhn_poker"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"moves": {', '"moves": {"bet": {"probability": "1"}, ', 1), encoding="utf-8")
    assert main(["exploit", "kuhn_poker", str(path)]) == 2
    assert "'bet' is given twice" in " ".join(capsys.readouterr().err.split())


def test_a_file_of_another_game(saved, capsys):
    assert main(["exploit", "leduc_poker", saved("kuhn_poker")]) == 2
    shown = " ".join(capsys.readouterr().err.split())
    assert "bad-strategy" in shown and "for 'Kuhn poker', but this game is" in shown


def test_a_file_of_the_same_moves_and_another_game(saved, capsys):
    """A player who chooses once and sees nothing has the same information state in both."""
    assert main(["exploit", "stag_hunt", saved("prisoners_dilemma")]) == 2
    assert "bad-strategy" in capsys.readouterr().err


def test_a_file_of_other_parameters(saved, capsys):
    file = saved("goofspiel -p cards=2")
    assert main(["exploit", "goofspiel", "-p", "cards=3", file]) == 2
    assert "its strategies are for cards = 2, but here it is 3" in " ".join(capsys.readouterr().err.split())
    assert main(["exploit", "goofspiel", "-p", "cards=2", file]) == 0


@pytest.mark.parametrize("game", ["leduc_poker", "liars_dice -p sides=2", "battleship", "beer_or_quiche"])
def test_what_is_printed_is_read(saved, capsys, game):
    """Each decision of a file is found again, and they are distinct."""
    record = json.loads(printed(capsys, "exploit", *game.split(), saved(game), "--json"))
    assert all(Fraction(answer["gain"]) == 0 for answer in record["answers"])


def test_a_file_that_is_not_there(capsys):
    assert main(["match", "kuhn_poker", "nowhere.json"]) == 2
    assert "unreadable-file" in capsys.readouterr().err


# A strategy on a page: what is left out does not matter, and what is left says the same as the whole.


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
        rows = _merge_rows(_drop_implied_variables(_rows(kept, strategy.player)))
        assert len(rows) <= len(kept)
        for decision in kept:
            values = dict(sightings(decision.known))
            fitting = [
                row
                for row in rows
                if row.after == perceptions_text(decision.known, strategy.player)
                and all(values.get(name, ("",))[0] in some for name, some in row.sees)
                and len({name for row in rows for name, _ in row.sees} & set(values)) == len(row.sees)
            ]
            assert [row.does for row in fitting] == [mixture(decision.moves, decision.probabilities)]


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


TABLES = Path(__file__).parents[2] / "trial" / "strategies"


@pytest.mark.parametrize("game", ["hidden_twice", "forgets", "swap"])
def test_rows_that_would_look_alike_tell_what_was_seen_before(game):
    solution = zermelo.solve(zermelo.load(TABLES / f"{game}.game"))
    for strategy in solution.strategies:
        for is_all in (False, True):
            table = strategy_table(strategy, is_all)
            answers = f"{strategy.player} does", "might as well"
            known = [k for k, head in enumerate(table.heads) if head not in answers]
            assert len({tuple(row[k] for k in known) for row in table.rows}) == len(table.rows)


def test_the_first_card_decides_and_the_second_does_not():
    """The payoffs ask for the first card alone: high if it was 2."""
    ann, _ = zermelo.solve(zermelo.load(TABLES / "forgets.game")).strategies
    table = strategy_table(ann)
    said = {tuple(row) for row in table.rows if "card = 2" in row[1]}
    assert said == {("card = 1", "card = 2, next_one", "high")}


SURE = """\
game "A sure win"
players Ann, Bob
claim zero_sum
var card: (1..9)? = none   seen by {Ann}
start at draw
phase draw:
    chance:
        outcome draw(n in 1..{cards}):
            card := n
            go choose
phase choose:
    turn Ann:
        move up: go answer
        move down: end win Bob
phase answer:
    turn Bob:
        move left: end win Ann
        move right: end win Ann
"""


@pytest.mark.parametrize(
    ("cards", "seen"),
    [(4, ["card = 1 or 2 or 3 or 4"]), (5, ["card = 1", "card = 2", "card = 3", "card = 4", "card = 5"])],
)
def test_up_to_four_values_are_one_row(cards, seen):
    game = zermelo.loads(SURE.replace("{cards}", f"{cards}"))
    table = strategy_table(zermelo.solve(game, "sequence_form").strategies[0])
    assert table.heads[0] == "Ann sees" and [row[0] for row in table.rows] == seen
    assert all("up" in row for row in table.rows)


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


@pytest.mark.parametrize(("places", "shown", "unmet"), [(24, 24, 0), (25, 0, 25)])
def test_a_page_has_room_for_decisions_that_do_not_come(places, shown, unmet):
    game = zermelo.loads(STAY_OUT.replace("1..60", f"1..{places}"))
    table = strategy_table(zermelo.solve(game).strategies[1])
    assert (len(table.rows), table.unmet, table.more) == (shown, unmet, 0)
    assert all("off the path" in row for row in table.rows)


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
