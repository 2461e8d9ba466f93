"""Strategies from files: the output of ``zermelo solve --json``, or of ``zermelo solve --positions FILE.json``.

A file names its game by title and parameters. The first kind has strategies, in which a decision is identified by what
its player knows; the second a policy, in which the position identifies it. Everything in a file
must fit: players, decisions and moves that the game does not have, or that are repeated, are refused, since a file
misread in silence gives a wrong answer. Moves that are not listed are not made; only decisions that the strategy never
leads to, and those with a single move, may be left out, and others where ``elsewhere`` is ``uniform``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from attrs import frozen

from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError, nearest
from zermelo.interpreter.machine import TellingMachine
from zermelo.numbers import record_header
from zermelo.policies.policy_table import state_text
from zermelo.results import GameResult
from zermelo.solutions.strategy_table import ELSEWHERE
from zermelo.solvers.choosing.registry import Need
from zermelo.solvers.common.limits import Limits
from zermelo.solvers.forms.extensive_form import CHANCE_NODE, ExtensiveForm, SequenceForm, Sequences, plan_of
from zermelo.solving import on_machine

# The moves of a decision in a file, with their probabilities, and the refusal of a file that does not fit.


_ROUNDING: Final = Fraction(1, 10**6)
"""The greatest deviation of the sum of probabilities from 1 that is taken for rounding."""

_NUMBER: Final = re.compile(r"[+-]?\d+(/\d+|(\.\d*)?([eE][+-]?\d{1,3})?)")
"""A probability: ``1/3``, ``0.25``, ``1e-05``. A longer exponent would make an enormous number."""

_SHOWN: Final = 40
"""The longest quotation of invalid content in a message, in characters."""


def refuse(name: str, why: str, help: str = "") -> NoReturn:
    """Raise ``ZermeloError`` (``bad-strategy``): the file of this name does not fit the game."""
    raise ZermeloError("bad-strategy", f"{name} holds no strategies for this game: {why}", help)


def quote_content(value: object) -> str:
    """Content of a file for a message, cut short."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def probabilities(name: str, here: str, moves: tuple[str, ...], listed: Mapping[str, Any]) -> list[Fraction]:
    """The probabilities of these moves, which sum to 1, from those that a decision of a file lists; ``here`` is the
    decision, for messages. Raises ``ZermeloError`` (``bad-strategy``)."""
    given: dict[str, Fraction] = {}
    for move, written in listed.items():
        if move not in moves:
            refuse(name, f"in {here} the move {quote_content(move)} is not one of {', '.join(moves)}")
        chance = _probability(written)
        if chance is None:
            refuse(name, f"in {here} the probability of {move} is not a number: {quote_content(written)}")
        if not 0 <= chance <= 1:
            refuse(name, f"in {here} the probability of {move} is {quote_content(written)}, not between 0 and 1")
        given[move] = chance
    total = sum(given.values(), Fraction(0))
    if abs(total - 1) > _ROUNDING:
        refuse(name, f"in {here} the probabilities sum to {quote_content(str(total))}, not to 1")
    return [given.get(move, Fraction(0)) / total for move in moves]


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


# A policy from a file: the output of ``zermelo solve --policy --json``, or of ``--positions FILE.json``.
#
# A policy has a decision for each position of its game, and says it in words. To follow it in every history, its game
# is gone through once more, from the root of the extensive form down, beside a machine that says which position each
# node is. Where players choose at once, the policy names one of the nodes that the player cannot tell apart: the one
# after the first choices of those before. Its decision is that of the whole information set.
#
# Cost: one step of the machine for every node, and for each position its words.


_BYTES_OF_NODE: Final = 500
"""The memory that a node takes while the game is gone through, about: a position and its place in a table."""


@frozen
class Listed:
    """A decision of a file: where it stands, for messages, and its moves with their probabilities, as written."""

    here: str
    moves: Mapping[str, Any]


def file_writing_advice(game: Game) -> str:
    """A sentence that says which command writes a file for a game."""
    if Need.PUBLIC.is_met(game.facts):
        return "`zermelo solve GAME --positions FILE.json` writes down what to do in every position"
    return "`zermelo solve GAME --json` prints strategies"


