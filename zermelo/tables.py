"""Tables of all positions: made of a game, opened, asked about states, and verified."""

from __future__ import annotations

import os
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from attrs import asdict, define, evolve, frozen

from zermelo.files import rules_beside_beginning
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
    from zermelo.solvers.tables.books import Search
    from zermelo.solvers.tables.keys import KeyFinder

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
    game: Game,
    folder: Path,
    root: State | None = None,
    up_to_symmetry: bool | None = None,
    limits: Limits | None = None,
    progress: Progress = ignore_progress,
    book: Book | None = None,
    resume: bool = False,
    workforce: Workforce = HERE,
) -> Table:
    """Solve all positions of a game, or those that can be reached from a state, and write them to a folder, or only
    those of a ``book``. Of positions that are alike up to a symmetry of the rules one is kept; if ``up_to_symmetry`` is
    false, all are. With ``resume`` or a ``workforce`` the table is made on disk, and what an interrupted build has left
    is gone on with; a table that has been finished is taken as it is.

    Raises ``ZermeloError``: ``no-table`` for a game whose positions have no packed keys, in which players choose at
    once, or whose values are too long, and for a searched book if plays need not end; ``needs-public`` if something is
    hidden; ``unwritable-file`` if there is something in the folder; ``unfinished-table`` if an interrupted build has
    left something beside it; with ``resume`` ``other-table`` if that was of something else, ``damaged-table``;
    ``cluster-failed``; ``library-missing``; those of the solver of positions, or of a search to a depth; and
    ``PlayError``."""
    from zermelo.solving import on_machine, search

    parquet()  # sooner than after a long search
    limits = limits or Limits()
    on_disk = on_disk_for(game, folder, root, up_to_symmetry, resume, workforce)
    if resume and _is_made(folder, game, root, up_to_symmetry, book):
        on_disk.clear_up()
        return Table.open(folder)
    with on_disk.kept(), new_folder(folder) as beside, limits.enforce():

        def work(machine: Machine[Any]) -> None:
            start = machine.initial() if root is None else on_machine(root, machine)
            _build(game, machine, start, beside, up_to_symmetry, limits, progress, book, on_disk)

        search(game, work)
    return Table.open(folder)


def on_disk_for(
    game: Game,
    folder: Path,
    root: State | None,
    up_to_symmetry: bool | None,
    resume: bool = False,
    workforce: Workforce = HERE,
) -> OnDisk:
    """How a table is made on disk, if it is."""
    made_of = {
        "version of zermelo": __version__,
        "game": game.title,
        "text of the rules": sha256(game.model.source.text.encode()).hexdigest(),
        "value of a parameter": {name: format_value(value) for name, value in game.parameters.items()},
        "beginning": [] if root is None else list(map(str, root.play)),
        "choice of symmetry": {None: "the default", True: "--up-to-symmetry", False: "--no-up-to-symmetry"}[
            up_to_symmetry
        ],
    }
    return OnDisk(Path(os.path.abspath(folder)), made_of, resume, workforce)


def _is_made(folder: Path, game: Game, root: State | None, up_to_symmetry: bool | None, book: Book | None) -> bool:
    """Whether the table that is asked for is there."""
    try:
        table = Table.open(folder)
    except ZermeloError:
        return False
    asked = _game_record(game, [] if root is None else root.play)
    is_asked = [table.files.manifest["game"][name] == asked[name] for name in ("sha256", "parameters", "after")]
    has_images = table.files.manifest["key"]["symmetries"] > 1
    goes, should_go = (None if each is None else (each.plies, each.depth) for each in (table.book, book))
    return all(is_asked) and up_to_symmetry in (None, has_images) and goes == should_go


def _build(
    game: Game,
    machine: Machine[Any],
    start: Any,
    folder: Path,
    up_to_symmetry: bool | None,
    limits: Limits,
    progress: Progress,
    book: Book | None,
    on_disk: OnDisk,
) -> None:
    from zermelo.solvers.tables.books import open_positions, searched_content, within
    from zermelo.solvers.tables.building import content
    from zermelo.solvers.tables.keys import KeyFinder, layout_record

    problem = _problem(game, machine, start, limits, progress)
    if book is not None and book.depth is not None:
        book = evolve(book, solver=_solver_for(problem, book.depth))
        found = searched_content(problem, book.plies, _searching(problem, book), up_to_symmetry)
    else:
        found = content(problem, up_to_symmetry, on_disk)
        if book is not None:
            finder = KeyFinder(found.machine, found.images)
            found = within(found, open_positions(finder, start, book.plies, limits, progress))
    width, key = found.format.width, KeyFinder(found.machine, found.images).of(start)
    writer = TableWriter(folder, found.format.schema(), width)
    written, exact, root = 0, 0, dict[str, Any]()
    for part in found.tables:
        rows = GroupRows.of(part, width)
        if (place := rows.place_of(key)) is not None:
            root = rows.row(place)
        writer.write(part)
        written += part.num_rows
        exact += part.column("depth").null_count if found.format.has_depths else part.num_rows
        progress(written)
        limits.check({"nodes": written})
    writer.finish(
        {
            "made_by": {"zermelo": __version__, "pyarrow": import_library("pyarrow", "tables").__version__},
            "game": _game_record(game, machine.play(start)),
            "players": list(game.players),
            "key": {
                "words": width,
                "symmetries": len(found.images.symmetries) if found.images is not None else 1,
                "fields": layout_record(found.machine.program.layout),
            },
            "root": {
                "key": list(map(str, key)),
                "value": by_player(game, payoff_of(root, game.players)),
                "moves_to_the_end": root["moves_to_the_end"],
            },
            "who_hurries": None if found.who_hurries is None else found.who_hurries.record(),
            "book": None if book is None else asdict(evolve(book, estimates=written - exact)),
            "positions": written,
        }
    )


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


