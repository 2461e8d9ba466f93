"""Games beyond the limits of machine code fall back to the reference machine invisibly."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from all_machines import MACHINE_NAMES, MACHINES, native_machine, needs_llvm, python_machine
from ends_of_ranges import ENTRIES, reckoning
from hypothesis import given
from hypothesis import strategies as st
from played_alike import play_alike
from random_cases import seeds
from solving import solve

import zermelo
from zermelo.grammar.diagnostics import InvalidGame
from zermelo.interpreter.check import check
from zermelo.interpreter.checks.proving import facts
from zermelo.interpreter.machine import MOST_PHASES, Machine, PlayError
from zermelo.interpreter.native.algorithms import checks
from zermelo.interpreter.native.dialect.lowered_text import Beyond, Unsupported
from zermelo.interpreter.native.rules.perception import MOST_TOLD
from zermelo.interpreter.native.state_encoding import state_layout
from zermelo.interpreter.native.state_encoding.encoding import LIMIT, stand_in
from zermelo.interpreter.native.state_encoding.move_codes import MORE_ROOM
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.types import INTEGER, NUMBER, NumberType, OptionalType
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.search import counting
from zermelo.solvers.search.counting import count_plays
from zermelo.solvers.search.random_plays import play_at_random, random_plays

WIDE = """
game "Wide"
players A, B
claim zero_sum, perfect_information, terminates
var left: 0..2 = 2
var recent: 0..6 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move pick(a in 1..33, b in 1..33) if left > 1 or a + b > 64:
            recent := (a * b) % 7
            left -= 1
            if left == 0: end win (if recent == 3 then p else other p)
            go play(other p)
"""

AMAZONS = """
game "Amazons"
players White, Black
type Square = grid(10, 10)
type Thing = white | black | arrow
var board[Square]: Thing? = none
define colour(p: Player) = if p == White then white else black
define open(c: Square, left: Square) =
    {t for d in directions(Square) for t in ray(c, d) while board[t] is none or t == left}
setup:
    for s in {a4, d1, g1, j4}: board[s] := white
    for s in {a7, d10, g10, j7}: board[s] := black
start at play(White)
phase play(p: Player):
    turn p:
        move go(from in Square, to in open(from, from), shot in open(to, from)) if board[from] == colour(p):
            board[from] := none
            board[to] := colour(p)
            board[shot] := arrow
            go play(other p)
    otherwise: end win other p
"""

LOTTERY = """
game "Lottery"
players A, B
var drawn: 0..40 = 0
start at lottery
phase lottery:
    chance:
        outcome ball(a in 1..40, b in 1..40) weight a:
            drawn := b
            go play
phase play:
    turn A:
        move stop: end payoff {A: drawn, B: -drawn}
"""

LONG = """
game "Long"
players A, B
var place: 0..9 = 0
var steps: 0..40 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move on(k in 1..2) if not repeated(steps):
            place := (place + k) % 10
            steps += 1
            if steps == 30: end win (if place > 4 then A else B)
            go play(other p)
"""

RICH = """
game "Rich"
players A, B
var rounds: 0..70 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move earn_it:
            rounds += 1
            earn A: 1000000
            earn B: -1000000
            for k in 1..60:
                earn A: 500000000
                earn B: -500000000
            if rounds == 3: end draw
            go play(other p)
