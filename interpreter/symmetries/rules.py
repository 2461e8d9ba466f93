"""Proofs that the rules of a game commute with a relabelling.

Let R be a relabelling, and s a state at rest. If all parts of the rules are proved, then

* R s is at rest, with the renamed player to act, and the moves in R s are the renamed moves in s, in some order;
* a move m of s leads to s', if and only if the renamed move leads from R s to R s';
* outcomes of chance have the same probabilities, ends pay the renamed players the same, and so do earnings;
* whoever sees something in s, or is told it, is the player under another name who sees it, renamed, in R s.

So plays are mapped to plays, and a position is worth to a player what the renamed position is worth to the renamed
player. It does not matter whether R s can be reached from the beginning of the game. All that may depend on the order
of moves is which of several best moves is named first.

Proof: a statement is *equivariant* if it takes the renamed state and names to what it makes of them, renamed.
Statements are equivariant if all expressions in them are (:mod:`.equivariance`). A loop runs in some order: so either
the order is mapped as well, or its rounds must commute: each writes entries of its own, and reads nothing that another
round writes (:func:`_commute`). Payments made one after another may come in another order. Constants, variables that
only ``setup`` assigns, are looked at as they are. Whatever else there may be is not proved: the history of the play,
choices made at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from zermelo.interpreter import model
from zermelo.interpreter.model import Block, Expr, Model, Outcome, Phase, Rule, Statement, Variable
from zermelo.interpreter.model.rewriting import reads, subexpressions, walk
from zermelo.interpreter.model.walks import blocks, own_statements, rules_of
from zermelo.interpreter.symmetries.beginning import keeps_constants
from zermelo.interpreter.symmetries.by_structure import BY_STRUCTURE
from zermelo.interpreter.symmetries.commuting import has_fixed_order
from zermelo.interpreter.symmetries.equivariance import Equivariance, KnownCase, Names, is_kept
from zermelo.interpreter.symmetries.relabelling import Numbers, Place, Relabelling
from zermelo.interpreter.symmetries.tables import Tables
from zermelo.interpreter.types import MemberType, Type


def proved(
    game: Model, relabelling: Relabelling, permutations: tuple[Numbers, ...], tables: Tables
) -> Relabelling | None:
    """The relabelling, with the numbers that are permuted in moves, if it is proved to be a symmetry of the rules; else
    None. ``permutations`` are those that names for numbers may have."""
    if game.history or not _is_bijection(game, relabelling) or not all(map(relabelling.keeps, _declared(game))):
        return None
    for (variable, k), names in _indices(relabelling):
        type = variable.indices[k]
        if not is_kept(type, names) or not all(number in names for number in type.generate()):
            return None
    proof = _Rules(Equivariance(relabelling, permutations, tables, BY_STRUCTURE))
    if not keeps_constants(game, relabelling) or not all(map(proof.seen, game.variables)):
        return None
    if game.endless is not None and not proof.names().outcome(game.endless.outcome):
        return None
    if not all(map(proof.phase, game.phases.values())):
        return None
    numbers = {**relabelling.numbers, **proof.parameters}
    return Relabelling(relabelling.members, relabelling.matrix, dict(_needed(numbers)))


def _is_bijection(game: Model, relabelling: Relabelling) -> bool:
    """Whether the members of every type get each other's names, and no others, and so do steps, and numbers."""
    types = [type for type in game.types if isinstance(type, MemberType)]
    moved = set(relabelling.members)
    a, b, c, d = relabelling.matrix
    return (
        moved <= {member for type in types for member in type.listed}
        and all({relabelling.of(member) for member in type.listed} == set(type.listed) for type in types)
        and all(set(names) == set(names.values()) for names in relabelling.numbers.values())
        and a * d - b * c in (1, -1)
    )


def _indices(relabelling: Relabelling) -> Iterator[tuple[tuple[Variable, int], Numbers]]:
    for (whole, k), numbers in relabelling.numbers.items():
        assert isinstance(whole, Variable), "moves get their numbers in the proof"
        yield (whole, k), numbers


def _needed(numbers: Mapping[Place, Numbers]) -> Iterator[tuple[Place, Numbers]]:
    """The numbers that are permuted at each place, as far as they belong there: so equal symmetries look equal."""
    for (whole, k), names in numbers.items():
        type = whole.indices[k] if isinstance(whole, Variable) else whole.parameters[k].type
        here = {number: name for number, name in names.items() if type.contains(number)}
        if any(number != name for number, name in here.items()):
            yield (whole, k), here


