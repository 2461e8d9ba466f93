"""Many plays of a game at once, for programs that learn: :func:`zermelo.batch`."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final, NoReturn

from zermelo.arguments import check_counts
from zermelo.game import Game
from zermelo.grammar.diagnostics import CODES, ZermeloError
from zermelo.interpreter.native.dialect.kernel_source import kernel
from zermelo.interpreter.native.dialect.lowered_text import Unsupported
from zermelo.interpreter.native.dialect.words import State, mix
from zermelo.interpreter.native.numbered import ObservationPiece, ObservationReading, codes_of_moves
from zermelo.interpreter.native.running.views import RuleError
from zermelo.interpreter.native.state_encoding.move_codes import MORE_ROOM
from zermelo.interpreter.native.state_encoding.state_layout import FIRST
from zermelo.last_resort import wrap_internal_errors
from zermelo.machines import cores
from zermelo.solvers.kernels import batches as kernels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from zermelo.interpreter.native.program import Program
    from zermelo.interpreter.native.running.kernels import CompiledKernels
    from zermelo.interpreter.numbering.moves import NumberedMoves
    from zermelo.interpreter.numbering.observations import ObservationEncoding

_EACH: Final = 256
"""A thread has at least so many states: for fewer it costs more than it saves."""

_KINDS: Final = {
    "table": kernels.TABLE,
    "is": kernels.IS,
    "over": kernels.OVER,
    "number": kernels.NUMBER,
}


_ALIKE: Final = (
    "slot", "planes", "shift", "mask", "base", "least", "step", "length", "offset", "phase", "watchers", "count",
)  # fmt: skip
"""The fields that pieces of observations have in the kernel, too."""


class Batch:
    """States of a game, from :func:`zermelo.batch`. In each a player is to move: chance has drawn, and where a play has
    ended the next one has begun.

    The arrays are views of the memory in which machine code writes: :meth:`step` and :meth:`reset` write over them, so
    copy what is to last. They are ``numpy`` arrays in rows, which other libraries take by DLPack without a copy, as
    ``torch.from_dlpack`` does.
    """

    game: Game
    actor: NDArray[np.int64]
    """``[n]``: the number of the player to move."""

    mask: NDArray[np.bool_]
    """``[n, moves]``: whether a move is legal."""

    observation: NDArray[np.float32]
    """``[n, units]``: what is seen, as :attr:`encoding` lays it out."""

    rewards: NDArray[np.float64]
    """``[n, players]``: what the last step has brought the players. Over a play they add up to its payoffs."""

    done: NDArray[np.bool_]
    """``[n]``: whether the last step has ended a play. What is seen then is the beginning of the next one."""

    def __init__(self, game: Game, n: int, seed: int, threads: int | None, view: str) -> None:
        check_counts(n=n, threads=threads)
        if view not in ("player", "all"):
            raise ZermeloError("bad-usage", f"view is {view!r}, but must be player or all")
        if not len(game.moves):
            raise ZermeloError("bad-usage", f"in '{game.title}' nobody decides anything, so there is nothing to step")
        self.game = game
        self.encoding: ObservationEncoding = game.view_encoding if view == "player" else game.full_encoding
        self._n = n
        self._program = _program_of(game)
        try:
            self._prepare(threads or max(1, min(cores(), n // _EACH)))
        except Unsupported as error:
            raise _unavailable(game, f"the native machine does not cover {error.construct}") from error
        except OSError as error:  # memory is mapped
            raise ZermeloError("out-of-memory", f"there is no room for {n:,} states", "fewer may fit") from error
        self.reset(seed)

    @property
    def moves(self) -> NumberedMoves:
        """The moves by their numbers: those of the game."""
        return self.game.moves

    def __len__(self) -> int:
        return self._n

    def __repr__(self) -> str:
        counts = f"{len(self.moves):,} moves, {self.encoding.size:,} numbers observed"
        return f"<{self._n:,} plays of '{self.game.title}', {counts}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a batch is machine code of this process: begin another one where you need it")

    @wrap_internal_errors
    def reset(self, seed: int | None = None) -> None:
        """Begin all plays anew; with a ``seed`` chance draws as in a new batch, else it goes on."""
        if seed is not None:
            first = mix(seed & (1 << 62) - 1, 1)
            self._runs[0][0].ask(kernels.seed_all, self._runs[0][1], first, self._n)
        self._run(is_start=True)

    @wrap_internal_errors
    def step(self, moves: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Make a move in every state, given by number; then chance draws, and plays that have ended begin anew. The
        result is :attr:`rewards` and :attr:`done`.

        Raises ``ZermeloError``: ``illegal-move`` with the first state whose move is not legal, before anything has
        changed; the error of a rule, after which only :meth:`reset` is of use; ``needs-end`` if chance draws for ever,
        or if plays end before anybody decides."""
        import numpy as np

        chosen = np.asarray(moves)
        if chosen.shape != (self._n,) or chosen.dtype.kind not in "iu":
            raise ZermeloError(
                "bad-usage",
                f"the moves are whole numbers, one for each of the {self._n:,} states, not {chosen.dtype} "
                f"in an array of shape {chosen.shape}",
            )
        is_one = (chosen >= 0) & (chosen < len(self.moves))
        legal = is_one & self.mask[self._rows, np.where(is_one, chosen, 0)]
        if not legal.all():
            raise self._illegal(int(legal.argmin()), int(chosen[legal.argmin()]))
        self._chosen[:] = chosen
        self._run(is_start=False)
        return self.rewards, self.done

    def _illegal(self, state: int, number: int) -> ZermeloError:
        named = str(self.moves[number]) if 0 <= number < len(self.moves) else "no move"
        legal = [str(self.moves[k]) for k in self.mask[state].nonzero()[0][:5]]
        return ZermeloError(
            "illegal-move",
            f"in state {state} number {number}, {named}, is not legal for {self.game.players[self.actor[state]]}",
            f"legal are {', '.join(legal)}{', ...' if self.mask[state].sum() > len(legal) else ''}",
        )

    # ------------------------------------------------------------- machine code

    def _prepare(self, threads: int) -> None:
        """Make the lists that the threads share, the views of them, and the record of each thread."""
        import numpy as np

        from zermelo.interpreter.native.running.kernels import CompiledKernels

        program, n, moves, units = self._program, self._n, len(self.moves), self.encoding.size
        players, blocks = len(self.game.players), -(-n // kernels.BLOCK)
        reading = ObservationReading(program, self.encoding)
        pieces, told, entries = reading.pieces(), reading.told_pieces(), reading.shown_entries()
        kept = units if reading.is_kept else 0
        room = program.history.context - FIRST if program.model.history else 0
        source = kernel(
            kernels.go_on_all, kernels.seed_all,
            NUMBERED=moves, UNITS=units, KEPT=kept,
            GROUPS=len(program.history.parts), ROOM=room,
            words_seen="observed(rules, last, state, move, player, seen)" if kept else "0",
        )  # fmt: skip
        compiled = CompiledKernels(program, source, is_hurried=True)
        codes = codes_of_moves(program, self.moves)
        keys, numbers = _hash_table(codes)
        tables = _Tables(compiled)
        shared: dict[str, Any] = {
            "states": compiled.elements(State, n),
            "codes": _filled(compiled, codes.reshape(-1)),
            "keys": _filled(compiled, keys),
            "numbers": _filled(compiled, numbers),
            "pieces": tables.records(pieces),
            "told": tables.records(told),
            "shown": tables.records([piece for _, several in entries for piece in several]),
            "entries": _entries(compiled, [(size, len(several)) for size, several in entries]),
            "at_first": compiled.halves(players * kept),
            "tables": tables.numbers(),
            "streams": compiled.elements(int, n),
            "paid": compiled.elements(int, n * players),
            "known": compiled.halves(n * players * kept),
            "past": compiled.elements(int, n * room),
            "chosen": compiled.elements(int, n),
            "actors": compiled.elements(int, n),
            "rewards": compiled.elements(float, n * players),
            "done": compiled.elements(int, blocks),
            "masks": compiled.elements(int, blocks * moves),
            "observations": compiled.halves(n * units),
        }
        if kept:
            first = [self.encoding.view(p, self.game.reference.values_at_first(), ()) for p in range(players)]
            _array(shared["at_first"], np.float32, players * kept)[:] = np.concatenate(first)
        self._rows = np.arange(n)
        self._chosen = _array(shared["chosen"], np.int64, n)
        self.actor = _array(shared["actors"], np.int64, n)
        self.rewards = _array(shared["rewards"], np.float64, n * players).reshape(n, players)
        self.done = _array(shared["done"], np.bool_, n)
        self.mask = _array(shared["masks"], np.bool_, n * moves).reshape(n, moves)
        self.observation = _array(shared["observations"], np.float32, n * units).reshape(n, units)
        self._runs: list[tuple[CompiledKernels, kernels.Batch]] = []
        for each in [compiled, *(compiled.another() for _ in range(1, min(threads, blocks)))]:
            record = each.new(kernels.Batch, **shared)
            record.unit = float(program.denominator)
            self._runs.append((each, record))
        self._pool = ThreadPoolExecutor(len(self._runs) - 1, "batch") if len(self._runs) > 1 else None

    def _run(self, is_start: bool) -> None:
        """Begin all plays, or make all moves, a part in each thread."""
        blocks, parts = -(-self._n // kernels.BLOCK), len(self._runs)
        ends = [min(self._n, blocks * k // parts * kernels.BLOCK) for k in range(parts + 1)]
        ends[-1] = self._n
        if self._pool is None:
            self._run_part(0, 0, self._n, is_start)
            return
        waiting = [
            self._pool.submit(self._run_part, k, ends[k], ends[k + 1], is_start) for k in range(1, len(self._runs))
        ]
        try:
            self._run_part(0, ends[0], ends[1], is_start)
        finally:
            errors = [each.exception() for each in waiting]
        for error in errors:
            if error is not None:
                raise error

    def _run_part(self, part: int, first: int, end: int, is_start: bool) -> None:
        run, record = self._runs[part]
        try:
            answer = run.ask(kernels.go_on_all, record, first, end, is_start)
        except RuleError as error:
            raise self._rule_error(error, record.failed) from None
        if answer == kernels.UNNUMBERED:
            raise AssertionError(f"a legal move has no number in state {record.failed}")
        if answer:
            what = "plays end before anybody decides" if answer == kernels.UNDECIDED else "chance draws for ever"
            raise ZermeloError("needs-end", f"in state {record.failed} of the batch {what}")

    def _rule_error(self, error: RuleError, state: int) -> ZermeloError:
        """What has gone wrong in a state."""
        code, span = self._program.sites[error.site - 1]
        if code in ("overflow", "crowded"):
            return _unavailable(
                self.game, f"what line {span.line} comes to in state {state} is too much for machine code"
            )
        title = CODES[code].title
        return ZermeloError(code, f"{self.game.name}:{span.line}: {title}, in state {state} of the batch")


def _program_of(game: Game) -> Program:
    """The lowered rules, with lists for as many moves as possible. Raises ``ZermeloError``."""
    from zermelo.interpreter.native.llvm.engine import is_available
    from zermelo.interpreter.native.model_lowering import lower
    from zermelo.interpreter.native.state_encoding.move_codes import ROOM

    if not is_available():
        raise ZermeloError("machine-unavailable", "a batch is stepped by machine code: it needs LLVM, which is missing")
    try:
        program = game.prepared.program
        return lower(game.model, MORE_ROOM) if program.moves.most > ROOM else program
    except Unsupported as error:
        raise _unavailable(game, f"the native machine does not cover {error.construct}") from error


def _unavailable(game: Game, why: str) -> ZermeloError:
    return ZermeloError(
        "machine-unavailable",
        f"there is no batch of '{game.title}': {why}",
        "its states can be stepped one by one: game.initial, state.after",
    )


def _hash_table(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of moves by their codes: keys, -1 where there is none, and numbers, as the kernel looks for them."""
    import numpy as np

    rows, places = (codes >= 0).nonzero()
    size = 1 << max(3, (2 * len(rows)).bit_length())
    keys, numbers = [-1] * size, [0] * size
    for code, number in zip(codes[rows, places].tolist(), places.tolist(), strict=True):
        at = mix(code, 0) & size - 1
        while keys[at] >= 0:
            at = at + 1 & size - 1
        keys[at], numbers[at] = code, number
    return np.array(keys, np.int64), np.array(numbers, np.int64)


class _Tables:
    """The records of pieces, and the tables that they share."""

    def __init__(self, compiled: CompiledKernels) -> None:
        self._compiled = compiled
        self._firsts: dict[tuple[tuple[float, ...], ...], int] = {}
        self._all: list[float] = []

    def records(self, pieces: Sequence[ObservationPiece]) -> Any:
        """Pieces for the kernel."""
        found = self._compiled.elements(kernels.Piece, len(pieces))
        for piece, record in zip(pieces, found, strict=True):
            for name in _ALIKE:
                setattr(record, name, getattr(piece, name))
            record.slots, record.bits_each, record.numbers_each = piece.strides
            record.kind, record.table = _KINDS[piece.kind], self._first(piece.rows)
        return found

    def _first(self, rows: tuple[tuple[float, ...], ...]) -> int:
        if rows not in self._firsts:
            self._firsts[rows] = len(self._all)
            self._all += [number for row in rows for number in row]
        return self._firsts[rows]

    def numbers(self) -> Any:
        """The tables, as the bits of 32-bit floats."""
        import numpy as np

        there = self._compiled.halves(len(self._all))
        _array(there, np.float32, len(self._all))[:] = self._all
        return there


def _entries(compiled: CompiledKernels, sizes: Sequence[tuple[int, int]]) -> Any:
    """The entries that players may come to see, by the words of their values and the number of their pieces."""
    found = compiled.elements(kernels.Entry, len(sizes))
    first = 0
    for record, (size, count) in zip(found, sizes, strict=True):
        record.size, record.first, record.count = size, first, count
        first += count
    return found


def _filled(compiled: CompiledKernels, numbers: NDArray[np.int64]) -> Any:
    """A list of these numbers."""
    import numpy as np

    there = compiled.elements(int, len(numbers))
    _array(there, np.int64, len(numbers))[:] = numbers
    return there


def _array(there: Any, kind: Any, count: int) -> Any:
    """The first numbers in a list of machine code, as an array: the same memory."""
    import numpy as np

    return np.frombuffer(there, kind, count) if count else np.empty(0, kind)
