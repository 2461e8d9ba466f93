"""The version, and what stands around it here."""

from __future__ import annotations

import re
from typing import Final

__version__ = "0.1.0"

_REQUIREMENT: Final = r"([\w.-]+)(?:.*extra == [\"'](\w+)[\"'])?"


def environment() -> dict[str, str]:
    """What a report of a fault should say: Python, the system, the versions of the libraries that Zermelo needs, and
    those of each extra; ``-`` stands for one that is not installed. Where Zermelo itself is not, nothing is known of
    libraries."""
    import platform
    from importlib.metadata import PackageNotFoundError, requires, version

    libraries: dict[str, list[str]] = {}
    try:
        requirements = requires("zermelo") or []
    except PackageNotFoundError:
        requirements = []
    for requirement in requirements:
        if (matched := re.match(_REQUIREMENT, requirement)) is not None:
            name, extra = matched.groups("needed")
            try:
                found = version(name)
            except PackageNotFoundError:
                found = "-"
            libraries.setdefault(extra, []).append(f"{name} {found}")
    return {
        "Python": f"{platform.python_version()} ({platform.python_implementation()})",
        "system": f"{platform.system()} {platform.release()} ({platform.machine()})",
        **{extra: ", ".join(found) for extra, found in libraries.items()},
    }
