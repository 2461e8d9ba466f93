"""Game trees as files, for kernels, which need rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from zermelo.interpreter.machine import CHANCE


@pytest.fixture(autouse=True)
def own_cache(monkeypatch, tmp_path_factory):
    """A common cache for these tests alone."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path_factory.getbasetemp() / "compiled"))


@pytest.fixture(scope="session")
def tree_text() -> Callable[..., str]:
    """Writes a tree as a file: ``[player, next, ...]``, ``[CHANCE, (probability, next), ...]``, or a payoff: a tuple
    or, for two players and zero sum, a number."""

    def write(tree: Any, players: Sequence[str] = ("A", "B")) -> str:
        return "\n".join([f'game "Tree"\nplayers {", ".join(players)}\n\ntree:', *node(tree, players, "    ", "")])

    return write


def node(tree: Any, players: Sequence[str], indent: str, label: str) -> Iterator[str]:
    if not isinstance(tree, list):
        yield f"{indent}{label}{tree}"
        return
    actor, *following = tree
    yield f"{indent}{label}{'chance' if actor == CHANCE else players[actor]}:"
    for k, child in enumerate(following):
        if actor == CHANCE:
            yield from node(child[1], players, indent + "    ", f"{child[0]} o{k}: ")
        else:
            yield from node(child, players, indent + "    ", f"m{k}: ")
