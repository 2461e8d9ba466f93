"""The ``table:`` notation, lowered to one phase with a ``together``."""

from __future__ import annotations

from collections import Counter
from itertools import product

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Label
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.generated import TABLE
from zermelo.interpreter.elaboration.names import report_doubles, undefined
from zermelo.interpreter.elaboration.scope import Scope
from zermelo.interpreter.elaboration.statements import payoff_tuple
from zermelo.interpreter.types import BOOL, SetType
from zermelo.interpreter.values import Member, OrderedSet

Choices = tuple[str, ...]
"""One choice for each player, in the order of the players."""


def lower_tables(tables: tuple[syntax.Table, ...], scope: Scope) -> tuple[dict[str, model.Phase], model.Go]:
    """The only phase of the game, and the ``go`` to it."""
    players = scope.globals.player_type.listed
    span = tables[0].span
    go = model.Go(TABLE, (), span=span)
    unreadable = {TABLE: model.Phase(TABLE, (), (model.Do(model.UNKNOWN_ACTION, (), span=span),), None, None, 0, span)}
    if _report_strangers(tables, scope):
        return unreadable, go
    offered = _offered(tables, scope)
    if any(not offered[player.name] for player in players):
        _report_players_without_choice(offered, tables[0], scope)
        return unreadable, go
    cells = _cells(tables, scope)
    for choices in product(*(offered[player.name] for player in players)):
        if choices not in cells:
            _report_missing(choices, players, tables, scope)
            cells[choices] = model.End(model.DrawOutcome(), span=span)
    slot = scope.frame.new_slot()
    rules = _rules(offered, slot, scope)
    together = model.Together(
        model.Const(scope.globals.player_type.members, type=SetType(scope.globals.player_type), span=span),
        slot,
        rules,
        _branch((), players, offered, {rule.name: rule for rule in rules}, cells, scope, span),
        span,
    )
    phase = model.Phase(TABLE, (), (), together, None, scope.frame.size, span)
    return {TABLE: phase}, go


def _report_strangers(tables: tuple[syntax.Table, ...], scope: Scope) -> bool:
    """Report names that are not players'; whether there are any."""
    players = scope.globals.player_type.by_name
    found = False
    for table in tables:
        for name in (*(player for player, _ in table.others), table.row_player, table.column_player):
            if name.text not in players:
                undefined(name.text, name.span, "player", players, scope.findings)
                found = True
            scope.globals.use_part(scope.globals.player_type, name.text, name.span)
    return found


def _offered(tables: tuple[syntax.Table, ...], scope: Scope) -> dict[str, dict[str, Span]]:
    """For each player, their choices in the order of the text, with the place of the first occurrence."""
    offered: dict[str, dict[str, Span]] = {player.name: {} for player in scope.globals.player_type.listed}
    first = tables[0]
    for table in tables:
        written = [(player, [choice]) for player, choice in table.others]
        written += [(table.row_player, [row.choice for row in table.rows]), (table.column_player, list(table.columns))]
        players = ((player.text, player.span) for player, _ in written)
        report_doubles(players, scope.findings, "{} has two places in this table")
        for player, choices in written:
            named = ((choice.text, choice.span) for choice in choices)
            report_doubles(named, scope.findings, "the table has '{}' twice", "doubled-cell")
            for choice in choices:
                offered[player.text].setdefault(choice.text, choice.span)
        sides = (table.row_player.text, table.column_player.text)
        if sides != (first.row_player.text, first.column_player.text):
            scope.findings.report(
                "label-mismatch",
                table.row_player.span,
                "all tables of a game have the same row player and the same column player",
                labels=[Label(first.row_player.span, "as the first one has")],
            )
    return offered


def _report_players_without_choice(offered: dict[str, dict[str, Span]], table: syntax.Table, scope: Scope) -> None:
    without = [name for name, choices in offered.items() if not choices]
    scope.findings.report(
        "missing-cell",
        table.span,
        f"the table gives no choice to {', '.join(without)}",
        help=f"with more than two players write one table for each choice, as in 'table {without[-1]} = left:'",
    )


