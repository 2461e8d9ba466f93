"""The pages agree with the project, and with each other."""

from __future__ import annotations

import inspect
import re
import shlex
import shutil
import tomllib
from itertools import chain
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import zermelo
from tools import api_page, grammar_page
from zermelo import gamedefs
from zermelo.cli import main
from zermelo.grammar import layout, reading
from zermelo.grammar.diagnostics import CODES, Stage
from zermelo.grammar.engine import engine
from zermelo.grammar.words import RESERVED
from zermelo.interpreter import machine, values
from zermelo.interpreter.elaboration import calls, declarations, expressions, trees
from zermelo.interpreter.elaboration.names import BUILT_IN_NAMES
from zermelo.interpreter.reference import chance, decisions

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
STAGES = {
    Stage.CHECK: "Found by checking the file",
    Stage.PLAY: "Found during play, or in the first positions by `zermelo check`",
    Stage.POSITIONS: "Found by searching the positions (`zermelo check --deep`)",
    Stage.REQUEST: "About a request",
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.*)$", text, re.M)
    anchors = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("#"):
            assert target[1:] in anchors
        elif "://" not in target:
            assert (page.parent / target.split("#")[0]).exists(), target


def test_every_code_is_in_the_index():
    assert (DOCS / "findings.md").read_text(encoding="utf-8") == index_of_codes()


def test_the_page_of_the_grammar_is_that_of_the_parser():
    assert grammar_page.FILE.read_text(encoding="utf-8") == grammar_page.page(), "run python -m tools.grammar_page"


def test_the_page_of_the_interface_is_that_of_the_docstrings():
    assert api_page.FILE.read_text(encoding="utf-8") == api_page.page(), "run python -m tools.api_page"


def test_every_public_function_is_on_the_page_of_the_interface():
    functions = {name for name in zermelo.__all__ if inspect.isfunction(getattr(zermelo, name))}
    shown = set(re.findall(r"^### zermelo\.(\w+)$", api_page.page(), re.M))
    assert functions - shown == {"games", "progress"}, "and these need no words"


def test_the_manual_says_the_limits():
    page = (DOCS / "language.md").read_text(encoding="utf-8")
    table = page[page.index("### Limits") : page.index("## Words that cannot be names")]
    numbers = {int(number.replace(",", "")) for number in re.findall(r"\| ([\d,]+) \|$", table, re.M)}
    assert numbers == {
        layout.DEEPEST,
        values.MOST_DIGITS,
        expressions.LARGEST_BOARD,
        declarations.LARGEST_VALUE,
        calls.LARGEST_LISTED_TYPE,
        declarations.LARGEST_VARIABLE,
        trees.LARGEST_DOMAIN,
        trees.MOST_DRAWS,
        decisions.MOST_MOVES,
        chance.LIST_LIMIT,
        machine.MOST_PHASES,
    }
    assert reading.LARGEST == 2**20


def index_of_codes() -> str:
    """The whole page ``docs/findings.md``, from the registry."""
    parts = [
        "# Findings\n\nEvery finding has a code, printed in brackets before its message. `zermelo explain CODE`\n"
        "prints the page that is linked here: the meaning of the code, a wrong example, and the same example\n"
        "corrected.\n"
    ]
    for stage, title in STAGES.items():
        rows = [
            f"| [{code.name}](../grammar/explanations/{code.name}.md) | {code.title} | {code.severity.value} |"
            for code in CODES.values()
            if code.stage is stage
        ]
        parts.append(f"## {title}\n\n| code | says | severity |\n|---|---|---|\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def test_the_gallery_has_every_game():
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\*\*\[(\w+)\]", text)) == set(gamedefs.names())


def test_the_manual_lists_the_reserved_words():
    text = (DOCS / "language.md").read_text(encoding="utf-8").split("## Words that cannot be names")[1]
    listed = " ".join(line for line in text.splitlines() if line.startswith("    ")).split()
    assert sorted(listed) == sorted(RESERVED)


def glossary(title: str) -> list[tuple[str, str]]:
    """The heads and the texts of the entries of a section of the glossary."""
    section = (DOCS / "glossary.md").read_text(encoding="utf-8").split(f"\n## {title}\n")[1].split("\n## ")[0]
    return re.findall(r"^- \*\*(.+?)\*\*: (.*(?:\n  .*)*)", section, re.M)


def words_in(text: str) -> set[str]:
    """The words in the code spans of a text."""
    return {word for code in re.findall(r"`([^`]*)`", text) for word in re.findall(r"[a-zA-Z_]+", code)}


@pytest.mark.parametrize("title", ["The language", "Game theory and search"])
def test_the_glossary_is_in_alphabetical_order(title):
    heads = [head.replace("`", "").casefold() for head, _ in glossary(title)]
    assert heads == sorted(set(heads))


def test_the_glossary_has_every_word_of_the_language():
    heads = {word for head, _ in glossary("The language") for word in words_in(head)}
    assert heads <= set(engine().keywords) | BUILT_IN_NAMES
    explained = {word for entry in glossary("The language") for part in entry for word in words_in(part)}
    assert set(engine().keywords) | BUILT_IN_NAMES <= explained


def test_the_glossary_has_the_terms_of_the_pages():
    manual = (DOCS / "language.md").read_text(encoding="utf-8").casefold()
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES if page.name != "glossary.md").casefold()
    assert [head for head, _ in glossary("The language") if "`" not in head and head.casefold() not in manual] == []
    assert [head for head, _ in glossary("Game theory and search") if head.casefold() not in pages] == []


def test_other_projects_find_the_commands_that_their_hooks_run(tmp_path):
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    *_, run = (step["run"] for step in action["runs"]["steps"] if "run" in step)
    game = shutil.copy(ROOT / "gamedefs" / "nim.game", tmp_path)
    for command in (*(hook["entry"] for hook in hooks), run.replace("$OPTIONS", "--strict").replace("$FILES", "")):
        program, *words = shlex.split(command)
        assert program == "zermelo" and main([*words, game]) == 0


def test_the_tested_set_of_libraries_is_whole_and_within_the_bounds():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    tested = {canonicalize_name(name): version for name, _, version in (line.partition("==") for line in lines)}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for requirement in map(Requirement, chain(project["dependencies"], *project["optional-dependencies"].values())):
        assert requirement.specifier.contains(tested[canonicalize_name(requirement.name)], prereleases=True), (
            requirement
        )


def test_one_version_is_cited():
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == zermelo.__version__
