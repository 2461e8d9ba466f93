"""Pasts of positions, in a short list of words that is written over again and again, compared with a plain copy."""

from __future__ import annotations

from random import Random

import pytest
from attrs import define, frozen
from random_cases import seeds

from zermelo.solvers.kernels import past as kernel
from zermelo.solvers.kernels.past import Pasts, is_past_of, keep, spread_pasts

Moment = tuple[int, ...]
History = tuple[Moment, ...]

PAST = 3
"""The first word of a past stands for what the rules have looked for: the moments that begin with a number of its
bits."""


@frozen(eq=False)
class Kept:
    """A past that has been kept: what has been looked for, the part of the history that this can be, the words of the
    kernel, and the numbers of the words of the part."""

    looked_for: int
    part: History
    past: list[int]
    numbers: range


@define(eq=False)
class PlainCopy:
    """What ``size`` words hold: for each place the number of the word that was written there last."""

    size: int
    places: dict[int, int]
    written: int = 0

    def write(self, count: int) -> range:
        numbers = range(self.written, self.written + count)
        self.places.update({number % self.size: number for number in numbers})
        self.written += count
        return numbers

    def grow(self, size: int) -> None:
        still_there = set(self.places.values())
        self.size, self.places = size, {number % size: number for number in still_there}

    def holds(self, numbers: range) -> bool:
        return set(numbers) <= set(self.places.values())


def part_of(history: History, looked_for: int) -> History:
    return (*(moment for moment in history[:-1] if looked_for >> moment[0] & 1), history[-1])


def a_history(random: Random, width: int) -> History:
    """Up to five moments, most of them alike."""
    return tuple(tuple(random.choice((0, 0, 1)) for _ in range(width)) for _ in range(random.randint(1, 5)))


@pytest.fixture(params=[1, 2, 3])
def width(request, monkeypatch):
    """The words of a moment. A state is a history, which is what the rules have in their context, too."""
    names = {
        "MOMENT": request.param,
        "PAST": PAST,
        "moments": len,
        "recorded": lambda rules, entry, word: rules[entry][word],
        "may_read": lambda rules, past, entry: past[0] >> rules[entry][0] & 1,
    }
    for name, meaning in names.items():
        monkeypatch.setattr(kernel, name, meaning)
    return request.param


@pytest.mark.parametrize("seed", seeds(12))
def test_a_past_counts_for_the_same_part_until_it_is_written_over(width, seed):
    random = Random(seed)
    pasts, plain = Pasts(), PlainCopy(8, {})
    pasts.words, pasts.written, pasts.oldest = [0] * 8, 0, 0
    kept: list[Kept] = []
    for _ in range(60):
        history, looked_for = a_history(random, width), random.randrange(4)
        part, past = part_of(history, looked_for), [looked_for, 0, 0]
        fits = len(part) * width <= plain.size
        assert keep(pasts, history, history, past) == fits
        if fits:
            kept.append(Kept(looked_for, part, past, plain.write(len(part) * width)))
        if plain.size < 128 and random.randrange(20) == 0:
            before, size = plain.size, plain.size * random.choice((2, 8))
            pasts.words += [0] * (size - before)
            spread_pasts(pasts, before)
            plain.grow(size)
        for each in kept:
            for other in (history, each.part, a_history(random, width)):
                is_same = part_of(other, each.looked_for) == each.part
                assert is_past_of(pasts, other, other, each.past) == (is_same and plain.holds(each.numbers))
