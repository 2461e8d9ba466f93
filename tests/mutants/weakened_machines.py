"""Mutants of what a position is, of who perceives what, and of machine code."""

from __future__ import annotations

from mutant import JUDGE, mutants_of

CHECKS = "tests/interpreter/checks"
REFERENCE = "tests/interpreter/reference"
NATIVE = "tests/interpreter/native"

MUTANTS = [
    *mutants_of(
        "interpreter/analysis.py",
        ("tests/interpreter/checks/test_visibility.py", f"{CHECKS}/test_visibility.py", JUDGE),
        ("history is no secret", "    if game.history:\n", "    if False:\n"),
        ("names need not be told", "if remembered_names(phase):", "if False:"),
        ("arguments of phases are no secrets", "            if parameter.secret:\n", "            if False:\n"),
        (
            "secret moves can be followed",
            "rule.secret or any(parameter.secret for parameter in rule.parameters)",
            "any(parameter.secret for parameter in rule.parameters)",
        ),
        ("choices at once are no secrets", "    if at_once.holds:\n", "    if False:\n"),
        ("a changing audience is everybody", "if not isinstance(audience, model.Const):", "if False:"),
    ),
    *mutants_of(
        "interpreter/model/rewriting.py",
        ("tests/interpreter/model/test_liveness.py", JUDGE),
        (
            "decisions read no names",
            "return _slots_bound_in(phase.entry) & _slots_read_by_decision(phase.decision)",
            "return frozenset()",
        ),
        (
            "names follow what changes later",
            "free_slots(statement.value) <= following and _reads_only_unchanged(statement.value, changed_later)",
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
            "return *here, names, future_of(self.model, state.snapshot)",
            "return (*here, names)",
        ),
    ),
    *mutants_of(
        "interpreter/evaluation/context.py",
        ("tests/interpreter/evaluation/test_statements.py", JUDGE),
        ("repetitions count other phases", "        and snapshot.phase == now.phase\n", ""),
        ("repetitions count other arguments", "        and snapshot.arguments == now.arguments\n", ""),
    ),
    *mutants_of(
        "interpreter/reference/perception.py",
        (f"{REFERENCE}/test_perception.py", JUDGE),
        ("secret moves are seen", "        if rule.secret:\n            return None\n", ""),
        (
            "secret arguments are seen",
            "HIDDEN if parameter.secret else value\n            for parameter, value in zip(rule",
            "value\n            for parameter, value in zip(rule",
        ),
        (
            "an empty sighting is one",
            "if values := self._new_values(last, state, player):\n            yield Sighting(values)",
            "yield Sighting(self._new_values(last, state, player))",
        ),
        ("choices are seen before the last", "                if state.chosen:\n                    return\n", ""),
        (
            "everybody hears what is told",
            "for hearers, told in here.told if player in hearers",
            "for hearers, told in here.told",
        ),
    ),
    *mutants_of(
        "interpreter/evaluation/context.py",
        (f"{REFERENCE}/test_perception.py", JUDGE),
        (
            "what becomes visible is not new",
            "(place in changed or place not in seen_before) and",
            "place in changed and",
        ),
    ),
    # ------------------------------------------------------------- machine code
    *mutants_of(
        "interpreter/native/state_encoding/encoding.py",
        (f"{NATIVE}/test_sampling.py",),
        (
            "the first set of a size is the last of the size before",
            "stored >= self._firsts[count + 1 - self.least]",
            "stored > self._firsts[count + 1 - self.least]",
        ),
        (
            "ranks of members count from 0",
            "comb(place, k) for k, place in enumerate(places, 1))",
            "comb(place, k) for k, place in enumerate(places))",
        ),
    ),
    *mutants_of(
        "interpreter/native/state_encoding/encoding.py",
        (f"{NATIVE}/test_limits.py", f"{NATIVE}/test_rules.py"),
        (
            "halves below the step do not count",
            "return lcm(Fraction(number.low).denominator, Fraction(number.step).denominator)",
            "return Fraction(number.step).denominator",
        ),
    ),
    *mutants_of(
        "interpreter/native/sets/conditions.py",
        (f"{NATIVE}/test_sets.py",),
        ("as much is more", 'if operator in (">", "<=") else ceil(limit)', 'if operator == "<=" else ceil(limit)'),
        (
            "as much is not at most",
            'if operator in (">", "<=") else ceil(limit)',
            'if operator == ">" else ceil(limit)',
        ),
        ("no entry is as great as can be", "    if bound >> len(planes):\n", "    if bound >> len(planes) - 1:\n"),
        (
            "a value is told from those below it",
            "others = [other for other in range(last + 1) if other != stored]",
            "others = [other for other in range(last + 1) if other < stored]",
        ),
        ("a player or none is a player", "_match_constant(names, stored, last, ", "_match_constant(names, stored, 1, "),
    ),
    *mutants_of(
        "interpreter/native/sets/families.py",
        (f"{NATIVE}/test_families.py",),
        (
            "lines go on behind the edge",
            "return f\"({' & '.join(parts)} & {self.begin})\"",
            "return f\"({' & '.join(parts)})\"",
        ),
        ("a part shifted may leave out members", " if part | part << by == form]", " if part != form]"),
        (
            "what is in no set is in some",
            'return f"({within} ^ {shape.begin})" if condition.quantifier == "some" else within',
            "return within",
        ),
        ("the condition may be about the set itself", " or self.slot in free_slots(condition.body):", ":"),
        ("of several masks one is looked up", "if len(met.members) == 1 and", "if met.members and"),
    ),
    *mutants_of(
        "interpreter/native/rules/untried.py",
        (f"{NATIVE}/test_untried.py",),
        ("any order is that of the mask", " or not conditions.is_ascending(binder.domain, env):", ":"),
        ("tests that take a loop are none", "if found is None or found[1]:", "if found is None:"),
        ("a condition on what follows is none", " and rule.ensuring is None:", ":"),
    ),
    *mutants_of(
        "interpreter/native/rules/decisions.py",
        (f"{NATIVE}/test_sampling.py",),
        (
            "what has weight 0 may be drawn",
            'outcomes.block(f"if {weight.text} > 0")',
            'outcomes.block(f"if {weight.text} >= 0")',
        ),
        (
            "a weight below 0 is one",
            'lowering.fault_if(body, f"{value.text} < 0", "negative-weight", expr.span)',
            "pass",
        ),
    ),
    *mutants_of(
        "interpreter/native/rules/perception.py",
        (f"{NATIVE}/test_perception.py",),
        ("what becomes visible is not new", 'if {now} != {before} or ({is_new})"', 'if {now} != {before}"'),
        ("an observation is a word shorter", 'body.line(f"n += {len(words) + 1}")', 'body.line(f"n += {len(words)}")'),
    ),
    *mutants_of(
        "interpreter/native/running/views.py",
        (f"{NATIVE}/test_running.py",),
        ("there is an element behind the last", "if not 0 <= place < self.count:", "if not 0 <= place <= self.count:"),
        ("the least number is none", "or not _LEAST <= given <= _MOST:", "or not _LEAST < given <= _MOST:"),
    ),
    *mutants_of(
        "interpreter/native/running/kernels.py",
        (f"{NATIVE}/test_running.py",),
        ("a list may become shorter", "            if len(longer) < len(before):\n", "            if False:\n"),
        ("no elements are too few", "        if given < 0:\n", "        if given <= 0:\n"),
    ),
    *mutants_of(
        "interpreter/native/algorithms/sets.py",
        (f"{NATIVE}/test_sampling.py",),
        (
            "the first set of a size is the last of the size before",
            "number >= FIRSTS[k + 1 - LEAST]",
            "number > FIRSTS[k + 1 - LEAST]",
        ),
    ),
    *mutants_of(
        "interpreter/native/algorithms/phases.py",
        (f"{NATIVE}/test_images.py",),
        (
            "words have a sign",
            "return high < 0 or (high == 0 and low < 0)",
            "return low < 0 or (low == 0 and high < 0)",
        ),
        ("images with the same phase are not made", "        if first <= least:\n", "        if first < least:\n"),
    ),
    *mutants_of(
        "interpreter/native/algorithms/sets.py",
        (f"{NATIVE}/test_rules.py",),
        ("a line ends before its end", "return whole & (met ^ (met - 1))", "return whole & (met - 1)"),
        ("a line back goes on to its end", "return whole & ((here << 1 | 1) ^ FULL)", "return whole & (here ^ FULL)"),
    ),
    *mutants_of(
        "interpreter/native/algorithms/payoffs.py",
        ("tests/solvers/running/test_native_solvers.py",),
        ("draws of chance take time", "    if state[ACTOR] != 1:\n", "    if True:\n"),
    ),
    *mutants_of(
        "interpreter/native/algorithms/checks.py",
        (f"{NATIVE}/test_limits.py",),
        (
            "the greatest number is too great",
            "if (x < low or x > high) and x != none:",
            "if (x < low or x >= high) and x != none:",
        ),
        (
            "the least number is too small",
            "if (x < low or x > high) and x != none:",
            "if (x <= low or x > high) and x != none:",
        ),
    ),
    *mutants_of(
        "interpreter/evaluation/statements.py",
        ("tests/interpreter/evaluation/test_statements.py",),
        (
            "defines are remembered when a variable is assigned as a whole",
            "* (behind - first)\n        context.memo = {}\n",
            "* (behind - first)\n",
        ),
    ),
    *mutants_of(
        "interpreter/native/rules/statements.py",
        ("tests/interpreter/native/test_rules.py",),
        (
            "two payoffs are those of two players",
            "return len(named) == len(entries) == players",
            "return len(entries) == players",
        ),
    ),
    *mutants_of(
        "interpreter/native/expressions/lowering.py",
        ("tests/interpreter/native/test_rules.py",),
        (
            "a negative divisor is positive",
            "factor = divisor.denominator if divisor > 0 else -divisor.denominator",
            "factor = divisor.denominator",
        ),
    ),
    *mutants_of(
        "interpreter/native/model_lowering.py",
        (f"{NATIVE}/test_state_encoding.py",),
        (
            "a slot takes one word of the key however wide it is",
            '            body.write("K", f"{first} + {index} * {each}", parts)\n        first += each * place.slots\n',
            '            body.write("K", f"{first} + {index} * {each}", parts)\n        first += place.slots\n',
        ),
    ),
    *mutants_of(
        "interpreter/native/rules/decisions.py",
        (f"{NATIVE}/test_rules.py",),
        (
            "how often a turn has been somewhere does not matter",
            'return functions["digest_of_counts"], functions["same_counts"]',
            'return functions["digest_of_set"], functions["same_set"]',
        ),
    ),
]
