"""From a text to its syntax tree, or to findings that say why it has none."""

from __future__ import annotations

import lark

from grammar.builder import Title
from grammar.depth import DEEPEST_TREE, beyond_depth
from grammar.diagnostics import Finding, Findings, Label
from grammar.engine import Engine, Start, engine
from grammar.layout import Chunk, comments, cut
from grammar.mistake import Mistake
from grammar.reading import inspect, position
from grammar.slips import diagnose
from grammar.source import Source
from grammar.syntax import Declaration, Expression, GameFile, Node, PlayedMove

MOST_MISTAKES = 20
"""After so many mistakes the rest of a text is not read."""


def parse(source: Source) -> tuple[GameFile | None, Findings]:
    """The tree of a text, or None if it has errors.

    All declarations are read, and of each as much as can be after likely repairs, so that one run finds several
    mistakes.
    """
    findings = Findings(source)
    try:
        inspect(source)
    except Mistake as mistake:
        mistake.report(findings)
        return None, findings
    title: Title | None = None
    declarations = []
    failed = False  # the chunk before could not be read
    for number, chunk in enumerate(cut(source)):
        node, mistakes = _read(engine(), chunk, "declaration", findings)
        cascade = failed and any(mistake.span.start == chunk.start for mistake in mistakes)
        failed = node is None
        if not cascade:
            for found in mistakes:
                found.report(findings)
        if number == 0 and not failed and not isinstance(node, Title):
            _missing_title(chunk).report(findings)
        if isinstance(node, Title):
            if number > 0:
                _second_title(node, title).report(findings)
            title = title or node
        elif isinstance(node, Declaration):
            declarations.append(node)
        if len(findings) > MOST_MISTAKES:
            break
    _keep_first_of_each_word(findings)
    if findings.errors or title is None:
        return None, findings
    return GameFile(title.text, tuple(declarations), comments(source)), findings


def parse_expression(source: Source) -> tuple[Expression | None, Findings]:
    """The tree of a text that is one expression."""
    node, findings = _fragment(source, "expression")
    return node if isinstance(node, Expression) else None, findings


def parse_move(source: Source) -> tuple[PlayedMove | None, Findings]:
    """The tree of a text that is one move of a play: ``mark(b2)``."""
    node, findings = _fragment(source, "played_move")
    return node if isinstance(node, PlayedMove) else None, findings


def _fragment(source: Source, start: Start) -> tuple[Node | None, Findings]:
    findings = Findings(source)
    try:
        inspect(source)
    except Mistake as mistake:
        mistake.report(findings)
        return None, findings
    text = source.text.strip()
    offset = source.text.index(text)
    chunk = Chunk(text, offset, position(source.text, offset, offset).line, source)
    node, mistakes = _read(engine(), chunk, start, findings)
    for found in mistakes:
        found.report(findings)
    return None if findings.errors else node, findings


def _read(engine: Engine, chunk: Chunk, start: Start, findings: Findings) -> tuple[Node | None, list[Mistake]]:
    """The tree of a chunk, or all mistakes in it that can be found by mending one and reading on."""
    mistakes: list[Mistake] = []
    with engine.lock:
        while len(mistakes) < MOST_MISTAKES:
            own = Findings(chunk.source)
            mended: Chunk | None = None
            try:
                node = engine.read(chunk, own, start)
            except Mistake as mistake:
                mistakes.append(mistake)
            except lark.UnexpectedInput as error:
                found, mended = diagnose(engine, chunk, start, error)
                mistakes.append(found)
            else:
                if mistakes:
                    return None, mistakes
                findings.found += own.found
                return _shallow(node, mistakes), mistakes
            if mended is None:
                break
            chunk = mended
    return None, mistakes


def _shallow(node: Node, mistakes: list[Mistake]) -> Node | None:
    """The node, unless it is too deep."""
    deep = beyond_depth(node)
    if deep is None:
        return node
    message = f"here parts stand within each other more than {DEEPEST_TREE} deep"
    help = "give parts of it names of their own with define, action or let"
    mistakes.append(Mistake("nested-too-deep", deep.span, message, help=help))
    return None


def _missing_title(chunk: Chunk) -> Mistake:
    message = "the file does not begin with the title of the game"
    return Mistake(
        "missing-declaration", chunk.span(0, chunk.text.index("\n")), message, help='write game "NAME" first'
    )


def _second_title(title: Title, first: Title | None) -> Mistake:
    labels = (Label(first.span, "the title"),) if first else ()
    return Mistake("syntax", title.span, "the title of the game stands once, on the first line", labels=labels)


def _keep_first_of_each_word(findings: Findings) -> None:
    """A reserved word that serves as a name is reported where it stands first, not again wherever it is used."""
    kept: dict[str, Finding] = {}
    for finding in findings:
        if finding.code == "reserved-name":
            kept.setdefault(findings.source.excerpt(finding.span), finding)
    findings.found = [found for found in findings.found if found.code != "reserved-name" or found in kept.values()]
