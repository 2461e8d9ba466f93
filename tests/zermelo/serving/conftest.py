from __future__ import annotations

import pytest
from page_server import CHROMIUM, FLAGS, PATIENCE, Visit, served


@pytest.fixture(scope="session")
def address():
    """A server whose limit of time no test comes to, for all tests of a process."""
    with served("--time", "600", "--memory", "200M") as address:
        yield address


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"there is no {CHROMIUM}")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=str(CHROMIUM), args=list(FLAGS))
        yield browser
        browser.close()


@pytest.fixture
def visits(browser, address):
    """Opens pages; in the end nothing has gone wrong on any of them: no error, no request to elsewhere, and nothing
    against the page's policy, which the browser's console would tell."""
    opened = []

    def visit(width=1280, height=900, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        context.set_default_timeout(PATIENCE)
        opened.append((context, Visit(context.new_page(), address)))
        return opened[-1][1]

    yield visit
    for context, visit in opened:
        context.close()
        assert visit.wrong == []


@pytest.fixture
def visit(visits):
    visit = visits()
    visit.open()
    return visit
