"""The tree of a game as a picture shows it: values at the nodes, best moves, probabilities, information sets."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from fractions import Fraction
from math import inf
from typing import TYPE_CHECKING, Any, Final

from attrs import define, evolve, frozen

from zermelo.drawing.tables import LONG, picture_title, short_number
from zermelo.game import CHANCE, Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.checks.game_facts import Facts
from zermelo.interpreter.machine import CHANCE as CHANCE_ACTS
from zermelo.interpreter.machine import END, Move, Payoff, display_text
from zermelo.numbers import count_in_words, is_told_by_one, short_text
from zermelo.pictures.trees import DrawnNode, DrawnTree
from zermelo.solvers.choosing.choice import solve
from zermelo.solvers.choosing.registry import SOLVERS, Need, Solver, find_solver, may_fit
from zermelo.solvers.common.limits import Limits, ignore_progress
from zermelo.solvers.forms.policy import ConditionalPlan
from zermelo.solvers.forms.strategy import Decision
from zermelo.solvers.positions.graph.graph import ROOT, PositionGraph
from zermelo.solvers.positions.solved_positions import earned_and_factor_before
from zermelo.solvers.solution import Request, Solution
from zermelo.solving import facts_with_information, on_machine, search, size_of, solve_knowing

if TYPE_CHECKING:
    from zermelo.drawing.alike import AlikeMoves

# The upper part of a game's tree: as many whole levels as a picture has room for.


NODES: Final = 300
"""How many nodes a picture has if nobody asks for more."""


@define(eq=False)
class GrownNode:
    """A node of the tree: its ``parent`` by number, None at the root; the ``move`` or outcome that leads there, and the
    ``probability`` of an outcome. Its ``children`` are numbers; ``outcomes`` is how many outcomes a draw has, 0 if
    that is not known. A child that stands for others that are alike has in ``stands_for`` the places of all of them
    among the choices of its parent, its own first, and their probability; one that stands for itself has nothing
    there."""

    parent: int | None
    move: Move | None
    probability: Fraction | None
    state: State
    depth: int
    children: list[int]
    outcomes: int | None = None
    stands_for: tuple[int, ...] = ()

    @property
    def is_cut(self) -> bool:
        """Whether the play goes on behind the node, outside the tree."""
        return not self.children and not self.state.is_over


def grow(
    root: State,
    depth: float = inf,
    most: int = NODES,
    report: Callable[[int], None] | None = None,
    alike_moves: AlikeMoves | None = None,
) -> list[GrownNode]:
    """The nodes of the tree, level by level, each behind its parent: so many levels below the root as ``depth`` says,
    and only levels that are whole within ``most`` nodes. Of children of a node that are alike there is one."""
    nodes = [GrownNode(None, None, None, root, 0, [])]
    level = [0]
    alike = 1 if alike_moves is None else len(alike_moves.group)
    while level and nodes[level[0]].depth < depth:
        room = most - len(nodes)
        offered = [(number, choices(nodes[number], room * alike)) for number in level]
        if sum(len(each) for _, each in offered) > room * alike:
            return nodes
        below = [child for number, each in offered for child in _children(number, nodes[number], each, alike_moves)]
        if len(below) > room:
            return nodes
        if report is not None:
            report(len(nodes) + len(below))
        level = list(range(len(nodes), len(nodes) + len(below)))
        for number, node in zip(level, below, strict=True):
            assert node.parent is not None, "only the root has none"
            nodes[node.parent].children.append(number)
        nodes += below
    return nodes


def _children(
    number: int, node: GrownNode, offered: list[tuple[Move, Fraction | None]], alike_moves: AlikeMoves | None
) -> list[GrownNode]:
    """The children of the node of this number: all, or one of each class of those that are alike."""
    every = [
        GrownNode(number, move, probability, node.state.after(move), node.depth + 1, [])
        for move, probability in offered
    ]
    if alike_moves is None:
        return every
    kept = []
    for places in alike_moves.classes(node.state, [move for move, _ in offered]):
        first = every[places[0]]
        first.stands_for = tuple(places)
        if first.probability is not None:
            first.probability = sum((every[k].probability or Fraction(0) for k in places), Fraction(0))
        kept.append(first)
    return kept


def choices(node: GrownNode, room: int) -> list[tuple[Move, Fraction | None]]:
    """The moves of a node, or its outcomes unless they are more than there is room for."""
    state = node.state
    if state.actor != CHANCE:
        return [(move, None) for move in state.moves]
    try:
        node.outcomes = state.sample_space.count
        return list(state.outcomes) if node.outcomes <= room else []
    except ZermeloError as error:
        if error.code != "too-many-outcomes":
            raise
        node.outcomes = node.outcomes or 0
        return []


# What the nodes of a drawn tree are worth, which moves are best there, and how much lies below those where it ends.
#
# Where everybody knows the position, the positions are solved one by one, and every node has the value of its position,
# however far the tree goes on below it. Where something is hidden, a position has no value by itself: there the
# equilibrium of the whole game says how likely every move is, and a node is worth what that brings on average. So the
# tree must be known to its ends.


HISTORIES: Final = 10_000
"""The most histories of a game with secrets that is solved for a picture, unless a solver is asked for."""


@frozen(eq=False)
class NodeWorth:
    """What a node is worth to all players, None if nobody knows, each to within ``error``; how likely each move or
    outcome of it is, where players mix; which are best; and how many nodes lie below, None if that is not known or they
    go on for ever."""

    payoff: Payoff | None = None
    error: Fraction = Fraction(0)
    chances: tuple[Fraction, ...] | None = None
    best: frozenset[int] = frozenset()
    below: int | None = None


@frozen(eq=False)
class Worths:
    """The worths of all nodes, in their order, and the solution that they come from, if there is one; or they follow
    from the file's estimates of the positions where the tree ends."""

    nodes: Sequence[NodeWorth]
    solution: Solution | None = None
    are_estimates: bool = False


