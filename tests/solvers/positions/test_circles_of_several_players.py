"""What circles are worth where more than one number counts, and one player at most has a choice."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from random import Random

import pytest

import zermelo
from tests.helpers.referee.linear_systems import solved
from zermelo.grammar.diagnostics import ZermeloError

COIN = """
game "Whoever throws heads first"
players Ann, Bob, Cy
start at throw(Ann)
phase throw(p: Player):
    chance:
        outcome heads: end payoff {q: (if q == p then 1 else 0) for q in Player}
        outcome tails: go throw(next p)
"""

RISK = """
game "To stop or to risk it"
players Ann, Bob, Cy
start at choose
phase choose:
    turn Ann:
        move stop: end payoff (1, 5, 7)
        move risk: go toss
phase toss:
    chance:
        outcome again prob 1/2: go choose
        outcome good prob 1/3: end payoff (3, 0, 1)
        outcome bad prob 1/6: end payoff (0, 6, 2)
"""


def values(text: str) -> tuple[Fraction, ...]:
    return zermelo.solve(zermelo.loads(text).on("reference")).value


def test_nobody_chooses() -> None:
    """Each is twice as likely to be first as the next one."""
    found = zermelo.solve(zermelo.loads(COIN).on("reference"))
    assert found.value == (Fraction(4, 7), Fraction(2, 7), Fraction(1, 7))
    assert found.alternatives == () and found.exact


def test_one_player_chooses() -> None:
    """Risked until it is decided, it brings the good end twice in three times: that is 2 to Ann, more than 1."""
    assert values(RISK) == (2, 2, Fraction(4, 3))
    assert values(RISK.replace("(1, 5, 7)", "(5/2, 5, 7)")) == (Fraction(5, 2), 5, 7)


def test_a_choice_that_may_go_on_for_ever() -> None:
    waiting = RISK.replace("go toss\nphase", "go choose\nphase")
    with pytest.raises(ZermeloError) as refused:
        values(waiting)
    assert refused.value.code == "needs-endless"
    for endless, value in (("(0, 9, 9)", (1, 5, 7)), ("(2, 9, 8)", (2, 9, 8))):
        assert values(waiting.replace("start at", f"endless payoff {endless}\nstart at")) == value


def test_several_players_choose() -> None:
    with pytest.raises(ZermeloError) as refused:
        values(RISK.replace("go choose\n        outcome good", "go other\n        outcome good") + OTHER)
    assert refused.value.code == "needs-one-number"


OTHER = """phase other:
    turn Bob:
        move leave: end payoff (1, 1, 1)
        move stay: go choose
"""


def chain(random: Random) -> tuple[str, list[list[tuple[int, int]]], list[tuple[int, int, int]]]:
    """Places in a circle, where chance draws or Ann decides, as a text; the ways on from each, a place (or -1 - k for
    end k) and its weight, 0 where Ann decides; and what the ends pay."""
    count = random.randint(2, 4)
    pays = [(random.randint(0, 4), random.randint(0, 4), random.randint(0, 4)) for _ in range(count)]
    ways: list[list[tuple[int, int]]] = []
    lines = ['game "Places"', "players Ann, Bob, Cy", "start at place0"]
    for place in range(count):
        decides = place > 0 and random.random() < 0.4
        lines += [f"phase place{place}:", "    turn Ann:" if decides else "    chance:"]
        back = 0 if decides else random.randrange(count)  # Ann cannot go round without coming to chance
        targets = [(place + 1) % count, -1 - place, *[back] * random.randrange(2)]
        ways.append([(target, 0 if decides else random.randint(1, 3)) for target in targets])
        for number, (target, _) in enumerate(ways[-1]):
            drawn = f" weight {ways[-1][number][1]}"
            then = f"go place{target}" if target >= 0 else f"end payoff {pays[place]}"
            lines.append(
                f"        move way{number}: {then}" if decides else f"        outcome way{number}{drawn}: {then}"
            )
    return "\n".join([*lines, ""]), ways, pays


def worth(ways: list[list[tuple[int, int]]], pays: list[tuple[int, int, int]]) -> list[tuple[Fraction, ...]]:
    """What each place is worth where nobody decides."""
    size = len(ways)
    found = []
    for player in range(3):
        matrix = [[Fraction(i == j) for j in range(size)] for i in range(size)]
        right = [Fraction(0)] * size
        for place, own in enumerate(ways):
            total = sum(weight for _, weight in own)
            for target, weight in own:
                if target >= 0:
                    matrix[place][target] -= Fraction(weight, total)
                else:
                    right[place] += Fraction(weight, total) * pays[-1 - target][player]
        column = solved(matrix, right)
        assert column is not None, "chance leaves place 0 for its end, to which all come that go round"
        found.append(column)
    return list(zip(*found, strict=True))


def judged_chains(seeds: Iterable[int]) -> int:
    """How many games there are. What each pays is what some policy of Ann's pays to all, and no other pays her more."""
    count = 0
    for seed in seeds:
        text, ways, pays = chain(Random(seed))
        found = zermelo.solve(zermelo.loads(text).on("reference"))
        decided = [[[(way[0], 1)] for way in own] if not own[0][1] else [own] for own in ways]
        policies = [worth(list(policy), pays)[0] for policy in product(*decided)]
        assert found.value in policies and found.value[0] == max(each[0] for each in policies), seed
        assert len(policies) > 1 or found.alternatives == (), seed
        count += 1
    return count


def test_what_a_linear_system_says() -> None:
    assert judged_chains(range(12)) == 12
