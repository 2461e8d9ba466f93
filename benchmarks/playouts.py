"""Random play, in moves a second; draws of chance count as moves.

The two sides may divide a play into different moves: a deal of cards may be one draw here, and one for each card there.
So the note has the moves of a play on both sides, and the ratio in plays a second, which does not depend on this.
"""

from __future__ import annotations

from attrs import Factory, frozen

from benchmarks import ours
from benchmarks.measure import Measurement, best_of_open
from benchmarks.peers import openspiel
from benchmarks.report import Row
from benchmarks.search import measurement_or_reason


@frozen
class Game:
    """A game on both sides, and the ratio to reach."""

    title: str
    name: str
    theirs: str
    target: float
    parameters: dict[str, int] = Factory(dict)


GAMES = (
    Game("tic-tac-toe", "tic_tac_toe", "tic_tac_toe", 30),
    Game("connect four", "connect_four", "connect_four", 20),
    Game("five in a row 15x15", "five_in_a_row", "mnk(m=15,n=15,k=5)", 20),
    Game("othello", "othello", "othello", 8),
    Game("checkers", "checkers", "checkers", 8),
    Game("backgammon", "backgammon", "backgammon", 6),
    Game("chess", "chess", "chess", 4),
    Game("go 9x9, superko", "go", "go(board_size=9)", 6, {"size": 9}),
    Game("Kuhn poker", "kuhn_poker", "kuhn_poker", 30),
    Game("pig to 100", "pig", "pig(winscore=100)", 50, {"target": 100}),
)


def plays(game: Game) -> list[Row]:
    """Random plays of one game."""
    mine = measurement_or_reason(lambda: best_of_open(ours.random_plays(ours.machine_of(game.name, **game.parameters))))
    theirs = measurement_or_reason(lambda: best_of_open(openspiel.random_plays(openspiel.game_of(game.theirs))))
    return [
        Row(
            task=f"{game.title}, random play",
            unit="moves/s",
            ours=mine,
            peer=openspiel.NAME,
            theirs=theirs,
            target=game.target,
            note=_lengths(mine, theirs),
        )
    ]


def _lengths(mine: Measurement | str, theirs: Measurement | str) -> str:
    sides = [side for side in (mine, theirs) if isinstance(side, Measurement)]
    lengths = " and ".join(f"{side.amount / side.parts:.1f}" for side in sides)
    if len(sides) < 2:
        return f"{lengths} moves a play" if sides else ""
    speeds = [side.parts / side.seconds for side in sides]
    return f"{lengths} moves a play; {speeds[0] / speeds[1]:.1f} x plays/s"
