"""The shortest play to an error of the rules.

A search, a survey or a random play meets an error after a play of any length. For a short report the positions are
visited once more, breadth first, until the same error occurs at the same place. After so many moves, or when the time
of the work at hand is up, the first play is reported.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Final

from zermelo.grammar.deadline import Passed, look
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.choices import choices
from zermelo.interpreter.machine import Machine, PlayError, State

MOVES: Final = 4_000
"""The most moves that are made. Not seconds: the same play is reported on every machine, however busy it is."""


def shortest_failure(machine: Machine[State], known: PlayError) -> PlayError:
    """The same error after a shortest play, or ``known`` itself if no shorter one is found."""
    made = 0
    try:
        layer = [machine.initial()]
        seen: set[Hashable] = {machine.position(layer[0])}
        for _ in range(len(known.play) - 1):
            following: list[State] = []
            for state in layer:
                for found in _successors(machine, state):
                    look()
                    made += 1
                    if made > MOVES:
                        return known
                    position = machine.position(found)
                    if position not in seen:
                        seen.add(position)
                        following.append(found)
            layer = following
    except PlayError as error:
        if (error.code, error.finding.span) == (known.code, known.finding.span):
            return error
    except Passed:
        return known
    return known


def _successors(machine: Machine[State], state: State) -> Iterator[State]:
    """The next states; none after a chance decision with too many outcomes to list."""
    try:
        moves = choices(machine, state)
    except PlayError:
        raise
    except ZermeloError:
        return
    for move in moves:
        yield machine.after(state, move)
