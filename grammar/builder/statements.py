"""Statements, phases and moves."""

from __future__ import annotations

from attrs import frozen
from lark import Token

from zermelo.grammar import syntax
from zermelo.grammar.builder.expressions import Base, Group, Part, items, literal, node, spread, those, unquoted
from zermelo.grammar.diagnostics import Label, Span
from zermelo.grammar.syntax import Expression, Name, Statement, TypeExpression


@frozen(eq=False, repr=False)
class ElseIf(Group):
    """The condition and the block of one ``else if``."""


@frozen(eq=False, repr=False)
class Else(Group):
    """The block of an ``else``."""


class Statements(Base):
    @node
    def block(self, span: Span, _colon: Token, *parts: Part) -> Group:
        return Group(those(Statement, parts), span=span)

    @node
    def let(self, span: Span, _let: Token, name: Name, _is: Token, value: Expression) -> syntax.Let:
        return syntax.Let(name, value, span=span)

    @node
    def local_variable(
        self, span: Span, _var: Token, name: Name, _colon: Token, type: TypeExpression, *parts: Part
    ) -> syntax.LocalVariable:
        initial = those(Expression, parts)
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
        return syntax.LayoutAssignment(name, those(syntax.LayoutRow, parts), span=span)

    @node
    def layout_row(self, span: Span, text: Token) -> syntax.LayoutRow:
        return syntax.LayoutRow(unquoted(text), span=span)

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
        return syntax.PayoffTuple(spread(amounts), span=span)

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
        return syntax.PayoffComprehension(player, amount, those(syntax.Generator, parts), span=span)

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
        branches = ((condition, body.items), *(group.items for group in those(ElseIf, parts)))
        otherwise = [group.items for group in those(Else, parts)]
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
        return syntax.MatchStatement(subject, those(syntax.MatchCase, parts), span=span)

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
        otherwise = [group.items for group in those(Group, parts)]
        return syntax.Phase(
            name,
            items(formals),
            those(Statement, parts),
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
        for clause in those(syntax.TurnClause, parts):
            if clause.word in first:
                self.findings.report(
                    "syntax",
                    clause.span,
                    f"this turn has a '{clause.word}' already",
                    labels=[Label(first[clause.word].span, "the first one")],
                    help="remove one of them",
                )
            first.setdefault(clause.word, clause)
        return syntax.Turn(player, tuple(first.values()), those(syntax.Move, parts), span=span)

    @node
    def turn_clause(self, span: Span, word: Token, values: Expression) -> syntax.TurnClause:
        return syntax.TurnClause(literal(word), spread(values), span=span)

    @node
    def chance(self, span: Span, *parts: Part) -> syntax.Chance:
        return syntax.Chance(those(syntax.OutcomeClause, parts), span=span)

    @node
    def together(self, span: Span, _together: Token, binder: syntax.Binder | None, *parts: Part) -> syntax.Together:
        (then,) = those(Group, parts)
        return syntax.Together(binder, those(syntax.Move, parts), then.items, span=span)

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
        return Group(those(syntax.MoveParameter, parts), span=span)

    @node
    def move_formal(
        self, span: Span, secret: Token | None, name: Name, _in: Token, domain: Expression
    ) -> syntax.MoveParameter:
        return syntax.MoveParameter(name, domain, secret is not None, span=span)
