"""Numbers in planes, compared all at once, against the reference machine."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from all_machines import LOWERED_AT_ONCE, compiled, compiled_machine, native_machine, needs_llvm, python_machine
from played_alike import play_alike

import zermelo
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.machine import END, Machine
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.model_lowering import lower
from zermelo.interpreter.native.running.kernels import Executor
from zermelo.interpreter.native.running.machine import machine_over
from zermelo.interpreter.native.sets import masks
from zermelo.interpreter.reference.machine import ReferenceMachine

RANGES = {"from zero": (0, 15), "from one": (1, 6), "below zero": (-5, 4)}


def game(low: int, high: int, random: Random) -> str:
    """A game that offers as moves the places whose numbers meet conditions."""
    rules = []
    for bound in (low - 1, high, high + 1, *random.sample(range(low, high), 4)):
        for operator in ("<", "<=", ">", ">=", "==", "!="):
            rules.append(f"at{len(rules)}(q in 0..25) if men[A, q] {operator} {bound}")
        rules.append(f"turned{len(rules)}(q in 0..25) if {bound} < men[B, q]")
        rules.append(f"half{len(rules)}(q in 3..9) if men[B, q] >= {bound} / 2")
    rules += [
        f"low(q in Place) if q > 3 and q < {random.randint(4, 20)} and men[A, q] >= 2",
        "called(p in Player, q in Place) if high(p, q)",
        "either(p in Player, q in Place) if q == 7 or men[p, q] == men[other p, 3]",
        "all_of(p in Player) if all q in 20..25: men[p, q] >= 1",
        "beyond(p in Player, k in Place) if no q in (k + 1)..20: men[p, q] > 2",
        "of_number(x in Small) if level[x] == 2 or x > 4",
        "summed(k in -99..99) if k == (sum q in 0..9: men[A, q])",
    ]
    values = [f"    men[{player}, {place}] := {random.randint(low, high)}" for player in "AB" for place in range(26)]
    levels = [f"    level[{x}] := {random.randint(0, 3)}" for x in range(2, 7)]
    lines = [
        'game "Numbers"',
        "players A, B",
        "type Place = 0..25",
        "type Small = 2..6",
        f"var men[Player, Place]: {low}..{high} = {low}",
        "var level[Small]: 0..3 = 0",
        f"define high(p: Player, q: Place) = q != 5 and men[p, q] >= {(low + high) // 2}",
        "setup:",
        *values,
        *levels,
        "start at choose",
        "phase choose:",
        "    turn A:",
        *(f"        move {rule}: end draw" for rule in rules),
    ]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("range", RANGES)
@pytest.mark.parametrize("make", [pytest.param(Executor, id="python"), pytest.param(compiled, marks=needs_llvm)])
def test_numbers_are_compared_as_on_the_reference_machine(make, range):
    model, findings = check(Source("numbers.game", game(*RANGES[range], Random(range))))
    assert model is not None, findings
    program = lower(model)
    assert all(place.is_planes for variable, place in program.layout.places.items() if variable.name == "men")
    machine, reference = machine_over(program, make(program)), ReferenceMachine(model)
    assert machine.moves(machine.initial()) == reference.moves(reference.initial())


# Values in planes: as few planes as tell a value from all others, on all machines.


VALUES = """
game "Values"
players A, B
type Cell = grid(3, 1)
type Kind = {members}
type Few = {{k in Kind if k != {last}}}
var kind[Cell]: Kind{optional} = {begins}
var wanted: Kind{optional} = {begins}
var owner[Cell]: Player? = none
var asked: Player = A
start at edit
phase edit:
    turn A:
        move put(c in Cell, k in Kind):
            kind[c] := k
            go edit
        move forget(c in Cell):
            kind[c] := {begins}
            owner[c] := none
            go edit
        move want(k in Kind):
            wanted := k
            go edit
        move own(c in Cell, p in Player):
            owner[c] := p
            asked := other p
            go edit
        move alike(c in Cell) if kind[c] == wanted: end draw
        move unlike(c in Cell) if kind[c] != wanted: end draw
        move is_it(c in Cell, k in Kind) if kind[c] == k: end draw
        move is_one_of_few(c in Cell, k in Few) if kind[c] == k: end draw
        move first_one(c in Cell) if kind[c] == {first}: end draw
        move last_one(c in Cell) if kind[c] == {last}: end draw
        move asked(c in Cell) if owner[c] == asked: end draw
        move others(c in Cell) if owner[c] != other asked: end draw
        move first_owner(c in Cell) if owner[c] == A: end draw
        move second_owner(c in Cell) if owner[c] == B: end draw