"""

MAKERS = [pytest.param(python_machine, id="python"), pytest.param(native_machine, id="native")]


def both(text, make):
    game = zermelo.loads(text)
    return game.machine, make(game.model), facts(game.model)


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("most", [33, 130], ids=["crowded", "too many"])
def test_decisions_with_many_moves(make, most):
    """The rules are lowered again with longer lists; beyond these, the reference machine lists the moves."""
    reference, machine, _ = both(WIDE.replace("33", str(most)).replace("64", str(2 * most - 2)), make)
    one, two = play_alike(reference, machine, reference.initial(), machine.initial(), Random(3))
    assert machine.play(two) == reference.play(one)
    assert machine.program.constants["MOVES"] == min(most * most, MORE_ROOM)


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_position_is_the_same_by_any_way(make):
    _, machine, _ = both(WIDE, make)
    start = machine.initial()
    moves = {str(move): move for move in machine.moves(start)}
    there, here = (machine.after(start, moves[name]) for name in ("pick(1, 2)", "pick(2, 1)"))
    assert machine.position(there) == machine.position(here)
    assert machine.position(there) != machine.position(machine.after(start, moves["pick(1, 1)"]))


@pytest.mark.parametrize("make", MAKERS)
def test_kernels_begin_anew_with_more_room(make, monkeypatch):
    monkeypatch.setattr(counting, "count_plays", None)
    reference, machine, known = both(WIDE, make)
    found = solve(machine, known, "alphabeta_table")
    assert machine.program.constants["MOVES"] == 1089
    assert found.value == solve(reference, known, "alphabeta_table").value
    for threads in (1, 2):
        _, machine, known = both(WIDE, make)
        assert count_plays(machine, machine.initial(), 2, lambda _: None, Limits(), threads).plays == 1089 * 3
        assert random_plays(machine, machine.initial(), 10, 1).plays == 10


@needs_llvm
def test_amazons():
    """The numbers are those on which other programs agree."""
    machine = both(AMAZONS, native_machine)[1]
    counts = [count_plays(machine, machine.initial(), length, lambda _: None, Limits(), 1).plays for length in (1, 2)]
    assert counts == [2176, 4307152]


@pytest.mark.parametrize("make", MAKERS)
def test_kernels_leave_decisions_of_too_many_moves_to_python(make):
    _, machine, _ = both(WIDE.replace("33", "130"), make)
    assert count_plays(machine, machine.initial(), 1, lambda _: None, Limits(), 1).plays == 130 * 130


@pytest.mark.parametrize("make", MAKERS)
def test_chance_with_too_many_outcomes(make):
    reference, machine, _ = both(LOTTERY, make)
    assert machine.outcomes(machine.initial()) == reference.outcomes(reference.initial())
    random = Random(5)
    for _ in range(20):
        state = machine.initial()
        drawn = machine.draw(state, random)
        state = machine.after(state, drawn)
        assert machine.moves(state)
    assert random_plays(machine, machine.initial(), 10, 1).plays == 10


@pytest.mark.parametrize("make", MAKERS)
def test_plays_that_are_too_long(make, monkeypatch):
    monkeypatch.setattr(state_layout, "MOST_ENTRIES", 16)
    reference, machine, _ = both(LONG, make)
    one, two = reference.initial(), machine.initial()
    for _ in range(30):
        move = reference.moves(one)[-1]
        assert machine.moves(two)[-1] == move
        one, two = reference.after(one, move), machine.after(two, move)
    assert machine.payoff(two) == reference.payoff(one)


@pytest.mark.parametrize("make", MAKERS)
def test_no_limit_is_an_error(make):
    reference, machine, known = both(RICH, make)
    state = machine.initial()
    there = reference.initial()
    while machine.actor(state) >= 0:
        state = machine.after(state, machine.moves(state)[0])
        there = reference.after(there, reference.moves(there)[0])
    assert machine.payoff(state) == reference.payoff(there)
    assert solve(machine, known, "minimax").value == solve(reference, known, "minimax").value


@pytest.mark.parametrize("make", MAKERS)
def test_moves_that_nobody_can_list_are_an_error_of_the_rules(make):
    crowded = WIDE.replace("a in 1..33, b in 1..33", "a in 1..99, b in 1..99, c in 1..99")
    reference, machine, _ = both(crowded, make)
    with pytest.raises(PlayError) as expected:
        reference.moves(reference.initial())
    with pytest.raises(PlayError) as found:
        machine.moves(machine.initial())
    assert found.value.code == expected.value.code == "too-many-moves"
    assert str(found.value) == str(expected.value)


# Limits of the language are the same on every machine, and limits of a machine are invisible: at each, just below and
# just above, all machines agree.


TRIALS = Path(__file__).parents[2] / "trial"

SPIN = """
game "Spin"
players A, B
var n: 0..20000 = 0
start at play
phase play:
    turn A:
        move go_round(k in 1..2): go spin(k)
phase spin(k: 1..2):
    n += 1
    if n < {phases}: go spin(k)
    end payoff {{A: k, B: -k}}
"""

THROUGH_DECISIONS = """
game "Nothing offered"
players A, B
var n: 0..20000 = 0
start at play
phase play:
    turn A:
        move go_round(k in 1..2): go left(k)
phase left(k: 1..2):
    n += 1
    turn A:
        move never if n > {phases}: end win A
    otherwise:
        if n == {phases}: end payoff {{A: k, B: -k}}
        go right(k)
phase right(k: 1..2):
    n += 1
    chance:
        outcome never if n > {phases}: end win A
    otherwise:
        if n == {phases}: end payoff {{A: k, B: -k}}
        go left(k)
"""

AT_LAST_A_DECISION = """
game "A decision behind many phases"
players A, B
var n: 0..20000 = 0
start at spin
phase spin:
    n += 1
    if n < {phases} - 1: go spin
    go play
phase play:
    turn B:
        move stop: end win B
"""

TELLING = """
game "Gossip"
players A, B
var heard: 0..99 = 0   hidden
start at play(A)
phase play(p: Player):
    turn p:
        move talk(k in 1..2):
            for i in 1..{count}: tell {{A, B}} that heard_of(i * k)
            heard += k
            if heard > 2: end win p
            go play(other p)
