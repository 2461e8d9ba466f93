"""The rooms of the project stand in the order that docs/architecture.md gives; CONTRIBUTING.md lists what to touch."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

import long_tests
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.rooms import MODULES, PICTURE, ROOMS, first_column, imports, picture, room_of, sources
from zermelo.pictures.svg import svg

ROOT: Final = Path(__file__).parents[1]

MENTIONS: Final = {
    "A built-in function": r'"{}"',
    "An expression": r"\b{}\b",
    "A statement": r'\b{}\b|"(?i:{})"',
    "A clause of a decision": r"(?<![A-Za-z]){}\b",
    "A finding": r'"{}"',
    "A solver": r"\b{}\b",
}
"""How the source mentions an example of each kind."""


ADDING: Final = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
LISTS: Final = re.findall(r"^### ((An? [\w -]+), as `([\w-]+)`)$", ADDING, re.M)


def test_rooms_are_there() -> None:
    assert len(ROOMS) == len(set(ROOMS))
    assert all((ROOT / room).is_dir() if room.endswith("/") else (ROOT / room).is_file() for room in ROOMS)
    folders = {f"{Path(file).parent.as_posix()}/" for file in MODULES.values() if not file.startswith("grammar/")}
    assert folders <= set(ROOMS)


def test_every_import_leads_to_a_room_above() -> None:
    place = {room: k for k, room in enumerate(ROOMS)}
    back = [
        f"{file} imports {other}"
        for file in MODULES.values()
        for other in sorted(imports(file))
        if place[room_of(other)] > place[room_of(file)]
    ]
    assert back == []


def test_no_file_reaches_itself() -> None:
    try:
        TopologicalSorter({file: imports(file) for file in MODULES.values()}).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


def test_the_rooms_are_drawn_as_they_are() -> None:
    """``python -m tools.rooms`` draws them."""
    assert PICTURE.read_text(encoding="utf-8") == svg(picture())


def test_every_kind_has_its_list() -> None:
    assert [kind for _, kind, _ in LISTS] == list(MENTIONS)


@pytest.mark.parametrize(("title", "kind", "example"), LISTS, ids=[kind for _, kind, _ in LISTS])
def test_the_list_names_every_file(title: str, kind: str, example: str) -> None:
    files = first_column(ADDING, title)
    pattern = re.compile(MENTIONS[kind].replace("{}", re.escape(example)))
    mentioning = [file for file in sources() if pattern.search((ROOT / file).read_text(encoding="utf-8"))]
    assert all((ROOT / file).is_file() for file in files)
    assert set(mentioning) <= set(files), "a file mentions it that is not in the list"
    for file in files:
        if Path(file).suffix == ".py" and Path(file).stem != example:
            assert file in mentioning, f"{file} does not mention it any more"


def test_no_two_classes_have_one_name() -> None:
    """Nodes of the syntax tree apart, which are named like what becomes of them in the model; and what kernels and
    algorithms work on, each of which has records and lengths of its own, written in the words of the dialect."""
    defined: dict[str, list[str]] = {}
    for file in MODULES.values():
        is_apart = file.startswith("grammar/syntax/") or "/kernels/" in file or "/native/algorithms/" in file
        if not is_apart and not file.endswith("/words.py"):
            for node in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    defined.setdefault(node.name, []).append(file)
    assert {name: files for name, files in defined.items() if len(files) > 1} == {}


def test_the_long_tests_are_there():
    """Other cases of a function may have become long, or short: that is measured, and not looked up."""
    for name in long_tests.listed():
        file, _, function = long_tests.function_of(name).partition("::")
        assert f"def {function}(" in (ROOT / file).read_text(encoding="utf-8"), name
    assert list(long_tests.listed()) == sorted(long_tests.listed()), "as python -m tests.measure writes them"


@given(case=st.booleans())
def test_a_campaign_tries_more_of_what_hypothesis_draws(request, case):
    assert request.node.get_closest_marker("random")
