"""The judge: results for random games are compared with a referee that uses no positions and no tables."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from all_machines import MACHINE_NAMES
from attrs import evolve
from random_cases import seeds
from random_games.small import write_small
from random_games.told_values import write_told
from referee.histories import histories
from referee.values import best_response, expected
from referee.verdicts import Verdict, judge, judge_solution
from solving import solve

import zermelo
from zermelo.solving import facts_of

SMALL: list[tuple[str, dict[str, Any]]] = [
    ("battle_of_the_sexes", {}),
    ("beer_or_quiche", {}),
    ("chicken", {}),
    ("chomp", {"columns": 3, "rows": 2}),
    ("coin_flip_tree", {}),
    ("colonel_blotto", {"blotto": 3, "kije": 2}),
    ("dice_race", {"goal": 2}),
    ("domineering", {"columns": 3, "rows": 3}),
    ("dots_and_boxes", {"columns": 1, "rows": 1}),
    ("fibonacci_nim", {"pile": 8}),
    ("fireworks", {"turns": 2}),
    ("forked_roads", {}),
    ("goofspiel", {}),
    ("goofspiel", {"shuffled": True, "open": True}),
    ("hex", {"size": 2}),
    ("horizon_effect", {}),
    ("kuhn_poker", {}),
    ("kuhn_poker_for_several", {"players": 2}),
    ("matching_pennies", {}),
    ("monotone_transformation_with_dice", {}),
    ("morra", {}),
    ("n_person_nim", {"heaps": 2}),
    ("nim", {"heaps": 2, "smallest": 1}),
    ("pirates", {"gold": 0}),
    ("prisoners_dilemma", {}),
    ("rock_paper_scissors", {}),
    ("sealed_bid_auction", {"most": 1}),
    ("stag_hunt", {}),
    ("subtraction_game", {"pile": 7}),
    ("template", {}),
    ("three_player_tree", {}),
    ("tic_tac_toe", {"size": 2}),
    ("two_ply_tree", {}),
    ("two_robots", {}),
    ("uniform_tree", {"width": 2, "depth": 3}),
]

FAMILIES = 12
"""The number of tests among which the random games are divided."""

GAMES_OF_EACH = 12


def assert_agreed(verdict: Verdict, text: str) -> None:
    assert not verdict.complaints, "\n".join([*verdict.complaints, text])


@pytest.mark.parametrize(("name", "parameters"), SMALL, ids=[f"{name}{sorted(p.items()) or ''}" for name, p in SMALL])
def test_bundled_games_are_as_the_referee_finds_them(name: str, parameters: dict[str, Any]) -> None:
    verdict = judge(zermelo.load(name, **parameters), most=2_500)
    assert verdict.root is not None, "it fits"
    assert_agreed(verdict, name)
    assert any(
        subject in verdict.judged for subject in ("minimax", "maxn", "sequence_form", "normal_form", "team", "cfr")
    )


@pytest.mark.parametrize("family", seeds(FAMILIES))
def test_random_games_are_as_the_referee_finds_them(family: int) -> None:
    judged: Counter[str] = Counter()
    for seed in range(GAMES_OF_EACH):
        text = write_small(Random(1_000_000 + 1_000 * family + seed))
        verdict = judge(zermelo.loads(text), most=600)
        assert_agreed(verdict, text)
        judged += verdict.judged
    assert {"position", "information", "facts"} <= judged.keys()


TRIAL = Path(__file__).parents[1] / "trial" / "values"


@pytest.mark.parametrize(
    ("name", "value"),
    [("told_one_or_true", 1), ("told_east_or_record", 1), ("knows_one_or_true", 1), ("go_one_or_true", -1)],
)
@pytest.mark.parametrize("machine", MACHINE_NAMES)
def test_values_of_different_types_are_never_taken_for_each_other(name: str, value: int, machine: str) -> None:
    """1 and true, or east and a record of the same numbers, tell a player everything."""
    game = zermelo.load(TRIAL / f"{name}.game").on(machine)
    assert zermelo.solve(game).value == (value, -value)
    assert (
        len(
            {
                here.set
                for here in histories(game.reference).all()
                if here.state.phase.name == "guess" and here.actor >= 0
            }
        )
        == 2
    )


IN_DOUBT = """game "In doubt about what does not matter"
players Ann, Bob
claim zero_sum
var n: 0..1 = 0    hidden
define worth = {0: 1, 1: 1}[n]
start at hide
phase hide:
    turn Bob:
        move low secret: go say
        move high secret:
            n := 1
            go say
