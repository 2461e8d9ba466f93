"""What a file calls ``reachable``, and what it says is ``never`` so."""

from __future__ import annotations

from zermelo.grammar import syntax
from zermelo.interpreter import model
from zermelo.interpreter.elaboration.declarations import FileGlobals
from zermelo.interpreter.elaboration.events import event_of
from zermelo.interpreter.elaboration.sayings import settings_of
from zermelo.interpreter.model.rewriting import walk_with_defines


def witnesses_of(globals: FileGlobals) -> tuple[model.Witness, ...]:
    return tuple(_witness(written, globals) for written in globals.declarations.every(syntax.Witness))


def _witness(written: syntax.Witness, globals: FileGlobals) -> model.Witness:
    event = event_of(written.event, globals, "what a play may come to")
    if event.condition is not None:
        _refuse_history(event.condition, globals)
    return model.Witness(written.word == "reachable", event, written.span, settings_of(written.settings, globals))


def _refuse_history(condition: model.Loose, globals: FileGlobals) -> None:
    """Report a condition on how a play has come to a position: plays that come to equal positions are taken for one."""
    for part in walk_with_defines(condition.value):
        if isinstance(part, model.Repeated | model.Repetitions):
            globals.findings.report(
                "wrong-kind-of-name",
                condition.value.span,
                "this looks at the history of the play, and not at a position",
                help="keep what you ask for in a variable",
            )
            return
