"""Statements, phases, moves and declarations: trees, tables, and statements about the game among them."""

from __future__ import annotations

from attrs import frozen

from zermelo.grammar import syntax
from zermelo.grammar.builder.expressions import (
    Base,
    Group,
    Part,
    built,
    items,
    literal,
    node,
    of_kind,
    tuple_items,
    unquote,
)
from zermelo.grammar.diagnostics import Label, Span
from zermelo.grammar.layout import Lexeme
from zermelo.grammar.syntax import Expression, Name, Node, Statement, TypeExpression


@frozen(eq=False, repr=False)
class ElseIf(Group):
    """The condition and the block of one ``else if``."""


@frozen(eq=False, repr=False)
class Else(Group):
    """The block of an ``else``."""


class Statements(Base):
    block = built(Group)
    let = built(syntax.Let)
    local_variable = built(syntax.LocalVariable)

    @node
    def assignment(self, span: Span, target: Expression, sign: Lexeme, value: Expression) -> syntax.Assignment:
        return syntax.Assignment(target, literal(sign), value, span=span)

    @node
    def layout_assignment(
        self, span: Span, target: Expression, _becomes: Lexeme, _layout: Lexeme, *parts: Part
    ) -> syntax.LayoutAssignment:
        if not isinstance(target, syntax.Reference):
            self.findings.report("syntax", target.span, "a layout fills a whole variable, not a part of one")
        name = Name(target.name if isinstance(target, syntax.Reference) else "", span=target.span)
        return syntax.LayoutAssignment(name, of_kind(syntax.LayoutRow, parts), span=span)

    @node
    def layout_row(self, span: Span, text: Lexeme) -> syntax.LayoutRow:
        return syntax.LayoutRow(unquote(text), span=span)

    go = built(syntax.Go)
    end = built(syntax.End)
    win = built(syntax.Win)
    draw = built(syntax.Draw)

    @node
    def payoff(self, span: Span, _payoff: Lexeme, amounts: Expression) -> syntax.PayoffMap | syntax.PayoffTuple:
        if isinstance(amounts, syntax.TableLiteral):
            return syntax.PayoffMap(amounts.entries, span=span)
        return syntax.PayoffTuple(tuple_items(amounts), span=span)

    payoff_to = built(syntax.PayoffTo)
    payoff_comprehension = built(syntax.PayoffComprehension)

    @node
    def by(self, span: Span, _by: Lexeme, numbers: syntax.TableLiteral) -> syntax.PayoffMap:
        return syntax.PayoffMap(numbers.entries, largest_wins=True, span=span)

    @node
    def by_comprehension(self, span: Span, *parts: Part) -> syntax.PayoffComprehension:
        player, number = of_kind(Expression, parts)
        generators = of_kind(syntax.Generator, parts)
        return syntax.PayoffComprehension(player, number, generators, largest_wins=True, span=span)

    earn = built(syntax.Earn)
    tell = built(syntax.Tell)
    reveal = built(syntax.Reveal)

    @node
    def do(self, span: Span, action: Name, arguments: Group | None, _end: Lexeme) -> syntax.Do:
        self.use(action.text, action.span)
        return syntax.Do(action, items(arguments), span=span)

    @node
    def if_statement(self, span: Span, _if: Lexeme, condition: Expression, body: Group, *parts: Part) -> syntax.If:
        more = (group.items for group in of_kind(ElseIf, parts))
        branches = ((condition, body.items), *((tested, block.items) for tested, block in more))
        otherwise = [group.items for group in of_kind(Else, parts)]
        return syntax.If(branches, otherwise[0] if otherwise else None, span=span)

    @node
    def if_on_the_line(
        self, span: Span, _if: Lexeme, condition: Expression, _colon: Lexeme, body: Statement
    ) -> syntax.If:
        return syntax.If(((condition, (body,)),), None, span=span)

    for_on_the_line = built(syntax.For)
    else_if = built(ElseIf)

    @node
    def else_block(self, span: Span, _else: Lexeme, body: Group | syntax.MatchStatement) -> Else:
        return Else((body,) if isinstance(body, syntax.MatchStatement) else body.items, span=span)

    match_statement = built(syntax.MatchStatement)
    match_case = built(syntax.MatchCase)
    for_statement = built(syntax.For)

    # -------------------------------------------------------- phases and moves

    @node
    def phase(
        self, span: Span, _phase: Lexeme, name: Name, formals: Group | None, _colon: Lexeme, *parts: Part
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
        self, span: Span, secret: Lexeme | None, name: Name, _colon: Lexeme, type: TypeExpression
    ) -> syntax.FormalParameter:
        return syntax.FormalParameter(name, type, secret is not None, span=span)

    otherwise = built(Group)

    @node
    def turn(self, span: Span, _turn: Lexeme, player: Expression, *parts: Part) -> syntax.Turn:
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
    def turn_clause(self, span: Span, word: Lexeme, values: Expression) -> syntax.TurnClause:
        return syntax.TurnClause(literal(word), tuple_items(values), span=span)

    chance = built(syntax.Chance)

    @node
    def draws(
        self, span: Span, _chance: Lexeme, _for: Lexeme, binders: Group, guard: Expression | None, *parts: Part
    ) -> syntax.Chance:
        (then,) = of_kind(Group, parts)
        return syntax.Chance(of_kind(syntax.OutcomeClause, parts), binders.items, guard, then.items, span=span)

    @node
    def together(self, span: Span, _together: Lexeme, binder: syntax.Binder | None, *parts: Part) -> syntax.Together:
        (then,) = of_kind(Group, parts)
        return syntax.Together(binder, of_kind(syntax.Move, parts), then.items, span=span)

    @node
    def move(
        self,
        span: Span,
        _move: Lexeme,
        name: Name,
        formals: Group | None,
        secret: Lexeme | None,
        guard: Expression | None,
        _ensuring: Lexeme | None,
        ensuring: Expression | None,
        body: Group,
    ) -> syntax.Move:
        return syntax.Move(name, items(formals), secret is not None, guard, ensuring, body.items, span=span)

    @node
    def joint_move(
        self,
        span: Span,
        _move: Lexeme,
        name: Name,
        formals: Group | None,
        secret: Lexeme | None,
        guard: Expression | None,
        _end: Lexeme,
    ) -> syntax.Move:
        return syntax.Move(name, items(formals), secret is not None, guard, None, None, span=span)

    @node
    def chance_outcome(
        self,
        span: Span,
        _outcome: Lexeme,
        name: Name,
        formals: Group | None,
        guard: Expression | None,
        word: Lexeme | None,
        amount: Expression | None,
        body: Group,
    ) -> syntax.OutcomeClause:
        weight = amount if word == "weight" else None
        probability = amount if word == "prob" else None
        return syntax.OutcomeClause(name, items(formals), guard, weight, probability, body.items, span=span)

    move_formals = built(Group)

    @node
    def move_formal(
        self, span: Span, secret: Lexeme | None, name: Name, _in: Lexeme, domain: Expression, optional: Lexeme | None
    ) -> syntax.MoveParameter:
        return syntax.MoveParameter(name, domain, secret is not None, optional is not None, span=span)


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
    language = built(syntax.Language)

    @node
    def title(self, span: Span, _game: Lexeme, text: Lexeme, _end: Lexeme) -> Title:
        return Title(unquote(text), span=span)

    players = built(syntax.Players)
    player_count = built(syntax.PlayerCount)
    parameter = built(syntax.Parameter)
    require = built(syntax.Require)
    type_declaration = built(syntax.TypeDeclaration)
    variable = built(syntax.Variable)
    indices = built(Group)

    @node
    def variable_index(self, span: Span, *parts: Part) -> syntax.VariableIndex:
        (type,) = of_kind(TypeExpression, parts)
        name = of_kind(Name, parts)
        return syntax.VariableIndex(name[0] if name else None, type, span=span)

    visibility = built(syntax.Visibility, has_word=True)
    define = built(syntax.Define)
    action = built(syntax.Action)
    formals = built(Group)
    formal = built(syntax.FormalParameter)
    setup = built(syntax.Setup)
    start = built(syntax.Start)
    legend = built(syntax.Legend)

    @node
    def legend_entry(self, span: Span, text: Lexeme, _is: Lexeme, value: Expression) -> syntax.LegendEntry:
        return syntax.LegendEntry(unquote(text), value, span=span)

    drawn = built(syntax.Drawn)
    drawn_entry = built(syntax.DrawnEntry)
    look = built(syntax.Look)

    @node
    def look_word(self, span: Span, word: Lexeme | Name) -> syntax.LookWord:
        if isinstance(word, Name):
            return syntax.LookWord(word.text, False, span=span)
        return syntax.LookWord(unquote(word), True, span=span)

    # --------------------------------------------------------- trees and tables

    tree = built(syntax.Tree)

    @node
    def decision_node(
        self, span: Span, player: Name, _at: Lexeme | None, label: Name | None, *parts: Part
    ) -> syntax.DecisionNode:
        branches = tuple((name, child) for name, child in (branch.items for branch in of_kind(Group, parts)))
        return syntax.DecisionNode(player, label, branches, span=span)

    branch = built(Group)
    chance_node = built(syntax.ChanceNode)
    chance_branch = built(syntax.ChanceBranch)

    @node
    def leaf(self, span: Span, amounts: Expression, _end: Lexeme) -> syntax.Leaf:
        return syntax.Leaf(tuple_items(amounts), span=span)

    @node
    def table(self, span: Span, *parts: Part) -> syntax.Table:
        others = tuple((player, chosen) for player, chosen in (choice.items for choice in of_kind(TableChoice, parts)))
        (heading,) = of_kind(TableHeading, parts)
        row_player, column_player, *columns = heading.items
        rows = of_kind(syntax.TableRow, parts)
        return syntax.Table(others, row_player, column_player, tuple(columns), rows, span=span)

    table_choice = built(TableChoice)
    table_heading = built(TableHeading)
    table_row = built(syntax.TableRow)

    @node
    def table_cell(self, span: Span, *parts: Part) -> syntax.TableCell:
        amounts = of_kind(Expression, parts)
        return syntax.TableCell(tuple_items(amounts[0]) if len(amounts) == 1 else amounts, span=span)

    # ------------------------------------------------ what a file says of itself

    claim = built(syntax.Claim)
    claim_item = built(syntax.ClaimItem, has_word=True)

    @node
    def claim_constant_sum(self, span: Span, _word: Lexeme, amount: Expression) -> syntax.ClaimItem:
        return syntax.ClaimItem("constant_sum", (amount,), span=span)

    @node
    def claim_terminates(
        self, span: Span, _word: Lexeme, _by: Lexeme | None, measure: Expression | None
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

    endless = built(syntax.Endless)
    discount = built(syntax.Discount)

    @node
    def feature(
        self, span: Span, _feature: Lexeme, name: Name, _open: Lexeme, player: Name, _close: Lexeme, *rest: Part
    ) -> syntax.Feature:
        (body,) = of_kind(Expression, rest)
        anybody = syntax.FormalParameter(player, syntax.NamedType("Player", span=player.span), span=player.span)
        return syntax.Feature(name, (anybody,), None, body, span=span)

    weight = built(syntax.Weight)
    weighted_sum = built(syntax.WeightedSum)
    estimate = built(syntax.Estimate)
    unsettled = built(syntax.Unsettled)
    order_moves = built(syntax.OrderMoves)
    expect = built(syntax.Expect)
    settings = built(Group)
    expect_value = built(syntax.ExpectValue)
    expect_best = built(syntax.ExpectBest)

    @node
    def expect_count(self, span: Span, what: Lexeme, _is: Lexeme, count: Expression) -> syntax.ExpectCount:
        return syntax.ExpectCount(literal(what), None, count, span=span)

    @node
    def expect_plays(self, span: Span, *parts: Part) -> syntax.ExpectCount:
        length, count = of_kind(Expression, parts)
        return syntax.ExpectCount("plays", length, count, span=span)

    expect_equilibrium = built(syntax.ExpectEquilibrium)
    witness = built(syntax.Witness, has_word=True)
    in_position = built(syntax.InPosition)
    in_phase = built(syntax.InPhase)
    at_end = built(syntax.AtEnd)

    @node
    def test(self, span: Span, _test: Lexeme, title: Lexeme, *parts: Part) -> syntax.Test:
        lines = tuple(part for part in parts if isinstance(part, syntax.PlayLine | syntax.ExpectLine))
        return syntax.Test(unquote(title), lines, span=span)

    play_line = built(syntax.PlayLine)
    expect_line = built(syntax.ExpectLine)
    expect_true = built(syntax.ExpectTrue)
    expect_event = built(syntax.ExpectEvent)

    @node
    def expect_knows(self, span: Span, negation: Lexeme | None, word: Lexeme, *parts: Part) -> syntax.ExpectKnows:
        player, fact = of_kind(Expression, parts)
        return syntax.ExpectKnows(player, fact, word == "knows_value", negation is not None, span=span)

    expect_illegal = built(syntax.ExpectIllegal)
    played_move = built(syntax.PlayedMove)
