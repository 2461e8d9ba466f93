"""Every example in the README and in the docs is run.

A fenced block ``game`` is a whole file and has no findings; behind a comment ``<!-- file: NAME -->`` it is written to
that file instead, for the commands that follow. A block ``console`` holds commands behind ``$`` and what they print; a
block ``python`` is a session. Times are not compared, nor how far a count has come in its time.
"""

from __future__ import annotations

import doctest
import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from zermelo.cli import main
from zermelo.grammar.diagnostics import Source, ZermeloError
from zermelo.interpreter.check import check

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^(?:<!-- file: (\S+) -->\n)?```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
TIME = re.compile(r"\d+(\.\d+)? (s|ms|seconds)\b")
STOPPED = re.compile(r"was stopped (at [\d,]+|after TIME)")


def blocks(page: Path):
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def of_pages(kind: str):
    return [
        pytest.param(text, id=f"{page.relative_to(ROOT)}-{k}")
        for page in PAGES
        for k, (file, found, text) in enumerate(blocks(page))
        if found == kind and not file
    ]


@pytest.mark.parametrize("text", of_pages("game"))
def test_games_have_no_findings(text):
    model, findings = check(Source("example.game", text))
    assert [(finding.code, finding.span.line, finding.message) for finding in findings] == []
    assert model is not None


def sessions():
    """All blocks of Python but the signatures of the interface."""
    return [each for each in of_pages("python") if ">>>" in each.values[0] or "docs/api.md" not in str(each.id)]


@pytest.mark.parametrize("text", sessions())
def test_sessions_print_what_they_show(text):
    for adapter in re.findall(r"zermelo\.interop\.\w+", text):
        try:
            import_module(adapter)
        except ZermeloError as error:  # its program is not there
            pytest.skip(error.message)
    example = doctest.DocTestParser().get_doctest(text, {}, "session", None, 0)
    assert example.examples
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    problems: list[str] = []
    runner.run(example, out=problems.append)
    assert not problems, "".join(problems)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_print_what_they_show(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for file, kind, text in blocks(page):
        if file:
            Path(file).parent.mkdir(exist_ok=True)
            Path(file).write_text(text, encoding="utf-8")
        if kind == "console":
            for command, shown in COMMAND.findall(text):
                assert normalised(printed(command, capsys)) == normalised(shown), command


def printed(command: str, capsys) -> str:
    """What a command prints, on both streams."""
    program, *words = shlex.split(command)
    assert program == "zermelo"
    main(words)
    captured = capsys.readouterr()
    return captured.out + captured.err


def normalised(text: str) -> str:
    plain = TIME.sub("TIME", "\n".join(line.rstrip() for line in text.strip().splitlines()))
    return STOPPED.sub("was stopped", plain)
