"""The error of an expression that has no value."""

from __future__ import annotations

from zermelo.grammar.source import Span


class EvaluationError(Exception):
    """An expression or a statement cannot be evaluated.

    ``code`` is a code of :mod:`zermelo.grammar.codes`; ``message`` is a sentence in the user's words without a full
    stop, ``span`` the place in the rules, ``help`` what to do. A caller that knows the play turns it into a finding.
    """

    def __init__(self, code: str, message: str, span: Span, help: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.help = help
