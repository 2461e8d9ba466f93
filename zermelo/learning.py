"""Learning from self-play, for users; and files of weights, which belong to one game."""

from __future__ import annotations

import json
import os
from array import array
from fractions import Fraction
from hashlib import sha256
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, fields

from zermelo.arguments import check_first
from zermelo.files import rules_beside_beginning, write_file
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.interpreter.values import format_value
from zermelo.last_resort import wrap_internal_errors
from zermelo.loading import read_file
from zermelo.numbers import with_parameters
from zermelo.solvers.common.limits import Limits, Remark, ignore_remark
from zermelo.solvers.learning.weights import (
    BY_METHOD,
    FORMAT,
    MOST_COUNT,
    MOST_DEPTH,
    MOST_HIDDEN,
    MOST_RECORDS,
    MOST_TERMS,
    MOST_WEIGHT,
    PARTS,
    GeneralizationSettings,
    LearnableGame,
    RoteSettings,
    Settings,
    TDSettings,
    Weights,
    parse_weights,
    refuse_weights,
)
from zermelo.solvers.solution import Endgames
from zermelo.solving import on_machine, search

if TYPE_CHECKING:
    from zermelo.interpreter.machine import Machine
    from zermelo.interpreter.model import InputUnit, Network
    from zermelo.interpreter.native.images import Images
    from zermelo.solvers.learning.self_play import Learning
    from zermelo.solvers.learning.td import Scales

WORD = (1 << 64) - 1

GAMES = 10_000
"""How many games are played, or how many more, unless a number or a time is asked for."""


def settings_of(method: str, **given: float | int | None) -> Settings:
    """The settings of a method, the usual ones where None is given. Raises ``ZermeloError`` (``bad-usage``)."""
    if method not in BY_METHOD:
        raise ZermeloError("bad-usage", f"there is no method '{method}', but {', '.join(BY_METHOD)}")
    kind: Any = BY_METHOD[method][0]
    has = {each.name for each in fields(kind)}
    chosen = {name: number for name, number in given.items() if number is not None}
    for name in chosen:
        if name not in has:
            raise ZermeloError("bad-usage", f"the method {method} has no {name.strip('_')}", "leave it out")
    found: Settings = kind(**chosen)
    for name in ("alpha", "lambda_", "exploration"):
        number = getattr(found, name, 0)
        if not 0 <= number <= 1:
            raise ZermeloError("bad-usage", f"{name.strip('_')} is {number}, but must be a number from 0 to 1")
    bounds = {
        "hidden": (0, MOST_HIDDEN),
        "terms": (1, MOST_TERMS),
        "depth": (1, MOST_DEPTH),
        "records": (1, MOST_RECORDS),
    }
    for name, (least, most) in bounds.items():
        if name in has:
            check_count(name, getattr(found, name), most, least)
    return found


def check_count(name: str, number: int, most: int, least: int = 0) -> None:
    """Raise ``ZermeloError`` (``bad-usage``) unless it is a whole number from the least to the most."""
    if not isinstance(number, int) or not least <= number <= most:
        raise ZermeloError("bad-usage", f"{name} is {number}, but must be a whole number from {least} to {most:,}")


def prepare_learning(
    root: State,
    games: int | None,
    limits: Limits,
    seed: int,
    wanted: Settings,
    resume: Weights | None = None,
    report: Remark = ignore_remark,
) -> Learning[Any]:
    """Learning that has not begun. Raises as :func:`zermelo.learn` does."""
    check_count("seed", seed, MOST_COUNT)
    if games is not None:
        check_count("games", games, MOST_COUNT)
    game = root.game
    settings = wanted if resume is None else resume.settings
    total = check_learnable(root, settings, limits)
    if resume is not None:
        check_weights("the file to resume", resume, game)
    before = 0 if resume is None else resume.games
    most = games if games is not None else inf if limits.seconds < inf else before + GAMES
    if isinstance(settings, TDSettings):
        from zermelo.solvers.learning.td import TDLearning, begin

        if resume is None and settings.hidden:
            from zermelo.interpreter.symmetries.perspective import perspective_of

            settings = evolve(settings, perspective=perspective_of(game.model, units_in(game)) is not None)
        first = resume or begin(learnable(game, settings.hidden), seed, settings)
        return TDLearning(first, most, limits, scales_of(game, settings), game.facts.has_unsettled, report=report)
    own, has_unsettled = tuple(map(Fraction, game.weights.values())), game.facts.has_unsettled
    if isinstance(settings, GeneralizationSettings):
        from zermelo.solvers.learning.generalization import Generalizing
        from zermelo.solvers.learning.generalization import begin as begin_terms

        first = resume or begin_terms(learnable(game), seed, settings, own)
        return Generalizing(first, most, limits, total / 2, has_unsettled, report=report)
    if isinstance(settings, RoteSettings):
        from zermelo.solvers.learning.records import check_library
        from zermelo.solvers.learning.rote import LearningByRote
        from zermelo.solvers.learning.rote import begin as begin_records

        check_library()  # sooner than when the file is written
        width, layout, images = keys_of(game)
        first = resume or begin_records(learnable(game), seed, settings, own, width, layout)
        return LearningByRote(first, most, limits, total / 2, has_unsettled, images, report=report)
    from zermelo.solvers.learning.climbing import Climbing
    from zermelo.solvers.learning.climbing import begin as begin_climbing

    first = resume or begin_climbing(learnable(game), seed, settings, own)
    low, high = bounds_of(game, "learning by matches")
    return Climbing(first, most, limits, low, high, total / 2, has_unsettled, report=report)