"""


@pytest.mark.parametrize("optional", ["", "?"])
@pytest.mark.parametrize("count", range(2, 7))
def test_values_in_planes_are_told_apart_as_on_the_reference_machine(count, optional):
    members = ["red", "green", "blue", "white", "black", "grey"][:count]
    begins = "none" if optional else members[0]
    names = {"members": " | ".join(members), "first": members[0], "last": members[-1]}
    game = zermelo.loads(VALUES.format(optional=optional, begins=begins, **names))
    reference, machine = game.reference, python_machine(game.model)
    assert sum(place.is_planes for place in machine.program.layout.places.values()) == 2
    random = Random(count)
    one, two = reference.initial(), machine.initial()
    for _ in range(60):
        moves = reference.moves(one)
        assert machine.moves(two) == moves
        move = random.choice([move for move in moves if move.name in ("put", "forget", "want", "own")])
        one, two = reference.after(one, move), machine.after(two, move)


# ``connected`` and ``next player ... in`` on all machines, on boards of all kinds.


BOARDS = {
    "grid": "grid(4, 3)",
    "hexagons": "hex(3, 4)",
    "ring": "ring(7)",
    "graph": "graph(a - c - e - b, d - f, b - d)",
}

GAME = """
game "Connections"
players A, B, C
type Cell = {board}
var taken[Cell]: Player? = none
var whole: Bool = true
var bridge: Bool = false
var following: Player? = none
define cells(p: Player) = {{c in Cell if taken[c] == p}}
define free = {{c in Cell if taken[c] is none}}
define still_in = {{p in Player if size(cells(p)) < 3}}
start at play(A)
phase play(p: Player):
    turn p:
        move take(c in Cell) if taken[c] is none:
            taken[c] := p
            whole := connected(cells(p))
            bridge := connected(cells(p) + free, cells(A), cells(B) + free)
            following := next p in still_in
            go play(next p)
        move is_whole if whole: end draw
        move has_bridge if bridge: end draw
        move is_followed_by(q in Player) if q == following: end draw
    otherwise: end draw
"""


@pytest.mark.parametrize("board", BOARDS)
def test_cells_hang_together_as_on_the_reference_machine(board):
    game = zermelo.loads(GAME.format(board=BOARDS[board]))
    reference = game.reference
    program = lower(game.model)
    for executor in (Executor(program), Executor(program, compiles_after=0)):
        machine = machine_over(program, executor)
        for seed in range(5):
            random = Random(seed)
            one, two = reference.initial(), machine.initial()
            while reference.actor(one) >= 0:
                moves = reference.moves(one)
                assert machine.moves(two) == moves
                taking = [move for move in moves if move.name == "take"]
                if not taking:
                    break
                move = random.choice(taking)
                one, two = reference.after(one, move), machine.after(two, move)


# Images and closures on whole masks, on boards of all kinds, against the reference machine.


CAPTURE = """\
game "Sets that spread"
players A, B
type Cell = {board}
var board[Cell]: Player? = none
var left: 0..12 = 12
define near(c: Cell) = {{n in {near} if n != c}}
define group(c: Cell) = reach x from {{c}}: {{n in {step} if board[n] == board[c]}}
define everything(c: Cell) = reach x from {{c}}: {step}
define liberties(c: Cell) = {{n for x in group(c) for n in {step} if board[n] is none}}
define far(p: Player) = {{n for x in {{y in Cell if board[y] == p}} for n in {step}}}
define borders(c: Cell) = {{board[n] for x in group(c) for n in {step}}}
define mine(p: Player) = count c in Cell: board[c] == p or (board[c] is none and borders(c) == {{p}})
start at play(A)
phase play(p: Player):
    turn p:
        move place(c in Cell) if board[c] is none and left > 0:
            board[c] := p
            left -= 1
            for n in near(c):
                if board[n] == other p and liberties(n) == {{}}:
                    for x in group(n): board[x] := none
            go play(other p)
        move free(c in Cell, n in liberties(c)) if board[c] is not none: end draw
        move touched(c in Cell, q in borders(c)): end draw
        move beside(q in Player, n in far(q)) if board[n] is none: end draw
        move joined(c in Cell) if size(everything(c)) > 5: end draw
        move alive(c in Cell) if liberties(c) != {{}}: end draw
        move area(q in Player, k in 0..100) if k == mine(q): end draw
