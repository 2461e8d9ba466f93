"""Show or clear the cache.

Checking and compiling a game takes time, so the results are cached in a folder of your own. Nothing is lost by clearing
it: a missing entry is made again. The least recently used entries are removed when the cache exceeds its bound.

The folder is ZERMELO_CACHE if that variable is set, and else 'zermelo' in your cache folder. It must belong to you, and
nobody else may have permission to write to it.

Exit code 1: the cache cannot be used, for the reason shown.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from zermelo.commands.options import add_format
from zermelo.foundation import disk_cache
from zermelo.report.console import print_facts, print_json

EXAMPLES = """\
examples:
  zermelo cache                        show its folder and its content
  zermelo cache clear
  ZERMELO_CACHE=/tmp/mine zermelo solve chess
"""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what", metavar="show|clear", nargs="?", choices=("show", "clear"), default="show", help="default: show"
    )
    add_format(parser)


def run(options: Namespace) -> int:
    removed = disk_cache.clear() if options.what == "clear" else None
    if options.format == "json":
        print_json(_record(removed))
    elif removed is not None:
        print(f"{_files(removed)} removed.")
    else:
        _print()
    return 1 if disk_cache.trouble() else 0


def _print() -> None:
    entries = disk_cache.entries()
    lines = [("folder", str(disk_cache.folder() or "none"))]
    for kind, name in disk_cache.KINDS.items():
        lines.append((name, _files([entry for entry in entries if entry.kind == kind])))
    lines.append(("in all", f"{_files(entries)}, of at most {_size(disk_cache.MOST_BYTES)}"))
    if disk_cache.trouble():
        lines.append(("trouble", f"the cache cannot be used: {disk_cache.trouble()}"))
    print_facts(lines)


def _files(entries: list[disk_cache.Entry]) -> str:
    count = len(entries)
    return f"{count:,} {'file' if count == 1 else 'files'}, {_size(sum(entry.bytes for entry in entries))}"


def _size(bytes: int) -> str:
    """A size in KiB or MiB."""
    return f"{bytes / (1 << 20):.1f} MiB" if bytes >= 1 << 20 else f"{bytes / (1 << 10):.1f} KiB"


def _record(removed: list[disk_cache.Entry] | None) -> dict[str, object]:
    entries, where = disk_cache.entries(), disk_cache.folder()
    record: dict[str, object] = {
        "folder": None if where is None else str(where),
        "trouble": disk_cache.trouble() or None,
        "bytes": sum(entry.bytes for entry in entries),
        "most_bytes": disk_cache.MOST_BYTES,
        "files": [{"file": entry.path.name, "kind": entry.kind, "bytes": entry.bytes} for entry in entries],
    }
    return record if removed is None else {**record, "removed": len(removed)}
