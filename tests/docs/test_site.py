"""The documentation is built as a site: complete, without a dead link, and without anything from another host."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from zermelo import gamedefs
from zermelo.cli import COMMANDS
from zermelo.grammar.diagnostics import CODES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"

pytest.importorskip("material", reason="the extra docs is not installed")


class Sources(HTMLParser):
    """What a browser loads for a page by itself."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.without_alt: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        if tag in ("script", "img", "link", "iframe", "source"):
            self.loaded += [known[key] for key in ("src", "href") if known.get(key)]
        if tag == "img" and not known.get("alt"):
            self.without_alt.append(known["src"])


def test_the_navigation_has_every_page():
    shown = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    assert sorted(shown) == sorted(pages | {"index.md", "commands.md", "CHANGELOG.md", "CONTRIBUTING.md"})


def test_the_site_is_built(tmp_path):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    pages = {
        page.relative_to(tmp_path).as_posix(): page.read_text(encoding="utf-8") for page in tmp_path.rglob("*.html")
    }
    assert {f"grammar/explanations/{name}.html" for name in CODES} <= pages.keys()
    for name in gamedefs.names():
        assert f'src="pictures/openings/{name}.svg"' in pages["gallery.html"]
        assert f'src="../pictures/openings/{name}.svg"' in pages[f"gamedefs/{name}.html"]
        picture = (tmp_path / "pictures" / "openings" / f"{name}.svg").read_text(encoding="utf-8")
        assert picture.startswith("<svg")
        assert picture.count("<text") > 2, f"{name}: nothing but a title and who is to move"
    for name, text in pages.items():
        sources = Sources(text)
        assert [target for target in sources.loaded if re.match(r"(\w+:)?//", target)] == [], name
        assert sources.without_alt == [], name
    assert all(f'id="zermelo-{name}"' in pages["commands.html"] for name in COMMANDS)
    assert '<span class="kd">' in pages["gamedefs/chess.html"]
    index = json.loads((tmp_path / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert {"tutorial.html", "gamedefs/chess.html"} <= {entry["location"] for entry in index["docs"]}
