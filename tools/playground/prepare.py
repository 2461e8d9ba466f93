"""Runs in Pyodide: asks what the page will ask, and packs the packages with the byte code of what this has loaded."""

from __future__ import annotations

import json
import py_compile
import sys
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

PACKAGES = Path("/lib/python3.14/site-packages")
UNUSED = ("zermelo/serving/page/", "zermelo/editors/")
"""What a worker has no use for."""

sys.dont_write_bytecode = False  # the tables of the parser are stored beside the byte code
sys.path.insert(0, str(PACKAGES))

from zermelo import gamedefs  # noqa: E402
from zermelo.serving.in_browser import start  # noqa: E402

answer = start(600.0, 1 << 30)


def ask(name: str, **fields: object) -> None:
    status, content = answer(name, json.dumps(fields), lambda words: None)
    assert status == 200, (name, fields, content)


for game in ("tic_tac_toe", "kuhn_poker", "nim"):
    source = gamedefs.path(game).read_text(encoding="utf-8")
    ask("findings", source=source, whole=True)
    ask("findings", source=source.replace("players", "playrs"), whole=False)
    ask("completion", source=source, position={"line": 2, "character": 4})
    ask("hover", source=source, position={"line": 2, "character": 4})
    for name in ("format", "rules", "position", "replay", "solve"):
        ask(name, source=source)
    ask("reply", source=source, seat="random")
    ask("tree", source=source, depth=2)
ask("hint", source=source)

used = [Path(module.__file__) for module in list(sys.modules.values()) if getattr(module, "__file__", None)]
for path in used:
    if path.is_relative_to(PACKAGES) and path.suffix == ".py":
        py_compile.compile(str(path), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
with ZipFile("/packages.zip", "w", ZIP_DEFLATED) as packed:
    for path in sorted(PACKAGES.rglob("*")):
        name = path.relative_to(PACKAGES).as_posix()
        if path.is_file() and not name.startswith(UNUSED):
            packed.write(path, name)
