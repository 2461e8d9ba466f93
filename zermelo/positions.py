"""A position in words: moves, outcomes, and what players see."""

from __future__ import annotations

from collections.abc import Container, Iterable
from fractions import Fraction

from zermelo.boards import draw_variables
from zermelo.game import Game, State
from zermelo.grammar.diagnostics import Source
from zermelo.interpreter.machine import Asked, InformationState, Move, PerceivedMove, Seen, Sighting, Told, display_text
from zermelo.interpreter.model import Audience, SeenBy
from zermelo.interpreter.values import OrderedSet, Value, format_value


def changing_variables_text(game: Game, seen: Iterable[Seen]) -> str:
    """The entries that are seen of variables that are not constant, drawn and listed, without a line end."""
    constant = {variable.name for variable in game.model.variables if variable.is_constant}
    return draw_variables(game.model, (entry for entry in seen if entry.variable not in constant))


def view_text(state: State, player: str) -> str:
    """The variables as a player sees them, without a line end; empty if the player sees none."""
    return draw_variables(state.game.model, state.view(player))


def outcomes_in_words(outcomes: Iterable[tuple[Move, Fraction]]) -> str:
    """Outcomes of chance with their probabilities: on one line if all are equally likely, else one on each."""
    listed = list(outcomes)
    likely = {probability for _, probability in listed}
    if len(likely) == 1:
        return f"each with probability {likely.pop()}: {', '.join(display_text(outcome) for outcome, _ in listed)}"
    width = max(len(display_text(outcome)) for outcome, _ in listed)
    return "\n".join(f"{display_text(outcome):<{width}}  {probability}" for outcome, probability in listed)


Sight = tuple[int, Seen]
"""A value that a player saw, with the number of the observation."""


def sights(information: InformationState) -> list[Sight]:
    """All values that a player has seen, in order."""
    return [
        (number, entry)
        for number, step in enumerate(information)
        if isinstance(step, Sighting)
        for entry in step.values
    ]


def past_sights(information: InformationState) -> set[Sight]:
    """The values that a player has seen, and has since seen replaced by others."""
    seen = sights(information)
    return set(seen) - set({entry[:2]: (number, entry) for number, entry in seen}.values())


def perceived_texts(information: InformationState, hide: str = "", recalled: Container[Sight] = ()) -> list[str]:
    """The moves that a player has seen, but for those of ``hide``, what the player was told, and the values
    ``recalled``, in order."""
    found: list[str] = []
    for number, observation in enumerate(information):
        if isinstance(observation, Told) or (isinstance(observation, PerceivedMove) and observation.player != hide):
            found.append(display_text(observation))
        elif isinstance(observation, Sighting):
            found += sorted(display_text(entry) for entry in observation.values if (number, entry) in recalled)
    return found


def past_knowledge(state: State, player: str) -> list[str]:
    """What a player knows that the position does not show: moves, messages, and values that not everybody saw and that
    others have replaced, in order; but not where moves leave an entry empty, or add to a set or take from it."""
    known = {name: state.information_state(name) for name in state.game.players}
    public = set.intersection(*({entry for _, entry in sights(information)} for information in known.values()))
    recalled: set[Sight] = set()
    latest: dict[tuple[object, ...], Sight] = {}
    for number, entry in sights(known[player]):
        before = latest.get(entry[:2])
        if before is not None and before[1] not in public and not _is_moved(before[1].value, entry.value):
            recalled.add(before)
        latest[entry[:2]] = number, entry
    return perceived_texts(known[player], recalled=recalled)


def _is_moved(before: Value, after: Value) -> bool:
    if isinstance(before, OrderedSet) and isinstance(after, OrderedSet):
        return before.members <= after.members or after.members <= before.members
    return before is None or after is None


def question_of(state: State, player: str) -> str:
    """The phase in which the player is to move, where it tells more than their name: ``answer(2)``."""
    question = state.information_state(player)[-1]
    if isinstance(question, Asked) and any(format_value(value) != player for value in question.arguments):
        return display_text(question).removeprefix("to decide: ")
    return ""


# What a file declares, as it writes it: parameters with their values, and variables with who sees them.


def parameters_of(game: Game) -> list[tuple[str, str, str]]:
    """Every parameter with its value and its domain, as the file writes it."""
    return [(name, format_value(game.parameters[name]), domain) for name, domain in game.model.domains.items()]


def variables_of(game: Game) -> list[tuple[str, str]]:
    """Every variable, as the file declares it, and who sees it."""
    source = game.model.source
    return [
        (source.excerpt(variable.declared), _audience(variable.visibility, source)) for variable in game.model.variables
    ]


def _audience(visibility: Audience | SeenBy, source: Source) -> str:
    if isinstance(visibility, Audience):
        return visibility.value
    written = source.excerpt(visibility.audience.span)
    return "each player their own" if written == "private" else written
