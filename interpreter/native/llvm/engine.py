"""Compiling a module with LLVM, and calling what it exports.

LLVM is loaded only here, and only when something is compiled. Machine code is kept from run to run, under all that it
depends on: the text, the version of the interpreter, LLVM's, and the processor.
"""

from __future__ import annotations

import ctypes
from itertools import count
from typing import Any

from grammar import disk_cache
from interpreter.version import version

_names = count()
_jit: Any = None
_machine: Any = None


def is_available() -> bool:
    """Whether LLVM is installed."""
    try:
        import llvmlite.binding  # noqa: F401
    except ImportError:
        return False
    return True


def _start() -> None:
    """Set LLVM up, once in a process."""
    global _jit, _machine
    if _jit is not None:
        return
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()
    _machine = target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2, reloc="pic", jit=True
    )
    _jit = llvm.create_lljit_compiler(
        target.create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=2, reloc="pic", jit=True
        )
    )


class Library:
    """The machine code of a text of the dialect whose ``bits`` are ``width`` wide; ``exports`` can be called. It lives
    as long as this object."""

    def __init__(self, text: str, width: int, exports: tuple[str, ...]) -> None:
        import llvmlite.binding as llvm

        _start()
        depends_on = _depends_on(text, width, exports)
        image = disk_cache.load("code", *depends_on)
        if image is None:
            image = _compile(text, width, exports)
            disk_cache.store("code", image, *depends_on)
        builder = llvm.JITLibraryBuilder().add_object_img(image).add_current_process()
        for name in (*exports, "fault", "stop"):
            builder.export_symbol(name)
        self._tracker = builder.link(_jit, f"zermelo{next(_names)}")
        self._fault = ctypes.c_int64.from_address(self._tracker["fault"])
        self._stop = ctypes.c_int64.from_address(self._tracker["stop"])

    def function(self, name: str, arguments: int) -> Any:
        """An exported function of so many arguments, all of them numbers or pointers of 64 bits."""
        return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)(self._tracker[name])

    @property
    def has_fault(self) -> bool:
        """Whether an index has left its array."""
        return self._fault.value != 0

    def stop(self, now: bool = True) -> None:
        """Ask running kernels to come back soon."""
        self._stop.value = int(now)


def is_kept(text: str, width: int, exports: tuple[str, ...]) -> bool:
    """Whether the machine code of a text has been kept from an earlier run, so that nothing need be compiled."""
    return disk_cache.holds("code", *_depends_on(text, width, exports))


def _depends_on(text: str, width: int, exports: tuple[str, ...]) -> tuple[str, ...]:
    import llvmlite
    import llvmlite.binding as llvm

    return (
        text,
        str(width),
        ",".join(exports),
        version(),
        llvmlite.__version__,
        str(llvm.llvm_version_info),
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    )


def _compile(text: str, width: int, exports: tuple[str, ...]) -> bytes:
    import llvmlite.binding as llvm

    from interpreter.native.llvm.emit import emit

    module = llvm.parse_assembly(emit(text, width, exports))
    module.triple = _machine.triple
    module.data_layout = str(_machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(_machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(_machine.emit_object(module))
