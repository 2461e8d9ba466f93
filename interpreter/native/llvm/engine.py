"""Compiling a module with LLVM, and calling its exports.

LLVM is loaded only here, and only to compile or call something. The code cache persists between runs. Its keys are the
text and the version of the interpreter, so that it can be queried without loading LLVM; the first line of an entry has
the other dependencies: LLVM's version and the processor.
"""

from __future__ import annotations

import ctypes
import os
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from itertools import count
from sys import modules
from threading import Event, Lock, Thread, current_thread, main_thread
from time import process_time
from typing import Any, Final, TypeVar

from attrs import define, field

from zermelo.foundation import disk_cache
from zermelo.foundation.deadline import check_deadline
from zermelo.foundation.disk_cache import program_version
from zermelo.foundation.memory import UNLIMITED, address_limit, address_space_bytes
from zermelo.interpreter.native.dialect.kernel_source import Kernel
from zermelo.interpreter.native.dialect.language import BEYOND_HALF

# Interruptible waiting for LLVM, and for rules that may run long.
#
# Python handles interrupts in the main thread, between two of its instructions. A call of LLVM may take a second, and a
# rule with long loops hours, so such work runs in a thread of its own. The main thread waits for it, and an interrupt
# or the deadline ends the wait at once.


_TICK: Final = 0.05
"""Seconds of waiting at a time: an interrupt just before a wait begins is handled when it ends."""

Result = TypeVar("Result")


def run_interruptibly(work: Callable[[], Result], stop: Callable[[], None] | None = None) -> Result:
    """The result of ``work``, interruptible in the main thread; raises
    :class:`zermelo.foundation.deadline.DeadlinePassed` if the time is up.

    After an interrupt ``stop`` is called until the work has ended; without ``stop``, the work goes on in the
    background. In other threads the work is simply done: the thread's owner has to stop it."""
    if current_thread() is not main_thread():
        return work()
    made: list[Result] = []
    failed: list[BaseException] = []
    done = Event()

    def run() -> None:
        try:
            made.append(work())
        except BaseException as error:  # raised in the waiting thread
            failed.append(error)
        finally:
            done.set()

    Thread(target=run).start()
    try:
        while not done.wait(_TICK):
            check_deadline()
    finally:
        while stop is not None and not done.is_set():
            stop()
            done.wait(_TICK)
    if failed:
        raise failed[0]
    return made[0]


_IN_A_HURRY: Final = ("sroa", "simplify_cfg", "always_inliner", "sroa", "instruction_combine", "simplify_cfg")
"""The passes of a hurried compilation, those with the best gain for their time."""

_LONG: Final = 60_000
"""The length of texts in LLVM's language, in characters, for which it takes a tenth of a second or more."""

_names = count()


_ADDRESSES: Final = 256 << 20
"""The bytes of addresses that LLVM takes for its library and its work, rounded up."""


def is_available() -> bool:
    """Whether LLVM is installed and there is room for it. This does not load LLVM, which takes longer than solving many
    a game."""
    return is_installed() and ("llvmlite.binding" in modules or _has_addresses())


def is_installed() -> bool:
    """Whether LLVM is installed."""
    return find_spec("llvmlite") is not None


def _has_addresses() -> bool:
    """Whether `ulimit -v` leaves enough addresses. LLVM does not fail where they run out: it ends the process."""
    limit = address_limit()
    return limit == UNLIMITED or limit - address_space_bytes() >= _ADDRESSES


def load() -> None:
    """Load LLVM now, so that processes forked later need not."""
    _jit()
    _host()


