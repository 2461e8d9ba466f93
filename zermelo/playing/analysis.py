"""What is known of a decision, and known better the longer it is looked at; in words for those who play.

Small games have exact values at once. For all others there is soon a search to a depth, if the file has an estimate, or
the means of simulations; the longer it may take, the deeper these go, and an exact value replaces them if it is found.
Where something is hidden, all of this is for the player to move, and goes by nothing but what they have perceived.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import count
from math import inf
from random import Random
from time import perf_counter
from typing import Final

from attrs import frozen

from zermelo.decisions import DEALS_IN_PLAY, MoveEvaluation, evaluate_moves, move_values
from zermelo.drawing.tables import short_number
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.machine import Move, PlayError, display_text
from zermelo.numbers import approximation, count_in_words, readable_texts, sample_text, text_within
from zermelo.playing.seats import BestSeat, RandomSeat, most_nodes, thinking_progress
from zermelo.solvers.common.limits import LimitReached, Limits
from zermelo.solvers.forms.policy import Worth
from zermelo.solvers.solution import Certainty


@frozen
class Appraisal:
    """What is known of a decision: the ``evaluation`` of its moves, and how many moves ``ahead`` the search looked, the
    one to be chosen included; None if it did not stop at a depth."""

    evaluation: MoveEvaluation
    ahead: int | None = None

    @property
    def is_exact(self) -> bool:
        return self.evaluation.certainty is Certainty.EXACT and not self.evaluation.exploitability

    def certainty(self, state: State) -> str:
        """How far this can be trusted."""
        found = self.evaluation
        if self.is_exact and state.game.facts.perfect_information.holds:
            return "exact values"
        if self.ahead is not None:
            return f"searched {self.ahead} {'ply' if self.ahead == 1 else 'plies'}: estimates, no values"
        if found.is_sampled:
            return f"a guess: means of {count_in_words(found.counts['simulations'], 'simulated play')}"
        known = {Certainty.EXACT: "exact values", Certainty.BOUNDED: "within proved bounds"}
        return ". ".join([known.get(found.certainty, "a guess"), *found.notes]).removesuffix(".")


_TRIES: Final = ((0.4, 1.0), (5.0, 5.0), (inf, inf))
"""Seconds in which exact values are looked for, and in which guesses become better after that, in turns."""

_SIMULATIONS: Final = 25
_TIMES: Final = 4
"""So many simulations are made at first, and each time so many times more."""


def assessments(state: State, seconds: float, memory: int) -> Iterator[Appraisal]:
    """What is known of the moves or outcomes of a state in which a play goes on: first what is known soon, then what
    is known better, until there is an exact solution or the time is up. How long something takes decides how many
    guesses come before that solution, but not what it is: a search to a depth that has met all ends knows exact values,
    but not how far the ends are, so it does not take the solution's place.

    Raises ``PlayError``, and ``ZermeloError`` if nothing has been found at all: what :func:`zermelo.values`
    raises."""
    whole = Limits(seconds, memory)
    guesses, guess = _guesses(state, whole), None
    is_open = state.game.facts.perfect_information.holds is True
    # a guess comes in no time, but equilibria heed no deadline
    if (_has_horizon(state) or not is_open) and (guess := next(guesses, None)) is not None:
        yield guess
    for exactly, guessing in _TRIES:
        limits = Limits(min(exactly, whole.left), memory)
        try:
            with limits.enforce():  # moves do not divide the time among them
                found = evaluate_moves(state, limits=Limits(memory=memory))
        except PlayError:
            raise
        except ZermeloError as error:
            refusal = error
        else:
            yield Appraisal(found)
            return
        is_hopeless = not isinstance(refusal, LimitReached) or refusal.code != "out-of-time"
        until = inf if is_hopeless else limits.begin + limits.seconds + guessing
        while not (guess is not None and guess.is_exact) and (better := next(guesses, None)) is not None:
            yield (guess := better)
            if perf_counter() > until:
                break
        if is_hopeless or whole.is_over:
            break
    if guess is None:
        raise refusal


def _has_horizon(state: State) -> bool:
    """Whether a search to a depth tells something."""
    facts = state.game.facts
    return facts.has_estimate and facts.perfect_information.holds is True


def _guesses(state: State, whole: Limits) -> Iterator[Appraisal]:
    """Guesses, each better than the one before it, as long as there is time."""
    has_depth = _has_horizon(state)
    for step in count():
        wanted = _SIMULATIONS * _TIMES**step
        try:
            with whole.enforce():
                if has_depth:
                    found = evaluate_moves(state, limits=Limits(memory=whole.memory, depth=step + 1))
                else:
                    found = evaluate_moves(
                        state, "ismcts", simulations=wanted, deals=DEALS_IN_PLAY, seed=step,
                        limits=Limits(whole.left, whole.memory),
                    )  # fmt: skip
        except PlayError:
            raise
        except ZermeloError:
            return
        if found.is_sampled and found.counts["simulations"] < wanted and step:
            return  # the time is up, and the guess before was better
        yield Appraisal(found, step + 2 if found.certainty is Certainty.DEPTH_LIMITED else None)


# What a move is worth, in words and signs, for one player.


WON: Final = "won"
DRAWN: Final = "drawn"
LOST: Final = "lost"

_MINUS: Final = "\N{MINUS SIGN}"
_SHORT: Final = 2
"""Digits of a number on a cell."""


def standing(game: Game, player: int, amount: Fraction) -> str:
    """Whether a player is better or worse off than the other one with this amount: as if that were :data:`WON`,
    :data:`DRAWN` or :data:`LOST`; empty where nobody's gain is the other's loss."""
    total = game.facts.sum
    if len(game.players) != 2 or total is None or game.facts.constant_sum.holds is not True:
        return ""
    middle = Fraction(total, 2)
    return WON if amount > middle else LOST if amount < middle else DRAWN


def bounds_of(game: Game, player: int) -> tuple[Fraction | int, Fraction | int] | None:
    """The least and the most that a player can get, if both are known."""
    return None if game.facts.bounds is None else game.facts.bounds[player]


def is_named(assessment: Appraisal, game: Game, player: int, amount: Fraction) -> bool:
    """Whether what a player gets has a name: it is certain, in a game that is won, perhaps drawn, or lost."""
    bounds = bounds_of(game, player)
    if not assessment.is_exact or bounds is None or standing(game, player, amount) == "":
        return False
    if bounds not in ((-1, 1), (0, 1)):
        return False
    return amount in bounds or bool(game.facts.perfect_information.holds and game.facts.deterministic.holds)


def amount_text(assessment: Appraisal, game: Game, worth: Worth, player: int) -> str:
    """What a move brings a player of the evaluation: ``won in 5``, ``drawn``, or a number."""
    found = assessment.evaluation
    if worth.payoff is None:
        return "never tried" if found.is_sampled else "not defined"
    amount, number = Fraction(worth.payoff[player]), game.number(found.players[player])
    if is_named(assessment, game, number, amount):
        result = standing(game, number, amount)
        return result if worth.distance is None or result == DRAWN else f"{result} in {worth.distance:,}"
    if found.is_sampled:
        error = found.standard_errors.get(worth.move)
        return sample_text(amount, Fraction(error)) if error else approximation(amount)
    if assessment.ahead is not None:
        return approximation(amount)  # an estimate is no fraction that somebody could find
    return short_number(amount) if not worth.error else text_within(amount, worth.error)


def amount_sign(assessment: Appraisal, game: Game, worth: Worth, player: int) -> str:
    """The same for a cell of a board, in a few characters: ``+5`` for won in 5, ``=`` for drawn, or a number
    such as ``.25``."""
    found = assessment.evaluation
    if worth.payoff is None:
        return "?"
    amount, number = Fraction(worth.payoff[player]), game.number(found.players[player])
    if is_named(assessment, game, number, amount):
        far = "" if worth.distance is None else f"{worth.distance}"
        return {WON: f"+{far}", DRAWN: "=", LOST: f"{_MINUS}{far}"}[standing(game, number, amount)]
    text = str(amount) if len(str(amount)) <= 4 and assessment.is_exact else f"{float(amount):.{_SHORT}g}"
    is_gain = amount > 0 and game.facts.sum == 0
    return ("+" if is_gain else "") + text.replace("-", _MINUS).replace("0.", ".", 1 if abs(amount) < 1 else 0)


def mixing_text(assessment: Appraisal, worth: Worth) -> str:
    """How often a move should be made, where it is best to mix."""
    chance = worth.chance
    if chance is None or any(each.chance == 1 for each in assessment.evaluation.worths):
        return ""
    return f"make it {readable_texts(chance)[0]} of the time" if chance else "never make it"


def best_line(assessment: Appraisal) -> tuple[Move, ...]:
    """How the play goes on if all go on best, as far as that is known: the principal variation, from a best move on."""
    found = assessment.evaluation
    return next(((move, *found.lines[move]) for move in found.best if move in found.lines), ())


# A hint: a move and why it is good.


_FOLLOWING: Final = 4
"""The most moves of best play that a hint names."""


@frozen
class Hint:
    """A best ``move``, what it brings the player, and the same in a sentence. ``value`` is None if none was found."""

    move: Move
    value: str | None
    said: str


def hint(state: State, memory: int) -> Hint:
    """A best move and what it is worth; or the move of the best seat, if no value is found within the nodes that it
    looks at. A player is to move. Raises ``PlayError``."""
    actor = state.actor or ""
    try:
        with thinking_progress(state, most_nodes(state)) as report:
            found = move_values(state, None, Limits(memory=memory), report)
    except PlayError:
        raise
    except ZermeloError:
        move, said = BestSeat(RandomSeat(Random()), memory=memory).choose(state)
        return Hint(move, None, f"{display_text(move)}. {said}".strip())
    assessment, best, player = Appraisal(found), found.best[0], found.players.index(actor)
    worth = found.of(best)
    value = None if worth.payoff is None else short_number(worth.payoff[player])
    brings = "is as good as any" if value is None else f"brings {state.actor_title} {value}"
    text = amount_text(assessment, state.game, worth, player)
    named = f", {text}" if text.startswith((WON, DRAWN, LOST)) else ""
    about = "" if assessment.is_exact else ", as far as it is known"
    mixed = [f"{display_text(each.move)} {readable_texts(each.chance)[0]}" for each in found.worths if each.chance]
    if len(mixed) > 1:
        about += f", if it is mixed: {', '.join(mixed)}"
    behind = found.lines.get(best, ())
    names = [display_text(move) for move in behind[:_FOLLOWING]] + (["…"] if len(behind) > _FOLLOWING else [])
    follows = f". Best play goes on with {', '.join(names)}" if names else ""
    return Hint(best, value, f"{display_text(best)} {brings}{named}{about}{follows}")
