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

from collections.abc import Iterator
from io import StringIO
from typing import Any, Final

from zermelo.game import CHANCE, Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.solvers.common.libraries import import_library

_gambit: Final = import_library("pygambit", "games for Gambit", "gambit")


def gambit_game(game: Game, *, nodes: int = 100_000) -> Any:
    """The tree of a game as a ``pygambit.Game``, which has at most so many ``nodes``. It is given to Gambit as text, in
    the format ``EFG 2 R``, which all its versions read.

    Raises ``ZermeloError``: ``out-of-nodes`` if it has more, ``too-many-outcomes``, and ``PlayError`` for an error of
    the rules."""
    return _gambit.read_efg(StringIO("\n".join(_efg_lines(game, nodes))))


def _efg_lines(game: Game, most: int) -> Iterator[str]:
    """The tree in preorder: a line for each node, all that belongs to it in it."""
    yield f"EFG 2 R {_quoted(game.title)} {{ {' '.join(map(_quoted, game.players))} }}"
    sets: dict[str, dict[object, int]] = {player: {} for player in game.players}
    outcomes: dict[object, int] = {}
    waiting, met, draws = [game.initial], 0, 0
    while waiting:
        state = waiting.pop()
        met += 1
        if met > most:
            raise ZermeloError("out-of-nodes", f"the tree of '{game.title}' has more than {most:,} nodes")
        actor, payoff = state.actor, state.payoff
        if payoff is not None:
            number = outcomes.setdefault(payoff, len(outcomes) + 1)
            yield f't "" {number} "" {{ {", ".join(map(str, payoff))} }}'
            continue
        if actor == CHANCE:
            draws += 1
            drawn = " ".join(f"{_quoted(str(outcome))} {chance}" for outcome, chance in state.outcomes)
            yield f'c "" {draws} "" {{ {drawn} }} 0'
            moves = tuple(outcome for outcome, _ in state.outcomes)
        else:
            assert actor is not None, "somebody acts, or the play has ended"
            moves, known = state.moves, state.information_state(actor)
            number = sets[actor].setdefault(known, len(sets[actor]) + 1)
            labels = " ".join(_quoted(str(move)) for move in moves)
            yield f'p "" {game.number(actor) + 1} {number} "" {{ {labels} }} 0'
        waiting += map(state.after, reversed(moves))


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