def only_payoffs(nodes: Sequence[GrownNode], solution: Solution | None = None) -> Worths:
    """What the ends pay, and nothing else."""
    return Worths([NodeWorth(_payoff(node.state)) for node in nodes], solution)


def worths_of(nodes: list[GrownNode], solver: str | None, limits: Limits, progress: Callable[[int], None]) -> Worths:
    """The worths of the nodes of a tree, by a ``solver`` or else by one that fits. Without a name, a game that is too
    large to be solved beside a picture is drawn without worths.

    Raises ``ZermeloError`` as :func:`zermelo.solve` does, if a ``solver`` is named."""
    root = nodes[0].state
    facts = facts_with_information(root.game)
    try:
        if facts.perfect_information.holds:
            return _worths_by_position(nodes, solver, limits, progress)
        return _worths_by_equilibrium(nodes, solver, limits, progress)
    except ZermeloError as error:
        if solver is not None or error.code in ("out-of-time", "out-of-memory"):
            raise
        return only_payoffs(nodes)


def worths_by(solution: Solution, root: State, is_small: bool) -> Callable[[list[GrownNode]], Worths]:
    """A function that gives the worths of nodes below ``root``, in the order of :func:`grow`, from a ``solution`` of
    the game from there on: by its strategies, if the tree is not too large for that; or, where nothing is hidden and
    the tree ``is_small`` or the positions are few enough for a picture, by the values of all positions, which are found
    now, whatever solver found the solution. Otherwise it knows only what the ends pay."""
    if solution.strategies or solution.plan is not None:
        whole = grow(root, inf, HISTORIES)
        if any(node.is_cut for node in whole):
            return only_payoffs
        worths = worths_by_strategies(whole, solution)
        at = {node.state.play: worth for node, worth in zip(whole, worths.nodes, strict=True)}
        return lambda nodes: Worths([at[node.state.play] for node in nodes], solution)
    game = root.game
    is_known = game.facts.perfect_information.holds and Need.PUBLIC.is_met(game.facts)
    if is_known and (is_small or size_of(game, Limits()).finished):
        with suppress(ZermeloError):
            solved = _solve_positions(root, None, Limits(), ignore_progress)
            return lambda nodes: _worths_at_positions(nodes, solved)
    return only_payoffs


