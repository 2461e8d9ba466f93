"""Errors as Python shows them to somebody who does not catch them."""

from __future__ import annotations

import pickle
from traceback import format_exception_only

from zermelo.grammar.diagnostics import ZermeloError


def shown(error: ZermeloError) -> list[str]:
    """The lines below a traceback, without the name of the exception."""
    return "".join(format_exception_only(error)).partition(": ")[2].splitlines()


def test_the_help_stands_below_the_message() -> None:
    assert shown(ZermeloError("unknown-solver", "there is no solver 'minmax'", "did you mean 'minimax'?")) == [
        "there is no solver 'minmax'",
        "  = help: did you mean 'minimax'?",
    ]
    assert shown(ZermeloError("unknown-solver", "there is no solver 'x'")) == ["there is no solver 'x'"]


def test_help_that_comes_later_replaces_what_was_there() -> None:
    """And the notes of others, such as those of Hypothesis, stay; a pickle has them, too."""
    error = ZermeloError("unknown-solver", "there is no solver 'x'", "one")
    error.add_note("of another")
    error.help += "; two"
    for each in error, pickle.loads(pickle.dumps(error)):
        assert shown(each) == ["there is no solver 'x'", "of another", "  = help: one; two"]
        assert each.help == "one; two"
    error.help = ""
    assert shown(error) == ["there is no solver 'x'", "of another"]
