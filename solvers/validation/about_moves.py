"""What is asked about moves: whether each is ever offered, whether two of them are one, and whether ``preferring`` ever
decides."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define

from zermelo.grammar.diagnostics import Finding, Label
from zermelo.grammar.source import Span
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import Move, PlayError, TellingMachine, shown
from zermelo.interpreter.model import Model, Phase, Rule, Turn
from zermelo.interpreter.model.walks import rules_of
from zermelo.solvers.validation.alike import find_alike
from zermelo.solvers.validation.offered import never_offered
from zermelo.solvers.validation.preferences import PLAYS, Preferences, preferring_phases
from zermelo.solvers.validation.reply import SHOWN, Reply
from zermelo.solvers.validation.searching import MOST_EXACTLY, Extent
from zermelo.solvers.validation.shortest_plays import Play, ShortestPlays


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
        yield from self._offered()
        yield from self._alike()
        phases = preferring_phases(self.model)
        if phases:
            yield from self._preferring(phases)

    # ------------------------------------------------------------- moves offered

    def _offered(self) -> Iterator[Reply]:
        """Whether every move and outcome of the file is offered somewhere; an answer for each that is not. It is no
        flaw in a game with parameters, other values of which may offer it."""
        question = "Is every move offered?"
        if self.plays.graph.moves is None:
            yield Reply(question, "not asked", "moves have too many arguments")
            return
        rules = never_offered(self.model, self.plays)
        if not rules:
            yield Reply(question, "yes", "proved" if self.extent.is_whole else SHOWN)
        elif not self.extent.is_whole:
            yield Reply(question, f"not seen: {', '.join(rule.name for rule in rules)}", str(self.extent))
        elif self.model.parameters:
            names = ", ".join(rule.name for rule in rules)
            yield Reply(question, f"no: {names}", "proved for these values of the parameters")
        else:
            for rule in rules:
                yield Reply(question, f"no: {rule.name}", str(self.extent), self._never_offered(rule))

    def _never_offered(self, rule: Rule) -> Finding:
        return Finding(
            "never-offered",
            f"no play comes to a position that offers {rule.name}",
            self.model.source,
            rule.span,
            help="see whether its condition can hold where it stands, and whether a play comes there",
        )

    # ------------------------------------------------------------- moves alike

    def _alike(self) -> Iterator[Reply]:
        question, graph = "Do two moves have the same effect?", self.plays.graph
        if not self.facts.perfect_information.holds:
            yield Reply(question, "does not apply", "")  # moves also tell others something
            return
        if graph.moves is None:
            yield Reply(question, "not asked", "moves have too many arguments")
            return
        found: dict[tuple[str, str], tuple[Play, Move]] = {}
        for edge, other in find_alike(graph):
            play, second = self.plays.through(edge), self.plays.through(other)[-1]
            found.setdefault((play[-1].name, second.name), (play, second))
        if not found:
            yield Reply(question, "no" if self.extent.is_whole else "not seen", str(self.extent))
            return
        if not self.extent.is_whole:  # another position may tell them apart
            yield Reply(question, "not known", str(self.extent))
            return
        for play, second in found.values():
            answer = f"yes: {shown(play[-1])}, {shown(second)}"
            yield Reply(question, answer, str(self.extent), self._same_effect(play, second), play)

    def _same_effect(self, play: Play, second: Move) -> Finding:
        first = play[-1]
        here, there = self._place(first), self._place(second)
        return Finding(
            "same-effect",
            f"{shown(first)} and {shown(second)} have the same effect wherever both are offered",
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

    def _preferring(self, phases: list[Phase]) -> Iterator[Reply]:
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
                yield Reply(question, "no", how, self._idle(phase))
            else:
                yield Reply(question, "not seen", how)

    def _idle(self, phase: Phase) -> Finding:
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
