"""The symmetries of a game: all that are made of the candidates that are proved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, count, islice, pairwise, permutations, product
from typing import Final

from attrs import frozen

from zermelo.foundation.deadline import check_deadline
from zermelo.interpreter import model
from zermelo.interpreter.model import Block, Expr, Model, Outcome, Phase, Rule, Statement, Variable
from zermelo.interpreter.model.rewriting import blocks, own_statements, reads, rules_of, subexpressions, walk
from zermelo.interpreter.symmetries.equivariance import (
    BY_STRUCTURE,
    IDENTITY,
    STRAIGHT,
    Equivariance,
    KnownCase,
    Matrix,
    Names,
    Numbers,
    Place,
    Relabelling,
    Tables,
    has_fixed_order,
    is_kept,
    keeps_constants,
)
from zermelo.interpreter.types import BoardType, EdgesType, MemberType, NumberType, Type
from zermelo.interpreter.values import Direction, Edge, Member, OrderedSet

# Relabellings that may be symmetries of the rules: what geometry, players and enumerations offer.
#
# * *Boards* of squares and hexagons are turned and mirrored, all of them alike; rings are turned and mirrored, and of
#   other boards there are the permutations of cells that keep neighbours, each board by itself.
# * *Players* are permuted.
# * Two *members* of an enumeration are exchanged; or all members of one are permuted as the players are.
# * *Numbers* from 1 to the width or the height of a board that is mirrored are mirrored with it, where they are names
# for
#   files and ranks; and two numbers by which entries of variables are told apart are exchanged.
#
# The proofs say which of these are symmetries. So nothing here can be wrong, only missing.


MOST_CANDIDATES: Final = 2000
"""The most candidates."""

MANY_MEMBERS: Final = 6
"""Of enumerations with more members, only neighbours are exchanged; of more players, too."""

FEW_PLAYERS: Final = 4
"""Up to so many players are permuted in every way."""

MOST_AUTOMORPHISMS: Final = 48
MOST_TRIALS: Final = 20_000
MANY_CELLS: Final = 100
"""How far the permutations of the cells of a graph are looked for, and in which graphs."""

_Members = dict[Member, Member]


@frozen(eq=False)
class Candidate:
    """A relabelling, with the permutations that may befall names for numbers."""

    relabelling: Relabelling
    permutations: tuple[Numbers, ...] = ()


@frozen(eq=False)
class _Motion:
    """A way to move all boards."""

    matrix: Matrix
    members: _Members


def candidates(game: Model) -> Iterator[Candidate]:
    """The candidates among the relabellings of a game, those first that move the fewest kinds of things; without the
    relabelling that leaves everything as it is."""
    return islice(_candidates(game), MOST_CANDIDATES)


def leaves_out(game: Model) -> bool:
    """Whether some permutations of the cells of a graph may not be among the candidates, since there are too many."""
    for type in game.types:
        if isinstance(type, BoardType) and type.cells and type.shape not in ("grid", "hex", "ring"):
            trials = count()
            some = sum(1 for _ in islice(_extended(type, [], trials), MOST_AUTOMORPHISMS + 1))
            if len(type.cells) > MANY_CELLS or some > MOST_AUTOMORPHISMS or next(trials) > MOST_TRIALS:
                return True
    return False


def _candidates(game: Model) -> Iterator[Candidate]:
    motions, players = list(islice(_motions(game), MOST_CANDIDATES)), list(_of_players(game))
    for exchanged, motion in product(players, motions):
        if exchanged or motion.members:
            for also in ({}, *_as_players(game, exchanged)):
                yield from _with_numbers(game, motion, motion.members | exchanged | also)
    still = _Motion(STRAIGHT, {})
    for type in game.types:
        if type is not game.player_type and type.__class__ is MemberType:
            for one, other in _pairs(type.listed):
                yield Candidate(Relabelling({one: other, other: one}, still.matrix, {}))
    for range_ in {type: None for _, type in _indices(game)}:
        for one, other in _pairs(tuple(range_.generate())):
            numbers = {k: k for k in range_.generate()} | {one: other, other: one}
            places: dict[Place, Numbers] = {place: numbers for place, type in _indices(game) if type == range_}
            yield Candidate(Relabelling({}, STRAIGHT, places), (numbers,))


def _pairs(members: tuple[Member, ...]) -> Iterator[tuple[Member, ...]]:
    """Pairs of members, from whose exchanges all permutations are made."""
    if len(members) > MANY_MEMBERS:
        return pairwise(members)
    return combinations(members, 2)


# ----------------------------------------------------------------- players


def _of_players(game: Model) -> Iterator[_Members]:
    """Permutations of the players, from which all others are made; first the one that changes nothing."""
    players = game.players
    if len(players) <= FEW_PLAYERS:
        for names in permutations(players):
            yield _moved(dict(zip(players, names, strict=True)))
    else:
        yield {}
        yield dict(zip(players, (*players[1:], players[0]), strict=True))
        for one, other in _pairs(players):
            yield {one: other, other: one}


def _moved(members: _Members) -> _Members:
    return {member: name for member, name in members.items() if member is not name}


def _as_players(game: Model, exchanged: _Members) -> Iterator[_Members]:
    """The members of an enumeration permuted as the players are."""
    for type in game.types:
        if exchanged and type is not game.player_type and type.__class__ is MemberType:
            assert isinstance(type, MemberType), "it is just that"
            if len(type.listed) == len(game.players):
                yield {type.listed[one.index]: type.listed[other.index] for one, other in exchanged.items()}


# ------------------------------------------------------------------ boards


def _motions(game: Model) -> Iterator[_Motion]:
    """The ways to move all boards; first the one that moves none."""
    boards = [type for type in game.types if isinstance(type, BoardType) and type.cells]
    plane = [board for board in boards if board.shape in ("grid", "hex")]
    others = [list(_automorphisms(board)) for board in boards if board not in plane]
    for matrix in _matrices(plane):
        moved = [_cells(board, matrix) for board in plane]
        for parts in product(*others):
            members = _moved(
                {cell: name for part in (*moved, *parts) if part is not None for cell, name in part.items()}
            )
            if None not in moved and _add_edges(game, members):
                yield _Motion(matrix, members)


def _matrices(boards: list[BoardType]) -> list[Matrix]:
    """The matrices that keep the directions of all boards, the one that moves nothing first."""
    if not boards:
        return [STRAIGHT]
    found = []
    for a, b, c, d in product((1, 0, -1), repeat=4):
        if a * d - b * c in (1, -1) and all(
            {Direction(a * x + b * y, c * x + d * y) for x, y in board.directions} == set(board.directions)
            for board in boards
        ):
            found.append((a, b, c, d))
    return sorted(found, key=lambda matrix: matrix != STRAIGHT)


def _cells(board: BoardType, matrix: Matrix) -> _Members | None:
    """The cells of a board that is turned or mirrored; None if it does not fit onto itself."""
    a, b, c, d = matrix
    there = [(a * cell.x + b * cell.y, c * cell.x + d * cell.y) for cell in board.cells]
    left = min(x for x, _ in there) - min(cell.x for cell in board.cells)
    low = min(y for _, y in there) - min(cell.y for cell in board.cells)
    names = [board.by_coordinates.get((x - left, y - low)) for x, y in there]
    return (
        {cell: name for cell, name in zip(board.cells, names, strict=True) if name is not None} if all(names) else None
    )


def _automorphisms(board: BoardType) -> Iterator[_Members]:
    """Permutations of the cells of a ring or a graph that keep neighbours, some of them where there are many; first the
    one that moves nothing."""
    cells, size = board.cells, len(board.cells)
    if board.shape == "ring":
        for way, start in product((1, -1), range(size)):
            yield {cell: cells[(start + way * k) % size] for k, cell in enumerate(cells)}
    elif size > MANY_CELLS:
        yield {}
    else:
        for names in islice(_extended(board, [], count()), MOST_AUTOMORPHISMS):
            yield {cell: cells[name] for cell, name in zip(cells, names, strict=True)}


def _extended(board: BoardType, names: list[int], trials: Iterator[int]) -> Iterator[list[int]]:
    """The names of all cells, given those of the first: by trying, with what neighbours exclude."""
    here = len(names)
    if here == len(board.cells):
        yield names
        return
    for name in range(len(board.cells)):
        if next(trials) > MOST_TRIALS:
            return
        fits = name not in names and len(board.links[name]) == len(board.links[here])
        if fits and all((k in board.links[here]) == (other in board.links[name]) for k, other in enumerate(names)):
            yield from _extended(board, [*names, name], trials)


def _add_edges(game: Model, members: _Members) -> bool:
    """Let edges be renamed with their ends; whether there are such edges."""
    for type in game.types:
        if isinstance(type, EdgesType):
            by_ends = {edge.ends: edge for edge in type.listed if isinstance(edge, Edge)}
            for ends, edge in by_ends.items():
                name = by_ends.get(OrderedSet(members.get(cell, cell) for cell in ends))
                if name is None:
                    return False
                if name is not edge:
                    members[edge] = name
    return True


# ----------------------------------------------------------------- numbers


def _indices(game: Model) -> Iterator[tuple[Place, NumberType]]:
    """The numbers by which entries of variables are told apart."""
    for variable in game.variables:
        for k, type in enumerate(variable.indices):
            if isinstance(type, NumberType) and type.size > 1:
                yield (variable, k), type


def _with_numbers(game: Model, motion: _Motion, members: _Members) -> Iterator[Candidate]:
    """The candidates with these members: numbers are mirrored where they are names for files and ranks, and where they
    tell entries apart, or only there."""
    mirrored = tuple(_mirrored(game, motion.matrix))
    yield Candidate(Relabelling(members, motion.matrix, {}), mirrored)
    places: dict[Place, Numbers] = {
        place: numbers
        for place, type in _indices(game)
        for numbers in mirrored
        if all(k in numbers for k in type.generate())
    }
    if places:
        yield Candidate(Relabelling(members, motion.matrix, places), mirrored)


def _mirrored(game: Model, matrix: Matrix) -> Iterator[Numbers]:
    """The numbers of files and ranks that are mirrored."""
    a, b, c, d = matrix
    found = set[int]()
    for board in game.types:
        if isinstance(board, BoardType) and board.shape in ("grid", "hex") and b == c == 0:
            if a < 0:
                found.add(max(cell.x for cell in board.cells))
            if d < 0:
                found.add(max(cell.y for cell in board.cells))
    for most in sorted(found):
        yield {k: most + 1 - k for k in range(1, most + 1)}


# Proofs that the rules of a game commute with a relabelling.
#
# Let R be a relabelling, and s a state at rest. If all parts of the rules are proved, then
#
# * R s is at rest, with the renamed player to act, and the moves in R s are the renamed moves in s, in some order;
# * a move m of s leads to s', if and only if the renamed move leads from R s to R s';
# * outcomes of chance have the same probabilities, ends pay the renamed players the same, and so do earnings;
# * whoever sees something in s, or is told it, is the player under another name who sees it, renamed, in R s.
#
# So plays are mapped to plays, and a position is worth to a player what the renamed position is worth to the renamed
# player. It does not matter whether R s can be reached from the beginning of the game. All that may depend on the order
# of moves is which of several best moves is named first.
#
# Proof: a statement is *equivariant* if it takes the renamed state and names to what it makes of them, renamed.
# Statements are equivariant if all expressions in them are (:mod:`.equivariance`). A loop runs in some order: so either
# the order is mapped as well, or its rounds must commute: each writes entries of its own, and reads nothing that
# another round writes (:func:`_commute`). Payments made one after another may come in another order. Constants,
# variables that only ``setup`` assigns, are looked at as they are. Whatever else there may be is not proved: the
# history of the play, choices made at once.


def prove_symmetry(
    game: Model, relabelling: Relabelling, permutations: tuple[Numbers, ...], tables: Tables
) -> Relabelling | None:
    """The relabelling, with the numbers that are permuted in moves, if it is proved to be a symmetry of the rules; else
    None. ``permutations`` are those that names for numbers may have."""
    if game.history or not _is_bijection(game, relabelling) or not all(map(relabelling.keeps, _declared(game))):
        return None
    for (variable, k), names in _indices_mapped(relabelling):
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


def _indices_mapped(relabelling: Relabelling) -> Iterator[tuple[tuple[Variable, int], Numbers]]:
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


MOST: Final = 64
"""The most symmetries. Those that would make more are left out: all subgroups serve."""


def symmetries(game: Model) -> tuple[Relabelling, ...]:
    """A group of symmetries of the rules, each proved; first the relabelling that changes nothing."""
    return search(game)[0]


def search(game: Model) -> tuple[tuple[Relabelling, ...], bool]:
    """The same group, and whether there may be more symmetries of the kinds that are looked for,
    which have been left out since there are too many."""
    found, generators, tables = {IDENTITY.effect: IDENTITY}, list[Relabelling](), Tables()
    is_cut = leaves_out(game)
    for candidate in candidates(game):
        check_deadline()
        if 2 * len(found) > MOST:  # the next larger group has twice as many at least (Lagrange)
            is_cut = True
            break
        if candidate.relabelling.effect in found:
            continue
        symmetry = prove_symmetry(game, candidate.relabelling, candidate.permutations, tables)
        if symmetry is not None and symmetry.effect not in found:
            larger = _generated([*generators, symmetry])
            if len(larger) <= MOST:
                found = larger
                generators.append(symmetry)
            else:
                is_cut = True
    return tuple(found.values()), is_cut


def player_fixing_subgroup(game: Model, found: tuple[Relabelling, ...]) -> tuple[Relabelling, ...]:
    """Those of a group that leave every player as they are: a group, too."""
    return tuple(symmetry for symmetry in found if not any(player in symmetry.members for player in game.players))


def generators(group: Iterable[Relabelling]) -> list[Relabelling]:
    """Some members of a group of which all others are made: few, since each of them doubles at least what is made."""
    chosen: list[Relabelling] = []
    made = {IDENTITY.effect: IDENTITY}
    for symmetry in group:
        if symmetry.effect not in made:
            chosen.append(symmetry)
            made = _generated(chosen)
    return chosen


def _generated(generators: list[Relabelling]) -> dict[object, Relabelling]:
    """The group of all that these symmetries make; one too many at least if there are too many."""
    found, waiting = {IDENTITY.effect: IDENTITY}, [IDENTITY]
    while waiting and len(found) <= MOST:
        symmetry = waiting.pop()
        for generator in generators:
            another = symmetry.then(generator)
            if another.effect not in found:
                found[another.effect] = another
                waiting.append(another)
    return found
