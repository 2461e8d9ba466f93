"""What is asked of the positions of a game: each question with its answer, how certain that is, and a finding where it
speaks against the rules.

A play is enough to show that something can happen. That it never does is said only of a whole graph, or where the rules
prove it; otherwise the answer stays open, with the extent of the search (:mod:`zermelo.solvers.validation.searching`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from attrs import define, evolve

from zermelo.grammar.diagnostics import Finding
from zermelo.interpreter.checks.claims import CLAIMED, verdict
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.checks.loops import Loop
from zermelo.interpreter.machine import END, Payoff, TellingMachine
from zermelo.interpreter.model import Claim, Const, Model
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.components import find_components, goes_round
from zermelo.solvers.positions.graph.graph import ROOT, PositionGraph
from zermelo.solvers.validation.about_moves import AboutMoves
from zermelo.solvers.validation.about_secrets import AboutSecrets
from zermelo.solvers.validation.at_once import wins_at_once
from zermelo.solvers.validation.lasting import lasting
from zermelo.solvers.validation.reply import BY_RULES, SHOWN, Reply
from zermelo.solvers.validation.sampling import PLAYS as RANDOM_PLAYS
from zermelo.solvers.validation.sampling import SampledPlays
from zermelo.solvers.validation.searching import Extent, Searched
from zermelo.solvers.validation.shortest_plays import ShortestPlays
from zermelo.solvers.validation.stakes import is_plain, pays_different_amounts
from zermelo.solvers.validation.witnesses import Sought, sought

_ALMOST_SURELY: Final = "but chance ends it almost surely, whatever the players do"


def replies(
    machine: TellingMachine[Any], model: Model, facts: Facts, searched: Searched, limits: Limits
) -> Iterator[Reply]:
    """All questions to a game that has been searched: only whether a rule fails if one does. Raises ``ZermeloError``
    (``out-of-time``, ``out-of-memory``)."""
    if (fault := searched.fault) is not None:
        how = "a random play shows it" if searched.sampled else "a shortest play shows it"
        yield Reply("Does a rule fail?", "yes", how, fault.finding, fault.play)
        return
    yield Reply("Does a rule fail?", "no" if searched.extent.is_whole else "not seen", str(searched.extent))
    if searched.graph is not None:
        seen = evolve(searched.extent, plays=0)  # random plays have been asked for errors alone
        asked = _Asked(machine, model, facts, searched.graph, seen, limits, searched.paid)
        yield from asked.players()
        yield asked.going_on()
        yield asked.stakes()
        yield asked.first_moves()
        yield from AboutMoves(machine, model, facts, asked.plays, seen).replies()
        yield from AboutSecrets(machine, model, facts).replies()
        yield from asked.claims()
        yield from asked.witnesses(searched)
    elif searched.extent.plays:  # there has been time for plays, which have met no error
        yield from SampledPlays(machine, facts, limits).replies()


@define(eq=False)
class _Asked:
    """A searched game. Answers about the graph take one look at each position or edge, but for plays that go on."""

    machine: TellingMachine[Any]
    model: Model
    facts: Facts
    graph: PositionGraph
    extent: Extent
    limits: Limits
    paid: frozenset[Payoff]

    def finding(self, code: str, message: str, remark: str = "", help: str = "") -> Finding:
        """A finding about the game as a whole, shown where a play begins."""
        return Finding(code, message, self.model.source, self.model.start.span, remark, help=help)

    @property
    def plays(self) -> ShortestPlays:
        return ShortestPlays(self.machine, self.graph)

    # ------------------------------------------------------------- players

    def players(self) -> Iterator[Reply]:
        """Who moves, and of these, who has a choice."""
        moving, choosing = self._active()
        idle = [name for player, name in enumerate(self.graph.players) if player not in moving]
        bound = [name for player, name in enumerate(self.graph.players) if player not in choosing]
        yield self._about_players("Does everybody move?", idle, idle, "idle-player", "never moves")
        shown = [name for name in bound if name not in idle]  # of the others there is a finding already
        yield self._about_players("Has everybody a choice?", bound, shown, "no-choice", "never has a choice")

    def _about_players(self, question: str, lacking: list[str], shown: list[str], code: str, said: str) -> Reply:
        """The answer to a question about some players who lack something; what is ``said`` of those who are ``shown``
        is a finding."""
        is_whole, names = self.extent.is_whole, ", ".join(lacking)
        if not lacking:
            return Reply(question, "yes", "proved" if is_whole else SHOWN)
        if not is_whole:
            return Reply(question, f"not seen of {names}", str(self.extent))
        if not shown:
            return Reply(question, f"no: {names}", str(self.extent))
        message = f"{shown[0]} {said}" if len(shown) == 1 else f"each of {', '.join(shown)} {said}"
        help = "see whether a condition keeps their moves away"
        if len(self.graph.players) > 1:
            help += ", or give the players of the game without them"
        return Reply(question, f"no: {names}", str(self.extent), self.finding(code, message, help=help))

    def _active(self) -> tuple[set[int], set[int]]:
        """The players who move, and those who somewhere have at least two moves."""
        graph, players = self.graph, len(self.graph.players)
        moving, choosing = set[int](), set[int]()
        for position in range(len(graph)):
            kind = graph.kinds[position]
            if kind < 0:
                continue
            moving.add(kind % players)
            if graph.firsts[position + 1] - graph.firsts[position] > 1:
                choosing.add(kind % players)
                if len(choosing) == players:
                    break
        return moving, choosing

    # ------------------------------------------------------------- length

    def going_on(self) -> Reply:
        """Whether a play can go on for ever, and who can force that."""
        question = "Can a play go on for ever?"
        if self.facts.terminates.holds:
            return Reply(question, "no", BY_RULES)
        circle = self._first_circle()
        if circle is None:
            return Reply(question, "no" if self.extent.is_whole else "not seen", str(self.extent))
        entry = min(circle)
        play = self.plays.to(entry)
        loop = Loop(play, self.plays.back_to(entry, circle))
        is_sure_to_end = self.extent.is_whole and not lasting(self.graph, range(len(self.graph.players)))
        who = _ALMOST_SURELY if is_sure_to_end else self._who_goes_on() if self.extent.is_whole else ""
        answer = f"yes; {who}" if who else "yes"
        if is_sure_to_end or self.facts.has_endless or self.graph.discount != 1:
            return Reply(question, answer, SHOWN, None, play)
        finding = self.finding(
            "endless-play",
            f"a play can go on for ever: {loop}",
            remark=who,
            help="say with 'endless' what such a play pays, or end it: count the moves, or forbid repetitions",
        )
        return Reply(question, answer, SHOWN, finding, play)

    def _circles(self) -> list[Sequence[int]]:
        """The strongly connected components that plays go round in."""
        if self.graph.rises:
            return []
        return [each for each in find_components(self.graph, self.limits) if goes_round(self.graph, each)]

    def _first_circle(self) -> frozenset[int] | None:
        """The circle, of those that plays go round in, that a play comes to first."""
        found = min(self._circles(), key=min, default=None)
        return None if found is None else frozenset(found)

    def _who_goes_on(self) -> str:
        """Who can keep plays from ending, in words; somebody can."""
        graph, everybody = self.graph, range(len(self.graph.players))
        if len(everybody) == 1:
            return f"{graph.players[0]} can force it"
        is_known = self.facts.perfect_information.holds and not self.facts.simultaneous.holds
        able = [graph.players[player] for player in everybody if is_known and lasting(graph, {player})]
        if able:
            return f"{' or '.join(able)} alone can force it from some position"
        return "nobody alone can force it" if is_known else "if the players agree"

    # ------------------------------------------------------------- payoffs

    def stakes(self) -> Reply:
        """Whether plays pay different amounts."""
        graph, question, is_whole = self.graph, "Do plays pay different amounts?", self.extent.is_whole
        if is_plain(graph) and len({graph.kinds[position] for position in self._ends()}) > 1:
            differ: bool | None = True
        else:
            differ = pays_different_amounts(graph, self._circles())
        if differ:
            return Reply(question, "yes", "proved" if is_whole else SHOWN)
        if not is_whole:
            if len(self.paid) > 1:
                return Reply(question, "yes", SHOWN)
            beside = f", sampled in {RANDOM_PLAYS} plays" if self.paid else ""
            return Reply(question, "not seen", f"{self.extent}{beside}")
        paid = next((graph.payoff(position) for position in self._ends()), graph.endless)
        if differ is None or paid is None:
            return Reply(question, "not seen", "not found what plays pay that never end")
        if not is_plain(graph):
            return Reply(question, "no", str(self.extent))
        amounts = ", ".join(map(str, paid))
        finding = self.finding(
            "nothing-at-stake",
            f"every play pays the same: ({amounts})",
            help="see whether a condition of 'end' never holds, or always",
        )
        return Reply(question, "no", str(self.extent), finding)

    def first_moves(self) -> Reply:
        """Whether somebody wins before the others have had a real say."""
        question = "Does the first player win within two moves?"
        graph, facts = self.graph, self.facts
        is_asked = len(graph.players) > 1 and facts.perfect_information.holds and not facts.simultaneous.holds
        if not is_asked or graph.rewards is not None or graph.discount != 1:
            return Reply(question, "does not apply", "")
        if not self.extent.is_whole:
            return Reply(question, "not asked", "not all positions are known")
        edges = wins_at_once(graph)
        if edges is None:
            return Reply(question, "no", str(self.extent))
        player, play = graph.players[graph.kinds[ROOT]], self.plays.along(edges)
        finding = self.finding(
            "won-at-once",
            f"{player} gets the most that any play pays them within two of their moves, whatever the others do",
            help="see whether the others have the moves that they should have",
        )
        return Reply(question, f"yes: {player}", str(self.extent), finding, play)

    # ------------------------------------------------------------- claims

    def claims(self) -> Iterator[Reply]:
        """The claims of the file about payoffs that the rules alone leave open, where nothing is earned on the way and
        nothing discounted: so that they are about what the ends pay."""
        if self.graph.rewards is None and self.graph.discount == 1:
            for claim in self.model.claims:
                is_open = verdict(claim, self.facts, self.model).holds is None
                if is_open and claim.property in ("zero_sum", "constant_sum", "common_payoff"):
                    yield self._about_payoffs(claim)

    def _about_payoffs(self, claim: Claim) -> Reply:
        graph = self.graph
        question = f"Is it {CLAIMED[claim.property]}?"
        for position in self._ends():
            paid = graph.payoff(position)
            match claim.property, claim.arguments:
                case "common_payoff", _:
                    is_right = len(set(paid)) == 1
                case "constant_sum", (Const(value=amount),):
                    is_right = sum(paid) == amount
                case _:
                    is_right = sum(paid) == 0
            if not is_right:
                finding = Finding(
                    "false-claim",
                    f"the game is not {CLAIMED[claim.property]}",
                    self.model.source,
                    claim.span,
                    f"a play pays ({', '.join(map(str, paid))})",
                    help="remove the claim, or mend the rules; no solver relies on a claim",
                )
                return Reply(question, "no", SHOWN, finding, self.plays.to(position))
        return Reply(question, "yes" if self.extent.is_whole else "not refuted", str(self.extent))

    def _ends(self) -> Iterator[int]:
        """The positions in which plays end: the last ones."""
        position = len(self.graph)
        while position and self.graph.actor(position - 1) == END:
            position -= 1
            yield position

    # ------------------------------------------------------------- witnesses

    def witnesses(self, searched: Searched) -> Iterator[Reply]:
        """The lines of the file with ``reachable`` and ``never``."""
        for found in sought(self.plays, self.model, searched):
            line = " ".join(self.model.source.excerpt(found.witness.span).split())
            question, how = f"Does '{line}' hold?", SHOWN if found.play is not None else str(found.extent)
            match found.holds:
                case None:
                    yield Reply(question, "not seen" if found.witness.is_wanted else "not refuted", how)
                case True:
                    yield Reply(question, "yes", how, play=found.play)
                case False:
                    yield Reply(question, "no", how, self._false_witness(found), found.play)

    def _false_witness(self, found: Sought) -> Finding:
        return Finding(
            "false-witness",
            "no play comes to this" if found.witness.is_wanted else "a play comes to this",
            self.model.source,
            found.witness.span,
            help="mend the rules, or the line",
        )


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]