def _new_machine(opt: int) -> Any:
    """A code generator for this processor, with an optimization level from 0 to 3."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=opt, reloc="pic", jit=True
    )


_machine: Final = cache(_new_machine)


@cache
def _jit() -> Any:
    """The linker of code, one for the process."""
    import llvmlite.binding as llvm

    return llvm.create_lljit_compiler(_new_machine(2))  # takes ownership of the machine


class Library:
    """The machine code of a text of the dialect whose ``bits`` are ``width`` wide; it lives as long as this object.
    Hurried compilation takes a fifth of the time, and its code is two to three times slower; it is used only if no
    optimised code is cached (see ``is_optimised``)."""

    def __init__(self, source: Kernel, width: int, is_hurried: bool = False) -> None:
        import llvmlite.binding as llvm

        self.key = _cache_key(source, width, is_hurried)
        image = _cached_code(source, width, is_hurried=False)
        self.is_optimised = image is not None or not is_hurried
        if image is None and is_hurried:
            image = _cached_code(source, width, is_hurried)
        if image is None:
            image = _compile(source, width, is_hurried)
            disk_cache.store("code", _host() + image, *self.key)
        builder = llvm.JITLibraryBuilder().add_object_img(image).add_current_process()
        for name in (*source.exports, "fault", "stop"):
            builder.export_symbol(name)
        self._tracker = builder.link(_jit(), f"zermelo{next(_names)}")
        self._fault = ctypes.c_int64.from_address(self._tracker["fault"])
        self._stop = ctypes.c_int64.from_address(self._tracker["stop"])

    def function(self, name: str, arguments: int) -> Any:
        """An exported function with this number of arguments, all numbers or pointers of 64 bits."""
        return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)(self._tracker[name])

    @property
    def has_fault(self) -> bool:
        """Whether an index has left its array, or a number has not fitted into half a word."""
        return self._fault.value != 0

    def fault(self, name: str) -> Exception:
        """The fault of a function, as Python would have raised it."""
        if self._fault.value == BEYOND_HALF:
            return OverflowError(f"a number has more than 32 bits in {name}")
        return IndexError(f"an index has left its array in {name}")

    def stop(self) -> None:
        """Ask running code to return soon. Its result is then invalid."""
        self._stop.value = 1

    def go_on(self) -> None:
        """Let calls run to their end again, after stopped code has returned."""
        self._stop.value = self._fault.value = 0


def is_cached(source: Kernel, width: int) -> bool:
    """Whether machine code of a text, of either kind, is in the code cache."""
    return any(disk_cache.holds("code", *_cache_key(source, width, hurried)) for hurried in (False, True))


def _cached_code(source: Kernel, width: int, is_hurried: bool) -> bytes | None:
    """The cached machine code of a text, if made by this LLVM for this processor."""
    stored = disk_cache.load("code", *_cache_key(source, width, is_hurried))
    return None if stored is None or not stored.startswith(_host()) else stored[len(_host()) :]


def _cache_key(source: Kernel, width: int, is_hurried: bool) -> tuple[str, ...]:
    passes = " ".join(_IN_A_HURRY) if is_hurried else ""
    return source.identity, str(width), ",".join(source.exports), program_version(), passes


@cache
def _host() -> bytes:
    """The dependencies of machine code besides its text, in a line."""
    import llvmlite
    import llvmlite.binding as llvm

    parts = (
        llvmlite.__version__,
        str(llvm.llvm_version_info),
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    )
    return f"{' '.join(parts)}\n".encode()


def _compile(source: Kernel, width: int, is_hurried: bool) -> bytes:
    import llvmlite.binding as llvm

    from zermelo.interpreter.native.llvm.functions import emit

    text = emit(source.tree(), width, source.exports, is_hurried)
    machine = _machine(1 if is_hurried else 2)
    module = llvm.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=2))
    if is_hurried:
        passes = llvm.create_new_module_pass_manager()
        for name in _IN_A_HURRY:
            getattr(passes, f"add_{name}_pass")()
    else:
        passes = builder.getModulePassManager()

    def work() -> bytes:
        passes.run(module, builder)
        return bytes(machine.emit_object(module))

    return work() if len(text) < _LONG else run_interruptibly(work)


# Optimising in the background, while hurriedly compiled code runs.
#
# Neither LLVM's passes nor machine code hold Python's global lock, so they run in parallel if there are two cores. A
# kernel keeps its state in arrays of the caller between its slices, and both versions have the same text. So one may
# begin a search, and the other continue it.


_PAYS_AFTER: Final = 0.1
"""Seconds of processor time after which unfinished work is expected to take long: a busy machine takes as long for
short work, to which an optimised library would add."""

_seconds: Final = defaultdict[tuple[str, ...], float](float)
"""How long hurried code of each text has run in this process, whatever the number of its runs: a program that asks for
move after move, each in a moment, works long, too."""


@define(eq=False, repr=False)
class Optimising:
    """The library ``make()``, to replace a hurried one. It is made in a thread of its own, as soon as that is
    worthwhile; of one text only one at a time is, and the others find it in the code cache later."""

    hurried: Library
    make: Callable[[], Library]
    _since: float = field(factory=process_time)
    _thread: Thread | None = None
    _made: Library | None = None

    def library(self) -> Library | None:
        """The library, once it is made; None before."""
        self.note_time()
        if self._made is None and self._thread is None and _seconds[self.hurried.key] > _PAYS_AFTER:
            with _beginning:
                if self._thread is None and self.hurried.key not in _at_work:
                    _at_work[self.hurried.key] = self  # before the thread begins, which may take a while
                    thread = Thread(target=self._work)
                    thread.start()
                    self._thread = thread
        return self._made

    def note_time(self) -> None:
        """Add the processor time since this was last done, or since the hurried library is there."""
        now = process_time()
        _seconds[self.hurried.key] += now - self._since
        self._since = now

    def join(self) -> None:
        """Wait until it is made."""
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        try:
            self._made = self.make()
        finally:
            del _at_work[self.hurried.key]


_beginning: Final = Lock()

_at_work: Final = dict[tuple[str, ...], Optimising]()
"""The libraries being made, by their texts. They keep the running code alive: freeing it waits for LLVM, and would
delay an interrupt."""


def finish() -> None:
    """Wait until no library is being made."""
    for each in tuple(_at_work.values()):
        each.join()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=finish)  # a lock held by a thread of LLVM would never be released in the child
