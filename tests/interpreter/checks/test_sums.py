""""""

from __future__ import annotations

from fractions import Fraction
from random import Random
from textwrap import dedent

import pytest
from written_games import model_of

import zermelo
from zermelo.grammar.diagnostics import NOWHERE, Source
from zermelo.interpreter.checks import proving, sums
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.checks.sums import proved_constant, reachable_phases
from zermelo.interpreter.machine import CHANCE, END
from zermelo.interpreter.model import Arithmetic, Const, Expr
from zermelo.interpreter.types import NONE, NumberType
from zermelo.preparing import prepare

START = """
    game "Test"
    players A, B
    var score[Player]: 0..9 = 0
    var leader: Player? = none
    define gain(p: Player) = score[p] - score[other p]
    define stake = if score[A] > 3 then 2 else 1
    define better = if score[A] > score[B] then A else B
    define sign(p: Player) = if p == A then 1 else -1
    start at play(A)
    phase play(p: Player):
        turn p:
            move go_on(n in 1..3):
                score[p] := n
                go last(other p)
    phase last(p: Player):
        turn p:
            move stop(n in 1..3):
"""


def ending(*lines):
    body = "".join(f"                {line}\n" for line in lines)
    return facts(model_of(START + body))


def test_a_let_stands_for_its_value():
    total = "let total = sum r in Player: score[r]"
    end = "end payoff {q: 2 * score[q] - total for q in Player}"
    for lines in ([total, end], [total, "if n == 1: end draw", end], ["var total: 0..99 = 0", "total := 2 * n", end]):
        found = ending(*lines)
        assert found.zero_sum.holds == (True if lines[0] == total else None)


@pytest.mark.parametrize("change", ["score[p] := n", "if n == 1: score[p] := n", "for r in Player: score[r] := n"])
def test_a_let_is_worth_what_it_was(change):
    end = "end payoff {q: 2 * score[q] - total for q in Player}"
    assert ending("let total = sum r in Player: score[r]", change, end).zero_sum.holds is None


def test_a_local_variable_may_have_changed():
    lines = ["var one: 0..9 = 3", "let both = one - score[A]", "one := n", "end payoff (one - score[A], -both)"]
    assert ending(*lines).zero_sum.holds is None
    assert ending(*lines[:2], "end payoff (one - score[A], -both)").zero_sum.holds


@pytest.mark.parametrize(
    "end",
    [
        "end win p",
        "end draw",
        "end",
        "end payoff (n, -n)",
        "end payoff {p: n, other p: -n}",
        "end payoff {better: stake, other better: -stake}",
        "end payoff {q: score[q] - score[other q] for q in Player}",
        "end payoff {A: gain(A), B: gain(B)}",
        "end payoff {p: gain(p), other p: gain(other p)}",
        "end payoff {A: 2 * (n - score[p]) / 3, B: (2 / 3) * score[p] - n + n / 3}",
        "end payoff {p: if score[p] > n then 1 else -1, other p: if score[p] > n then -1 else 1}",
        "end payoff {p: sign(p), other p: sign(other p)}",
        "end payoff {A: max(n, score[A]), B: -max(n, score[A])}",
        "end payoff {q: (sum r in Player: score[r]) - 2 * score[q] for q in Player}",
        "end payoff {q: ((if s is none or q in s then 0 else 1) where s = first t in {Player}: 1 > 2) for q in Player}",
        "end payoff p: n * score[p]",
        "end win {better}",
        "end win {q in Player if score[q] > n}",
        "end by {q: score[q] for q in Player}",
        "end by {p: n, other p: score[p]}",
    ],
)
def test_payoffs_that_sum_to_zero(end):
    found = ending(end)
    assert found.constant_sum.holds
    assert found.sum == 0
    assert found.zero_sum.holds


def test_payoffs_of_another_sum():
    found = ending("end payoff {p: n, other p: 10 - n}")
    assert (found.constant_sum.holds, found.sum) == (True, 10)
    assert found.zero_sum.holds is False


@pytest.mark.parametrize(
    "end",
    [
        "end payoff {p: n, other p: n}",
        "end payoff {p: n * score[p], other p: -n * score[other p]}",
        "end payoff {A: if score[A] > n then 1 else -1, B: if score[B] > n then 1 else -1}",
        "end payoff {A: {1: 2, 2: 3, 3: 4}[n], B: -{1: 2, 2: 3, 3: 5}[n]}",
    ],
)
def test_payoffs_whose_sum_is_not_proved(end):
    found = ending(end)
    assert found.constant_sum.holds is None
    assert found.sum is None
    assert "line 19" in found.constant_sum.how


