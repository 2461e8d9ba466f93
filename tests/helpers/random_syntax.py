"""Random syntax trees: strategies, one for every kind of node."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from zermelo.grammar import syntax
from zermelo.grammar.syntax import Name

# Some keywords are among the names of values, and all kinds of keywords among the names of moves and their like.
value_words = st.sampled_from(
    ["a", "b", "p", "Square", "from", "by", "at", "start", "value", "hidden", "weight", "_x1", "größe", "ﬁ", "手牌"]
)
any_words = value_words | st.sampled_from(["if", "turn", "move", "none", "in", "else", "chance", "sum", "test", "game"])
value_names = value_words.map(Name)
any_names = any_words.map(Name)
characters = st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters='"')
texts = st.text(characters)
display_names = st.just("") | st.sampled_from(["Firm 1", "♣"])
shown_values = st.builds(Name, value_words, display_names)
shown_names = st.builds(Name, any_words, display_names)
numbers = st.builds(
    lambda digits, places: syntax.Number(Fraction(digits, 10**places)), st.integers(0, 9999), st.integers(0, 3)
)


def some(strategy, at_least=1, at_most=3):
    return st.lists(strategy, min_size=at_least, max_size=at_most).map(tuple)


def maybe(strategy):
    return st.none() | strategy


def binders_over(domain):
    return st.builds(syntax.Binder, value_names, domain)


def generators_over(inner, stops_or_tests=False):
    stops = st.tuples(st.sampled_from(["while", "until"]), inner)
    free = st.tuples(st.just((None, None)), some(inner, 1 if stops_or_tests else 0, 2))
    stopped = st.tuples(stops, some(inner, 0, 2))
    return st.builds(
        lambda binder, clauses: syntax.Generator(binder, *clauses[0], clauses[1]), binders_over(inner), free | stopped
    )


def amount(expression):
    """A single amount: an expression that is neither a tuple nor a table."""
    while isinstance(expression, syntax.TupleLiteral | syntax.TableLiteral):
        expression = expression.items[0] if isinstance(expression, syntax.TupleLiteral) else expression.entries[0][0]
    return expression


def composed(inner):
    """Expressions with parts from ``inner``."""
    generators = generators_over(inner)
    stopping = generators_over(inner, stops_or_tests=True)
    bindings = st.builds(syntax.Binding, value_names, inner)

    def links(kind):
        return some(inner, 2).map(
            lambda parts: kind(sum((part.parts if isinstance(part, kind) else (part,) for part in parts), ()))
        )

    return st.one_of(
        st.builds(syntax.Field, inner, any_names),
        st.builds(syntax.Index, inner, some(inner)),
        st.builds(syntax.Call, value_names | st.sampled_from([Name("min"), Name("max")]), some(inner, 0)),
        st.builds(syntax.Other, inner),
        st.builds(syntax.Next, inner, maybe(inner)),
        st.builds(syntax.Negation, inner),
        st.builds(syntax.Not, inner),
        st.builds(syntax.Arithmetic, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner, inner),
        st.builds(syntax.Comparison, st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), inner, inner),
        st.builds(syntax.Membership, inner, inner, st.booleans()),
        st.builds(syntax.IsNone, inner, st.booleans()),
        links(syntax.And),
        links(syntax.Or),
        st.builds(syntax.Conditional, inner, inner, inner),
        st.builds(syntax.Where, inner, some(bindings)),
        st.builds(
            syntax.Quantified,
            st.sampled_from(["some", "all", "no", "count", "sum", "min", "max", "first", "last"]),
            some(binders_over(inner)),
            inner,
        ),
        st.builds(syntax.Comprehension, inner, some(generators)),
        st.builds(lambda first, others: syntax.Comprehension(None, (first, *others)), stopping, some(generators, 0, 1)),
        st.builds(syntax.SetLiteral, some(inner, 0)),
        st.builds(syntax.TableLiteral, some(st.tuples(inner, inner))),
        st.builds(syntax.TupleLiteral, some(inner, 2)),
        st.builds(syntax.Range, inner, inner),
        st.builds(syntax.Reach, value_names, inner, inner),
    )


atoms = (
    numbers
    | st.builds(syntax.Reference, value_words)
    | st.builds(syntax.Boolean, st.booleans())
    | st.just(syntax.NoneLiteral())
)
expressions = st.recursive(atoms, composed, max_leaves=8)
few = st.recursive(atoms, composed, max_leaves=3)
amounts = st.tuples(few.map(amount)) | some(few, 2)
cases = st.builds(syntax.Case, some(few, 0), few)
matches = st.builds(syntax.Match, few, some(cases))
nested_matches = st.builds(syntax.Match, few, some(st.builds(syntax.Case, some(few, 0), matches)))
values = few | matches | nested_matches

board_types = st.one_of(
    st.builds(syntax.NamedType, value_words),
    st.builds(syntax.BoardType, st.sampled_from(["grid", "hex", "ring"]), some(few)),
    st.builds(syntax.GraphType, some(some(value_names))),
)
plain_types = st.one_of(
    board_types,
    st.builds(syntax.Enumeration, some(shown_values, 2), st.booleans()),
    st.builds(syntax.RangeType, few, few, maybe(few)),
    st.builds(syntax.PartType, st.builds(syntax.SetLiteral, some(few, 0))),
    st.builds(syntax.PartType, st.builds(syntax.Comprehension, few, some(generators_over(few)))),
    st.builds(syntax.EdgesType, board_types),
)
set_types = st.builds(syntax.SetType, plain_types)
simple_types = st.one_of(plain_types, set_types, st.builds(syntax.OptionalType, plain_types | set_types))
types = simple_types | st.builds(syntax.RecordType, some(st.builds(syntax.RecordField, any_names, simple_types)))

targets = st.recursive(
    st.builds(syntax.Reference, value_words),
    lambda inner: st.builds(syntax.Index, inner, some(few)) | st.builds(syntax.Field, inner, any_names),
    max_leaves=3,
)
outcomes = st.one_of(
    st.builds(syntax.Win, few),
    st.just(syntax.Draw()),
    st.builds(syntax.PayoffMap, some(st.tuples(few, few)), st.booleans()),
    st.builds(syntax.PayoffComprehension, few, few, some(generators_over(few)), st.booleans()),
    st.builds(syntax.PayoffTuple, amounts),
    st.builds(syntax.PayoffTo, few, few),
)
simple_statements = st.one_of(
    st.builds(syntax.Let, value_names, values),
    st.builds(syntax.LocalVariable, value_names, types, maybe(values)),
    st.builds(syntax.Assignment, targets, st.sampled_from([":=", "+=", "-="]), values),
    st.builds(syntax.LayoutAssignment, value_names, some(st.builds(syntax.LayoutRow, texts))),
    st.builds(syntax.Go, any_names, some(few, 0)),
    st.builds(syntax.End, maybe(outcomes)),
    st.builds(syntax.Earn, few, few),
    st.builds(syntax.Reveal, few, st.none() | few),
    st.builds(syntax.Tell, few, any_names, some(few, 0)),
    st.builds(syntax.Do, value_names, some(few, 0)),
)


def compound_statements(inner):
    block = some(inner, 1, 2)
    return st.one_of(
        st.builds(syntax.If, some(st.tuples(few, block)), maybe(block)),
        st.builds(syntax.MatchStatement, few, some(st.builds(syntax.MatchCase, some(few, 0), block))),
        st.builds(syntax.For, some(binders_over(few)), maybe(few), block),
    )


statements = st.recursive(simple_statements, compound_statements, max_leaves=4)
blocks = some(statements, 1, 2)

move_parameters = some(st.builds(syntax.MoveParameter, value_names, few, st.booleans(), st.booleans()), 0)
moves = st.builds(syntax.Move, shown_names, move_parameters, st.booleans(), maybe(few), maybe(few), blocks)
joint_moves = st.builds(syntax.Move, shown_names, move_parameters, st.booleans(), maybe(few), st.none(), st.none())
chance_outcomes = st.builds(
    lambda name, parameters, guard, amounts, body: syntax.OutcomeClause(name, parameters, guard, *amounts, body),
    shown_names,
    move_parameters,
    maybe(few),
    st.tuples(maybe(few), st.none()) | st.tuples(st.none(), few),
    blocks,
)
decisions = st.one_of(
    st.builds(
        syntax.Turn, few, some(st.builds(syntax.TurnClause, st.just("preferring"), amounts), 0, 1), some(moves, 1, 2)
    ),
    st.builds(syntax.Chance, some(chance_outcomes, 1, 2)),
    st.builds(syntax.Chance, some(chance_outcomes, 1, 2), some(binders_over(few)), maybe(few), blocks),
    st.builds(syntax.Together, maybe(binders_over(few)), some(joint_moves, 1, 2), blocks),
)
formals = some(st.builds(syntax.FormalParameter, value_names, types), 0, 2)
phase_formals = some(st.builds(syntax.FormalParameter, value_names, types, st.booleans()), 0, 2)
played_moves = st.builds(syntax.PlayedMove, any_names, some(few, 0, 2))
in_phases = st.builds(syntax.InPhase, any_names, maybe(few))
at_ends = st.builds(syntax.AtEnd, maybe(outcomes), maybe(few))
events = st.builds(syntax.InPosition, few) | in_phases | at_ends
position_expectations = st.one_of(
    st.builds(syntax.ExpectTrue, few),
    st.builds(syntax.ExpectEvent, in_phases | at_ends),
    st.builds(syntax.ExpectKnows, few, few, st.booleans(), st.booleans()),
    st.builds(syntax.ExpectIllegal, played_moves),
)
game_expectations = st.one_of(
    st.builds(syntax.ExpectValue, few, maybe(few)),
    st.builds(syntax.ExpectBest, played_moves),
    st.builds(syntax.ExpectCount, st.sampled_from(["positions", "information_sets"]), st.none(), few),
    st.builds(syntax.ExpectCount, st.just("plays"), few, few),
    st.builds(syntax.ExpectEquilibrium, some(played_moves)),
)
settings = some(st.builds(syntax.Binding, value_names, few), 0, 2)
claims = st.one_of(
    st.builds(
        syntax.ClaimItem,
        st.sampled_from(["zero_sum", "common_payoff", "perfect_information", "deterministic", "symmetric"]),
    ),
    st.builds(syntax.ClaimItem, st.just("constant_sum"), st.tuples(few)),
    st.builds(syntax.ClaimItem, st.just("terminates"), st.just(()) | amounts),
)
variables = st.builds(
    syntax.Variable,
    shown_values,
    some(st.builds(syntax.VariableIndex, maybe(value_names), types), 0, 2),
    types,
    maybe(few),
    maybe(
        st.builds(syntax.Visibility, st.sampled_from(["public", "hidden", "private"]))
        | st.builds(syntax.Visibility, st.just("seen"), few)
    ),
)
leaves = st.builds(syntax.Leaf, amounts)


def tree_nodes(inner):
    return st.builds(
        syntax.DecisionNode, value_names, maybe(any_names), some(st.tuples(shown_names, inner))
    ) | st.builds(syntax.ChanceNode, some(st.builds(syntax.ChanceBranch, few, shown_names, inner)))


cells = st.builds(syntax.TableCell, amounts)
players_of_features = st.builds(syntax.FormalParameter, value_names, st.just(syntax.NamedType("Player")))
languages = st.builds(syntax.Language, st.sampled_from([1, 2]).map(Fraction).map(syntax.Number))
looks = st.builds(
    syntax.Look,
    some(st.builds(syntax.LookWord, any_words, st.just(False)) | st.builds(syntax.LookWord, texts, st.just(True))),
)
drawn_entries = st.builds(syntax.DrawnEntry, few, looks)
declarations = st.one_of(
    st.builds(syntax.Players, some(shown_values)),
    st.builds(syntax.PlayerCount, few, few, few),
    st.builds(syntax.Parameter, value_names, types, few),
    st.builds(syntax.Require, few),
    st.builds(syntax.TypeDeclaration, value_names, types),
    variables,
    st.builds(syntax.Define, value_names, formals, maybe(types), values),
    st.builds(syntax.Action, value_names, formals, blocks),
    st.builds(syntax.Setup, blocks),
    st.builds(syntax.Start, any_names, some(few, 0)),
    st.builds(syntax.Phase, any_names, phase_formals, blocks, maybe(decisions), st.none()),
    st.builds(syntax.Phase, any_names, phase_formals, some(statements, 0, 1), decisions, maybe(blocks)),
    st.builds(syntax.Claim, some(claims)),
    st.builds(syntax.Endless, outcomes),
    st.builds(syntax.Discount, few),
    st.builds(syntax.Feature, value_names, st.tuples(players_of_features), st.none(), values),
    st.builds(syntax.Weight, value_names, few),
    st.builds(syntax.Estimate, value_names, few | st.builds(syntax.WeightedSum)),
    st.builds(syntax.Unsettled, few),
    st.builds(syntax.OrderMoves, few),
    st.builds(syntax.Legend, any_names, some(st.builds(syntax.LegendEntry, characters, few))),
    st.builds(syntax.Drawn, any_names, looks, some(drawn_entries, 0)),
    st.builds(syntax.Drawn, any_names, st.none(), some(drawn_entries)),
    st.builds(syntax.Expect, game_expectations, settings),
    st.builds(syntax.Witness, st.sampled_from(["reachable", "never"]), events, settings),
    st.builds(
        syntax.Test,
        texts,
        some(st.builds(syntax.PlayLine, some(played_moves)) | st.builds(syntax.ExpectLine, position_expectations)),
    ),
    st.builds(syntax.Tree, st.recursive(leaves, tree_nodes, max_leaves=4)),
    st.builds(
        syntax.Table,
        some(st.tuples(any_names, any_names), 0, 2),
        any_names,
        any_names,
        some(shown_names),
        some(st.builds(syntax.TableRow, shown_names, some(cells))),
    ),
)


@st.composite
def games(draw):
    return syntax.GameFile(draw(texts), draw(some(languages, 0, 1)) + draw(some(declarations, 1, 2)))