def _declared(game: Model) -> Iterator[Type]:
    """The types of all that holds a value, but for parameters of defines and actions, which calls look at."""
    for variable in game.variables:
        yield from (*variable.indices, variable.type)
    for phase in game.phases.values():
        yield from (parameter.type for parameter in phase.parameters)
        for rule in rules_of(phase.decision):
            yield from (parameter.type for parameter in rule.parameters)
    for block in blocks(game):
        for statement in own_statements(block):
            if isinstance(statement, model.SetLocal | model.SetLocalField) and statement.type is not None:
                yield statement.type


class _Rules:
    """The proofs about statements and phases, and the ``parameters`` of moves that they have found to be permuted."""

    def __init__(self, proof: Equivariance) -> None:
        self.proof = proof
        self.parameters: dict[tuple[Variable | Rule, int], Numbers] = {}

    def names(self) -> _Statements:
        """The names of a callable without permuted ones."""
        return _Statements(Names(self.proof))

    def seen(self, variable: Variable) -> bool:
        """Whether the renamed players see the renamed entries of a variable."""
        if not isinstance(variable.visibility, model.SeenBy):
            return True
        numbers = self.proof.relabelling.numbers
        permuted = {k: numbers[variable, k] for k in range(len(variable.indices)) if (variable, k) in numbers}
        return Names(self.proof, permuted).is_equivariant(variable.visibility.audience)

    def phase(self, phase: Phase) -> bool:
        """Whether a phase is equivariant."""
        inside = self.names()
        if not inside.block(phase.entry) or not self.decision(inside, phase.decision):
            return False
        return phase.otherwise is None or inside.block(phase.otherwise)

    def decision(self, inside: _Statements, decision: model.Decision | None) -> bool:
        """Whether the renamed player decides, on renamed moves."""
        match decision:
            case model.Turn(player=player, preferring=preferring, moves=moves):
                return (
                    inside.names.is_equivariant(player)
                    and all(
                        has_fixed_order(expr.type, inside.names.proof.relabelling) and inside.names.is_equivariant(expr)
                        for expr in preferring
                    )
                    and all(self.rule(inside, rule) for rule in moves)
                )
            case model.Chance(outcomes=outcomes):
                return all(self.rule(inside, rule) for rule in outcomes)
            case None:
                return True
        return False

    def rule(self, inside: _Statements, rule: Rule, bound: int = 0) -> bool:
        """Whether the moves of a rule are mapped, from parameter number ``bound`` on."""
        names = inside.names
        if not all(map(names.is_equivariant, rule.guards[bound])):
            return False
        if bound < len(rule.parameters):
            parameter = rule.parameters[bound]

            def rest() -> bool:
                numbers = names.permuted.get(parameter.slot)
                if numbers is not None and not is_kept(parameter.type, numbers):
                    return False
                if not self.rule(inside, rule, bound + 1):
                    return False
                if numbers is not None:
                    self.parameters[rule, bound] = numbers
                return True

            return names.choose(parameter.slot, parameter.domain, parameter.domain, rest)
        weights = (expr for expr in (rule.ensuring, rule.weight, rule.probability) if expr is not None)
        return inside.block(rule.body) and all(map(names.is_equivariant, weights))


