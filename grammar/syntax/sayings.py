"""Claims, hints for search, legends, expectations, witnesses and tests."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

from zermelo.grammar.syntax.declarations import Declaration, Define
from zermelo.grammar.syntax.expressions import Binding, Expression
from zermelo.grammar.syntax.nodes import Name, Node
from zermelo.grammar.syntax.statements import Outcome


@frozen(eq=False, repr=False)
class PhaseMeasure(Node):
    """``phase: (e, ...)``: the measure of ``terminates by`` in a phase."""

    phase: Name
    measure: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class ClaimItem(Node):
    """One property; ``arguments`` are the k of ``constant_sum k`` and the measure of ``terminates by (e, ...)``, and
    ``by_phase`` the measures of ``terminates by {phase: (e, ...), ...}``."""

    property: Literal[
        "zero_sum",
        "constant_sum",
        "common_payoff",
        "perfect_information",
        "deterministic",
        "terminates",
        "symmetric",
    ]
    arguments: tuple[Expression, ...] = ()
    by_phase: tuple[PhaseMeasure, ...] = ()


@frozen(eq=False, repr=False)
class Claim(Declaration):
    items: tuple[ClaimItem, ...]


@frozen(eq=False, repr=False)
class Endless(Declaration):
    """``endless draw``: the value of a play that never ends."""

    outcome: Outcome


@frozen(eq=False, repr=False)
class Discount(Declaration):
    factor: Expression


@frozen(eq=False, repr=False)
class Feature(Define):
    """``feature NAME(p) = e``: a define of one player that can have a weight."""


@frozen(eq=False, repr=False)
class Weight(Declaration):
    """``weight NAME = e``: how much a feature counts in the weighted sum."""

    feature: Name
    value: Expression


@frozen(eq=False, repr=False)
class WeightedSum(Expression):
    """``weighted sum``: every feature times its weight; only as the whole of an estimate."""


@frozen(eq=False, repr=False)
class Estimate(Declaration):
    """``estimate for p: e``"""

    player: Name
    value: Expression


@frozen(eq=False, repr=False)
class Unsettled(Declaration):
    """``unsettled if e``"""

    condition: Expression


@frozen(eq=False, repr=False)
class OrderMoves(Declaration):
    """``order moves by e``"""

    key: Expression


@frozen(eq=False, repr=False)
class LegendEntry(Node):
    """``"P" = (White, pawn)``"""

    text: str
    value: Expression


@frozen(eq=False, repr=False)
class Legend(Declaration):
    """``target`` is a variable, or an enumeration."""

    target: Name
    entries: tuple[LegendEntry, ...]


@frozen(eq=False, repr=False)
class PlayedMove(Node):
    """A move as it is written in a play: ``mark(b2)``."""

    name: Name
    arguments: tuple[Expression, ...]


@frozen(eq=False, repr=False)
class InPosition(Node):
    """``e``: a position in which e holds."""

    condition: Expression


@frozen(eq=False, repr=False)
class InPhase(Node):
    """``in play if e``: a decision of a phase."""

    phase: Name
    condition: Expression | None


@frozen(eq=False, repr=False)
class AtEnd(Node):
    """``end win Ann if e``: an end of the play, with any outcome if there is none here."""

    outcome: Outcome | None
    condition: Expression | None


Event = InPosition | InPhase | AtEnd


@frozen(eq=False, repr=False)
class ExpectValue(Node):
    """``value == e``, with ``within tolerance``; ``value`` is a tuple, or one number for its first player."""

    value: Expression
    tolerance: Expression | None


@frozen(eq=False, repr=False)
class ExpectBest(Node):
    """``best == move``"""

    move: PlayedMove


@frozen(eq=False, repr=False)
class ExpectCount(Node):
    """``positions == n``, ``information_sets == n`` or ``plays(length) == n``."""

    what: Literal["positions", "information_sets", "plays"]
    length: Expression | None
    count: Expression


@frozen(eq=False, repr=False)
class ExpectEquilibrium(Node):
    """``equilibrium (a, b)``: one pure choice for each player."""

    choices: tuple[PlayedMove, ...]


@frozen(eq=False, repr=False)
class ExpectTrue(Node):
    """``expect e`` in a test: a condition on the position reached."""

    condition: Expression


@frozen(eq=False, repr=False)
class ExpectEvent(Node):
    """``expect in play``, ``expect end win Ann`` in a test: where the play is now."""

    event: InPhase | AtEnd


@frozen(eq=False, repr=False)
class ExpectKnows(Node):
    """``expect knows(p, e)`` in a test: e holds in all positions that p cannot tell from this one; or, if ``of_value``,
    ``expect knows_value(p, e)``: e has the same value in all of them. ``negated``: after ``not``."""

    player: Expression
    fact: Expression
    of_value: bool = False
    negated: bool = False


@frozen(eq=False, repr=False)
class ExpectIllegal(Node):
    """``expect illegal mark(a1)`` in a test."""

    move: PlayedMove


Expectation = (
    ExpectValue | ExpectBest | ExpectCount | ExpectEquilibrium | ExpectTrue | ExpectEvent | ExpectKnows | ExpectIllegal
)


@frozen(eq=False, repr=False)
class Expect(Declaration):
    """``expect ...``, with ``with size = 4`` for other parameters."""

    expectation: Expectation
    settings: tuple[Binding, ...] = ()


@frozen(eq=False, repr=False)
class Witness(Declaration):
    """``reachable ...`` or ``never ...``, with ``with size = 4`` for other parameters."""

    word: Literal["reachable", "never"]
    event: Event
    settings: tuple[Binding, ...] = ()


@frozen(eq=False, repr=False)
class PlayLine(Node):
    """``play deal(J, Q), bet`` in a test."""

    moves: tuple[PlayedMove, ...]


@frozen(eq=False, repr=False)
class ExpectLine(Node):
    """``expect ...`` in a test."""

    expectation: Expectation


@frozen(eq=False, repr=False)
class Test(Declaration):
    title: str
    lines: tuple[PlayLine | ExpectLine, ...]
