"""What to do in every position, as text, as JSON, and as a file with a row for each decision."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from zermelo.boards import in_a_line, in_short
from zermelo.durations import duration_record, number_text
from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import TellingMachine
from zermelo.numbers import approximation
from zermelo.plain_results import known_by_player
from zermelo.policy_table import Choice
from zermelo.solvers.common.extras import imported
from zermelo.solvers.forms.advice import Advice
from zermelo.solvers.forms.duration import Duration
from zermelo.strategies import READABLE, asked

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


def choices(game: Game, machine: TellingMachine[Any], policy: Iterable[Advice[Any]]) -> tuple[list[Choice], int]:
    """The decisions that are worth a row for people: those to which best play can lead, and in which there is a choice;
    and the number of the others in which there is one."""
    found: list[Choice] = []
    others = 0
    for advice in policy:
        if len(advice.moves) == 1:
            continue
        if not advice.is_reached:
            others += 1
            continue
        found.append(
            Choice(
                asked(machine.information_state(advice.state, machine.actor(advice.state))),
                game.players[advice.player],
                in_short(game.model, machine.entries(advice.state)),
                moves_text(advice),
                None if advice.payoff is None else advice.payoff[advice.player],
                advice.error,
                advice.distance,
                advice.duration,
            )
        )
    return found, others


def record(game: Game, machine: TellingMachine[Any], advice: Advice[Any]) -> dict[str, Any]:
    """A decision as JSON: fractions as text, so that they stay exact. ``value`` is what all players get from there on,
    without what they have earned before; ``moves`` are the best ones, with how often they are made where the player
    mixes, and null elsewhere; ``moves_to_the_end`` are counted as if those who win hurry and the others delay;
    ``duration`` is how likely the play is to end, and how long it takes on average; ``is_reached``: best play can lead
    there. Numbers that are not exact are decimals that are certain."""
    return {
        "position": position_text(game, machine, advice),
        "player": game.players[advice.player],
        "is_reached": advice.is_reached,
        "value": None if advice.payoff is None else known_by_player(game.players, advice.payoff, advice.error),
        "interval": None if advice.bounds is None else list(map(str, advice.bounds)),
        "moves_to_the_end": advice.distance,
        "duration": duration_record(advice.duration),
        "moves": {
            str(move): str(chance) if advice.is_mixed else None
            for move, chance in zip(advice.moves, advice.chances, strict=True)
            if chance
        },
    }


def write_positions(path: Path, game: Game, machine: TellingMachine[Any], policy: Iterable[Advice[Any]]) -> int:
    """Write a row for each decision to a file, CSV or Parquet by its ending; the number of rows. Values are
    fractions as text, a column for each player, without what has been earned before; decimals that are certain where
    they are not exact.

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
        known = {} if advice.payoff is None else known_by_player(game.players, advice.payoff, advice.error)
        low, high = ("", "") if advice.bounds is None else map(str, advice.bounds)
        yield {
            "position": position_text(game, machine, advice),
            "player": game.players[advice.player],
            **{f"value for {player}": known.get(player) or "" for player in game.players},
            "at least": low,
            "at most": high,
            "moves to the end": advice.distance,
            **_duration_cells(advice.duration),
            "best play leads there": advice.is_reached,
            "best": moves_text(advice),
        }


def _duration_cells(duration: Duration | None) -> dict[str, str]:
    """Whether a play ends, and how long it takes on average, in which steps."""
    if duration is None:
        return {"ends with probability": "", "length on average": "", "length in": ""}
    length = None if duration.length is None else number_text(duration.length)
    return {
        "ends with probability": number_text(duration.ends) or "",
        "length on average": length or "",
        "length in": "" if length is None else duration.unit.value,
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
    kinds = {"moves to the end": pyarrow.int64(), "best play leads there": pyarrow.bool_()}  # also where all are empty
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in (rows[0] if rows else ())])
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema), sink)
    return bytes(sink.getvalue())
