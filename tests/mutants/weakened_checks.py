"""Mutants of what the checks prove about rules."""

from __future__ import annotations

from mutant import JUDGE, mutants_of

CHECKS = "tests/interpreter/checks"

MUTANTS = [
    *mutants_of(
        "interpreter/checks/measures.py",
        (f"{CHECKS}/test_termination.py", JUDGE),
        (
            "adding none to a set counts as growth",
            "and any(guard.item == item and (member or _is_never_none(item)) for",
            "and any(guard.item == item for",
        ),
        (
            "what is left out is a member, too",
            "for parameter in rule.parameters if not parameter.is_optional]",
            "for parameter in rule.parameters]",
        ),
        (
            "a number may stand still and still be used up",
            "return change_bounds(statement)[0] > 0",
            "return change_bounds(statement)[0] >= 0",
        ),
        (
            "a number may stand still and still fall",
            "return change_bounds(statement)[1] < 0",
            "return change_bounds(statement)[1] <= 0",
        ),
        ("any optional value fills up", "of_a_field or _is_never_none(value) else ()", "True else ()"),
        (
            "a field emptied empties the entry",
            "return is_none and not (isinstance(statement, model.Assign) and statement.path)",
            "return is_none",
        ),
        (
            "what one statement does, all do",
            "if isinstance(statement, model.Assign | model.Fill):",
            "if isinstance(statement, model.Assign):",
        ),
        ("a rising number may fall", 'frozenset({"rises"} if low >= 0 else ())', 'frozenset({"rises"})'),
    ),
    *mutants_of(
        "interpreter/model/rewriting.py",
        (f"{CHECKS}/test_visited_ranking.py", f"{CHECKS}/test_termination.py"),
        (
            "loops do not fill",
            "if isinstance(statement, model.Assign | model.Fill)}",
            "if isinstance(statement, model.Assign)}",
        ),
    ),
    *mutants_of(
        "interpreter/checks/termination.py",
        (f"{CHECKS}/test_termination.py", JUDGE),
        ("one measure of many is enough for a cycle", "step.uses.isdisjoint(enough)", "not step.uses"),
        (
            "histories see the ways out as other games do",
            "resting = {} if game.history else game.phases",
            "resting = game.phases",
        ),
    ),
    *mutants_of(
        "interpreter/checks/termination.py",
        (f"{CHECKS}/test_visited_ranking.py", f"{CHECKS}/test_termination.py"),
        ("what is behind does not change", "if game.history or not all(", "if not all("),
        (
            "a number may rise on entry",
            "if not decided and not all(high <= 0 for done in through for _, high in done):",
            "if False:",
        ),
        (
            "a tuple may stand still",
            "(_is_less(done) if decided else all(high <= 0 for _, high in done))",
            "all(high <= 0 for _, high in done)",
        ),
        (
            "a number may rise between decisions",
            "(_is_less(done) if decided else all(high <= 0 for _, high in done))",
            "(not decided or _is_less(done))",
        ),
        (
            "only the first number must not rise between decisions",
            "(_is_less(done) if decided else all(high <= 0 for _, high in done))",
            "(_is_less(done) if decided else done[0][1] <= 0)",
        ),
        (
            "phases may follow each other without a decision for ever",
            "    except CycleError:\n        return open",
            "    except CycleError:\n        pass",
        ),
        (
            "any number may fall",
            "        if high != 0:\n            return high < 0\n    return False",
            "        if high < 0:\n            return True\n    return False",
        ),
        (
            "what stands still falls",
            "            return high < 0\n    return False",
            "            return high < 0\n    return True",
        ),
        ("names bound in a measure are those of the arguments", "if bound_slots(whole) & named or not", "if not"),
        ("names of arguments keep their values everywhere", "or not named <= self.fixed:", ":"),
        (
            "the measure of the phase entered is that of the phase left",
            "added.append((low + least, high + most))",
            "added.append((low, high))",
        ),
        ("a name means what it would mean now", "if self.untouched or not reads_state(value)}", "if True}"),
        (
            "factors do not count",
            "ends = (least * factor, most * factor)",
            "ends = (least, most) if factor > 0 else (-least, -most)",
        ),
        (
            "loops change nothing",
            "            ANYTHING if touched & _variables_read_by(terms) else bounds",
            "            bounds",
        ),
        (
            "one index that does not change is enough",
            "if all(read.variable is not variable for read in reads(term)):",
            "if any(read.variable is not variable for read in reads(term)):",
        ),
        (
            "filling changes nothing",
            "        if isinstance(statement, model.Fill):\n            return ANYTHING",
            "        if isinstance(statement, model.Fill):\n            return NOTHING_ADDED",
        ),
        (
            "a sum of some entries is one of all",
            "is_this = {value.value for value in values} >= set(variable.indices[0].members)",
            "is_this = True",
        ),
        (
            "an entry that another name means is one of all",
            "case model.Read(indices=(model.Local(slot),)) if slot == binder.slot and values is not None:",
            "case model.Read(indices=(model.Local(slot),)) if values is not None:",
        ),
        (
            "an entry of a sum may be any one",
            "return ANYTHING\n            case model.Read(indices=indices)",
            "is_this = True\n            case model.Read(indices=indices)",
        ),
        (
            "what means an entry does not change",
            "if not all(isinstance(index, model.Const) for index in indices):",
            "if False:",
        ),
        (
            "an entry not known is another one",
            "if not is_this and all(isinstance(index, model.Const) for index in statement.indices):",
            "if not is_this:",
        ),
        (
            "other numbers do not change",
            "            case _:\n                return ANYTHING\n        low, high = self.added_to_one",
            "            case _:\n                return NOTHING_ADDED\n        low, high = self.added_to_one",
        ),
        (
            "an entry that may be meant is meant",
            "return (low, high) if is_this else (min(low, 0), max(high, 0))",
            "return low, high",
        ),
        (
            "an entry fills up as often as it is assigned",
            "return self.untouched and self.is_sure(statement, way, guards)",
            "return self.is_sure(statement, way, guards)",
        ),
        (
            "an assignment changes what it assigns",
            "return self.untouched and self.is_sure(statement, way, guards)",
            "return self.untouched",
        ),
        (
            "false turns true",
            '                if "turns true" not in directions_of(statement):\n                    return -1, 1\n',
            "",
        ),
        ("none fills up", "            if may_be_none(statement.value, NOTHING):\n                return -1, 1\n", ""),
        (
            "what is taken away has been there",
            'return -inf, (-1 if self.moves(statement, "shrinks", guards) else 0)',
            "return -inf, -1",
        ),
        (
            "what is added has been missing",
            'return (1 if self.moves(statement, "grows", guards) else 0), inf',
            "return 1, inf",
        ),
        (
            "a set grows by one at most",
            'return (1 if self.moves(statement, "grows", guards) else 0), inf',
            'return (1 if self.moves(statement, "grows", guards) else 0), 1',
        ),
        (
            "a set shrinks by one at most",
            'return -inf, (-1 if self.moves(statement, "shrinks", guards) else 0)',
            'return -1, (-1 if self.moves(statement, "shrinks", guards) else 0)',
        ),
        (
            "a set put in the place of another has as many members",
            "guards) else 0), inf\n            return ANYTHING",
            "guards) else 0), inf\n            return -inf, 0",
        ),
    ),
    *mutants_of(
        "interpreter/checks/termination.py",
        (f"{CHECKS}/test_termination.py", JUDGE),
        (
            "only moves of the rule itself count",
            """\
            for block in blocks_of_phase(phase)
            if not any(block is body for body in ruled)
""",
            "            for block in ()\n",
        ),
    ),
    *mutants_of(
        "interpreter/checks/sums.py",
        (f"{CHECKS}/test_sums.py", JUDGE),
        ("earnings need not cancel", "if _total(tuple(amount for _, amount in earned)) != 0:", "if False:"),
        ("a discount keeps constant sums", "if amount != 0 and game.discount != 1:", "if False:"),
        (
            "a single player wins nothing",
            "Fraction(1 if players == 1 and isinstance(outcome, model.WinOutcome) else 0)",
            "Fraction(0)",
        ),
        (
            "unknown differences are none",
            "next((found for found in differences if found != 0), Fraction(0))",
            "next((found for found in differences if found), Fraction(0))",
        ),
        ("earning does not spoil common payoffs", "if not _pays_all_the_same(earned, game.players):", "if False:"),
        (
            "one who earns earns for all",
            "return all(_total((*map(_negative, first), *other)) == 0 for other in others)",
            "return True",
        ),
        ("an endless play pays nothing", 'if game.endless is not None and game.notation == "phases":', "if False:"),
    ),
    *mutants_of(
        "interpreter/checks/sums.py",
        (f"{CHECKS}/test_sums.py", JUDGE),
        ("earnings have no part in bounds", "if any(earnings(game, phases)):", "if False:"),
        ("a discount does not shrink bounds", "if known is not None and game.discount != 1:", "if False:"),
        (
            "the other player's bounds are turned round",
            "(sum - bounds[1], sum - bounds[0])",
            "(sum - bounds[0], sum - bounds[0])",
        ),
    ),
    *mutants_of(
        "interpreter/checks/game_facts.py",
        (f"{CHECKS}/test_game_facts.py", JUDGE),
        (
            "earnings need not agree when a position is met again",
            "if self.earned(state) != self.carried.get(position, 0):",
            "if False:",
        ),
        ("a loop is no loop", "        elif self.found.loop is None:\n", "        elif False:\n"),
        ("everybody earns the same", "if any(amount != earned[0] for amount in earned):", "if False:"),
    ),
    *mutants_of(
        "interpreter/checks/unreachable_parts.py",
        ("tests/interpreter/test_check_corpus.py",),
        (
            "what may both be none is equal as a number only",
            "                return known\n            low, high = _greater_bound(",
            "                pass\n            low, high = _greater_bound(",
        ),
    ),
]
