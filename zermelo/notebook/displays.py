"""How games, states, solutions, strategies and equilibria show themselves (:mod:`zermelo.foundation.records`).

What that needs is imported when something is shown."""

from __future__ import annotations

from zermelo.foundation.records import Bundle
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.last_resort import wrap_internal_errors


def text(thing: object) -> str | None:
    """A thing as text for a reader."""
    from zermelo.notebook.texts import text_of

    return text_of(thing)


def bundle(thing: object) -> Bundle | None:
    """A thing as a notebook shows it. An error of the rules, or of this program, is not raised here: the reader sees
    the ``repr`` then, and meets the error on asking for what fails."""
    from zermelo.notebook.bundles import bundle_of

    try:
        return wrap_internal_errors(bundle_of)(thing)
    except ZermeloError:
        return None
