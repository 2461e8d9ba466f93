"""Gambit's tables (``.nfg``): read, and written as a table of the language or, unless two play, as a tree.

The payoffs of all profiles follow in an order in which the first player's strategy changes fastest: as numbers, or as
numbers of outcomes, which are listed before with their payoffs.

Source: the format as Gambit documents it, "The strategic game (.nfg) file format".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

from attrs import frozen

from zermelo.formats.efg_reading import DEEPEST, heading, move_names, player_names, read_heading
from zermelo.formats.labels import Losses, plain, told_apart
from zermelo.formats.tokens import GambitTokens, number_text
from zermelo.grammar.diagnostics import Mistake, Source, Span
from zermelo.grammar.reading import LARGEST


@frozen
class ListedTable:
    """A whole file: the strategies of every player, and what every profile pays, as it is written; the first player's
    strategy changes fastest."""

    title: str
    title_span: Span
    players: tuple[str, ...]
    players_span: Span
    comment: str
    strategies: tuple[tuple[str, ...], ...]
    strategies_span: Span
    pays: tuple[tuple[str, ...], ...]


def read_nfg(tokens: GambitTokens, losses: Losses) -> ListedTable:
    """The table of a file. Raises :class:`~zermelo.grammar.diagnostics.Mistake` (``foreign-syntax``)."""
    title_span, title, players_span, players = read_heading(tokens)
    strategies_span = tokens.span
    strategies = _strategies(tokens, players, losses)
    comment = tokens.optional_text()
    count = prod(map(len, strategies))
    pays = _outcomes(tokens, len(players), count, losses) if tokens.sees("{") else _numbers(tokens, len(players), count)
    if not tokens.ended:
        tokens.refuse(f"the end of the file: the table has {count:,} profiles")
    return ListedTable(title, title_span, players, players_span, comment, strategies, strategies_span, tuple(pays))


def _strategies(tokens: GambitTokens, players: Sequence[str], losses: Losses) -> tuple[tuple[str, ...], ...]:
    """The strategies of every player: their labels in braces, or how many there are."""
    span = tokens.span
    tokens.expect("{")
    found = []
    while not tokens.accept("}"):
        if tokens.accept("{"):
            labels = []
            while not tokens.accept("}"):
                labels.append(tokens.text("the label of a strategy, in quotes"))
        else:
            at = tokens.span
            count = tokens.whole_number("how many strategies a player has, or their labels")
            if count > LARGEST:
                raise Mistake("foreign-syntax", at, f"a file of {LARGEST:,} bytes has no room for {count:,} strategies")
            labels = [str(k + 1) for k in range(count)]
        apart = told_apart([label or "move" for label in labels])
        for before, after in zip(labels, apart, strict=True):
            losses.note_renamed("strategies of one player", span, before, after)
        found.append(tuple(apart))
    if len(found) != len(players) or not all(found):
        raise Mistake("foreign-syntax", span, "each player needs a strategy at least")
    return tuple(found)


def _numbers(tokens: GambitTokens, players: int, count: int) -> list[tuple[str, ...]]:
    """The payoffs of all profiles as numbers."""
    pays = []
    for _ in range(count):
        pays.append(
            tuple(tokens.number(f"a payoff for each player in each of {count:,} profiles") for _ in range(players))
        )
        tokens.accept(",")
    return pays


def _outcomes(tokens: GambitTokens, players: int, count: int, losses: Losses) -> list[tuple[str, ...]]:
    """The payoffs of all profiles by their outcomes; outcome 0 pays nothing."""
    listed: list[tuple[str, ...]] = [("0",) * players]
    tokens.expect("{")
    while not tokens.accept("}"):
        tokens.expect("{")
        span = tokens.span
        label = tokens.text("the label of an outcome, in quotes")
        if label:
            losses.note("dropped-part", "labels of outcomes are left out", span, f"'{plain(label)}'")
        pays = []
        for _ in range(players):
            tokens.accept(",")
            pays.append(tokens.number("a payoff for each player"))
        tokens.expect("}")
        listed.append(tuple(pays))
    chosen = []
    for _ in range(count):
        span = tokens.span
        number = tokens.whole_number(f"the outcome of each of {count:,} profiles")
        if number >= len(listed):
            raise Mistake("foreign-syntax", span, f"there is no outcome {number}: {len(listed) - 1} are listed")
        chosen.append(listed[number])
    return chosen


# From the table to the text of a game.


def nfg_as_game(table: ListedTable, losses: Losses) -> str:
    """The text of a game with this table.

    Raises :class:`~zermelo.grammar.diagnostics.Mistake` (``nested-too-deep``)."""
    if len(table.players) > DEEPEST:
        message = f"more than {DEEPEST} players choose one after the other in the tree of this table"
        raise Mistake("nested-too-deep", table.players_span, message)
    players = player_names(table.players, table.players_span, losses)
    places = [(label, table.strategies_span) for own in table.strategies for label in own]
    moves = move_names(places, losses, "labels of strategies")
    lines = heading(table.title, table.title_span, table.comment, players, losses)
    names = [player.name for player in players]
    written = [[moves[label].written for label in own] for own in table.strategies]
    counts = list(map(len, table.strategies))

    def pays(profile: Sequence[int]) -> str:
        place = 0
        for count, strategy in zip(reversed(counts), reversed(profile), strict=True):
            place = place * count + strategy
        return ", ".join(map(number_text, table.pays[place]))

    if len(names) == 2:
        lines += ["table:", f"    {names[0]} \\ {names[1]} | {' | '.join(written[1])}"]
        for row, choice in enumerate(written[0]):
            cells = (pays((row, column)) for column in range(counts[1]))
            lines.append(f"    {choice} | {' | '.join(cells)}")
    else:
        lines += ["tree:", *_as_tree(names, written, pays)]
    return "\n".join(lines) + "\n"


def _as_tree(names: Sequence[str], written: Sequence[Sequence[str]], pays: Callable[[Sequence[int]], str]) -> list[str]:
    """The lines of a tree in which all choose one after the other, and nobody sees what the others have chosen: in a
    table the choices of a third player can have no display names."""
    lines: list[str] = []

    def add(before: str, profile: tuple[int, ...]) -> None:
        player = len(profile)
        indent = "    " * (player + 1)
        if player == len(names):
            lines.append(f"{indent}{before}({pays(profile)})")
            return
        label = f" @{names[player]}" if player else ""
        lines.append(f"{indent}{before}{names[player]}{label}:")
        for strategy, choice in enumerate(written[player]):
            add(f"{choice}: ", (*profile, strategy))

    add("", ())
    return lines


def as_table(source: Source, losses: Losses) -> str:
    """The text of a game for the text of an ``.nfg``. Raises as :func:`read_nfg` and :func:`nfg_as_game`
    do."""
    return nfg_as_game(read_nfg(GambitTokens(source), losses), losses)
