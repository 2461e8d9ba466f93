"""Exact numbers in print."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import ceil, floor, log10
from typing import TYPE_CHECKING, Any, Final

from zermelo.interpreter.checks.game_facts import Facts, has_one_value
from zermelo.interpreter.machine import Payoff, display_text
from zermelo.interpreter.values import Value, format_value, round_digits
from zermelo.solvers.solution import Answer, Certainty

if TYPE_CHECKING:
    from zermelo.game import Game, State

LEGIBLE: Final = 40
"""The longest fraction worth printing, in characters."""

FEW_DIGITS: Final = 4
"""The digits of a number in a table."""

_READABLE: Final = 11
"""The longest fraction that is printed among others, in characters."""

LEGIBLE_DIGITS: Final = 12
"""The most digits worth printing of a number that is not exact, unless somebody asks for more."""


def approximation(number: Fraction | int) -> str:
    """A whole number or a short decimal as it is, another fraction as a rounded decimal: ``0.4``, ``≈ -0.0556``."""
    if number.denominator == 1:
        return str(number)
    decimal = round_digits(number, FEW_DIGITS)
    return decimal if Fraction(decimal) == number else f"≈ {decimal}"


def count_in_words(number: int, noun: str) -> str:
    """A number of things in words."""
    return f"{number:,} {noun if number == 1 else f'{noun}s'}"


def readable_texts(*numbers: Fraction | int) -> list[str]:
    """Numbers that stand together, as fractions or, where one of these is too long to read, all as approximations."""
    is_short = all(len(str(number)) <= _READABLE for number in numbers)
    return [str(number) if is_short else approximation(number) for number in numbers]


def exact_text(number: Fraction | int) -> str:
    """The number, with a decimal if it is not whole: ``2/5 = 0.4``, ``-1/18 ≈ -0.05556``; the decimal alone if the
    fraction is too long to read."""
    decimal = approximation(number)
    if number.denominator == 1 or len(str(number)) > LEGIBLE:
        return decimal
    return f"{number} {decimal}" if decimal.startswith("≈") else f"{number} = {decimal}"


def sample_text(mean: Fraction | int, standard_error: Fraction) -> str:
    """The mean of a sample with its standard error, to two digits of that: ``≈ 0.345 ± 0.015``."""
    return f"≈ {sample_decimals(mean, standard_error)} ± {round_digits(standard_error, 2)}"


def sample_decimals(mean: Fraction | int, standard_error: Fraction) -> str:
    """The mean of a sample, to the second digit of its standard error; where that is 0, to a few digits."""
    if not standard_error:
        return round_digits(mean, FEW_DIGITS)
    places = max(0, 1 - floor(_log10(standard_error)))
    return _decimal(round(mean * 10**places), places)


def text_within(number: Fraction | int, error: Fraction, digits: int | None = LEGIBLE_DIGITS) -> str:
    """A number known to within ``error``, as :func:`exact_text` if that is 0, else by the decimals that are certain:
    ``≈ 0.0797857195``, no more than so many ``digits`` (all if None), a whole number if all decimals are zeros:
    ``≈ -1``; the interval if no place is certain."""
    if not error:
        return exact_text(number)
    known = certain_decimals(number, error if digits is None else max(error, _half_a_place(number, digits)))
    if known is None:
        return f"between {interval_text(number - error, number + error)}"
    whole, _, decimals = known.partition(".")
    return f"≈ {known if decimals.strip('0') else '0' if whole == '-0' else whole}"


def _half_a_place(number: Fraction | int, digits: int) -> Fraction:
    """Half a unit in the last place of a number with so many digits, which count from the point if it is 1 or more."""
    size = abs(Fraction(number))
    zeros = 0 if size >= 1 or not size else -floor(_log10(size)) - 1
    return Fraction(1, 2 * 10 ** (digits + zeros))


def short_text(bounds: tuple[Fraction, Fraction]) -> str:
    """A number between bounds, with few digits: ``≈ 0.5695``."""
    middle, error = middle_of(bounds)
    return text_within(middle, error, FEW_DIGITS) if error else approximation(middle)


def middle_of(bounds: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """The middle of bounds, and how far it is from them."""
    return (bounds[0] + bounds[1]) / 2, (bounds[1] - bounds[0]) / 2


def certain_decimals(number: Fraction | int, error: Fraction) -> str | None:
    """The decimals that are certain of a number known to within ``error`` above 0: whatever it is, what is written
    differs from it by no more than 1 in the last place. None if not even the whole numbers are certain.

    Sound: it has as many places as keep 2 * error at most 1 in the last one, and rounding adds at most half of that."""
    if 2 * error > 1:
        return None
    scale = floor(1 / (2 * error))
    places = len(str(scale)) - 1
    return _decimal(round(number * 10**places), places)


def rounded_up_text(number: Fraction) -> str:
    """A small positive number, rounded up to two digits: ``1.8e-11``."""
    upwards = Context(prec=2, rounding=ROUND_CEILING)
    return str(upwards.divide(Decimal(number.numerator), Decimal(number.denominator))).lower()


def interval_text(low: Fraction, high: Fraction, digits: int | None = LEGIBLE_DIGITS) -> str:
    """An interval in decimals, rounded outward: ``-0.0857 and -0.0855``; with no more ``digits`` after the point than
    that (as many as show its width if None)."""
    if low == high:
        return f"{low} and {high}"
    places = max(0, 2 - floor(_log10(high - low)))
    if digits is not None:
        places = min(places, digits)
    return f"{_decimal(floor(low * 10**places), places)} and {_decimal(ceil(high * 10**places), places)}"


def _log10(number: Fraction) -> float:
    return log10(number.numerator) - log10(number.denominator)


def _decimal(units: int, places: int) -> str:
    """The decimal with ``places`` places whose digits are ``units``."""
    digits = str(abs(units)).zfill(places + 1)
    whole, rest = digits[: len(digits) - places], digits[len(digits) - places :]
    return ("-" if units < 0 else "") + whole + ("." if rest else "") + rest


# What the payoffs of a solution are, in words: a value only where it is proved to be that of the game.
#
# The game of one player, or of two with a constant sum (von Neumann 1928), has a value: no best play brings anything
# else. Players who all get the same may be in an equilibrium that pays less than another one; their value is the most
# that they can agree on. In other games equilibria may differ in what they pay, and a solver finds one of them.


VALUE: Final = "value"
EQUILIBRIUM: Final = "an equilibrium pays"
STRATEGIES: Final = "these strategies pay"
GUESS: Final = "a guess"


def is_value(facts: Facts, answer: Answer) -> bool:
    """Whether the payoffs of an answer are the value of the game, so far as they are certain."""
    return has_one_value(facts) or answer.is_optimum


def is_told_by_one(facts: Facts) -> bool:
    """Whether what the first player gets says what all others get."""
    return has_one_value(facts) or facts.common_payoff.holds is True


def meaning_of_payoffs(facts: Facts, answer: Answer) -> str:
    """What the payoffs of an answer are."""
    if answer.standard_errors is not None:
        return STRATEGIES if answer.strategies else GUESS
    if is_value(facts, answer):
        return VALUE
    if answer.certainty is not Certainty.HEURISTIC:
        return EQUILIBRIUM
    return STRATEGIES if answer.strategies else GUESS


def meaning_in_words(facts: Facts, answer: Answer) -> str:
    """The same as the head of a column, with how certain they are."""
    said = meaning_of_payoffs(facts, answer)
    is_plain = answer.exact or said in (GUESS, STRATEGIES)
    return said if is_plain else f"{said}, {answer.certainty.value}"


# Games and values in results, as JSON and in words.


def record_header(game: Game) -> dict[str, Any]:
    """The beginning of every JSON result: the game and its parameters."""
    return {"game": game.name, "parameters": {name: json_value(value) for name, value in game.parameters.items()}}


def parameters_text(game: Game) -> str:
    """The parameters in words: ``rows = 6, columns = 7``."""
    return ", ".join(f"{name} = {format_value(value)}" for name, value in game.parameters.items())


def with_parameters(name: str, game: Game) -> str:
    """A name or title of a game, with its parameters in parentheses."""
    given = parameters_text(game)
    return f"{name} ({given})" if given else name


def play_so_far(begin: State) -> str:
    """All moves, as ``--after`` takes them."""
    return ", ".join(map(display_text, begin.play))


def json_value(value: Value) -> int | bool | str:
    """A value for JSON: whole numbers and truth values as they are, others as the language writes them."""
    return value if isinstance(value, int) else format_value(value)


def known_by_player(players: Sequence[str], amounts: Payoff, error: Fraction) -> dict[str, str | None]:
    """Numbers that are known to within ``error``, by the names of the players: exact ones as text, others as decimals
    that are certain, None where not even a whole number is."""
    written = [certain_decimals(amount, error) if error else str(amount) for amount in amounts]
    return dict(zip(players, written, strict=True))


def by_player(game: Game, amounts: Any) -> dict[str, str]:
    """Exact numbers as text, by the names of the players."""
    return {player: str(amount) for player, amount in zip(game.players, amounts, strict=True)}
