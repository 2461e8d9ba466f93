"""The environment of a run: the machine and the versions, without names of hosts or people."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from attrs import frozen

from zermelo.version import __version__

_PACKAGES = ("llvmlite", "open_spiel", "LiteEFG", "chess", "stormpy", "pygambit", "pgx", "ludax", "jax")


@frozen
class Facts:
    """The processor, its cores, whether the run was pinned to one of them, the load average of the minute before, and
    versions by name."""

    cpu: str
    cores: int
    pinned: bool
    load: float | None
    versions: dict[str, str]

    def record(self) -> dict[str, object]:
        """The facts as JSON."""
        return {
            "cpu": self.cpu,
            "cores": self.cores,
            "one core": self.pinned,
            "load before": self.load,
            "versions": self.versions,
        }

    def text(self) -> str:
        """The facts in two lines."""
        pinned = "the run kept to one" if self.pinned else "the run could not be kept to one"
        load = "" if self.load is None else f"; load before the run {self.load:.1f}"
        versions = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        return f"{self.cpu}, cores: {self.cores}, {pinned}{load}\n{versions}"


def keep_to_one_core() -> bool:
    """Pin this process and its children to one core, if the system supports that."""
    if not hasattr(os, "sched_setaffinity"):
        return False
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    return True


@contextmanager
def all_cores() -> Iterator[None]:
    """A block that may run on all cores, and not on one alone."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def facts(pinned: bool) -> Facts:
    """The facts of this run, taken before it begins."""
    from benchmarks.peers.cpp import compiler_version

    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    versions = {"zermelo": __version__, "Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "not installed"
    versions["C++ compiler"] = compiler_version()
    return Facts(_cpu(), os.cpu_count() or 1, pinned, load, versions)


def _cpu() -> str:
    path = Path("/proc/cpuinfo")
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
