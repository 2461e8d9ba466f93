"""Random rules that are nearly symmetric: what is called a symmetry is one on random plays.

The rules are assembled from guards and effects that commute with some relabellings and not with others: with which, no
list here says. Whatever relabelling is proved, plays and their images are compared on the reference machine.
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Final

from hypothesis import given, note, settings
from hypothesis import strategies as st
from random_games.writer import write_game
from relabelled_plays import fault

from zermelo.grammar.source import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.model import Model
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.symmetries.group import symmetries

LONGER: Final = int(os.environ.get("ZERMELO_TEST_LONGER", "1"))

START = """\
game "Made up"
players A, B
type Cell = {board}
type Suit = clubs | hearts | spades
var board[Cell]: Player? = none
var suit[Cell]: Suit? = none
var tally[Player]: 0..3 = 0
var heap[1..3]: 0..3 = 2
var marked: set of Cell = {{}}
var last_cell: Cell? = none
var turns: 0..12 = 0
define open = {{c in Cell if board[c] is none}}
define own(p: Player) = {{c in Cell if board[c] == p}}
define side(p: Player) = if p == A then 1 else {far}
define level(n: 1..3) = if n == 2 then 1 else 2
define towards(c: Cell, p: Player) = {towards}
define used = size(marked) + (count c in Cell: suit[c] is none) + (sum n in 1..3: heap[n] * level(n)) + size(open)
    + (sum p in Player: size(own(p)) + side(p) + tally[p]) + (if last_cell is none then 0 else 1)