def _game_record(game: Game, play: Sequence[Move]) -> dict[str, Any]:
    """The rules, with their digest, and where the table begins."""
    source = game.model.source
    return {
        "name": game.name,
        "title": game.title,
        "parameters": {name: format_value(value) for name, value in game.parameters.items()},
        "after": [str(move) for move in play],
        "source": source.name,
        "sha256": sha256(source.text.encode()).hexdigest(),
        "text": source.text,
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
        game: Game | State,
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
        progress: Progress = ignore_progress,
    ) -> Table:
        """Solve all positions of a game, or those that can be reached from a state, and write them to a folder, which
        is made, or is empty. Of positions that are alike up to a symmetry of the rules that leaves the players as they
        are one is kept, unless ``up_to_symmetry`` is false. ``time`` in seconds and ``memory`` in bytes limit it; each
        process may take so much memory. With ``resume`` a build that has been interrupted goes on. So many ``workers``
        make the table, processes of a Ray ``cluster`` at an address or, by default, of this computer.

        With ``plies`` it is an opening book, of the positions that are no further from the root. With a ``depth``, too,
        nothing is solved: those at the last ply are searched so many moves ahead, and the others get what follows.

        Raises as :func:`build_table` does."""
        limits = Limits(time, quarter_of_memory() if memory is None else memory)
        root, game = (None, game) if isinstance(game, Game) else (game, game.game)
        book = None if plies is None else Book(plies, depth)
        workforce = Workforce(workers, cluster)
        return build_table(game, Path(folder), root, up_to_symmetry, limits, progress, book, resume, workforce)

    @classmethod
    @wrap_internal_errors
    def open(cls, folder: str | os.PathLike[str]) -> Table:
        """The table in a folder. Its files are read when they are needed, and compared with their digests then.

        Raises ``ZermeloError``: ``unreadable-file`` if there is none, ``damaged-table``, ``other-table`` if another
        version of this program has written it, and ``library-missing``."""
        from zermelo.preparing import prepare

        files = TableFiles.open(Path(folder))
        made_of = files.manifest["game"]
        source = Source(made_of["source"], made_of["text"])
        return cls(files, Game(made_of["name"], prepare(source, made_of["parameters"], is_kept=True)))

    def __reduce__(self) -> tuple[Any, ...]:
        return Table.open, (self.files.folder.resolve(),)

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
            begins = f"with {self.beginning}" if self.beginning else "as the game does"
            if self.book is not None:
                begins = f"{begins}, within {count_in_words(self.book.plies, 'move')}"
            raise ZermeloError(
                "not-in-table",
                f"the table has no such position, to which no play comes that begins {begins}",
                "`zermelo table build --after MOVES` makes a table of what is left after some moves",
            )
        return entry

    @wrap_internal_errors
    def get(self, state: State) -> TableEntry | None:
        """As ``table[state]``; None if the table does not have the position."""
        from zermelo.solving import on_machine

        finder = self._finder_for(state.game)
        return self._entry(on_machine(state, finder.machine), finder)

    @wrap_internal_errors
    def worths(self, state: State) -> tuple[tuple[Worth, ...], tuple[Move, ...]]:
        """What each move or outcome of a state brings, with what has been earned on the way; and the best moves. Both
        are empty at the last ply of a book.

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
            if behind is None and self.book is not None:
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
        if not self.is_exact:
            raise ZermeloError(
                "estimated-table",
                f"the table {self.files.folder} has estimates, and a search looks up exact values",
                "without --depth, or with a greater one, `zermelo table build --plies N` makes a book of exact values; "
                "`zermelo play` and `moves --values` look up estimates",
            )
        self.check_files()
        images = self._finder_for(game).images
        return load_endgames(self.files, self.game.players, images, limits or Limits(), progress)

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
            verify(self.files, finder.machine, finder.images, limits, progress)
            again = 0
        else:
            again = self._verify_book(self.book, finder, limits, progress)
        self.entry_of_root()
        return again

    def _verify_book(self, book: Book, finder: KeyFinder, limits: Limits, progress: Progress) -> int:
        from zermelo.solvers.tables.books import BookValue, BookVerifier, open_positions
        from zermelo.solvers.tables.verifying import row_is_wrong, verify

        def find(key: Key) -> BookValue | None:
            row = self.files.find(key)
            value = None if row is None else payoff_of(row, self.game.players)
            return None if row is None or value is None else BookValue(value, row.get("depth"), row["best_moves"])

        opening = open_positions(finder, self.root, book.plies, limits, progress)
        last = [key for key, opened in opening.items() if not opened.choices]
        verify(self.files, finder.machine, finder.images, limits, progress, last)
        if len(opening) != len(self):
            raise damaged(self.files.folder, f"it has {len(self):,} positions and not {len(opening):,}")
        problem = _problem(self.game, finder.machine, self.root, limits, progress)
        verifier = BookVerifier(problem, opening, find, _searching(problem, book), book.depth is not None)
        if (flaw := verifier.find_flaw()) is not None:
            raise row_is_wrong(self.files, *flaw)
        return len(verifier.sample)

    def entry_of_root(self) -> TableEntry:
        """What the table says of the position with which it begins. Raises as ``table[state]`` does."""
        entry = self._entry(self.root, self._finder_for(self.game))
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
    def is_exact(self) -> bool:
        """Whether all values are exact."""
        return self.book is None or self.book.estimates == 0

    @property
    def root(self) -> Any:
        """The state of the table's machine with which it begins."""
        machine = self._finder_for(self.game).machine
        state = machine.initial()
        for move in self.files.manifest["game"]["after"]:
            state = machine.after(state, machine.find_move(state, move))
        return state

    @property
    def beginning(self) -> str:
        """The moves after which it begins, as people are shown them; empty if it is of the whole game."""
        return ", ".join(map(display_text, self._finder_for(self.game).machine.play(self.root)))

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
        finder = KeyFinder.on(self.game.searching, key["symmetries"] > 1)
        known = 1 if finder.images is None else len(finder.images.symmetries)
        if layout_record(finder.machine.program.layout) != key["fields"] or known != key["symmetries"]:
            raise self._other("has keys as another version of this program makes them")
        return finder

    def _finder_of_another(self, game: Game, own: KeyFinder) -> KeyFinder:
        """That of a game that is not the table's own one, if its rules are the same, and keys mean the same."""
        from zermelo.solvers.tables.keys import KeyFinder

        made_of = self.files.manifest["game"]
        ours, theirs = self.game.model.source, game.model.source
        if game.parameters != self.game.parameters:
            raise self._other(
                f"was made with other parameters: {parameters_text(self.game)}, and not {parameters_text(game)}"
            )
        if ours.text != theirs.text and rules_beside_beginning(ours) != rules_beside_beginning(theirs):
            raise self._other(f"was made of other rules: the text of {made_of['source']} was not that of {theirs.name}")
        finder = KeyFinder.on(game.searching, own.images is not None)
        if _constants_of(game) != _constants_of(self.game) or not finder.has_keys_of(own):
            raise self._other("begins at a position for which the rules, or the keys of positions, are others")
        return finder

    def _other(self, why: str) -> ZermeloError:
        return ZermeloError("other-table", f"the table {self.files.folder} {why}", _AGAIN)

    def _entry(self, state: Any, finder: KeyFinder) -> TableEntry | None:
        """What the table says of a state of the machine of a finder."""
        machine = finder.machine
        if machine.actor(state) == END:
            return TableEntry(machine.payoff(state), 0, None)
        row = self.files.find(finder.of(state))
        if row is None:
            return None
        actor = machine.actor(state)
        if row["to_move"] != (CHANCE_MOVES if actor == CHANCE else self.game.players[actor]):
            raise damaged(self.files.folder, "it says of a position that another one is to move")
        later = payoff_of(row, self.game.players)
        if later is not None:
            earned, factor = earned_and_factor_before(machine, state)
            later = tuple(before + factor * amount for before, amount in zip(earned, later, strict=True))
        return TableEntry(later, row["moves_to_the_end"], row["best_moves"], row.get("depth"))


def _constants_of(game: Game) -> dict[object, object]:
    """The entries of the variables that no move changes, which are no part of a key."""
    constant = {variable.name for variable in game.model.variables if variable.is_constant}
    entries = game.reference.entries(game.reference.initial())
    return {(seen.variable, seen.indices): seen.value for seen in entries if seen.variable in constant}
