"""Code generation in several threads at once, as by background compilation."""

from __future__ import annotations

import gc
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from zermelo.interpreter.native.llvm.functions import emit

NAMES = tuple(f"f{k}" for k in range(60))
TEXT = "\n".join(f"def {name}(a: int, b: int) -> int:\n    return a + b * (b + a * {len(name)})\n" for name in NAMES)


@pytest.fixture
def _switching():
    """Threads switch wherever possible, even during garbage collection."""
    interval, threshold = sys.getswitchinterval(), gc.get_threshold()

    def busy(phase, info):
        sum(range(300))

    gc.callbacks.append(busy)
    gc.set_threshold(50, 5, 5)
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)
    gc.set_threshold(*threshold)
    gc.callbacks.remove(busy)


@pytest.mark.usefixtures("_switching")
def test_threads_emit_the_same_at_once():
    with ThreadPoolExecutor(4) as pool:
        emitted = set(pool.map(lambda _: emit(TEXT, 64, NAMES), range(8)))
    assert len(emitted) == 1
