"""Limits of a solver, what an iteration tells and obeys, and checkpoints from which it resumes."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache
from hashlib import sha256
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Final
from weakref import finalize

from attrs import define, field, frozen

from zermelo.foundation.deadline import DeadlinePassed, lift_deadline, time_limit
from zermelo.foundation.disk_cache import write_whole
from zermelo.foundation.memory import (
    UNLIMITED,
    MemoryBudget,
    MemoryQuota,
    address_limit,
    format_bytes,
    memory_option,
)
from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import ZermeloError

# The memory that a solve holds, in bytes.
#
# Its phases pass on their results: a tree, its sequence form, the linear program of that. Each result is entered here
# and removed when it is garbage-collected. So a phase may use the memory that the others leave, and dropping a result
# early frees memory.


@define(eq=False, repr=False)
class Ledger:
    """The live results take ``held`` bytes, about."""

    held: int = 0

    def hold(self, thing: object, taken: int) -> None:
        """Enter ``thing``, which takes ``taken`` bytes as long as it lives."""
        self.held += taken
        finalize(thing, self._release, taken).atexit = False

    def _release(self, taken: int) -> None:
        self.held -= taken


# How much memory solvers may take if nobody says: a quarter of that of the machine.
#
# That leaves room for the system and for other work, and is enough for whatever an exact solution on that machine is
# likely to need. It decides only between an answer and a refusal, never what the answer is.


LEAST: Final = 256 << 20
"""The default on a machine that has little or does not tell, in bytes."""

_PART: Final = 4

_CONTAINER: Final = Path("/sys/fs/cgroup/memory.max")
"""Where Linux tells how much memory a container may take."""


@cache
def quarter_of_memory() -> int:
    """A quarter of the memory of the machine, of the container, or of the addresses that this process may use, in
    bytes; :data:`LEAST` if it is less."""
    return measure_quarter_of_memory()


def measure_quarter_of_memory() -> int:
    """The same, measured anew at each call."""
    return max(LEAST, min(_installed_memory(), _container_memory(), address_limit()) // _PART)


def _installed_memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # Windows has no such call, and some systems no such name
        return _PART * LEAST


def _container_memory() -> int:
    with suppress(OSError, ValueError):  # no container, or one without a limit, which says so in a word
        return int(_CONTAINER.read_text())
    return UNLIMITED


# Limits of a solver: time, depth, nodes and memory.


_MORE: Final = 4


class LimitReached(ZermeloError):
    """A search has reached a limit before its end. ``limit`` says which, ``counts`` is its progress (empty if unknown),
    and ``proved`` are its results so far, in words."""

    def __init__(self, code: str, limit: str, counts: Mapping[str, int], help: str, proved: str = "") -> None:
        known = f", and proved that {proved}" if proved else ""
        reached = f"; the search got as far as {_counts_text(counts)}{known}" if counts else ""
        message = f"there is no result {limit}{reached}"
        super().__init__(code, message, help)
        self.limit = limit


@frozen(eq=False, repr=False)
class Limits(ByValue):
    """``seconds`` from ``begin`` on, a time of ``perf_counter``; ``memory`` in bytes for tables, trees, stores, stacks,
    and everything made of them (``ledger`` tells how much is in use); ``depth`` in plies, and ``nodes``; and how many
    ``threads`` a search may use."""

    seconds: float = inf
    memory: int = field(factory=lambda: quarter_of_memory())
    begin: float = field(factory=perf_counter)
    depth: float = inf
    nodes: float = inf
    threads: int = 1
    ledger: Ledger = field(factory=Ledger, eq=False, repr=False)

    @property
    def has_horizon(self) -> bool:
        """Whether a search has a depth or node limit."""
        return min(self.depth, self.nodes) < inf

    @property
    def may_stop(self) -> bool:
        """Whether a search may have to stop before it has looked as far as it should."""
        return min(self.seconds, self.nodes) < inf

    @property
    def is_over(self) -> bool:
        """Whether the time is up. If so, the deadline is lifted, so that the caller can end in good order."""
        is_over = perf_counter() - self.begin > self.seconds
        if is_over:
            lift_deadline()
        return is_over

    @property
    def left(self) -> float:
        """The remaining seconds, at least 0."""
        return max(0.0, self.seconds - (perf_counter() - self.begin))

    @property
    def free(self) -> int:
        """The free bytes."""
        return max(0, self.memory - self.ledger.held)

    def budget(self) -> MemoryBudget:
        """A budget of the free memory for data kept in Python, in several rooms."""
        return MemoryBudget(self.memory, self.ledger.held)

    def room(self) -> MemoryQuota:
        """A room for data of one kind kept in Python, with all the free memory."""
        return MemoryQuota(self.budget())

    def require(self, needed: float, what: str) -> None:
        """Raise ``ZermeloError`` (``out-of-memory``) if ``what``, which is to be made, needs more bytes than are
        free."""
        if needed > self.memory - self.ledger.held:
            held = self.ledger.held
            beside = f" beside the {format_bytes(held)} of what it is made of" if held else ""
            raise ZermeloError(
                "out-of-memory",
                f"{what} would take about {format_bytes(needed)} of memory{beside}, "
                f"which is limited to {format_bytes(self.memory)}",
                f"{memory_option(2 * (needed + held))} should be enough",
            )

    def hold(self, thing: object, taken: int) -> None:
        """Enter ``thing`` in the ledger, with ``taken`` bytes as long as it lives."""
        self.ledger.hold(thing, taken)

    @property
    def half(self) -> Limits:
        """The same time and memory, with half of the time that is left."""
        return Limits(self.left / 2, self.memory)

    @contextmanager
    def enforce(self) -> Iterator[None]:
        """A block that ends with :class:`LimitReached` (``out-of-time``) when the time is up, wherever it is. If only
        the time of an outer block is up, the error is left to that block."""
        try:
            with time_limit(self.left):
                yield
        except DeadlinePassed:
            if not self.is_over:
                raise
            raise self.out_of_time({}) from None

    def out_of_time(self, counts: Mapping[str, int]) -> LimitReached:
        """The error of a search without a result when the time is up."""
        return LimitReached(
            "out-of-time",
            f"within {self.seconds:g} s",
            counts,
            "--time allows more; a smaller game may need less",
        )

    def check(self, counts: Mapping[str, int]) -> None:
        """Raise :class:`LimitReached` (``out-of-time``, ``out-of-nodes``) if the time is up or ``counts``, the progress
        of the solver, exceeds the ``nodes``."""
        if self.is_over:
            raise self.out_of_time(counts)
        if counts["nodes"] > self.nodes:
            raise LimitReached("out-of-nodes", f"within {self.nodes:,.0f} nodes", counts, "--nodes allows more")

    def out_of_memory(self, counts: Mapping[str, int]) -> ZermeloError:
        """The error of a search that needs more memory."""
        return LimitReached("out-of-memory", f"in {format_bytes(self.memory)} of memory", counts, self.more_memory)

    @property
    def more_memory(self) -> str:
        """How to get more where nobody knows how much is needed, in words."""
        return f"{memory_option(_MORE * self.memory)} allows {_MORE} times as much"

    @property
    def stopped_by_time(self) -> str:
        """The reason why a count ended, in words."""
        return f"after {self.seconds:g} s"

    @property
    def stopped_by_memory(self) -> str:
        return f"at {format_bytes(self.memory)} of memory"


def lookahead_advice(has_estimate: bool) -> str:
    """How to search only some moves ahead, in words."""
    search = "--depth N" if has_estimate else "`zermelo solve --depth N --estimate rollouts`"
    return f"{search} searches N moves ahead"


def _counts_text(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{what} {count:,}" for what, count in counts.items())


# Parameters of Monte Carlo tree search.


MOST_EXPLORATION: Final = 1000
"""The bound on the exploration constant: beyond it results have no effect on the search."""


@frozen(eq=False, repr=False)
class Sampling(ByValue):
    """The most ``simulations`` (None: as many as suit the limits), and the exploration constant, the C of UCT."""

    simulations: int | None = None
    exploration: float = 1.4


# Callbacks for the progress of a solver.


_TOLD: Final = 3
"""The most figures that are put into words."""

Progress = Callable[[int], None]
"""Called every few hundred nodes with the number of nodes visited so far."""


def ignore_progress(nodes: int) -> None:
    """The :data:`Progress` that does nothing."""


@frozen(eq=False, repr=False)
class Milestone(ByValue):
    """How far an iteration has come: ``count`` of its ``steps`` are done, and ``figures`` tell by name how good the
    result is by now, the most telling first, in units of payoff."""

    count: int
    steps: str
    figures: Mapping[str, Fraction | float]

    def __str__(self) -> str:
        told = [f"{name} {_short_figure(figure)}" for name, figure in self.figures.items()]
        return ", ".join([f"{self.count:,} {self.steps}", *told[:_TOLD], *(["..."] if len(told) > _TOLD else [])])


def _short_figure(figure: Fraction | float) -> str:
    """Three digits of a number, which may be larger than floating-point numbers are."""
    if isinstance(figure, Fraction):
        return f"{Decimal(figure.numerator) / Decimal(figure.denominator):.3g}"
    return f"{figure:.3g}"


Remark = Callable[[Milestone], None]
"""Called now and then with what an iteration has reached."""


def ignore_remark(reached: Milestone) -> None:
    """The :data:`Remark` that does nothing."""


# When an iteration stops, and where its checkpoint is kept.


EXPLOITABILITY: Final = 0.001
ITERATIONS: Final = 100_000
"""The default number of iterations."""


@frozen(eq=False, repr=False)
class Goal(ByValue):
    """Stop at this ``exploitability``, in units of payoff, or after so many ``iterations``. The work is saved to the
    file ``checkpoint``, and resumes from it if it exists."""

    exploitability: float | None = None
    iterations: float = inf
    checkpoint: Path | None = None

    def stopping_rule(self, seconds: float) -> tuple[float, float]:
        """The exploitability and the number of iterations at which to stop, with defaults for a time limit of
        ``seconds``."""
        if self.exploitability is None and min(self.iterations, seconds) == inf:
            return EXPLOITABILITY, ITERATIONS
        return (-inf if self.exploitability is None else self.exploitability), self.iterations


# Checkpoints: files from which an iteration resumes, bit for bit.
#
# The file is written under another name and moved into place, so there is a complete one at any time, even after a
# crash. It begins with the identity of the work and ends with a digest of its content: a checkpoint of another game or
# solver is refused, as is a damaged one.


_MAGIC: Final = b"zermelo checkpoint 1\n"
_DIGEST: Final = sha256().digest_size
_EVERY: Final = 5.0
"""Seconds between two writes."""


@define(eq=False, repr=False)
class Checkpoint:
    """The file at ``path``; ``belongs_to`` is a digest of everything that the work depends on."""

    path: Path
    belongs_to: bytes
    written: float = field(factory=perf_counter)

    def load(self) -> bytes | None:
        """The saved data, or None if there is no file yet. Raises ``ZermeloError`` (``bad-checkpoint``)."""
        try:
            self._refuse_what_is_no_file()
            content = self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise self._unusable(f"it cannot be read: {error.strerror}") from error
        if not content.startswith(_MAGIC):
            raise self._unusable("it is not a checkpoint")
        body, digest = content[len(_MAGIC) : -_DIGEST], content[-_DIGEST:]
        if sha256(body).digest() != digest:
            raise self._unusable("it is damaged")
        if not body.startswith(self.belongs_to):
            raise self._unusable("it belongs to another game, other parameters or another solver")
        return body[len(self.belongs_to) :]

    @property
    def is_due(self) -> bool:
        """Whether it is time to save again."""
        return perf_counter() - self.written > _EVERY

    def save(self, data: bytes) -> None:
        """Replace the saved data; raises ``ZermeloError`` (``bad-checkpoint``)."""
        body = self.belongs_to + data
        try:
            self._refuse_what_is_no_file()
            write_whole(self.path, _MAGIC + body + sha256(body).digest())
        except OSError as error:
            raise self._unusable(f"it cannot be written: {error.strerror}") from error
        self.written = perf_counter()

    def _refuse_what_is_no_file(self) -> None:
        """Refuse pipes and the like, which block and do not keep data."""
        if self.path.exists() and not self.path.is_file():
            raise self._unusable("it is not a file")

    def _unusable(self, why: str) -> ZermeloError:
        return ZermeloError(
            "bad-checkpoint", f"the checkpoint {self.path} cannot be used: {why}", "another file name starts afresh"
        )


def pack(counts: Sequence[int], columns: Sequence[Sequence[float]]) -> bytes:
    """Numbers, and columns of floating-point numbers of equal length, as bytes."""
    return array("q", counts).tobytes() + b"".join(array("d", column).tobytes() for column in columns)


def unpack(saved: bytes, counts: int, columns: int) -> tuple[list[int], list[array[float]]]:
    """The inverse of :func:`pack`."""
    whole, numbers = array("q"), array("d")
    whole.frombytes(saved[: 8 * counts])
    numbers.frombytes(saved[8 * counts :])
    each = len(numbers) // columns
    return list(whole), [numbers[k * each : (k + 1) * each] for k in range(columns)]
