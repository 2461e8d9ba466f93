"""The analysis of a text in three stages, so that an editor need not wait for the whole.

1. :func:`read`: the tree and the names, from which questions about names are answered;
2. :func:`checked`: all findings for the default parameters;
3. :func:`checked_at_extremes`: those that come up only at extreme values of the parameters.

Together they find what ``zermelo check`` finds. The first two take less than a tenth of a second in chess, the third
one takes as long for each parameter; so the server begins it only when nobody is typing.
"""

from __future__ import annotations

from attrs import frozen

from zermelo.grammar.diagnostics import Findings
from zermelo.grammar.displayed import Displayed
from zermelo.grammar.parse import parse_parts
from zermelo.grammar.source import Source
from zermelo.grammar.syntax import GameFile
from zermelo.interpreter.check import check_rules
from zermelo.interpreter.elaboration import assemble
from zermelo.interpreter.elaboration.names import declare
from zermelo.interpreter.elaboration.players import file_globals
from zermelo.interpreter.extremes import add_extremes
from zermelo.interpreter.model import Model
from zermelo.interpreter.symbols.index import SymbolIndex, index_of_elaborated


@frozen(repr=False)
class FirstLook(Displayed):
    """The tree of a text and its names; the model if the whole of it could be read, and the findings so far."""

    tree: GameFile
    index: SymbolIndex
    model: Model | None
    findings: Findings


@frozen(repr=False)
class Checked(Displayed):
    """The tree of a text, the model, if there are no errors, and the findings for the default parameters."""

    tree: GameFile
    game: Model | None
    findings: Findings


def read(source: Source) -> FirstLook:
    """The first stage. What is found in the readable parts of a text with mistakes may be a consequence of these: it is
    not reported, as in :func:`zermelo.interpreter.check.check`."""
    tree, findings, _ = parse_parts(source)
    is_whole = not findings.errors
    declarations = declare(tree, findings if is_whole else Findings(findings.source))
    is_whole = is_whole and declarations.are_clear
    globals = file_globals(declarations, findings if is_whole else Findings(findings.source), {})
    model = assemble(globals)
    return FirstLook(tree, index_of_elaborated(tree, globals), model if is_whole else None, findings)


def checked(look: FirstLook) -> Checked:
    """The second stage."""
    if look.model is None:
        return Checked(look.tree, None, look.findings)
    return Checked(look.tree, *check_rules(look.model, look.findings))


def checked_at_extremes(found: Checked) -> Findings:
    """The third stage: all findings of the text."""
    if found.game is None:
        return found.findings
    return add_extremes(found.tree, found.game, found.findings, {})
