"""The documentation is built as a site: complete, without a dead link, and without anything from another host. It reads
well on a phone; that needs Debian's Chromium."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from page_server import CHROMIUM, FLAGS

from zermelo import gamedefs
from zermelo.cli import COMMANDS
from zermelo.grammar.diagnostics import CODES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1280, "height": 720}

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


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site):
    """The text of each page, by its path."""
    return {page.relative_to(site).as_posix(): page.read_text(encoding="utf-8") for page in site.rglob("*.html")}


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield browser
        browser.close()


def test_the_navigation_has_every_page():
    shown = re.findall(r"^ +- (?:[^:\n]+: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    pages = {page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")}
    others = {"index.md", "commands.md", "grammar/sheet.md", "CHANGELOG.md", "CONTRIBUTING.md"}
    assert sorted(shown) == sorted(pages | others)


def test_the_site_is_built(site, pages):
    assert {f"grammar/explanations/{name}.html" for name in CODES} <= pages.keys()
    for name in gamedefs.names():
        assert f'src="pictures/openings/{name}.svg"' in pages["gallery.html"]
        assert f'src="../pictures/openings/{name}.svg"' in pages[f"gamedefs/{name}.html"]
        picture = (site / "pictures" / "openings" / f"{name}.svg").read_text(encoding="utf-8")
        assert picture.startswith("<svg")
        assert picture.count("<text") > 2, f"{name}: nothing but a title and who is to move"
    for name, text in pages.items():
        sources = Sources(text)
        assert [target for target in sources.loaded if re.match(r"(\w+:)?//", target)] == [], name
        assert sources.without_alt == [], name
    assert all(f'id="zermelo-{name}"' in pages["commands.html"] for name in COMMANDS)
    assert '<span class="kd">' in pages["gamedefs/chess.html"]
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert {"tutorial.html", "gamedefs/chess.html"} <= {entry["location"] for entry in index["docs"]}


def test_facts_that_a_page_has_printed_before_are_folded(pages):
    text = pages["lectures.html"]
    shown = re.sub(r'<details class="facts">.*?</details>', "", text, flags=re.S)
    folded = re.findall(r'<details class="facts"><summary>[^<]+</summary>(.*?)</details>', text, re.S)
    assert folded
    for facts in folded:
        assert shown.count(f"{facts}\n\n") == 1, "what is folded can be read above, and only there"
        assert text.index(facts) < text.index(f"</summary>{facts}")
    assert '<span class="go">player  value</span>\n<span class="go">X       0</span>' in shown


def test_no_page_is_wider_than_a_phone(site, pages, browser):
    page = browser.new_page(viewport=PHONE)
    widths = {}
    for name in pages:
        page.goto((site / name).as_uri())
        widths[name] = page.evaluate("document.documentElement.scrollWidth")
    page.close()
    assert {name: width for name, width in widths.items() if width > PHONE["width"]} == {}


def test_all_that_commands_say_of_themselves_is_read_on_a_phone(site, browser):
    page = browser.new_page(viewport=PHONE)
    page.goto((site / "commands.html").as_uri())
    hidden = page.locator(".md-content pre > code").evaluate_all(
        "blocks => blocks.filter(block => block.scrollWidth > block.clientWidth).map(block => block.textContent)"
    )
    option = page.locator("dt", has_text="--merge-symmetric").locator("xpath=following-sibling::dd[1]")
    said = option.inner_text()
    page.close()
    assert hidden == []
    assert said == (
        "tree: of the moves at a node that differ by a symmetry of the rules alone draw one, with their number"
    )


@pytest.mark.parametrize("window", [PHONE, LAPTOP])
def test_the_first_screen_has_a_picture(site, browser, window):
    page = browser.new_page(viewport=window)
    page.goto((site / "index.html").as_uri())
    box = page.locator(".md-content img").first.bounding_box()
    page.close()
    assert box["y"] + box["height"] <= window["height"]


def test_a_hundred_columns_fit_on_a_laptop(site, browser):
    page = browser.new_page(viewport=LAPTOP)
    page.goto((site / "lectures.html").as_uri())
    blocks = page.locator(".md-content pre > code").evaluate_all(
        "blocks => blocks.map(block => [block.textContent, block.scrollWidth - block.clientWidth])"
    )
    page.close()
    widest = [(max(map(len, text.split("\n"))), hidden) for text, hidden in blocks]
    assert max(columns for columns, hidden in widest if columns <= 100) == 100
    assert [hidden for columns, hidden in widest if columns <= 100 and hidden] == []


def test_the_button_beside_a_block_copies_what_one_types(site, browser):
    page = browser.new_page(viewport=LAPTOP)
    page.goto((site / "lectures.html").as_uri())
    block = page.locator("pre > code", has_text="--solver positions").first
    copied = block.evaluate("block => { block.setAttribute('data-md-copying', ''); return block.innerText; }")
    page.close()
    assert copied.strip() == "zermelo solve tic_tac_toe --solver positions"
