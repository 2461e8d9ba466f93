"""The p-adic digits of what the positions of a Markov chain are worth: Dixon's lifting (Dixon, "Exact solution of
linear equations using p-adic expansions", 1982) over a sparse elimination modulo the prime p.

The equations, in whole numbers: position i leads to position j with the weight ``w(i, j)``, and away with what is
missing to the sum of its weights; its diagonal ``d(i)`` is this sum less what leads back to itself. With what it
brings, ``b(i)``, the worths x are the solution of

    d(i) x(i) = b(i) + sum of w(i, j) x(j)

**Elimination**, once, modulo p: the equation of a position is put in wherever another one leads to it. The next one is
one that takes few products, the number of rows that lead to it times the length of its own (Markowitz, "The elimination
form of the inverse and its application to linear programming", 1957): passes over all that are left take those that
cost no more than the cheapest one that the pass before has left. What is kept are the factors by which rows were added
to others (``lower``) and the rows (``upper``), so that other right sides cost only as many products as there are of
both.

**Lifting.** Let r be the right side. Solved modulo p it gives the first digits of all worths, x0; what these leave of
the equations, ``(r - A x0) / p``, is whole, and the right side of the next digits. It is no larger than the sums of
weights, about, whatever r was; so that r may be given by its own digits, one after the other: the host has the numbers
of many digits, and here there are none.

The prime is constant, 2^31 - 1, since remainders are then shifts and sums: ``p + 1`` is a power of two. If a pivot
vanishes modulo p there is no answer (``SINGULAR``), also where the equations have a solution. Nothing else depends on
p, and that k digits are right is true by their making: A x = b modulo p^k. How many are needed is the host's matter.

Cost: the products, once, and for each digit those of both factors and of the equations. 40 bytes for each entry while
positions are eliminated, and 8 for each of the factors and of the equations.
"""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import half
from zermelo.solvers.kernels.answers import DONE

P = 2147483647
BITS = 31
"""The prime, and its bits."""

LACKS_ROOM = -4
SINGULAR = -5
DENSE = -6
"""Other answers: there may be no room for what the next elimination adds; a pivot vanishes modulo p; or what is left is
to be eliminated as a square of numbers."""

NARROWEST = 64
WIDEST = 2048
"""The fewest and the most positions that are eliminated as a square."""

FULL = 4
"""What is left becomes a square where the cheapest elimination takes more products than the square has numbers, divided
by this: when each row leads to about half of the positions."""

NEVER = 1 << 62
"""More than any elimination costs."""


class Entry:
    """A number of the equations while positions are eliminated, and the next ones of its row and of its column, -1 at
    the end."""

    row: int
    column: int
    value: int
    right: int
    down: int


class Node:
    """A position: the first entries of its ``row`` and its ``column``, and how many there are of positions that are
    left; its ``pivot``, and in the end the inverse of that; its ``place`` in the order of elimination, -1 as long as it
    is left; and 1 more than the entry in its column of the row at hand (``seat``), 0 if there is none.

    For the place k, as nodes have them in the order of elimination: the position (``here``), the ``rest`` of its right
    side, and where the terms of its lower row begin, those of its upper one, and those of its equation."""

    row: int
    column: int
    in_row: int
    in_column: int
    pivot: int
    place: int
    seat: int
    here: int
    rest: int
    lower: int
    upper: int
    edges: int


class Equations:
    """The equations of ``count`` positions: the edges of p are those from ``starts[p]`` to ``starts[p + 1]``, which
    lead to ``columns`` (-1: away) with ``weights``, which sum to a number of 31 bits. ``diagonals`` are written here,
    and there is one node more than positions. ``brought`` is the right side in digits, ``given`` for each position, all
    of one sign.

    ``square`` has the rows of the positions that are left when these hang together closely, row by row, with the
    negative of the pivots in the diagonal; there are ``left`` of them.

    Elimination has taken ``done`` positions, with ``products`` so far. The pass is ``at`` a position, takes those that
    cost no more than ``threshold``, and has left some that cost ``least``.

    ``terms`` are pairs, of a place and a number; ``found`` are the digits by places, and ``digits`` has ``wanted`` for
    each position."""

    starts: list[half]
    columns: list[half]
    weights: list[half]
    brought: list[half]
    diagonals: list[int]
    nodes: list[Node]
    entries: list[Entry]
    square: list[int]
    terms: list[half]
    found: list[int]
    digits: list[half]
    count: int
    left: int
    given: int
    filled: int
    done: int
    at: int
    threshold: int
    least: int
    products: int
    wanted: int


