"""Depth-first proof-number search (df-pn).

What it computes: whether the first player can get so much, for a finite game of two players, constant sum and perfect
information without chance; and by several such questions (:mod:`zermelo.solvers.search.questions`) the value. Source:
Nagai, "Df-pn algorithm for searching AND/OR trees and its applications" (2002), which is the best-first search of
Allis, van der Meulen and van den Herik (1994) made depth-first; Kishimoto and Müller, "Game-tree search using proof
numbers: the first twenty years", ICGA Journal 35 (2012).

A state has two numbers: how many states at the edge of what has been searched must turn out well for the first player
to prove that he gets so much (the *proof number*), and how many for his opponent to refute it (the *disproof number*).
Here they are ``needs[0]`` and ``needs[1]``, since the same rules hold for both: a player who is to move needs one of
his moves to turn out well, so the least over the moves; of the moves of his opponent he needs all, so their sum,

    needs[actor] = min over moves of needs[actor],    needs[other] = sum over moves of needs[other],

and (0, infinity) or (infinity, 0) where the answer is known. A state that has not been searched has what these rules
give if each state behind it had 1 and 1: the player to move needs one, and the other as many as there are moves. So
replies that leave little choice are tried first (*mobility*, Allis 1994). The search goes where the next proof seems
nearest: down the move with the least number, and stays below it while neither number comes up to a limit, which is
where another move begins to look better, or a state further up is no more worth it.

A limit is a quarter higher than it need be, lest the search goes to and fro between two moves that are alike (the 1 +
epsilon trick of Pawlewicz and Lew, 2007). Sums end at ``MANY``, since a state that is reached in several ways counts
several times in them.

Invariant: ``low <= value <= high`` holds for every entry of the table, whatever was asked when it was made. Entries are
found by the position itself, never by a hash of it, together with what has been earned. That is sound since no position
comes back in a play: where that is not known the path is watched as in :mod:`zermelo.solvers.search.search`, and a play
that goes round is refused. What a play pays depends on its length where payoffs are discounted, so there an entry
belongs to the play and not to the position.

Cost: no bound but that of the tree; where players have few moves in the lines that matter (mates, threats) it is far
below alpha-beta. Memory: one entry for each position searched. When the memory allowed is full, the half of the entries
that cost least to find is given up (*small-tree collection*, Nagai 2002).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from math import inf
from typing import Final

from attrs import define, field, frozen

from zermelo.grammar.footprint import LATEST, Room
from zermelo.interpreter.machine import END, Move, State
from zermelo.interpreter.values import exact
from zermelo.solvers.common.numbers import Number
from zermelo.solvers.search.questions import Proved, Question
from zermelo.solvers.search.questions import solve as solve_by_questions
from zermelo.solvers.search.search import Search, Visit
from zermelo.solvers.solution import Answer, Problem

NEVER: Final = 1 << 60
"""How many states a player needs who cannot reach his aim any more."""

MANY: Final = 1 << 44
"""The greatest sum."""

Needs = tuple[int, int]
"""How many states each player needs to reach his aim."""


@frozen
class Known:
    """What is known of a position: the bounds of what the first player gets, the needs that belong to ``question``, and
    how many states it took to find that."""

    low: Number
    high: Number
    question: Question
    needs: Needs
    work: int = 0

    @property
    def answer(self) -> Needs:
        """The needs, where bounds may have answered the question already."""
        if self.question.is_met(self.low):
            return 0, NEVER
        return self.needs if self.question.is_met(self.high) else (NEVER, 0)


def dfpn(problem: Problem[State]) -> Answer:
    """Solve by df-pn. Needs what alpha-beta needs. ``counts`` also has ``hits``, states of which the table knew
    something, and ``questions``."""
    return solve_by_questions(problem, ProofNumberSearch(problem))


@define(eq=False)
class ProofTable:
    """Entries by position, as many as there is ``room`` for."""

    room: Room
    _entries: dict[Hashable, Known] = field(factory=dict)

    def find(self, key: Hashable) -> Known | None:
        return self._entries.get(key)

    @property
    def is_too_small(self) -> bool:
        """Whether there is room for so few entries that they may be forgotten as fast as they are found, for ever."""
        return self.room.budget.is_spent and self.room.most <= LATEST

    def keep(self, key: Hashable, known: Known) -> None:
        """Remember what is known of a position now."""
        if key not in self._entries and len(self._entries) >= self.room.most and not self.room.grows(self._entries):
            dearest = sorted(self._entries, key=lambda key: self._entries[key].work, reverse=True)
            self._entries = {key: self._entries[key] for key in dearest[: len(dearest) // 2]}
            self.room.shrink(len(self._entries))
        self._entries[key] = known


class ProofNumberSearch(Search[State]):
    """A search, with what it remembers from one question to the next."""

    def __init__(self, problem: Problem[State]) -> None:
        super().__init__(problem)
        self.table = ProofTable(problem.limits.room())
        self.discounted = problem.facts.discounted
        self.hits = 0

    @property
    def counts(self) -> dict[str, int]:
        return {**super().counts, "hits": self.hits}

    def prove(self, state: State, question: Question) -> Proved:
        self.count()
        known, answers = self.run(self.search(state, question, (NEVER, NEVER)))
        actor = self.machine.actor(state)
        moves = self.machine.moves(state)
        won = [move for move, answer in zip(moves, answers, strict=False) if answer[actor] == 0]
        return Proved(known.low, known.high, won[0] if won else None)

    def search(self, state: State, question: Question, limits: Needs) -> Visit[tuple[Known, list[Needs]]]:
        """Search a state until one of its needs comes up to its limit: what is known of it then, and the needs behind
        its moves; those behind the one that decides are left out."""
        self.enter(state)
        begin, actor = self.nodes, self.machine.actor(state)
        children: list[State] = []
        knowns: list[Known] = []
        legal = self.machine.moves(state)
        for move in legal:
            children.append(self.made(state, move))
            knowns.append(self.looked_up(children[-1], question))
            if knowns[-1].answer[actor] == 0:
                break
        is_whole = len(children) == len(legal)
        while True:
            answers = [known.answer for known in knowns]
            own, other = min(needs[actor] for needs in answers), total(needs[1 - actor] for needs in answers)
            if own >= limits[actor] or other >= limits[1 - actor]:
                break
            best = next(i for i, needs in enumerate(answers) if needs[actor] == own)
            second = min((needs[actor] for i, needs in enumerate(answers) if i != best), default=NEVER)
            others = sum(needs[1 - actor] for i, needs in enumerate(answers) if i != best)
            limit = min(limits[actor], second + second // 4 + 1)
            rest = max(limits[1 - actor] - others, answers[best][1 - actor] + 1)
            child_limits = (limit, rest) if actor == 0 else (rest, limit)
            knowns[best], _ = yield self.search(children[best], question, child_limits)
        lows, highs = [known.low for known in knowns], [known.high for known in knowns]
        if actor == 0:
            low, high = max(lows), max(highs) if is_whole else inf
        else:
            low, high = min(lows) if is_whole else -inf, min(highs)
        needs = (own, other) if actor == 0 else (other, own)
        return self.kept(state, Known(low, high, question, needs, self.nodes - begin)), answers

    def made(self, state: State, move: Move) -> State:
        """The state after a move, counted."""
        self.count()
        return self.machine.after(state, move)

    def looked_up(self, state: State, question: Question) -> Known:
        """What is known of a state before it is searched."""
        if self.machine.actor(state) == END:
            self.terminals += 1
            payoff = exact(self.machine.payoff(state)[0])
            return Known(payoff, payoff, question, (1, 1))
        known = self.table.find(self.key(state))
        if known is None:
            return Known(-inf, inf, question, self.unsearched(state))
        self.hits += 1
        is_told = known.question == question or question.is_met(known.low) or not question.is_met(known.high)
        return Known(known.low, known.high, question, known.needs if is_told else self.unsearched(state))

    def unsearched(self, state: State) -> Needs:
        """What the players need in a state of which nothing is known."""
        choices = len(self.machine.moves(state))
        return (1, choices) if self.machine.actor(state) == 0 else (choices, 1)

    def kept(self, state: State, known: Known) -> Known:
        """What is known of a state by now, with what was known before; it is remembered."""
        key = self.key(state)
        before = self.table.find(key)
        if before is not None:
            low, high = max(known.low, before.low), min(known.high, before.high)
            known = Known(low, high, known.question, known.needs, known.work + before.work)
        self.table.keep(key, known)
        if self.table.is_too_small:
            raise self.limits.out_of_memory(self.counts)
        return known

    def key(self, state: State) -> Hashable:
        """What the value of a state depends on."""
        if self.discounted:
            return self.machine.play(state)
        return self.machine.position(state), self.machine.earned(state)[0]


def total(needs: Iterable[int]) -> int:
    """The sum of what is needed behind all moves."""
    together = sum(needs)
    return NEVER if together >= NEVER else min(together, MANY)
