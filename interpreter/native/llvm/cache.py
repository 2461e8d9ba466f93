"""Compiled modules, kept on disk.

An object file is kept under the digest of all that it depends on: the module's text, the versions of llvmlite and LLVM,
and the processor. Files are written under a name of their own and moved into place, so that processes that run at the
same time never see half of one; each ends with a digest of its content, and a file that does not match is ignored.
The folder holds at most :data:`MOST_BYTES`; the files unused for longest go first.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

MOST_BYTES: Final = 64 << 20
_DIGEST: Final = 32


def folder() -> Path:
    """Where compiled modules are kept: ``ZERMELO_CACHE``, or the user's cache folder."""
    chosen = os.environ.get("ZERMELO_CACHE")
    if chosen:
        return Path(chosen)
    root = os.environ.get("XDG_CACHE_HOME")
    return (Path(root) if root else Path.home() / ".cache") / "zermelo"


def load(ir: str) -> bytes | None:
    """The object file of a module, or None."""
    path = _path(ir)
    try:
        content = path.read_bytes()
    except OSError:
        return None
    image, digest = content[:-_DIGEST], content[-_DIGEST:]
    if sha256(image).digest() != digest:
        return None
    with suppress(OSError):
        os.utime(path)
    return image


def store(ir: str, image: bytes) -> None:
    """Keep the object file of a module. Where that is not possible nothing is kept."""
    path = _path(ir)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(image + sha256(image).digest())
        os.replace(name, path)
        _prune(path.parent)


def clear() -> int:
    """Remove all that is kept; how many files that were."""
    removed = 0
    for path in files():
        with suppress(OSError):
            path.unlink()
            removed += 1
    return removed


def files() -> list[Path]:
    """All that is kept."""
    return sorted(folder().glob("*.o")) if folder().is_dir() else []


def _prune(within: Path) -> None:
    kept = []
    for path in within.glob("*.o"):
        with suppress(OSError):
            status = path.stat()
            kept.append((status.st_mtime, status.st_size, path))
    total = sum(size for _, size, _ in kept)
    for _, size, path in sorted(kept):
        if total <= MOST_BYTES:
            return
        with suppress(OSError):
            path.unlink()
        total -= size


def _path(ir: str) -> Path:
    import llvmlite
    import llvmlite.binding as llvm

    depends_on = (
        ir,
        llvmlite.__version__,
        str(llvm.llvm_version_info),
        llvm.get_process_triple(),
        llvm.get_host_cpu_name(),
        llvm.get_host_cpu_features().flatten(),
    )
    digest = sha256("\0".join(depends_on).encode()).hexdigest()
    return folder() / f"{digest}.o"
