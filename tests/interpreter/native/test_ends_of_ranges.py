"""Numbers at the ends of their ranges: overflows fall back to the reference machine, and errors of the rules are the
same on all machines."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from all_machines import MACHINES, native_machine, needs_llvm, python_machine
from ends_of_ranges import ENTRIES, reckoning
from hypothesis import given
from hypothesis import strategies as st
from random_cases import seeds

import zermelo
from zermelo.grammar.diagnostics import InvalidGame
from zermelo.interpreter.machine import Machine, PlayError
from zermelo.interpreter.native.dialect.lowered_text import Beyond, Unsupported
from zermelo.interpreter.native.state_encoding.encoding import LIMIT, stand_in
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.types import INTEGER, NUMBER, NumberType, OptionalType
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.search.counting import count_plays
from zermelo.solvers.search.random_plays import play_at_random

VALUES = Path(__file__).parents[2] / "trial" / "values"


def trial(name: str) -> zermelo.Game:
    return zermelo.load(VALUES / name)


# ------------------------------------------------------------- code after a fault


bounds = st.integers(-(1 << 62), 1 << 62) | st.integers(-5, 5)
steps = st.sampled_from([1, 2, 10, Fraction(1, 2), Fraction(1, 6), None])


@given(bounds, bounds, steps, st.sampled_from([1, 2, 6, 12]), st.booleans())
def test_what_stands_in_for_a_number_is_one_of_its_type(one, two, step, scale, is_divisor):
    type = NumberType(min(one, two), max(one, two), step)
    scale *= Fraction(step or 1).denominator
    try:
        code = stand_in(OptionalType(type), scale, is_divisor)
    except Beyond:
        assert min(abs(one), abs(two)) * scale > LIMIT
        assert one * two > 0
        return
    is_zero_alone = type.contains(0) and (one == two if step is None else type.size == 1)
    assert abs(code) <= LIMIT
    assert not (is_divisor and code == 0)
    if abs(code) < LIMIT and not (is_divisor and is_zero_alone):
        assert type.contains(Fraction(code, scale))


@pytest.mark.parametrize("type", [NUMBER, INTEGER])
def test_what_stands_in_for_a_divisor_of_any_size_is_not_0(type):
    assert stand_in(type) == 0
    assert stand_in(type, 6, is_divisor=True) != 0


# ------------------------------------------------------------- games that broke something


@pytest.mark.parametrize("machine", MACHINES)
def test_a_quotient_by_an_overflowed_product(machine):
    """274177 * 67280421310721 is 2 ** 64 + 1, so the quotient is 0 and x never matters. Ann, who moves first, can
    prolong the play and control h modulo 3, as computed here."""
    assert 274177 * 67280421310721 == 2**64 + 1

    def gets_all(n: int, h: int) -> bool:
        """Whether Ann gets 5 and 2 from there on, the maximum."""
        if n == 13:
            return h % 3 == 2
        some = any if n % 2 == 0 else all
        return some(gets_all(n + 1, (h * 7 + k * 31) % 100000) for k in (1, 2, 3))

    assert gets_all(1, 3 * 31)
    game = trial("ub_solve2.game")
    assert zermelo.solve(game.on(machine_name(machine))).value == (7, -7)


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", ["ub_fpe.game", "ub_wrong.game"])
def test_means_of_plays_with_an_overflowed_product(name, machine):
    """7 // 2 ** 64 and 7 // (2 ** 64 + 1) are 0, as x is everywhere else: nobody ever gets anything."""
    made = machine(trial(name).model)
    plays = play_at_random(made, made.initial(), 60, 1, ignore_progress, Limits(), threads=2)
    assert plays.plays == 60
    assert plays.mean_payoffs == (0, 0)


@pytest.mark.parametrize("machine", MACHINES)
def test_plays_with_constants_of_more_than_64_bits(machine):
    """The guard of m0 compares 9223372036854775807, or 128, with a small number: it never holds. So each of the first
    two decisions has the 3 moves of m1 and the 128 of m2."""
    made = machine(trial("edge_52.game").model)
    assert count_plays(made, made.initial(), 2, ignore_progress, Limits(), 1).plays == 131**2


@pytest.mark.parametrize("machine", MACHINES)
def test_an_error_of_the_rules_between_large_numbers(machine):
    """x0 // (63 * -2 ** 40 * 349525) is -1, which is outside 65535..65541."""
    rules = machine(trial("edge_89.game").model)
    start = rules.initial()
    move = next(move for move in rules.moves(start) if str(move) == "m1(-2)")
    with pytest.raises(PlayError) as caught:
        rules.after(start, move)
    assert caught.value.code == "assigned-out-of-range"


@pytest.mark.parametrize("name", sorted(path.name for path in VALUES.glob("[eu]*.game")))
def test_the_machines_agree_on_them(name: str, plays_alike: Callable[[str], None]):
    plays_alike((VALUES / name).read_text(encoding="utf-8"))


def machine_name(machine: object) -> str:
    return {ReferenceMachine: "reference", python_machine: "python", native_machine: "native"}[machine]


# ------------------------------------------------------------- the family


def outcome(machine: Machine, i: int, j: int) -> tuple[Fraction, ...] | str:
    try:
        state = machine.initial()
        for number in (i, j):
            state = machine.after(state, machine.moves(state)[number])
        return machine.payoff(state)
    except PlayError as error:
        return error.code


def assert_reckoned(seed: int, *makers: Callable) -> int:
    """Check a random game on machines; the number of those that could run it."""
    game = reckoning(Random(seed))
    try:
        model = zermelo.loads(game.text).model
    except InvalidGame:  # the checker proves that something in it is impossible
        return 0
    count = 0
    for maker in makers:
        try:
            machine = maker(model)
        except Unsupported:
            continue
        count += 1
        for i in range(ENTRIES):
            for j in range(ENTRIES):
                assert outcome(machine, i, j) == game.outcome(i, j), (seed, maker, game.xs[i], game.ys[j])
    return count


@pytest.mark.parametrize("block", seeds(6))
def test_operators_at_the_ends_of_ranges(block):
    ran = sum(assert_reckoned(seed, ReferenceMachine, python_machine) for seed in range(10 * block, 10 * block + 10))
    assert ran > 10


@needs_llvm
@pytest.mark.parametrize("block", seeds(2))
def test_compiled_operators_at_the_ends_of_ranges(block):
    assert sum(assert_reckoned(seed, native_machine) for seed in range(5 * block, 5 * block + 5)) > 2
