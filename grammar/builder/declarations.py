"""Statements, phases, moves and declarations: trees, tables, and statements about the game among them."""

from __future__ import annotations

from attrs import frozen
from lark import Token

from zermelo.grammar import syntax
from zermelo.grammar.builder.expressions import Base, Group, Part, items, literal, node, of_kind, tuple_items, unquote
from zermelo.grammar.diagnostics import Label, Span
from zermelo.grammar.syntax import Expression, Name, Node, Statement, TypeExpression


@frozen(eq=False, repr=False)
class ElseIf(Group):
    """The condition and the block of one ``else if``."""


@frozen(eq=False, repr=False)
class Else(Group):
    """The block of an ``else``."""


class Statements(Base):
    @node
    def block(self, span: Span, _colon: Token, *parts: Part) -> Group:
        return Group(of_kind(Statement, parts), span=span)

    @node
    def let(self, span: Span, _let: Token, name: Name, _is: Token, value: Expression) -> syntax.Let:
        return syntax.Let(name, value, span=span)

    @node
    def local_variable(
        self, span: Span, _var: Token, name: Name, _colon: Token, type: TypeExpression, *parts: Part
    ) -> syntax.LocalVariable:
        initial = of_kind(Expression, parts)
        return syntax.LocalVariable(name, type, initial[0] if initial else None, span=span)

    @node
    def assignment(self, span: Span, target: Expression, sign: Token, value: Expression) -> syntax.Assignment:
        return syntax.Assignment(target, literal(sign), value, span=span)

    @node
    def layout_assignment(
        self, span: Span, target: Expression, _becomes: Token, _layout: Token, *parts: Part
    ) -> syntax.LayoutAssignment:
        if not isinstance(target, syntax.Reference):
            self.findings.report("syntax", target.span, "a layout fills a whole variable, not a part of one")
        name = Name(target.name if isinstance(target, syntax.Reference) else "", span=target.span)
        return syntax.LayoutAssignment(name, of_kind(syntax.LayoutRow, parts), span=span)

    @node
    def layout_row(self, span: Span, text: Token) -> syntax.LayoutRow:
        return syntax.LayoutRow(unquote(text), span=span)

    @node
    def go(self, span: Span, _go: Token, phase: Name, arguments: Group | None, _end: Token) -> syntax.Go:
        return syntax.Go(phase, items(arguments), span=span)

    @node
    def end(self, span: Span, _end: Token, outcome: syntax.Outcome | None, _line_end: Token) -> syntax.End:
        return syntax.End(outcome, span=span)

    @node
    def win(self, span: Span, _win: Token, winners: Expression) -> syntax.Win:
        return syntax.Win(winners, span=span)

    @node
    def draw(self, span: Span, _draw: Token) -> syntax.Draw:
        return syntax.Draw(span=span)

    @node
    def payoff(self, span: Span, _payoff: Token, amounts: Expression) -> syntax.PayoffMap | syntax.PayoffTuple:
        if isinstance(amounts, syntax.TableLiteral):
            return syntax.PayoffMap(amounts.entries, span=span)
        return syntax.PayoffTuple(tuple_items(amounts), span=span)

    @node
    def payoff_comprehension(
        self,
        span: Span,
        _payoff: Token,
        _left: Token,
        player: Expression,
        _colon: Token,
        amount: Expression,
        *parts: Part,
    ) -> syntax.PayoffComprehension:
        return syntax.PayoffComprehension(player, amount, of_kind(syntax.Generator, parts), span=span)

    @node
    def earn(
        self, span: Span, _earn: Token, player: Expression, _colon: Token, amount: Expression, _end: Token
    ) -> syntax.Earn:
        return syntax.Earn(player, amount, span=span)

    @node
    def tell(
        self,
        span: Span,
        _tell: Token,
        audience: Expression,
        _that: Token,
        label: Name,
        arguments: Group | None,
        _end: Token,
    ) -> syntax.Tell:
        return syntax.Tell(audience, label, items(arguments), span=span)

    @node
    def reveal(self, span: Span, _reveal: Token, value: Expression, *rest: Token | Expression | None) -> syntax.Reveal:
        audience = [part for part in rest if isinstance(part, syntax.Expression)]
        return syntax.Reveal(value, audience[0] if audience else None, span=span)

    @node
    def do(self, span: Span, action: Name, arguments: Group | None, _end: Token) -> syntax.Do:
        self.use(action.text, action.span)
        return syntax.Do(action, items(arguments), span=span)

    @node
    def if_statement(self, span: Span, _if: Token, condition: Expression, body: Group, *parts: Part) -> syntax.If:
        branches = ((condition, body.items), *(group.items for group in of_kind(ElseIf, parts)))
        otherwise = [group.items for group in of_kind(Else, parts)]
        return syntax.If(branches, otherwise[0] if otherwise else None, span=span)

    @node
    def if_on_the_line(
        self, span: Span, _if: Token, condition: Expression, _colon: Token, body: Statement
    ) -> syntax.If:
        return syntax.If(((condition, (body,)),), None, span=span)

    @node
    def for_on_the_line(
        self, span: Span, _for: Token, binders: Group, guard: Expression | None, _colon: Token, body: Statement
    ) -> syntax.For:
        return syntax.For(binders.items, guard, (body,), span=span)

    @node
    def else_if(self, span: Span, _else: Token, _if: Token, condition: Expression, body: Group) -> ElseIf:
        return ElseIf((condition, body.items), span=span)

    @node
    def else_block(self, span: Span, _else: Token, body: Group | syntax.MatchStatement) -> Else:
        return Else((body,) if isinstance(body, syntax.MatchStatement) else body.items, span=span)

    @node
    def match_statement(self, span: Span, _match: Token, subject: Expression, *parts: Part) -> syntax.MatchStatement:
        return syntax.MatchStatement(subject, of_kind(syntax.MatchCase, parts), span=span)

    @node
    def match_case(self, span: Span, patterns: Group, body: Group) -> syntax.MatchCase:
        return syntax.MatchCase(patterns.items, body.items, span=span)

    @node
    def for_statement(
        self, span: Span, _for: Token, binders: Group, guard: Expression | None, body: Group
    ) -> syntax.For:
        return syntax.For(binders.items, guard, body.items, span=span)

    # -------------------------------------------------------- phases and moves

    @node
    def phase(
        self, span: Span, _phase: Token, name: Name, formals: Group | None, _colon: Token, *parts: Part
    ) -> syntax.Phase:
        decision = [part for part in parts if isinstance(part, syntax.Decision)]
        otherwise = [group.items for group in of_kind(Group, parts)]
        return syntax.Phase(
            name,
            items(formals),
            of_kind(Statement, parts),
            decision[0] if decision else None,
            otherwise[0] if otherwise else None,
            span=span,
        )

    @node
    def phase_formal(
        self, span: Span, secret: Token | None, name: Name, _colon: Token, type: TypeExpression
    ) -> syntax.FormalParameter:
        return syntax.FormalParameter(name, type, secret is not None, span=span)

    @node
    def otherwise(self, span: Span, _otherwise: Token, body: Group) -> Group:
        return Group(body.items, span=span)

    @node
    def turn(self, span: Span, _turn: Token, player: Expression, *parts: Part) -> syntax.Turn:
        first: dict[str, syntax.TurnClause] = {}
        for clause in of_kind(syntax.TurnClause, parts):
            if clause.word in first:
                self.findings.report(
                    "syntax",
                    clause.span,
                    f"this turn has a '{clause.word}' already",
                    labels=[Label(first[clause.word].span, "the first one")],
                    help="remove one of them",
                )
            first.setdefault(clause.word, clause)
        return syntax.Turn(player, tuple(first.values()), of_kind(syntax.Move, parts), span=span)

    @node
    def turn_clause(self, span: Span, word: Token, values: Expression) -> syntax.TurnClause:
        return syntax.TurnClause(literal(word), tuple_items(values), span=span)

    @node
    def chance(self, span: Span, *parts: Part) -> syntax.Chance:
        return syntax.Chance(of_kind(syntax.OutcomeClause, parts), span=span)

    @node
    def together(self, span: Span, _together: Token, binder: syntax.Binder | None, *parts: Part) -> syntax.Together:
        (then,) = of_kind(Group, parts)
        return syntax.Together(binder, of_kind(syntax.Move, parts), then.items, span=span)

    @node
    def move(
        self,
        span: Span,
        _move: Token,
        name: Name,
        formals: Group | None,
        secret: Token | None,
        guard: Expression | None,
        _ensuring: Token | None,
        ensuring: Expression | None,
        body: Group,
    ) -> syntax.Move:
        return syntax.Move(name, items(formals), secret is not None, guard, ensuring, body.items, span=span)

    @node
    def joint_move(
        self,
        span: Span,
        _move: Token,
        name: Name,
        formals: Group | None,
        secret: Token | None,
        guard: Expression | None,
        _end: Token,
    ) -> syntax.Move:
        return syntax.Move(name, items(formals), secret is not None, guard, None, None, span=span)

    @node
    def chance_outcome(
        self,
        span: Span,
        _outcome: Token,
        name: Name,
        formals: Group | None,
        guard: Expression | None,
        word: Token | None,
        amount: Expression | None,
        body: Group,
    ) -> syntax.OutcomeClause:
        weight = amount if word == "weight" else None
        probability = amount if word == "prob" else None
        return syntax.OutcomeClause(name, items(formals), guard, weight, probability, body.items, span=span)

    @node
    def move_formals(self, span: Span, *parts: Part) -> Group:
        return Group(of_kind(syntax.MoveParameter, parts), span=span)

    @node
    def move_formal(
        self, span: Span, secret: Token | None, name: Name, _in: Token, domain: Expression
    ) -> syntax.MoveParameter:
        return syntax.MoveParameter(name, domain, secret is not None, span=span)


