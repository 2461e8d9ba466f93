"""The mutants: texts in the sources of proof, and texts in their places that weaken them."""

from __future__ import annotations

from dataclasses import dataclass

CHECKS = "tests/interpreter/checks"
POSITIONS = "tests/solvers/positions"
JUDGE = "tests/solvers/test_judge.py"
REFERENCE = "tests/interpreter/reference"


@dataclass(frozen=True)
class Mutant:
    """In ``file`` the text ``old`` becomes ``new``; ``tests`` should notice. ``reason`` says what is weakened."""

    file: str
    reason: str
    old: str
    new: str
    tests: tuple[str, ...]


def _of(file: str, tests: tuple[str, ...], *changes: tuple[str, str, str]) -> list[Mutant]:
    """The mutants of one file: what is weakened, the text, and the text in its place."""
    return [Mutant(file, reason, old, new, tests) for reason, old, new in changes]


MUTANTS = [
    *_of(
        "solvers/kernels/retrograde.py",
        (f"{POSITIONS}/retrograde/test_retrograde.py", f"{POSITIONS}/retrograde/test_lasting.py"),
        (
            "those who delay are driven out only at their last edge",
            "opens == want or want * (number - middle(search)) >= 0",
            "want * (number - middle(search)) != 0",
        ),
        ("all exits of a position are one edge", "opens: int = 1 if exits > 0 else 0", "opens: int = exits"),
        (
            "exits come from the outside in",
            "ahead: int = from_middle(search, circle.exits[place]) - from_middle(search, circle.exits[other])",
            "ahead: int = circle.exits[place] - circle.exits[other]",
        ),
        (
            "exits take their turn by their distances",
            "(ahead == 0 and circle.exit_distances[place] <= search.distances[position])",
            "ahead == 0",
        ),
        (
            "nothing is earned in a circle",
            "and search.amounts[search.rewards[edge]] != 0",
            "and search.amounts[0] != 0",
        ),
        ("a position may lead to itself", "search.distances[position] = -1  # it may lead to itself", "pass"),
    ),
    *_of(
        "solvers/positions/retrograde/retrograde.py",
        (f"{POSITIONS}/retrograde/test_retrograde.py",),
        (
            "a number is known only if it does not depend on endless plays",
            "low, high = analyser.analyse(-beyond), analyser.analyse(beyond)",
            "low = high = analyser.analyse(-beyond)",
        ),
    ),
    *_of(
        "interpreter/checks/measures.py",
        (f"{CHECKS}/test_termination.py", JUDGE),
        (
            "adding none to a set counts as growth",
            "and any(guard.item == item and (member or _is_something(item)) for",
            "and any(guard.item == item for",
        ),
        (
            "a number may stand still and still be used up",
            "return change(statement)[0] > 0",
            "return change(statement)[0] >= 0",
        ),
        (
            "a number may stand still and still fall",
            "return change(statement)[1] < 0",
            "return change(statement)[1] <= 0",
        ),
        ("any optional value fills up", "of_a_field or _is_something(value) else ()", "True else ()"),
        (
            "a field emptied empties the entry",
            "return is_none and not (isinstance(statement, Assign) and statement.path)",
            "return is_none",
        ),
        (
            "what one statement does, all do",
            "if isinstance(statement, Assign | Fill):",
            "if isinstance(statement, Assign):",
        ),
        ("a rising number may fall", 'frozenset({"rises"} if low >= 0 else ())', 'frozenset({"rises"})'),
    ),
    *_of(
        "interpreter/checks/termination.py",
        (f"{CHECKS}/test_termination.py", JUDGE),
        ("one measure of many is enough for a cycle", "step.uses.isdisjoint(enough)", "not step.uses"),
        (
            "histories see the ways out as other games do",
            "Rests({} if model.history else model.phases)",
            "Rests(model.phases)",
        ),
    ),
    *_of(
        "interpreter/checks/advancing.py",
        (f"{CHECKS}/test_termination.py", JUDGE),
        (
            "only moves of the rule itself count",
            "if any(_puts(variable, block) for block in blocks_of_phase(phase)",
            "if False and any(_puts(variable, block) for block in blocks_of_phase(phase)",
        ),
    ),
    *_of(
        "interpreter/checks/sums.py",
        (f"{CHECKS}/test_sums.py", JUDGE),
        ("earnings need not cancel", "if _total(tuple(amount for _, amount in earned)) != 0:", "if False:"),
        ("a discount keeps constant sums", "if amount != 0 and model.discount != 1:", "if False:"),
        (
            "winners may be everybody or nobody",
            "all(0 < size < players for size in sizes)",
            "all(size <= players for size in sizes)",
        ),
        (
            "unknown differences are none",
            "if len(amounts) != players or None in differences:",
            "if len(amounts) != players:",
        ),
        ("earning does not spoil common payoffs", "if not _are_shared(earned, model.players):", "if False:"),
        (
            "one who earns earns for all",
            "return all(_total((*map(_negative, first), *other)) == 0 for other in others)",
            "return True",
        ),
        ("an endless play pays nothing", 'if model.endless is not None and model.notation == "phases":', "if False:"),
    ),
    *_of(
        "interpreter/checks/payoff_bounds.py",
        (f"{CHECKS}/test_payoff_bounds.py", JUDGE),
        ("earnings have no part in bounds", "if any(earnings(model, phases)):", "if False:"),
        ("a discount does not shrink bounds", "if known is not None and model.discount != 1:", "if False:"),
        (
            "the other player's bounds are turned round",
            "(sum - bounds[1], sum - bounds[0])",
            "(sum - bounds[0], sum - bounds[0])",
        ),
    ),
    *_of(
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
    *_of(
        "interpreter/checks/survey.py",
        (f"{CHECKS}/test_survey.py", JUDGE),
        (
            "earnings need not agree when a position is met again",
            "if self.earned(state) != self.carried.get(position, 0):",
            "if False:",
        ),
        ("a loop is no loop", "        elif self.loop is None:\n", "        elif False:\n"),
        ("everybody earns the same", "if any(amount != earned[0] for amount in earned):", "if False:"),
    ),
    *_of(
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
    *_of(
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
    *_of(
        "interpreter/evaluation/history.py",
        ("tests/interpreter/evaluation/test_history.py", JUDGE),
        ("repetitions count other phases", "        and snapshot.phase == now.phase\n", ""),
        ("repetitions count other arguments", "        and snapshot.arguments == now.arguments\n", ""),
    ),
    *_of(
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
    *_of(
        "interpreter/evaluation/audiences.py",
        (f"{REFERENCE}/test_perception.py", JUDGE),
        (
            "what becomes visible is not new",
            "(place in changed or place not in seen_before) and",
            "place in changed and",
        ),
    ),
    *_of(
        "solvers/linear_programming/linear_program.py",
        (
            "tests/solvers/linear_programming/test_linear_program.py",
            "tests/solvers/linear_programming/test_exact_simplex.py",
            "tests/solvers/forms/test_sequence_form.py",
            JUDGE,
        ),
        (
            "equal values prove an optimum without feasibility",
            "return dual == certificate.value(program) and not faults(program, certificate)",
            "return dual == certificate.value(program)",
        ),
        (
            "feasibility proves an optimum",
            "return dual == certificate.value(program) and not faults(program, certificate)",
            "return not faults(program, certificate)",
        ),
    ),
    *_of(
        "solvers/linear_programming/exact_optimum.py",
        ("tests/solvers/linear_programming/test_linear_program.py", "tests/solvers/forms/test_sequence_form.py", JUDGE),
        (
            "what is found in floats is taken for proved",
            "return certificate, is_optimal(program, certificate)",
            "return certificate, True",
        ),
    ),
    *_of(
        "solvers/forms/best_response.py",
        (
            "tests/solvers/forms/test_best_response.py",
            "tests/solvers/imperfect_information/test_regret_minimization.py",
            JUDGE,
        ),
        (
            "the first sequence is the best",
            "chosen[i] = max(options, key=values.__getitem__)",
            "chosen[i] = options[0]",
        ),
        (
            "others' plans count once",
            "reached = [known * weights[sequence] for known",
            "reached = [weights[sequence] for known",
        ),
        (
            "the interval ends where play is expected",
            "return sum(self.expected, Fraction(0)) - self.best[1], self.best[0]",
            "return self.expected[0], self.best[0]",
        ),
    ),
    *_of(
        "solvers/choosing/needs.py",
        ("tests/solvers/choosing/test_registry.py", JUDGE),
        (
            "what is not known is met",
            "return holds is True or (self in (Need.END, Need.IMPERFECT_INFORMATION) and holds is None)",
            "return holds is not False",
        ),
    ),
    *_of(
        "solvers/tree_building/exactly.py",
        ("tests/solvers/forms/test_extensive_form.py", JUDGE),
        (
            "histories merge whatever has been earned",
            "(known, machine.position(state), machine.earned(state))",
            "(known, machine.position(state))",
        ),
        (
            "histories merge whatever is known",
            "(known, machine.position(state), machine.earned(state))",
            "(machine.position(state), machine.earned(state))",
        ),
        (
            "moves of one set need not agree",
            "elif set(machine.moves(state)) != set(self.sets.moves_of(s)):",
            "elif False:",
        ),
    ),
    *_of(
        "solvers/imperfect_information/subgame_perfect.py",
        ("tests/solvers/imperfect_information/test_subgame_perfect.py", JUDGE),
        (
            "subgames may cut information sets",
            "is_closed = last[node] == node and first[node] <= low[node] and high[node] <= node",
            "is_closed = last[node] == node",
        ),
        ("subgames may be entered from elsewhere", "is_closed = last[node] == node and first", "is_closed = first"),
    ),
    *_of(
        "solvers/choosing/verifying.py",
        ("tests/solvers/choosing/test_verifying.py", "tests/zermelo/test_verify.py"),
        ("any value is confirmed", "if solution.value not in found:", "if False:"),
        ("any strategies are confirmed", "if most > expected[player]:", "if False:"),
        ("another value confirms", "if other.value != solution.value:", "if False:"),
    ),
    *_of(
        "solvers/running/reckoning.py",
        ("tests/solvers/search/test_window_search.py", "tests/solvers/running", JUDGE),
        ("payoffs of any size fit a kernel", '"LARGEST": _MOST // scale', '"LARGEST": 1 << 62'),
    ),
]
