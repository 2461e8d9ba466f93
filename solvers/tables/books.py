"""Opening books: what is known of the positions within some plies of the root, and of none that lie further on.

A book is part of a table: of all positions that are solved, those are kept that are so near. Where there are too many
to solve, the positions at the last ply are *searched* instead, so many moves ahead, and the others get what follows
from these: what the best move brings, or the mean of what chance may bring.

Each value of a searched book says whether it is exact. That of a search is, if it has met no horizon. What follows is
exact if all that it follows from is; or if the best move is certain to bring its player the most that any play can pay,
since then it does not matter what the others bring. Any other value is an *estimate*, and says how many moves ahead it
has looked: along the line that has been searched least.

In a searched book positions have no distance to the end. So who plays by it may keep a win and never come nearer to the
end, where plays can come back to a position; such games have no searched books. Where none comes back, the positions
are worked through so that each comes behind all to which its moves lead.

Source: Lincke, "Strategies for the automatic construction of opening books", Computers and Games (2000), for books as
searched leaves whose values are backed up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from graphlib import TopologicalSorter
from math import inf
from typing import Any, Final

import numpy
from attrs import evolve, frozen

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import choices_at, has_one_value
from zermelo.interpreter.machine import CHANCE, END, Payoff
from zermelo.interpreter.native.running.machine import LoweredMachine, LoweredState
from zermelo.solvers.common.limits import Limits, Progress
from zermelo.solvers.running.lowered_backend import images_of
from zermelo.solvers.solution import Answer, Problem
from zermelo.solvers.tables.building import SolvedRows
from zermelo.solvers.tables.dataset import Key, key_names
from zermelo.solvers.tables.keys import KeyFinder, lowered, no_table, sortable
from zermelo.solvers.tables.rows import Content, RowFormat

_CHECK_EVERY: Final = 256


# The positions of a book.


@frozen(eq=False)
class BookMove:
    """A move or an outcome: with which ``probability`` it is drawn, 1 for moves; what each player is ``paid`` by it, at
    an end all that is still to come; and the key of the position behind it, None at an end."""

    paid: Payoff
    behind: Key | None
    probability: Fraction


@frozen(eq=False)
class Opened:
    """A position of a book: a state in which it comes up, and its choices, none at the last ply."""

    state: LoweredState
    choices: tuple[BookMove, ...]


Opening = Mapping[Key, Opened]
"""The positions of a book by their keys, those nearer to the root first."""


def open_positions(finder: KeyFinder, root: LoweredState, plies: int, limits: Limits, progress: Progress) -> Opening:
    """The positions within some plies of a root that is no end. Raises ``ZermeloError``: ``out-of-memory``,
    ``out-of-time``, and errors of the rules."""
    found, level = dict[Key, Opened](), {finder.of(root): root}
    room = limits.room()
    for ply in range(plies + 1):
        following = dict[Key, LoweredState]()
        for key, state in level.items():
            behind = list(_choices(finder, state)) if ply < plies else []
            found[key] = Opened(state, tuple(choice for choice, _ in behind))
            for choice, there in behind:
                if choice.behind is not None and choice.behind not in found and choice.behind not in level:
                    following.setdefault(choice.behind, there)
            if not room.grows(found):
                raise limits.out_of_memory({"nodes": len(found), "terminals": 0})
            if len(found) % _CHECK_EVERY == 0:
                progress(len(found))
                limits.check({"nodes": len(found)})
        level = following
    return found


def _choices(finder: KeyFinder, state: LoweredState) -> Iterator[tuple[BookMove, LoweredState]]:
    """What can be chosen or drawn in a state, with the states behind."""
    machine = finder.machine
    before = machine.earned(state)
    chances = dict(machine.outcomes(state)) if machine.actor(state) == CHANCE else {}
    for move in choices_at(machine, state):
        there = machine.after(state, move)
        is_end = machine.actor(there) == END
        amounts = machine.payoff(there) if is_end else machine.earned(there)
        paid = tuple(after - earlier for earlier, after in zip(before, amounts, strict=True))
        yield BookMove(paid, None if is_end else finder.of(there), chances.get(move, Fraction(1))), there


# A part of a table of all positions.


def within(content: Content, opening: Opening) -> Content:
    """Those rows of a table that are in a book."""
    wanted = sortable(numpy.array(list(opening), "uint64"))

    def tables() -> Iterator[Any]:
        for rows in content.tables:
            words = numpy.column_stack([rows.column(name).to_numpy() for name in key_names(content.format.width)])
            yield rows.filter(numpy.isin(sortable(words), wanted))

    return evolve(content, positions=len(opening), tables=tables(), files=None)


# Positions that are searched, and what follows from these.


@frozen(eq=False)
class BookValue:
    """What each player gets from a position on; how many moves ahead that has been searched, None if it is exact; how
    many of its moves are best, None where nobody decides or the moves have not been looked at; and the distance to the
    end, None where none is told."""

    value: Payoff
    depth: int | None
    best: int | None = None
    distance: int | None = None


Search = Callable[[LoweredState], Answer]
"""Searches a position some moves ahead, or to the end."""


def search_position(problem: Problem[Any], state: LoweredState, search: Search) -> BookValue:
    """What a search finds of a position."""
    found = search(state)
    earned = zip(found.value, problem.machine.earned(state), strict=True)
    value = tuple(whole - before for whole, before in earned)
    return BookValue(value, None if found.exact else found.counts["depth"])


def follow(problem: Problem[Any], opened: Opened, known: Mapping[Key, BookValue]) -> BookValue:
    """What follows for a position from what is known of those behind it."""
    actor = problem.machine.actor(opened.state)
    worths = [_worth(choice, known) for choice in opened.choices]
    depths = [each.depth for each in worths if each.depth is not None]
    depth = 1 + min(depths) if depths else None
    if actor == CHANCE:
        shares = zip(opened.choices, worths, strict=True)
        means = [[choice.probability * amount for amount in each.value] for choice, each in shares]
        return BookValue(tuple(sum(column, Fraction(0)) for column in zip(*means, strict=True)), depth)
    value = max((each.value for each in worths), key=lambda payoff: payoff[actor])
    best = [each for each in worths if each.value == value]
    if value[actor] == _most(problem, actor) and any(each.depth is None for each in best):
        depth = None
    return BookValue(value, depth, len(best))


def _worth(choice: BookMove, known: Mapping[Key, BookValue]) -> BookValue:
    """What a choice is worth before it is made."""
    if choice.behind is None:
        return BookValue(choice.paid, None)
    later = known[choice.behind]
    value = tuple(now + amount for now, amount in zip(choice.paid, later.value, strict=True))
    return BookValue(value, later.depth)


def _most(problem: Problem[Any], player: int) -> Fraction | int | float:
    """The most that any play can pay a player; not known where something may have been earned before."""
    bounds = problem.facts.bounds[player] if problem.facts.bounds else None
    is_earning = lowered(problem.machine).program.layout.earnings is not None
    return inf if bounds is None or is_earning else bounds[1]


def searched_content(problem: Problem[Any], plies: int, search: Search, up_to_symmetry: bool | None) -> Content:
    """What a book says whose last ply is searched. Of positions that are alike up to a symmetry one is kept, where what
    one player gets is a value of the game.

    Raises ``ZermeloError``: ``no-table``; ``needs-estimate`` and others of a search; ``out-of-memory``."""
    machine, facts = lowered(problem.machine), problem.facts
    if machine.actor(problem.root) == END:
        raise no_table("the play has ended")
    if facts.discounted:
        raise no_table("payoffs are discounted, and a search does not look up what is worth less later")
    if not facts.terminates.holds:
        raise ZermeloError(
            "no-table",
            "this game can have no searched book: it is not proved that all plays end, so a play by the book might go "
            "round",
            "without --depth, all positions are solved and those of the first plies are kept, with their distance",
        )
    images = images_of(machine) if up_to_symmetry is not False and has_one_value(facts) else None
    if up_to_symmetry and images is None:
        raise no_table("no symmetry of the rules is known that leaves the players and what they get as they are")
    opening = open_positions(KeyFinder(machine, images), problem.root, plies, problem.limits, problem.progress)
    known = assess(problem, opening, search)
    rows = _rows(machine, opening, known)
    players = machine.player_names
    format = RowFormat.of(players, rows.keys.shape[1], rows.ranges(len(players)), 0, has_depths=True)
    return Content(machine, images, len(opening), None, format, map(format.table, rows.parts(len(players))))


def assess(problem: Problem[Any], opening: Opening, search: Search) -> dict[Key, BookValue]:
    """What is known of all positions of a book when the last ply has been searched."""
    before = {key: [choice.behind for choice in opened.choices if choice.behind] for key, opened in opening.items()}
    known = dict[Key, BookValue]()
    for key in TopologicalSorter(before).static_order():
        opened = opening[key]
        if opened.choices:
            known[key] = follow(problem, opened, known)
        else:
            known[key] = search_position(problem, opened.state, search)
        problem.progress(len(known))
        problem.limits.check({"nodes": len(known)})
    return known


def _rows(machine: LoweredMachine, opening: Opening, known: Mapping[Key, BookValue]) -> SolvedRows:
    """The rows of a book."""
    numbers = dict[Payoff, int]()
    found = [known[key] for key in opening]
    return SolvedRows(
        numpy.array(list(opening), "uint64"),
        numpy.array([machine.actor(opened.state) for opened in opening.values()], "int8"),
        numpy.array([numbers.setdefault(each.value, len(numbers)) for each in found], "int32"),
        list(numbers),
        numpy.full(len(found), -1, "int32"),
        numpy.array([-1 if each.best is None else each.best for each in found], "int32"),
        numpy.array([-1 if each.depth is None else each.depth for each in found], "int32"),
    )


# Verifying.


SAMPLE: Final = 20
"""So many positions of the last ply are searched again."""


@frozen(eq=False)
class BookVerifier:
    """Verifies what :mod:`.verifying` does not see of a book. ``find`` gives what it says of a position, None if no
    value is defined there. Those at the last ply are searched again: so far as they had been searched, if the book
    ``is_searched``, and else to the end."""

    problem: Problem[Any]
    opening: Opening
    find: Callable[[Key], BookValue | None]
    search: Search
    is_searched: bool

    def find_flaw(self) -> tuple[Key, str] | None:
        """The key of a position of which something wrong is said, and what is wrong; None if there is none."""
        return self._undefined() or (self._wrong_depth() if self.is_searched else None) or self._other_value()

    def _undefined(self) -> tuple[Key, str] | None:
        if not self.is_searched and not self.problem.has_certain_bounds:
            return None
        return next(((key, "it has no value") for key in self.opening if self.find(key) is None), None)

    def _wrong_depth(self) -> tuple[Key, str] | None:
        known = {key: found for key in self.opening if (found := self.find(key)) is not None}
        for key, opened in self.opening.items():
            if opened.choices and known[key].depth != follow(self.problem, opened, known).depth:
                return key, "it has not been searched so many moves ahead"
            if not opened.choices and known[key].best is not None:
                return key, "nobody has looked at its moves"
            if known[key].distance is not None:
                return key, "it has a distance"
        return None

    @property
    def sample(self) -> list[Key]:
        """The positions of the last ply that are searched again, evenly among those that have values."""
        last = [key for key, opened in self.opening.items() if not opened.choices and self.find(key) is not None]
        return sorted(last)[:: max(1, -(-len(last) // SAMPLE))]

    def _other_value(self) -> tuple[Key, str] | None:
        for key in self.sample:
            state, found = self.opening[key].state, self.find(key)
            again = search_position(self.problem, state, self.search)
            if found is None or (again.value, again.depth) != (found.value, found.depth):
                return key, "a search finds another value"
        return None
