"""My games on the page of ``zermelo serve``, in a real browser: they are kept, saved, renamed and compared, and no text
is lost on the way."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from page_server import PATIENCE, Visit

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
expect = playwright.expect
expect.set_options(timeout=PATIENCE)

ROOT = Path(__file__).parents[3]
GAME = (ROOT / "gamedefs" / "tic_tac_toe.game").read_text(encoding="utf-8")
MINE = GAME.replace("Tic-tac-toe", "Mine")

DISK = """
    const folder = () => navigator.storage.getDirectory()
    const file = async (name) => (await folder()).getFileHandle(name, { create: true })
    window.showSaveFilePicker = async ({ suggestedName }) => file(suggestedName)
    window.showOpenFilePicker = async () => [await file(window.wanted)]
"""
"""File pickers without windows: they choose files of the folder that every page has of its own."""

NO_PICKERS = "delete window.showOpenFilePicker; delete window.showSaveFilePicker"

NO_PAUSE_ENDS = """() => {
    const go = setTimeout.bind(window)
    window.setTimeout = (work, wait) => (wait === 500 ? 0 : go(work, wait))
}"""
"""After a change of the text, the page waits before it keeps it: now for ever."""

NOT_HEARD = """
    const {set} = Object.getOwnPropertyDescriptor(IDBTransaction.prototype, "oncomplete")
    Object.defineProperty(IDBTransaction.prototype, "oncomplete", { set(done) {
        set.call(this, () => window.isEnding && this.mode === "readwrite" ? (window.isStored = true) : done())
    } })