"""

REMEMBERING = """
game "A long memory"
players A, B
var steps: 0..99 = 0
var place: 0..2 = 0
start at play(A)
phase play(p: Player):
    turn p:
        move on(k in 1..2) if repetitions(place) < 90:
            place := (place + k) % 3
            steps += 1
            if steps == {count}: end payoff {{A: repetitions(place), B: -repetitions(place)}}
            go play(other p)
"""

LARGE = """
game "Large"
players A, B
var n: 0..{most} = {most} - 3
start at play(A)
phase play(p: Player):
    turn p:
        move grow(k in 1..4):
            if n + k > {most} - 1: end payoff {{A: 3 * (n + k), B: -3 * (n + k)}}
            n += k
            go play(other p)
"""


WAITING = """
game "Waiting"
players A, B
var x: 0..1 = 0
start at wait
phase wait:
    turn A:
        move go_on if repetitions(x) > {count}: end win A
        move never if x == 1:
            x := 0
            end win B
    otherwise: go wait
"""


def on(machine: str, text: str) -> Machine[Any]:
    model, findings = check(zermelo.Source("limit.game", text))
    assert model is not None, zermelo.render(findings)
    makers: dict[str, Any] = {"reference": ReferenceMachine, "python": python_machine, "native": native_machine}
    try:
        made: Machine[Any] = makers[machine](model)
    except Unsupported:  # ``auto`` then takes the reference machine
        made = ReferenceMachine(model)
    return made


def told(machine: Machine[Any], seed: int) -> list[Any]:
    """The transcript of a random play, with its payoff, or its error with message, line and play."""
    random, seen = Random(seed), []
    try:
        state = machine.initial()
        while machine.moves(state):
            seen.append([tuple(map(str, machine.information_state(state, p))) for p in range(2)])
            state = machine.after(state, random.choice(machine.moves(state)))
        seen.append([tuple(map(str, machine.information_state(state, p))) for p in range(2)])
        seen.append(machine.payoff(state))
    except PlayError as error:
        seen.append((error.code, error.message, error.finding.span, [str(move) for move in error.play]))
    return seen


def agreed(text: str, seed: int = 1) -> list[Any]:
    """The transcript on which all machines agree."""
    shown = [told(on(machine, text), seed) for machine in MACHINE_NAMES]
    assert all(one == shown[0] for one in shown)
    return shown[0]


@pytest.mark.parametrize("text", [SPIN, THROUGH_DECISIONS])
@pytest.mark.parametrize("phases", [MOST_PHASES - 1, MOST_PHASES, MOST_PHASES + 1])
def test_phases_without_a_decision(text, phases):
    *_, last = agreed(text.format(phases=phases))
    if phases <= MOST_PHASES:
        assert sum(last) == 0
    else:
        code, message, _, play = last
        assert (code, play) == ("endless-go", ["go_round(1)"])
        assert "10,000" in message


@pytest.mark.parametrize("phases", [MOST_PHASES - 1, MOST_PHASES, MOST_PHASES + 1])
def test_phases_before_the_first_decision(phases):
    *_, last = agreed(AT_LAST_A_DECISION.format(phases=phases))
    assert last == (-1, 1) if phases <= MOST_PHASES else last[0] == "endless-go"


@pytest.mark.parametrize("machine", MACHINE_NAMES)
@pytest.mark.parametrize("text", [SPIN, THROUGH_DECISIONS])
@pytest.mark.parametrize("phases", [MOST_PHASES, MOST_PHASES + 1])
def test_random_plays_stop_at_the_same_phase(text, phases, machine):
    """Kernels that draw come to rest at a decision before they know whether it offers anything."""

    def played() -> int:
        there = on(machine, text.format(phases=phases))
        return play_at_random(there, there.initial(), 3, 1, lambda _: None, Limits(), 1).plays

    if phases <= MOST_PHASES:
        assert played() == 3
        return
    with pytest.raises(PlayError) as raised:
        played()
    assert raised.value.code == "endless-go"


def test_a_circle_that_the_history_leaves_is_none():
    """The variables recur, and the number of repetitions does not."""
    assert agreed(WAITING.format(count=300))[-1] == (1, -1)


def test_the_manual_says_how_many():
    manual = (Path(__file__).parents[3] / "docs" / "language.md").read_text(encoding="utf-8")
    assert f"more than {MOST_PHASES:,} phases" in " ".join(manual.split())


@pytest.mark.parametrize("machine", ["auto", *MACHINE_NAMES])
def test_fifteen_thousand_phases_are_an_error_in_words(machine):
    game = zermelo.load(str(TRIALS / "values" / "h_goloop15k.game")).on(machine)
    with pytest.raises(PlayError) as raised:
        zermelo.solve(game)
    assert raised.value.code == "endless-go"
    assert raised.value.finding.span.line == 6
    assert [str(move) for move in raised.value.play] == ["take(1)"]


@pytest.mark.parametrize("count", [MOST_TOLD - 1, MOST_TOLD, MOST_TOLD + 1])
def test_tellings_of_one_run(count):
    for seed in range(3):
        assert len(agreed(TELLING.format(count=count), seed)[-1]) == 2


@pytest.mark.parametrize("count", [19, 20, 21, 22])
def test_decisions_that_a_history_holds(count, monkeypatch):
    monkeypatch.setattr(state_layout, "MOST_ENTRIES", 20)
    for seed in range(3):
        assert sum(agreed(REMEMBERING.format(count=count), seed)[-1]) == 0


@pytest.mark.parametrize("most", [2**k + d for k in (31, 60, 61, 62, 63, 64, 200) for d in (-1, 0, 1)])
def test_large_numbers(most):
    for seed in range(2):
        *_, (a, b) = agreed(LARGE.format(most=most), seed)
        assert a == -b >= 3 * (most - 1)


DEBT = """
game "A debt"
players A, B
var debt: -{most}..0 = -1
start at play(A)
phase play(p: Player):
    turn p:
        move repay: end payoff {{A: debt, B: debt}}
        move wait if debt + debt - 1 >= -{most}:
            debt := debt + debt - 1
            go play(other p)
