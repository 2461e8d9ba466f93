"""The two executors of the dialect give the same numbers."""

from __future__ import annotations

import ctypes
import gc
import signal
import struct
import sys
from concurrent.futures import ThreadPoolExecutor
from math import inf, nan
from threading import Event, Thread, current_thread, main_thread

import pytest
from all_machines import needs_llvm
from hypothesis import given
from hypothesis import strategies as st
from kernel_modules import KernelText

from zermelo.foundation import disk_cache
from zermelo.interpreter.native.dialect.language import NotDialect, execute, parse_module
from zermelo.interpreter.native.llvm.engine import Library, run_interruptibly
from zermelo.interpreter.native.llvm.functions import emit

TEXT = """\
from __future__ import annotations

STATE = 2
T0 = (5, -7, 300,)
T1: bits = (1, 18446744073709551615, 6,)


def divided(a: int, b: int) -> int:
    return (a // b) * 1000 + a % b


def looped(n: int) -> int:
    total: int = 0
    for k in range(1, n):
        if k % 3 == 0:
            continue
        if k > 50:
            break
        total += k if k & 1 != 0 and k != 7 else -k
    return total


def masked(m: int, k: int) -> int:
    word: bits = m
    word = word | (word << (k % 5))
    count: int = 0
    rest: bits = word
    while rest != 0:
        count = count * 3 + lowest(rest) - highest(rest)
        count = count % 1000003
        rest = rest & (rest - 1)
    return count + popcount(word & T1[k % 3]) + T0[k % 3]


def stirred(a: int, b: int) -> int:
    return mix(a, b)


def kept(a: ints[4], k: int) -> int:
    own = array(4)
    for i in range(4):
        own[i] = a[3 - i]
    a[k & 3] = 17
    return own[k & 3] + (1 if not (k > 2 or a[0] == 17) else 0)


def carried(a: states[n], n: int, k: int) -> int:
    own = scratches(3)
    last = scratch()
    for i in range(3):
        copy(own[i], a[(k + i) % n], STATE)
    copy(last, own[2], STATE)
    a[k % n][1] = last[0] ^ own[1][1]
    return popcount(last[1]) + 1000 * popcount(a[k % n][1])


def merged(own: masks[3], k: int, m: bits) -> int:
    own[k % 3] = own[k % 3] | m
    return popcount(own[0]) + 100 * popcount(own[1]) + 10000 * popcount(own[2])


def gathered(a: int, b: int) -> int:
    own = masks(3)
    for i in range(3):
        own[i] = T1[i] | a
    word: bits = own[1]
    return merged(own, b, word ^ (word & (word - 1))) * 7 + merged(own, b + 1, T1[1])


def shared(a: ints[4], k: int) -> int:
    before: int = acquire(a, k & 3)
    got: int = claim(a, k & 3)
    if got == 0:
        release(a, k & 3, before + 5)
    return got * 100 + acquire(a, k & 3)


def fill(a: ints[n], n: int) -> int:
    mine: int = 0
    for k in range(n):
        mine += claim(a, k)
    return mine
"""

EXPORTS = {
    "divided": 2,
    "looped": 1,
    "masked": 2,
    "stirred": 2,
    "kept": 2,
    "carried": 3,
    "shared": 2,
    "fill": 2,
    "gathered": 2,
}


@pytest.fixture(scope="module", params=[64, 128, 192, 320, 704])
def executors(request):
    library = Library(KernelText(TEXT, tuple(EXPORTS)), request.param)
    compiled = {name: library.function(name, count) for name, count in EXPORTS.items()}
    yield execute(TEXT), compiled, request.param
    assert not library.has_fault


numbers = st.integers(-(1 << 40), 1 << 40)


@needs_llvm
@given(numbers, numbers.filter(bool))
def test_division_floors(executors, a, b):
    python, compiled, _ = executors
    assert compiled["divided"](a, b) == python["divided"](a, b)


@needs_llvm
@given(st.integers(-3, 70))
def test_loops(executors, n):
    python, compiled, _ = executors
    assert compiled["looped"](n) == python["looped"](n)


@needs_llvm
@given(st.integers(0, (1 << 50) - 1), st.integers(0, 20))
def test_masks(executors, m, k):
    python, compiled, _ = executors
    assert compiled["masked"](m, k) == python["masked"](m, k)


@needs_llvm
@given(st.integers(0, (1 << 63) - 1), st.integers(0, (1 << 63) - 1))
def test_stirring(executors, a, b):
    python, compiled, _ = executors
    assert compiled["stirred"](a, b) == python["stirred"](a, b)


@needs_llvm
@given(st.integers(0, (1 << 50) - 1), st.integers(0, 20))
def test_arrays_of_masks(executors, a, b):
    python, compiled, _ = executors
    assert compiled["gathered"](a, b) == python["gathered"](a, b)


@needs_llvm
@given(st.lists(numbers, min_size=4, max_size=4), st.integers(0, 9))
def test_arrays(executors, a, k):
    python, compiled, _ = executors
    there = (ctypes.c_int64 * 4)(*a)
    here = list(a)
    assert compiled["kept"](ctypes.addressof(there), k) == python["kept"](here, k)
    assert list(there) == here