# --------------------------------------------------------------- remainders


def folded(number: int) -> int:
    """A number from 0 to 2^63 modulo p, at least 0 and below 2 p for numbers below 2^61."""
    return (number & P) + (number >> BITS)


def remainder(number: int) -> int:
    """A number from 0 to 2^63, modulo p."""
    near: int = folded(folded(number))
    return near - P if near >= P else near


def times(number: int, other: int) -> int:
    """A product modulo p."""
    return remainder(number * other)


def inverse(number: int) -> int:
    """The inverse of a number modulo p, by Euclid's algorithm."""
    a: int = P
    b: int = number
    u: int = 0
    v: int = 1
    while b > 1:
        quotient: int = a // b
        a, b = b, a - quotient * b
        u, v = v, u - quotient * v
    return v if v >= 0 else v + P


# -------------------------------------------------------------- elimination


def enter(equations: Equations) -> None:
    """Enter the equations; there is room for as many entries as there are edges."""
    for p in range(equations.count):
        node = equations.nodes[p]
        node.row, node.column, node.place = -1, -1, -1
    for p in range(equations.count):
        node = equations.nodes[p]
        for edge in range(equations.starts[p], equations.starts[p + 1]):
            target: int = equations.columns[edge]
            if target != p:
                equations.diagonals[p] += equations.weights[edge]
                if target >= 0:
                    add(equations, p, target, equations.weights[edge] % P)
        node.pivot = equations.diagonals[p] % P
        forget_row(equations, node.row)
    equations.threshold, equations.least = 0, NEVER


def add(equations: Equations, row: int, column: int, value: int) -> None:
    """Add a value to an entry of the row at hand, or make one."""
    top = equations.nodes[column]
    if top.seat != 0:
        known = equations.entries[top.seat - 1]
        known.value = remainder(known.value + value)
        return
    side = equations.nodes[row]
    entry = equations.entries[equations.filled]
    entry.row, entry.column, entry.value = row, column, value
    entry.right, entry.down = side.row, top.column
    side.row, top.column = equations.filled, equations.filled
    side.in_row += 1
    top.in_column += 1
    equations.filled += 1
    top.seat = equations.filled


def forget_row(equations: Equations, first: int) -> None:
    """The row that begins with an entry is no longer at hand."""
    at: int = first
    while at >= 0:
        entry = equations.entries[at]
        equations.nodes[entry.column].seat = 0
        at = entry.right


def eliminate(equations: Equations, budget: int) -> int:
    """Eliminate positions, with about ``budget`` more products; ``DONE`` when none is left, or another answer."""
    last: int = equations.products + budget
    while equations.products < last:
        if equations.done == equations.count:
            return DONE
        if equations.at == equations.count:
            equations.at = 0
            equations.threshold, equations.least = equations.least, NEVER
            left: int = equations.count - equations.done
            if left >= NARROWEST and left <= WIDEST and FULL * equations.threshold > left * left:
                equations.left = left
                return DENSE
        node = equations.nodes[equations.at]
        if node.place < 0:
            cost: int = node.in_row * node.in_column
            if cost <= equations.threshold:
                if equations.filled + cost > len(equations.entries):
                    return LACKS_ROOM
                if node.pivot == 0:
                    return SINGULAR
                take(equations, equations.at)
            else:
                equations.least = min(equations.least, cost)
        equations.products += 1
        equations.at += 1
    return 0