def _payoff(state: State) -> Payoff | None:
    return state.payoff if state.is_over else None


def _worths_by_position(
    nodes: list[GrownNode], solver: str | None, limits: Limits, progress: Callable[[int], None]
) -> Worths:
    """By the values of all positions."""
    root, game = nodes[0].state, nodes[0].state.game
    if not Need.PUBLIC.is_met(game.facts) or (solver is None and not size_of(game, Limits(), progress).finished):
        return only_payoffs(nodes)

    return _worths_at_positions(nodes, _solve_positions(root, solver, limits, progress))


def _check_shows(solver: Solver, facts: Facts) -> None:
    """Raise ``ZermeloError`` (``no-policy``) if a tree has nothing to show of a solver that fits: neither what it looks
    at nor what every position is worth."""
    if solver.advises or not may_fit(solver, facts):
        return
    able = [other.name for other in SOLVERS.values() if (other.traces or other.advises) and may_fit(other, facts)]
    raise ZermeloError(
        "no-policy",
        f"{solver.title} neither records its search nor says what to do in every position",
        "with --frames its tree is drawn as it grows" if solver.name == "mcts" else f"these do: {', '.join(able)}",
    )


def _solve_positions(root: State, solver: str | None, limits: Limits, progress: Callable[[int], None]) -> Solution:
    """A solution of all positions behind a state."""
    game = root.game
    if solver is not None:
        _check_shows(find_solver(solver), game.facts)

    def work(machine: Any) -> Solution:
        start = on_machine(root, machine)
        return solve(machine, game.facts, Request(solver or "positions", limits, is_advised=True), start, progress)

    return search(game, work)


def _worths_at_positions(nodes: list[GrownNode], solution: Solution) -> Worths:
    """By a solution of all positions behind the first node."""
    from zermelo.solvers.positions.policies import Policy

    game, root, policy = nodes[0].state.game, nodes[0].state, solution.policy
    if not isinstance(policy, Policy):
        return only_payoffs(nodes, solution)
    graph, solved = policy.graph, policy.solved
    counted = _sizes(graph)
    earned, factor = earned_and_factor_before(game.machine, root.machine_state)
    at: list[tuple[int, Payoff, Fraction]] = [(ROOT, earned, factor)]
    found: list[NodeWorth] = []
    for number, node in enumerate(nodes):
        position, earned, factor = at[number]
        edges = graph.edges(position)
        best = frozenset(edge - edges.start for edge in solved.followed(position)) if graph.actor(position) >= 0 else ()
        later, bounds = solved.payoff(position), solved.bounds(position)
        found.append(
            NodeWorth(
                None if later is None else tuple(a + factor * b for a, b in zip(earned, later, strict=True)),
                Fraction(0) if bounds is None else abs(factor) * (bounds[1] - bounds[0]) / 2,
                None,
                frozenset(best),
                None if counted is None else counted[position] - 1,
            )
        )
        for edge in (edges[_place(child, nodes)] for child in node.children):
            reward = graph.reward(edge)
            behind = tuple(a + factor * b for a, b in zip(earned, reward, strict=True))
            at.append((graph.targets[edge], behind, factor * graph.factor(position, edge)))
    return Worths(found, solution)


def _place(child: int, nodes: Sequence[GrownNode]) -> int:
    """The place of a child among the choices of its parent."""
    node = nodes[child]
    assert node.parent is not None, "it is a child"
    return node.stands_for[0] if node.stands_for else child - nodes[node.parent].children[0]  # they follow each other


def _sizes(graph: PositionGraph) -> list[int] | None:
    """How many nodes the tree below each position has, itself included; None if plays can go round."""
    found = [0] * len(graph)
    path = [ROOT]
    is_open = bytearray(len(graph))
    while path:
        position = path[-1]
        if graph.actor(position) == END:
            found[position] = 1
        elif not is_open[position]:
            is_open[position] = True
            for edge in graph.edges(position):
                target = graph.targets[edge]
                if is_open[target] and not found[target]:
                    return None
                if not found[target]:
                    path.append(target)
            continue
        elif not found[position]:
            found[position] = 1 + sum(found[graph.targets[edge]] for edge in graph.edges(position))
        path.pop()
    return found