"""

TWISTED = "graph(a - k - c - j - e - g - f - h - d - i - b - a, c - d - e - a, f - k - b - h, j - i)"

IMAGES_BOARDS = {
    "square": ("grid(4, 4)", "neighbours({}, orthogonal)", True),
    "rectangle": ("grid(5, 3)", "neighbours({})", True),
    "column": ("grid(1, 6)", "neighbours({})", True),
    "large": ("grid(9, 9)", "neighbours({}, diagonal)", True),
    "one way": ("grid(4, 4)", "neighbours({}, {{north, east}})", True),
    "leaps": ("grid(5, 4)", "leaps({}, 1, 2)", True),
    "hexagons": ("hex(4, 3)", "neighbours({})", True),
    "ring": ("ring(7)", "neighbours({})", True),
    "graph": (TWISTED, "neighbours({})", False),
}


@pytest.mark.parametrize("name", IMAGES_BOARDS)
@pytest.mark.parametrize("make", LOWERED_AT_ONCE)
def test_sets_spread_as_on_the_reference_machine(make, name):
    board, step, is_regular = IMAGES_BOARDS[name]
    text = CAPTURE.format(board=board, step=step.format("x"), near=step.format("c"))
    model, findings = check(Source("sets.game", text))
    assert model is not None, findings
    reference, machine = ReferenceMachine(model), make(model)
    assert ("image" in machine.program.text) == is_regular
    random = Random(name)
    for _ in range(1 if name == "large" else 2):
        one, two = reference.initial(), machine.initial()
        while reference.actor(one) != END:
            moves = reference.moves(one)
            assert machine.moves(two) == moves
            places = [move for move in moves if move.name == "place"]
            if not places:
                break
            move = random.choice(places)
            one, two = reference.after(one, move), machine.after(two, move)
            assert machine.actor(two) == reference.actor(one)


WIDE = """\
game "A set wider than all variables"
players A, B
type Cell = grid(9, 9)
var at: Cell = a1
start at begun
phase begun:
    turn A:
        move go(c in Cell) if c not in neighbours(at)
                and size(reach x from {c}: {n in neighbours(x, orthogonal) if n != at}) > 70: end draw
        move count(k in 0..200) if k * k > 300 and k not in {17, 190}
                and (some n in 0..4000: n == 20 * k): end draw
"""


@needs_llvm
def test_words_are_as_wide_as_the_widest_set():
    model, findings = check(Source("wide.game", WIDE))
    assert model is not None, findings
    reference, machine = ReferenceMachine(model), compiled_machine(model)
    assert machine.program.layout.width >= 81
    assert machine.moves(machine.initial()) == reference.moves(reference.initial())


# Sets of sets computed during play, and choices from them.


LOOPS_OVER_FAMILIES_GAME = """
game "Sets"
players A, B
type Card = J < Q < K < X
type Number = 0..9
type Cell = grid(3, 3)
type Group = set of Card
var deck: set of Card = {K, Q, X}
var kept: set of Card = {J}
var marks: set of Cell = {}
var n: Number = 0
define without(c: Card) = {deck - {d} for d in Card if d != c}
define shrunk(groups: set of Group) = {s - {J} for s in groups}
start at play(A)
phase play(p: Player):
    if n == 5: end win (if K in deck then A else B)
    turn p:
        MOVES
        move drop(c in Card, s in Cell):
            n += 1
            deck := deck + {c}
            kept := kept - {c}
            marks := marks + {s}
            go play(other p)