"""


@pytest.mark.parametrize("machine", ["python", pytest.param("native", marks=needs_llvm)])
def test_numbers_far_below_zero(machine):
    """Up to the ends of what machine code holds, and beyond."""
    there = on(machine, DEBT.format(most=2**70))
    state, debt = there.initial(), -1
    while len(moves := there.moves(state)) == 2:
        assert there.payoff(there.after(state, moves[0])) == (debt, debt)
        state, debt = there.after(state, moves[1]), 2 * debt - 1
    assert debt == 1 - 2**70


@pytest.mark.parametrize("machine", MACHINE_NAMES)
def test_a_play_may_have_any_length(machine):
    text = SPIN.format(phases=3_000).replace("if n < 3000: go spin(k)", "if n < 3000: go play")
    there = on(machine, text)
    state = there.initial()
    while there.moves(state):
        state = there.after(state, there.moves(state)[0])
    assert there.payoff(state) == (1, -1)
    assert len(there.play(state)) == 3_000
    assert len(there.information_state(state, 1)) > 0
    there.position(state)


# Numbers at the ends of their ranges: overflows fall back to the reference machine, and errors of the rules are the
# same on all machines.


VALUES = Path(__file__).parents[2] / "trial" / "values"


def trial(name: str) -> zermelo.Game:
    return zermelo.load(VALUES / name)


# ------------------------------------------------------------- checks, and code after a fault


def checked(check, *arguments):
    """The result of a check at place 5 of the rules, where 99 is none or stands in for what fails, and the place of the
    fault."""
    context = [0]
    return check(context, *arguments, 99, 5), context[0]


@pytest.mark.parametrize("limit", [1, 6, 7])
def test_what_goes_beyond_a_limit_is_a_fault(limit, monkeypatch):
    monkeypatch.setattr(checks, "LIMIT", limit, raising=False)
    for x in range(-9, 10):
        assert checked(checks.held, x, limit) == ((x, 0) if abs(x) <= limit else (99, 5))
        for y in range(-9, 10):
            assert checked(checks.product, x, y) == ((x * y, 0) if abs(x * y) <= limit else (99, 5))


@pytest.mark.parametrize("low", [-4, 0, 3])
def test_a_code_that_is_not_allowed_is_a_fault(low, monkeypatch):
    """In a range, on steps of 3, and of a mask; none is allowed in all of them."""
    monkeypatch.setattr(checks, "WIDTH", 5, raising=False)
    for x in (*range(-9, 10), 99):
        assert checked(checks.within, x, low, 4) == ((x, 0) if x in (99, *range(low, 5)) else (low, 5))
        assert checked(checks.stepped, x, low, 3) == ((x, 0) if (x - low) % 3 == 0 or x == 99 else (low, 5))
        for allowed in (set(), {0, 3}, {1, 4}):
            mask = sum(1 << place for place in allowed)
            first = low + min(allowed, default=0)
            assert checked(checks.in_part, x, mask, low) == ((x, 0) if x - low in allowed or x == 99 else (first, 5))


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
    assert ran > 5


@needs_llvm
@pytest.mark.parametrize("block", seeds(2))
def test_compiled_operators_at_the_ends_of_ranges(block):
    """Three games: not all that are drawn can be compiled."""
    reckoned = (assert_reckoned(seed, native_machine) for seed in range(100 * block, 100 * block + 100))
    assert sum(1 for _ in zip(range(3), filter(None, reckoned), strict=False)) == 3