start at play(A)
"""

BOARDS = {
    "grid(3, 2)": ("2", "c + (if p == A then north else south)"),
    "grid(2, 2)": ("2", "c + (if p == A then east else west)"),
    "hex(2, 2)": ("2", "c + (if p == A then north else south)"),
    "ring(4)": ("3", "c + (if p == A then 1 else -1)"),
    "graph(p1 - q1 - r1, q1 - s1)": ("2", "if p == A then c else none"),
}

GUARDS = (
    "board[c] is none", "board[c] == p", "board[c] != other p", "c in open", "c in marked", "c not in marked",
    "c.y == side(p)", "c.x == side(p)", "c.x == 1", "c == last_cell", "suit[c] is none", "suit[c] != s",
    "suit[c] == clubs", "s != clubs", "heap[n] > 0", "heap[n] > level(n)", "n != 2", "heap[1] == heap[3]",
    "heap[1] < heap[2]", "tally[p] < 3", "tally[A] <= tally[B]", "tally[A] == tally[B]", "tally[p] > tally[other p]",
    "some d in neighbours(c): board[d] == p", "no d in neighbours(c): board[d] == p", "towards(c, p) is not none",
    "(count d in Cell: board[d] == p) < 3", "size(marked) % 2 == 0", "(first d in Cell: board[d] is none) == c",
    "connected(own(p))", "connected(own(A)) and connected(own(B))", "distance(c, last_cell) == 1", "p == A",
    "(sum m in 1..3: heap[m]) > 3", "(max m in 1..3: heap[m]) == heap[n]", "(first m in 1..3: heap[m] > 0) == n",
    "c in (reach d from open: neighbours(d) * own(p))", "not (some d in own(p): d.x > c.x)",
)  # fmt: skip

EFFECTS = (
    "board[c] := p", "board[c] := other p", "board[c] := none", "board[c] := A", "suit[c] := s", "suit[c] := hearts",
    "suit := none", "heap[n] -= 1", "heap[n] := level(n)", "heap[1] := 3", "heap[4 - n] := heap[n]",
    "tally[p] := (tally[p] + 1) % 4", "tally[A] := tally[B]", "marked += {c}", "marked := {}",
    "marked -= neighbours(c)",
    "last_cell := c", "last_cell := towards(c, p)", "last_cell := first d in Cell: board[d] is none",
    "for d in neighbours(c): board[d] := p", "for d in Cell: suit[d] := suit[c]",
    "for d in Cell: last_cell := d", "for d in Cell: board[d] := if d == c then p else board[d]",
    "for d in Cell: tally[p] := if d in marked then 1 else 2", "for m in 1..3: heap[m] := max(heap[m] - 1, 0)",
    "if c.y == side(p): tally[p] := 3", "if board[c] == A: marked := open",
    "earn A: 1\n            earn B: -1", "earn p: 1\n            earn other p: -1", "earn p: heap[n]",
)  # fmt: skip

ENDS = (
    "end draw", "end win p", "end win A", "end win other p", "end payoff (tally[A] - tally[B], tally[B] - tally[A])",
    "end payoff (tally[A], tally[B])", "end payoff (heap[1], heap[3])", "end payoff {q: tally[q] for q in Player}",
    "end payoff A: tally[p], B: tally[other p]", "if p == A: end win B\n        else: end win A",
)  # fmt: skip

CHANCE = (
    "outcome x(d in Cell)", "outcome x(d in Cell) weight d.x", "outcome x(d in open)", "outcome x(d in neighbours(b))",
    "outcome x(d in Cell) weight (if d in marked then 1 else 2)",
)  # fmt: skip


def made_up(seed: int) -> str:
    random = Random(seed)
    board = random.choice(list(BOARDS))
    far, towards = BOARDS[board]
    lines = [START.format(board=board, far=far, towards=towards)]
    lines.append("phase play(p: Player):")
    if random.randrange(3) == 0:
        lines.append(f"    if some c in Cell: some s in Suit: some n in 1..3: {random.choice(GUARDS)}: {ENDS[0]}")
    lines.append("    turn p:")
    for name in ("m", "o")[: random.choice((1, 1, 2))]:
        guards = " and ".join(["turns < 12 and used >= 0", *random.sample(GUARDS, random.choice((0, 1, 1, 2)))])
        lines.append(f"        move {name}(c in Cell, s in Suit, n in 1..3) if {guards}:")
        lines.append("            turns += 1")
        lines += [f"            {effect}" for effect in random.sample(EFFECTS, random.choice((1, 2, 3)))]
        lines.append(f"            {random.choice(('go play(other p)', 'go play(other p)', 'go luck(p, c)'))}")
    lines.append(f"    otherwise:\n        {random.choice(ENDS)}")
    lines.append("phase luck(p: Player, b: Cell):\n    chance:")
    lines.append(f"        {random.choice(CHANCE)}:\n            last_cell := d\n            go play(other p)")
    return "\n".join(lines) + "\n"


def check_plays(model: Model, seed: int, plays: int = 3) -> int:
    """Check what is proved of a game on random plays; the number of symmetries."""
    machine, found = ReferenceMachine(model), symmetries(model)
    for number, relabelling in enumerate(found[1:12]):
        for play in range(plays):
            shown = fault(machine, relabelling, Random(f"{seed} {number} {play}"))
            assert not shown, (shown, relabelling.members, relabelling.matrix, relabelling.numbers)
    return len(found)


@settings(max_examples=150 * LONGER, deadline=None)
@given(st.integers(0, 1_000_000))
def test_what_is_proved_of_made_up_rules_holds_on_plays(number: int) -> None:
    text = made_up(number)
    note(text)
    model, _ = check(Source("made_up.game", text))
    if model is not None:
        check_plays(model, number)


def test_made_up_rules_are_of_all_kinds() -> None:
    """Groups of many sizes are proved, and no size is that of most games: so the test above is not idle."""
    counts: Counter[int] = Counter()
    for number in range(150):
        model, _ = check(Source("made_up.game", made_up(number)))
        counts[0 if model is None else check_plays(model, number, plays=1)] += 1
    assert counts[0] < 60
    assert len(counts) > 6
    assert max(counts.values()) < 60


@settings(max_examples=60 * LONGER, deadline=None)
@given(st.integers(0, 1_000_000))
def test_what_is_proved_of_random_games_holds_on_plays(number: int) -> None:
    text = write_game(Random(number))
    note(text)
    model, _ = check(Source("random.game", text))
    if model is not None:
        check_plays(model, number)
