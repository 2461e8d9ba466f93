"""The parser's tables: without conflicts, and cached on disk if possible."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import lark
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, sampled_from

import zermelo.gamedefs as gamedefs
from zermelo.grammar import engine as engine_module
from zermelo.grammar import engine as module
from zermelo.grammar.continuations import continuation
from zermelo.grammar.diagnostics import Findings, Mistake, Source
from zermelo.grammar.engine import START, Engine, Unexpected, engine
from zermelo.grammar.layout import Chunk, split_declarations
from zermelo.grammar.words import FOREIGN_WORDS, NOT_NEEDED, PLACES, RESERVED, grammar_text


@pytest.fixture(params=["beside byte code", "in the user's cache"])
def kept(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Path]:
    """An empty cache without an engine; gives the file of the tables."""
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "byte code"))
    monkeypatch.setattr(sys, "dont_write_bytecode", request.param == "in the user's cache")
    monkeypatch.setattr(module, "engine", module.engine.__wrapped__)

    def file() -> Path:
        (path,) = (path for path in tmp_path.rglob("*") if path.is_file())
        assert (tmp_path / ("byte code" if request.param == "beside byte code" else "cache")) in path.parents
        return path

    return file


def works(made: Engine) -> bool:
    (chunk,) = split_declarations(Source("test", "players A, B\n"))
    return bool(made.read(chunk, Findings(chunk.source)))


def test_the_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    """lark resolves shift-reduce conflicts silently; only its debug log reports them."""
    with caplog.at_level(logging.DEBUG, logger="lark"):
        lark.Lark(grammar_text(), parser="lalr", start=START, keep_all_tokens=True)
    assert [record.getMessage() for record in caplog.records if "conflict" in record.getMessage()] == []


def test_tables_are_made_once_and_kept(kept: Callable[[], Path]) -> None:
    assert works(module.engine())
    made = kept().stat().st_ino
    assert works(module.engine())
    assert kept().stat().st_ino == made


def test_damaged_tables_are_replaced(kept: Callable[[], Path]) -> None:
    module.engine()
    whole = kept().read_bytes()
    kept().write_bytes(whole[: len(whole) // 2])
    assert works(module.engine())
    assert len(kept().read_bytes()) > len(whole) // 2  # lark's numbering of states varies


def test_tables_of_another_grammar_are_replaced(kept: Callable[[], Path], monkeypatch: pytest.MonkeyPatch) -> None:
    engine_module.store_tables(module.GRAMMAR, b"other tables", "another grammar")
    if sys.dont_write_bytecode:
        kept().unlink()  # there it has another name, and is removed when space is needed
    assert works(module.engine())
    assert len(kept().read_bytes()) > 10_000


def test_what_is_sealed_and_is_no_table_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = engine().tables()
    stored: list[bytes] = []
    monkeypatch.setattr(module, "Engine", lambda tables=whole: Engine(tables))  # to make them takes long
    monkeypatch.setattr(engine_module, "store_tables", lambda source, tables, *key: stored.append(tables))
    for junk in (b"", b"[]", b"[{}, [], [], []]", b"[" * 100_000, b"\x80\x04", whole.replace(b"NAME", b"NONE")):
        monkeypatch.setattr(engine_module, "load_tables", lambda source, *key, junk=junk: junk)
        assert works(module.engine.__wrapped__())
    assert len(stored) == 6


def test_where_nothing_can_be_kept_the_tables_are_made_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_the_way = tmp_path / "a file where folders should be"
    in_the_way.touch()
    monkeypatch.setenv("ZERMELO_CACHE", str(in_the_way))
    monkeypatch.setattr(sys, "pycache_prefix", str(in_the_way))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert works(module.engine.__wrapped__())


# The parser reads by lark's tables; lark itself reads by them, too.


class Noting:
    """A builder that makes of a rule its name and its parts; a rule whose parts take its place has no method, nor has a
    token."""

    def __getattr__(self, name: str) -> Callable[[list[Any]], Any]:
        if name.startswith("_") or name.isupper():
            raise AttributeError(name)
        return lambda parts: (name, *map(_plain, parts))


def _plain(part: Any) -> Any:
    return str(part) if isinstance(part, str) else part


@pytest.fixture(scope="module")
def both() -> tuple[Engine, lark.Lark]:
    """The parser with a builder that notes what it is given, and that of lark, which gets the same tokens."""
    ours = Engine(engine().tables())
    vars(ours)["_builder"] = Noting()
    tables = ours._tables

    class Lent(lark.lexer.Lexer):
        __future_interface__ = 2

        def __init__(self, conf: object) -> None:
            pass

        def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[lark.Token]:
            class Last(list[int]):
                """The last state of lark as one of ours: what is asked of it is which keywords are acceptable."""

                def __getitem__(self, place: Any) -> Any:
                    return same[frozenset(parser_state.parse_conf.states[parser_state.position])]

            for token in ours.layout.process(ours._lexer.tokens(lexer_state.text.text, Last())):
                yield lark.Token(token.type, str(token), token.start_pos)

    same = {frozenset(tables.row(state)): state for state in range(len(tables._states))}
    options: dict[str, Any] = {"lexer": Lent, "transformer": Noting()}
    return ours, lark.Lark(grammar_text(), parser="lalr", start=START, keep_all_tokens=True, **options)


def read_by_us(ours: Engine, text: str) -> object:
    try:
        return ours._parse(text)
    except Unexpected as error:
        return error.offset, None if error.token is None else error.expected
    except Mistake as mistake:
        return str(mistake)


def read_by_lark(theirs: lark.Lark, text: str) -> object:
    try:
        return theirs.parse(text)
    except Unexpected as error:  # of our lexer
        return error.offset, None
    except lark.UnexpectedToken as error:
        return error.pos_in_stream, frozenset(error.interactive_parser.accepts())
    except Mistake as mistake:
        return str(mistake)


GAMES = sorted(Path(gamedefs.__file__).parent.glob("*.game"))
CHUNKS = [chunk for path in GAMES for chunk in split_declarations(Source(path.stem, path.read_text(encoding="utf-8")))]


def test_the_bundled_games_are_read_as_lark_reads_them(both: tuple[Engine, lark.Lark]) -> None:
    ours, theirs = both
    for chunk in CHUNKS[::7]:
        ours.layout.chunk = chunk
        read = read_by_us(ours, chunk.text)
        assert isinstance(read, tuple) and isinstance(read[0], str), chunk.text
        assert read == read_by_lark(theirs, chunk.text)


@settings(max_examples=300)
@given(
    chunk=sampled_from([chunk for chunk in CHUNKS if len(chunk.text) < 600]),
    start=integers(0, 600),
    length=integers(0, 9),
    new=sampled_from(["", " ", ",", ")", ":", "\n", "\n    ", "where", "x", "$", "1", "..", "if a", "=="]),
)
def test_wrong_texts_stop_where_they_stop_for_lark(
    both: tuple[Engine, lark.Lark], chunk: Chunk, start: int, length: int, new: str
) -> None:
    ours, theirs = both
    text = chunk.text[:start] + new + chunk.text[start + length :]
    ours.layout.chunk = chunk
    assert read_by_us(ours, text) == read_by_lark(theirs, text)


def test_texts_are_read_without_lark() -> None:
    code = "import sys, zermelo; print(zermelo.parse('game \"x\"').title, 'lark' in sys.modules)"
    engine()  # with tables that are kept
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["x", "False"]


def test_all_words_that_messages_speak_of_are_words_of_the_language() -> None:
    keywords = set(engine().keywords)
    assert keywords >= RESERVED
    assert keywords >= PLACES.keys()
    assert all(
        set(ours.split()) <= keywords for words in FOREIGN_WORDS.values() for ours in words if ours[:1].isalpha()
    )
    assert not NOT_NEEDED.keys() & (keywords - {"while"})


# The words that the grammar admits at the end of an unfinished text.


BEFORE = """\
game "G"
players Ann, Bob
phase first:
    turn Ann:
