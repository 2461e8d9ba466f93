"""Keep all positions of a game, with their values, in a folder of Parquet files, and look them up.

  build GAME -o DIR   solve all positions, and write each with its value for each player, its distance to the end, and
                      how many of its moves are best; with --plies N only those of the first N plies, an opening book
  info DIR            what a table is of, and how large it is
  query DIR           look up a position, and what each of its moves brings
  verify DIR [GAME]   check every byte, and every value against those of the positions behind it; and that the table
                      is of that game

Other programs read the files as they are: pandas, polars, DuckDB and all that knows Parquet. docs/tables.md has the
columns.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, BooleanOptionalAction, Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from zermelo.commands.game_options import add_limits, add_rules, game_of, limits_of, state_after, state_of
from zermelo.commands.options import add_format, positive_number
from zermelo.game import State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import display_text
from zermelo.numbers import by_player, count_in_words, exact_text, parameters_text, play_so_far, record_header
from zermelo.report.console import print_facts, print_json, print_table, print_title, progress
from zermelo.solvers.forms.policy import Worth
from zermelo.solvers.tables.on_disk import OnDisk, Workforce
from zermelo.tables import Book, Table, TableEntry, build_table

EXAMPLES = """\
examples:
  zermelo table build tic_tac_toe -o tic_tac_toe.table
  zermelo table build connect_four -p rows=4 -p columns=4 -o connect_four.table
  zermelo table build tic_tac_toe --after "mark(b2)" --after "mark(a1)" -o two_roots.table
  zermelo table build connect_four --plies 4 --depth 8 -o opening.table
  zermelo table info connect_four.table
  zermelo table query tic_tac_toe.table --after "mark(b2); mark(a2)"
  zermelo table verify connect_four.table connect_four -p rows=4 -p columns=4
