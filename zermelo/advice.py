"""What to do in every position, as text, as JSON, and as a file with a row for each decision."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from zermelo.boards import in_a_line
from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import TellingMachine
from zermelo.numbers import approximation, exactly
from zermelo.plain_results import by_player
from zermelo.solvers.common.extras import imported
from zermelo.solvers.forms.advice import Advice
from zermelo.strategies import READABLE, asked

SHOWN: Final = 40
"""The greatest number of decisions shown; JSON and files have all of them."""

PARQUET: Final = ".parquet"
"""The ending of the files that are written with pyarrow; all others are CSV."""


def position_text(game: Game, machine: TellingMachine[Any], advice: Advice[Any]) -> str:
    """A position on one line: ``play(Ann): pile = 3``."""
    phase = asked(machine.information_state(advice.state, machine.actor(advice.state)))
    return f"{phase}: {in_a_line(game.model, machine.entries(advice.state))}".removesuffix(": ")


def moves_text(advice: Advice[Any]) -> str:
    """The best moves: ``hold``, ``roll or hold``, ``rock 1/3, paper 2/3``."""
    if not advice.is_mixed:
        return " or ".join(map(str, advice.best))
    rows = [(move, chance) for move, chance in zip(advice.moves, advice.chances, strict=True) if chance]
    if len(rows) == 1:
        return str(rows[0][0])
    is_short = all(len(str(chance)) <= READABLE for _, chance in rows)
    return ", ".join(f"{move} {chance if is_short else approximation(chance)}" for move, chance in rows)


def policy_table(
    game: Game, machine: TellingMachine[Any], policy: Iterable[Advice[Any]]
) -> tuple[tuple[str, ...], list[tuple[str, ...]], int]:
    """The heads and the rows of a table, with a row for each decision in which there is a choice, up to the limit, and
    the number of those left out."""
    rows: list[tuple[str, ...]] = []
    others = 0
    for advice in policy:
        if len(advice.moves) == 1:
            continue
        if len(rows) == SHOWN:
            others += 1
            continue
        value = "" if advice.payoff is None else exactly(advice.payoff[advice.player])
        distance = "" if advice.distance is None else f"{advice.distance:,}"
        position = position_text(game, machine, advice)
        rows.append((position, game.players[advice.player], moves_text(advice), value, distance))
    heads = "position", "player", "best", "value for them", "moves to the end"
    shown = [k for k in range(len(heads)) if any(row[k] for row in rows)]
    return tuple(heads[k] for k in shown), [tuple(row[k] for k in shown) for row in rows], others


def record(game: Game, machine: TellingMachine[Any], advice: Advice[Any]) -> dict[str, Any]:
    """A decision as JSON: fractions as text, so that they stay exact. ``value`` is what all players get from there on,
    without what they have earned before; ``moves`` are the best ones, with how often they are made where the player
    mixes, and null elsewhere; ``moves_to_the_end`` are counted as if those who win hurry and the others delay."""
    return {
        "position": position_text(game, machine, advice),
        "player": game.players[advice.player],
        "value": None if advice.payoff is None else by_player(game, advice.payoff),
        "interval": None if advice.bounds is None else list(map(str, advice.bounds)),
        "moves_to_the_end": advice.distance,
        "moves": {
            str(move): str(chance) if advice.is_mixed else None
            for move, chance in zip(advice.moves, advice.chances, strict=True)
            if chance
        },
    }


def write_positions(path: Path, game: Game, machine: TellingMachine[Any], policy: Iterable[Advice[Any]]) -> int:
    """Write a row for each decision to a file, CSV or Parquet by its ending; the number of rows. Values are exact
    fractions as text, a column for each player, without what has been earned before.

    Raises ``ZermeloError``: ``unwritable-file``, ``extra-missing``."""
    from zermelo.grammar.whole_file import write_whole

    rows = list(_rows(game, machine, policy))
    try:
        if path.suffix.lower() == PARQUET:
            write_whole(path, _parquet(rows))
        else:
            write_whole(path, _csv(rows).encode())
    except OSError as error:
        raise ZermeloError("unwritable-file", f"cannot write {path}: {error.strerror}") from error
    return len(rows)


def _rows(game: Game, machine: TellingMachine[Any], policy: Iterable[Advice[Any]]) -> Iterator[Mapping[str, Any]]:
    for advice in policy:
        payoff = advice.payoff or [""] * len(game.players)
        low, high = ("", "") if advice.bounds is None else map(str, advice.bounds)
        yield {
            "position": position_text(game, machine, advice),
            "player": game.players[advice.player],
            **{f"value of {player}": str(amount) for player, amount in zip(game.players, payoff, strict=True)},
            "at least": low,
            "at most": high,
            "moves to the end": advice.distance,
            "best": moves_text(advice),
        }


def _csv(rows: list[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]) if rows else ["position"])
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _parquet(rows: list[Mapping[str, Any]]) -> bytes:
    pyarrow = imported("pyarrow", "parquet", "Parquet files")
    parquet = imported("pyarrow.parquet", "parquet", "Parquet files")
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(pyarrow.Table.from_pylist(rows), sink)
    return bytes(sink.getvalue())