# Declarations, trees, tables, and statements about the game: claims, estimates, expectations, witnesses and tests.


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
        return Title(unquote(text), span=span)

    @node
    def players(self, span: Span, *parts: Part) -> syntax.Players:
        return syntax.Players(of_kind(Name, parts), span=span)

    @node
    def player_count(self, span: Span, *parts: Part) -> syntax.PlayerCount:
        low, high, default = of_kind(Expression, parts)
        return syntax.PlayerCount(low, high, default, span=span)

    @node
    def parameter(
        self, span: Span, _param: Token, name: Name, _colon: Token, domain: TypeExpression, *parts: Part
    ) -> syntax.Parameter:
        (default,) = of_kind(Expression, parts)
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
        return Group(of_kind(syntax.VariableIndex, parts), span=span)

    @node
    def variable_index(self, span: Span, *parts: Part) -> syntax.VariableIndex:
        (type,) = of_kind(TypeExpression, parts)
        name = of_kind(Name, parts)
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
        return Group(of_kind(syntax.FormalParameter, parts), span=span)

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
        return syntax.Legend(target, of_kind(syntax.LegendEntry, parts), span=span)

    @node
    def legend_entry(self, span: Span, text: Token, _is: Token, value: Expression) -> syntax.LegendEntry:
        return syntax.LegendEntry(unquote(text), value, span=span)

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
        branches = tuple((name, child) for name, child in (branch.items for branch in of_kind(Group, parts)))
        return syntax.DecisionNode(player, label, branches, span=span)

    @node
    def branch(self, span: Span, name: Name, _colon: Token, child: syntax.TreeNode) -> Group:
        return Group((name, child), span=span)

    @node
    def chance_node(self, span: Span, *parts: Part) -> syntax.ChanceNode:
        return syntax.ChanceNode(of_kind(syntax.ChanceBranch, parts), span=span)

    @node
    def chance_branch(
        self, span: Span, probability: Expression, name: Name, _colon: Token, child: syntax.TreeNode
    ) -> syntax.ChanceBranch:
        return syntax.ChanceBranch(probability, name, child, span=span)

    @node
    def leaf(self, span: Span, amounts: Expression, _end: Token) -> syntax.Leaf:
        return syntax.Leaf(tuple_items(amounts), span=span)

    @node
    def table(self, span: Span, *parts: Part) -> syntax.Table:
        others = tuple((player, chosen) for player, chosen in (choice.items for choice in of_kind(TableChoice, parts)))
        (heading,) = of_kind(TableHeading, parts)
        row_player, column_player, *columns = heading.items
        rows = of_kind(syntax.TableRow, parts)
        return syntax.Table(others, row_player, column_player, tuple(columns), rows, span=span)

    @node
    def table_choice(self, span: Span, player: Name, _is: Token, choice: Name) -> TableChoice:
        return TableChoice((player, choice), span=span)

    @node
    def table_heading(self, span: Span, *parts: Part) -> TableHeading:
        return TableHeading(of_kind(Name, parts), span=span)

    @node
    def table_row(self, span: Span, choice: Name, *parts: Part) -> syntax.TableRow:
        return syntax.TableRow(choice, of_kind(syntax.TableCell, parts), span=span)

    @node
    def table_cell(self, span: Span, *parts: Part) -> syntax.TableCell:
        amounts = of_kind(Expression, parts)
        return syntax.TableCell(tuple_items(amounts[0]) if len(amounts) == 1 else amounts, span=span)

    # ------------------------------------------------ what a file says of itself

    @node
    def claim(self, span: Span, *parts: Part) -> syntax.Claim:
        return syntax.Claim(of_kind(syntax.ClaimItem, parts), span=span)

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
        return syntax.ClaimItem("terminates", tuple_items(measure), span=span)

    def _phase_measure(self, phase: Expression, measure: Expression) -> syntax.PhaseMeasure:
        if not isinstance(phase, syntax.Reference):
            self.findings.report("syntax", phase.span, "the name of a phase must come before `:`, and then its measure")
        text = phase.name if isinstance(phase, syntax.Reference) else ""
        return syntax.PhaseMeasure(Name(text, span=phase.span), tuple_items(measure), span=phase.span.to(measure.span))

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
        (body,) = of_kind(Expression, rest)
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
        return Group(of_kind(syntax.Binding, parts), span=span)

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
        length, count = of_kind(Expression, parts)
        return syntax.ExpectCount("plays", length, count, span=span)

    @node
    def expect_equilibrium(self, span: Span, *parts: Part) -> syntax.ExpectEquilibrium:
        return syntax.ExpectEquilibrium(of_kind(syntax.PlayedMove, parts), span=span)

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
        return syntax.Test(unquote(title), lines, span=span)

    @node
    def play_line(self, span: Span, *parts: Part) -> syntax.PlayLine:
        return syntax.PlayLine(of_kind(syntax.PlayedMove, parts), span=span)

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
        player, fact = of_kind(Expression, parts)
        return syntax.ExpectKnows(player, fact, word == "knows_value", negation is not None, span=span)

    @node
    def expect_illegal(self, span: Span, _illegal: Token, move: syntax.PlayedMove) -> syntax.ExpectIllegal:
        return syntax.ExpectIllegal(move, span=span)

    @node
    def played_move(self, span: Span, name: Name, arguments: Group | None) -> syntax.PlayedMove:
        return syntax.PlayedMove(name, items(arguments), span=span)