def take(equations: Equations, position: int) -> None:
    """Eliminate a position."""
    node = equations.nodes[position]
    node.pivot = inverse(node.pivot)
    node.place = equations.done
    equations.nodes[equations.done].here = position
    equations.done += 1
    at: int = node.column
    while at >= 0:
        entry = equations.entries[at]
        if equations.nodes[entry.row].place < 0:
            entry.value = times(entry.value, node.pivot)
            put_in(equations, entry.row, position, entry.value)
        at = entry.down
    at = node.row
    while at >= 0:
        entry = equations.entries[at]
        equations.nodes[entry.column].in_column -= 1
        at = entry.right


def put_in(equations: Equations, changed: int, position: int, factor: int) -> None:
    """Add the row of a position, times a factor, to one to be changed, whose entry in its column is taken out."""
    side = equations.nodes[changed]
    before: int = -1
    at: int = side.row
    while at >= 0:
        entry = equations.entries[at]
        after: int = entry.right
        if entry.column != position:
            equations.nodes[entry.column].seat = at + 1
            before = at
        elif before < 0:
            side.row = after
        else:
            equations.entries[before].right = after
        at = after
    side.in_row -= 1
    at = equations.nodes[position].row
    while at >= 0:
        other = equations.entries[at]
        if other.column == changed:
            side.pivot = remainder(side.pivot + P - times(factor, other.value))
        else:
            add(equations, changed, other.column, times(factor, other.value))
        equations.products += 1
        at = other.right
    forget_row(equations, side.row)


# ------------------------------------------------------------------ square

# Rows that lead to nearly all others are long, and lists of their entries slow. So these are written into a square, and
# each row in turn is rid of all before it (Crout's order): one row is written then, and numbers need not be remainders
# before it is their turn, since a sum and a product have 63 bits together.


def fill_square(equations: Equations) -> None:
    """Write what is left into the square, and give the positions their places."""
    for p in range(equations.count):
        node = equations.nodes[p]
        if node.place < 0:
            node.place = equations.done
            equations.nodes[equations.done].here = p
            equations.done += 1
    first: int = equations.count - equations.left
    for k in range(equations.left):
        node = equations.nodes[equations.nodes[first + k].here]
        equations.square[k * equations.left + k] = P - node.pivot
        at: int = node.row
        while at >= 0:
            entry = equations.entries[at]
            column: int = equations.nodes[entry.column].place - first
            equations.square[k * equations.left + column] = entry.value
            at = entry.right
    equations.at = 0


def eliminate_square(equations: Equations, budget: int) -> int:
    """Rid further rows of those before, with about ``budget`` more products; ``DONE`` at the end, or ``SINGULAR``."""
    last: int = equations.products + budget
    while equations.products < last:
        if equations.at == equations.left:
            return DONE
        if not clear_row(equations, equations.at):
            return SINGULAR
        equations.at += 1
    return 0


def clear_row(equations: Equations, row: int) -> bool:
    """Rid a row of those before it; whether its pivot does not vanish."""
    square = equations.square
    width: int = equations.left
    own: int = row * width
    first: int = equations.count - width
    for k in range(row):
        factor: int = remainder(square[own + k])
        if factor != 0:
            factor = times(factor, equations.nodes[equations.nodes[first + k].here].pivot)
            from_own: int = own - k * width
            for at in range(k * width + k + 1, (k + 1) * width):
                square[from_own + at] = folded(square[from_own + at] + factor * square[at])
        square[own + k] = factor
        equations.products += width - k
    for at in range(own + row, own + width):
        square[at] = remainder(square[at])
    pivot: int = square[own + row]
    if pivot == 0:
        return False
    equations.nodes[equations.nodes[first + row].here].pivot = inverse(P - pivot)
    return True


# ------------------------------------------------------------------ factors


