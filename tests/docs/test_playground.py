"""The page that runs in the browser: nothing comes from another machine, and Python in it finds what it should."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from page_server import CHROMIUM, FLAGS, PATIENCE, Visit

from tools.playground.__main__ import PYODIDE
from zermelo import gamedefs

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect

ROOT = Path(__file__).parents[2]


class Files(SimpleHTTPRequestHandler):
    """A server of files that is quiet, and knows what modules and WebAssembly are."""

    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *words):
        pass


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The address of a site with the page, which is built for this."""
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    for program in ("npm", "node"):
        if shutil.which(program) is None:
            pytest.skip(f"there is no {program}")
    if subprocess.run(["npm", "view", f"pyodide@{PYODIDE}", "version"], capture_output=True).returncode:
        pytest.skip("the npm registry is not reached")
    site = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "tools.playground", str(site)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if built.returncode and re.match(r"npm pack |\S+ -m pip .*\bdownload ", built.stderr):
        pytest.skip("a registry stopped answering")  # which is no fault of the page
    assert built.returncode == 0, built.stderr
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=site)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser(address):
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def visits(browser, address):
    """Opens the page; in the end nothing has gone wrong: no error, no request to elsewhere."""
    opened = []

    def visit(width=1280, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE)
        visit = Visit(context.new_page(), address)
        opened.append((context, visit))
        visit.open("playground/index.html")
        return visit

    expect.set_options(timeout=PATIENCE)
    yield visit
    for context, visit in opened:
        context.close()
        assert visit.wrong == []


def text(name):
    return gamedefs.path(name).read_text(encoding="utf-8")


def test_a_game_is_mended_played_and_solved_without_a_server(visits):
    visit = visits()
    page = visit.page
    visit.write(text("tic_tac_toe").replace("if board[c] is none", "if bord[c] is none"))
    finding = page.locator("#findings li")
    expect(finding).to_contain_text("bord")
    expect(page.locator(".cm-lintRange-error")).to_have_text("bord")
    visit.shot("playground-finding")
    finding.get_by_role("button", name="board").click()
    expect(page.locator("#count")).to_have_text("Nothing found: the game is in order")

    visit.tab("Play")
    page.locator("#seats").get_by_label("O").select_option("best")
    page.locator('[data-cell="b2"]').click()
    expect(page.locator("#moves button")).to_have_count(7)
    visit.shot("playground-play")

    visit.tab("Solve")
    page.get_by_role("button", name="Solve", exact=True).click()
    value = page.get_by_role("table", name="The value of the game")
    expect(value.get_by_role("row")).to_have_text(["playervalue", re.compile("X *0"), re.compile("O *0")])


def test_kuhn_poker_from_the_gallery_has_its_exact_value_on_a_phone(visits):
    visit = visits(390, 844)
    page = visit.page
    page.get_by_role("button", name="Gallery").click()
    page.get_by_label("Look for").fill("kuhn")
    page.locator("#games button:visible").first.click()
    expect(page.locator("#count")).to_have_text("Nothing found: the game is in order")
    visit.tab("Solve")
    page.get_by_role("button", name="Solve", exact=True).click()
    value = page.get_by_role("table", name="The value of the game")
    expect(value.get_by_role("row")).to_have_text(["playervalue", "Alice-1/18", "Bob1/18"])
    visit.shot("playground-phone")


def test_what_is_too_large_is_refused_and_a_search_is_stopped(visits):
    visit = visits()
    page = visit.page
    visit.write(text("leduc_poker"))
    visit.tab("Solve")
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#solved .refusal")).to_contain_text("machine-unavailable")
    visit.write(text("connect_four"))
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.locator("#progress")).to_contain_text("solving: ")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator("#solved")).to_have_text("stopped: there is no value")
    visit.write(text("nim"))
    page.get_by_role("button", name="Solve", exact=True).click()
    expect(page.get_by_role("table", name="The value of the game")).to_be_visible()


def test_a_link_leads_to_a_moment_of_a_play(visits):
    visit = visits()
    page = visit.page
    page.evaluate("location.hash = '#bundled=kuhn_poker&play=deal(J,Q)&play=bet&play=raise&tab=play'")
    expect(page.locator("#told")).to_contain_text("Alice: bet")
    expect(page.get_by_role("alert")).to_contain_text("stops after 2 of its 3 moves: 'raise' is not legal there")
    assert visit.link() == f"{visit.address}playground/index.html#bundled=kuhn_poker&play=deal(J,Q)&play=bet&tab=play"
    page.evaluate("location.hash = '#bundled=kuhn'")
    expect(page.get_by_role("alert")).to_contain_text("there is no game 'kuhn' in the gallery")