"""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("what", metavar="build|info|query|verify", choices=("build", "info", "query", "verify"))
    parser.add_argument("place", metavar="GAME|DIR", help="the game of which a table is built; else the table's folder")
    parser.add_argument("game", metavar="GAME", nargs="?", help="with verify: the game of which the table has to be")
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, help="with build: the folder, new or empty")
    parser.add_argument(
        "--up-to-symmetry",
        action=BooleanOptionalAction,
        help="with build: keep only one of positions that are alike but for a symmetry of the rules (default: where "
        "such symmetries are known, and make no difference to what players get)",
    )
    parser.add_argument(
        "--plies",
        metavar="N",
        type=positive_number,
        help="with build: keep only positions within N moves and outcomes of the beginning, an opening book",
    )
    parser.add_argument(
        "--depth",
        dest="ahead",
        metavar="N",
        type=positive_number,
        help="with --plies: do not solve all positions, but search those at the last ply N moves ahead, and let the "
        "others follow; the table says which values are estimates",
    )
    parser.add_argument(
        "--no-missed-wins",
        dest="missed_wins",
        action="store_false",
        help="with build: leave out positions that come up only if somebody does not win at once, by a move that ends "
        "the play and pays the most that any play can pay; it is made on disk",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="with build: go on with what an interrupted build of the same table has left beside DIR",
    )
    parser.add_argument(
        "--workers",
        metavar="N",
        type=positive_number,
        help="with build: so many processes make the table, each with its --memory (default: this one; with --cluster, "
        "as many as it has room for)",
    )
    parser.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="with build: the workers are those of a Ray cluster that is there, all of whose nodes have to see DIR",
    )
    parser.add_argument(
        "--root",
        metavar="N",
        type=positive_number,
        help="with query: a position with which the table begins, by its number in `info`; --after goes on from there",
    )
    add_rules(parser, are_several=True)
    add_limits(parser)
    add_format(parser)


def run(options: Namespace) -> int:
    _check_usage(options)
    if options.what == "build":
        options.game = options.place
        return _build(options)
    options.position, options.after = ((given or [None])[0] for given in (options.position, options.after))
    table = Table.open(options.place)
    if options.what == "info":
        _show(table, options)
    elif options.what == "query":
        _query(table, options)
    else:
        _verify(table, options)
    return 0


def _check_usage(options: Namespace) -> None:
    """Refuse what belongs to another of the four."""
    wrong = None
    makes_on_disk = options.resume or options.workers is not None or options.cluster is not None
    if options.what == "build" and options.output is None:
        wrong = "build needs a folder to write to: -o DIR"
    elif options.what != "build" and (options.output is not None or options.up_to_symmetry is not None):
        wrong = "-o and --up-to-symmetry are for build"
    elif options.what != "build" and options.plies is not None:
        wrong = "--plies is for build"
    elif options.ahead is not None and options.plies is None:
        wrong = "--depth is for an opening book: build --plies N"
    elif options.what != "build" and makes_on_disk:
        wrong = "--resume, --workers and --cluster are for build"
    elif options.ahead is not None and makes_on_disk:
        wrong = "--resume, --workers and --cluster are for solving all positions, and --depth searches few"
    elif not options.missed_wins and (options.what != "build" or options.plies is not None):
        wrong = "--no-missed-wins is for build, and for tables of all plies"
    elif options.what in ("build", "info", "query") and options.game is not None:
        wrong = f"{options.what} takes one name"
    elif options.what != "query" and options.root is not None:
        wrong = "--root is for query"
    elif options.what != "build" and max(len(options.position or ()), len(options.after or ())) > 1:
        wrong = "one --position and one --after are enough, except to build"
    elif options.what in ("info", "verify") and options.after:
        wrong = "--after is for build and query"
    elif options.what != "build" and options.machine != "auto":
        wrong = "--machine is for build"
    elif options.game is None and options.what != "build" and (options.parameters or options.position):
        wrong = "the table has the game and its parameters; verify takes a GAME to compare it with"
    if wrong is not None:
        raise ZermeloError("bad-usage", wrong, "`zermelo table --help` has examples")


def _build(options: Namespace) -> int:
    roots = list(_roots(options))
    book = None if options.plies is None else Book(options.plies, options.ahead)
    workforce = Workforce(options.workers, options.cluster)
    with progress("solving", "positions") as report, _told_if_interrupted(options.output):
        table = build_table(
            roots,
            options.output,
            options.up_to_symmetry,
            limits_of(options),
            report,
            book,
            options.resume,
            workforce,
            options.missed_wins,
        )
    _show(table, options)
    return 0


def _roots(options: Namespace) -> Iterator[State]:
    """Where the table begins: at each position after each of the plays."""
    for position in options.position or [None]:
        game = game_of(Namespace(**{**vars(options), "position": position}))
        for after in options.after or [""]:
            yield state_of(Namespace(**{**vars(options), "after": after}), game)


@contextmanager
def _told_if_interrupted(folder: Path) -> Iterator[None]:
    """A block that makes a table in a folder; if it is interrupted, people are told what is left."""
    try:
        yield
    except KeyboardInterrupt:
        work = OnDisk(folder, {})
        if work.is_unfinished:
            print(f"\nWhat is finished is kept in {work.place}: --resume goes on with it.", file=sys.stderr)
        raise


def _show(table: Table, options: Namespace) -> None:
    """What a table is of."""
    files, manifest, roots = table.files, table.files.manifest, table.roots
    entries = [table.entry_of_root(root) for root in roots]
    if options.format == "json":
        print_json(
            {
                **record_header(table.game),
                "rules": manifest["game"]["sha256"],
                "folder": str(files.folder),
                "book": manifest["book"],
                "missed_wins": manifest["missed_wins"],
                "positions": len(table),
                "symmetries": manifest["key"]["symmetries"],
                "bytes": files.bytes,
                "files": len(files.parts),
                "columns": files.columns,
                "made_by": manifest["made_by"],
                "roots": [
                    {
                        "source": root.game.model.source.name,
                        "after": list(map(str, root.play)),
                        **_entry_record(table, entry),
                    }
                    for root, entry in zip(roots, entries, strict=True)
                ],
            }
        )
        return
    print_title(table.game.title, parameters_text(table.game))
    print()
    symmetries = manifest["key"]["symmetries"]
    left_out = "" if table.has_missed_wins else ", as long as nobody misses a win"
    alike = f", one of those that are alike up to {symmetries} symmetries" if symmetries > 1 else ""
    lines = [
        *([("after", play_so_far(roots[0]))] if len(roots) == 1 and roots[0].play else []),
        *([("book", _book_text(table.book))] if table.book is not None else []),
        ("positions", f"{len(table):,}{alike}{left_out}"),
        ("files", f"{len(files.parts):,}, {-(-files.bytes >> 10):,} KiB"),
        ("columns", ", ".join(files.columns)),
        ("rules", f"{manifest['game']['source']}, SHA-256 {manifest['game']['sha256'][:16]}..."),
        *(_entry_lines(table, entries[0]) if len(roots) == 1 else []),
    ]
    print_facts(lines)
    if len(roots) > 1:
        print()
        _print_roots(table, roots, entries)


def _print_roots(table: Table, roots: Sequence[State], entries: Sequence[TableEntry]) -> None:
    """A row for each position with which a table begins."""
    numbers = range(len(table.game.players))
    rows = [
        (str(number), table.beginning(root), *(_amount(entry.value, k) for k in numbers), _distance(entry))
        for number, (root, entry) in enumerate(zip(roots, entries, strict=True), 1)
    ]
    values = (f"value for {player}" for player in table.game.titles)
    print_table(["root", "begins", *values, "moves to the end"], rows)


def _distance(of: TableEntry | Worth) -> str:
    return "" if of.distance is None else f"{of.distance:,}"


def _book_text(book: Book) -> str:
    """How far a book goes, and how sure it is."""
    told = f"within {count_in_words(book.plies, 'move')}"
    if book.depth is None:
        return f"{told}, all values exact"
    sure = f"{count_in_words(book.estimates, 'value')} estimated" if book.estimates else "all values exact"
    return f"{told}, searched {count_in_words(book.depth, 'move')} further; {sure}"


def _query(table: Table, options: Namespace) -> None:
    state = state_after(options, table.game.initial if options.root is None else _root(table, options.root))
    entry = table[state]
    worths, best = table.worths(state) if not state.is_over else ((), ())
    if options.format == "json":
        moves = [
            {
                "move": str(worth.move),
                "value": None if worth.payoff is None else by_player(table.game, worth.payoff),
                "moves_to_the_end": worth.distance,
                "is_best": worth.move in best,
            }
            for worth in worths
        ]
        after = list(map(str, state.play))
        print_json({**record_header(table.game), "after": after, **_entry_record(table, entry), "moves": moves})
        return
    print_title(table.game.title, parameters_text(table.game))
    print()
    lines = [("after", play_so_far(state))] if state.play else []
    print_facts([*lines, ("now", state.status), *_entry_lines(table, entry)])
    if worths:
        print()
        _print_moves(state, worths, best)


def _root(table: Table, number: int) -> State:
    """The root of this number. Raises ``ZermeloError`` (``bad-usage``)."""
    roots = table.roots
    if number > len(roots):
        raise ZermeloError(
            "bad-usage", f"the table begins at {count_in_words(len(roots), 'position')}", "`info` lists them"
        )
    return roots[number - 1]


def _print_moves(state: State, worths: tuple[Worth, ...], best: tuple[Any, ...]) -> None:
    """A row for each move."""
    players = state.game.titles
    rows = [
        (
            display_text(worth.move),
            *(_amount(worth.payoff, number) for number in range(len(players))),
            "best" if worth.move in best else "",
            _distance(worth),
        )
        for worth in worths
    ]
    heads = ("outcome" if state.outcomes else "move", *(f"value for {player}" for player in players), "")
    heads = (*heads, "moves to the end")
    filled = [k for k in range(len(heads)) if any(row[k] for row in rows)]
    print_table([heads[k] for k in filled], [[row[k] for k in filled] for row in rows])


def _amount(payoff: Any, player: int) -> str:
    return "not defined" if payoff is None else exact_text(payoff[player])


def _entry_lines(table: Table, entry: TableEntry) -> list[tuple[str, str]]:
    """What a table says of a position."""
    told = ", ".join(f"{player} {_amount(entry.value, k)}" for k, player in enumerate(table.game.titles))
    lines = [("value", told)]
    if entry.distance is not None:
        lines.append(("moves to the end", f"{entry.distance:,}"))
    if entry.best_moves is not None:
        lines.append(("best moves", f"{entry.best_moves:,}"))
    if entry.depth is not None:
        lines.append(("certainty", f"an estimate, searched {count_in_words(entry.depth, 'move')} ahead"))
    return lines


def _entry_record(table: Table, entry: TableEntry) -> dict[str, Any]:
    return {
        "value": None if entry.value is None else by_player(table.game, entry.value),
        "moves_to_the_end": entry.distance,
        "best_moves": entry.best_moves,
        "depth": entry.depth,
    }


def _verify(table: Table, options: Namespace) -> None:
    if options.game is not None:
        table.check_game(game_of(options))
    limits = limits_of(options)
    with progress("verifying", "positions") as report, limits.enforce():
        again = table.verify_within(limits, report)
    if options.format == "json":
        print_json({**record_header(table.game), "positions": len(table), "verified": True, "searched_again": again})
    elif table.book is None:
        print(f"{len(table):,} positions: every value is what the moves bring.")
    else:
        print(f"{len(table):,} positions: every value before the last move is what the moves bring;")
        print(f"{again:,} of the last move, evenly spread, have been searched again, and have the same values.")