def list_policy(name: str, listed: Any, begin: State, tree: ExtensiveForm, limits: Limits) -> dict[int, list[Fraction]]:
    """The probabilities of the moves in the information sets of the game that begins in a state, with this ``tree``, as
    the policy of a file ``listed`` them. Where several best moves are listed, the first is made.

    Raises ``ZermeloError``: ``bad-strategy``, ``out-of-memory``, ``out-of-time``."""
    decisions = listed_decisions(name, listed, tree.player_names)
    limits.require(_BYTES_OF_NODE * tree.nodes, "the positions of a policy")
    machine = begin.game.searching
    sets = tree.information_sets
    words: dict[tuple[str, Hashable], str] = {}
    found: dict[int, tuple[str, list[Fraction]]] = {}
    unsaid: dict[int, str] = {}
    for node, state in _states(machine, on_machine(begin, machine), tree, limits):
        s = tree.sets_of[node]
        if s == CHANCE_NODE or sets.count(s) == 1:
            continue
        player = tree.player_names[sets.players[s]]
        position = player, machine.position(state)
        if position not in words:
            words[position] = state_text(begin.game, machine, state)
        told = decisions.get((player, words[position]))
        if told is None:
            unsaid.setdefault(s, f"{player} does at {words[position]}")
            continue
        chances = probabilities(name, told.here, tuple(map(str, sets.moves_of(s))), told.moves)
        here, before = found.setdefault(s, (told.here, chances))
        if before != chances:
            refuse(name, f"{here} and {told.here} differ, but the player cannot tell their positions apart")
    for s, what in unsaid.items():
        if s not in found:
            refuse(name, f"it does not say what {what}", file_writing_advice(begin.game))
    return {s: chances for s, (_, chances) in found.items()}


def listed_decisions(name: str, listed: Any, players: Sequence[str]) -> dict[tuple[str, str], Listed]:
    """The decisions of a policy, by their players and the words of their positions. Raises ``ZermeloError``
    (``bad-strategy``)."""
    if not isinstance(listed, list):
        refuse(name, "its policy is not a list of decisions")
    found: dict[tuple[str, str], Listed] = {}
    for number, decision in enumerate(listed, 1):
        here = f"decision {number} of the policy"
        if not isinstance(decision, dict) or not isinstance(decision.get("position"), str):
            refuse(name, f"{here} does not say in which position (`position`)")
        text, player, moves = decision["position"], decision.get("player"), decision.get("moves")
        if not isinstance(player, str) or player not in players:
            refuse(name, f"{here} is for {quote_content(player)}, a player that the game does not have")
        if not isinstance(moves, dict) or not moves:
            refuse(name, f"{here} lists no moves")
        if not any(moves.values()):
            moves = {move: int(k == 0) for k, move in enumerate(moves)}
        if found.setdefault((player, text), Listed(here, moves)).moves != moves:
            refuse(name, f"{here} is not what an earlier one says of the same position")
    return found


def _states(machine: TellingMachine[Any], root: Any, tree: ExtensiveForm, limits: Limits) -> Iterator[tuple[int, Any]]:
    """Every node, with a state of it, from the root down. A state is kept until those behind it have been made."""
    states = {tree.nodes - 1: root}
    for node in reversed(range(tree.nodes)):  # a node is numbered after its children
        if node % 256 == 0:
            limits.check({"nodes": tree.nodes - node})
        state, s = states.pop(node), tree.sets_of[node]
        moves = (
            tuple(outcome for outcome, _ in machine.outcomes(state))
            if s == CHANCE_NODE
            else tree.information_sets.moves_of(s)
        )
        for edge, move in zip(range(tree.firsts[node], tree.firsts[node + 1]), moves, strict=True):
            child = tree.children[edge]
            if child >= 0 and child not in states:
                states[child] = machine.after(state, move)
        yield node, state


UNIFORM: Final = "uniform"
"""In place of a file: the strategy that makes all moves with equal probability."""

LARGEST: Final = 1 << 29
"""The greatest size of a file, in bytes; the strategies of a million decisions have some 200 MB."""

TABLES: Final = (".csv", ".parquet")
"""The endings of tables, which are for other programs."""

_LONG: Final = 4000
"""Whole numbers of more digits stay text: Python refuses to convert them."""


@frozen
class Contestant:
    """``plans[p]`` is the realization plan of player p, None if the file has none."""

    name: str
    plans: tuple[list[Fraction] | None, ...]


def read_record(name: str, game: Game) -> dict[str, Any]:
    """The content of a file of strategies for a game.

    Raises ``ZermeloError``: ``unreadable-file``, ``bad-strategy``."""
    record = _record(name, game)
    _check_game(name, record, game)
    return record