def write_terms(equations: Equations) -> None:
    """Write the factors and the equations in the order of elimination. Each entry is in one factor, and so is each
    number of the square."""
    nodes = equations.nodes
    dense: int = equations.count - equations.left
    for k in range(equations.count):
        nodes[k].in_row, nodes[k].in_column = 0, 0
    for at in range(equations.filled):
        entry = equations.entries[at]
        if nodes[entry.row].place > nodes[entry.column].place:
            nodes[entry.row].in_column += nodes[entry.column].place < dense
        else:
            nodes[entry.row].in_row += nodes[entry.row].place < dense
    first: int = 0
    for k in range(equations.count):
        p: int = nodes[k].here
        nodes[k].lower = first
        first += nodes[p].in_column
        nodes[p].in_column = nodes[k].lower
        if k >= dense:
            first = write_square_terms(equations, first, k - dense, 0, k - dense, 1)
        nodes[k].upper = first
        first += nodes[p].in_row
        nodes[p].in_row = nodes[k].upper
        if k >= dense:
            first = write_square_terms(equations, first, k - dense, k - dense + 1, equations.left, nodes[p].pivot)
        nodes[k].edges = first
        for edge in range(equations.starts[p], equations.starts[p + 1]):
            if equations.columns[edge] >= 0 and equations.columns[edge] != p:
                put_term(equations, first, nodes[equations.columns[edge]].place, equations.weights[edge])
                first += 1
    nodes[equations.count].lower = first
    for at in range(equations.filled):
        entry = equations.entries[at]
        side = nodes[entry.row]
        place: int = nodes[entry.column].place
        if side.place > place and place < dense:
            put_term(equations, side.in_column, place, entry.value)
            side.in_column += 1
        elif side.place < place and side.place < dense:
            put_term(equations, side.in_row, place, times(entry.value, side.pivot))
            side.in_row += 1


def write_square_terms(equations: Equations, first: int, row: int, left: int, right: int, factor: int) -> int:
    """Write numbers of a row of the square, times a factor, that are not 0; where the next term goes."""
    dense: int = equations.count - equations.left
    at: int = first
    for column in range(left, right):
        number: int = equations.square[row * equations.left + column]
        if number != 0:
            put_term(equations, at, dense + column, times(number, factor))
            at += 1
    return at


def put_term(equations: Equations, at: int, place: int, number: int) -> None:
    """Write a term."""
    equations.terms[2 * at], equations.terms[2 * at + 1] = place, number


# ------------------------------------------------------------------ lifting


def lift(equations: Equations, first: int, end: int) -> None:
    """Find the digits from ``first`` to ``end``; those before them have been found last."""
    if first == 0:
        for k in range(equations.count):
            equations.nodes[k].rest = 0
    for digit in range(first, end):
        solve(equations, digit)
        for k in range(equations.count):
            place = equations.nodes[k]
            equations.digits[place.here * equations.wanted + digit] = equations.found[k]
            total: int = place.rest - equations.diagonals[place.here] * equations.found[k]
            for at in range(place.edges, equations.nodes[k + 1].lower):
                total += equations.terms[2 * at + 1] * equations.found[equations.terms[2 * at]]
            place.rest = total // P


def solve(equations: Equations, digit: int) -> None:
    """Take the next digit of the right side in, and solve the equations modulo p."""
    for k in range(equations.count):
        place = equations.nodes[k]
        if digit < equations.given:
            place.rest += equations.brought[place.here * equations.given + digit]
        equations.found[k] = sum_modulo_p(equations, place.rest % P, place.lower, place.upper)
    for i in range(equations.count):
        last: int = equations.count - 1 - i
        place = equations.nodes[last]
        own: int = times(equations.found[last], equations.nodes[place.here].pivot)
        equations.found[last] = sum_modulo_p(equations, own, place.upper, place.edges)


def sum_modulo_p(equations: Equations, number: int, first: int, end: int) -> int:
    """A number plus the sum of terms. The upper and the lower bits of products are added up apart, so that there is one
    remainder in the end."""
    low: int = number
    high: int = 0
    for at in range(first, end):
        product: int = equations.terms[2 * at + 1] * equations.found[equations.terms[2 * at]]
        low += product & P
        high += product >> BITS
    return remainder(low + high)
