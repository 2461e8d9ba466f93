"""From a text to its syntax tree, or to findings."""

from __future__ import annotations

import lark
from attrs import frozen

from zermelo.grammar.builder import Title
from zermelo.grammar.depth import DEEPEST_TREE, beyond_depth
from zermelo.grammar.diagnostics import Finding, Findings, Label
from zermelo.grammar.displayed import Displayed
from zermelo.grammar.engine import Engine, engine
from zermelo.grammar.layout import Chunk, comments, cut
from zermelo.grammar.mistake import Mistake
from zermelo.grammar.reading import inspect
from zermelo.grammar.slips import diagnose
from zermelo.grammar.source import Source
from zermelo.grammar.syntax import Declaration, GameFile, Node

MOST_MISTAKES = 20
"""After so many mistakes the rest of a declaration is skipped; after so many bad declarations, the rest of the text."""


@frozen(repr=False)
class Reading(Displayed):
    """The result for a chunk: its tree, None if it has errors, and whether it could be read to its end."""

    node: Node | None
    findings: Findings
    complete: bool


def parse(source: Source) -> tuple[GameFile | None, Findings]:
    """The tree of a text, or None if it has errors.

    All declarations are read, each as far as likely repairs allow, so that one run finds several mistakes.
    """
    nodes, findings = _nodes(source)
    if nodes is None:
        return None, findings
    titles = [node for node in nodes if isinstance(node, Title)]
    for title in titles[1:]:
        label = Label(titles[0].span, "its title")
        findings.report("syntax", title.span, "the game has a title already", labels=[label], help="remove one of them")
    if findings.errors:
        return None, findings
    if not titles:
        message = "the file does not begin with the title of the game"
        findings.report("missing-declaration", nodes[0].span, message, help='write game "NAME" first')
        return None, findings
    declarations = tuple(node for node in nodes if isinstance(node, Declaration))
    return GameFile(titles[0].text, declarations, comments(source)), findings


def parse_declarations(source: Source) -> tuple[tuple[Declaration, ...], Findings]:
    """The declarations of a text that is a part of a game file; none if it has errors."""
    nodes, findings = _nodes(source)
    sound = nodes is not None and not findings.errors
    return tuple(node for node in nodes or () if isinstance(node, Declaration) and sound), findings


def _nodes(source: Source) -> tuple[list[Node] | None, Findings]:
    """The top-level nodes of a text; None if its characters or its layout are wrong."""
    findings = Findings(source)
    try:
        inspect(source)
    except Mistake as mistake:
        mistake.report(findings)
        return None, findings
    nodes = _read_all(cut(source), findings)
    _keep_first_of_each_word(findings)
    return nodes, findings


def _read_all(chunks: list[Chunk], findings: Findings) -> list[Node]:
    """The trees of the chunks that have one.

    If a chunk breaks off and the next one does not begin like a declaration, its lines belong to the chunk before, and
    their errors follow from the first one: they are not reported.
    """
    nodes = []
    failures, complete = 0, True
    for chunk in chunks:
        reading = _read(engine(), chunk)
        begins = all(finding.span.start > chunk.start for finding in reading.findings)
        if complete or begins:
            findings.found += reading.findings.found
            complete = reading.complete
        if reading.node is not None:
            nodes.append(reading.node)
        else:
            failures += 1
            if failures == MOST_MISTAKES:
                break
    return nodes


def _read(engine: Engine, chunk: Chunk) -> Reading:
    """Read a chunk; after a mistake with a likely repair, read on to find the next."""
    findings = Findings(chunk.source)
    with engine.lock:
        while True:
            own = Findings(chunk.source)
            mended: Chunk | None = None
            try:
                node = engine.read(chunk, own)
            except Mistake as mistake:
                mistake.report(findings)
            except lark.UnexpectedInput as error:
                found, mended = diagnose(engine, chunk, error)
                found.report(findings)
            else:
                sound = not findings.errors
                findings.found += own.found
                return Reading(_shallow(node, findings) if sound else None, findings, complete=True)
            if mended is None or len(findings) == MOST_MISTAKES:
                findings.found += own.found
                return Reading(None, findings, complete=False)
            chunk = mended


def _shallow(node: Node, findings: Findings) -> Node | None:
    """The node, unless it is too deep."""
    deep = beyond_depth(node)
    if deep is None:
        return node
    message = f"this is nested more than {DEEPEST_TREE} deep"
    help = "give parts of it names of their own with define, action or let"
    findings.report("nested-too-deep", deep.span, message, help=help)
    return None


def _keep_first_of_each_word(findings: Findings) -> None:
    """A reserved word used as a name is reported once, at its first use."""
    kept: dict[str, Finding] = {}
    for finding in findings:
        if finding.code == "reserved-name":
            kept.setdefault(findings.source.excerpt(finding.span), finding)
    findings.found = [found for found in findings.found if found.code != "reserved-name" or found in kept.values()]
