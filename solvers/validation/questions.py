"""The questions about the positions of a game: each with its answer, how certain that is, and a finding where it speaks
against the rules.

A play is enough to show that something can happen. That it never does is said only of a whole graph, or where the rules
prove it; otherwise the answer stays open, with the extent of the search
(:mod:`zermelo.solvers.validation.shortest_plays`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, Final

from attrs import define, evolve

from zermelo.foundation.deadline import check_deadline
from zermelo.grammar.diagnostics import Finding
from zermelo.interpreter.checks.claims import CLAIMED, verdict
from zermelo.interpreter.checks.game_facts import Facts, Loop
from zermelo.interpreter.machine import END, Payoff, TellingMachine, payoff_text
from zermelo.interpreter.model import Claim, Const, Model
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.positions.graph.graph import PAYS, ROOT, PositionGraph, attractor, find_components, goes_round
from zermelo.solvers.validation.about_moves import AboutMoves
from zermelo.solvers.validation.about_secrets import AboutSecrets
from zermelo.solvers.validation.shortest_plays import (
    BY_RULES,
    SHOWN,
    Extent,
    Reply,
    SampledPlays,
    Searched,
    ShortestPlays,
)
from zermelo.solvers.validation.shortest_plays import SAMPLED_PLAYS as RANDOM_PLAYS
from zermelo.solvers.validation.witnesses import Sought, sought_witnesses

# Whether the first player has won before the others have had a real say: within two moves of their own.
#
# To *win* is to get the most that any end of the game pays them, where ends pay them differently. A minimax search from
# the root, cut off after two of their moves, and after some moves of others, finds whether they can force that against
# everybody else and chance. The search is sound: what is cut off counts as not won. Cost: the plays of that length.


_MOVES: Final = 2
_LONGEST: Final = 5
"""The most moves and outcomes of a play in which the player moves at most twice."""


def find_quick_win(graph: PositionGraph) -> list[int] | None:
    """The edges of a play in which the first player wins by forced moves, within two of their own; None if they cannot
    force that, or if chance acts first. The players know the position, and nobody earns on the way."""
    player = graph.actor(ROOT)
    paid = {graph.payoff(end)[player] for end in _ends(graph)} if player >= 0 else set()
    return _forced_win(graph, ROOT, player, max(paid), _MOVES, _LONGEST) if len(paid) > 1 else None


def _ends(graph: PositionGraph) -> list[int]:
    return [position for position in range(len(graph)) if graph.actor(position) == END]


def _forced_win(
    graph: PositionGraph, position: int, player: int, best: object, moves: int, length: int
) -> list[int] | None:
    """The edges of a play from a position to an end that pays the player ``best``, which they can force within so many
    moves of theirs, and so many in all; None if they cannot."""
    actor = graph.actor(position)
    if actor == END:
        return [] if graph.payoff(position)[player] == best else None
    if length == 0 or (actor == player and moves == 0):
        return None
    longest: list[int] | None = None
    for edge in graph.edges(position):
        play = _forced_win(graph, graph.targets[edge], player, best, moves - (actor == player), length - 1)
        if actor == player and play is not None:
            return [edge, *play]
        if actor != player and play is None:
            return None
        if play is not None and (longest is None or len(play) >= len(longest)):
            longest = [edge, *play]
    return longest


# Who can keep a play from ending.
#
# A set of positions *lasts* for a keeper if it holds no end, each of its positions in which the keeper decides has a
# move that stays in it, and every move of others and every outcome of chance stays in it. There is a largest such set,
# the union of all. From its positions the keeper can go on for ever, whatever the others do and chance brings: by moves
# that stay. From all other positions the keeper cannot, against everybody else and the worst of luck: these positions
# have been taken away one after another, each because it is an end, or because the others have a way to a position
# taken away before, or the keeper has no other way; so the others reach an end within as many steps.
#
# With *all* players as keepers, together, the set is empty if and only if chance ends every play with probability 1,
# whatever anybody does: in a finite graph, plays that avoid the ends with a positive probability come with the same
# probability to stay for ever in a set that lasts (an end component; de Alfaro 1997).
#
# Players are taken to know the position and to choose one after the other; for other games only the result for all
# players together means anything.
#
# Cost: one step for each edge, and flat lists of the positions and of the edges by their targets. A whole graph may
# have millions: with :func:`~zermelo.solvers.positions.graph.graph.attractor` it takes twice the time and memory.


_BETWEEN = 4096
"""Positions between two looks at the clock."""


def sustainable_positions(graph: PositionGraph, keepers: Collection[int]) -> set[int]:
    """The positions from which the ``keepers`` together can keep a play of a whole graph from ending, whatever all
    others and chance do."""
    sources, firsts = _reverse_edges(graph)
    everywhere = range(len(graph))
    left = [len(graph.edges(position)) if graph.actor(position) in keepers else 1 for position in everywhere]
    ended = [position for position in everywhere if graph.actor(position) == END]
    is_taken = bytearray(len(graph))
    for position in ended:
        is_taken[position] = True
    for k, position in enumerate(ended):  # to which others are added on the way
        if k % _BETWEEN == 0:
            check_deadline()
        for source in sources[firsts[position] : firsts[position + 1]]:
            left[source] -= 1
            if left[source] == 0:
                is_taken[source] = True
                ended.append(source)
    return {position for position in everywhere if not is_taken[position]}


def _reverse_edges(graph: PositionGraph) -> tuple[list[int], list[int]]:
    """The sources of all edges, sorted by their targets, and where the sources of each target begin."""
    edges = graph.firsts[len(graph)]
    counts = [0] * (len(graph) + 1)
    for edge in range(edges):
        counts[graph.targets[edge] + 1] += 1
    firsts = list(accumulate(counts))
    free = firsts[:]
    sources = [0] * edges
    for position in range(len(graph)):
        for edge in graph.edges(position):
            target = graph.targets[edge]
            sources[free[target]] = position
            free[target] += 1
    return sources, firsts


def _targets(graph: PositionGraph, position: int) -> list[int]:
    """Where the edges of a position lead."""
    return [graph.targets[edge] for edge in graph.edges(position)]


# Whether plays pay different amounts.
#
# What a play pays is ``earned + factor * rest``: what has been earned when it comes to a position, the product of the
# discounts before it, and what the rest brings. Each position gets the first two from a shortest play to it. Let T be
# what the first ending play that is found pays.
#
# *All plays that end pay T if and only if every edge says so.* If they do, each position p from which a play can end
# has one rest, ``R(p) = (T - earned(p)) / factor(p)``; at an end it is what that pays, and along an edge ``R(p) =
# reward + factor * R(target)``. Conversely, if all of this holds, every rest is what it says, from the ends backwards.
# If an edge breaks it, go to p, take the edge, and go on to an end: either that does not pay T, or the shortest play to
# its target with the same rest does not.
#
# *Plays that never end.* With a discount on the way round, such a play pays what the rest of its positions says, if an
# end can be reached from these (the factors go to 0, and there are finitely many rests), and else what it has earned
# and will earn. Without one, and if nothing is earned in the circle, it pays what it has earned and what ``endless``
# says. Where something is earned in the circle, or on the way to one from which no play ends, no answer is given.
#
# Cost: a look at each edge, at most, until a difference is found.


Label = tuple[Payoff, Fraction]
"""What has been earned, and the product of the discounts."""


def pays_different_amounts(graph: PositionGraph, circles: Sequence[Iterable[int]]) -> bool | None:
    """Whether two of the plays through a graph, which may be a part of a game, pay different amounts; the ``circles``
    are its components that plays go round in. None if no play is known to pay anything, or the rules do not say what an
    endless play pays, though all others pay the same."""
    paid = _Paid(graph)
    total = None
    for position, _ in paid.labels():
        if graph.kinds[position] <= PAYS:
            found = paid.total(position, graph.payoff(position))
            if total is not None and found != total:
                return True
            total = found
    ending = _positions_reaching_ends(graph, paid.by_position) if circles or not is_plain(graph) else set[int]()
    if total is not None and not is_plain(graph) and _has_deviating_edge(paid, total, ending):
        return True
    answer: bool | None = None if total is None else False
    for circle in circles:
        for amount in _endless_payoffs(paid, set(circle), ending):
            if amount is None:
                return None
            if total is not None and amount != total:
                return True
            total, answer = amount, False
    return answer


def is_plain(graph: PositionGraph) -> bool:
    """Whether a play that ends pays what its end does, and nothing else."""
    return graph.rewards is None and graph.discount == 1


class _Paid:
    """The labels of the positions of a graph."""

    def __init__(self, graph: PositionGraph) -> None:
        self.graph = graph
        nothing = (Fraction(0),) * len(graph.players)
        self.by_position: dict[int, Label] = {ROOT: (nothing, Fraction(1))}

    def labels(self) -> Iterator[tuple[int, Label]]:
        """Label the positions that can be reached, breadth first."""
        waiting = [ROOT]
        while waiting:
            further = []
            for position in waiting:
                yield position, self.by_position[position]
                for edge in self.graph.edges(position):
                    target = self.graph.targets[edge]
                    if target not in self.by_position:
                        self.by_position[target] = self.after(position, edge)
                        further.append(target)
            waiting = further

    def after(self, position: int, edge: int) -> Label:
        earned, factor = self.by_position[position]
        reward = self.graph.reward(edge)
        amounts = tuple(a + factor * b for a, b in zip(earned, reward, strict=True))
        return amounts, factor * self.graph.factor(position, edge)

    def total(self, position: int, rest: Payoff) -> Payoff:
        earned, factor = self.by_position[position]
        return tuple(a + factor * b for a, b in zip(earned, rest, strict=True))


def _has_deviating_edge(paid: _Paid, total: Payoff, ending: Collection[int]) -> bool:
    """Whether an edge shows that a play pays something else than all plays found so far."""
    graph = paid.graph
    for position in paid.by_position:
        for edge in graph.edges(position):
            target = graph.targets[edge]
            if target in ending and paid.after(position, edge) != paid.by_position[target]:
                earned, factor = paid.by_position[target]
                rest = tuple((t - a) / factor for t, a in zip(total, earned, strict=True))
                amounts, shrunk = paid.after(position, edge)
                if tuple(a + shrunk * b for a, b in zip(amounts, rest, strict=True)) != total:
                    return True
    return False


def _positions_reaching_ends(graph: PositionGraph, reached: Collection[int]) -> Collection[int]:
    ends = (position for position in reached if graph.kinds[position] <= PAYS)
    return attractor(ends, ((position, _targets(graph, position)) for position in reached), lambda position: False)


def _endless_payoffs(paid: _Paid, circle: set[int], ending: Collection[int]) -> Iterator[Payoff | None]:
    """What plays that stay in a circle for ever pay: an amount for each position of the circle that plays come to; None
    if the rules do not say it, or it is not found."""
    graph = paid.graph
    for position in circle & paid.by_position.keys():
        edges = [edge for edge in graph.edges(position) if graph.targets[edge] in circle]
        earns = any(any(graph.reward(edge)) for edge in edges)
        if earns or (graph.rewards is not None and position not in ending):
            yield None
        elif graph.discount < 1:
            yield paid.by_position[position][0]
        else:
            yield None if graph.endless is None else paid.total(position, graph.endless)


_ALMOST_SURELY: Final = "but chance ends it almost surely, whatever the players do"


def replies(
    machine: TellingMachine[Any], model: Model, facts: Facts, searched: Searched, limits: Limits
) -> Iterator[Reply]:
    """All questions about a game that has been searched; if a rule fails, only the one about that. Raises
    ``ZermeloError`` (``out-of-time``, ``out-of-memory``)."""
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
    """A searched game. Answers about the graph take one look at each position or edge, except about endless plays."""

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
        """Whether everybody moves, and whether everybody has a choice."""
        moving, choosing = self._active()
        idle = [name for player, name in enumerate(self.graph.players) if player not in moving]
        bound = [name for player, name in enumerate(self.graph.players) if player not in choosing]
        yield self._about_players("Does everybody move?", idle, idle, "idle-player", "never moves")
        shown = [name for name in bound if name not in idle]  # of the others there is a finding already
        yield self._about_players("Has everybody a choice?", bound, shown, "no-choice", "never has a choice")

    def _about_players(self, question: str, lacking: list[str], shown: list[str], code: str, said: str) -> Reply:
        """The answer to a question whether players are ``lacking`` something; the finding says ``said`` of those who
        are ``shown``."""
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
        is_sure_to_end = self.extent.is_whole and not sustainable_positions(self.graph, range(len(self.graph.players)))
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
        """The circle that a play comes to first."""
        found = min(self._circles(), key=min, default=None)
        return None if found is None else frozenset(found)

    def _who_goes_on(self) -> str:
        """Who can keep plays from ending, in words; somebody can."""
        graph, everybody = self.graph, range(len(self.graph.players))
        if len(everybody) == 1:
            return f"{graph.players[0]} can force it"
        is_known = self.facts.perfect_information.holds and not self.facts.simultaneous.holds
        able = [graph.players[player] for player in everybody if is_known and sustainable_positions(graph, {player})]
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
        finding = self.finding(
            "nothing-at-stake",
            f"every play pays the same: {payoff_text(paid)}",
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
        edges = find_quick_win(graph)
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
        """The claims of the file about payoffs that the rules alone leave open, if nothing is earned on the way and
        nothing is discounted, so that these claims are about what the ends pay."""
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
                    f"a play pays {payoff_text(paid)}",
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
        for found in sought_witnesses(self.plays, self.model, searched):
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
