"""Rules of moves and outcomes of which no position offers anything.

Moves are told apart by name: if several rules share one, it is enough that one of them offers a move. So a rule that is
found here offers nothing in any position that was searched; of a whole graph, in any position at all.

Equal moves have one number in the graph, so the move of one edge is worked out for each number, the first that has it,
until all names have been met. Cost: one look at each edge, and for each number one at the edges before its first, which
are few for most; games in which every name is met early take no more than these.
"""

from __future__ import annotations

from zermelo.grammar.deadline import look
from zermelo.interpreter.model import Model, Rule
from zermelo.interpreter.model.walks import rules_of
from zermelo.solvers.validation.shortest_plays import ShortestPlays


def never_offered(model: Model, plays: ShortestPlays) -> list[Rule]:
    """The rules of which no position offers a move or outcome, the first of each name, in the order of the file. The
    graph has the moves."""
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
            look()
            known.add(number)
            missing.pop(plays.through(edge)[-1].name, None)
    return sorted(missing.values(), key=lambda rule: rule.span.start)