"""


@pytest.mark.parametrize(
    ("text", "some", "none", "is_name"),
    [
        ("", {"phase", "var", "define", "game"}, {"turn", "if"}, False),
        ("ph", {"phase"}, {"turn"}, False),
        ("claim ", {"zero_sum", "terminates"}, {"phase"}, False),
        ("var x: ", {"grid", "set"}, {"if", "go"}, True),
        ("define f = ", {"some", "if", "match"}, {"go", "grid"}, True),
        ("define f = 1 ", {"where", "or"}, {"if"}, False),
        ("phase next:\n    ", {"turn", "chance", "go"}, {"move", "phase"}, True),
        (BEFORE + "        ", {"move"}, {"go"}, False),
        (BEFORE + "        move a: ", {"go", "end", "if"}, {"turn"}, True),
        (BEFORE + "        move a: end ", {"win", "draw", "payoff"}, {"go"}, False),
        (BEFORE + "        move a: go ", set(), {"win"}, True),
        (BEFORE + "        move a: go b\n        m", {"move"}, {"go"}, False),
    ],
)
def test_the_grammar_says_what_may_come(text: str, some: set[str], none: set[str], is_name: bool) -> None:
    found = continuation(text)
    assert some <= set(found.words) and not none & set(found.words)
    assert found.is_name == is_name


def test_after_a_mistake_the_line_counts_alone() -> None:
    assert "win" in continuation(BEFORE + "        mov a:\n        move b: end ").words


def test_letters_before_the_end_are_not_read() -> None:
    assert continuation("phase a:\n    tur").begun == "tur"


@pytest.mark.parametrize("text", ['game "', "\t", ")", "x\x00", 'test "t', "  \n#", "# comment", "var x: 1.."])
def test_any_text_has_an_answer(text: str) -> None:
    assert isinstance(continuation(text).words, tuple)
