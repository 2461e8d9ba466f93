"""The questions about moves: whether each is ever offered, whether two of them always have the same effect, and whether
``preferring`` ever decides.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any, Final

from attrs import define, evolve, field

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar.diagnostics import Finding, Label, Span
from zermelo.interpreter.checks.game_facts import Facts, choices_at
from zermelo.interpreter.machine import END, Machine, Move, PlayError, TellingMachine, display_text
from zermelo.interpreter.model import Model, Phase, Rule, Turn
from zermelo.interpreter.model.rewriting import rules_of
from zermelo.interpreter.reference.machine import ReferenceMachine
from zermelo.interpreter.reference.run import ReferenceState
from zermelo.solvers.positions.graph.graph import PAYS, PositionGraph
from zermelo.solvers.search.random_plays import random_steps
from zermelo.solvers.validation.shortest_plays import (
    MOST_EXACTLY,
    SHOWN,
    Extent,
    Play,
    Reply,
    ShortestPlays,
    replies_about_lacking,
)

# Moves that have the same effect wherever both are offered.
#
# Two moves are *alike* in a position if they lead to the same position and earn the same; ends that pay the same are
# one position. They are alike in a game if that is so in every position in which a player is offered both, and in one
# of these the play goes on after them: payoffs are often equal by chance at the end. So a pair of such moves is one
# choice twice. This presumes that players always know the position: elsewhere a move also tells others something.
#
# Two passes over the edges: the first collects the pairs that are alike somewhere, by equal targets within a position;
# the second drops those that differ somewhere, and ends when there are none left. Cost: one look at each edge in the
# first pass, which for most games is all; in the second, for each position, one look at each pair that it offers.
#
# Choices that are made at once are left out: what others have chosen by then is a part of the position.


_PART: Final = 1 << 12
"""Positions that are looked at together."""

Pair = tuple[int, int]


def find_alike_moves(graph: PositionGraph) -> list[Pair]:
    """Pairs of edges that leave one position and whose moves are alike, in the order in which they are met: one for
    each pair of moves. The graph has the moves."""
    found = _pairs_alike_somewhere(graph)
    partners: dict[int, set[int]] = defaultdict(set)
    for move, other in found:
        partners[move].add(other)
    for _, moves, results in _decisions(graph):
        if not found:
            break
        if partners.keys().isdisjoint(moves):
            continue
        result_of = dict(zip(moves, results, strict=True))
        for move in partners.keys() & result_of.keys():
            different = {other for other in partners[move] & result_of.keys() if result_of[other] != result_of[move]}
            partners[move] -= different
            for other in different:
                del found[move, other]
    return list(found.values())


def _pairs_alike_somewhere(graph: PositionGraph) -> dict[Pair, Pair]:
    """The pairs of moves that lead to the same position somewhere, from which the play goes on, each with the first
    such pair of edges."""
    found: dict[Pair, Pair] = {}
    for first, moves, results in _decisions(graph):
        if len(set(results)) == len(results):
            continue
        places: dict[int, list[int]] = defaultdict(list)
        for k, result in enumerate(results):
            if graph.kinds[result % len(graph)] > PAYS:
                places[result].append(k)
        for alike in places.values():
            for k, other in combinations(alike, 2):
                pair = (moves[k], moves[other]) if moves[k] < moves[other] else (moves[other], moves[k])
                found.setdefault(pair, (first + k, first + other))
    return found


def _decisions(graph: PositionGraph) -> Iterator[tuple[int, Sequence[int], Sequence[int]]]:
    """The positions in which a player decides alone and has a choice: the first edge, the moves, and the result of
    each, which is its target plus the number of positions times its reward."""
    assert graph.moves is not None, "the graph has the moves"
    edges = graph.firsts[len(graph)]
    for begin in range(0, len(graph), _PART):
        check_deadline()
        end = min(begin + _PART, len(graph))
        firsts = list(graph.firsts[begin : end + 1])
        if firsts[0] == edges:  # no moves have been made from here on
            break
        kinds = list(graph.kinds[begin:end])
        low, high = firsts[0], firsts[-1]
        moves = list(graph.moves[low:high])
        results = list(graph.targets[low:high])
        if graph.rewards is not None:
            earned = list(graph.rewards[low:high])
            results = [target + len(graph) * reward for target, reward in zip(results, earned, strict=True)]
        for k, kind in enumerate(kinds):
            a, b = firsts[k] - low, firsts[k + 1] - low
            if b - a > 1 and 0 <= kind < len(graph.players):
                yield firsts[k], moves[a:b], results[a:b]


# Rules for moves and outcomes that no position offers.
#
# Moves are told apart by name: if several rules share one, it is enough that one of them offers a move. So a rule that
# is found here offers nothing in any position that was searched; of a whole graph, in any position at all.
#
# Equal moves have one number in the graph, so the move is worked out once for each number, at the first edge that has
# it, until all names have been met. Cost: one look at each edge, and for each number one at the edges before its first
# edge, which are few for most numbers; games in which every name is met early take no more than these.


def rules_never_offered(model: Model, plays: ShortestPlays) -> list[Rule]:
    """The rules whose moves or outcomes no position offers, the first of each name, in the order of the file. The graph
    has the moves."""
    graph = plays.graph
    assert graph.moves is not None, "the graph has the moves"
    missing = dict[str, Rule]()
    for phase in model.phases.values():
        for rule in rules_of(phase.decision):
            missing.setdefault(rule.name, rule)
    known = set[int]()
    for edge in range(graph.firsts[len(graph)]):
        if not missing:
            break
        number = graph.moves[edge]
        if number not in known:
            check_deadline()
            known.add(number)
            missing.pop(plays.through(edge)[-1].name, None)
    return sorted(missing.values(), key=lambda rule: rule.span.start)


# Whether a ``preferring`` ever leaves out a move that the rules allow.
#
# The game is played beside the same game without any ``preferring``, on the reference machine; every play of the former
# is a play of the latter, too. A move is left out where the other game offers more. If positions are few, all are
# looked at, otherwise random plays, until every ``preferring`` has left out a move. One play is enough to show that;
# that one never does is proved only by all positions.


PLAYS: Final = 20
"""Random plays, where positions are too many."""

_LONGEST: Final = 1_000
"""The most moves of a random play."""

StatePair = tuple[Any, ReferenceState]
"""The states of both games after a play."""


def preferring_phases(model: Model) -> list[Phase]:
    """The phases whose decision prefers some moves to others."""
    return [phase for phase in model.phases.values() if isinstance(phase.decision, Turn) and phase.decision.preferring]


@define(eq=False)
class Preferences:
    """``plays`` has, by the name of a phase, a play to a decision of it in which moves are left out; nothing for a
    phase where no such decision has been seen."""

    machine: Machine[Any]
    model: Model
    free: ReferenceMachine = field(init=False)
    plays: dict[str, Play] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        phases = {name: _without_preferring(phase) for name, phase in self.model.phases.items()}
        self.free = ReferenceMachine(evolve(self.model, phases=phases))

    def ask(self, is_everywhere: bool) -> None:
        """Look at positions, all that plays can reach or those of random plays. Raises ``PlayError``."""
        wanted = {phase.name for phase in preferring_phases(self.model)}
        for state, beside in self._positions() if is_everywhere else self._random_states():
            check_deadline()
            name = beside.phase.name
            if name in wanted and len(self.free.moves(beside)) > len(self.machine.moves(state)):
                self.plays[name] = self.machine.play(state)
                wanted.remove(name)
            if not wanted:
                break

    def _positions(self) -> Iterator[StatePair]:
        """The states of each position that is no end, breadth first."""
        machine = self.machine
        waiting = [(machine.initial(), self.free.initial())]
        known: set[Hashable] = set()
        for state, beside in waiting:  # to which others are added on the way
            if machine.actor(state) != END and (position := machine.position(state)) not in known:
                known.add(position)
                yield state, beside
                waiting.extend(
                    (machine.after(state, move), self.free.after(beside, move)) for move in choices_at(machine, state)
                )

    def _random_states(self) -> Iterator[StatePair]:
        """The states along random plays, which are the same in every run."""
        machine, random = self.machine, Random(0)
        for _ in range(PLAYS):
            beside = self.free.initial()
            for step in random_steps(machine, machine.initial(), random, _LONGEST):
                if step.made is not None:
                    beside = self.free.after(beside, step.made)
                if step.actor != END:
                    yield step.state, beside


def _without_preferring(phase: Phase) -> Phase:
    decision = phase.decision
    return evolve(phase, decision=evolve(decision, preferring=())) if isinstance(decision, Turn) else phase


@define(eq=False)
class AboutMoves:
    """The questions about the moves of a game whose positions have been searched, to an ``extent``."""

    machine: TellingMachine[Any]
    model: Model
    facts: Facts
    plays: ShortestPlays
    extent: Extent

    def replies(self) -> Iterator[Reply]:
        """All of them; the one about ``preferring`` for each phase that has it."""
        yield from self._replies_about_offers()
        yield from self._replies_about_alike()
        phases = preferring_phases(self.model)
        if phases:
            yield from self._replies_about_preferring(phases)

    # ------------------------------------------------------------- moves offered

    def _replies_about_offers(self) -> Iterator[Reply]:
        """Whether every move and outcome of the file is offered somewhere."""
        question = "Is every move offered?"
        if self.plays.graph.moves is None:
            yield Reply(question, "not asked", "moves have too many arguments")
            return
        found = [(rule.name, self._never_offered_finding(rule)) for rule in rules_never_offered(self.model, self.plays)]
        listed = ", ".join(name for name, _ in found)
        yield from replies_about_lacking(question, self.extent, bool(self.model.parameters), found, listed)

    def _never_offered_finding(self, rule: Rule) -> Finding:
        return Finding(
            "never-offered",
            f"no play comes to a position that offers {rule.name}",
            self.model.source,
            rule.span,
            help="see whether its condition can hold where it stands, and whether a play comes there",
        )

    # ------------------------------------------------------------- moves alike

    def _replies_about_alike(self) -> Iterator[Reply]:
        question, graph = "Do two moves have the same effect?", self.plays.graph
        if not self.facts.perfect_information.holds:
            yield Reply(question, "does not apply", "")  # moves also tell others something
            return
        if graph.moves is None:
            yield Reply(question, "not asked", "moves have too many arguments")
            return
        found: dict[tuple[str, str], tuple[Play, Move]] = {}
        for edge, other in find_alike_moves(graph):
            play, second = self.plays.through(edge), self.plays.through(other)[-1]
            found.setdefault((play[-1].name, second.name), (play, second))
        if not found:
            yield Reply(question, "no" if self.extent.is_whole else "not seen", str(self.extent))
            return
        if not self.extent.is_whole:  # another position may tell them apart
            yield Reply(question, "not known", str(self.extent))
            return
        for play, second in found.values():
            answer = f"yes: {display_text(play[-1])}, {display_text(second)}"
            yield Reply(question, answer, str(self.extent), self._same_effect_finding(play, second), play)

    def _same_effect_finding(self, play: Play, second: Move) -> Finding:
        first = play[-1]
        here, there = self._place(first), self._place(second)
        return Finding(
            "same-effect",
            f"{display_text(first)} and {display_text(second)} have the same effect wherever both are offered",
            self.model.source,
            here,
            labels=() if here == there else (Label(there, "the other one"),),
            help="remove one of them, or see which effect it should have",
        )

    def _place(self, move: Move) -> Span:
        """A rule of this name."""
        rules = (rule for phase in self.model.phases.values() for rule in rules_of(phase.decision))
        return next((rule.span for rule in rules if rule.name == move.name), self.model.start.span)

    # ------------------------------------------------------------- preferring

    def _replies_about_preferring(self, phases: list[Phase]) -> Iterator[Reply]:
        """Whether each ``preferring`` ever leaves out a move."""
        is_everywhere = self.extent.is_whole and self.extent.positions <= MOST_EXACTLY
        preferences = Preferences(self.machine, self.model)
        how = "proved" if is_everywhere else f"sampled in {PLAYS} plays"
        try:
            preferences.ask(is_everywhere)
        except PlayError:  # in a position that has not been searched
            is_everywhere, how = False, "a rule failed"
        for phase in phases:
            question = f"Does 'preferring' decide in {phase.name}?"
            play = preferences.plays.get(phase.name)
            if play is not None:
                yield Reply(question, "yes", SHOWN, play=play)
            elif is_everywhere:
                yield Reply(question, "no", how, self._idle_finding(phase))
            else:
                yield Reply(question, "not seen", how)

    def _idle_finding(self, phase: Phase) -> Finding:
        assert isinstance(phase.decision, Turn)
        first, last = phase.decision.preferring[0].span, phase.decision.preferring[-1].span
        return Finding(
            "idle-preferring",
            "this 'preferring' never leaves out a move",
            self.model.source,
            first.to(last),
            "all moves that the rules allow are as good by this",
            help="remove it, or see whether it should compare something else",
        )
