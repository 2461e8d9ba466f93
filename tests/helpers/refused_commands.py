"""Commands that are refused, and what their help proposes, from text files.

A file begins with command lines, each behind ``$ zermelo``: those that prepare files, which succeed, and then the one
that is refused. A piece of its help follows behind ``=``, and the commands that the help proposes, which must succeed;
what a command prints goes to a file behind ``>``. At the end come files that the commands read, each below its name:
``=== NAME``, or below ``=== NAME from OTHER`` what is changed in another one, as in the files of :mod:`slips`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import frozen
from slips import changed

_COMMAND = "$ zermelo "


@frozen
class Case:
    """The commands that prepare a refused one, what its help says, the commands that go on, and the files."""

    prepared: list[str]
    refused: str
    help: str
    proposed: list[str]
    files: dict[str, str]


def read_case(path: Path) -> Case:
    head, *files = re.split(r"^=== (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines = head.strip().splitlines()
    (place,) = [number for number, line in enumerate(lines) if line.startswith("= ")]
    *prepared, refused = [line.removeprefix(_COMMAND) for line in lines[:place]]
    proposed = [line.removeprefix(_COMMAND) for line in lines[place + 1 :]]
    assert proposed, "the help proposes something"
    texts: dict[str, str] = {}
    for title, text in zip(files[::2], files[1::2], strict=True):
        name, _, other = title.partition(" from ")
        texts[name] = "\n".join(changed(texts[other].splitlines(), text.strip("\n").split("\n"))) if other else text
    return Case(prepared, refused, lines[place].removeprefix("= "), proposed, texts)


def follow(case: Case, run: Callable[..., Any]) -> str:
    """Run the commands of a case in the current folder, and hold what they say against it; the errors of the refused
    one."""
    for name, text in case.files.items():
        Path(name).write_text(text, encoding="utf-8")
    for line in case.prepared:
        _succeed(line, run)
    refused = run(*shlex.split(case.refused))
    assert refused.code
    said = refused.out + refused.err  # findings are on standard output
    help = re.sub(r"\s+", " ", said.partition("= help: ")[2])
    assert case.help and case.help in help, said
    for line in case.proposed:
        _succeed(line, run)
    return refused.err


def _succeed(line: str, run: Callable[..., Any]) -> None:
    words, _, output = line.partition(" > ")
    try:
        ran = run(*shlex.split(words))
    except SystemExit as left:  # after --help
        assert not left.code
        return
    assert (ran.code, ran.err) == (0, ""), f"{line}: {ran.err}"
    if output:
        Path(output).write_text(ran.out, encoding="utf-8")
