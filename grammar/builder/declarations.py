"""Declarations, trees, tables, and statements about the game: claims, estimates, expectations, witnesses and tests."""

from __future__ import annotations

from attrs import frozen
from lark import Token

from zermelo.grammar import syntax
from zermelo.grammar.builder.expressions import Base, Group, Part, items, literal, node, spread, those, unquoted
from zermelo.grammar.diagnostics import Span
from zermelo.grammar.syntax import Expression, Name, Node, TypeExpression


@frozen(eq=False, repr=False)
class Title(Node):
    """``game "..."``: the title of the file."""

    text: str


@frozen(eq=False, repr=False)
class TableChoice(Group):
    """``Third = left`` in the heading of a table."""


@frozen(eq=False, repr=False)
class TableHeading(Group):
    r"""The two players of ``Row \ Column | a | b``, and then the names of the columns."""


class Declarations(Base):
    @node
    def title(self, span: Span, _game: Token, text: Token, _end: Token) -> Title:
        return Title(unquoted(text), span=span)

    @node
    def players(self, span: Span, *parts: Part) -> syntax.Players:
        return syntax.Players(those(Name, parts), span=span)

    @node
    def player_count(self, span: Span, *parts: Part) -> syntax.PlayerCount:
        low, high, default = those(Expression, parts)
        return syntax.PlayerCount(low, high, default, span=span)

    @node
    def parameter(
        self, span: Span, _param: Token, name: Name, _colon: Token, domain: TypeExpression, *parts: Part
    ) -> syntax.Parameter:
        (default,) = those(Expression, parts)
        return syntax.Parameter(name, domain, default, span=span)

    @node
    def require(self, span: Span, _require: Token, condition: Expression, _end: Token) -> syntax.Require:
        return syntax.Require(condition, span=span)

    @node
    def type_declaration(
        self, span: Span, _type: Token, name: Name, _is: Token, definition: TypeExpression, _end: Token
    ) -> syntax.TypeDeclaration:
        return syntax.TypeDeclaration(name, definition, span=span)

    @node
    def variable(
        self,
        span: Span,
        _var: Token,
        name: Name,
        indices: Group | None,
        _colon: Token,
        type: TypeExpression,
        _is: Token | None,
        initial: Expression | None,
        visibility: syntax.Visibility | None,
        _end: Token,
    ) -> syntax.Variable:
        return syntax.Variable(name, items(indices), type, initial, visibility, span=span)

    @node
    def indices(self, span: Span, *parts: Part) -> Group:
        return Group(those(syntax.VariableIndex, parts), span=span)

    @node
    def variable_index(self, span: Span, *parts: Part) -> syntax.VariableIndex:
        (type,) = those(TypeExpression, parts)
        name = those(Name, parts)
        return syntax.VariableIndex(name[0] if name else None, type, span=span)

    @node
    def visibility(
        self, span: Span, word: Token, _by: Token | None = None, audience: Expression | None = None
    ) -> syntax.Visibility:
        return syntax.Visibility(literal(word), audience, span=span)

    @node
    def define(
        self,
        span: Span,
        _define: Token,
        name: Name,
        formals: Group | None,
        _colon: Token | None,
        type: TypeExpression | None,
        _is: Token,
        body: Expression,
    ) -> syntax.Define:
        return syntax.Define(name, items(formals), type, body, span=span)

    @node
    def action(self, span: Span, _action: Token, name: Name, formals: Group | None, body: Group) -> syntax.Action:
        return syntax.Action(name, items(formals), body.items, span=span)

    @node
    def formals(self, span: Span, *parts: Part) -> Group:
        return Group(those(syntax.FormalParameter, parts), span=span)

    @node
    def formal(self, span: Span, name: Name, _colon: Token, type: TypeExpression) -> syntax.FormalParameter:
        return syntax.FormalParameter(name, type, span=span)

    @node
    def setup(self, span: Span, _setup: Token, body: Group) -> syntax.Setup:
        return syntax.Setup(body.items, span=span)

    @node
    def start(
        self, span: Span, _start: Token, _at: Token, phase: Name, arguments: Group | None, _end: Token
    ) -> syntax.Start:
        return syntax.Start(phase, items(arguments), span=span)

    @node
    def legend(self, span: Span, _legend: Token, target: Name, *parts: Part) -> syntax.Legend:
        return syntax.Legend(target, those(syntax.LegendEntry, parts), span=span)

    @node
    def legend_entry(self, span: Span, text: Token, _is: Token, value: Expression) -> syntax.LegendEntry:
        return syntax.LegendEntry(unquoted(text), value, span=span)

    # --------------------------------------------------------- trees and tables

    @node
    def tree(
        self, span: Span, _tree: Token, _colon: Token, _indent: Token, root: syntax.TreeNode, _end: Token
    ) -> syntax.Tree:
        return syntax.Tree(root, span=span)

    @node
    def decision_node(
        self, span: Span, player: Name, _at: Token | None, label: Name | None, *parts: Part
    ) -> syntax.DecisionNode:
        branches = tuple((name, child) for name, child in (branch.items for branch in those(Group, parts)))
        return syntax.DecisionNode(player, label, branches, span=span)

    @node
    def branch(self, span: Span, name: Name, _colon: Token, child: syntax.TreeNode) -> Group:
        return Group((name, child), span=span)

    @node
    def chance_node(self, span: Span, *parts: Part) -> syntax.ChanceNode:
        return syntax.ChanceNode(those(syntax.ChanceBranch, parts), span=span)

    @node
    def chance_branch(
        self, span: Span, probability: Expression, name: Name, _colon: Token, child: syntax.TreeNode
    ) -> syntax.ChanceBranch:
        return syntax.ChanceBranch(probability, name, child, span=span)

    @node
    def leaf(self, span: Span, amounts: Expression, _end: Token) -> syntax.Leaf:
        return syntax.Leaf(spread(amounts), span=span)

    @node
    def table(self, span: Span, *parts: Part) -> syntax.Table:
        others = tuple((player, chosen) for player, chosen in (choice.items for choice in those(TableChoice, parts)))
        (heading,) = those(TableHeading, parts)
        row_player, column_player, *columns = heading.items
        rows = those(syntax.TableRow, parts)
        return syntax.Table(others, row_player, column_player, tuple(columns), rows, span=span)

    @node
    def table_choice(self, span: Span, player: Name, _is: Token, choice: Name) -> TableChoice:
        return TableChoice((player, choice), span=span)

    @node
    def table_heading(self, span: Span, *parts: Part) -> TableHeading:
        return TableHeading(those(Name, parts), span=span)

    @node
    def table_row(self, span: Span, choice: Name, *parts: Part) -> syntax.TableRow:
        return syntax.TableRow(choice, those(syntax.TableCell, parts), span=span)

    @node
    def table_cell(self, span: Span, *parts: Part) -> syntax.TableCell:
        amounts = those(Expression, parts)
        return syntax.TableCell(spread(amounts[0]) if len(amounts) == 1 else amounts, span=span)

    # ------------------------------------------------ what a file says of itself

    @node
    def claim(self, span: Span, *parts: Part) -> syntax.Claim:
        return syntax.Claim(those(syntax.ClaimItem, parts), span=span)

    @node
    def claim_item(self, span: Span, word: Token) -> syntax.ClaimItem:
        return syntax.ClaimItem(literal(word), span=span)

    @node
    def claim_constant_sum(self, span: Span, _word: Token, amount: Expression) -> syntax.ClaimItem:
        return syntax.ClaimItem("constant_sum", (amount,), span=span)

    @node
    def claim_terminates(
        self, span: Span, _word: Token, _by: Token | None, measure: Expression | None
    ) -> syntax.ClaimItem:
        if isinstance(measure, syntax.TableLiteral):
            by_phase = tuple(self._phase_measure(phase, each) for phase, each in measure.entries)
            return syntax.ClaimItem("terminates", by_phase=by_phase, span=span)
        return syntax.ClaimItem("terminates", spread(measure), span=span)

    def _phase_measure(self, phase: Expression, measure: Expression) -> syntax.PhaseMeasure:
        if not isinstance(phase, syntax.Reference):
            self.findings.report("syntax", phase.span, "the name of a phase must come before `:`, and then its measure")
        text = phase.name if isinstance(phase, syntax.Reference) else ""
        return syntax.PhaseMeasure(Name(text, span=phase.span), spread(measure), span=phase.span.to(measure.span))

    @node
    def endless(self, span: Span, _endless: Token, outcome: syntax.Outcome, _end: Token) -> syntax.Endless:
        return syntax.Endless(outcome, span=span)

    @node
    def discount(self, span: Span, _discount: Token, factor: Expression, _end: Token) -> syntax.Discount:
        return syntax.Discount(factor, span=span)

    @node
    def feature(
        self, span: Span, _feature: Token, name: Name, _open: Token, player: Name, _close: Token, *rest: Part
    ) -> syntax.Feature:
        (body,) = those(Expression, rest)
        anybody = syntax.FormalParameter(player, syntax.NamedType("Player", span=player.span), span=player.span)
        return syntax.Feature(name, (anybody,), None, body, span=span)

    @node
    def weight(
        self, span: Span, _weight: Token, feature: Name, _is: Token, value: Expression, _end: Token
    ) -> syntax.Weight:
        return syntax.Weight(feature, value, span=span)

    @node
    def weighted_sum(self, span: Span, _weighted: Token, _sum: Token) -> syntax.WeightedSum:
        return syntax.WeightedSum(span=span)

    @node
    def estimate(
        self, span: Span, _estimate: Token, _for: Token, player: Name, _colon: Token, value: Expression, _end: Token
    ) -> syntax.Estimate:
        return syntax.Estimate(player, value, span=span)

    @node
    def unsettled(self, span: Span, _unsettled: Token, condition: Expression, _end: Token) -> syntax.Unsettled:
        return syntax.Unsettled(condition, span=span)

    @node
    def order_moves(
        self, span: Span, _order: Token, _moves: Token, _by: Token, key: Expression, _end: Token
    ) -> syntax.OrderMoves:
        return syntax.OrderMoves(key, span=span)

    @node
    def expect(
        self,
        span: Span,
        _expect: Token,
        expectation: syntax.Expectation,
        _with: Token | None,
        settings: Group | None,
        _end: Token,
    ) -> syntax.Expect:
        return syntax.Expect(expectation, items(settings), span=span)

    @node
    def settings(self, span: Span, *parts: Part) -> Group:
        return Group(those(syntax.Binding, parts), span=span)

    @node
    def expect_value(
        self,
        span: Span,
        _value: Token,
        _is: Token,
        value: Expression,
        _within: Token | None,
        tolerance: Expression | None,
    ) -> syntax.ExpectValue:
        return syntax.ExpectValue(value, tolerance, span=span)

    @node
    def expect_best(self, span: Span, _best: Token, _is: Token, move: syntax.PlayedMove) -> syntax.ExpectBest:
        return syntax.ExpectBest(move, span=span)

    @node
    def expect_count(self, span: Span, what: Token, _is: Token, count: Expression) -> syntax.ExpectCount:
        return syntax.ExpectCount(literal(what), None, count, span=span)

    @node
    def expect_plays(self, span: Span, *parts: Part) -> syntax.ExpectCount:
        length, count = those(Expression, parts)
        return syntax.ExpectCount("plays", length, count, span=span)

    @node
    def expect_equilibrium(self, span: Span, *parts: Part) -> syntax.ExpectEquilibrium:
        return syntax.ExpectEquilibrium(those(syntax.PlayedMove, parts), span=span)

    @node
    def witness(
        self, span: Span, word: Token, event: syntax.Event, _with: Token | None, settings: Group | None, _end: Token
    ) -> syntax.Witness:
        return syntax.Witness(literal(word), event, items(settings), span=span)

    @node
    def in_position(self, span: Span, condition: Expression) -> syntax.InPosition:
        return syntax.InPosition(condition, span=span)

    @node
    def in_phase(self, span: Span, _in: Token, phase: Name, condition: Expression | None) -> syntax.InPhase:
        return syntax.InPhase(phase, condition, span=span)

    @node
    def at_end(
        self, span: Span, _end: Token, outcome: syntax.Outcome | None, condition: Expression | None
    ) -> syntax.AtEnd:
        return syntax.AtEnd(outcome, condition, span=span)

    @node
    def test(self, span: Span, _test: Token, title: Token, *parts: Part) -> syntax.Test:
        lines = tuple(part for part in parts if isinstance(part, syntax.PlayLine | syntax.ExpectLine))
        return syntax.Test(unquoted(title), lines, span=span)

    @node
    def play_line(self, span: Span, *parts: Part) -> syntax.PlayLine:
        return syntax.PlayLine(those(syntax.PlayedMove, parts), span=span)

    @node
    def expect_line(
        self, span: Span, _expect: Token, expectation: syntax.Expectation, _end: Token
    ) -> syntax.ExpectLine:
        return syntax.ExpectLine(expectation, span=span)

    @node
    def expect_true(self, span: Span, condition: Expression) -> syntax.ExpectTrue:
        return syntax.ExpectTrue(condition, span=span)

    @node
    def expect_event(self, span: Span, event: syntax.InPhase | syntax.AtEnd) -> syntax.ExpectEvent:
        return syntax.ExpectEvent(event, span=span)

    @node
    def expect_knows(self, span: Span, negation: Token | None, word: Token, *parts: Part) -> syntax.ExpectKnows:
        player, fact = those(Expression, parts)
        return syntax.ExpectKnows(player, fact, word == "knows_value", negation is not None, span=span)

    @node
    def expect_illegal(self, span: Span, _illegal: Token, move: syntax.PlayedMove) -> syntax.ExpectIllegal:
        return syntax.ExpectIllegal(move, span=span)

    @node
    def played_move(self, span: Span, name: Name, arguments: Group | None) -> syntax.PlayedMove:
        return syntax.PlayedMove(name, items(arguments), span=span)
