"""The files of the page: what they import and name is there, nothing comes from elsewhere, and the bundle is made of
what is locked."""

from __future__ import annotations

import json
import re
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tools.page_words import FILE, text

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "zermelo" / "serving" / "page"
BUNDLE = PAGE / "codemirror.js"
MODULES = sorted(set(PAGE.glob("*.js")) - {BUNDLE})


class Read(HTMLParser):
    """The attributes of a page, and what stands in its scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str, str | None]] = []
        self.inline = ""
        self._is_inline = False

    def handle_starttag(self, tag, attrs):
        self.attributes += [(tag, name, value) for name, value in attrs]
        self._is_inline = tag in ("script", "style")

    def handle_endtag(self, tag):
        self._is_inline = False

    def handle_data(self, data):
        self.inline += data if self._is_inline else ""


@pytest.fixture(scope="module")
def html():
    read = Read()
    read.feed((PAGE / "index.html").read_text(encoding="utf-8"))
    return read


def test_the_words_are_those_of_the_grammar():
    assert FILE.read_text(encoding="utf-8") == text(), "run `python -m tools.page_words`"


def test_the_bundle_is_made_of_what_is_locked():
    locked = json.loads((PAGE.parent / "bundle" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    said = dict(re.findall(r"(\S+) ([\d.]+)[,;]", BUNDLE.read_text(encoding="utf-8").partition("\n")[0]))
    assert said == {name: locked[f"node_modules/{name}"]["version"] for name in said}
    wanted = json.loads((PAGE.parent / "bundle" / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert {name for name in wanted if name.startswith("@codemirror/")} <= set(said)
    licences = (PAGE / "codemirror.LICENSE.txt").read_text(encoding="utf-8")
    assert [part.partition("\n")[0] for part in licences.split("-" * 80 + "\n\n")] == list(said)
    assert licences.count("Permission is hereby granted, free of charge") == len(said)


def test_the_page_has_no_script_or_style_of_its_own(html):
    assert html.inline == ""
    assert not [name for _, name, _ in html.attributes if name == "style" or name.startswith("on")]


def test_the_page_is_made_of_files_beside_it(html):
    addresses = [value for _, name, value in html.attributes if name in ("src", "href")]
    for address in addresses:
        assert address.startswith("#") or (PAGE / address.removeprefix("/page/")).is_file()
    for file in [*MODULES, *PAGE.glob("*.css"), PAGE / "index.html"]:
        assert not re.search(r"https?://|@import|url\(", file.read_text(encoding="utf-8")), file.name


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_a_module_imports_and_names_what_is_there(html, module):
    script = module.read_text(encoding="utf-8")
    assert script.count("\n") <= 400
    assert script.startswith("// ")
    for names, file in re.findall(r"import \{([^}]*)\} from \"\./(.*?)\"", script):
        exported = (PAGE / file).read_text(encoding="utf-8")
        for name in re.findall(r"\w+", names):
            assert re.search(rf"\bexport\b[^;]*\b{name}\b", exported), f"{file} has no {name}"
            assert len(re.findall(rf"\b{name}\b", script)) > 1, f"{name} is imported for nothing"
    named = {value for _, name, value in html.attributes if name == "id"}
    assert set(re.findall(r"part\(\"([\w-]+)\"\)", script)) - {"seat-chance"} <= named


def test_every_id_is_there_once_and_leads_somewhere(html):
    ids = [value for _, name, value in html.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    wanted = {"for", "aria-labelledby", "aria-describedby", "aria-controls"}
    assert {value for _, name, value in html.attributes if name in wanted} <= set(ids)


def test_every_file_is_in_the_package():
    described = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert "page/*" in described["tool"]["setuptools"]["package-data"]["zermelo.serving"]
    assert all(path.is_file() for path in PAGE.iterdir())