def run_learning(learning: Learning[Any], root: State) -> None:
    """Learn from plays from a state on."""
    asked = with_inputs(root.game, learning.first.settings)

    def work(machine: Machine[Any]) -> None:
        learning.learn(machine, on_machine(root, machine))

    search(asked, work)


def with_inputs(game: Game, wanted: Settings) -> Game:
    """The game whose rules say the inputs of a network with these settings; the game itself without hidden units."""
    if not wanted.hidden:
        return game
    units = units_in(game)
    return game.with_network(network_of(game, units, ((0,),) * len(units), (0, 0), wanted.perspective))


def units_in(game: Game) -> tuple[InputUnit, ...]:
    """The inputs of a network. Raises ``ZermeloError`` (``no-features``)."""
    from zermelo.interpreter.model.networks import MOST_VALUES, NoUnits, units_of

    try:
        return units_of(game.model)
    except NoUnits as error:
        raise ZermeloError(
            "no-features",
            f"{error} may have more than {MOST_VALUES} values, of which no inputs of a network are made",
            "without --hidden the weights of features are learnt",
        ) from None


def network_of(
    game: Game,
    units: tuple[InputUnit, ...],
    hidden: tuple[tuple[int, ...], ...],
    output: tuple[int, ...],
    has_perspective: bool,
) -> Network:
    """A network that is the estimate of a game, with weights in whole parts."""
    from zermelo.interpreter.model import Network
    from zermelo.interpreter.symmetries.perspective import perspective_of

    perspective = perspective_of(game.model, units) if has_perspective else None
    return Network(units, hidden, output, *payoffs_of(game, has_perspective), perspective)


def payoffs_of(game: Game, has_perspective: bool = False) -> tuple[Fraction, Fraction, Fraction]:
    """The least and the most that the first player gets, or either player by whose perspective a network sees, and what
    both get together. Raises ``ZermeloError`` (``needs-bounds``)."""
    low, high = bounds_of(game, "a network")
    if game.facts.sum is None:
        raise needs_bounds("a network")
    total = Fraction(game.facts.sum)
    return (min(low, total - high), max(high, total - low), total) if has_perspective else (low, high, total)


def bounds_of(game: Game, what: str) -> tuple[Fraction, Fraction]:
    """The least and the most that the first player gets. Raises ``ZermeloError`` (``needs-bounds``)."""
    facts = game.facts
    bounds = facts.bounds[0] if facts.bounds else None
    if bounds is None or bounds[0] == bounds[1]:
        raise needs_bounds(what)
    return Fraction(bounds[0]), Fraction(bounds[1])


def needs_bounds(what: str) -> ZermeloError:
    return ZermeloError(
        "needs-bounds",
        f"{what} is for games whose payoffs have known bounds and a sum that the rules prove",
        "`zermelo learn GAME` learns the weights of features without them",
    )


def scales_of(game: Game, wanted: Settings) -> Scales:
    """What learning needs to know of the numbers of a game."""
    from zermelo.solvers.learning.td import Scales

    if not wanted.hidden:
        return Scales((1,) * len(game.weights), Fraction(0), Fraction(1), Fraction(0))
    return Scales(tuple(unit.most for unit in units_in(game)), *payoffs_of(game, wanted.perspective))


