"""Random rules that are nearly symmetric: assembled from guards and effects that commute with some relabellings and not
with others; with which, no list here says."""

from __future__ import annotations

from random import Random

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
