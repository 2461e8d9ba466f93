"""Checkpoints: files from which an iteration resumes, bit for bit.

The file is written under another name and moved into place, so there is a complete one at any time, even after a crash.
It begins with the identity of the work and ends with a digest of its content: a checkpoint of another game or solver is
refused, as is a damaged one.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Final

from attrs import define, field

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.grammar.whole_file import write_whole

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
