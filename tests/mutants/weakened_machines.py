"""Mutants of what a position is, and of who perceives what."""

from __future__ import annotations

from mutant import JUDGE, mutants_of

CHECKS = "tests/interpreter/checks"
REFERENCE = "tests/interpreter/reference"

MUTANTS = [
    *mutants_of(
        "interpreter/analysis/information.py",
        ("tests/interpreter/analysis/test_information.py", f"{CHECKS}/test_information_sets.py", JUDGE),
        ("history is no secret", "    if model.history:\n", "    if False:\n"),
        ("names need not be told", "if remembered_names(phase):", "if False:"),
        ("arguments of phases are no secrets", "            if parameter.secret:\n", "            if False:\n"),
        (
            "secret moves can be followed",
            "rule.secret or any(parameter.secret for parameter in rule.parameters)",
            "any(parameter.secret for parameter in rule.parameters)",
        ),
        ("choices at once are no secrets", "    if at_once.holds:\n", "    if False:\n"),
        ("a changing audience is everybody", "if not isinstance(audience, Const):", "if False:"),
    ),
    *mutants_of(
        "interpreter/model/liveness.py",
        ("tests/interpreter/model/test_liveness.py", JUDGE),
        (
            "decisions read no names",
            "return _bound(phase.entry) & _read_by_decision(phase.decision)",
            "return frozenset()",
        ),
        (
            "names follow what changes later",
            "free_slots(statement.value) <= following and _reads_only_kept(statement.value, changed_later)",
            "free_slots(statement.value) <= following",
        ),
        (
            "moments do not count",
            "    if any(isinstance(part, moments) for part in walk_with_defines(expr)):\n        return False\n",
            "",
        ),
    ),
    *mutants_of(
        "interpreter/reference/machine.py",
        (REFERENCE, "tests/interpreter/model/test_liveness.py", JUDGE),
        ("names are no part of a position", "return (*here, names) if names else here", "return here"),
        (
            "choices made are no part of a position",
            "state.phase.name, state.arguments, values, state.chosen\n",
            "state.phase.name, state.arguments, values\n",
        ),
        (
            "history is no part of a position",
            "return *here, names, history.future_of(self.model, state.snapshot)",
            "return (*here, names)",
        ),
    ),
    *mutants_of(
        "interpreter/evaluation/history.py",
        ("tests/interpreter/evaluation/test_history.py", JUDGE),
        ("repetitions count other phases", "        and snapshot.phase == now.phase\n", ""),
        ("repetitions count other arguments", "        and snapshot.arguments == now.arguments\n", ""),
    ),
    *mutants_of(
        "interpreter/reference/perception.py",
        (f"{REFERENCE}/test_perception.py", JUDGE),
        ("secret moves are seen", "        if rule.secret:\n            return None\n", ""),
        (
            "secret arguments are seen",
            "None if parameter.secret else value\n            for parameter, value in zip(rule",
            "value\n            for parameter, value in zip(rule",
        ),
        (
            "an empty sighting is one",
            "if values := self._seen(last, state, player):\n            yield Sighting(values)",
            "yield Sighting(self._seen(last, state, player))",
        ),
        ("choices are seen before the last", "                if state.chosen:\n                    return\n", ""),
        (
            "everybody hears what is told",
            "for hearers, told in here.told if player in hearers",
            "for hearers, told in here.told",
        ),
    ),
    *mutants_of(
        "interpreter/evaluation/audiences.py",
        (f"{REFERENCE}/test_perception.py", JUDGE),
        (
            "what becomes visible is not new",
            "(place in changed or place not in seen_before) and",
            "place in changed and",
        ),
    ),
]
