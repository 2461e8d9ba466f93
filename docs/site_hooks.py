"""What MkDocs is told beyond ``mkdocs.yml``: pages that are kept elsewhere in the project, and pictures of openings.

The site is made of the files as they are, so that they read as well without it. The README becomes the first page. A
file that a page links to outside of ``docs`` gets a place in the site at its own path: a game as a page with its
opening and its rules, an explanation of a finding as it is, any other file as a copy. Links are bent accordingly. The
pictures of openings are made by ``zermelo draw``, and the page of commands by their ``--help``, in this process: what
they need is imported once.

Then pages are made to be read in a narrow column. The facts about a game that a page has printed before are folded, a
command is not broken within a word, a line of commands wraps, and a picture opens at its full size.
"""

from __future__ import annotations

import io
import os
import re
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from textwrap import dedent
from typing import Final
from unittest.mock import patch

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import zermelo
from zermelo import gamedefs
from zermelo.cli import COMMANDS, main

ROOT: Final = Path(__file__).resolve().parents[1]
LINK: Final = re.compile(r"(?<=\]\()(?!#|\w+:)([^)#\s]+)")
HEADED: Final = re.compile(r"^(?=\S.*:$)", re.M)
ENTRIES: Final = re.compile(r"^  (\S+(?: \S+)*)(?:  +|\n {3,})(.*(?:\n {3,}.*)*)", re.M)
SPECIAL: Final = re.compile(r"[\\`*_<>\[\]{}#|&]")
FENCE: Final = re.compile(r"^( *```.*?^ *```)", re.M | re.S)
ENTRY: Final = re.compile(r"^\*\*\[(\w+)\].*?\n(?=\n|\Z)", re.M | re.S)
DOCTEST: Final = re.compile(r"^```python(?=\n>>> )", re.M)

CONSOLE: Final = re.compile(r'<div class="language-console highlight">(?:(?!</div>).)*</div>', re.S)
FACTS: Final = re.compile(r'<span class="go">players  (?:.*\n<span class="go">)*.*')
INLINE: Final = re.compile(r"(?<!<span></span>)<code>([^<\n]+)</code>")
HYPHENATED: Final = re.compile(r"(?<!\S)(?=\S*-)\S{2,24}(?!\S)")
IMAGE: Final = re.compile(r'<img [^>]*?src="([^"]+)"[^>]*>')


def place(path: str) -> str:
    """Where a file of the project is in the site, as MkDocs names sources."""
    if path == "README.md":
        return "index.md"
    if path == "gamedefs":
        return "gallery.md"
    if path.endswith(".game"):
        return path.removesuffix(".game") + ".md"
    return path.removeprefix("docs/")


def origin(uri: str) -> str:
    """The file of the project that a page is made of; the inverse of `place`."""
    if uri == "index.md":
        return "README.md"
    if uri.startswith("gamedefs/"):
        return uri.removesuffix(".md") + ".game"
    return uri if (ROOT / uri).is_file() else f"docs/{uri}"


def linked(path: str) -> set[str]:
    """The files of the project that a page links to."""
    text = "".join(FENCE.split((ROOT / path).read_text(encoding="utf-8"))[::2])
    return {normpath(join(dirname(path), target)) for target in LINK.findall(text)}


def opening(name: str) -> str:
    """The picture of the first position of a bundled game, as SVG; where nobody sees anything yet, of its tree, as far
    as there is room."""
    game = zermelo.load(name)
    if any(game.initial.view(player) for player in game.players):
        return printed("draw", name, "position")
    return printed("draw", name, "tree", "--nodes", "40")


def command_section(name: str) -> str:
    """What a command says of itself: paragraphs, and lists that wrap on a narrow page."""
    about, *groups = HEADED.split(printed(name, "--help"))
    usage, _, said = about.partition("\n\n")
    shown = usage.removeprefix("usage: ")
    return f"## zermelo {name}\n\n```sh\n{shown}\n```\n\n{paragraphs(said)}\n{''.join(map(group, groups))}"


def paragraphs(said: str) -> str:
    """Paragraphs, of which some are lists."""
    parts = [part for part in said.split("\n\n") if part.strip()]
    return "\n".join(entries(part) if part.startswith("  ") else f"{running(part)}\n" for part in parts)