def test_ends_with_different_sums():
    found = ending("if n == 1: end win p", "end payoff (1, 1)")
    assert found.constant_sum.holds is None
    assert found.constant_sum.how == "the payoffs sum to 0 in line 19 and to 2 in line 20"


def test_endless_plays_count():
    text = START.replace('game "Test"', 'game "Test"\n    endless payoff (3, 3)') + " " * 16
    assert facts(model_of(text + "end payoff (2, 4)\n")).sum == 6
    found = facts(model_of(text + "end payoff (2, 2)\n")).constant_sum
    assert (found.holds, found.how) == (None, "the payoffs sum to 4 in line 20 and to 6 in 'endless'")


def test_phases_that_are_never_reached_do_not_count():
    text = START + " " * 16 + "end draw\n    phase nowhere:\n        end payoff (1, 1)\n"
    assert facts(model_of(text)).sum == 0


def test_earnings_must_sum_to_zero_side_by_side():
    assert ending("earn p: n", "earn other p: -n", "end draw").sum == 0
    assert ending("for q in Player: earn q: gain(q)", "end draw").sum == 0
    apart = ending("earn p: score[p]", "score[p] := n", "earn other p: -score[p]", "end draw")
    assert apart.constant_sum.holds is None
    assert "line 19" in apart.constant_sum.how


def test_discount_keeps_zero_only():
    discounted = START.replace('game "Test"', 'game "Test"\n    discount 9/10') + " " * 16
    assert facts(model_of(discounted + "end payoff (n, -n)\n")).sum == 0
    assert facts(model_of(discounted + "end payoff (n, 10 - n)\n")).constant_sum.holds is None


def test_leaves_of_a_tree_are_all_reached():
    found = facts(model_of('game "T"\nplayers A, B\ntree:\n    A:\n        l: (1, 2)\n        r: (2, 2)\n'))
    assert found.constant_sum.holds is False
    assert found.common_payoff.holds is False


def test_common_payoff():
    assert ending("end payoff {p: n, other p: n}").common_payoff.holds
    assert ending("end payoff {q: score[A] + score[B] for q in Player}").common_payoff.holds
    assert ending("end draw").common_payoff.holds
    assert ending("end win p").common_payoff.holds is None
    assert ending("end by {q: n for q in Player}").common_payoff.holds is None
    assert ending("end payoff {p: n, other p: score[p]}").common_payoff.holds is None


def won_by(winners):
    """The facts of a game of three players, with these winners of some plays."""
    return facts(
        model_of(f"""
        game "Three"
        players A, B, C
        start at play(A)
        phase play(p: Player):
            turn p:
                move stop: end win p
                move share: end win {winners}
                move pass: go play(next p)
    """)
    )


@pytest.mark.parametrize("winners", ["{p, next p}", "{q in Player if number(q) > 9}", "{p, next p, next next p}"])
def test_winners_among_three_players(winners):
    """If all win, or nobody, the play is an error."""
    assert won_by(winners).sum == 0


@pytest.mark.parametrize(("end", "sum"), [("win A", 1), ("by {A: 9}", 0), ("payoff A: 9", 9)])
def test_one_player(end, sum):
    text = f'game "One"\nplayers A\nstart at play\nphase play:\n    turn A:\n        move stop: end {end}\n'
    assert facts(model_of(text)).sum == sum


def test_earnings_of_one_alone_are_not_common():
    text = """
        game "Earning"
        players A, B
        start at play(A)
        phase play(p: Player):
            turn p:
                move work:
                    earn p: 1
                    end draw
    """
    assert not facts(model_of(text)).common_payoff.holds
    assert facts(model_of(text.replace("earn p: 1", "earn p: 0"))).common_payoff.holds is not False


@pytest.mark.parametrize(
    ("earn", "common"),
    [
        (["for q in Player: earn q: n"], True),
        (["earn A: n", "earn B: n"], True),
        (["earn A: n", "earn B: 1", "earn B: n - 1"], True),
        (["earn A: n", "earn B: n + 1"], None),
        (["earn A: n", "earn A: n"], None),
        (["earn B: 1"], None),
        (["for q in Player: earn q: score[q]"], None),
        (["for q in {A}: earn q: n"], None),
        (["for q in Player if score[q] > 0: earn q: n"], None),
        (["earn p: n", "earn other p: n"], None),  # it is true, but not seen
        (["earn A: score[A]", "score[A] := n", "earn B: score[A]"], None),
    ],
)
def test_what_all_earn_at_once_is_common(earn, common):
    assert ending(*earn, "end draw").common_payoff.holds is common


