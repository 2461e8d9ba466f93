"""Numbers certified to many digits, in a game in which to stay costs something: against a recursion."""

from __future__ import annotations

from fractions import Fraction

CLIMB = """game "Climb"
players Ann
var at: 0..120 = 0
start at climb
phase climb:
    if at == 120: end payoff (0)
    turn Ann:
        move try:
            earn Ann: -1
            go slope
        move rest:
            earn Ann: -1/2
            go climb
phase slope:
    chance:
        outcome up prob (at * at * 999983 + 1000003) / (at * at * 999983 + 50003 * at + 1000333):
            at += 1
            go climb
        outcome fall prob 1 - (at * at * 999983 + 1000003) / (at * at * 999983 + 50003 * at + 1000333):
            at := at * 3 // 4
            go climb
"""


def test_certified_numbers_where_staying_costs(run, game_file):
    """The exact number has more than 1,000 digits. From place k it takes h(k) tries to come to k + 1, where
    h(k) = 1 + (1 - p) (h(3k // 4) + ... + h(k)) if a try succeeds with probability p."""
    tries: list[Fraction] = []
    for k in range(120):
        up = Fraction(k * k * 999983 + 1000003, k * k * 999983 + 50003 * k + 1000333)
        tries.append((1 + (1 - up) * sum(tries[3 * k // 4 :])) / up)
    right = -sum(tries)
    assert right.denominator > 10**1000
    record = run("solve", game_file(CLIMB), "--digits", "30", "--json").record
    low, high = map(Fraction, record["interval"])
    assert not record["exact"] and low <= right <= high and high - low <= Fraction(1, 10**30)
    assert record["duration"]["ends"] == "1"
    assert abs(Fraction(record["duration"]["length"]) + right) < Fraction(1, 10**9)  # they never rest
