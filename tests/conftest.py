"""For all tests: random cases are the same ones in every run; those that ``long.txt`` names are marked ``long``; all
workers share one cache, and keep it for the next run; the computer has little memory; Ctrl-C reaches the commands that
tests start, and the tests; a clock that tests set; small machines, written out, for those that need no rules."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from attrs import frozen
from clocks import read_from
from hypothesis import HealthCheck, settings
from long_tests import function_of, listed, processor_seconds
from random_cases import IS_CAMPAIGN, many

from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import CHANCE, END, InformationState, Move, Payoff
from zermelo.solvers.common import limits

settings.register_profile(
    "zermelo",
    deadline=None,
    max_examples=many(100),
    derandomize=not IS_CAMPAIGN,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("zermelo")

os.environ.setdefault(
    "ZERMELO_CACHE", str(Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "zermelo-tests"))
)

_interrupts: list[int] = []


def _heard(number: int, frame: Any) -> None:
    _interrupts.append(number)
    raise KeyboardInterrupt


signal.signal(signal.SIGINT, _heard)  # a shell's background jobs ignore it, and so would theirs


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """An interrupt ends the tests also where a command that is tested has answered it."""
    try:
        return (yield)
    finally:
        if _interrupts:
            raise KeyboardInterrupt


limits.quarter_of_memory = lambda: limits.LEAST  # what is refused here is refused on every machine

OF_RANDOM_CASES = {"seed", "family", "block", "part"}
"""What tests of random cases call their argument."""

LONG = pytest.StashKey[int]()
STARTED = pytest.StashKey[float]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the long tests, and put the longest of them first, so that no worker begins one when the others are done.
    Then come those that wait for a server or a browser, while others compute."""
    seconds = listed()
    for item in items:
        item.stash[LONG] = seconds.get(item.nodeid) or seconds.get(function_of(item.nodeid), 0)
        if item.stash[LONG]:
            item.add_marker(pytest.mark.long)
        is_drawn = hasattr(getattr(item, "obj", None), "hypothesis")  # its plugin sets its own marker only later
        if is_drawn or OF_RANDOM_CASES & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.random)
    items.sort(key=lambda item: (-item.stash[LONG], "/serving/" not in item.nodeid))


def pytest_collection() -> None:
    gc.disable()


def pytest_collection_finish() -> None:
    """Tests are not looked through for garbage, neither while they are collected nor ever after."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    item.stash[STARTED] = processor_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """Leave the processor time of the test, and of the processes that it started, for ``python -m tests.measure``."""
    try:
        return (yield)
    finally:
        item.user_properties.append(("processor seconds", round(processor_seconds() - item.stash[STARTED], 2)))


@pytest.fixture
def clock(monkeypatch) -> list[float]:
    """The time, in seconds, that limits and deadlines read: it stands still until a test sets it."""
    time = [0.0]
    read_from(monkeypatch, lambda: time[0])
    return time


@frozen(eq=False)
class ToyState:
    position: Hashable
    before: ToyState | None = None
    move: Move | None = None


@frozen
class ToyMachine:
    """A machine given by a function of the position: ``(END, payoff)``, ``(player, {name: position})`` or
    ``(CHANCE, {name: (probability, position)})``."""

    start: Hashable
    expand: Callable[[Any], tuple[int, Any]]
    player_names: tuple[str, ...] = ("A", "B")
    discount: Fraction = Fraction(1)

    def endless(self) -> None:
        return None

    def is_within_round(self, state: ToyState) -> bool:
        return False

    def initial(self) -> ToyState:
        return ToyState(self.start)

    def actor(self, state: ToyState) -> int:
        return self.expand(state.position)[0]

    def moves(self, state: ToyState) -> tuple[Move, ...]:
        actor, following = self.expand(state.position)
        return () if actor in (CHANCE, END) else tuple(map(Move, following))

    def outcomes(self, state: ToyState) -> tuple[tuple[Move, Fraction], ...]:
        following = self.expand(state.position)[1]
        return tuple((Move(name), Fraction(probability)) for name, (probability, _) in following.items())

    def draw(self, state: ToyState, random: Random) -> Move:
        outcomes = self.outcomes(state)
        return random.choices([move for move, _ in outcomes], [float(weight) for _, weight in outcomes])[0]

    def after(self, state: ToyState, move: Move) -> ToyState:
        actor, following = self.expand(state.position)
        if actor == END or move.name not in following:
            raise ZermeloError("illegal-move", f"{move} is not legal")
        target = following[move.name]
        return ToyState(target[1] if actor == CHANCE else target, state, move)

    def payoff(self, state: ToyState) -> Payoff:
        return tuple(map(Fraction, self.expand(state.position)[1]))

    def earned(self, state: ToyState) -> Payoff:
        return (Fraction(0),) * len(self.player_names)

    def position(self, state: ToyState) -> Hashable:
        return state.position

    def information_state(self, state: ToyState, player: int) -> InformationState:
        raise NotImplementedError

    def play(self, state: ToyState) -> tuple[Move, ...]:
        moves = []
        while state.move is not None and state.before is not None:
            moves.append(state.move)
            state = state.before
        return tuple(reversed(moves))


@pytest.fixture(scope="session")
def toy() -> type[ToyMachine]:
    """The class of machines that are given by a function."""
    return ToyMachine


@pytest.fixture(scope="session")
def tree() -> Callable[..., ToyMachine]:
    """Makes a machine of a written tree: a number or tuple is a payoff, ``[player, child, ...]`` a decision whose moves
    are named a, b, ..., ``[CHANCE, (probability, child), ...]`` a draw. A number x is short for (x, total - x)."""

    def build(written: Any, players: tuple[str, ...] = ("A", "B"), total: int = 0) -> ToyMachine:
        def expand(path: tuple[int, ...]) -> tuple[int, Any]:
            node = written
            for step in path:
                child = node[1 + step]
                node = child[1] if node[0] == CHANCE else child
            if not isinstance(node, list):
                payoff = node if isinstance(node, tuple) else (node, total - node)
                return END, payoff
            actor, *children = node
            names = [chr(ord("a") + k) for k in range(len(children))]
            if actor == CHANCE:
                return CHANCE, {
                    name: (child[0], (*path, k)) for k, (name, child) in enumerate(zip(names, children, strict=True))
                }
            return actor, {name: (*path, k) for k, name in enumerate(names)}

        return ToyMachine((), expand, players)

    return build
