"""Answers about a game and its positions: its rules in words, a position as somebody sees it, a move, a hint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import redirect_stdout, suppress
from io import StringIO
from math import inf
from operator import attrgetter
from random import Random
from types import MappingProxyType
from typing import Any, Final
from xml.sax.saxutils import quoteattr

from attrs import evolve

from zermelo.drawing.clicks import Clicks, clicks_of
from zermelo.drawing.game_trees import NODES, draw_game_tree
from zermelo.drawing.positions import cells_changed
from zermelo.drawing.searches import search_picture
from zermelo.game import CHANCE, Game, State
from zermelo.gamedefs import comment_beside_title
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Machine, Move, PlayError, TellingMachine, display_text
from zermelo.interpreter.types import BoardType
from zermelo.interpreter.values import Cell
from zermelo.machines import name_of
from zermelo.notebook.bundles import bounded_position
from zermelo.pictures.boards import OPEN
from zermelo.pictures.marks import Disc, Picture, Spot
from zermelo.pictures.svg import element, svg
from zermelo.pictures.trees import tree_picture
from zermelo.playing.analysis import hint as advise
from zermelo.playing.seats import seat_of
from zermelo.positions import changing_variables_text, parameters_of, past_knowledge, question_of, variables_of
from zermelo.report.console import Shown
from zermelo.serving.questions import Misasked, PageQuestion
from zermelo.solutions.page import print_kind, print_solution, solution_record
from zermelo.solutions.strategy_table import strategy_parts
from zermelo.solvers.choosing.choice import Settled, check_request, requirements_asked, settle, solve
from zermelo.solvers.choosing.registry import find_solver
from zermelo.solvers.common.limits import Goal, Limits, Sampling
from zermelo.solvers.forms.strategy import Strategy
from zermelo.solvers.solution import Request, Solution
from zermelo.solving import describe, facts_with_information, search

OUTCOMES: Final = 1_000
"""The greatest number of outcomes of chance that are listed."""


def rules(game: Game) -> dict[str, Any]:
    """What is known about a game, and who sees what."""
    return {
        "title": game.title,
        "about": comment_beside_title(game.model.source.text),
        "players": list(game.players),
        "parameters": [
            {"name": name, "value": value, "description": domain} for name, value, domain in parameters_of(game)
        ],
        "facts": [f"{what}: {said}" for what, said in describe(facts_with_information(game))],
        "sees": [{"player": player, **_sights(game, player)} for player in game.players],
        "has_secrets": any(audience not in ("everybody", "nobody") for _, audience in variables_of(game)),
    }


def _sights(game: Game, player: str) -> dict[str, list[str]]:
    """The variables that a player sees, and those that they do not see."""
    sees, hidden = [], []
    for variable, audience in variables_of(game):
        if audience in ("everybody", player):
            sees.append(variable)
        elif audience == "nobody" or audience in game.players:
            hidden.append(variable)
        elif audience == "each player their own":
            sees.append(f"{variable}, their own")
            hidden.append(f"{variable}, those of others")
        else:
            sees.append(f"{variable}, if they are in {audience}")
    return {"sees": sees, "hidden": hidden}


def position(state: State, viewer: str | None, is_flipped: bool = False) -> dict[str, Any]:
    """A position: with everything, or as a player sees it, who learns no more than they do at a table; from one end of
    the board or the other."""
    game, actor = state.game, state.actor
    if viewer is not None:
        game.number(viewer)  # raises an error for one who does not play
    is_asked = actor not in (None, CHANCE) and viewer in (None, actor)
    moves = state.moves if is_asked else ()
    is_open = game.facts.perfect_information.holds is True  # then the last move is marked, too
    drawn = bounded_position(state, None if is_open else viewer, is_titled=False, is_flipped=is_flipped)
    changed = cells_changed(state) if is_asked else {}
    seen = game.machine.entries(state.machine_state) if viewer is None else state.view(viewer)
    question = question_of(state, actor) if is_asked and actor is not None else ""
    clicks = clicks_of(state, moves, seen, () if drawn is None else (*drawn.spots, *drawn.entries), changed)
    return {
        "status": f"{state.status} in the phase {question}" if question else state.status,
        "actor": actor,
        "players": list(game.players),
        "isOpen": is_open,
        "svg": "" if drawn is None else with_cells(drawn, _lines(state, changed), named_by(clicks)),
        "moves": [
            {"text": display_text(move), "cells": list(own.spots), "further": list(own.further)}
            for move, own in zip(moves, clicks, strict=True)
        ],
        "outcomes": _outcomes(state) if actor == CHANCE and viewer is None else [],
        "told": [] if viewer is None else past_knowledge(state, viewer),
        "payoff": None
        if state.payoff is None
        else {player: str(amount) for player, amount in zip(game.players, state.payoff, strict=True)},
        "seen": changing_variables_text(game, seen),
    }


def _lines(state: State, changed: Mapping[Move, Cell]) -> dict[str, str]:
    """If all moves are numbers of columns of a board, or of rows: for each cell in one of these, the cell that the move
    changes there, so that a click anywhere in the column will do. Otherwise empty."""
    if not changed or len(changed) < len(state.moves):
        return {}
    boards = (each.indices[-1].base for each in state.game.model.variables if each.indices)
    cells = next(
        board.cells for board in boards if isinstance(board, BoardType) and {*changed.values()} <= {*board.cells}
    )
    for line in (attrgetter("x"), attrgetter("y")):
        if all(move.arguments == (line(cell),) for move, cell in changed.items()):
            names = {line(cell): cell.name for cell in changed.values()}
            return {cell.name: names[line(cell)] for cell in cells if line(cell) in names}
    return {}


def named_by(clicks: Iterable[Clicks]) -> set[str]:
    """The spots that moves are clicked at."""
    return {name for own in clicks for name in (*own.spots, *own.further)}


def with_cells(
    drawn: Picture, stands_for: Mapping[str, str] = MappingProxyType({}), named: Collection[str] = ()
) -> str:
    """A picture in which every cell of a board can be clicked: an invisible shape above it has its name, or that of the
    cell that it ``stands_for``, beside its own. The mark of a legal move on a cell is grouped with that shape. Entries
    of variables beside the boards can be clicked if they are ``named``."""
    marks = [mark for mark in drawn.marks if isinstance(mark, Disc) and OPEN in (mark.style.stroke, mark.style.fill)]
    shapes = "".join(
        f"<g data-cell={quoteattr(stands_for.get(spot.name, spot.name))} {_kind(spot)}"
        f"{f' data-at={quoteattr(spot.name)}' if spot.name in stands_for else ''}>"
        f'<rect x="{spot.x:.2f}" y="{spot.y:.2f}" width="{spot.width:.2f}" height="{spot.height:.2f}" fill="none" '
        f'pointer-events="all"/>{"".join(element(mark) for mark in marks if _is_in(mark, spot))}</g>\n'
        for spot in (*drawn.spots, *(each for each in drawn.entries if each.name in named))
    )
    unmarked = evolve(drawn, marks=tuple(mark for mark in drawn.marks if mark not in marks))
    before, end, after = svg(unmarked, has_style=False).rpartition("</svg>")
    return f"{before}{shapes}{end}{after}"


def _kind(spot: Spot) -> str:
    """What a spot is to the look of the page: a cell has marks of its own, other places are framed."""
    kind = "entry" if spot.is_entry else "point" if spot.entries else "cell"
    return f'class="{kind}"'


def _is_in(mark: Disc, spot: Spot) -> bool:
    return spot.box.left < mark.x < spot.box.right and spot.box.top < mark.y < spot.box.bottom


def _outcomes(state: State) -> list[dict[str, str]]:
    """The outcomes of chance; none if they are too many to be listed."""
    try:
        if state.sample_space.count > OUTCOMES:
            return []
        return [{"text": display_text(move), "probability": str(likely)} for move, likely in state.outcomes]
    except PlayError:
        raise
    except ZermeloError as error:
        if error.code != "too-many-outcomes":
            raise
        return []


def replay(game: Game, moves: list[str]) -> dict[str, Any]:
    """How much of a play is still legal in a game that may have changed: its moves and outcomes from the first on, with
    who makes each. Raises ``PlayError`` for an error of the rules at the beginning."""
    state, kept = game.initial, []
    with suppress(ZermeloError):
        for move in moves:
            actor, state = state.actor, state.after(move)
            kept.append({"move": move, "actor": actor})
    return {"kept": kept}


def reply(state: State, kind: str, memory: int) -> dict[str, str]:
    """The move of a seat of this kind, or an outcome of chance; with what there is to say about it."""
    if state.is_over:
        raise Misasked("the play has ended")
    random = Random()
    if state.actor == CHANCE:
        return {"move": display_text(state.sample(random)), "said": ""}
    seat = seat_of(kind, random, memory)  # never a file
    if seat is None:
        raise Misasked(f"nobody of the kind '{kind}' can play")
    move, said = seat.choose(state)
    return {"move": display_text(move), "said": said}


def hint(state: State, memory: int) -> dict[str, Any]:
    """A best move, what it is worth, and both in a sentence."""
    if state.actor is None or state.actor == CHANCE:
        raise Misasked("no player is to move")
    found = advise(state, memory)
    return {"move": display_text(found.move), "value": found.value, "said": found.said}


# Answers that take a search: the solution of a game, as `zermelo solve` has it, and its tree, as `zermelo draw`.


Progress = Callable[[str, str], Shown]
"""Begins to show progress: what is done, and what is counted meanwhile."""


def request_of(asked: PageQuestion, seconds: float, memory: int) -> Request:
    """What the fields of the page ask of a solver, within the limits of the server. Raises :class:`Misasked`."""
    fewer, depth = asked.number_or_none("seconds"), asked.number_or_none("depth")
    iterations, simulations = asked.number_or_none("iterations"), asked.number_or_none("simulations")
    return Request(
        asked.text_or_none("solver"),
        Limits(min(fewer or inf, seconds), memory, depth=depth or inf),
        seed=asked.number_or_none("seed") or 0,
        goal=None if iterations is None else Goal(None, iterations),
        sampling=None if simulations is None else Sampling(simulations),
    )


def solve_game(game: Game, request: Request, progress: Progress) -> dict[str, Any]:
    """The record of `zermelo solve --json`, with its ``page`` as text, and the strategies as tables.

    Raises what :func:`zermelo.solve` raises."""
    solver, limits = request.solver, request.limits
    if solver is not None:  # a misspelled name is reported before any search
        check_request(find_solver(solver), facts_with_information(game), request)
    report = progress("looking at the positions", "positions")
    asked = requirements_asked(game.facts, request)

    def look(machine: Machine[Any]) -> Settled:
        return settle(machine, game.facts, solver, machine.initial(), limits, report, asked)

    with limits.enforce():
        settled = search(game, look)
    report = progress("solving", "nodes")

    def work(machine: TellingMachine[Any]) -> tuple[TellingMachine[Any], Solution]:
        found = solve(machine, settled.facts, request, None, report, report.remark, settled)
        return machine, found

    with limits.enforce():
        machine, solution = search(game, work)
    page = StringIO()
    with redirect_stdout(page):
        print_kind(game, None, settled.facts, settled.seen)
        print_solution(game, settled.facts, name_of(machine), solution, None, is_precise=False, is_all=False)
    record = solution_record(game, None, name_of(machine), settled.facts, settled.seen, solution, None, is_brief=True)
    return {**record, "page": page.getvalue(), "strategy": [_table(strategy) for strategy in solution.strategies]}


def _table(strategy: Strategy) -> dict[str, Any]:
    heads, rows, said = strategy_parts(strategy)
    return {"player": strategy.player, "columns": heads, "rows": rows, "said": said}


def tree(state: State, depth: int | None, solver: str | None, limits: Limits, report: Shown) -> dict[str, str]:
    """The tree below a state as a picture; the search itself, if the solver records it."""
    with limits.enforce():
        if solver is not None and find_solver(solver).traces:
            picture = search_picture(state, solver, [depth or inf], NODES, limits, report)
        else:
            picture = tree_picture(draw_game_tree(state, depth or inf, NODES, solver, limits, report))
    return {"svg": svg(picture, has_style=False)}
