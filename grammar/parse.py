"""From a text to its syntax tree, or to findings.

The trees of the last declarations without findings are kept: a file is mostly read again after a small edit, or with
other parameters, and then the declarations before the edit are the same, at the same places.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from attrs import define, evolve, field, frozen

from zermelo.foundation.records import ByValue
from zermelo.grammar.builder import Title
from zermelo.grammar.diagnostics import Finding, Findings, Fix, Label, Mistake, Source
from zermelo.grammar.engine import DEEPEST_TREE, Engine, Unexpected, engine, node_too_deep
from zermelo.grammar.layout import Chunk, comments, split_declarations
from zermelo.grammar.names import WORD, normal
from zermelo.grammar.reading import LARGEST, inspect
from zermelo.grammar.syntax import Call, Declaration, GameFile, Language, Node, nodes_in

_WORD = re.compile(WORD)

MOST_MISTAKES = 20
"""After so many mistakes the rest of a declaration is skipped; after so many bad declarations, the rest of the text."""


@frozen(eq=False, repr=False)
class Reading(ByValue):
    """The result for a chunk: its tree, after likely repairs of its mistakes, or None; its findings; and whether it
    could be read to its end."""

    node: Node | None
    findings: Findings
    complete: bool


def parse(source: Source) -> tuple[GameFile | None, Findings]:
    """The tree of a text, or None if it has errors.

    All declarations are read, each as far as likely repairs allow, so that one run finds several mistakes.
    """
    tree, findings, _ = parse_parts(source)
    return None if findings.errors else tree, findings


def parse_parts(source: Source) -> tuple[GameFile, Findings, frozenset[str]]:
    """The tree of those declarations that can be read, if need be with likely repairs (if the title is missing, it is
    empty); and the words of those that cannot be read, or not for certain."""
    nodes, findings, lost = _top_level_nodes(source)
    titles = [node for node in nodes if isinstance(node, Title)]
    for title in titles[1:]:
        label = Label(titles[0].span, "its title")
        findings.report("syntax", title.span, "the game has a title already", labels=[label], help="remove one of them")
    if not titles and not findings.errors:
        message = "the file does not begin with the title of the game"
        findings.report("missing-declaration", nodes[0].span, message, help='write game "NAME" first')
    declarations = tuple(node for node in nodes if isinstance(node, Declaration))
    tree = GameFile(titles[0].text if titles else "", declarations, comments(findings.source))
    return tree, findings, frozenset(word for text in lost for word in _WORD.findall(normal(text)))


def parse_declarations(source: Source) -> tuple[tuple[Declaration, ...], Findings]:
    """The declarations of a text that is a part of a game file; none if it has errors."""
    nodes, findings, _ = _top_level_nodes(source)
    return tuple(node for node in nodes if isinstance(node, Declaration) and not findings.errors), findings


def _top_level_nodes(source: Source) -> tuple[list[Node], Findings, list[str]]:
    """The top-level nodes of a text, none if its characters are wrong; and the texts that cannot be read. The findings
    about a text that is too large hold an empty one instead, so that nobody searches it for names and lines."""
    findings = Findings(source if len(source.text) <= LARGEST else Source(source.name, ""))
    try:
        inspect(source)
    except Mistake as mistake:
        mistake.report(findings)
        return [], findings, [findings.source.text]
    nodes, lost = _read_all(split_declarations(source), findings)
    _check_edition(nodes, findings)
    _keep_first_of_each_word(findings)
    return nodes, findings, lost


def _read_all(chunks: list[Chunk], findings: Findings) -> tuple[list[Node], list[str]]:
    """The trees of the chunks, and the texts of those that have none, or none for certain.

    If a chunk breaks off and the next one does not begin like a declaration, its lines belong to the chunk before, and
    their errors follow from the first one: they are not reported.
    """
    nodes, lost = [], []
    failures, complete = 0, True
    for chunk in chunks:
        if failures == MOST_MISTAKES:
            lost.append(chunk.text)
            continue
        reading = _recall_or_read(engine(), chunk)
        begins = all(finding.span.start > chunk.start for finding in reading.findings)
        if complete or begins:
            findings.found += reading.findings.found
            complete = reading.complete
        if reading.node is not None:
            nodes.append(reading.node)
        if reading.node is None or any(finding.fix is None for finding in reading.findings.errors):
            lost.append(chunk.text)
        failures += bool(reading.findings.errors)
    return nodes, lost


# The edition of the language: ``language 2`` on the first line.
#
# Every file is read by the rules of the newest edition. A file of an earlier one keeps its meaning, or is refused with
# what to change. Most of what has gone is refused by the checks, in files of all editions, as the word ``none`` in a
# set. Here stands what an earlier edition wrote in the same way and meant otherwise: it is refused in files that say
# that they are of that edition. The manual lists all changes (docs/language.md, "Editions").


NEWEST: Final = 2

_OTHER_SINCE: Final = {
    "diagonals": (
        2,
        "had the short diagonals, too",
        "if the full ones are meant, which are as long as the shorter side of the board, write language 2; shorter "
        "ones are among lines(T, n)",
    )
}
"""Functions that mean something else since an edition: what they did before, and what to do."""


def _check_edition(nodes: Sequence[Node], findings: Findings) -> None:
    """Report a ``language`` line that does not stand first or names no edition, and what an earlier edition meant
    otherwise. Of a file in a later edition nothing else is reported: it may be right there."""
    said = [node for node in nodes if isinstance(node, Language)]
    for line in said:
        edition = line.edition.value
        written = findings.source.excerpt(line.edition.span)
        if edition > NEWEST and edition.denominator == 1:
            message = f"this file is written in language {written}; this Zermelo reads up to {NEWEST}"
            findings.found.clear()
            findings.report("unknown-language", line.span, message, help="install a newer Zermelo to read it")
            return
        if edition not in range(1, NEWEST + 1):
            message, help = f"there is no language {written}", f"the newest is language {NEWEST}"
            findings.report("unknown-language", line.edition.span, message, help=help)
    for line in said[1:]:
        label = Label(said[0].span, "said here")
        findings.report("syntax", line.span, "the file says its language already", labels=[label], help="remove one")
    if said and said[0] is not nodes[0]:
        _report_misplaced(said[0], nodes[0], findings)
    if said and said[0].edition.value < NEWEST:
        _report_other_meanings(said[0], nodes, findings)


def _report_misplaced(line: Language, first: Node, findings: Findings) -> None:
    span = first.span.to(line.span)
    written, between = findings.source.excerpt(line.span), findings.source.text[first.span.start : line.span.start]
    fix = Fix(span, f"{written}\n{between.rstrip()}", "move it there", safe=True)
    message = "the language of a file is said first, above everything but comments"
    findings.report("syntax", line.span, message, help="move it to the top of the file", fix=fix)


def _report_other_meanings(line: Language, nodes: Sequence[Node], findings: Findings) -> None:
    """Report functions that the edition of the file meant otherwise, but not those that the file declares itself."""
    declared = {str(getattr(node, "name", "")) for node in nodes}
    for part in (part for node in nodes for part in nodes_in(node) if isinstance(part, Call)):
        since, before, help = _OTHER_SINCE.get(part.name.text, (0, "", ""))
        if line.edition.value < since and part.name.text not in declared:
            message = f"before language {since}, {part.name}(...) {before}"
            label = Label(line.span, "the language of this file")
            findings.report("changed-meaning", part.name.span, message, labels=[label], help=help)


# The trees of the last declarations, kept.


MOST_KEPT = 200_000
"""The most characters of declarations whose trees are kept: some 10 MB."""


@define(eq=False, repr=False)
class _Kept:
    """Trees of declarations without findings, the most recently used last, and the number of their characters.

    The text of a declaration and its place, an offset and a line, determine the tree and all spans in it, as long as
    the line end that a chunk ends with is in the source.
    """

    trees: dict[tuple[str, int, int], Node] = field(factory=dict)
    characters: int = 0

    def take(self, chunk: Chunk) -> Node | None:
        """Remove and return the tree of a chunk; None if it is not kept."""
        node = self.trees.pop((chunk.text, chunk.start, chunk.line), None)
        self.characters -= 0 if node is None else len(chunk.text)
        return node

    def keep(self, chunk: Chunk, node: Node) -> None:
        """Keep the tree of a chunk, and drop the least recently used ones if they become too many."""
        if chunk.start + len(chunk.text) > len(chunk.source.text):
            return
        self.trees[chunk.text, chunk.start, chunk.line] = node
        self.characters += len(chunk.text)
        while self.characters > MOST_KEPT:
            oldest = next(iter(self.trees))
            self.characters -= len(oldest[0])
            del self.trees[oldest]


_KEPT = _Kept()
"""Of this process; guarded by the lock of the engine."""


def _recall_or_read(engine: Engine, chunk: Chunk) -> Reading:
    """The reading of a chunk, whose tree is kept for the next time if there are no findings."""
    with engine.lock:
        node = _KEPT.take(chunk)
        reading = _read_chunk(engine, chunk) if node is None else Reading(node, Findings(chunk.source), complete=True)
        if reading.node is not None and not reading.findings:
            _KEPT.keep(chunk, reading.node)
        return reading


def _read_chunk(engine: Engine, chunk: Chunk) -> Reading:
    """Read a chunk; after a mistake with a likely repair, read on to find the next one. Findings behind a repair that
    is only a guess depend on it, so that none of their fixes is safe."""
    findings, is_certain = Findings(chunk.source), True
    with engine.lock:
        while True:
            own = Findings(chunk.source)
            mended: Chunk | None = None
            try:
                node = engine.read(chunk, own)
            except Mistake as mistake:
                mistake.report(findings)
            except Unexpected as error:
                from zermelo.grammar.syntax_diagnosis import diagnose  # which no right text needs

                found, mended = diagnose(engine, chunk, error)
                if found.fix is not None and not is_certain:
                    found.fix = evolve(found.fix, safe=False)
                is_certain = found.fix is not None and found.fix.safe
                found.report(findings)
            else:
                findings.found += own.found
                return Reading(_refuse_too_deep(node, findings), findings, complete=True)
            if mended is None or len(findings) == MOST_MISTAKES:
                findings.found += own.found
                return Reading(None, findings, complete=False)
            chunk = mended


def _refuse_too_deep(node: Node, findings: Findings) -> Node | None:
    """The node, unless it is too deep."""
    deep = node_too_deep(node)
    if deep is None:
        return node
    message = f"this is nested more than {DEEPEST_TREE} deep"
    help = "give parts of it names of their own with define, action or let"
    findings.report("nested-too-deep", deep.span, message, help=help)
    return None


def _keep_first_of_each_word(findings: Findings) -> None:
    """Report each reserved word that is used as a name only once, at its first use."""
    kept: dict[str, Finding] = {}
    for finding in findings:
        if finding.code == "reserved-name":
            kept.setdefault(findings.source.excerpt(finding.span), finding)
    findings.found = [found for found in findings.found if found.code != "reserved-name" or found in kept.values()]