def _worths_by_equilibrium(
    nodes: list[GrownNode], solver: str | None, limits: Limits, progress: Callable[[int], None]
) -> Worths:
    """By strategies of the whole game."""
    root, game = nodes[0].state, nodes[0].state.game
    whole = grow(root, inf, HISTORIES, progress)
    if solver is None and any(node.is_cut for node in whole):
        return only_payoffs(nodes)
    solution = solve_knowing(game.facts, game, None, solver, progress, limits)
    found = worths_by_strategies(whole, solution)
    return Worths(found.nodes[: len(nodes)], solution)


def worths_by_strategies(whole: list[GrownNode], solution: Solution) -> Worths:
    """The worths of the nodes of a tree that is known to its ends, if all follow the strategies of a solution, or a
    single player its plan."""
    decisions = {
        (player, tuple(decision.known)): decision
        for player, strategy in enumerate(solution.strategies)
        for decision in strategy.decisions
    }
    found: list[NodeWorth] = [NodeWorth()] * len(whole)
    for number in reversed(range(len(whole))):
        node = whole[number]
        likely, is_made = _child_probabilities(node, whole, decisions, solution.plan)
        below = [found[child] for child in node.children]
        payoff = _payoff(node.state)
        if below and likely is not None:
            payoff = _mean(likely, [each.payoff for each in below])
        count = (
            None
            if node.is_cut or any(each.below is None for each in below)
            else (sum(each.below + 1 for each in below if each.below is not None))
        )
        best = frozenset(k for k, chance in enumerate(likely or ()) if chance and is_made)
        mixed = likely if node.state.actor != CHANCE and solution.plan is None else None
        found[number] = NodeWorth(payoff, Fraction(0), mixed, best, count)
    return Worths(found, solution)


def _child_probabilities(
    node: GrownNode,
    nodes: list[GrownNode],
    decisions: dict[tuple[int, tuple[Any, ...]], Decision],
    plan: ConditionalPlan | None,
) -> tuple[tuple[Fraction, ...] | None, bool]:
    """How likely the children of a node are, None where the plan never leads; and whether a player decides there while
    all follow their strategies."""
    state = node.state
    if not node.children:
        return None, False
    if state.actor == CHANCE:
        return tuple(nodes[child].probability or Fraction(0) for child in node.children), False
    assert state.actor is not None, "the play goes on"
    known = tuple(state.information_state(state.actor))
    if plan is None:
        decision = decisions.get((state.game.number(state.actor), known))
        return (None, False) if decision is None else (decision.probabilities, decision.is_met)
    step = plan.step_at(known) if plan.player == state.actor else None
    if step is None:
        return None, False
    return tuple(Fraction(nodes[child].move == step.move) for child in node.children), True


def _mean(likely: Sequence[Fraction], payoffs: Sequence[Payoff | None]) -> Payoff | None:
    """What is brought on average; None if that depends on something unknown."""
    counted = [(chance, payoff) for chance, payoff in zip(likely, payoffs, strict=True) if chance]
    if any(payoff is None for _, payoff in counted):
        return None
    known = [(chance, payoff) for chance, payoff in counted if payoff is not None]
    return tuple(sum((chance * each[p] for chance, each in known), Fraction(0)) for p in range(len(known[0][1])))


def _worths_by_estimates(nodes: Sequence[GrownNode], facts: Facts) -> Worths:
    """By the file's estimates of the positions where the tree ends: backward induction, in which players with several
    best moves make the first."""
    found = [NodeWorth()] * len(nodes)
    for number in reversed(range(len(nodes))):
        node = nodes[number]
        below = [payoff for child in node.children if (payoff := found[child].payoff) is not None]
        if not node.children:
            found[number] = NodeWorth(_payoff(node.state) or _estimate(node.state, facts))
        elif node.state.actor == CHANCE:
            likely = [nodes[child].probability or Fraction(0) for child in node.children]
            found[number] = NodeWorth(_mean(likely, below))
        else:
            assert node.state.actor is not None, "the play goes on"
            own = [payoff[node.state.game.number(node.state.actor)] for payoff in below]
            best = (
                _place(child, nodes) for child, amount in zip(node.children, own, strict=True) if amount == max(own)
            )
            found[number] = NodeWorth(below[own.index(max(own))], best=frozenset(best))
    return Worths(found, are_estimates=True)


