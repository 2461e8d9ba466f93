"""Parsing of texts, which must not happen in two threads at once."""

from __future__ import annotations

from pathlib import Path

from zermelo import interpreter
from zermelo.interpreter.native.dialect import language


def test_only_one_module_parses_texts_of_python():
    folder = Path(interpreter.__file__).parent
    found = [path.name for path in folder.rglob("*.py") if "ast.parse(" in path.read_text(encoding="utf-8")]
    assert found == [Path(language.__file__).name]
