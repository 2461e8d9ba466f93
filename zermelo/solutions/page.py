"""A solution as text and as JSON: what every player gets, what they do, and how that is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import islice
from math import inf
from typing import TYPE_CHECKING, Any, Final

from zermelo.game import Game, State
from zermelo.grammar.names import shown
from zermelo.interpreter.checks.game_facts import SHOWN, Facts, play_text
from zermelo.interpreter.machine import display_text, payoff_text
from zermelo.interpreter.values import round_digits
from zermelo.machines import why_reference_machine
from zermelo.numbers import (
    LEGIBLE_DIGITS,
    approximation,
    by_player,
    certain_decimals,
    count_in_words,
    interval_text,
    known_by_player,
    meaning_in_words,
    meaning_of_payoffs,
    middle_of,
    parameters_text,
    play_so_far,
    record_header,
    rounded_up_text,
    sample_decimals,
    sample_text,
    short_text,
    text_within,
)
from zermelo.report.console import clean, print_facts, print_heading, print_remark, print_table, print_title
from zermelo.solvers.choosing.registry import SOLVERS
from zermelo.solving import describe, facts_record, size_record, size_text

if TYPE_CHECKING:
    from zermelo.interpreter.checks.game_facts import Survey
    from zermelo.solvers.choosing.verifying import Verification
    from zermelo.solvers.common.numbers import Size
    from zermelo.solvers.forms.policy import Bounds, Branch, ConditionalPlan, Duration
    from zermelo.solvers.forms.strategy import SampledExploitability, Strategy
    from zermelo.solvers.solution import Solution

# A conditional plan as text, a tree of what to do by what is perceived, and as JSON.
#
# Moves between which nothing is perceived stand in one line. What follows each thing that may be perceived is a line of
# its own, further to the right. A step to which several ways lead is written out once, with a number to refer to.


PAGE: Final = 40
"""The greatest number of lines of a plan that are printed, unless all are asked for."""

ON_THE_COMMAND_LINE: Final = "which `zermelo solve --all` prints"
"""Where the rest of a plan is to be found, for pages that are not those of the command."""

MOST: Final = 10_000
"""The greatest number of decisions of a plan that are listed as a strategy; it may have far more than steps."""

_INDENT: Final = "  "


def plan_lines(plan: ConditionalPlan, most: float, elsewhere: str = "which --all prints") -> list[str]:
    """The lines of a plan; if they are more than ``most``, the first ones, and how many others there are, to be found
    ``elsewhere``."""
    ways = Counter(branch.step for branches in _all_branches(plan) for branch in branches)
    shared = {step for step, count in ways.items() if count > 1 and plan.steps[step].branches}
    marks: dict[int, int] = {}
    lines = [f"the play may end before {shown(plan.player)} decides{_ends_text(plan.ends)}"] if plan.ends else []
    waiting = [("", branch) for branch in reversed(plan.begins)]
    while waiting:
        indent, branch = waiting.pop()
        news = ", ".join(map(display_text, branch.news(plan.player)))
        made, number = [], branch.step
        while number not in marks:
            if number in shared:
                marks[number] = len(marks) + 1
                made.append(f"({marks[number]}) {display_text(plan.steps[number].move)}")
            else:
                made.append(display_text(plan.steps[number].move))
            step = plan.steps[number]
            made[-1] += _ends_text(step.ends)
            if len(step.branches) != 1 or step.branches[0].news(plan.player):
                waiting += [(indent + _INDENT, each) for each in reversed(step.branches)]
                break
            number = step.branches[0].step
        else:
            made.append(f"go on at ({marks[number]})")
        lines.append(indent + clean(f"{news}: {', '.join(made)}" if news else ", ".join(made)))
    if len(lines) > most:
        kept = int(most)
        return [*lines[:kept], f"... and {count_in_words(len(lines) - kept, 'more line')}, {elsewhere}"]
    return lines


def _all_branches(plan: ConditionalPlan) -> list[tuple[Branch, ...]]:
    return [plan.begins, *(step.branches for step in plan.steps)]


def _ends_text(ends: tuple[Any, ...]) -> str:
    """What ends bring, in brackets."""
    return f" [ends: {' or '.join(map(str, ends))}]" if ends else ""


def plan_record(plan: ConditionalPlan) -> dict[str, Any]:
    """A plan as JSON: ``steps`` by number, from 0, and ``begins``, the branches that lead to the first ones. A branch
    has what the player perceives, observation by observation, and the number of the step that follows; the amounts in
    ``ends`` are exact numbers as text."""
    return {
        "player": plan.player,
        "begins": _branches(plan.begins),
        "ends": list(map(str, plan.ends)),
        "steps": [
            {
                "move": str(step.move),
                "possible": step.possible,
                "branches": _branches(step.branches),
                "ends": list(map(str, step.ends)),
            }
            for step in plan.steps
        ],
    }


def strategies_of_plan(plan: ConditionalPlan) -> list[dict[str, Any]]:
    """A plan as strategies in JSON (:func:`zermelo.solutions.strategy_table.record`), so that other commands take it
    from a file: the decisions to which it leads, with the moves made there. Empty if the decisions are more than
    ``MOST``; then only ``plan`` has them."""
    listed = list(islice(plan.decisions(), MOST + 1))
    if len(listed) > MOST:
        return []
    decisions = [
        {
            "known": list(map(str, known)),
            "reached": "1",
            "met": True,
            "moves": {str(move): {"probability": "1", "loses": "0"}},
        }
        for known, move in listed
    ]
    return [{"player": plan.player, "decisions": decisions}]


def _branches(branches: tuple[Branch, ...]) -> list[dict[str, Any]]:
    return [{"perceived": list(map(str, branch.perceived)), "step": branch.step} for branch in branches]


# How long plays last, and who can keep them going, in words and as JSON.


def length_text(solution: Solution, is_opposed: bool) -> str | None:
    """How long the play takes: ``9 moves, if those who win hurry and the others delay``; None if that is not known.
    ``is_opposed``: two players want the opposite. The best play that is shown follows these lengths as long as somebody
    wins; where nobody does it keeps the value alone, and may take longer than if both hurried, which is then said."""
    if solution.distance is not None:
        moves = f"{solution.distance:,} move{'s' * (solution.distance != 1)}"
        if not is_opposed:
            return f"{moves} in a best play"
        takes_longer = len(solution.line) not in (0, solution.distance)
        hurried = ", and both hurry where nobody wins" if takes_longer else ""
        return f"{moves}, if those who win hurry and the others delay{hurried}"
    duration = solution.duration
    if duration is None:
        return None
    if duration.length is not None:
        unit = duration.unit.value if duration.length[0] != 1 else duration.unit.one
        average = " on average; the play is certain to end" if duration.is_random else ""
        return f"{_number(duration.length)} {unit}{average}"
    if not duration.ends[1]:
        return "with the moves that have been found the play goes on for ever"
    return (
        f"with the moves that have been found the play ends with probability {_number(duration.ends)}, and goes on for "
        "ever otherwise"
    )


def short_length(duration: Duration) -> str:
    """The mean length, or the probability of an end: ``≈ 4.301``, ``ends with 1/3``, ``for ever``."""
    if duration.length is not None:
        return short_text(duration.length)
    return f"ends with {short_text(duration.ends)}" if duration.ends[1] else "for ever"


def length_head(durations: Iterable[Duration | None]) -> str:
    """The heading of a column of such lengths: ``moves on average``."""
    for duration in durations:
        if duration is not None:
            return f"{duration.unit.value} {'on average' if duration.is_random else 'to the end'}"
    return ""


def duration_record(duration: Duration | None) -> dict[str, Any] | None:
    """As JSON: the probability that the play ends, and how many steps it takes on average, null if it is not certain to
    end; exact numbers as text, others as decimals that are certain."""
    if duration is None:
        return None
    length = None if duration.length is None else number_text(duration.length)
    return {"ends": number_text(duration.ends), "length": length, "unit": duration.unit.value}


def number_text(bounds: Bounds) -> str | None:
    """An exact number as text, another as decimals that are certain; None if none is."""
    middle, error = middle_of(bounds)
    return certain_decimals(middle, error) if error else str(middle)


def lasting_text(players: Sequence[str], solution: Solution, is_opposed: bool) -> str | None:
    """Who can keep the play going for ever; None if no play can go on for ever, or that is not known."""
    if solution.lasting is None:
        return None
    able = [players[player] for player in solution.lasting]
    if solution.perhaps_lasting == ():
        return "the play is certain to end as long as nobody gives anything away"
    perhaps = [players[player] for player in solution.perhaps_lasting or () if player not in solution.lasting]
    if perhaps:
        return _perhaps_lasting_text(players, able, perhaps, is_opposed)
    if not is_opposed:
        who = " and ".join(players) if able else "nobody"
        return f"{who} can keep the play going for ever without getting less"
    others = [player for player in players if player not in able]
    if not able:
        return "nobody can keep the play going for ever without giving something away"
    if not others:
        return f"{' and '.join(able)} can each keep the play going for ever, unless the other gives something away"
    return f"{able[0]} can keep the play going for ever, unless {others[0]} gives something away"


def _perhaps_lasting_text(players: Sequence[str], able: list[str], perhaps: list[str], is_opposed: bool) -> str:
    """Who can keep the play going with some probability, and who for certain."""
    if not is_opposed:
        return f"{' and '.join(players)} can keep the play going for ever with some probability without getting less"
    if able:
        return (
            f"{able[0]} can keep the play going for ever, and {perhaps[0]} with some probability, unless the other "
            "gives something away"
        )
    if len(perhaps) == len(players):
        return (
            f"{' and '.join(perhaps)} can each keep the play going for ever with some probability, unless the other "
            "gives something away"
        )
    other = next(player for player in players if player not in perhaps)
    return f"{perhaps[0]} can keep the play going for ever with some probability, unless {other} gives something away"


def lasting_record(players: Sequence[str], solution: Solution) -> dict[str, list[str] | None]:
    """As JSON: who can keep the play going for ever whatever chance draws, and who with a probability that is not 0;
    null where that has no meaning, or has not been found."""
    found = {
        "can_go_on_for_ever": solution.lasting,
        "can_go_on_for_ever_with_some_probability": solution.perhaps_lasting,
    }
    return {name: None if who is None else [players[player] for player in who] for name, who in found.items()}


def _number(bounds: Bounds) -> str:
    return text_within(*middle_of(bounds))


def solution_record(
    game: Game,
    root: State | None,
    machine: str,
    facts: Facts,
    survey: Survey | Size | None,
    solution: Solution,
    verification: Verification | None,
    is_brief: bool,
) -> dict[str, Any]:
    """The result of ``zermelo solve``; ``is_brief``: only the decisions of strategies that matter."""
    others = solution.alternatives
    return {
        **record_header(game),
        "title": game.title,
        "after": [] if root is None else list(map(str, root.play)),
        "players": list(game.players),
        "solver": solution.solver,
        "why": solution.why,
        "machine": machine,
        "beyond": solution.beyond,
        "exact": solution.exact,
        "certainty": solution.certainty.value,
        "meaning": meaning_of_payoffs(facts, solution),
        "value": known_by_player(game.players, solution.value, solution.error)
        if solution.standard_errors is None
        else by_player(game, map(sample_decimals, solution.value, solution.standard_errors)),
        "standard_errors": None
        if solution.standard_errors is None
        else by_player(game, (round_digits(error, 2) for error in solution.standard_errors)),
        "best": list(map(str, solution.best)),
        "line": list(map(str, solution.line)),
        "alternatives": None if others is None else [by_player(game, payoff) for payoff in others],
        "notes": list(solution.notes),
        "exploitability": None if solution.exploitability is None else str(solution.exploitability),
        "sampled_exploitability": _sampled_record(solution.sampled_exploitability),
        "moves_to_the_end": solution.distance,
        "duration": duration_record(solution.duration),
        **lasting_record(game.players, solution),
        "interval": None if solution.interval is None else list(map(str, solution.interval)),
        "verification": None
        if verification is None
        else {"confirmed": verification.confirmed, "how": verification.how},
        "strategies": [_strategy_record(strategy, is_brief) for strategy in solution.strategies]
        if solution.plan is None
        else strategies_of_plan(solution.plan),
        "plan": None if solution.plan is None else plan_record(solution.plan),
        "counts": dict(solution.counts),
        "seconds": solution.seconds,
        "facts": facts_record(facts),
        "survey": None if survey is None else size_record(survey),
    }


def _sampled_record(found: SampledExploitability | None) -> dict[str, float] | None:
    """What responses learned from samples gain on average, and half the width of its 95% interval."""
    return None if found is None else {"mean": float(found.mean), "margin": float(found.margin)}


def _strategy_record(strategy: Strategy, is_brief: bool) -> dict[str, Any]:
    from zermelo.solutions.strategy_table import record

    return record(strategy, is_brief)


# A solution in words: what every player gets, and the lines about how that is known.


Table = tuple[tuple[str, ...], list[tuple[str, ...]]]
"""Heads, and rows under them."""


def amounts_table(game: Game, facts: Facts, solution: Solution, digits: int | None = LEGIBLE_DIGITS) -> Table:
    """What every player gets, with so many ``digits`` at most of a number that is not exact (all if None)."""
    if solution.standard_errors is None:
        amounts = [text_within(amount, solution.error, digits) for amount in solution.value]
    else:
        amounts = list(map(sample_text, solution.value, solution.standard_errors))
    return ("player", meaning_in_words(facts, solution)), list(zip(game.titles, amounts, strict=True))


def solution_lines(game: Game, solution: Solution, digits: int | None = LEGIBLE_DIGITS) -> list[tuple[str, str]]:
    """What else there is to say about a solution, each a word and a text about it: the solver, best moves, notes."""
    lines = [("solver", SOLVERS[solution.solver].title), ("why", solution.why)]
    if solution.best:
        lines.append(
            ("best move" if len(solution.best) == 1 else "best moves", ", ".join(map(display_text, solution.best)))
        )
    if 1 < len(solution.line) <= SHOWN:
        lines.append(("best play", play_text(solution.line)))
    if solution.alternatives:
        lines.append(("ties", "also possible: " + ", ".join(map(payoff_text, solution.alternatives))))
    elif solution.alternatives is None and solution.exact:
        lines.append(("ties", "other payoffs may be possible, and are not listed"))
    wants_one = game.facts.common_payoff.holds is True  # also where every play pays the same, and nothing is at stake
    is_opposed = game.facts.constant_sum.holds is True and len(game.players) == 2 and not wants_one
    for head, text in (
        ("length", length_text(solution, is_opposed)),
        ("endless", lasting_text(game.titles, solution, is_opposed)),
    ):
        if text is not None:
            lines.append((head, text))
    if solution.interval is not None:
        lines.append(("proved", _interval_text(game, solution.interval, digits)))
    if solution.exploitability is not None:
        lines.append(("exploitability", approximation(solution.exploitability)))
    if solution.sampled_exploitability is not None:
        lines.append(("exploitability", _sampled_exploitability_text(solution.sampled_exploitability)))
    return [*lines, *(("note", note) for note in solution.notes)]


def _interval_text(game: Game, interval: tuple[Fraction, Fraction], digits: int | None) -> str:
    """The bounds of the value; if their difference cannot be seen, their middle first, and how near it is."""
    shown = interval_text(*interval, digits)
    head = f"the value of the game for {game.titles[0]} is"
    if shown == interval_text(*interval, None):
        return f"{head} between {shown}"
    middle, error = middle_of(interval)
    return f"{head} {text_within(middle, error, digits)}, to within {rounded_up_text(error)}"


def _sampled_exploitability_text(found: SampledExploitability) -> str:
    """An estimate of how far strategies are from an equilibrium."""
    mean, margin = float(found.mean), float(found.margin)
    between = f"95% interval {mean - margin:.4g} to {mean + margin:.4g}"
    return f"about {mean:.4g} or more ({between}), by responses learned from samples: an estimate, no proof"


def print_kind(game: Game, root: State | None, facts: Facts, seen: Survey | Size | None) -> None:
    """Print what is solved, from ``root`` on if it is given, and what is known of it; ``seen`` is about its size."""
    print_title(game.title, parameters_text(game))
    print()
    after = [] if root is None else [("after", play_so_far(root))]
    print_facts([*describe(facts), *([] if seen is None else [("size", size_text(seen))]), *after])
    print()


def print_solution(
    game: Game,
    facts: Facts,
    machine: str,
    solution: Solution,
    verification: Verification | None,
    is_precise: bool,
    is_all: bool,
) -> None:
    """Print a solution; ``is_precise``: with all certain digits; ``is_all``: with all decisions and the whole plan."""
    digits = None if is_precise else LEGIBLE_DIGITS
    print_table(*amounts_table(game, facts, solution, digits))
    print()
    for strategy in solution.strategies:
        _print_strategy(strategy, is_all)
    if solution.plan is not None:
        print_heading(f"The plan of {shown(solution.plan.player)}:")
        print("\n".join(plan_lines(solution.plan, inf if is_all else PAGE)))
        print()
    lines = solution_lines(game, solution, digits)
    reason = why_reference_machine(game.choice, game.prepared)
    if reason is not None:
        lines.append(("machine", reason))
    if solution.beyond:
        lines.append(("machine", f"kernels ran in Python, with exact numbers: {solution.beyond}"))
    if verification is not None:
        lines.append(("verified" if verification.confirmed else "not verified", verification.how))
    lines.append(("counts", ", ".join(f"{what} {count:,}" for what, count in solution.counts.items())))
    where = f"in Python, over the {machine} machine" if solution.beyond else f"on the {machine} machine"
    lines.append(("time", f"{solution.seconds:.3f} s {where}"))
    print_facts(lines)


def _print_strategy(strategy: Strategy, is_all: bool) -> None:
    from zermelo.solutions.strategy_table import strategy_parts

    heads, rows, said = strategy_parts(strategy, is_all, ", which --all lists")
    if rows:
        print_table(heads, rows)
    for sentence in said:
        print_remark(sentence)
    print()