def _estimate(state: State, facts: Facts) -> Payoff:
    """What the players get by the file's estimate; of two with a constant sum the second gets the rest."""
    machine, players = state.game.machine, state.game.players
    earned, factor = earned_and_factor_before(machine, state.machine_state)
    amounts = [
        (state.estimate(player) or Fraction(0)) * factor + gain for player, gain in zip(players, earned, strict=True)
    ]
    if len(players) == 2 and facts.sum is not None:
        return Fraction(amounts[0]), Fraction(facts.sum - amounts[0])
    return tuple(map(Fraction, amounts))


# The tree as it is drawn, with what a reader must know of it.


TIMES: Final = "\N{MULTIPLICATION SIGN}"

HIDDEN: Final = ("values", "windows", "best")
"""What can be left out of a tree, for exercises."""


def draw_game_tree(
    root: State,
    depth: float = inf,
    most: int = NODES,
    solver: str | None = None,
    limits: Limits | None = None,
    progress: Callable[[int], None] | None = None,
    *,
    has_boards: bool = False,
    merges: bool = False,
    hide: Collection[str] = (),
) -> DrawnTree:
    """The tree of a game from a state on: whole levels, at most ``depth`` below it and ``most`` nodes together. A node
    below which the picture leaves out the rest of the play says how much that is.

    If it ``has_boards``, each node is a small board; where the picture ends before the plays do, the file's estimate is
    below it, if there is one and no ``solver`` is named, and the numbers above follow from these estimates. If it
    ``merges``, children that are alike are drawn once (:mod:`zermelo.drawing.alike`). ``hide`` says what is left out:
    ``values`` are those of nodes with children, ``best`` is what players do.

    Raises ``ZermeloError`` as :func:`zermelo.solve` does, if a ``solver`` is named; ``needs-perfect-information`` if
    children are to be merged where something is hidden; ``bad-usage`` for boards in a game that has none."""
    facts = facts_with_information(root.game)
    is_estimated = has_boards and solver is None and facts.has_estimate and facts.perfect_information.holds is True
    alike_moves = None
    if merges:
        from zermelo.drawing.alike import AlikeMoves  # which few trees need

        alike_moves = AlikeMoves.of(root.game, is_estimated)
    nodes = grow(root, depth, most, progress, alike_moves)
    if is_estimated and any(node.is_cut for node in nodes):
        worths = _worths_by_estimates(nodes, facts)
    else:
        worths = worths_of(nodes, solver, limits or Limits(), progress or (lambda count: None))
    return draw_nodes(nodes, worths, facts, has_boards, hide)


def draw_nodes(
    nodes: list[GrownNode], worths: Worths, facts: Facts, has_boards: bool = False, hide: Collection[str] = ()
) -> DrawnTree:
    """The tree of these nodes, the first of which is its root, with what they are worth; with boards at the nodes, and
    without what is to ``hide``."""
    root = nodes[0].state
    is_told = is_told_by_one(facts)
    drawn = [_drawn_node(number, nodes, worths, is_told, hide) for number in range(len(nodes))]
    if has_boards:
        drawn = [
            _with_board(each, node, worths.are_estimates, len(nodes)) for each, node in zip(drawn, nodes, strict=True)
        ]
    return DrawnTree(
        picture_title(root),
        root.game.titles,
        tuple(drawn),
        _information_sets(nodes),
        _remarks(nodes, worths, is_told, hide),
    )


