"""The TextMate grammar, run by the engine of VS Code, colours every bundled game as the lexer for Pygments does.

It needs Node.js and ``npm install --global vscode-textmate vscode-oniguruma``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from pygments.token import Comment, Keyword, Name, Number, Operator, String

from tools.textmate import FILE
from zermelo.highlighting.pygments_lexer import ZermeloLexer

SCRIPT = Path(__file__).with_name("textmate_scopes.js")
GAMES = sorted((Path(__file__).parents[3] / "gamedefs").glob("*.game"))

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
    root = subprocess.run(["npm", "root", "--global"], capture_output=True, text=True, timeout=60).stdout.strip()
    paths = os.pathsep.join(filter(None, [os.environ.get("NODE_PATH"), root]))
    surroundings = {**os.environ, "NODE_PATH": paths}
    wanted = "require.resolve('vscode-textmate'); require.resolve('vscode-oniguruma')"
    if subprocess.run(["node", "-e", wanted], env=surroundings, capture_output=True, timeout=60).returncode:
        pytest.skip("vscode-textmate and vscode-oniguruma are not installed")
    command = ["node", SCRIPT, FILE, *GAMES]
    ran = subprocess.run(command, env=surroundings, capture_output=True, text=True, timeout=120, check=True)
    return json.loads(ran.stdout)


@pytest.mark.parametrize("file", GAMES, ids=lambda file: file.stem)
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
