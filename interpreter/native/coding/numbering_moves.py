"""Numbering the moves of a model (:mod:`.moves`): which bits of a number each rule and each argument has."""

from __future__ import annotations

from math import prod
from typing import Final

from zermelo.interpreter.model import Chance, Model, RuleParameter
from zermelo.interpreter.model.walks import rules_of
from zermelo.interpreter.native.coding.encoding import Storage, is_set, storage_of
from zermelo.interpreter.native.coding.moves import Argument, MoveCodes, RuleCode
from zermelo.interpreter.native.coding.subset_ranks import RankedSets, most_values, ranked
from zermelo.interpreter.native.dialect.unsupported import Unsupported

_BITS: Final = 62


def move_codes(game: Model) -> MoveCodes:
    """The numbers of the moves of a model. Raises Unsupported."""
    rules = [(phase, rule) for phase in game.phases.values() for rule in rules_of(phase.decision)]
    rule_bits = max(1, (len(rules) - 1).bit_length())
    codes = MoveCodes(rule_bits, rule_bits, rule_bits)
    for number, (phase, rule) in enumerate(rules):
        storages: list[Storage | RankedSets] = [_stored(parameter) for parameter in rule.parameters]
        if rule_bits + sum(storage.width for storage in storages) > _BITS:
            storages = [
                ranked(parameter) if is_set(parameter.type) else storage
                for parameter, storage in zip(rule.parameters, storages, strict=True)
            ]
        shift = rule_bits
        arguments = []
        for parameter, storage in zip(rule.parameters, storages, strict=True):
            arguments.append(Argument(parameter.type, storage, shift))
            shift += storage.width
        if shift > _BITS:
            raise Unsupported("a move of more than 62 bits", rule.span)
        is_chosen = not isinstance(phase.decision, Chance)
        codes.add(phase.name, RuleCode(number, rule, tuple(arguments)), shift, is_chosen)
    codes.most = _most(game)
    return codes


def _stored(parameter: RuleParameter) -> Storage:
    try:
        return storage_of(parameter.type)
    except Unsupported as beyond:
        beyond.locate(parameter.span)
        raise


def _most(game: Model) -> int:
    return max(
        1,
        *(
            sum(prod(most_values(parameter.domain) for parameter in rule.parameters) for rule in rules)
            for rules in (rules_of(phase.decision) for phase in game.phases.values())
        ),
    )