def check_learnable(root: State, settings: Settings, limits: Limits) -> Fraction:
    """What both players get together. Raises ``ZermeloError`` if nothing can be learnt by self-play with these
    settings."""
    from zermelo.solvers.choosing.choice import settle
    from zermelo.solvers.choosing.registry import Need, objection

    game = root.game

    looks_ahead = not isinstance(settings, TDSettings)

    def work(machine: Machine[Any]) -> Fraction:
        facts = settle(machine, game.facts, "expectiminimax", on_machine(root, machine), limits).facts
        needs = (Need.TWO_PLAYERS, Need.CONSTANT_SUM, Need.PERFECT_INFORMATION)
        for need in (*needs, Need.NO_CHANCE) if looks_ahead else needs:
            if not need.is_met(facts):
                message = f"learning by self-play is for {need.kind}, and {objection(need, facts)}"
                raise ZermeloError(need.code, message, "`zermelo solve` chooses a solver that fits the game")
        return Fraction(facts.sum or 0)

    total = search(game, work)
    if settings.hidden:
        payoffs_of(game)
        units_in(game)
    elif not game.weights:
        raise ZermeloError(
            "no-features",
            "the file has no estimate that is a weighted sum of features, so there are no weights to learn",
            "--hidden 20, without --method, learns a network, which needs none; or declare what counts, as in `feature "
            "lead(p) = score[p] - score[other p]` and `weight lead = 1`, with `estimate for p: weighted sum`",
        )
    if isinstance(settings, GeneralizationSettings):
        check_direction(game)
    return total


def check_direction(game: Game) -> None:
    """Raise ``ZermeloError`` (``no-features``) unless the first feature says what to play for, and there are others."""
    first, *others = game.weights.values()
    if not first or not others:
        raise ZermeloError(
            "no-features",
            "the first feature keeps its weight, which says what to play for, and those of the others are learnt; here "
            + ("it is 0" if others else "there are no others"),
            "`zermelo learn GAME` learns all weights by TD(lambda)",
        )


# Files of weights.


def learnable(game: Game, hidden: int = 0) -> LearnableGame:
    """What a file of weights, of features or of a network, says about the game that it is for."""
    rules = "\n".join(rules_beside_beginning(game.model.source))
    parameters = {name: format_value(value) for name, value in game.parameters.items()}
    names = (unit.name for unit in units_in(game)) if hidden else game.weights
    return LearnableGame(game.title, parameters, sha256(rules.encode()).hexdigest(), tuple(names))


def holds_weights(path: Path) -> bool:
    """Whether a file, which may hold strategies or anything else, begins as one of weights."""
    if _is_parquet(path):
        return True
    try:
        with path.open("rb") as stream:
            return FORMAT.encode() in stream.read(2 * len(FORMAT))
    except (OSError, ValueError):  # whoever reads it next says so
        return False


def _is_parquet(path: Path) -> bool:
    """Whether a file begins as one of what has been learnt by rote."""
    try:
        with path.open("rb") as stream:
            return stream.read(4) == b"PAR1"
    except (OSError, ValueError):  # whoever reads it next says so
        return False


def read_weights(path: Path) -> Weights:
    """The weights of a file. Raises ``ZermeloError`` (``unreadable-file``, ``bad-weights``, and ``library-missing``
    for what has been learnt by rote), and ``InvalidGame`` if it is not text."""
    if _is_parquet(path):
        from zermelo.solvers.learning.records import parse_records

        return parse_records(str(path), path.read_bytes())
    return parse_weights(str(path), read_file(str(path), path).text)


def write_weights(path: Path, weights: Weights) -> None:
    """Write a file of weights. Raises ``ZermeloError`` (``unwritable-file``; ``bad-weights`` if they have grown so
    large that they could not be read again)."""
    errors = (point.error for point in weights.curve)
    if not all(abs(weight) <= MOST_WEIGHT for weight in weights.weights) or not all(map(isfinite, errors)):
        raise ZermeloError(
            "bad-weights",
            f"nothing is written to {path}: what has been learnt has grown without bound",
            "learn with a smaller --alpha or a smaller --lambda",
        )
    if weights.records is None:
        write_file(path, weights.text().encode())
    else:
        from zermelo.solvers.learning.records import content

        write_file(path, content(weights))


