"""What a mutant is: a text in a source, and a text in its place that weakens it."""

from __future__ import annotations

from dataclasses import dataclass

JUDGE = "tests/solvers/test_judge.py"


@dataclass(frozen=True)
class Mutant:
    """In ``file`` the text ``old`` becomes ``new``; ``tests`` should notice. ``reason`` says what is weakened."""

    file: str
    reason: str
    old: str
    new: str
    tests: tuple[str, ...]


def mutants_of(file: str, tests: tuple[str, ...], *changes: tuple[str, str, str]) -> list[Mutant]:
    """The mutants of one file: what is weakened, the text, and the text in its place."""
    return [Mutant(file, reason, old, new, tests) for reason, old, new in changes]
