"""Strategies from files: the output of ``zermelo solve --json``.

A file names its game by title and parameters, and a decision is identified by what its player knows. Everything in a
file must fit: players, decisions and moves that the game does not have, or that are repeated, are refused, since a file
misread in silence gives a wrong answer. Moves that are not listed are not made; only decisions that the strategy never
leads to may be left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NoReturn

from attrs import frozen

from zermelo.game import Game
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.plain_results import header
from zermelo.solvers.forms.extensive_form import ExtensiveForm
from zermelo.solvers.forms.sequence_form import SequenceForm, Sequences, plan_of

UNIFORM: Final = "uniform"
"""In place of a file: the strategy that makes all moves with equal probability."""

LARGEST: Final = 1 << 29
"""The greatest size of a file, in bytes; the strategies of a million decisions have some 200 MB."""

_ROUNDING: Final = Fraction(1, 10**6)
"""The greatest deviation of the sum of probabilities from 1 that is taken for rounding."""

_NUMBER: Final = re.compile(r"[+-]?\d+(/\d+|(\.\d*)?([eE][+-]?\d{1,3})?)")
"""A probability: ``1/3``, ``0.25``, ``1e-05``. A longer exponent would make an enormous number."""

_LONG: Final = 4000
"""Whole numbers of more digits stay text: Python refuses to convert them."""

_SHOWN: Final = 40
"""The longest quotation of invalid content in a message, in characters."""


@frozen
class Contestant:
    """``plans[p]`` is the realization plan of player p, None if the file has none."""

    name: str
    plans: tuple[list[Fraction] | None, ...]


def read_strategies(name: str, game: Game, tree: ExtensiveForm, form: SequenceForm) -> Contestant:
    """The strategies of a file for a game, or the uniform ones.

    Raises ``ZermeloError``: ``unreadable-file``, ``bad-strategy``."""
    if name == UNIFORM:
        return Contestant(name, tuple(plan_of(player, _uniform(player)) for player in form.players))
    record = _record(name)
    _check_game(name, record, game)
    if not isinstance(record.get("strategies"), list):
        _refuse(name, "it has no list of strategies")
    found: dict[str, Any] = {}
    for strategy in record["strategies"]:
        player = strategy.get("player") if isinstance(strategy, dict) else None
        if player not in tree.player_names:
            _refuse(name, f"one of its strategies is for {_shown(player)}, a player that the game does not have")
        if player in found:
            _refuse(name, f"it has two strategies for {player}")
        found[player] = strategy.get("decisions")
    plans = tuple(
        _Listed(name, tree, player, form.players[p], found[player]).plan() if player in found else None
        for p, player in enumerate(tree.player_names)
    )
    return Contestant(name, plans)


def _refuse(name: str, why: str) -> NoReturn:
    raise ZermeloError("bad-strategy", f"{name} holds no strategies for this game: {why}")


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


class _Repeated(ValueError):
    """A repeated key of a JSON object; Python would keep the last one."""


def _record(name: str) -> dict[str, Any]:
    """The JSON of a file, in any encoding of Unicode."""
    try:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        raise ZermeloError("unreadable-file", f"{name} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ZermeloError("unreadable-file", f"no file can have the name {name!r}") from error
    if len(data) > LARGEST:
        _refuse(name, f"it has more than {LARGEST >> 20} MB")
    try:
        record = json.loads(data, object_pairs_hook=_once, parse_float=str, parse_int=_whole, parse_constant=str)
    except _Repeated as error:
        _refuse(name, f"'{_shown(str(error))}' is given twice in one place")
    except RecursionError:
        _refuse(name, "its JSON is nested too deep")
    except json.JSONDecodeError as error:
        _refuse(name, f"it is not JSON (line {error.lineno}, column {error.colno})")
    except UnicodeDecodeError:
        _refuse(name, "it is not text")
    if not isinstance(record, dict):
        _refuse(name, "it is not what `zermelo solve --json` prints")
    return record


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise _Repeated(name)
        made[name] = value
    return made


def _whole(text: str) -> int | str:
    return int(text) if len(text) < _LONG else text


def _check_game(name: str, record: Mapping[str, Any], game: Game) -> None:
    """Raise if the file is for another game, by title or parameters."""
    title = record.get("title")
    if not isinstance(title, str):
        _refuse(name, "it does not say for which game its strategies are (`title`)")
    if title != game.title:
        _refuse(name, f"its strategies are for '{_shown(title)}', but this game is '{game.title}'")
    given, parameters = record.get("parameters"), header(game)["parameters"]
    if not isinstance(given, dict):
        _refuse(name, "it does not say under which parameters (`parameters`)")
    for parameter in dict.fromkeys([*parameters, *given]):
        here, there = parameters.get(parameter), given.get(parameter)
        if json.dumps(here) != json.dumps(there):
            _refuse(name, f"its strategies are for {parameter} = {_shown(there)}, but here it is {_shown(here)}")


def _uniform(player: Sequences) -> list[Fraction]:
    strategy = [Fraction(1)] * len(player)
    for i in range(len(player.parents)):
        first, end = player.firsts[i], player.firsts[i + 1]
        strategy[first:end] = [Fraction(1, end - first)] * (end - first)
    return strategy


@frozen
class _Listed:
    """The decisions that a file lists for a player; ``own`` are the player's sequences."""

    name: str
    tree: ExtensiveForm
    player: str
    own: Sequences
    decisions: Any

    def plan(self) -> list[Fraction]:
        """The realization plan of the player."""
        sets = self.tree.information_sets
        places = {tuple(map(str, sets.known(s))): i for i, s in enumerate(self.own.sets)}
        chances: dict[int, list[Fraction]] = {}
        if not isinstance(self.decisions, list):
            _refuse(self.name, f"the decisions of {self.player} are not a list")
        for number, decision in enumerate(self.decisions, 1):
            here = f"decision {number} of {self.player}"
            known = decision.get("known") if isinstance(decision, dict) else None
            if not isinstance(known, list):
                _refuse(self.name, f"{here} does not say what {self.player} knows (`known`)")
            place = places.get(tuple(map(str, known)))
            if place is None:
                _refuse(self.name, f"{here} is not in this game: {self.player} never knows {_knowing(known)}")
            if place in chances:
                _refuse(self.name, f"{here} repeats one before: what {self.player} does knowing {_knowing(known)}")
            moves = tuple(map(str, sets.moves_of(self.own.sets[place])))
            chances[place] = self.probabilities(here, moves, decision.get("moves"))
        plan = [Fraction(1)] * len(self.own)
        for i, parent in enumerate(self.own.parents):
            first, end = self.own.firsts[i], self.own.firsts[i + 1]
            if plan[parent] and i not in chances:
                known = list(map(str, sets.known(self.own.sets[i])))
                _refuse(self.name, f"it does not say what {self.player} does knowing {_knowing(known)}")
            for k in range(first, end):
                plan[k] = plan[parent] * chances[i][k - first] if plan[parent] else Fraction(0)
        return plan

    def probabilities(self, here: str, moves: tuple[str, ...], listed: Any) -> list[Fraction]:
        """The probabilities of these moves, which sum to 1."""
        if not isinstance(listed, dict):
            _refuse(self.name, f"{here} lists no moves")
        given: dict[str, Fraction] = {}
        for move, told in listed.items():
            if move not in moves:
                _refuse(self.name, f"in {here} the move {_shown(move)} is not one of {', '.join(moves)}")
            written = told.get("probability") if isinstance(told, dict) else None
            chance = _probability(written)
            if chance is None:
                _refuse(self.name, f"in {here} the probability of {move} is not a number: {_shown(written)}")
            if not 0 <= chance <= 1:
                _refuse(self.name, f"in {here} the probability of {move} is {_shown(written)}, not between 0 and 1")
            given[move] = chance
        total = sum(given.values(), Fraction(0))
        if abs(total - 1) > _ROUNDING:
            _refuse(self.name, f"in {here} the probabilities sum to {_shown(str(total))}, not to 1")
        return [given.get(move, Fraction(0)) / total for move in moves]


def _knowing(known: list[Any]) -> str:
    return "; ".join(map(str, known)) or "nothing"


def _probability(written: Any) -> Fraction | None:
    """The number of a text; None if it is not a number."""
    if isinstance(written, bool) or not isinstance(written, int | str):
        return None
    text = str(written)
    if not _NUMBER.fullmatch(text):
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):  # more digits than Python converts
        return None