"""

CONDITIONS = {
    "chosen": (
        "(first s in subsets(deck, 2): c in s) is none",
        "(first s in subsets(deck, 2): c in s) == (last s in subsets(deck, 2): c in s)",
        "(first l in lines(Cell, 3): size(l * marks) == 2) != none",
        "(first s in {deck, kept, {c}}: K in s) == kept",
        "(first s in subsets(deck, 2): c in s) in subsets(deck - {J}, 2)",
        "(first s in {deck, kept} + subsets(deck, 2): size(s) > 1) == deck",
        "(last s in {deck, kept, {c}, {J, Q}} - {{J, Q}, kept}: size(s) > 0) == {c}",
        "(some x in marks: some s in {ray(x, d) for d in orthogonal}: (first y in s: y not in marks) == b2)",
        "(some x in marks: (last y in {ray(x, d) for d in orthogonal}: b2 in y) is not none)",
    ),
    "asked": (
        "((if t is none then n > 2 else size(t) > n) where t = last s in subsets(deck, 2): c in s)",
        "(s is not none and (some d in s: d > K) where s = first s in subsets(deck, 2): c in s)",
        "not any({s * deck for s in subsets(kept, 1) if c in s})",
        "({J} in {deck - {d} for d in deck})",
        "none not in {deck, {c}}",
        "(deck in {kept, {c}, {K, X}} or deck in {{K, X}, {Q}})",
        "({deck - {d} for d in deck} == {{K, Q}, {K, X}, {Q, X}} or {deck} != {kept + {c}})",
        "subsets(deck, 1) == subsets(kept, 1)",
        "{deck, kept} == {kept, deck, deck + kept}",
        "(some s in subsets(deck, 2) + subsets(kept, 1): c in s)",
        "(some s in (reach s from {deck}: {s - {d} for d in s}): s == {c, K})",
        "(sum s in {l * marks for l in lines(Cell, 3)}: size(s)) > 2",
        "(max s in {r * marks for r in rows(Cell)}: size(s)) == 1",
        "(some s in {ray(x, south) for x in marks}: size(s) == 1)",
        "(some s in {a..b for a in 0..3 for b in 2..4}: n in s and size(s) == 3)",
        "({0..n, {1, 2}} - {0..3} == {{1, 2}})",
        "(0..n in {{0, 1, 2}, 0..5})",
    ),
    "counted": (
        "(l is not none and a1 in l where l = first l in lines(Cell, 3): size(l * marks) == 1)",
        "(s is none or c in s where s = last s in without(c): size(s) == 2)",
        "size(without(c)) == 3",
        "(some s in without(c): c in s and size(s) == 2)",
        "size(subsets(deck, 2) * subsets(kept + {c}, 2)) < 2",
        "(count s in (if n % 2 == 0 then subsets(deck, 2) else without(c)): c in s) > 1",
        "size(reach s from {kept}: {s - {d} for d in s} + {s + {c}}) > 4",
        "size({s in without(c) until K in s}) > 1",
        "size({s in {deck, kept} + without(c) while size(s) > 1}) > 1",
        "size({s for t in without(c) for s in subsets(t, 1)}) > 2",
    ),
    "walked": ("(all s in shrunk({deck, kept}): c not in s)",),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions(plays_alike: Callable[[str], None], name: str) -> None:
    moves = [
        f"""move take_{k}(c in Card) if {condition}:
            n += 1
            deck := deck - {{c}}
            kept := kept + {{c}}
            go play(other p)
        """
        for k, condition in enumerate(CONDITIONS[name])
    ]
    plays_alike(LOOPS_OVER_FAMILIES_GAME.replace("MOVES", "".join(moves)))


RARE_GAME = """
game "Rare"
players A, B
type Card = J < Q < K < X
type Hand = set of Card
var deck: set of Card = {K, Q, X}
var n: 0..9 = 0
var big: 0..4000000000000000 = 7
var group: Hand? = none
var groups[Player]: Hand? = none
var held[Card]: Hand? = none
setup:
    groups[B] := {K, J}
    held[K] := {K}
    held[Q] := {}
start at play(A)
phase play(p: Player):
    turn p:
        MOVES