class _Statements:
    """The proofs about the statements of one callable."""

    def __init__(self, names: Names) -> None:
        self.names = names

    def block(self, block: Block) -> bool:
        """Whether a block is equivariant."""
        return self.blocks_map(block, block)

    def blocks_map(self, es: Block, fs: Block) -> bool:
        """Whether ``fs`` does to renamed states what ``es`` does, renamed."""
        es_groups, fs_groups = list(_grouped(es)), list(_grouped(fs))
        return len(es_groups) == len(fs_groups) and all(map(self.groups_map, es_groups, fs_groups))

    def groups_map(self, es: Block, fs: Block) -> bool:
        """The same for a single statement, or for several payments, in some order."""
        e, f = es[0], fs[0]
        if isinstance(e, model.Earn):
            return self.names.matches(_payments(es), _payments(fs))
        return len(es) == len(fs) and type(e) is type(f) and self.maps(e, f)

    def maps(self, e: Statement, f: Statement) -> bool:
        """The same for one statement."""
        names = self.names
        match e, f:
            case model.SetLocal(), model.SetLocal():
                is_same = (e.slot, e.type) == (f.slot, f.type) and e.slot not in names.permuted
                if not is_same or not names.maps(e.value, f.value):
                    return False
                names.forget(e.slot)
                return True
            case model.SetLocalField(), model.SetLocalField():
                if (e.slot, e.path) != (f.slot, f.path) or not names.maps(e.value, f.value):
                    return False
                names.forget(e.slot)
                return True
            case model.Assign(), model.Assign():
                numbers = names.proof.relabelling.numbers
                return (
                    (e.variable, e.path) == (f.variable, f.path)
                    and names.maps(e.value, f.value)
                    and all(
                        names.maps_as(numbers.get((e.variable, k)), one, other)
                        for k, (one, other) in enumerate(zip(e.indices, f.indices, strict=True))
                    )
                )
            case model.Fill(), model.Fill():
                return e.variable is f.variable and names.maps(e.value, f.value)
            case model.If_(), model.If_():
                return self.branches_map(e, f)
            case model.For(), model.For():
                return self.loops_map(e, f)
            case model.Go(), model.Go():
                return e.phase == f.phase and names.all_map(e.arguments, f.arguments)
            case model.End(), model.End():
                return self.outcomes_map(e.outcome, f.outcome)
            case model.Do(), model.Do():
                body = e.action.body
                return e.action is f.action and names.calls(
                    e.action, e.arguments, f.arguments, "effects", lambda inside: _Statements(inside).block(body)
                )
            case model.Tell(), model.Tell():
                return (
                    e.label == f.label
                    and names.maps(e.audience, f.audience)
                    and names.all_map(e.arguments, f.arguments)
                )
        return False

    def branches_map(self, e: model.If_, f: model.If_) -> bool:
        """Whether an ``if`` maps: by its parts, or by the cases of its condition."""
        names = self.names
        if names.maps(e.condition, f.condition) and self.blocks_map(e.yes, f.yes) and self.blocks_map(e.no, f.no):
            return True

        def maps(case: KnownCase) -> bool:
            return self.blocks_map(e.yes if case.before else e.no, f.yes if case.after else f.no)

        return names.by_cases(names.cases(e.condition, f.condition), maps)

    def loops_map(self, e: model.For, f: model.For) -> bool:
        """Whether a loop maps: in its order, or in any."""
        for statement in own_statements(e.body):
            if isinstance(statement, model.SetLocal | model.SetLocalField):
                self.names.forget(statement.slot)

        def body() -> bool:
            return self.blocks_map(e.body, f.body)

        if self.names.bind(e.binders, f.binders, body, in_order=True):
            return True
        return _commute(e) and _commute(f) and self.names.bind(e.binders, f.binders, body)

    def outcome(self, outcome: Outcome) -> bool:
        """Whether an end pays the renamed players the same."""
        return self.outcomes_map(outcome, outcome)

    def outcomes_map(self, e: Outcome, f: Outcome) -> bool:
        """Whether one end pays the renamed players what another one pays."""
        match e, f:
            case model.DrawOutcome(), model.DrawOutcome():
                return True
            case model.WinOutcome(winners=winners), model.WinOutcome(winners=others):
                return self.names.maps(winners, others)
            case model.PayoffOutcome(entries=entries), model.PayoffOutcome(entries=others):
                return self.names.matches(entries, others)
            case model.PayoffForOutcome(), model.PayoffForOutcome():
                pays = (e.player, e.amount), (f.player, f.amount)
                return self.names.bind(e.binders, f.binders, lambda: self.names.all_map(*pays))
        return False


def _grouped(block: Block) -> Iterator[Block]:
    """The statements of a block one by one, but for adjacent payments, which come together."""
    payments: Block = ()
    for statement in block:
        if isinstance(statement, model.Earn):
            payments += (statement,)
            continue
        if payments:
            yield payments
            payments = ()
        yield (statement,)
    if payments:
        yield payments


def _payments(group: Block) -> list[tuple[Expr, ...]]:
    return [(statement.player, statement.amount) for statement in group if isinstance(statement, model.Earn)]


def _commute(loop: model.For) -> bool:
    """Whether the rounds of a loop may run in any order: they only write entries of variables, each at an index that
    tells the rounds apart, and of these variables a round reads nothing but the entry that it writes itself; or they
    pay somebody. Nothing ends a round early."""
    inside = list(own_statements(loop.body))
    if not all(isinstance(each, model.Assign | model.If_ | model.Earn) for each in inside):
        return False
    slots = {binder.slot for binder in loop.binders}
    written: dict[Variable, tuple[Expr, ...]] = {}
    for each in inside:
        if isinstance(each, model.Assign):
            own = {index.slot for index in each.indices if isinstance(index, model.Local)}
            if not slots <= own or each.path or written.setdefault(each.variable, each.indices) != each.indices:
                return False
    return all(_leaves_alone(part, written) for each in inside for expr in subexpressions(each) for part in walk(expr))


def _leaves_alone(part: Expr, written: dict[Variable, tuple[Expr, ...]]) -> bool:
    """Whether an expression itself reads nothing that other rounds write."""
    match part:
        case model.Read(variable=variable, indices=indices):
            return variable not in written or indices == written[variable]
        case model.Call(define=define):
            return written.keys().isdisjoint(read.variable for read in reads(define.body))
        case model.Stuck():
            return False
    return True
