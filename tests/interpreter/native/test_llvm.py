"""The two executors of the dialect give the same numbers."""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor

import pytest
from all_machines import needs_llvm
from hypothesis import given
from hypothesis import strategies as st

from zermelo.foundation import disk_cache
from zermelo.interpreter.native.dialect.kernel_source import KernelText
from zermelo.interpreter.native.dialect.language import execute
from zermelo.interpreter.native.llvm.engine import Library

pytestmark = needs_llvm

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


@given(numbers, numbers.filter(bool))
def test_division_floors(executors, a, b):
    python, compiled, _ = executors
    assert compiled["divided"](a, b) == python["divided"](a, b)


@given(st.integers(-3, 70))
def test_loops(executors, n):
    python, compiled, _ = executors
    assert compiled["looped"](n) == python["looped"](n)


@given(st.integers(0, (1 << 50) - 1), st.integers(0, 20))
def test_masks(executors, m, k):
    python, compiled, _ = executors
    assert compiled["masked"](m, k) == python["masked"](m, k)


@given(st.integers(0, (1 << 63) - 1), st.integers(0, (1 << 63) - 1))
def test_stirring(executors, a, b):
    python, compiled, _ = executors
    assert compiled["stirred"](a, b) == python["stirred"](a, b)


@given(st.integers(0, (1 << 50) - 1), st.integers(0, 20))
def test_arrays_of_masks(executors, a, b):
    python, compiled, _ = executors
    assert compiled["gathered"](a, b) == python["gathered"](a, b)


@given(st.lists(numbers, min_size=4, max_size=4), st.integers(0, 9))
def test_arrays(executors, a, k):
    python, compiled, _ = executors
    there = (ctypes.c_int64 * 4)(*a)
    here = list(a)
    assert compiled["kept"](ctypes.addressof(there), k) == python["kept"](here, k)
    assert list(there) == here


@given(st.lists(st.integers(-2, 2), min_size=4, max_size=4), st.integers(0, 9))
def test_entries_that_threads_share(executors, a, k):
    python, compiled, _ = executors
    there = (ctypes.c_int64 * 4)(*a)
    here = list(a)
    assert compiled["shared"](ctypes.addressof(there), k) == python["shared"](here, k)
    assert list(there) == here


def test_an_entry_is_claimed_once(executors):
    _, compiled, _ = executors
    many = 200_000
    there = (ctypes.c_int64 * many)()
    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(lambda _: compiled["fill"](ctypes.addressof(there), many), range(4)))
    assert sum(got) == many == sum(there)


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


def test_an_index_outside_its_array_is_noticed_and_does_no_harm():
    text = "STATE = 1\n\n\ndef at(a: ints[n], n: int, k: int) -> int:\n    return a[k]\n"
    library = Library(KernelText(text, ("at",)), 64)
    numbers_there = (ctypes.c_int64 * 3)(4, 5, 6)
    at = library.function("at", 3)
    assert at(ctypes.addressof(numbers_there), 3, 2) == 6
    assert not library.has_fault
    assert at(ctypes.addressof(numbers_there), 3, 3) == 4
    assert library.has_fault


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


def test_a_name_may_be_one_that_machine_code_has_for_its_own_parts():
    text = (
        "STATE = 1\n\n\ndef of(entry: int, v6: int) -> int:\n    c5: int = entry\n    for do2 in range(v6):\n"
        "        if do2 & 1 != 0:\n            c5 += entry\n    return c5\n"
    )
    assert Library(KernelText(text, ("of",)), 64).function("of", 2)(10, 4) == 30
