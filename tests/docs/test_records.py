"""The records on their page: each is found again, and held against another program or a published number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from games_by_hand import kuhn_poker, leduc_poker, liars_dice
from referee.matrix_games import guaranteed, matrix_game

import zermelo
from zermelo import gamedefs
from zermelo.policies.exploiting import UNIFORM, exploitations
from zermelo.solvers.common.limits import Limits, ignore_progress

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")


def table(title: str, number: int = 0) -> dict[str, list[str]]:
    """The rows of a table of a section, counted from 0, by their first column."""
    section = PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]
    shown, _ = re.findall(r"((^\|.*\n)+)", section, re.M)[number]
    lines = re.findall(r"^\| (.*) \|$", shown, re.M)
    rows = [[cell.strip() for cell in line.split(" | ")] for line in lines]
    return {first: rest for first, *rest in rows}


def file_of(title: str) -> str:
    """The text of the file that a section shows."""
    return re.findall(r"^```game\n(.*?)^```$", PAGE.split(f"\n## {title}\n")[1], re.M | re.S)[0]


def changed(name: str, changes: dict[str, str]) -> str:
    """The rules of a bundled game, without what its file expects, and with other words instead of some."""
    text = gamedefs.path(name).read_text(encoding="utf-8").partition("expect")[0]
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


MEMORY = 4 << 30
"""More than tests have by default: two men of hypergammon each take 3 GB."""


def exact_value(game: zermelo.Game) -> Fraction:
    return exact_value_and_size(game)[0]


def exact_value_and_size(game: zermelo.Game) -> tuple[Fraction, list[str]]:
    """With the numbers of histories and of information sets, as the page writes them."""
    solution = zermelo.solve(game, memory=MEMORY)
    assert solution.exact
    return solution.value[0], [f"{solution.counts.get(name, 0):,}" for name in ("nodes", "information sets")]


def decimals(number: Fraction, digits: int = 20) -> str:
    """So many decimals, the last one cut off."""
    whole = abs(number.numerator) * 10**digits // number.denominator
    return f"{'-' if number < 0 else ''}{whole // 10**digits}.{whole % 10**digits:0{digits}}"


LEGEND = 'legend Rank:\n    "J" = J, "Q" = Q, "K" = K\n'


@pytest.mark.parametrize("ranks", range(3, 10))
def test_leduc_poker(ranks):
    text = changed("leduc_poker", {"J < Q < K": f"1..{ranks}", LEGEND: ""})
    value, size = exact_value_and_size(zermelo.loads(text))
    said, digits, *sizes, _ = table("Leduc poker")[str(ranks)]
    assert (said, sizes) == (decimals(value), size)
    assert digits == f"{len(str(abs(value.numerator)))} / {len(str(value.denominator))}"
    assert float(value) == pytest.approx(leduc_poker(ranks).value(), abs=1e-9)


def test_the_fraction_of_leduc_poker_that_is_published():
    """In the tests of uoftcprg/noregret."""
    published = Fraction(-1454920850547486749701863871533, 16995463438839962469905132501930)
    assert exact_value(zermelo.load("leduc_poker")) == published
    assert str(published) in PAGE


@pytest.mark.parametrize("cards", [*range(3, 17), 20, 24, 30, 52])
def test_kuhn_poker(cards):
    value = exact_value(zermelo.loads(changed("kuhn_poker", {"J < Q < K": f"1..{cards}"})))
    assert table("Kuhn poker")[str(cards)] == [str(value), decimals(value, 6)]
    assert float(value) == pytest.approx(kuhn_poker(cards).value(), abs=1e-12)


@pytest.mark.parametrize(("dice", "sides"), [(1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (2, 2), (2, 3), (3, 2)])
def test_liars_dice(dice, sides):
    value, (histories, _) = exact_value_and_size(zermelo.load("liars_dice", dice=dice, sides=sides))
    assert table("Liar's dice")[f"{dice}, {sides} sides"][:2] == [str(value), histories]
    assert float(value) == pytest.approx(liars_dice(dice, sides).value(), abs=1e-9)


def test_pig():
    """The bounds, and value iteration in floating point."""
    solution = zermelo.solve(zermelo.load("pig", target=100), memory=MEMORY)
    least, most = ((1 + bound) / 2 for bound in solution.interval)
    said, *_ = table("Pig to 100")["Ann wins with probability"]
    assert said == decimals(least, 12) == decimals(most, 12)
    assert float(least) == pytest.approx(chance_in_pig(100), abs=1e-11)


def chance_in_pig(target: int) -> float:
    """The probability that whoever begins wins. Pairs of scores are gone through from the last ones on."""
    wins: dict[tuple[int, int], float] = {}

    def on_turn(mine: int, other: int, after_a_one: float) -> float:
        need = target - mine
        chances = [1.0] * (need + 6)  # by what is in the pot
        for pot in range(need - 1, -1, -1):
            roll = (after_a_one + sum(chances[pot + 2 : pot + 7])) / 6
            chances[pot] = max(roll, 1 - wins[other, mine + pot]) if pot else roll
        return chances[0]

    for mine, other in sorted(product(range(target), repeat=2), key=sum, reverse=True):
        if mine < other:
            continue
        one, two = 0.5, 0.5
        for _ in range(60):  # each time what is wrong is divided by 6 twice, at least
            one = on_turn(mine, other, 1 - two)
            two = on_turn(other, mine, 1 - one)
        wins[mine, other], wins[other, mine] = one, two
    return wins[0, 0]


@pytest.mark.parametrize(("men", "iterated"), [(1, 0.3142563394573533), (2, 0.1133299672858834)])
def test_whoever_wins_the_opening_throw_in_hypergammon(men, iterated):
    """Against value iteration over the positions between throws, by a program in C++ with rules of its own."""
    solution = zermelo.solve(zermelo.load("hypergammon", men=men), memory=MEMORY)
    throws = [worth for worth in solution.policy.first() if worth.move.arguments[0] > worth.move.arguments[1]]
    assert len(throws) == 15
    mean = sum(worth.payoff[0] for worth in throws) / 15
    error = sum(worth.error for worth in throws) / 15
    assert float(mean) == pytest.approx(iterated, abs=1e-12)
    said = table("Hypergammon")[str(men)][0]
    digits = len(said.partition(".")[2])
    assert said == decimals(mean - error, digits) == decimals(mean + error, digits)


def test_the_best_against_uniform_play_in_dark_hex():
    """The decimals are those of the program DarkHex3: gains, and its mean for uniform play."""
    game = zermelo.load("dark_hex", size=3)
    _, answers = exploitations(UNIFORM, game.initial, Limits(memory=MEMORY), ignore_progress)
    assert [each.value for each in answers] == [Fraction(1, 3), Fraction(-1, 3)]
    assert [each.best for each in answers] == [1, Fraction(787, 945)]
    assert float(answers[1].best) == pytest.approx(1.166488 - 0.333684, abs=2e-6)


@pytest.mark.parametrize("moves", [1, 2, 3, 4])
def test_kriegspiel_endings(moves):
    value, size = exact_value_and_size(zermelo.load("kriegspiel_ending", moves=moves))
    assert table("A Kriegspiel ending")[str(moves)][:3] == [str(value), *size]


def test_the_first_bids_of_the_game_of_pure_strategy():
    """Of both players, against values by recursion over the hands, and matrix games by trying all supports."""
    title = "The game of pure strategy"
    rows = table(title)
    for prize in range(1, 5):
        mixture = [Fraction(share) for share in rows[str(prize)]]
        assert sum(mixture) == 1
        assert guaranteed(first_bids(4, prize), mixture) == 0
    game = zermelo.loads(file_of(title), cards=4)
    first = [advice for advice in zermelo.solve(game).policy if len(advice.moves) == 4 and advice.player == 0]
    assert [[str(chance) for chance in advice.chances] for advice in first] == [rows[str(k)] for k in range(1, 5)]


def test_the_decimals_of_the_first_of_five_bids():
    title = "The game of pure strategy"
    policy = zermelo.solve(zermelo.loads(file_of(title), cards=5)).policy
    first = [advice for advice in policy if len(advice.moves) == 5 and advice.player == 0]
    found = [[decimals(chance, 6) if chance else "0" for chance in advice.chances] for advice in first]
    assert found == list(table(title, 1).values())[1:]


def first_bids(cards: int, prize: int) -> list[list[Fraction]]:
    """What the first player gets from each pair of bids for the first prize on."""
    everything = frozenset(range(1, cards + 1))

    @cache
    def value(mine: frozenset[int], others: frozenset[int], prizes: frozenset[int]) -> Fraction:
        if not prizes:
            return Fraction(0)
        return sum((matrix_game(bids(mine, others, prizes, k))[0] for k in prizes), Fraction(0)) / len(prizes)

    def bids(mine: Iterable[int], others: Iterable[int], prizes: Iterable[int], k: int) -> list[list[Fraction]]:
        return [
            [
                k * ((one > two) - (one < two))
                + value(frozenset(mine) - {one}, frozenset(others) - {two}, frozenset(prizes) - {k})
                for two in sorted(others)
            ]
            for one in sorted(mine)
        ]

    return bids(everything, everything, everything, prize)


def test_snakes_and_ladders_takes_as_long_as_published():
    """Althoen, King and Schilling, 1993."""
    value = exact_value(zermelo.load("snakes_and_ladders"))
    assert str(value) in PAGE.replace("\n", "")
    assert value == Fraction(
        225837582538403273407117496273279920181931269186581786048583,
        5757472998140039232950575874628786131130999406013041613400,
    )