"""
"""From `isEnding` on, the page does not hear any more that something has been stored."""

FULL = "IDBObjectStore.prototype.put = () => { throw new DOMException('', 'QuotaExceededError') }"


def text(visit):
    """The text in the editor."""
    return visit.page.evaluate(
        "document.querySelector('#editor').shadowRoot.querySelector('.cm-content').cmTile.view.state.doc.toString()"
    )


def kept(visit, words="kept in this browser"):
    expect(visit.page.locator("#kept")).to_have_text(words)


def my_games(visit):
    visit.page.get_by_role("button", name="My games").click()
    return visit.page.get_by_role("dialog", name="My games")


def versions(visit):
    visit.page.get_by_role("button", name="Versions").click()
    return visit.page.get_by_role("dialog", name="Versions")


def beside(visit, fragment=""):
    """Another tab of the same browser."""
    other = Visit(visit.page.context.new_page(), visit.address)
    other.open(fragment)
    return other


def on_disk(page, name):
    """The bytes of a file in the page's own folder. A file that is written between its being taken and its being read
    cannot be read, and is taken again."""
    return page.evaluate(
        """async (name) => {
            const handle = await (await navigator.storage.getDirectory()).getFileHandle(name)
            for (;;) {
                try {
                    const bytes = await (await handle.getFile()).arrayBuffer()
                    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
                } catch (failed) {
                    if (failed.name !== "NotReadableError") throw failed
                }
            }
        }""",
        name,
    )


def to_disk(page, name, content):
    page.evaluate(
        """async ([name, content]) => {
            const handle = await (await navigator.storage.getDirectory()).getFileHandle(name, { create: true })
            const stream = await handle.createWritable()
            await stream.write(new Uint8Array(content))
            await stream.close()
        }""",
        [name, list(content)],
    )


def upload(visit, *files):
    with visit.page.expect_file_chooser() as chosen:
        visit.page.get_by_role("button", name="Open", exact=True).click()
    payloads = [{"name": name, "mimeType": "text/plain", "buffer": content} for name, content in files]
    chosen.value.set_files(payloads)


@pytest.fixture
def with_disk(visits):
    visit = visits()
    visit.page.add_init_script(DISK)
    visit.open()
    return visit


@pytest.fixture
def without_pickers(visits):
    visit = visits()
    visit.page.add_init_script(NO_PICKERS)
    visit.open()
    return visit


def test_what_is_changed_is_one_of_my_games(visit):
    kept(visit, "not changed yet")
    visit.write(MINE)
    kept(visit)
    expect(visit.page.get_by_label("The name of the game")).to_have_value("mine.game")
    visit.page.get_by_role("button", name="Gallery").click()
    visit.page.locator("#games button", has_text="Nim").first.click()
    kept(visit, "not changed yet")
    listed = my_games(visit)
    listed.get_by_role("button", name=re.compile("^mine.game")).click()
    expect(visit.page.locator(".cm-content")).to_contain_text('game "Mine"')
    assert text(visit) == MINE
    kept(visit)


def test_what_gives_way_at_once_is_one_of_my_games_too(visit):
    gallery = visit.page.get_by_role("button", name="Gallery")
    gallery.click()
    visit.page.locator("#games button").first.wait_for()
    visit.page.keyboard.press("Escape")
    visit.write(MINE)
    visit.page.evaluate(
        """() => {
            document.querySelector("#open-gallery").click()
            document.querySelector("#games button").click()
        }"""
    )
    kept(visit, "not changed yet")
    expect(my_games(visit).locator("strong")).to_have_text(["mine.game"])


def test_a_second_game_of_the_same_title_has_another_name(visit):
    visit.write(MINE)
    kept(visit)
    other = beside(visit)
    other.write(MINE)
    kept(other)
    listed = my_games(visit)
    expect(listed.locator("strong")).to_have_text(["mine_2.game", "mine.game"])
    assert other.wrong == []


def test_a_reload_goes_on_with_the_same_game(visit):
    visit.write(MINE)
    kept(visit)
    visit.page.reload()
    kept(visit)
    visit.write(f"{MINE}\n")
    visit.page.reload()  # before there was time to keep it
    kept(visit)
    assert text(visit) == f"{MINE}\n"
    expect(my_games(visit).locator("strong")).to_have_text(["mine.game"])


def test_a_page_that_ends_before_it_knows_that_a_game_is_kept_finds_it_again(visits):
    visit = visits()
    visit.page.add_init_script(NOT_HEARD)
    visit.open()
    visit.page.evaluate("window.isEnding = true")
    visit.write(MINE)
    visit.page.wait_for_function("() => window.isStored")
    visit.page.reload()
    kept(visit)
    expect(my_games(visit).locator("strong")).to_have_text(["mine.game"])


def test_two_tabs_do_not_write_over_each_other(visit):
    visit.write(MINE)
    kept(visit)
    other = beside(visit)
    my_games(other).get_by_role("button", name=re.compile("^mine.game")).click()
    kept(other)
    visit.write(f"{MINE}# first\n")
    kept(visit)
    other.write(f"{MINE}# second\n")
    said = other.page.get_by_role("alert")
    expect(said).to_contain_text("mine.game has been changed in another tab")
    said.get_by_text("What differs").click()
    expect(said.locator(".added")).to_contain_text("# second")
    expect(said.locator(".removed")).to_contain_text("# first")
    said.get_by_role("button", name="Keep this text as another game").click()
    kept(other)
    assert text(other) == f"{MINE}# second\n"
    expect(my_games(visit).locator("strong")).to_have_text(["mine_2.game", "mine.game"])
    assert other.wrong == []


def test_a_tab_that_gives_way_leaves_its_text_as_a_version(visit):
    visit.write(MINE)
    kept(visit)
    other = beside(visit)
    my_games(other).get_by_role("button", name=re.compile("^mine.game")).click()
    kept(other)
    visit.write(f"{MINE}# first\n")
    kept(visit)
    other.write(f"{MINE}# second\n")
    other.page.get_by_role("button", name="Take the text of the other tab").click()
    kept(other)
    assert text(other) == f"{MINE}# first\n"
    shown = versions(other)
    shown.get_by_role("button", name=re.compile("gave way")).click()
    expect(shown.locator(".removed")).to_contain_text("# second")
    shown.get_by_role("button", name="Restore this version").click()
    expect(shown).to_be_hidden()
    assert text(other) == f"{MINE}# second\n"


def test_a_version_is_restored_and_the_present_one_is_not_lost(visit):
    visit.write(MINE)
    kept(visit)
    shown = versions(visit)
    shown.get_by_role("button", name=re.compile("as it came")).click()
    expect(shown.locator(".removed")).to_contain_text('game "Tic-tac-toe"')
    expect(shown.locator(".added")).to_contain_text('game "Mine"')
    visit.shot("versions")
    shown.get_by_role("button", name="Restore this version").click()
    expect(shown).to_be_hidden()
    assert text(visit) == GAME
    shown = versions(visit)
    shown.get_by_role("button", name=re.compile("before a version was restored")).click()
    shown.get_by_role("button", name="Restore this version").click()
    expect(shown).to_be_hidden()
    assert text(visit) == MINE


def test_there_is_a_version_of_what_is_deleted_and_of_what_is_played(visit):
    visit.write(MINE)
    kept(visit)
    visit.tab("Play")
    visit.page.locator('[data-cell="b2"]').click()
    expect(visit.page.locator("#status")).to_contain_text("O is to move")
    visit.write(f"{MINE}\n")
    kept(visit)
    visit.write("game")
    kept(visit)
    shown = versions(visit)
    reasons = shown.locator("#version-list span")
    expect(reasons).to_have_text(["before much was deleted", "a play began", "as it came"])


def test_a_full_browser_says_so(visits):
    visit = visits()
    visit.page.add_init_script(FULL)
    visit.open()
    visit.write(MINE)
    expect(visit.page.get_by_role("alert")).to_contain_text("The browser has no room for more.")
    kept(visit, "not kept")
    visit.page.reload()  # this tab still has its text
    expect(visit.page.locator("#notices")).to_contain_text("This is what you have written here.")
    assert text(visit) == MINE


def test_a_game_is_saved_to_a_file_and_saved_again(with_disk):
    visit, page = with_disk, with_disk.page
    visit.write(MINE)
    page.keyboard.press("Control+s")
    kept(visit, "kept in this browser, and saved")
    assert on_disk(page, "mine.game") == MINE
    visit.write(f"{MINE}\n")
    kept(visit)
    page.get_by_role("button", name="Save", exact=True).click()
    kept(visit, "kept in this browser, and saved")
    assert on_disk(page, "mine.game") == f"{MINE}\n"
    page.reload()  # and the page still knows the file
    kept(visit, "kept in this browser, and saved")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#said")).to_have_text("saved as mine.game")


def test_a_file_that_another_program_has_changed_is_not_written_over(with_disk):
    visit, page = with_disk, with_disk.page
    visit.write(MINE)
    page.keyboard.press("Control+s")
    kept(visit, "kept in this browser, and saved")
    page.wait_for_timeout(20)  # the clock of files goes on
    to_disk(page, "mine.game", b"other")
    visit.write(f"{MINE}\n")
    page.keyboard.press("Control+s")
    expect(page.locator("#notices")).to_contain_text("another program has changed mine.game")
    assert on_disk(page, "mine.game") == "other"
    page.get_by_role("button", name="Write over it").click()
    kept(visit, "kept in this browser, and saved")
    assert on_disk(page, "mine.game") == f"{MINE}\n"


def test_a_changed_text_is_not_called_saved_while_it_waits_to_be_kept(with_disk):
    visit, page = with_disk, with_disk.page
    visit.write(MINE)
    page.keyboard.press("Control+s")
    kept(visit, "kept in this browser, and saved")
    page.evaluate(NO_PAUSE_ENDS)
    visit.write(f"{MINE}\n")
    kept(visit, "keeping …")
    page.keyboard.press("Control+s")
    kept(visit, "kept in this browser, and saved")
    assert on_disk(page, "mine.game") == f"{MINE}\n"


def test_a_renamed_game_is_another_file(with_disk):
    visit, page = with_disk, with_disk.page
    visit.write(MINE)
    page.keyboard.press("Control+s")
    kept(visit, "kept in this browser, and saved")
    name = page.get_by_label("The name of the game")
    name.fill("yours")
    name.press("Enter")
    expect(page.locator("#kept")).to_have_text("kept in this browser")
    page.keyboard.press("Control+s")
    kept(visit, "kept in this browser, and saved")
    assert on_disk(page, "yours.game") == on_disk(page, "mine.game") == MINE
    expect(name).to_have_value("yours.game")
    expect(my_games(visit).locator("strong")).to_have_text(["yours.game"])


def test_windows_line_ends_stay_as_they_are(with_disk):
    visit, page = with_disk, with_disk.page
    to_disk(page, "windows.game", MINE.replace("\n", "\r\n").encode("utf-8-sig"))
    page.evaluate("window.wanted = 'windows.game'")
    page.get_by_role("button", name="Open", exact=True).click()
    kept(visit, "kept in this browser, and saved")
    assert text(visit) == MINE
    page.keyboard.press("Control+s")
    expect(page.locator("#said")).to_have_text("saved as windows.game")
    assert on_disk(page, "windows.game") == MINE.replace("\n", "\r\n")


def test_a_file_that_is_opened_again_is_the_same_game(with_disk):
    visit, page = with_disk, with_disk.page
    to_disk(page, "same.game", MINE.encode())
    page.evaluate("window.wanted = 'same.game'")
    page.get_by_role("button", name="Open", exact=True).click()
    kept(visit, "kept in this browser, and saved")
    visit.write(f"{MINE}# not saved\n")
    kept(visit)
    page.get_by_role("button", name="Open", exact=True).click()
    kept(visit, "kept in this browser, and saved")
    assert text(visit) == MINE
    shown = versions(visit)
    shown.get_by_role("button", name=re.compile("before its file was opened again")).click()
    expect(shown.locator(".removed")).to_contain_text("# not saved")


@pytest.mark.parametrize("encoding", ["utf-16", "windows-1252"])
def test_files_in_other_encodings_are_read_and_that_is_said(without_pickers, encoding):
    visit = without_pickers
    upload(visit, ("other.game", 'game "Mühle"\n'.encode(encoding)))
    expect(visit.page.locator("#notices")).to_contain_text("other.game is not in UTF-8")
    expect(visit.page.locator(".cm-content")).to_contain_text('game "Mühle"')
    expect(visit.page.get_by_label("The name of the game")).to_have_value("other.game")


@pytest.mark.parametrize(("content", "said"), [(b"\0\1\2", "is no text"), (b"#" * (1 << 20) + b"#", "is longer than")])
def test_what_is_no_game_is_not_opened(without_pickers, content, said):
    visit = without_pickers
    upload(visit, ("odd.game", content))
    expect(visit.page.locator("#notices")).to_contain_text(f"odd.game {said}")
    assert text(visit) == GAME


def test_several_files_are_opened_at_once(without_pickers):
    visit = without_pickers
    upload(visit, ("one.game", MINE.encode()), ("two.game", GAME.encode()))
    expect(visit.page.get_by_label("The name of the game")).to_have_value("one.game")
    expect(visit.page.locator("#notices")).to_contain_text("2 files are among my games now.")
    listed = my_games(visit)
    expect(listed.locator("strong")).to_have_count(2)  # both of the same moment, in either order
    assert sorted(listed.locator("strong").all_text_contents()) == ["one.game", "two.game"]


def test_without_pickers_a_game_is_downloaded(without_pickers):
    visit = without_pickers
    visit.write(MINE)
    with visit.page.expect_download() as got:
        visit.page.get_by_role("button", name="Save", exact=True).click()
    assert got.value.suggested_filename == "mine.game"
    assert Path(got.value.path()).read_text(encoding="utf-8") == MINE
    kept(visit, "kept in this browser, and saved")


def test_no_list_is_that_of_an_earlier_moment(visit):
    visit.write(MINE)
    kept(visit)
    lists = ((my_games, "strong"), (versions, "#version-list button"))
    for opened, entries in lists:
        dialog = opened(visit)
        expect(dialog.locator(entries)).to_have_count(1)
        visit.page.keyboard.press("Escape")
        expect(dialog).to_be_hidden()
    visit.page.evaluate("for (const it of [IDBObjectStore, IDBIndex]) it.prototype.getAll = () => ({})")  # no answer
    for opened, entries in lists:
        dialog = opened(visit)
        expect(dialog).to_be_visible()
        assert dialog.locator(entries).count() == 0
        visit.page.keyboard.press("Escape")


def test_a_game_is_deleted_by_two_clicks(visit):
    visit.write(MINE)
    kept(visit)
    visit.page.get_by_role("button", name="Gallery").click()
    visit.page.locator("#games button", has_text="Nim").first.click()
    listed = my_games(visit)
    listed.get_by_role("button", name="Delete mine.game").click()
    listed.get_by_role("button", name="Delete for good mine.game").click()
    expect(listed.get_by_text("None yet")).to_be_visible()
