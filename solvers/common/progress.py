"""What an iteration tells and obeys: progress, a goal, and checkpoints from which it resumes."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from hashlib import sha256
from math import inf
from pathlib import Path
from time import perf_counter
from typing import Final

from attrs import define, field, frozen

from zermelo.foundation.disk_cache import write_whole
from zermelo.foundation.records import ByValue
from zermelo.grammar.diagnostics import ZermeloError

# Callbacks for the progress of a solver.


_TOLD: Final = 3
"""The most figures that are put into words."""

Progress = Callable[[int], None]
"""Called every few hundred nodes with the number of nodes visited so far."""


def ignore_progress(nodes: int) -> None:
    """The :data:`Progress` that does nothing."""


@frozen
class Milestone:
    """How far an iteration has come: ``count`` of its ``steps`` are done, and ``figures`` tell by name how good the
    result is by now, the most telling first, in units of payoff."""

    count: int
    steps: str
    figures: Mapping[str, Fraction | float]

    def __str__(self) -> str:
        told = [f"{name} {_in_short(figure)}" for name, figure in self.figures.items()]
        return ", ".join([f"{self.count:,} {self.steps}", *told[:_TOLD], *(["..."] if len(told) > _TOLD else [])])


def _in_short(figure: Fraction | float) -> str:
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

    def settled(self, seconds: float) -> tuple[float, float]:
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


@define(eq=False)
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
