"""What random plays show of a game whose positions cannot be searched, above all because chance deals from more
outcomes than can be listed. A play shows for certain that something can happen; that it never does it cannot show."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from attrs import define, field

from zermelo.grammar.deadline import look
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import CHANCE, END, Machine, Payoff, PlayError
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.validation.reply import BY_RULES, SHOWN, Reply

PLAYS: Final = 50

_LONGEST: Final = 1_000
"""The most moves of a play."""


@define(eq=False)
class SampledPlays:
    """What some random plays show, the same in every run: the players who have ``moved``, those who have ``chosen``
    among several moves, and what the plays that have ended have ``paid``."""

    machine: Machine[Any]
    facts: Facts
    limits: Limits
    moved: set[int] = field(factory=set)
    chosen: set[int] = field(factory=set)
    paid: set[Payoff] = field(factory=set)

    def replies(self) -> Iterator[Reply]:
        """The questions that plays may answer; only whether a rule fails if one does. Raises ``ZermeloError``
        (``out-of-time``)."""
        try:
            self.play()
        except PlayError as fault:
            yield Reply("Does a rule fail?", "yes", "a random play shows it", fault.finding, fault.play)
            return
        yield self._about_players("Does everybody move?", self.moved)
        yield self._about_players("Has everybody a choice?", self.chosen)
        if self.facts.terminates.holds:
            yield Reply("Can a play go on for ever?", "no", BY_RULES)
        is_seen = len(self.paid) > 1
        yield Reply("Do plays pay different amounts?", "yes" if is_seen else "not seen", SHOWN if is_seen else _SAMPLED)

    def play(self) -> None:
        """Make the plays. Raises ``PlayError`` if a rule fails in one, and ``ZermeloError`` (``out-of-time``)."""
        random = Random(0)
        for _ in range(PLAYS):
            with self.limits.kept():  # also where the time was up before, and what noticed it has ended
                self._play(random)

    def _play(self, random: Random) -> None:
        machine, state = self.machine, self.machine.initial()
        for _ in range(_LONGEST):
            look()
            actor = machine.actor(state)
            if actor == END:
                self.paid.add(machine.payoff(state))
                break
            if actor == CHANCE:
                move = machine.draw(state, random)
            else:
                moves = machine.moves(state)
                move = random.choice(moves)
                self.moved.add(actor)
                if len(moves) > 1:
                    self.chosen.add(actor)
            state = machine.after(state, move)

    def _about_players(self, question: str, able: set[int]) -> Reply:
        lacking = [name for player, name in enumerate(self.machine.player_names) if player not in able]
        if not lacking:
            return Reply(question, "yes", SHOWN)
        return Reply(question, f"not seen of {', '.join(lacking)}", _SAMPLED)


def paid_at_random(machine: Machine[Any], facts: Facts, limits: Limits) -> frozenset[Payoff]:
    """What random plays pay, of those that end. Raises ``PlayError`` if a rule fails in one, and ``ZermeloError``
    (``out-of-time``)."""
    sampled = SampledPlays(machine, facts, limits)
    sampled.play()
    return frozenset(sampled.paid)


_SAMPLED: Final = f"sampled in {PLAYS} plays"