def check_weights(name: str, weights: Weights, game: Game) -> None:
    """Raise ``ZermeloError`` (``bad-weights``) if weights are not for a game."""
    hidden, has = weights.settings.hidden, weights.game
    wanted = learnable(game, hidden)
    again = "`zermelo learn` with this game and these parameters writes weights for it"
    if has.parameters != wanted.parameters:
        said = ", ".join(f"{key} = {value}" for key, value in has.parameters.items())
        whose = f"{has.title} ({said})" if said else has.title
        refuse_weights(name, f"they are for {whose}, and this is {with_parameters(game.title, game)}", again)
    if not hidden and set(has.features) != set(wanted.features):
        of = ", ".join(has.features) or "none"
        refuse_weights(name, f"they are of the features {of}, and the game has {', '.join(wanted.features)}", again)
    if has.sha256 != wanted.sha256 or has.features != wanted.features:
        refuse_weights(name, f"they are for {has.title} with other rules", again)
    if weights.records is not None and keys_of(game)[:2] != (weights.records.width, weights.records.layout):
        refuse_weights(name, "its positions have keys as another version of this program makes them", again)


def keys_of(game: Game) -> tuple[int, str, Images | None]:
    """How many words the keys of a game's positions have, a digest of how their bits are laid out and of how many
    positions are alike, and the images of these. Raises ``ZermeloError`` (``no-table``) for a game without such
    keys."""
    from zermelo.solvers.running.lowered_backend import images_of
    from zermelo.solvers.tables.keys import layout_record, lowered, no_table

    machine = lowered(game.searching)
    layout, images = machine.program.layout, images_of(machine)
    if game.facts.discounted:
        raise no_table("payoffs are discounted, so that what a position is worth depends on when it comes up")
    told = [layout_record(layout), 1 if images is None else len(images.symmetries)]
    return layout.key_words, sha256(json.dumps(told).encode()).hexdigest(), images


@wrap_internal_errors
def records_of(game: Game, weights: Weights) -> Endgames | None:
    """What has been learnt by rote about a game, as searches look it up at their horizon; None for other weights. Of
    scores whole multiples of one part in :data:`PARTS` are taken."""
    kept = weights.records
    if kept is None:
        return None
    from zermelo.solvers.kernels.endgames import BIAS, HALF_WORD

    total, width = Fraction(game.facts.sum or 0), kept.width
    keys = {tuple(word & WORD for word in kept.keys[k * width : (k + 1) * width]): k for k in range(len(kept))}
    halves, outcomes, numbers = array("i"), array("i"), dict[Fraction, int]()
    for key, row in sorted(keys.items()):
        for word in key:
            halves.extend(((word >> 32) - BIAS, (word & HALF_WORD) - BIAS))
        score = Fraction(round(kept.scores[row] * PARTS), PARTS)
        outcomes.append(numbers.setdefault(score, len(numbers)))
    return Endgames(halves, outcomes, [(score, total - score) for score in numbers], keys_of(game)[2], is_estimate=True)


@wrap_internal_errors
@check_first
def with_weights(game: Game, weights: Weights | str | os.PathLike[str]) -> Game:
    """The same game with what :func:`zermelo.learn` has found as its estimate, or with a file of `zermelo learn`.

    Positions that were kept by rote are not part of a game, and its estimate is the file's own: searches look them up
    with ``endgames=records_of(game, weights)``.

    Raises ``ZermeloError`` (``unreadable-file``; ``bad-weights`` if they are not for this game).

    >>> import zermelo
    >>> game = zermelo.load("tic_tac_toe")
    >>> learnt = zermelo.learn(game, games=100, hidden=2)
    >>> zermelo.solve(zermelo.with_weights(game, learnt), depth=2).exact
    False
    """
    found = weights if isinstance(weights, Weights) else read_weights(Path(weights))
    check_weights("this object" if found is weights else str(weights), found, game)
    return weighed(game, found)


def weighed(game: Game, weights: Weights) -> Game:
    """A game whose estimate has these weights, which are for it."""
    if not weights.settings.hidden:
        return game.reweighed(**weights.rounded)
    from zermelo.interpreter.model.networks import ONE

    units, (*rows, output) = units_in(game), weights.rows
    hidden = (tuple(round(weight * ONE / unit.most) for weight in row) for unit, row in zip(units, rows, strict=True))
    weights_out = tuple(round(weight * ONE) for weight in output)
    return game.with_network(network_of(game, units, tuple(hidden), weights_out, weights.settings.perspective))
