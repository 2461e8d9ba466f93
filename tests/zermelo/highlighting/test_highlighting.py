"""Words get their colours, and the files made from the grammar are up to date."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String

from tools import textmate
from tools.textmate import FILE
from zermelo.grammar.engine import engine
from zermelo.grammar.words import vocabulary
from zermelo.highlighting.pygments_lexer import ZermeloLexer
from zermelo.report.console import PLAIN, Paint

ROOT = Path(__file__).parents[3]
GAMES = sorted((ROOT / "gamedefs").glob("*.game"))


def test_every_word_of_the_grammar_is_in_one_group():
    known = vocabulary()
    groups = [known.declarations, known.constants, known.operators, known.types, known.others]
    words = [word for group in groups for word in group]
    assert sorted(words) == sorted(engine().keywords)
    assert {"phase", "var", "test"} <= set(known.declarations) and "move" not in known.declarations
    assert set(known.naming) <= set(words) and {"move", "define", "go"} <= set(known.naming)


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
def test_the_lexer_keeps_every_text(file):
    text = file.read_text(encoding="utf-8")
    found = list(ZermeloLexer().get_tokens_unprocessed(text))
    assert "".join(value for _, _, value in found) == text
    assert Error not in {kind for _, kind, _ in found}


def test_words_are_told_apart():
    text = 'game "x"  # note\nphase play:\n    turn p:\n        move test(n in 1..2): board[a].पत्ते := none\n'
    kinds = {value: kind for _, kind, value in ZermeloLexer().get_tokens_unprocessed(text)}
    assert kinds["# note"] == Comment.Single and kinds['"x"'] == String and kinds["1"] == Number
    assert kinds["game"] == Keyword.Declaration and kinds["turn"] == Keyword and kinds["none"] == Keyword.Constant
    assert kinds["play"] == kinds["test"] == Name.Function, "words of the language that are names here"
    assert kinds["पत्ते"] == Name.Attribute and kinds["in"] == Operator.Word


def test_a_set_is_no_name_that_a_word_declares():
    found = list(ZermeloLexer().get_tokens_unprocessed("for h in Heap: n := 1\n"))
    assert [kind for _, kind, value in found if value == "in"] == [Operator.Word]
    assert Name.Function not in {kind for _, kind, _ in found}


def test_pygments_is_told_of_the_lexer():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    place = project["entry-points"]["pygments.lexers"]["zermelo"]
    assert place == f"{ZermeloLexer.__module__}:{ZermeloLexer.__qualname__}"
    assert {"zermelo", "game"} <= set(ZermeloLexer.aliases) and ZermeloLexer.filenames == ["*.game"]


def test_the_textmate_grammar_is_up_to_date():
    """If not: python -m tools.textmate"""
    assert textmate.FILE.read_text(encoding="utf-8") == textmate.text()


def test_the_patterns_of_the_textmate_grammar_are_expressions():
    """What they use means the same in Python and in Oniguruma, which editors use."""
    for pattern in json.loads(textmate.text())["patterns"]:
        for key in ("match", "begin", "end"):
            if key in pattern:
                re.compile(pattern[key])


def test_lines_of_findings_are_painted_with_colours_only():
    line = "    if left == 0: end win p  # done"
    painted = Paint(colour=True).code(line)
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == line
    assert "\x1b[35mif\x1b[0m" in painted and "\x1b[2m# done\x1b[0m" in painted
    assert PLAIN.code(line) == line


def test_without_colours_pygments_is_not_loaded():
    code = "import sys; from zermelo.cli import main; main(['check', 'nim']); assert 'pygments' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, timeout=600).returncode == 0


# The TextMate grammar, run by the engine of VS Code, colours every bundled game as the lexer for Pygments does.
#
# It needs Node.js and ``npm install --global vscode-textmate vscode-oniguruma``.


SCRIPT = Path(__file__).with_name("textmate_scopes.js")
TEXTMATE_ENGINE_GAMES = sorted((Path(__file__).parents[3] / "gamedefs").glob("*.game"))

KINDS = {
    "comment.line.number-sign": Comment.Single,
    "string.quoted.double": String,
    "constant.numeric": Number,
    "constant.language": Keyword.Constant,
    "entity.name.function": Name.Function,
    "entity.name.label": Name.Label,
    "storage.type": Keyword.Declaration,
    "keyword.control": Keyword,
    "keyword.operator.word": Operator.Word,
    "keyword.operator": Operator,
    "support.type": Keyword.Type,
    "variable.other.property": Name.Attribute,
}
"""The kind of each scope. What has none of these is of no kind in the lexer, either, or a plain name."""


@pytest.fixture(scope="module")
def scopes():
    """What the engine says of each file, line by line."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("Node.js is not installed")
    root = subprocess.run(["npm", "root", "--global"], capture_output=True, text=True, timeout=600).stdout.strip()
    paths = os.pathsep.join(filter(None, [os.environ.get("NODE_PATH"), root]))
    surroundings = {**os.environ, "NODE_PATH": paths}
    wanted = "require.resolve('vscode-textmate'); require.resolve('vscode-oniguruma')"
    if subprocess.run(["node", "-e", wanted], env=surroundings, capture_output=True, timeout=600).returncode:
        pytest.skip("vscode-textmate and vscode-oniguruma are not installed")
    command = ["node", SCRIPT, FILE, *TEXTMATE_ENGINE_GAMES]
    ran = subprocess.run(command, env=surroundings, capture_output=True, text=True, timeout=600, check=True)
    return json.loads(ran.stdout)


@pytest.mark.parametrize("file", TEXTMATE_ENGINE_GAMES, ids=lambda file: file.stem)
def test_the_engine_and_the_lexer_agree(scopes, file):
    text = file.read_text(encoding="utf-8")
    said = scopes[str(file)]
    lines = [[KINDS.get(scope.removesuffix(".zermelo")) for part, scope in line for _ in part] for line in said]
    lexed = [kind for _, kind, value in ZermeloLexer().get_tokens_unprocessed(text) for _ in value]
    seen = set()
    place = 0
    for line, kinds in zip(text.split("\n"), lines, strict=True):
        for letter, kind in zip(line, kinds[: len(line)], strict=True):
            expected = lexed[place] if lexed[place] in KINDS.values() else None
            assert letter.isspace() or kind is expected, (line, letter)
            seen.add(kind)
            place += 1
        place += 1
    assert {Keyword.Declaration, Keyword, Number, String} <= seen