def group(said: str) -> str:
    """A heading, and a list or examples below it."""
    heading, _, lines = said.partition("\n")
    if heading == "examples:":
        return f"{heading.capitalize()}\n\n```sh\n{dedent(lines).strip()}\n```\n\n"
    return f"{heading[:1].upper()}{heading[1:]}\n\n{entries(lines)}\n"


def entries(lines: str) -> str:
    """Entries, each with its name at the margin and what it means beside or below it."""
    found = ENTRIES.findall(lines)
    return "".join(f"`{name}`\n:   {running(said)}\n\n" for name, said in found)


def running(text: str) -> str:
    """Plain text as Markdown, in one line."""
    return SPECIAL.sub(r"\\\g<0>", " ".join(text.split()))


def printed(*words: str) -> str:
    """What a command line prints, in lines as long as they come."""
    around = patch.dict(os.environ, COLUMNS="10000", NO_COLOR="1")
    with around, redirect_stdout(io.StringIO()) as shown, redirect_stderr(io.StringIO()) as said:
        code = main(words)
    if code:
        raise PluginError(f"zermelo {' '.join(words)}: {said.getvalue()}")
    return shown.getvalue()


def game_page(path: str) -> str:
    """The page of a file of rules."""
    name = Path(path).stem
    rules = (ROOT / path).read_text(encoding="utf-8")
    picture = f"{picture_of(name, 'gamedefs')}\n\n" if name in gamedefs.names() else ""
    return f"# {name}\n\n{picture}```game\n{rules}```\n"


def picture_of(name: str, folder: str) -> str:
    """The image of a game's opening, for a page in a folder of the site."""
    return f"![The opening of {name}]({relpath(f'pictures/openings/{name}.svg', folder or '.')})"


def on_files(files: Files, config: MkDocsConfig) -> Files:
    names = gamedefs.names()
    for name in names:
        files.append(File.generated(config, f"pictures/openings/{name}.svg", content=opening(name)))
    sections = "\n".join(map(command_section, COMMANDS))
    said = "# Commands\n\nWhat `zermelo COMMAND --help` prints.\n\n"
    files.append(File.generated(config, "commands.md", content=said + sections))
    pages = ["README.md", *(f"docs/{file.src_uri}" for file in files.documentation_pages() if file.src_dir)]
    others = {path for page in pages for path in linked(page) if (ROOT / path).is_file()}
    for path in sorted({"README.md", *others, *(f"gamedefs/{name}.game" for name in names)}):
        if files.get_file_from_path(place(path)) is None:
            text = game_page(path) if path.endswith(".game") else (ROOT / path).read_text(encoding="utf-8")
            files.append(File.generated(config, place(path), content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    uri = page.file.src_uri
    source = origin(uri)

    def bent(found: re.Match[str]) -> str:
        target = place(normpath(join(dirname(source), found[1])))
        return relpath(target, dirname(uri) or ".")

    if uri.startswith("gamedefs/") or uri == "commands.md":
        return markdown  # made above, for where it is
    parts = FENCE.split(markdown)
    parts[::2] = [LINK.sub(bent, part) for part in parts[::2]]
    if uri == "gallery.md":
        parts[::2] = [ENTRY.sub(lambda entry: f"{entry[0]}\n{picture_of(entry[1], '')}\n", part) for part in parts[::2]]
    return DOCTEST.sub("```pycon", "".join(parts))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    html = IMAGE.sub(r'<a class="picture" href="\1">\g<0></a>', html)
    html = INLINE.sub(lambda code: f"<code>{HYPHENATED.sub(unbroken, code[1])}</code>", html)
    printed_before: set[str] = set()
    return CONSOLE.sub(lambda block: console_block(block[0], printed_before), html)


def unbroken(word: re.Match[str]) -> str:
    """A word in which a browser would break the line behind a hyphen: an option, the code of a finding."""
    return f'<span class="word">{word[0]}</span>'


def console_block(html: str, printed_before: set[str]) -> str:
    """A block of commands and what they print: facts about a game that the page has printed before are folded."""
    if 'class="go"' not in html:
        return html.replace("language-console", "language-console commands", 1)

    def folded(facts: re.Match[str]) -> str:
        if facts[0] in printed_before:
            return f'<details class="facts"><summary>facts about the game, as above</summary>{facts[0]}</details>'
        printed_before.add(facts[0])
        return facts[0]

    return FACTS.sub(folded, html)