phase say:
    turn Ann:
        move stop: end payoff (worth, -worth)
"""


def test_who_is_in_doubt_need_not_care() -> None:
    """Ann does not know ``n``, so that not everybody knows the position, though she would lose nothing by that."""
    verdict = judge(zermelo.loads(IN_DOUBT))
    assert_agreed(verdict, IN_DOUBT)
    assert verdict.judged["refuted"]


@pytest.mark.random
def test_what_random_values_of_all_types_tell() -> None:
    """Against the number of different values in the text."""
    for seed in seeds(25):
        told = write_told(Random(seed))
        game = zermelo.loads(told.text).on("reference")
        assert zermelo.solve(game).value == (told.worth, -told.worth), told.text
        verdict = judge(game, solvers=())
        assert_agreed(verdict, told.text)
        assert verdict.root is not None
        assert len({here.set for here in verdict.root.all() if here.actor == 0}) == told.sets, told.text


# ------------------------------------------------------------------ the referee itself


def test_the_referee_knows_kuhn_poker() -> None:
    """Against a known equilibrium (Kuhn 1950, with probability 1/3 for Alice's bluff factor 0) the value is -1/18."""
    game = zermelo.load("kuhn_poker")
    root = histories(game.reference)
    assert sum(1 for _ in root.all()) == 55
    assert len({here.set for here in root.all() if here.actor >= 0}) == 12

    def chance_of(card: str, phase: str) -> Fraction:
        """The probability of the active move (bet, call)."""
        return {
            ("J", "opening"): Fraction(0), ("Q", "opening"): Fraction(0), ("K", "opening"): Fraction(0),
            ("J", "reply"): Fraction(1, 3), ("Q", "reply"): Fraction(0), ("K", "reply"): Fraction(1),
            ("J", "answer"): Fraction(0), ("Q", "answer"): Fraction(1, 3), ("K", "answer"): Fraction(1),
        }[card, phase]  # fmt: skip

    strategies = {}
    for here in root.all():
        if here.actor >= 0:
            card, phase = str(here.state.values[here.actor]), here.state.phase.name
            active = chance_of(card, phase)
            strategies[here.set] = {m: active if m.name in ("bet", "call") else 1 - active for m in here.moves}
    assert expected(root, strategies) == (Fraction(-1, 18), Fraction(1, 18))
    assert [best_response(root, player, strategies) for player in (0, 1)] == [Fraction(-1, 18), Fraction(1, 18)]


def test_the_referee_notices_wrong_values_moves_and_strategies() -> None:
    for name in ("subtraction_game", "kuhn_poker"):
        game = zermelo.load(name, **({"pile": 14} if name == "subtraction_game" else {}))
        root, facts = histories(game.reference), facts_of(game)
        solution = solve(game.searching, facts)
        sound = Verdict()
        judge_solution(solution, game.searching, facts, root, sound)
        assert not sound.complaints and sound.judged[solution.solver]
        for wrong in (
            evolve(solution, value=tuple(amount + 1 for amount in solution.value)),
            evolve(solution, best=tuple(root.moves[-1:]), strategies=solution.strategies[::-1]),
        ):
            verdict = Verdict()
            judge_solution(wrong, game.searching, facts, root, verdict)
            assert verdict.complaints


def test_the_referee_sees_a_name_that_outlives_its_variable() -> None:
    text = """\
game "A let that remembers"
players Ann, Bob
var x: 0..3 = 0
start at a
phase a:
    turn Ann:
        move set(v in 0..3):
            x := v
            go b
phase b:
    let old = x
    x := 0
    turn Bob:
        move u: end payoff (old, -old)
        move w: end payoff (2 - old, old - 2)
"""
    root = histories(zermelo.loads(text).reference)
    assert len({here.future for here in root.children}) == 4


def test_the_referee_has_no_hidden_clock() -> None:
    """Ann cannot tell the toss after which Bob moved in secret from that after which he did not."""
    text = """\
game "Hidden clock in phases"
players Ann, Bob
var x: Bool hidden
start at a
phase a:
    turn Ann:
        move go_on: go toss
phase toss:
    chance:
        outcome head:
            x := true
            go guess
        outcome tail:
            x := false
            go b
phase b:
    turn Bob:
        move nothing secret: go guess
phase guess:
    turn Ann:
        move say(y in Bool):
            if x == y: end win Ann
            end win Bob
"""
    root = histories(zermelo.loads(text).reference)
    assert len({here.set for here in root.all() if here.actor == 0}) == 2
