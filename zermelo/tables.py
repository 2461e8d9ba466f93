"""Tables of all positions: made of a game, opened, asked about states, and verified."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from json import dumps
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import asdict, define, evolve, frozen

from zermelo.files import rules_digest
from zermelo.foundation.records import ByValue
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.checks.game_facts import has_one_value
from zermelo.interpreter.machine import CHANCE, END, Machine, Move, Payoff, display_text
from zermelo.interpreter.values import format_value
from zermelo.last_resort import wrap_internal_errors
from zermelo.numbers import by_player, count_in_words, parameters_text, with_parameters
from zermelo.solvers.common.libraries import import_library
from zermelo.solvers.common.limits import Limits, Progress, ignore_progress, quarter_of_memory
from zermelo.solvers.forms.policy import Worth
from zermelo.solvers.positions.solved_positions import earned_and_factor_before
from zermelo.solvers.solution import Certainty, Endgames, Problem, Request
from zermelo.solvers.tables.dataset import (
    GroupRows,
    Key,
    TableFiles,
    TableWriter,
    damaged,
    new_folder,
    parquet,
)
from zermelo.solvers.tables.on_disk import HERE, OnDisk, Workforce
from zermelo.solvers.tables.rows import CHANCE_MOVES, payoff_of
from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo.decisions import MoveEvaluation
    from zermelo.preparing import Prepared
    from zermelo.report.console import Watch
    from zermelo.solvers.tables.along_graph import KnownGraph
    from zermelo.solvers.tables.books import Search
    from zermelo.solvers.tables.keys import KeyFinder
    from zermelo.solvers.tables.rows import Content

_AGAIN: Final = "`zermelo table build` makes it again"


# Making a table.


@frozen
class Book(ByValue):
    """How far an opening book goes: so many ``plies``, moves and outcomes, from the root on. With a ``depth`` the
    positions at the last ply are searched so many moves ahead, by a ``solver``; without one, all positions of the game
    are solved. Of the values so many are ``estimates``."""

    plies: int
    depth: int | None = None
    solver: str = "positions"
    estimates: int = 0


def build_table(
    roots: Sequence[State],
    folder: Path,
    up_to_symmetry: bool | None = None,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
    book: Book | None = None,
    resume: bool = False,
    workforce: Workforce = HERE,
    missed_wins: bool = True,
) -> Table:
    """Solve all positions that can be reached from some states, which may be of one game or of several that have the
    same rules and begin elsewhere, and write them to a folder, or, from a single one, only those of a ``book``. Of
    positions that are alike up to a symmetry of the rules one is kept; if ``up_to_symmetry`` is false, all are. With
    ``resume`` or a ``workforce`` the table is made on disk, and what an interrupted build has left is gone on with; a
    table that has been finished is taken as it is. Without ``missed_wins`` those positions are left out that come up
    only if somebody does not end the play though that would pay them the most that any play can pay.

    Raises ``ZermeloError``: ``no-table`` for a game whose positions have no packed keys, in which players choose at
    once, or whose values are too long, for a searched book if plays need not end, for a book from several states, and
    for states behind which keys or rules differ; ``needs-public`` if something is hidden; ``unwritable-file`` if there
    is something in the folder; ``unfinished-table`` if an interrupted build has left something beside it; with
    ``resume`` ``other-table`` if that was of something else, ``damaged-table``; ``cluster-failed``;
    ``library-missing``; those of the solver of positions, or of a search to a depth; and ``PlayError``."""
    from zermelo.solving import on_machine, search

    parquet()  # sooner than after a long search
    limits, game = limits or Limits(), roots[0].game
    on_disk = on_disk_for(roots, folder, up_to_symmetry, resume, workforce, missed_wins)
    if resume and _is_made(folder, roots, up_to_symmetry, book, missed_wins):
        on_disk.clear_up()
        return Table.open(folder)
    with on_disk.kept(), new_folder(folder) as beside, limits.enforce():

        def work(machine: Machine[Any]) -> None:
            machines = [machine if root.game is game else root.game.searching for root in roots]
            starts = [(each, on_machine(root, each)) for root, each in zip(roots, machines, strict=True)]
            _build(roots, starts, beside, up_to_symmetry, limits, progress, book, on_disk)

        search(game, work)
    return Table.open(folder)


def on_disk_for(
    roots: Sequence[State],
    folder: Path,
    up_to_symmetry: bool | None,
    resume: bool = False,
    workforce: Workforce = HERE,
    missed_wins: bool = True,
) -> OnDisk:
    """How a table is made on disk, if it is."""
    game = roots[0].game
    made_of = {
        "version of zermelo": __version__,
        "game": game.title,
        "text of the rules": rules_digest(game.model.source),
        "value of a parameter": {name: format_value(value) for name, value in game.parameters.items()},
        "beginning": [_told(root, game) for root in roots],
        "choice of symmetry": {None: "the default", True: "--up-to-symmetry", False: "--no-up-to-symmetry"}[
            up_to_symmetry
        ],
        "choice of missed wins": "the default" if missed_wins else "--no-missed-wins",
    }
    return OnDisk(Path(os.path.abspath(folder)), made_of, resume, workforce, missed_wins)


def _is_made(
    folder: Path, roots: Sequence[State], up_to_symmetry: bool | None, book: Book | None, missed_wins: bool
) -> bool:
    """Whether the table that is asked for is there."""
    try:
        table = Table.open(folder)
    except ZermeloError:
        return False
    manifest, game = table.files.manifest, roots[0].game
    asked = _game_record(game)
    is_asked = [manifest["game"][name] == asked[name] for name in ("sha256", "parameters")]
    beginnings = [_root_record(root, game) for root in roots]
    is_asked.append([{name: each[name] for name in beginnings[0]} for each in manifest["roots"]] == beginnings)
    has_images = manifest["key"]["symmetries"] > 1
    is_asked.append(manifest["missed_wins"] == missed_wins)
    goes, should_go = (None if each is None else (each.plies, each.depth) for each in (table.book, book))
    return all(is_asked) and up_to_symmetry in (None, has_images) and goes == should_go


def _build(
    roots: Sequence[State],
    starts: Sequence[tuple[Machine[Any], Any]],
    folder: Path,
    up_to_symmetry: bool | None,
    limits: Limits,
    progress: Progress,
    book: Book | None,
    on_disk: OnDisk,
) -> None:
    from zermelo.solvers.tables.books import open_positions, searched_content, within
    from zermelo.solvers.tables.building import content
    from zermelo.solvers.tables.keys import KeyFinder, layout_record, lowered, no_table

    game, (_, start) = roots[0].game, starts[0]
    problem, *others = (
        _problem(root.game, each, there, limits, progress) for root, (each, there) in zip(roots, starts, strict=True)
    )
    _check_alike(roots, up_to_symmetry)
    if book is not None and others:
        raise no_table("the moves of an opening book count from one position")
    if book is not None and book.depth is not None:
        book = evolve(book, solver=_solver_for(problem, book.depth))
        found = searched_content(problem, book.plies, _searching(problem, book), up_to_symmetry)
    else:
        found = content(problem, up_to_symmetry, on_disk, others)
        if book is not None:
            finder = KeyFinder(found.machine, found.images)
            found = within(found, open_positions(finder, start, book.plies, limits, progress))
    width = found.format.width
    keys = [KeyFinder(lowered(each), found.images).find(there) for each, there in starts]
    writer = TableWriter(folder, found.format.schema(), width)
    written, exact, root_rows = _write(found, writer, [key for key, _ in keys], limits, progress)
    writer.finish(
        {
            "made_by": {"zermelo": __version__, "pyarrow": import_library("pyarrow", "tables").__version__},
            "game": _game_record(game),
            "players": list(game.players),
            "key": {
                "words": width,
                "symmetries": len(found.images.symmetries) if found.images is not None else 1,
                "fields": layout_record(found.machine.program.layout),
            },
            "roots": [
                {
                    **_root_record(root, game),
                    "key": list(map(str, key)),
                    "value": by_player(game, exchanged(payoff_of(root_rows[key], game.players), is_exchanged)),
                    "moves_to_the_end": root_rows[key]["moves_to_the_end"],
                }
                for root, (key, is_exchanged) in zip(roots, keys, strict=True)
            ],
            "who_hurries": None if found.who_hurries is None else found.who_hurries.record(),
            "missed_wins": on_disk.missed_wins,
            "book": None if book is None else asdict(evolve(book, estimates=written - exact)),
            "positions": written,
        }
    )


def _write(
    found: Content, writer: TableWriter, keys: Sequence[Key], limits: Limits, progress: Progress
) -> tuple[int, int, dict[Key, dict[str, Any]]]:
    """Write the rows; how many they are, how many of them are exact, and those of some keys."""
    if found.files is not None:
        writer.take(found.files)
        rows_of_keys = ((key, found.files.find(key)) for key in keys)
        return found.positions, found.positions, {key: row for key, row in rows_of_keys if row is not None}
    written, exact, root_rows = 0, 0, dict[Key, dict[str, Any]]()
    for part in found.tables:
        rows = GroupRows.of(part, found.format.width)
        root_rows |= {key: rows.row(place) for key in keys if (place := rows.place_of(key)) is not None}
        writer.write(part)
        written += part.num_rows
        exact += part.column("depth").null_count if found.format.has_depths else part.num_rows
        progress(written)
        limits.check({"nodes": written})
    return written, exact, root_rows


def _problem(game: Game, machine: Machine[Any], start: Any, limits: Limits, progress: Progress) -> Problem[Any]:
    """What is to be solved for a table. Raises as :func:`build_table` does for a game that has none."""
    from zermelo.solvers.choosing.choice import check_preconditions, requirements_asked, settle
    from zermelo.solvers.choosing.registry import find_solver
    from zermelo.solvers.tables.building import SIMULTANEOUS
    from zermelo.solvers.tables.keys import lowered, no_table

    lowered(machine)
    asked = requirements_asked(game.facts, Request("positions", limits))
    settled = settle(machine, game.facts, "positions", start, limits, progress, asked)
    advice = "a table is of positions that everybody knows; `zermelo solve` chooses a solver for what is hidden"
    check_preconditions(find_solver("positions"), settled.facts, asked, advice)
    if settled.facts.simultaneous.holds:
        raise no_table(SIMULTANEOUS)
    return Problem(machine, settled.facts, start, progress, limits)


def _solver_for(problem: Problem[Any], depth: int) -> str:
    """The solver that searches positions so many moves ahead. Raises ``ZermeloError`` if there is none."""
    from zermelo.solvers.choosing.choice import choose_solver, requirements_asked

    asked = requirements_asked(problem.facts, Request(limits=evolve(problem.limits, depth=depth)))
    return choose_solver(problem.facts, asked).name


def _searching(problem: Problem[Any], book: Book) -> Search:
    """Searches a position as far as those at the last ply of a book, or to the end if it is not searched. Raises as
    :func:`~zermelo.solvers.choosing.choice.solve` does."""
    from zermelo.solvers.choosing.choice import solve

    limits = evolve(problem.limits, depth=inf if book.depth is None else book.depth)
    request = Request(None if book.depth is None else book.solver, limits)
    return lambda state: solve(problem.machine, problem.facts, request, state)


def _game_record(game: Game) -> dict[str, Any]:
    """The rules, with their digest."""
    source = game.model.source
    return {
        "name": game.name,
        "title": game.title,
        "parameters": {name: format_value(value) for name, value in game.parameters.items()},
        "source": source.name,
        "sha256": rules_digest(source),
        "text": source.text,
    }


def _check_alike(roots: Sequence[State], up_to_symmetry: bool | None) -> None:
    """Raise ``ZermeloError`` (``no-table``) unless positions mean the same behind all roots of a table."""
    from zermelo.solvers.running.lowered_backend import images_of
    from zermelo.solvers.tables.keys import KeyFinder, lowered, no_table

    def finder_of(game: Game) -> KeyFinder:
        machine = lowered(game.searching)
        return KeyFinder(machine, None if up_to_symmetry is False else images_of(machine, with_exchanges=True))

    first, *others = dict.fromkeys(root.game for root in roots)
    own = finder_of(first)
    for game in others:
        finder = finder_of(game)
        if not has_rules_of(game, first) or not finder.has_keys_of(own):
            raise no_table(
                f"{game.model.source.name} has other rules or other keys of positions than where it begins first"
            )


def _game_of(record: Mapping[str, Any]) -> Game:
    """The game of a record."""
    from zermelo.preparing import prepare

    source = Source(record["source"], record["text"])
    return Game(record["name"], prepare(source, record["parameters"], is_kept=True))


def _told(root: State, game: Game) -> str:
    """A root of a table of a game, for people; two that are told alike are the same."""
    record = _root_record(root, game)["game"]
    digest = "" if record is None else sha256(dumps(record).encode()).hexdigest()[:16]
    of = [] if record is None else [f"{record['source']} with SHA-256 {digest}..."]
    return ", ".join([*of, *map(str, root.play)])


def _root_record(root: State, game: Game) -> dict[str, Any]:
    """Where a table of a game begins: after which moves, and in which game, if that is another one with its rules."""
    record = _game_record(root.game)
    return {
        "game": None if record == _game_record(game) else record,
        "after": [str(move) for move in root.play],
    }


# Reading a table.


@frozen(eq=False, repr=False)
class TableEntry(ByValue):
    """What a table says of a position: the ``value`` for each player if all play best, with what has been earned on the
    way, None if it is not defined; the ``distance`` to the end in moves, if those who win hurry and the others delay,
    None where there is none; and how many of the moves are best, None where nobody decides. In a searched book a value
    that is not exact has a ``depth``, how many moves ahead it has been searched, and at the last ply nothing is said of
    the moves."""

    value: Payoff | None
    distance: int | None
    best_moves: int | None
    depth: int | None = None


@define(eq=False, repr=False)
class Table:
    """A table of all positions of a game, from :meth:`open`. ``game`` is the game that it was made of, whose rules are
    kept with it.

    >>> import tempfile, zermelo
    >>> game = zermelo.load("tic_tac_toe")
    >>> table = zermelo.Table.build(game, tempfile.mkdtemp())
    >>> len(table), str(table)
    (627, '<Table of 627 positions of Tic-tac-toe (size = 3)>')
    >>> entry = table[game.initial.after("mark(a1)").after("mark(a2)")]
    >>> [str(amount) for amount in entry.value], entry.distance, entry.best_moves
    (['1', '-1'], 5, 3)
    """

    files: TableFiles
    game: Game
    _own: KeyFinder | None = None
    _latest: tuple[Prepared, KeyFinder] | None = None

    @staticmethod
    @wrap_internal_errors
    def build(
        game: Game | State | Sequence[Game | State],
        folder: str | os.PathLike[str],
        *,
        up_to_symmetry: bool | None = None,
        plies: int | None = None,
        depth: int | None = None,
        time: float = inf,
        memory: int | None = None,
        resume: bool = False,
        workers: int | None = None,
        cluster: str | None = None,
        missed_wins: bool = True,
        progress: Progress = ignore_progress,
    ) -> Table:
        """Solve all positions of a game, or those that can be reached from a state, or from one of several, and write
        them to a folder, which is made, or is empty. The states may be of games that have the same rules and begin at
        other positions. Of positions that are alike up to a symmetry of the rules one is kept, unless
        ``up_to_symmetry`` is false. ``time`` in seconds and ``memory`` in bytes limit it; each process may take so much
        memory. With ``resume`` a build that has been interrupted goes on. So many ``workers`` make the table, processes
        of a Ray ``cluster`` at an address or, by default, of this computer.

        With ``plies`` it is an opening book, of the positions that are no further from the root. With a ``depth``, too,
        nothing is solved: those at the last ply are searched so many moves ahead, and the others get what follows.

        Without ``missed_wins`` those positions are left out that come up only if somebody does not win at once.

        Raises as :func:`build_table` does."""
        limits = Limits(time, quarter_of_memory() if memory is None else memory)
        states = [game] if isinstance(game, Game | State) else game
        roots = [state.initial if isinstance(state, Game) else state for state in states]
        book = None if plies is None else Book(plies, depth)
        workforce = Workforce(workers, cluster)
        return build_table(roots, Path(folder), up_to_symmetry, limits, progress, book, resume, workforce, missed_wins)

    @classmethod
    @wrap_internal_errors
    def open(cls, folder: str | os.PathLike[str]) -> Table:
        """The table in a folder. Its files are read when they are needed, and compared with their digests then.

        Raises ``ZermeloError``: ``unreadable-file`` if there is none, ``damaged-table``, ``other-table`` if another
        version of this program has written it, and ``library-missing``."""
        files = TableFiles.open(Path(folder))
        return cls(files, _game_of(files.manifest["game"]))

    def __reduce__(self) -> tuple[Any, ...]:
        return Table.open, (self.files.folder.resolve(),)

    def __fspath__(self) -> str:
        return str(self.files.folder)

    def __len__(self) -> int:
        """The number of positions that the table has."""
        return self.files.rows

    def __repr__(self) -> str:
        return f"<Table of {len(self):,} positions of {with_parameters(self.game.title, self.game)}>"

    @wrap_internal_errors
    def __getitem__(self, state: State) -> TableEntry:
        """What the table says of a state of its game, whatever play led there; of an end, what it pays.

        Raises ``ZermeloError``: ``not-in-table``; ``other-table`` if the state is of a game with other rules or other
        parameters; ``damaged-table``."""
        entry = self.get(state)
        if entry is None:
            raise ZermeloError(
                "not-in-table",
                f"the table has no such position, to which no play comes that begins {self.extent}",
                "`zermelo table build --after MOVES` makes a table of what is left after some moves",
            )
        return entry

    @property
    def extent(self) -> str:
        """How plays begin that come to its positions, for people."""
        begins = " or ".join(map(self.beginning, self.roots))
        if self.book is not None:
            begins = f"{begins}, within {count_in_words(self.book.plies, 'move')}"
        return begins if self.has_missed_wins else f"{begins}, and in which nobody misses a win"

    @wrap_internal_errors
    def get(self, state: State) -> TableEntry | None:
        """As ``table[state]``; None if the table does not have the position."""
        from zermelo.solving import on_machine

        finder = self._finder_for(state.game)
        return self._entry(on_machine(state, finder.machine), finder)

    @wrap_internal_errors
    def worths(self, state: State) -> tuple[tuple[Worth, ...], tuple[Move, ...]]:
        """What each move or outcome of a state brings, with what has been earned on the way; and the best moves. Both
        are empty at the last ply of a book, and where a win may be missed in a table that leaves that out.

        Raises as ``table[state]`` does."""
        from zermelo.solving import on_machine

        here, finder = self[state], self._finder_for(state.game)
        machine = finder.machine
        is_told = self.files.manifest["who_hurries"] is not None
        at = on_machine(state, machine)
        actor, found = machine.actor(at), []
        moves = [move for move, _ in machine.outcomes(at)] if actor == CHANCE else machine.moves(at)
        for move in moves:
            behind = self._entry(machine.after(at, move), finder)
            if behind is None and not (self.book is None and self.has_missed_wins):
                return (), ()
            if behind is None:
                raise damaged(self.files.folder, "it has not all positions to which the moves of a position lead")
            distance = None if behind.distance is None or not is_told else behind.distance + 1
            found.append(Worth(move, behind.value, Fraction(0), distance))
        return tuple(found), self._best(here, found) if actor >= 0 else ()

    def _best(self, here: TableEntry, worths: Sequence[Worth]) -> tuple[Move, ...]:
        """The best moves: those that keep the value and, if these are too many, the distance, too. Empty if it takes
        more than the table says to tell which they are."""
        keep = [worth for worth in worths if worth.payoff == here.value]
        if len(keep) != here.best_moves:
            keep = [worth for worth in keep if worth.distance == here.distance]
        return tuple(worth.move for worth in keep) if len(keep) == here.best_moves else ()

    def evaluate(self, state: State) -> MoveEvaluation | None:
        """What every move of a state in which a play goes on brings; None where the table does not tell it. Raises as
        :meth:`get` does."""
        from zermelo.decisions import Meaning, MoveEvaluation

        if self.get(state) is None:
            return None
        worths, best = self.worths(state)
        if not worths or (state.moves and not best):
            return None
        what, solver = ("table", "positions") if self.book is None else ("opening book", self.book.solver)
        facts, why = state.game.facts, f"the {what} {self.files.folder} has the position"
        meaning = Meaning.VALUE if has_one_value(facts) else Meaning.EQUILIBRIUM
        certainty, notes = Certainty.EXACT, tuple[str, ...]()
        depth = self._least_depth(state)
        if depth is not None:
            certainty = Certainty.DEPTH_LIMITED
            notes = (f"Estimates: the book has searched {count_in_words(depth, 'move')} ahead from here.",)
        return MoveEvaluation(state.game.players, worths, best, certainty, solver, meaning, why, notes)

    def _least_depth(self, state: State) -> int | None:
        """How many moves ahead of a state of a book its moves have been searched; None if all values are exact."""
        if self.is_exact:
            return None
        there = [self[state.after(move)] for move in state.moves or [outcome for outcome, _ in state.outcomes]]
        return min((1 + entry.depth for entry in there if entry.depth is not None), default=None)

    def best_move(self, state: State) -> Move | None:
        """A best move of a state in which a player is to move, of those that win soonest or lose latest; None where the
        table does not tell it. Raises as :meth:`get` does."""
        found = self.evaluate(state)
        return None if found is None else found.best[0]

    @wrap_internal_errors
    def endgames(self, game: Game, limits: Limits | None = None, progress: Progress = ignore_progress) -> Endgames:
        """The positions in memory, for searches of a game, which is the table's or begins at another position.

        >>> import tempfile, zermelo
        >>> game = zermelo.load("connect_four", rows=3, columns=3, run=3)
        >>> table = zermelo.Table.build(game.initial.after("drop(2)"), tempfile.mkdtemp())
        >>> found = zermelo.solve(game, endgames=table.endgames(game))
        >>> found.counts["lookups"] > 0, found.value == zermelo.solve(game).value
        (True, True)

        Raises ``ZermeloError``: ``other-table``; ``damaged-table``; ``no-table`` for a game with a discount, in which
        what a position is worth in a play depends on when it comes up; ``estimated-table`` for a book whose values are
        not all exact; ``out-of-memory``, ``out-of-time``."""
        from zermelo.solvers.tables.keys import no_table
        from zermelo.solvers.tables.loading import load_endgames

        if game.facts.discounted:
            raise no_table("payoffs are discounted, and a search does not look up what is worth less later")
        self._check_exact("a search looks up exact values")
        images = self._finder_for(game).images
        return load_endgames(self.files, self.game.players, images, limits or Limits(), progress)

    def known_graph(self, root: State, limits: Limits, progress: Progress = ignore_progress) -> KnownGraph:
        """All positions that can be reached from a state of the table's game, as the table knows them, without solving
        any.

        Raises ``ZermeloError``: what :meth:`endgames` raises, but for a discount, and :func:`build_table` for a game
        that has no table; and ``PlayError``."""
        from zermelo.solvers.tables.along_graph import known_graph
        from zermelo.solving import on_machine

        self._check_exact("an estimate is judged by exact values")
        finder = self._finder_for(root.game)
        problem = _problem(root.game, finder.machine, on_machine(root, finder.machine), limits, progress)
        return known_graph(problem, self.files, finder)

    def _check_exact(self, why: str) -> None:
        """Raise ``ZermeloError`` (``estimated-table``) if the table has estimates, which are not for what it is asked
        for; and ``damaged-table`` as :meth:`check_files` does."""
        if not self.is_exact:
            raise ZermeloError(
                "estimated-table",
                f"the table {self.files.folder} has estimates, and {why}",
                "without --depth, or with a greater one, `zermelo table build --plies N` makes a book of exact values; "
                "`zermelo play` and `moves --values` look up estimates",
            )
        self.check_files()

    def endgames_of_use(self, game: Game, memory: int) -> Endgames | None:
        """As :meth:`endgames`, in so much memory; None if no solver is known to fit that looks positions up, or if one
        that solves every position once is faster: with chance, or with more than one number to be found."""
        from zermelo.solvers.choosing.choice import Requirements, default_solver

        self.check_game(game)
        facts = game.facts
        is_looked_up = self.is_exact and has_one_value(facts) and facts.chance.holds is False and not facts.discounted
        if not is_looked_up or default_solver(game.facts, Requirements(looks_up=True)) is None:
            return None
        return self.endgames(game, Limits(memory=memory))

    @wrap_internal_errors
    def dataset(self) -> Any:
        """The files as a dataset of pyarrow, for whatever reads Arrow."""
        library = import_library("pyarrow.dataset", "tables of positions", "tables")
        return library.dataset([self.files.folder / part.name for part in self.files.parts], format="parquet")

    @wrap_internal_errors
    def verify(self, *, time: float = inf, memory: int | None = None, progress: Progress = ignore_progress) -> None:
        """Verify all files by their digests, and every value against those of the positions behind it, from the rules
        (:mod:`zermelo.solvers.tables.verifying`). Behind the last ply of a book there are none, so some of the
        positions there are searched again (:mod:`zermelo.solvers.tables.books`).

        Raises ``ZermeloError``: ``damaged-table`` if anything is wrong, ``out-of-time``, ``out-of-memory``."""
        limits = Limits(time, quarter_of_memory() if memory is None else memory)
        with limits.enforce():
            self.verify_within(limits, progress)

    def verify_within(self, limits: Limits, progress: Progress) -> int:
        """As :meth:`verify`, within limits. Returns how many positions have been searched again."""
        from zermelo.solvers.tables.verifying import verify

        self.check_files()
        finder = self._finder_for(self.game)
        if self.book is None:
            roots = [self._key(root) for root in self.roots]
            may_go_round = any(root.game.facts.terminates.holds is not True for root in self.roots)
            decisive = () if self.has_missed_wins else self._decisive(limits, progress)
            verify(self.files, finder.machine, finder.images, limits, progress, roots, may_go_round, decisive=decisive)
            again = 0
        else:
            again = self._verify_book(self.book, finder, limits, progress)
        for root in self.roots:
            self.entry_of_root(root)
        return again

    def _verify_book(self, book: Book, finder: KeyFinder, limits: Limits, progress: Progress) -> int:
        from zermelo.solvers.tables.books import BookValue, BookVerifier, open_positions
        from zermelo.solvers.tables.verifying import row_is_wrong, verify
        from zermelo.solving import on_machine

        def find(key: Key) -> BookValue | None:
            row = self.files.find(key)
            _, is_exchanged = finder.find(opening[key].state)
            value = None if row is None else exchanged(payoff_of(row, self.game.players), is_exchanged)
            if row is None or value is None:
                return None
            return BookValue(value, row.get("depth"), row["best_moves"], row["moves_to_the_end"])

        root = on_machine(self.roots[0], finder.machine)
        opening = open_positions(finder, root, book.plies, limits, progress)
        last = [key for key, opened in opening.items() if not opened.choices]
        verify(self.files, finder.machine, finder.images, limits, progress, last=last)
        if len(opening) != len(self):
            raise damaged(self.files.folder, f"it has {len(self):,} positions and not {len(opening):,}")
        problem = _problem(self.game, finder.machine, root, limits, progress)
        verifier = BookVerifier(problem, opening, find, _searching(problem, book), book.depth is not None)
        if (flaw := verifier.find_flaw()) is not None:
            raise row_is_wrong(self.files, *flaw)
        return len(verifier.sample)

    def _decisive(self, limits: Limits, progress: Progress) -> tuple[int, ...]:
        """What the first player gets by a decisive move of each player."""
        from zermelo.solvers.tables.keys import decisive_behind
        from zermelo.solving import on_machine

        machines = [self._finder_for(root.game).machine for root in self.roots]
        problems = [
            _problem(root.game, machine, on_machine(root, machine), limits, progress)
            for root, machine in zip(self.roots, machines, strict=True)
        ]
        return decisive_behind(problems, machines[0])

    def _key(self, state: State) -> Key:
        """The key of a state that is no end."""
        from zermelo.solving import on_machine

        finder = self._finder_for(state.game)
        return finder.of(on_machine(state, finder.machine))

    def entry_of_root(self, root: State) -> TableEntry:
        """What the table says of a position with which it begins. Raises as ``table[state]`` does."""
        entry = self.get(root)
        if entry is None:
            raise damaged(self.files.folder, "it does not have the position with which it begins")
        return entry

    def check_files(self) -> None:
        """Raise ``ZermeloError`` (``damaged-table``) for data in the folder that the table does not know."""
        known = {part.name for part in self.files.parts}
        for path in sorted(self.files.folder.glob("*.parquet")):
            if path.name not in known:
                raise damaged(self.files.folder, f"its file {path.name} does not belong to it")

    def check_game(self, game: Game) -> None:
        """Raise ``ZermeloError`` (``other-table``) unless a game has the rules and the parameters of the table. It may
        begin at another position, as long as that leaves the rules and the keys as they are."""
        self._finder_for(game)

    @property
    def book(self) -> Book | None:
        """How far it goes, if it is an opening book."""
        record = self.files.manifest["book"]
        return None if record is None else Book(**record)

    @property
    def has_missed_wins(self) -> bool:
        """Whether it has positions that come up only if somebody misses a win."""
        return bool(self.files.manifest["missed_wins"])

    @property
    def is_exact(self) -> bool:
        """Whether all values are exact."""
        return self.book is None or self.book.estimates == 0

    @property
    def roots(self) -> tuple[State, ...]:
        """The states with which it begins. Its game is that of the first one."""
        return tuple(map(self._root, self.files.manifest["roots"]))

    def _root(self, record: Mapping[str, Any]) -> State:
        game = self.game if record["game"] is None else _game_of(record["game"])
        state = game.initial
        for move in record["after"]:
            state = state.after(move)
        return state

    def beginning(self, root: State) -> str:
        """How a play begins that comes to one of the roots, for people: ``as the game does``, ``with mark(b2)``, ``with
        nim.game from late.position, take(1, 2)``."""
        game, begins = root.game, list[str]()
        if any(record["game"] is not None for record in self.files.manifest["roots"]):
            name, is_alike = game.model.source.name, game.parameters == self.game.parameters
            begins.append(name if is_alike else with_parameters(name, game))
        begins += map(display_text, root.play)
        return f"with {', '.join(begins)}" if begins else "as the game does"

    def _finder_for(self, game: Game) -> KeyFinder:
        """What finds the keys of a game's positions. Raises as :meth:`check_game` does."""
        if self._own is None:
            self._own = self._finder_of_own()
        if game.prepared is self.game.prepared:
            return self._own
        if self._latest is None or game.prepared is not self._latest[0]:
            self._latest = game.prepared, self._finder_of_another(game, self._own)
        return self._latest[1]

    def _finder_of_own(self) -> KeyFinder:
        from zermelo.solvers.tables.keys import KeyFinder, layout_record

        key = self.files.manifest["key"]
        finder = KeyFinder.on(self.game.searching, key["symmetries"])
        known = 1 if finder.images is None else len(finder.images.symmetries)
        if layout_record(finder.machine.program.layout) != key["fields"] or known != key["symmetries"]:
            raise self._other("has keys as another version of this program makes them")
        return finder

    def _finder_of_another(self, game: Game, own: KeyFinder) -> KeyFinder:
        """That of a game that is not the table's own one, if its rules are the same, and keys mean the same."""
        from zermelo.solvers.tables.keys import KeyFinder

        finder = KeyFinder.on(game.searching, self.files.manifest["key"]["symmetries"])
        if has_rules_of(game, self.game) and finder.has_keys_of(own):
            return finder
        if game.title != self.game.title:
            raise self._other(f"is of another game: {self.game.title}, and not {game.title}")
        if game.parameters != self.game.parameters:
            raise self._other(
                f"was made with other parameters: {parameters_text(self.game)}, and not {parameters_text(game)}"
            )
        ours, theirs = self.game.model.source, game.model.source
        raise self._other(f"was made of other rules, or begins where they are others: {ours.name}, not {theirs.name}")

    def _other(self, why: str) -> ZermeloError:
        return ZermeloError("other-table", f"the table {self.files.folder} {why}", _AGAIN)

    def _entry(self, state: Any, finder: KeyFinder) -> TableEntry | None:
        """What the table says of a state of the machine of a finder."""
        machine = finder.machine
        if machine.actor(state) == END:
            return TableEntry(machine.payoff(state), 0, None)
        key, is_exchanged = finder.find(state)
        row = self.files.find(key)
        if row is None:
            return None
        actor = machine.actor(state)
        actor = 1 - actor if is_exchanged else actor
        if row["to_move"] != (CHANCE_MOVES if actor == CHANCE else self.game.players[actor]):
            raise damaged(self.files.folder, "it says of a position that another one is to move")
        later = exchanged(payoff_of(row, self.game.players), is_exchanged)
        if later is not None:
            earned, factor = earned_and_factor_before(machine, state)
            later = tuple(before + factor * amount for before, amount in zip(earned, later, strict=True))
        return TableEntry(later, row["moves_to_the_end"], row["best_moves"], row.get("depth"))


