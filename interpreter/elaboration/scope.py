"""Scopes: the meaning of names at a place in the text.

A :class:`Scope` is one level of local names inside a callable. All scopes of a callable share its :class:`SlotCounter`,
which gives each local name a slot of its own: slots never clash, and an expression can be moved within the callable.
The outermost names are those of the file (:class:`Globals`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import define, field

from zermelo.grammar import syntax
from zermelo.grammar.diagnostics import Findings, Label
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.local_names import LocalName
from zermelo.interpreter.types import Type
from zermelo.interpreter.values import EMPTY, OrderedSet

if TYPE_CHECKING:
    from zermelo.interpreter.elaboration.globals import Globals


@define(eq=False, repr=False)
class SlotCounter:
    """Counts the slots of one callable."""

    size: int = 0

    def new_slot(self) -> int:
        self.size += 1
        return self.size - 1


@define(eq=False, repr=False)
class Scope:
    """One level of local names, inside ``outer`` and finally the file's ``globals``.

    In a ``then:``, ``choices`` are the rules of its ``together``, and ``sure_to_choose`` the players who are sure to
    have made the only choice, None if that is unknown because of errors; ``unnamed_chooser`` is the word ``together``
    if the moves of this scope are those of a player without a name; ``stuck_allowed`` if ``stuck`` may be used here.
    """

    globals: Globals
    frame: SlotCounter
    outer: Scope | None = None
    names: dict[str, LocalName] = field(factory=dict)
    choices: Mapping[str, model.Rule] | None = None
    sure_to_choose: OrderedSet | None = EMPTY
    unnamed_chooser: Span | None = None
    stuck_allowed: bool = False
    all_names: list[LocalName] = field(factory=list)

    @property
    def findings(self) -> Findings:
        return self.globals.findings

    def inner(self) -> Scope:
        """A scope inside this one."""
        return Scope(
            self.globals,
            self.frame,
            self,
            choices=self.choices,
            sure_to_choose=self.sure_to_choose,
            unnamed_chooser=self.unnamed_chooser,
            stuck_allowed=self.stuck_allowed,
            all_names=self.all_names,
        )

    def find(self, name: str) -> LocalName | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def bind(
        self,
        name: syntax.Name,
        type: Type,
        kind: str,
        *,
        expendable: bool = False,
        holds: Type | None = None,
        declared: Type | None = None,
    ) -> int:
        """Give a local name a slot; report a name that it hides."""
        hidden = self.find(name.text)
        if hidden is not None:
            self.findings.report(
                "shadowed-name",
                name.span,
                f"'{name}' hides another '{name}'",
                remark=f"this {kind} hides it from here on",
                labels=[Label(hidden.span, f"the {hidden.kind} that is hidden")],
                help="choose another name",
            )
        else:
            self.globals.report_hidden(name, kind)
        known = holds or declared or type
        local = LocalName(name.text, self.frame.new_slot(), type, name.span, kind, known, expendable, holds=holds)
        self.names[name.text] = local
        self.all_names.append(local)
        self.globals.locals.append(local)
        return local.slot

    def visible_names(self) -> list[str]:
        """All local names, for suggestions."""
        names: list[str] = []
        scope: Scope | None = self
        while scope is not None:
            names += scope.names
            scope = scope.outer
        return names

    def report_unused(self) -> None:
        """Report the unused local names of this callable; called once, after its elaboration."""
        for local in self.all_names:
            if not local.used and not local.expendable and not local.name.startswith("_"):
                self.findings.report(
                    "unused-name",
                    local.span,
                    f"the {local.kind} '{local.name}' is never used",
                    help=f"remove it, or write '_{local.name}' to say that this is meant",
                )
