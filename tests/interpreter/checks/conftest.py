"""Models of games that are written down in the tests."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

import pytest

from zermelo.grammar.source import Source
from zermelo.interpreter.check import check
from zermelo.interpreter.model import Model


@pytest.fixture(scope="session")
def model_of() -> Callable[[str], Model]:
    """Makes the model of a text; parameters may be set by name."""

    def make(text: str, **parameters: object) -> Model:
        model, findings = check(Source("test.game", dedent(text)), parameters)
        assert model is not None, [f"{finding.span.line}: {finding.message}" for finding in findings]
        return model

    return make
