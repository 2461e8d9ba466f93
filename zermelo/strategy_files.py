"""Strategies from files: what ``zermelo solve --json`` prints is what is read here.

A decision is found again by what its player knows, so a file fits a game with the same rules and parameters. Moves that
are not listed are not made; decisions that are not listed may only be ones that the strategy never comes to.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from attrs import frozen

from grammar.diagnostics import ZermeloError
from solvers.extensive_form import ExtensiveForm
from solvers.sequence_form import SequenceForm, Sequences, plan_of

UNIFORM: Final = "uniform"
"""Stands in place of a file for the strategy that makes all moves alike."""

_ROUNDING: Final = Fraction(1, 10**6)
"""By how much probabilities may miss 1 in all and are taken to be rounded."""


@frozen
class Contestant:
    """``plans[p]`` is the realization plan of player p, None where the file has none for him."""

    name: str
    plans: tuple[list[Fraction] | None, ...]


def read(name: str, tree: ExtensiveForm, form: SequenceForm) -> Contestant:
    """The strategies of a file, or those that make all moves alike.

    Raises ``ZermeloError``: ``unreadable-file``, ``bad-strategy``."""
    if name == UNIFORM:
        return Contestant(name, tuple(plan_of(player, _uniform(player)) for player in form.players))
    try:
        record = json.loads(Path(name).read_text(encoding="utf-8"))
    except OSError as error:
        raise ZermeloError("unreadable-file", f"{name} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise _bad(name, "it is not JSON") from error
    if not isinstance(record, dict) or not isinstance(record.get("strategies"), list):
        raise _bad(name, "it has no list of strategies")
    found: dict[str, Any] = {}
    for strategy in record["strategies"]:
        if not isinstance(strategy, dict) or strategy.get("player") not in tree.player_names:
            raise _bad(name, "one of its strategies is for a player that the game does not have")
        found[strategy["player"]] = strategy.get("decisions")
    plans = tuple(
        _plan(name, tree, form.players[p], player, found[player]) if player in found else None
        for p, player in enumerate(tree.player_names)
    )
    return Contestant(name, plans)


def _bad(name: str, why: str) -> ZermeloError:
    return ZermeloError("bad-strategy", f"{name} holds no strategies for this game: {why}")


def _uniform(player: Sequences) -> list[Fraction]:
    strategy = [Fraction(1)] * len(player)
    for i in range(len(player.parents)):
        first, end = player.firsts[i], player.firsts[i + 1]
        strategy[first:end] = [Fraction(1, end - first)] * (end - first)
    return strategy


def _plan(name: str, tree: ExtensiveForm, own: Sequences, player: str, decisions: Any) -> list[Fraction]:
    """A player's plan from the decisions of a file."""
    try:
        listed = {tuple(map(str, decision["known"])): decision["moves"] for decision in decisions}
    except (TypeError, KeyError) as error:
        raise _bad(name, f"the decisions of {player} cannot be understood") from error
    plan = [Fraction(1)] * len(own)
    for i, parent in enumerate(own.parents):
        options = range(own.firsts[i], own.firsts[i + 1])
        if not plan[parent]:
            plan[own.firsts[i] : own.firsts[i + 1]] = [Fraction(0)] * len(options)
            continue
        known = tuple(map(str, tree.information_sets.known(own.sets[i])))
        if known not in listed:
            raise _bad(name, f"it does not say what {player} does knowing {'; '.join(known) or 'nothing'}")
        moves = tuple(map(str, tree.information_sets.moves_of(own.sets[i])))
        chances = _probabilities(name, player, moves, listed[known])
        for sequence, chance in zip(options, chances, strict=True):
            plan[sequence] = plan[parent] * chance
    return plan


def _probabilities(name: str, player: str, moves: tuple[str, ...], listed: Any) -> list[Fraction]:
    """The probabilities of these moves, which sum to 1."""
    try:
        given: Mapping[str, Fraction] = {move: Fraction(told["probability"]) for move, told in listed.items()}
    except (AttributeError, TypeError, KeyError, ValueError, ZeroDivisionError) as error:
        raise _bad(name, f"a probability of {player} is no number") from error
    strange = [move for move in given if move not in moves]
    if strange:
        raise _bad(name, f"{player} cannot make the move {strange[0]} there, but {', '.join(moves)}")
    total = sum(given.values(), Fraction(0))
    if min(given.values(), default=Fraction(0)) < 0 or abs(total - 1) > _ROUNDING:
        raise _bad(name, f"probabilities of {player} sum to {total}, not to 1")
    return [given.get(move, Fraction(0)) / total for move in moves]
