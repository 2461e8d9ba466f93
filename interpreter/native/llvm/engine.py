"""Compiling a module with LLVM, and calling what it exports.

LLVM is loaded only here, and only when something is compiled.
"""

from __future__ import annotations

import ctypes
from itertools import count
from typing import Any

from interpreter.native.llvm import cache

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
    """A compiled module. Its code lives as long as this object."""

    def __init__(self, ir: str, exports: tuple[str, ...]) -> None:
        import llvmlite.binding as llvm

        _start()
        image = cache.load(ir)
        if image is None:
            image = _compile(ir)
            cache.store(ir, image)
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


def _compile(ir: str) -> bytes:
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(ir)
    module.triple = _machine.triple
    module.data_layout = str(_machine.target_data)
    module.verify()
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    builder = llvm.create_pass_builder(_machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(_machine.emit_object(module))