THREE = """
    game "Three get the same"
    players A, B, C
    start at play
    phase play:
        turn A:
            move name(n in 1..3): end payoff {A: n, B: n, C: n}
"""


def test_one_difference_that_is_not_proved_is_enough(monkeypatch):
    asked = []
    monkeypatch.setattr(sums, "proved_constant", lambda expr: asked.append(expr))
    model = model_of(THREE)
    assert sums.common_payoff(model, reachable_phases(model)).holds is None
    assert len(asked) == 1


def test_the_budget_of_a_proof_is_one_of_parts(monkeypatch):
    end = "end payoff {p: sign(p), other p: sign(other p)}"
    assert ending(end).sum == 0
    monkeypatch.setattr(sums, "PARTS", 10)
    assert ending(end).sum is None and ending("end payoff (n, -n)").sum == 0


def test_the_facts_of_a_game_with_claims_are_proved_once(monkeypatch):
    proved = []
    whole = proving.constant_sum

    def counted(model, phases):
        proved.append(model)
        return whole(model, phases)

    monkeypatch.setattr(proving, "constant_sum", counted)
    text = f"{dedent(START)}                end payoff (n, -n)\nclaim zero_sum\n"
    prepared = prepare(Source("claimed.game", text), {}, is_kept=False)
    assert prepared.facts.sum == 0 and proved == [prepared.model]


# Proofs that an expression is a constant.


NUMBER = NumberType(None, None)


def number(value: int) -> Expr:
    return Const(value, type=NUMBER, span=NOWHERE)


def times(left: Expr, right: Expr) -> Expr:
    return Arithmetic("*", left, right, type=NUMBER, span=NOWHERE)


def test_products_of_numbers_are_known() -> None:
    assert proved_constant(times(number(3), number(-9))) == Fraction(-27)


def test_none_in_a_case_that_cannot_come_up_has_no_value() -> None:
    none = Const(None, type=NONE, span=NOWHERE)
    assert proved_constant(times(none, number(-27))) is None
    assert proved_constant(times(number(-27), none)) is None


LONGEST = 1_000
"""The most moves of a play: some games go round, and never end."""

GAME = """
    game "Test"
    players A, B
    {rest}
    var pot: 0..9 = 0
    start at play(A)
    phase play(p: Player):
        turn p:
            move stop:
                {end}
"""


def bounds_of(end, rest=""):
    return facts(model_of(GAME.format(end=end, rest=rest))).bounds


def test_a_win_pays_between_minus_1_and_1():
    assert bounds_of("end win p") == ((-1, 1), (-1, 1))
    assert bounds_of("end by {q: 9 * number(q) for q in Player}") == ((-1, 1), (-1, 1))


def test_amounts_are_as_large_as_their_types():
    assert bounds_of("end payoff {A: pot + 1, B: 2 * pot}") == ((1, 10), (0, 18))


def test_who_gets_an_amount_may_be_anybody():
    assert bounds_of("end payoff {p: pot, other p: 12}") == ((0, 12), (0, 12))


def test_what_bounds_one_bounds_the_other():
    assert bounds_of("end payoff {A: 3, B: -pot + pot - 3}") == ((3, 3), (-3, -3))


def test_the_discount_shrinks_payoffs():
    assert bounds_of("end payoff {A: pot + 1, B: 4}", "discount 1/2") == ((0, 10), (0, 4))


def test_what_is_earned_has_no_bounds():
    assert bounds_of("end win p", "action bonus: earn A: 1")[0] == (-1, 1)
    game = GAME.format(end="earn A: 1\n                end win p", rest="")
    assert facts(model_of(game)).bounds == (None, None)


@pytest.mark.parametrize("name", sorted(set(zermelo.games()) - {"chess", "go", "checkers", "backgammon", "pig"}))
def test_random_plays_stay_within_the_bounds(name):
    game = zermelo.load(name)
    bounds = facts(game.model).bounds
    random = Random(1)
    machine = game.machine
    for _ in range(5):
        state = machine.initial()
        for _ in range(LONGEST):
            if (actor := machine.actor(state)) == END:
                for amount, known in zip(machine.payoff(state), bounds, strict=True):
                    assert known is None or known[0] <= amount <= known[1]
                break
            moves = machine.moves(state)
            state = machine.after(state, machine.draw(state, random) if actor == CHANCE else random.choice(moves))
