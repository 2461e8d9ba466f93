"""Any input gives a tree or findings; never an exception, never a hang.

The number of examples is Hypothesis' own, so that a profile (``--hypothesis-profile``) can raise it.
"""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import example, given
from hypothesis import strategies as st

from zermelo.grammar.diagnostics import Findings, Source
from zermelo.grammar.parse import parse, parse_declarations
from zermelo.grammar.reading import read_text

SAMPLES = sorted(Path(__file__).parents[2].glob("gamedefs/*.game"))


def check(text: str) -> None:
    """Parse a text, and check the consistency of the tree and the findings."""
    source = Source("fuzz", text)
    tree, findings = parse(source)
    assert (tree is None) == bool(findings.errors)
    check_spans(findings)


def check_spans(findings: Findings) -> None:
    text = findings.source.text
    for finding in findings:
        for span in [
            finding.span,
            *(label.span for label in finding.labels),
            *([finding.fix.span] if finding.fix else []),
        ]:
            assert 0 <= span.start <= span.end <= len(text)
            assert span.line == text.count("\n", 0, span.start) + 1
            assert span.column == span.start - (text.rfind("\n", 0, span.start) + 1) + 1
        assert finding.message


@given(st.binary(max_size=300))
@example(b"\xef\xbb\xbfgame")
@example(b"\xff\xfeg\0a\0m\0e\0")
@example(b"\xe2\x80\xa8\xe2\x80")
def test_random_bytes(data: bytes) -> None:
    source, findings = read_text("fuzz", data)
    assert (source is None) == bool(findings.errors)
    check_spans(findings)
    if source is not None:
        check(source.text)


@given(st.text(max_size=300))
@example("\N{NO-BREAK SPACE}0")
def test_random_text(text: str) -> None:
    check(text)


WORDS = [
    *("game", "players", "define", "phase", "turn", "move", "if", "else", "for", "in", "some", "all", "count", "where"),
    *(
        "match",
        "go",
        "end",
        "win",
        "tree",
        "table",
        "chance",
        "none",
        "not",
        "and",
        "or",
        "is",
        "next",
        "other",
        "reach",
    ),
    *("from", "let", "var", "set", "of", "type", "a", "b", "p", "1", "2", "0.5", ":", ",", "=", "==", ":=", "(", ")"),
    *("[", "]", "{", "}", "..", "+", "-", "*", "/", "|", "<", ">", "@", "?", '"', "#"),
]


@given(st.lists(st.sampled_from([*WORDS, "\n", "\n    ", "\n        "]), max_size=60))
def test_random_words(words: list[str]) -> None:
    check('game "fuzz"\n' + " ".join(words))


@given(st.text(max_size=50) | st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join))
@example('"')
@example("'a")
@example("f(\n1")
def test_random_fragments(text: str) -> None:
    declarations, findings = parse_declarations(Source("fuzz", f"define f = {text}"))
    assert bool(declarations) != bool(findings.errors)
    check_spans(findings)


def edited(text: str, chance: random.Random) -> str:
    """A text with one to three random edits: deletion, duplication or swaps of characters, words or lines."""
    for _ in range(chance.randint(1, 3)):
        kind = chance.choice(["characters", "words", "lines"])
        parts = {"characters": list(text), "words": text.split(" "), "lines": text.split("\n")}[kind]
        glue = {"characters": "", "words": " ", "lines": "\n"}[kind]
        first, second = chance.randrange(len(parts)), chance.randrange(len(parts))
        match chance.choice(["delete", "double", "swap", "replace", "cut"]):
            case "delete":
                del parts[first : first + chance.randint(1, 3)]
            case "double":
                parts.insert(first, parts[first])
            case "swap":
                parts[first], parts[second] = parts[second], parts[first]
            case "replace":
                parts[first] = chance.choice([*WORDS, "\t", "é", "'", ";", "&&", "\n"])
            case "cut":
                del parts[first:]
        text = glue.join(parts)
        if not text:
            break
    return text


@given(st.sampled_from(SAMPLES), st.randoms(use_true_random=False))
def test_random_edits_of_the_samples(sample: Path, chance: random.Random) -> None:
    check(edited(sample.read_text(encoding="utf-8"), chance))