def _drawn_node(number: int, nodes: list[GrownNode], worths: Worths, is_told: bool, hide: Collection[str]) -> DrawnNode:
    node, own = nodes[number], worths.nodes[number]
    label: list[str] = []
    is_best = False
    if node.parent is not None and node.move is not None:
        above, place = worths.nodes[node.parent], _place(number, nodes)
        alike = f" {TIMES}{len(node.stands_for)}" if len(node.stands_for) > 1 else ""
        label.append(f"{display_text(node.move)}{alike}")
        is_best = place in above.best and "best" not in hide
        mixed = None if "best" in hide or above.chances is None else above.chances[place]
        likely = node.probability if mixed is None else mixed
        if likely is not None and len(nodes[node.parent].children) > 1:
            label.append(short_number(likely))
    is_hidden = "values" in hide and bool(node.children)
    return DrawnNode(
        node.parent,
        _actor(node.state),
        tuple(label),
        "" if is_hidden else _value_text(own, is_told),
        is_best=is_best,
        folded=_fold_label(node, own) if node.is_cut and not worths.are_estimates else None,
    )


def _with_board(drawn: DrawnNode, node: GrownNode, are_estimates: bool, count: int) -> DrawnNode:
    from zermelo.drawing.positions import small_boards  # which few trees need

    is_leaf = node.state.is_over or (node.is_cut and are_estimates)
    return evolve(drawn, board=small_boards(node.state, count=count), is_leaf=is_leaf)


def _actor(state: State) -> int:
    if state.actor is None:
        return END
    return CHANCE_ACTS if state.actor == CHANCE else state.game.number(state.actor)


def _fold_label(node: GrownNode, worth: NodeWorth) -> str:
    """What lies below a node that the picture leaves out."""
    if worth.below:
        return count_in_words(worth.below, "node")
    return f"{node.outcomes:,} outcomes" if node.outcomes else "goes on"


def _value_text(worth: NodeWorth, is_told: bool) -> str:
    """A value: the first player's alone where it says what the others get, too."""
    if worth.payoff is None:
        return ""
    if is_told or len(worth.payoff) == 1:
        value = worth.payoff[0]
        return short_text((value - worth.error, value + worth.error)) if worth.error else short_number(value)
    return f"({', '.join(map(short_number, worth.payoff))})"


def _information_sets(nodes: list[GrownNode]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The nodes that their player cannot tell apart, two at least."""
    found: dict[tuple[int, Any], list[int]] = {}
    for number, node in enumerate(nodes):
        actor = node.state.actor
        if actor is not None and actor != CHANCE:
            known = tuple(node.state.information_state(actor))
            found.setdefault((_actor(node.state), known), []).append(number)
    return tuple((player, tuple(alike)) for (player, _), alike in found.items() if len(alike) > 1)


def _remarks(nodes: list[GrownNode], worths: Worths, is_told: bool, hide: Collection[str]) -> tuple[str, ...]:
    """What a reader must know to read the picture."""
    game, found = nodes[0].state.game, []
    if worths.solution is not None or worths.are_estimates:
        who = game.titles[0] if is_told else f"({', '.join(game.titles)})"
        how = _how(game, worths)
        are_ends = "values" in hide and not any(node.is_cut for node in nodes)
        said = f"Numbers: what {who} get{'s' if is_told else ''} {'at the end' if are_ends else how}."
        bold = f" Bold: moves that are made {how if are_ends else 'then'}."
        found.append(said if "best" in hide else f"{said}{bold}")
        numbers = (number for worth in worths.nodes for number in (*(worth.payoff or ()), *(worth.chances or ())))
        if any(len(str(number)) > LONG for number in numbers):
            found.append("Decimals are rounded.")
    if any(len(node.stands_for) > 1 for node in nodes):
        found.append(f"{TIMES}2, {TIMES}3, ...: so many moves that differ by a symmetry of the rules alone.")
    if any(node.is_cut for node in nodes) and not worths.are_estimates:
        found.append("Grey triangles: what is left out.")
    return tuple(found)


def _how(game: Game, worths: Worths) -> str:
    """By what the players get what the numbers say."""
    if worths.are_estimates:
        return "if everybody plays best, by the estimates below"
    if game.facts.perfect_information.holds:
        return "if everybody plays best"
    assert worths.solution is not None, "the numbers come from it"
    if worths.solution.plan is not None:
        return "by the plan"
    return "in equilibrium" if worths.solution.exact else "with these strategies"
