"""Games for the algorithms of Gambit: a ``pygambit.Game`` with the tree of all plays.

Histories that a player cannot tell apart are in one information set of Gambit; actions are labelled as moves are
written, players by their names, and all probabilities and payoffs are exact.

>>> import pygambit, zermelo
>>> from zermelo.interop.pygambit import gambit_game
>>> game = gambit_game(zermelo.load("kuhn_poker"))
>>> pygambit.nash.lp_solve(game).equilibrium.payoffs['Alice']
Rational(-1, 18)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from zermelo.game import CHANCE, Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.values import MOST_DIGITS, has_few_digits
from zermelo.solvers.common.libraries import import_library

if TYPE_CHECKING:
    from zermelo.interpreter.machine import Move

_gambit: Final = import_library("pygambit", "games for Gambit", "gambit")


def gambit_game(game: Game, *, nodes: int = 100_000) -> Any:
    """The tree of a game as a ``pygambit.Game``, which has at most so many ``nodes``. It is given to Gambit as text, in
    the format ``EFG 2 R``, which all its versions read.

    Raises ``ZermeloError``: ``out-of-nodes`` if it has more, ``number-too-large``, ``too-many-outcomes``, and
    ``PlayError`` for an error of the rules."""
    return _gambit.read_efg(StringIO("\n".join(_efg_lines(game, nodes))))


def _efg_lines(game: Game, most: int) -> Iterator[str]:
    """The tree in preorder: a line for each node, all that belongs to it in it."""
    yield f"EFG 2 R {_quoted(game.title)} {{ {' '.join(map(_quoted, game.players))} }}"
    nodes, waiting = _nodes(game, most), [0]
    while waiting:
        line, children = nodes[waiting.pop()]
        yield line
        waiting += reversed(children)


def _nodes(game: Game, most: int) -> list[tuple[str, range]]:
    """The line of each node, and which are its children. They are found breadth-first, so that plays without an end are
    not followed far before there are too many."""
    sets: dict[str, dict[object, int]] = {player: {} for player in game.players}
    outcomes: dict[object, int] = {}
    found: list[tuple[str, range]] = []
    waiting = deque([game.initial])
    while waiting:
        state = waiting.popleft()
        actor, payoff = state.actor, state.payoff
        moves: tuple[Move, ...] = ()
        if payoff is not None:
            if not all(map(has_few_digits, payoff)):
                raise ZermeloError(
                    "number-too-large", f"a payoff of '{game.title}' has more than {MOST_DIGITS:,} digits"
                )
            number = outcomes.setdefault(payoff, len(outcomes) + 1)
            line = f't "" {number} "" {{ {", ".join(map(str, payoff))} }}'
        elif actor == CHANCE:
            drawn = " ".join(f"{_quoted(str(outcome))} {chance}" for outcome, chance in state.outcomes)
            line = f'c "" {len(found) + 1} "" {{ {drawn} }} 0'
            moves = tuple(outcome for outcome, _ in state.outcomes)
        else:
            assert actor is not None, "somebody acts, or the play has ended"
            moves, known = state.moves, state.information_state(actor)
            number = sets[actor].setdefault(known, len(sets[actor]) + 1)
            labels = " ".join(_quoted(str(move)) for move in moves)
            line = f'p "" {game.number(actor) + 1} {number} "" {{ {labels} }} 0'
        first = len(found) + 1 + len(waiting)
        if first + len(moves) > most:
            raise ZermeloError("out-of-nodes", f"the tree of '{game.title}' has more than {most:,} nodes")
        found.append((line, range(first, first + len(moves))))
        waiting += map(state.after, moves)
    return found


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
