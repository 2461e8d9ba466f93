"""How records are shown that a command loads at its start: nodes of the syntax tree, what a model is made of, findings.

attrs would write a method for each class, which costs 0.15 ms a class whenever its module is imported: a fifth of the
time that a command takes to start. So these classes have one method, and say ``repr=False`` to attrs, as do those
that nobody shows.
"""

from __future__ import annotations

from typing import Any

from attrs import fields


class Displayed:
    """A record that is shown as ``Name(field=value, ...)``."""

    __slots__ = ()

    def __repr__(self) -> str:
        kind: Any = type(self)
        shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(kind) if each.repr)
        return f"{kind.__name__}({', '.join(shown)})"
