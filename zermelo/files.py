"""The game files of a command line, which may name folders; and games that begin at the position of another file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from errno import EACCES, EISDIR, ENOENT
from hashlib import sha256
from pathlib import Path
from typing import Final

from zermelo.grammar.diagnostics import Finding, Findings, InvalidGame, Source, ZermeloError
from zermelo.report.console import PLAIN, Paint, clean


def expand_folders(names: Iterable[str]) -> list[str]:
    """The names, with the ``.game`` files in and below each folder in its place, in alphabetical order; each once.
    Raises ``ZermeloError`` (``unreadable-file``) for a folder without any."""
    found: dict[str, None] = {}
    for name in names:
        if not Path(name).is_dir():
            found[name] = None
            continue
        inside = sorted(str(path) for path in Path(name).rglob("*.game") if path.is_file())
        if not inside:
            raise ZermeloError("unreadable-file", f"there is no game file in {name}", "their names end in .game")
        found |= dict.fromkeys(inside)
    return list(found)


# Files that commands write.


def write_file(path: Path, data: bytes) -> None:
    """Write a file as a whole. Raises ``ZermeloError`` (``unwritable-file``)."""
    from zermelo.foundation.disk_cache import write_whole

    try:
        write_whole(path, data)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "no file can have this name"
        raise ZermeloError("unwritable-file", f"cannot write {path}: {why}") from error


def remove_file(path: Path) -> None:
    """Remove a file. Raises ``ZermeloError`` (``unwritable-file``)."""
    try:
        path.unlink()
    except OSError as error:
        raise ZermeloError("unwritable-file", f"cannot remove {path}: {error.strerror}") from error


def check_writable(path: Path) -> None:
    """Raise ``ZermeloError`` (``unwritable-file``) if a file can be seen not to be writable, before long work."""
    place = path if path.exists() else path.parent
    if path.is_dir():
        why = os.strerror(EISDIR)
    elif not place.exists():
        why = os.strerror(ENOENT)
    elif not os.access(place, os.W_OK):
        why = os.strerror(EACCES)
    else:
        return
    raise ZermeloError("unwritable-file", f"cannot write {path}: {why}")


# Repairing a text by the fixes of its findings.
#
# Only *safe* fixes are made, which leave no doubt what was meant, and only if the text can be read further with one
# than without it: each is tried. A line that cannot be read with all its safe fixes stays as it is: it may mean
# something else. What a person has to decide is left to them: a name that is like another one, a probability that does
# not fit, a word that may be missing, a sign that means different things in other languages.


def apply_fixes(source: Source) -> tuple[Source, int]:
    """The text with its safe fixes, and how many there were."""
    count = 0
    tried: set[tuple[str, int]] = set()  # codes, and places from the end of the text, which fixes before do not move
    findings = _findings(source)
    while True:
        for finding in findings.errors:
            place = finding.code, len(findings.source.text) - finding.span.end
            if place not in tried:
                tried.add(place)
                mended = _mend_line(findings, finding)
                if mended is not None:
                    findings, made = mended
                    count += made
                    break
        else:
            return findings.source, count


def _mend_line(findings: Findings, finding: Finding) -> tuple[Findings, int] | None:
    """The findings once the line of a finding can be read, and the number of safe fixes that this takes; None if safe
    fixes are not enough."""
    made = 0
    while True:
        fix, source = finding.fix, findings.source
        if fix is None or not fix.safe:
            return None
        text = source.text[: fix.span.start] + fix.replacement + source.text[fix.span.end :]
        changed = _findings(Source(source.name, text))
        if len(changed.errors) >= len(findings.errors) and not _begins_later(changed, findings):
            return None
        made += 1
        left = [error for error in changed.errors if error.span.line == fix.span.line]
        if not left:
            return changed, made
        findings, finding = changed, left[0]


def _findings(source: Source) -> Findings:
    from zermelo.grammar.parse import parse  # which few commands need

    _, findings = parse(source)
    return findings


def _begins_later(changed: Findings, findings: Findings) -> bool:
    """Whether the text can be read further than before: later mistakes show only now."""

    return changed.errors[0].span.start > findings.errors[0].span.end


# What would change in a file, as a unified diff.


_ROLES = {"+": "good", "-": "error", "@": "note"}


def unified_difference(source: Source, after: str, paint: Paint = PLAIN) -> str:
    """The lines that change from a source to the text ``after``, as ``diff -u`` and ``git apply`` write them."""
    from difflib import unified_diff  # which few commands need

    before = source.text.splitlines(keepends=True)
    rows = unified_diff(before, after.splitlines(keepends=True), source.name, source.name)
    written = []
    for row in rows:
        text = clean(row.rstrip("\n"))
        missing = "" if row.endswith("\n") else "\n\\ No newline at end of file"
        written.append(paint(_ROLES.get(text[:1], ""), text) if text[:1] in _ROLES else text)
        written.append(f"{missing}\n")
    return "".join(written)


# A game that begins at another position: a problem, an endgame, a board of one's own.
#
# A position is written as a game file writes its beginning: ``setup:`` and ``start at``. Its ``setup:`` runs after that
# of the game, so it contains only the differences, and its ``start at`` replaces that of the game. Game and position
# together are one text, which is read, checked and searched like any other.


def begin_at(game: Source, position: Source) -> Source:
    """The text of a game that begins at a position. Lines of the game keep their numbers, those of the position follow.

    Raises ``InvalidGame`` if the position cannot be read or has any other declaration; errors of the game itself are
    found when it is read.
    """
    from zermelo.grammar.parse import parse, parse_declarations
    from zermelo.grammar.syntax import Setup, Start

    declared, findings = parse_declarations(position)
    for item in declared:
        if not isinstance(item, Setup | Start):
            findings.report("syntax", item.span, "a position has 'setup:' and 'start at', and nothing else")
    if findings.errors:
        raise InvalidGame(findings)
    text = game.text
    tree, _ = parse(game)
    if tree is not None and any(isinstance(item, Start) for item in declared):
        for item in tree.declarations:
            if isinstance(item, Start):
                text = text[: item.span.start] + " " * (item.span.end - item.span.start) + text[item.span.end :]
    return Source(f"{game.name} from {position.name}", f"{text.rstrip()}\n\n{position.text}")


def rules_beside_beginning(game: Source) -> tuple[str, ...]:
    """The declarations of a game without those that a position replaces or adds to, and without what it looks like. Two
    games for which they are the same have the same rules, but for what their setups make of variables that no move
    changes."""
    from zermelo.grammar.parse import parse_declarations
    from zermelo.grammar.syntax import Drawn, Setup, Start

    declared, _ = parse_declarations(game)
    rules = (item for item in declared if not isinstance(item, Drawn | Setup | Start))
    return tuple(game.text[item.span.start : item.span.end] for item in rules)


_DRAWN: Final = re.compile(r"^drawn\b.*\n?(?:[ \t]+\S.*\n?|[ \t\r]*\n(?=[ \t]+\S))*(?:[ \t\r]*\n)*", re.MULTILINE)
"""A declaration of what something looks like, with the blank lines behind it."""


def rules_digest(game: Source) -> str:
    """The SHA-256 digest of the text of a game without what it looks like, which is no rule."""
    return sha256(_DRAWN.sub("", game.text).encode()).hexdigest()