Given: TypeAlias = str | PathLike[str] | GameResult
"""Strategies as they are given: ``uniform``, the name of a file, or a solution."""


def name_of_strategies(given: Given) -> str:
    """The name of strategies in messages and tables."""
    return (given.provenance.solver or "solution") if isinstance(given, GameResult) else fspath(given)


def content_of(given: Given, game: Game) -> dict[str, Any] | None:
    """What the file of strategies for a game holds, or would hold; None for the uniform ones.

    Raises ``ZermeloError``: ``unreadable-file``, ``bad-strategy``."""
    if not isinstance(given, GameResult):
        name = fspath(given)
        return None if name == UNIFORM else read_record(name, game)
    record = given.record()
    _check_game(name_of_strategies(given), record, game)
    return record


def read_strategies(
    name: str,
    record: Mapping[str, Any] | None,
    begin: State,
    tree: ExtensiveForm,
    form: SequenceForm,
    limits: Limits,
) -> Contestant:
    """The strategies of a file with this content (:func:`read_record`) for the game that begins in a state, with this
    ``tree``, or the uniform ones. The file may list strategies for the whole game.

    Raises ``ZermeloError``: ``bad-strategy``, ``out-of-memory``, ``out-of-time``."""
    if record is None:
        return Contestant(name, tuple(plan_of(player, _uniform(player)) for player in form.players))
    if "policy" in record:
        found = list_policy(name, record["policy"], begin, tree, limits)
        return Contestant(name, tuple(_plan(name, tree, form, player, found) for player in range(len(form.players))))
    if not isinstance(record.get("strategies"), list):
        refuse(name, "it has no list of strategies, and no policy")
    if not record["strategies"]:
        refuse(name, "its list of strategies is empty, and it has no policy", file_writing_advice(begin.game))
    given: dict[str, Any] = {}
    elsewhere = set()
    for strategy in record["strategies"]:
        player = strategy.get("player") if isinstance(strategy, dict) else None
        if player not in tree.player_names:
            refuse(name, f"one of its strategies is for {quote_content(player)}, a player that the game does not have")
        if player in given:
            refuse(name, f"it has two strategies for {player}")
        given[player] = strategy.get("decisions")
        if is_uniform_elsewhere(name, strategy):
            elsewhere.add(player)
    plans = tuple(
        _plan(
            name,
            tree,
            form,
            p,
            _listed_chances(name, begin, tree, form.players[p], player, given[player]),
            player in elsewhere,
        )
        if player in given
        else None
        for p, player in enumerate(tree.player_names)
    )
    return Contestant(name, plans)


def is_uniform_elsewhere(name: str, strategy: Mapping[str, Any]) -> bool:
    """Whether a strategy of a file makes all moves with equal probability in decisions that it does not list. Raises
    ``ZermeloError`` (``bad-strategy``)."""
    elsewhere = strategy.get("elsewhere")
    if elsewhere not in (None, ELSEWHERE):
        refuse(name, f"`elsewhere` of a strategy is {quote_content(str(elsewhere))}, and not '{ELSEWHERE}'")
    return elsewhere is not None


class _Repeated(ValueError):
    """A repeated key of a JSON object; Python would keep the last one."""


def _record(name: str, game: Game) -> dict[str, Any]:
    """The JSON of a file for a game, in any encoding of Unicode."""
    try:
        with Path(name).open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as error:
        help = f"did you mean '{UNIFORM}'?" if nearest(name, [UNIFORM]) else ""
        raise ZermeloError("unreadable-file", f"{name} cannot be read: {error.strerror}", help) from error
    except ValueError as error:
        raise ZermeloError("unreadable-file", f"no file can have the name {name!r}") from error
    if Path(name).suffix.lower() in TABLES:
        refuse(name, "it is a table, which does not say for which game it is", file_writing_advice(game))
    if len(data) > LARGEST:
        refuse(name, f"it has more than {LARGEST >> 20} MB")
    try:
        record = json.loads(
            data,
            object_pairs_hook=_object_without_repeats,
            parse_float=str,
            parse_int=_short_integer,
            parse_constant=str,
        )
    except _Repeated as error:
        refuse(name, f"'{quote_content(str(error))}' is given twice in one place")
    except RecursionError:
        refuse(name, "its JSON is nested too deep")
    except json.JSONDecodeError as error:
        refuse(name, f"it is not JSON (line {error.lineno}, column {error.colno})", file_writing_advice(game))
    except UnicodeDecodeError:
        refuse(name, "it is not text")
    if not isinstance(record, dict):
        refuse(name, "it is not what `zermelo solve --json` prints")
    return record