@needs_llvm
@given(st.lists(st.integers(-2, 2), min_size=4, max_size=4), st.integers(0, 9))
def test_entries_that_threads_share(executors, a, k):
    python, compiled, _ = executors
    there = (ctypes.c_int64 * 4)(*a)
    here = list(a)
    assert compiled["shared"](ctypes.addressof(there), k) == python["shared"](here, k)
    assert list(there) == here


@needs_llvm
def test_an_entry_is_claimed_once(executors):
    _, compiled, _ = executors
    many = 200_000
    there = (ctypes.c_int64 * many)()
    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda _: compiled["fill"](ctypes.addressof(there), many), range(4)))
    assert sum(got) == many == sum(there)


@needs_llvm
@given(st.data(), st.integers(0, 9))
def test_states_stand_where_the_host_put_them(executors, data, k):
    python, compiled, width = executors
    words = st.integers(0, (1 << width) - 1)
    here = data.draw(st.lists(st.lists(words, min_size=2, max_size=2), min_size=4, max_size=4))
    guard = b"guarded."
    there = ctypes.create_string_buffer(
        b"".join(word.to_bytes(width // 8, "little") for state in here for word in state) + guard
    )
    assert compiled["carried"](ctypes.addressof(there), 4, k) == python["carried"](here, 4, k)
    assert there.raw[:-1] == b"".join(word.to_bytes(width // 8, "little") for state in here for word in state) + guard


@needs_llvm
def test_an_index_outside_its_array_is_noticed_and_does_no_harm():
    text = "STATE = 1\n\n\ndef at(a: ints[n], n: int, k: int) -> int:\n    return a[k]\n"
    library = Library(KernelText(text, ("at",)), 64)
    numbers_there = (ctypes.c_int64 * 3)(4, 5, 6)
    at = library.function("at", 3)
    assert at(ctypes.addressof(numbers_there), 3, 2) == 6
    assert not library.has_fault
    assert at(ctypes.addressof(numbers_there), 3, 3) == 4
    assert library.has_fault


@needs_llvm
def test_code_that_changes_places_is_compiled_anew(monkeypatch, tmp_path):
    """Each file has valid code, but of the other text."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    texts = [f"STATE = 1\n\n\ndef of(a: int) -> int:\n    return a + {k}\n" for k in (100, 200)]

    def values() -> list[int]:
        libraries = [Library(KernelText(text, ("of",)), 64) for text in texts]
        return [library.function("of", 1)(1) for library in libraries]

    assert values() == [101, 201]
    one, another = (entry.path for entry in disk_cache.entries())
    one.rename(tmp_path / "between")
    another.rename(one)
    (tmp_path / "between").rename(another)
    assert values() == [101, 201]
    one.write_bytes(another.read_bytes())
    assert values() == [101, 201]


@needs_llvm
def test_a_name_may_be_one_that_machine_code_has_for_its_own_parts():
    text = (
        "STATE = 1\n\n\ndef of(entry: int, v6: int) -> int:\n    c5: int = entry\n    for do2 in range(v6):\n"
        "        if do2 & 1 != 0:\n            c5 += entry\n    return c5\n"
    )
    assert Library(KernelText(text, ("of",)), 64).function("of", 2)(10, 4) == 30


# Floating point in the dialect: both executors give the same bits.


FLOATS_TEXT = """\
from __future__ import annotations

HALF = 0.5


def mean(a: float, b: float) -> float:
    return (a + b) * HALF


def reckoned(X: floats[8], n: int) -> int:
    a: float = X[0]
    b: float = X[1]
    X[2] = a * b + X[3]
    X[3] = a - -b
    X[4] = mean(a, b)
    X[5] += float(n) * a
    X[6] = a / b if b != 0.0 else 0.0
    X[7] = sqrt(a * a) if not a * a < HALF else log(sqrt(b * b) + 1.0)
    return (a < b) + 2 * (a <= b) + 4 * (a > b) + 8 * (a >= b) + 16 * (a == b) + 32 * (a != b)


def nearer(X: floats[n], n: int) -> int:
    for k in range(n - 1):
        a: float = X[k]
        X[k] = min(max(a, X[k + 1]), max(0.0, -a))
    return 0


def summed(X: floats[n], n: int) -> int:
    total = 0.0
    for k in range(n):
        x: float = X[k]
        total += x if x > 0.0 else -x * x
    X[0] = total
    return 0


def larger(a: lanes, b: lanes) -> lanes:
    return where(a - b, a, b)


def side_by_side(X: floats[n], n: int) -> int:
    total: lanes = lanes(0.0)
    for k in range(rows_of(X)):
        x: lanes = lanes_at(X, k)
        total = larger(total * x, x if k % 2 != 0 else lanes(X[0]) - x)
        put_lanes(X, k, total / lanes(mean(X[0], 3.0)) if X[0] > 0.0 else total + x)
    return rows_of(X)
"""


@pytest.fixture(scope="module")
def compiled():
    return Library(KernelText(FLOATS_TEXT, ("reckoned", "nearer", "summed", "side_by_side")), 64)


def bits(numbers):
    return [struct.pack("d", number) for number in numbers]


amounts = st.floats(-1e100, 1e100)


def both(compiled, name, numbers, n):
    here, there = list(numbers), (ctypes.c_double * len(numbers))(*numbers)
    assert compiled.function(name, 2)(ctypes.addressof(there), n) == execute(FLOATS_TEXT)[name](here, n)
    assert bits(there) == bits(here)
    assert not compiled.has_fault
    return here


@needs_llvm
@given(st.lists(amounts, min_size=8, max_size=8), st.integers(-(1 << 62), 1 << 62))
def test_every_operation(compiled, numbers, n):
    both(compiled, "reckoned", numbers, n)


@needs_llvm
@given(st.lists(amounts, min_size=1, max_size=40))
def test_sums_keep_their_order(compiled, numbers):
    both(compiled, "summed", numbers, len(numbers))


@needs_llvm
@given(st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, inf, -inf, nan]), min_size=2, max_size=40))
def test_the_smaller_and_the_larger_are_those_of_python(compiled, numbers):
    both(compiled, "nearer", numbers, len(numbers))


@needs_llvm
def test_products_are_rounded_before_they_are_added(compiled):
    below, above = 1.0 - 2.0**-30, 1.0 + 2.0**-30
    assert both(compiled, "reckoned", [below, above, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0], 0)[2] == 0.0


@needs_llvm
@given(st.lists(amounts, min_size=8, max_size=40))
def test_lanes_are_computed_each_by_itself(compiled, numbers):
    """Numbers that fill no row are left alone."""
    both(compiled, "side_by_side", numbers, len(numbers))


@needs_llvm
@pytest.mark.parametrize("row", ["-1", "1", "1 << 60"])
@pytest.mark.parametrize("line", ["a: lanes = lanes_at(X, {})", "put_lanes(X, {}, lanes(1.0))"])
def test_a_row_outside_its_array_is_noticed(line, row):
    text = f"def f(X: floats[n], n: int) -> int:\n    {line.format(row)}\n    return 0\n"
    library, numbers = Library(KernelText(text, ("f",)), 64), (ctypes.c_double * 15)()
    library.function("f", 2)(ctypes.addressof(numbers), 15)
    assert library.has_fault


@needs_llvm
def test_not_a_number_is_unequal_to_all(compiled):
    numbers = (ctypes.c_double * 8)(nan, nan)
    assert compiled.function("reckoned", 2)(ctypes.addressof(numbers), 1) == 32


@needs_llvm
@pytest.mark.parametrize(
    "line",
    [
        "x: float = 1",
        "x: float = n",
        "x: float = n + X[0]",
        "k: int = X[0]",
        "k: int = 0.5",
        "x = X[0] % 2.0",
        "X[0] = n",
        "k: int = 1 if X[0] else 0",
        "k: int = n < X[0]",
        "k: int = max(n, X[0])",
        "X[0] = min(X[0], 1)",
        "a: lanes = X[0]",
        "X[0] = lanes_at(X, 0)",
        "a: lanes = lanes_at(X, 0) + X[0]",
        "a: lanes = lanes(n)",
        "put_lanes(X, 0, X[0])",
    ],
)
def test_nothing_turns_into_a_float_by_itself(line):
    text = f"def f(X: floats[n], n: int) -> int:\n    {line}\n    return 0\n"
    with pytest.raises(NotDialect):
        Library(KernelText(text, ("f",)), 64)


# Code generation in several threads at once, as by background compilation.


NAMES = tuple(f"f{k}" for k in range(60))
EMITTING_AT_ONCE_TEXT = "\n".join(
    f"def {name}(a: int, b: int) -> int:\n    return a + b * (b + a * {len(name)})\n" for name in NAMES
)


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
        emitted = set(pool.map(lambda _: emit(parse_module(EMITTING_AT_ONCE_TEXT), 64, NAMES), range(8)))
    assert len(emitted) == 1


# Interruptible waiting for LLVM.


def test_what_is_made_comes_back():
    assert run_interruptibly(lambda: current_thread() is main_thread()) is False


def test_errors_come_back():
    with pytest.raises(ZeroDivisionError):
        run_interruptibly(lambda: 1 // 0)


def test_an_interrupt_does_not_wait():
    begun, may_end, ended = Event(), Event(), Event()

    def work() -> None:
        begun.set()
        may_end.wait()
        ended.set()

    def interrupt() -> None:
        begun.wait()
        signal.pthread_kill(main_thread().ident, signal.SIGINT)  # as from a keyboard: it wakes the waiting thread

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # that of the tests would end them
    Thread(target=interrupt).start()
    try:
        with pytest.raises(KeyboardInterrupt):
            run_interruptibly(work)
        assert not ended.is_set()
    finally:
        may_end.set()
        signal.signal(signal.SIGINT, before)
    assert ended.wait(10)


def test_another_thread_does_the_work_itself():
    seen: list[bool] = []
    thread = Thread(target=lambda: seen.append(run_interruptibly(current_thread) is current_thread()))
    thread.start()
    thread.join()
    assert seen == [True]
