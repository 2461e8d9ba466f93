"""What to do in every position, as text, as JSON, and as a file with a row for each decision."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from zermelo.boards import in_a_line, in_short
from zermelo.console import json_text
from zermelo.game import Game
from zermelo.interpreter.machine import Move, TellingMachine, shown
from zermelo.numbers import readable
from zermelo.plain_results import header, known_by_player
from zermelo.policies.policy_table import Choice
from zermelo.solutions.durations import duration_record, number_text
from zermelo.solutions.strategies import asked
from zermelo.solvers.common.libraries import imported
from zermelo.solvers.forms.advice import Advice
from zermelo.solvers.forms.duration import Duration
from zermelo.writing import write_file

PARQUET: Final = ".parquet"
JSON: Final = ".json"
"""The endings of the files that are written with pyarrow and as JSON; all others are CSV."""


def state_text(game: Game, machine: TellingMachine[Any], state: Any) -> str:
    """The position of a state in which a player is to move, on one line: ``play(Ann): pile = 3``."""
    phase = asked(machine.information_state(state, machine.actor(state)))
    return f"{phase}: {in_a_line(game.model, machine.entries(state))}".removesuffix(": ")


def moves_text(advice: Advice[Any], write: Callable[[Move], str] = str) -> str:
    """The best moves: ``hold``, ``roll or hold``, ``rock 1/3, paper 2/3``, each as ``write`` writes it."""
    if not advice.is_mixed:
        return " or ".join(map(write, advice.best))
    rows = [(move, chance) for move, chance in zip(advice.moves, advice.chances, strict=True) if chance]
    if len(rows) == 1:
        return write(rows[0][0])
    chances = readable(*(chance for _, chance in rows))
    return ", ".join(f"{write(move)} {chance}" for (move, _), chance in zip(rows, chances, strict=True))


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
                moves_text(advice, shown),
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
        "position": state_text(game, machine, advice.state),
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
    """Write all decisions to a file, by its ending: as JSON, in which they are those of :func:`record`, below the game
    and its parameters, so that they can be read again (:mod:`.strategy_files`); or as a table with a row for each, CSV
    or Parquet. In a table values are fractions as text, a column for each player, without what has been earned before;
    decimals that are certain where they are not exact. Returns the number of decisions.

    Raises ``ZermeloError``: ``unwritable-file``, ``library-missing``."""
    ending = path.suffix.lower()
    if ending == JSON:
        decisions = [record(game, machine, advice) for advice in policy]
        write_file(path, json_text({**header(game), "title": game.title, "policy": decisions}, indent=1).encode())
        return len(decisions)
    rows = list(_rows(game, machine, policy))
    write_file(path, _parquet(rows) if ending == PARQUET else _csv(rows).encode())
    return len(rows)


def _rows(game: Game, machine: TellingMachine[Any], policy: Iterable[Advice[Any]]) -> Iterator[Mapping[str, Any]]:
    for advice in policy:
        known = {} if advice.payoff is None else known_by_player(game.players, advice.payoff, advice.error)
        low, high = ("", "") if advice.bounds is None else map(str, advice.bounds)
        yield {
            "position": state_text(game, machine, advice.state),
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
    pyarrow = imported("pyarrow", "Parquet files", "parquet")
    parquet = imported("pyarrow.parquet", "Parquet files", "parquet")
    sink = pyarrow.BufferOutputStream()
    kinds = {"moves to the end": pyarrow.int64(), "best play leads there": pyarrow.bool_()}  # also where all are empty
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in (rows[0] if rows else ())])
    parquet.write_table(pyarrow.Table.from_pylist(rows, schema), sink)
    return bytes(sink.getvalue())