"""
CASES = "".join(f"if c == {card} and n == {k} then {4 * k + len(card)} else " for k in range(7) for card in "JQKX")
RARE = (
    "(big, size(deck), big) < (big, 3, 0)",
    "(big, big, c) < (big, 7, K)",
    "(big, big, c) <= (big, 7, K)",
    "(big, 3, big) >= (big, 2, 9)",
    "(big, c, big) == (big, K, 7)",
    "(big, c, big) != (7, K, big)",
    "({deck} != {{c, Q, X}})",
    "group is none and c == K",
    "group is not none or c in deck",
    "groups[p] is none",
    "groups[other p] is none or c == J",
    "groups[other p] is not none and c in groups[other p]",
    "held[c] is none",
    "held[c] is not none and c in held[c]",
    f"({CASES} 99) == (if c == K then 1 else 2)",
)
"""Tuples that are too long for codes, sets that may be none, a choice of more cases than are nested."""


def test_rare_conditions_hold_as_on_the_reference_machine() -> None:
    moves = "".join(f"move m{k}(c in Card) if {said}: end draw\n        " for k, said in enumerate(RARE))
    model, findings = check(Source("rare.game", RARE_GAME.replace("MOVES", moves)))
    assert model is not None, findings
    machine, reference = python_machine(model), ReferenceMachine(model)
    assert machine.moves(machine.initial()) == reference.moves(reference.initial())


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_hold_at_the_beginning_as_on_the_reference_machine(name: str) -> None:
    moves = "".join(f"move m{k}(c in Card) if {said}: end draw\n        " for k, said in enumerate(CONDITIONS[name]))
    model, findings = check(Source("sets.game", LOOPS_OVER_FAMILIES_GAME.replace("MOVES", moves)))
    assert model is not None, findings
    machine, reference = python_machine(model), ReferenceMachine(model)
    assert machine.moves(machine.initial()) == reference.moves(reference.initial())


EFFECTS = [
    "for s in subsets(deck, 2): deck := deck - s",
    "for s in {deck - {d} for d in deck}: kept := kept * s",
    "for s in subsets(deck, 2), d in s if d not in kept: kept := kept + s - {d}",
    "for l in lines(Cell, 3) if size(l * marks) == 1: marks := marks + l",
    """let groups = {deck, kept, {c}}
            deck := {}
            for s in groups if c in s: deck := deck + s
            n := n * size(groups) % 10""",
    """let s = first s in subsets(deck, 2): c in s
            if s is not none: kept := s""",
    """let s = last s in {deck, kept}: c in s
            for d in deck if s is none or d in s: deck := deck - {d}""",
    "kept := if n > 5 then {} else s where s = {c, K}",
]


def test_effects(plays_alike: Callable[[str], None]) -> None:
    moves = [
        f"""move do_{k}(c in deck):
            n += 1
            {effect}
            go play(other p)
        """
        for k, effect in enumerate(EFFECTS)
    ]
    plays_alike(LOOPS_OVER_FAMILIES_GAME.replace("MOVES", "".join(moves)))


@pytest.mark.parametrize("make", [python_machine, native_machine])
def test_more_sets_than_an_array_holds(
    make: Callable[..., Machine[Any]], monkeypatch: pytest.MonkeyPatch, construct: Callable[[str], str]
) -> None:
    """The play falls back to the reference machine."""
    monkeypatch.setattr(masks, "ROOM", 16)
    game = zermelo.loads(construct("sets/sets_as_choices"))
    reference, machine = game.machine, make(game.model)
    one, two = reference.initial(), machine.initial()
    assert len(machine.outcomes(two)) == 6
    assert machine.outcomes(two) == reference.outcomes(one)
    move = reference.outcomes(one)[0][0]
    one, two = reference.after(one, move), machine.after(two, move)
    assert machine.moves(two) == reference.moves(one)


ENDS = """
game "Ends of a set"
players A
var held: set of 0..9 = {2, 5}
start at more
phase more:
    turn A:
        move add(k in {7}):
            held := held + {k}
            go told
phase told:
    end payoff {A: if (first n in held: n > 2) == 5 and (last n in held: n < 7) == 5 then 1 else 0}
"""


@pytest.mark.parametrize("on", [python_machine, native_machine])
def test_the_first_and_the_last_member_with_a_property(on):
    """Of 2, 5 and 7."""
    machine = on(zermelo.loads(ENDS).model)
    (add,) = machine.moves(machine.initial())
    assert machine.payoff(machine.after(machine.initial(), add)) == (1,)


# Moves and outcomes whose argument is a set: their numbers hold its mask.


DEAL = """
game "Deal"
players A, B
type Card = J < Q < K < X
var deck: set of Card = {K, Q, X}
var hand[Player]: set of Card = {}
var kept: set of Card = {}
start at deal
phase deal:
    chance:
        outcome cards(mine in subsets(Card, 2), theirs in subsets(deck, 2)) if no c in mine: c in theirs:
            hand[A] := mine
            hand[B] := theirs
            go play
phase play:
    turn A:
        move keep(cards in subsets(Card, 3)) if not any(hand[A] - cards) ensuring K in kept:
            kept := cards
            go show(B)
        move fold:
            go show(B)
phase show(p: Player):
    turn p:
        move show(card in hand[p]):
            end win (if card in kept then A else p)
"""


@pytest.mark.parametrize("make", [python_machine, native_machine])
def test_deals_and_choices_of_sets(make):
    game = zermelo.loads(DEAL)
    reference, machine = game.machine, make(game.model)
    assert machine.outcomes(machine.initial()) == reference.outcomes(reference.initial())
    random = Random(1)
    for _ in range(30):
        one, two = reference.initial(), machine.initial()
        move = random.choice(reference.outcomes(one))[0]
        one, two = reference.after(one, move), machine.after(two, move)
        play_alike(reference, machine, one, two, random)


# The cost and limits of sets wider than a word; ``alike/`` has games with them.


def test_large_types_do_not_make_words_wide(construct: Callable[[str], str]) -> None:
    """As long as none of their sets is needed as a mask."""
    assert lower(zermelo.loads(construct("records/large_type")).model).layout.width == 64


def test_sets_that_are_too_large_are_refused(construct: Callable[[str], str]) -> None:
    board = construct("sets/large_board")
    assert "grid(40, 40)" in board
    with pytest.raises(Unsupported, match="a set whose type has 4900 members"):
        lower(zermelo.loads(board.replace("grid(40, 40)", "grid(70, 70)")).model)
