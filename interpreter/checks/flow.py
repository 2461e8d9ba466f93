"""Control flow: paths through a phase, and the graph of phases.

Every path through a body must leave it by ``go`` or ``end``, and nothing may follow these. Every phase must be
reachable in the graph whose arrows are the ``go`` statements, and from every phase an end. A ``go`` to a phase that
does not exist may have been meant to lead to any phase, so nothing is said of what only it could reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from zermelo.grammar.diagnostics import Findings, Label
from zermelo.grammar.source import Span
from zermelo.interpreter import model
from zermelo.interpreter.model.walks import statements


def check_flow(game: model.Model, findings: Findings) -> None:
    """Report paths without exit, unreachable statements, and phases that are unreachable or never end."""
    for phase in game.phases.values():
        _check_phase(phase, findings)
    for action in game.actions:
        leaves(action.body, findings)
    leaves(game.setup, findings)
    _check_graph(game, findings)


def _check_phase(phase: model.Phase, findings: Findings) -> None:
    entry_leaves = leaves(phase.entry, findings)
    if phase.decision is None:
        if entry_leaves is False:
            _report_missing(f"the phase '{phase.name}'", phase.span, phase.entry, findings)
        return
    if entry_leaves:
        findings.report(
            "unreachable-statement",
            phase.decision.span,
            f"the decision of phase '{phase.name}' is never reached",
            remark="every path before it has left the phase",
        )
    for what, span, body in _bodies(phase):
        if leaves(body, findings) is False:
            _report_missing(what, span, body, findings)


def _bodies(phase: model.Phase) -> Iterator[tuple[str, Span, model.Block]]:
    """The bodies that must leave the phase: title, place and statements."""
    match phase.decision:
        case model.Turn(moves=rules):
            for rule in rules:
                yield f"the move '{rule.name}'", rule.span, rule.body
        case model.Chance(outcomes=rules):
            for rule in rules:
                yield f"the outcome '{rule.name}'", rule.span, rule.body
        case model.Together(then=then, span=span):
            yield f"'then' of phase '{phase.name}'", then[-1].span if then else span, then
        case None:
            pass
    if phase.otherwise is not None:
        otherwise = phase.otherwise
        place = otherwise[-1].span if otherwise else phase.span
        yield f"'otherwise' of phase '{phase.name}'", place, otherwise


def _report_missing(what: str, span: Span, body: model.Block, findings: Findings) -> None:
    label = _open_end(body)
    findings.report(
        "missing-go",
        span,
        f"{what} can end without 'go' or 'end'",
        remark="where does the game go on from here?",
        labels=[] if label is None else [label],
        help="every path ends with 'go PHASE' or 'end'; a final 'if' needs an 'else' or a line after it",
    )


def _open_end(block: model.Block) -> Label | None:
    """The end of a path that does not leave the block."""
    if not block:
        return None
    match block[-1]:
        case model.If_(yes=yes, no=no, span=span):
            open_branch = yes if leaves(yes) is False else no
            return _open_end(open_branch) or Label(span, "nothing follows where this is false")
        case statement:
            return Label(statement.span, "nothing follows this")


def leaves(block: model.Block, findings: Findings | None = None) -> bool | None:
    """Whether every path through the block leaves it by ``go`` or ``end``; statements after that are reported.

    None means unknown, because of an action with errors.
    """
    left: bool | None = False
    for statement in block:
        if left:
            if findings is not None:
                findings.report(
                    "unreachable-statement",
                    statement.span,
                    "this is never reached",
                    remark="every path before it has left by 'go' or 'end'",
                )
            break
        found = _leaves(statement, findings)
        left = found or (None if None in (left, found) else False)
    return left


def _leaves(statement: model.Statement, findings: Findings | None) -> bool | None:
    match statement:
        case model.Go() | model.End():
            return True
        case model.If_(condition=model.Const(value=bool() as holds), yes=yes, no=no):
            # A parameter may switch a branch off. Both count: the statements after them serve other parameters.
            chosen, other = (yes, no) if holds else (no, yes)
            switched_off = leaves(other, findings)
            return leaves(chosen, findings) and (switched_off or None)
        case model.If_(yes=yes, no=no):
            both = [leaves(yes, findings), leaves(no, findings)]
            return False if False in both else None if None in both else True
        case model.For(body=body):
            leaves(body, findings)
            return False
        case model.Do(action=action):
            return None if action is model.UNKNOWN_ACTION else leaves(action.body)
        case _:
            return False


# ------------------------------------------------------------------- the graph of phases


def _all_blocks(phase: model.Phase) -> Iterator[model.Block]:
    yield phase.entry
    for _, _, body in _bodies(phase):
        yield body


def _check_graph(game: model.Model, findings: Findings) -> None:
    inside = {
        name: [s for block in _all_blocks(phase) for s in statements(block)] for name, phase in game.phases.items()
    }
    arrows = {name: {s.phase for s in found if isinstance(s, model.Go)} for name, found in inside.items()}
    astray = {name for name, targets in arrows.items() if not targets <= game.phases.keys()}
    ending = astray | {name for name, found in inside.items() if any(map(_may_end, found))}
    reached = _closure([game.start.phase], arrows)
    for name, phase in game.phases.items():
        if name not in reached and game.start.phase in game.phases and not astray & reached:
            findings.report(
                "unreachable-phase",
                phase.span,
                f"no path leads to phase '{name}'",
                help=f"add 'go {name}' where it should begin, or remove the phase",
            )
    in_circle = _check_circles(game, arrows, findings)
    back = {name: {other for other, targets in arrows.items() if name in targets} for name in game.phases}
    can_end = _closure(ending, back)
    if game.discount != 1:
        return
    for name, phase in game.phases.items():
        if name in reached and name not in can_end and name not in in_circle:
            findings.report(
                "phase-without-exit",
                phase.span,
                f"once phase '{name}' is entered, the game can never end",
                help="some path from it must lead to 'end'",
            )


def _may_end(statement: model.Statement) -> bool:
    return isinstance(statement, model.End) or (
        isinstance(statement, model.Do) and statement.action is model.UNKNOWN_ACTION
    )


def _check_circles(game: model.Model, arrows: Mapping[str, set[str]], findings: Findings) -> set[str]:
    """Phases without a decision that lead only to each other: such a cycle never comes to rest."""
    passing = {name for name, phase in game.phases.items() if phase.decision is None}
    ends = {name for name in passing if any(isinstance(s, model.End) for s in statements(game.phases[name].entry))}
    trapped = {name for name in passing if name not in ends and arrows[name] and arrows[name] <= passing}
    while True:
        kept = {name for name in trapped if arrows[name] <= trapped}
        if kept == trapped:
            break
        trapped = kept
    for name in sorted(trapped, key=lambda name: game.phases[name].span.start):
        others = sorted(arrows[name])
        findings.report(
            "go-cycle",
            game.phases[name].span,
            f"phase '{name}' goes on forever without a decision",
            labels=[Label(game.phases[other].span, "it leads here") for other in others if other != name],
            help="a cycle of phases needs a turn, a chance or an end",
        )
        break
    return trapped


def _closure(start: Iterable[str], arrows: Mapping[str, set[str]]) -> set[str]:
    found: set[str] = set()
    waiting = list(start)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.extend(arrows.get(name, ()))
    return found