def _cells(tables: tuple[syntax.Table, ...], scope: Scope) -> dict[Choices, model.End]:
    """The outcome of every combination of choices."""
    names = [player.name for player in scope.globals.player_type.listed]
    cells: dict[Choices, model.End] = {}
    for table in tables:
        rows, columns = _doubled([row.choice for row in table.rows]), _doubled(list(table.columns))
        fixed = {player.text: choice.text for player, choice in table.others}
        for row in table.rows:
            _report_length(row, table, scope)
            for column, cell in zip(table.columns, row.cells, strict=False):
                chosen = {**fixed, table.row_player.text: row.choice.text, table.column_player.text: column.text}
                choices = tuple(chosen.get(name, "") for name in names)
                entries = payoff_tuple(cell.amounts, scope, cell.span)
                if choices in cells and (row.choice.text in rows or column.text in columns):
                    continue  # the row or column has been reported
                if choices in cells:
                    shown = ", ".join(choices)
                    message, label = f"the cell for {shown} occurs twice", Label(cells[choices].span, "the first one")
                    scope.findings.report("doubled-cell", cell.span, message, labels=[label])
                    continue
                cells[choices] = model.End(model.PayoffOutcome(entries), span=cell.span)
    return cells


def _doubled(choices: list[syntax.Name]) -> set[str]:
    return {choice for choice, count in Counter(choice.text for choice in choices).items() if count > 1}


def _report_length(row: syntax.TableRow, table: syntax.Table, scope: Scope) -> None:
    missing = len(table.columns) - len(row.cells)
    if missing > 0:
        names = ", ".join(str(column) for column in table.columns[-missing:])
        message = f"the row '{row.choice}' has no cell for {names}"
        scope.findings.report("missing-cell", row.span, message, help="every row has a cell for every column")
    elif missing < 0:
        message = f"the row '{row.choice}' has {len(row.cells)} cells, but there are {len(table.columns)} columns"
        scope.findings.report("doubled-cell", row.cells[len(table.columns)].span, message)


def _report_missing(choices: Choices, players: model.Players, tables: tuple[syntax.Table, ...], scope: Scope) -> None:
    """Report a combination without a cell, except in a short row, which has been reported."""
    chosen = {player.name: choice for player, choice in zip(players, choices, strict=True)}
    fitting = [t for t in tables if all(chosen[player.text] == choice.text for player, choice in t.others)]
    table = fitting[0] if fitting else tables[-1]
    short = any(len(row.cells) < len(table.columns) for row in table.rows)
    if not short:
        shown = ", ".join(f"{player.name} = {choice}" for player, choice in zip(players, choices, strict=True))
        scope.findings.report("missing-cell", table.span, f"no table has a cell for {shown}")


def _rules(offered: dict[str, dict[str, Span]], slot: int, scope: Scope) -> tuple[model.Rule, ...]:
    """One rule for each name of a choice, for all players who have it."""
    players = scope.globals.player_type
    spans: dict[str, Span] = {}
    for choices in offered.values():
        for choice, span in choices.items():
            spans.setdefault(choice, span)
    rules = []
    for choice, span in spans.items():
        who = OrderedSet(member for member in players.listed if choice in offered[member.name])
        guard: tuple[model.Expr, ...] = ()
        if len(who) < len(players.listed):
            mover = model.Local(slot, "player", type=players, span=span)
            allowed = model.Const(who, type=SetType(players), span=span)
            guard = (model.Contains(mover, allowed, type=BOOL, span=span),)
        rules.append(model.Rule(choice, (), (guard,), None, False, None, None, (), span))
    return tuple(rules)


def _branch(
    chosen: Choices,
    players: model.Players,
    offered: dict[str, dict[str, Span]],
    rules: dict[str, model.Rule],
    cells: dict[Choices, model.End],
    scope: Scope,
    span: Span,
) -> model.Block:
    """A decision tree, player by player, to the cell of the choices."""
    if len(chosen) == len(players):
        return (cells[chosen],)
    player: Member = players[len(chosen)]
    block: model.Block = ()
    for choice in reversed(offered[player.name]):
        leads_to = _branch((*chosen, choice), players, offered, rules, cells, scope, span)
        if not block:
            block = leads_to
            continue
        who = model.Const(player, type=scope.globals.player_type, span=span)
        test = model.Chosen(rules[choice], who, None, type=BOOL, span=span)
        block = (model.If_(test, leads_to, block, span=span),)
    return block