def table_given(table: Table | str | os.PathLike[str], game: Game) -> Table:
    """A table, or that in a folder, for searches of a game. Raises as :meth:`Table.open` and :meth:`Table.check_game`
    do."""
    found = table if isinstance(table, Table) else Table.open(table)
    found.check_game(game)
    return found


def endgames_given(
    table: Table | str | os.PathLike[str] | None, learnt: Endgames | None, game: Game, limits: Limits, watch: Watch
) -> Endgames | None:
    """The positions of a table in memory, if one is given, or those that have been ``learnt``. Raises ``ZermeloError``
    (``bad-usage``) for both, and as :func:`table_given` and :meth:`Table.endgames` do."""
    if table is None:
        return learnt
    found = table_given(table, game)
    if learnt is not None:
        raise ZermeloError(
            "bad-usage", "--table has exact values, and --weights what was learnt by rote", "leave one out"
        )
    with watch("reading the table", "positions", None) as report, limits.enforce():
        return found.endgames(game, limits, report)


def exchanged(payoff: Payoff | None, is_exchanged: bool) -> Payoff | None:
    """What two players get who may have changed places."""
    return payoff[::-1] if is_exchanged and payoff is not None else payoff


def has_rules_of(game: Game, other: Game) -> bool:
    """Whether what may follow from a position, and what it pays, is the same in both games, of whose positions the keys
    have to mean the same: whether the rules with their parameters are, but for how a play begins."""
    from zermelo.solvers.tables.keys import lowered

    here, there = (
        (
            each.players,
            each.model.discount,
            each.searching.endless(),
            lowered(each.searching).program.denominator,
            _constants_of(each),
            lowered(each.searching).program.text_of_plays,
        )
        for each in (game, other)
    )
    return here == there


def _constants_of(game: Game) -> dict[object, object]:
    """The entries of the variables that no move changes, which are no part of a key."""
    constant = {variable.name for variable in game.model.variables if variable.is_constant}
    entries = game.reference.entries(game.reference.initial())
    return {(seen.variable, seen.indices): seen.value for seen in entries if seen.variable in constant}