def _object_without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise _Repeated(name)
        made[name] = value
    return made


def _short_integer(text: str) -> int | str:
    return int(text) if len(text) < _LONG else text


def _check_game(name: str, record: Mapping[str, Any], game: Game) -> None:
    """Raise if the file is for another game, by title or parameters."""
    title = record.get("title")
    if not isinstance(title, str):
        refuse(name, "it does not say for which game its strategies are (`title`)")
    if title != game.title:
        refuse(name, f"its strategies are for '{quote_content(title)}', but this game is '{game.title}'")
    given, parameters = record.get("parameters"), record_header(game)["parameters"]
    if not isinstance(given, dict):
        refuse(name, "it does not say under which parameters (`parameters`)")
    for parameter in dict.fromkeys([*parameters, *given]):
        here, there = parameters.get(parameter), given.get(parameter)
        if json.dumps(here) != json.dumps(there):
            help = (
                f"-p {parameter}={quote_content(there)} sets it"
                if parameter in parameters and parameter in given
                else ""
            )
            refuse(
                name,
                f"its strategies are for {parameter} = {quote_content(there)}, but here it is {quote_content(here)}",
                help,
            )


def _uniform(player: Sequences) -> list[Fraction]:
    strategy = [Fraction(1)] * len(player)
    for i in range(len(player.parents)):
        first, end = player.firsts[i], player.firsts[i + 1]
        strategy[first:end] = [Fraction(1, end - first)] * (end - first)
    return strategy


def _listed_chances(
    name: str, begin: State, tree: ExtensiveForm, own: Sequences, player: str, decisions: Any
) -> dict[int, list[Fraction]]:
    """The probabilities of the moves in each information set for which a file lists a decision of a player; ``own`` are
    the player's sequences."""
    sets = tree.information_sets
    places = {tuple(map(str, sets.known(s))): s for s in own.sets}
    before = list(map(str, begin.information_state(player)))
    found: dict[int, list[Fraction]] = {}
    if not isinstance(decisions, list):
        refuse(name, f"the decisions of {player} are not a list")
    for number, decision in enumerate(decisions, 1):
        here = f"decision {number} of {player}"
        known = decision.get("known") if isinstance(decision, dict) else None
        if not isinstance(known, list):
            refuse(name, f"{here} does not say what {player} knows (`known`)")
        place = places.get(tuple(map(str, known)))
        if place is None and list(map(str, known[: len(before)])) != before:
            continue  # another play than the one that has begun
        if place is None:
            refuse(name, f"{here} is not in this game: {player} never knows {_knowledge_text(known)}")
        if place in found:
            refuse(name, f"{here} repeats one before: what {player} does knowing {_knowledge_text(known)}")
        listed = decision.get("moves")
        if not isinstance(listed, dict):
            refuse(name, f"{here} lists no moves")
        written = {move: told.get("probability") if isinstance(told, dict) else None for move, told in listed.items()}
        found[place] = probabilities(name, here, tuple(map(str, sets.moves_of(place))), written)
    return found


def _plan(
    name: str,
    tree: ExtensiveForm,
    form: SequenceForm,
    player: int,
    found: Mapping[int, list[Fraction]],
    is_uniform_elsewhere: bool = False,
) -> list[Fraction]:
    """The realization plan of a player who makes the moves of the information sets with the probabilities found."""
    own, sets = form.players[player], tree.information_sets
    plan = [Fraction(1)] * len(own)
    for s, parent, first, end in zip(own.sets, own.parents, own.firsts, own.firsts[1:], strict=False):
        if not plan[parent]:
            plan[first:end] = [Fraction(0)] * (end - first)
        elif end - first == 1:  # a forced move need not be listed
            plan[first] = plan[parent]
        elif s in found:
            plan[first:end] = [plan[parent] * chance for chance in found[s]]
        elif is_uniform_elsewhere:
            plan[first:end] = [plan[parent] / (end - first)] * (end - first)
        else:
            known = list(map(str, sets.known(s)))
            refuse(name, f"it does not say what {tree.player_names[player]} does knowing {_knowledge_text(known)}")
    return plan


def _knowledge_text(known: list[Any]) -> str:
    return "; ".join(map(str, known)) or "nothing"
