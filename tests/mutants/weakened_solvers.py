"""Mutants of searches, forms, certificates and preconditions."""

from __future__ import annotations

from mutant import JUDGE, mutants_of

POSITIONS = "tests/solvers/positions"
TABLES = "tests/solvers/tables"
SEARCH = "tests/solvers/search"

MUTANTS = [
    *mutants_of(
        "solvers/kernels/past.py",
        ("tests/solvers/kernels/test_kernels.py", f"{SEARCH}/test_positions.py"),
        ("the past does not count", "return is_past_behind(pasts, rules, state, past)", "return True"),
        ("the present moment does not count", "entry == moments(state) - 1 or may_read", "may_read"),
        ("only the present moment counts", "- 1 or may_read(rules, past, entry) != 0", "- 1"),
        ("a past may be a part of another", "return found == count", "return True"),
        ("what is written over counts", "    if first < pasts.oldest:\n        return False\n", ""),
        ("the first word may be written over", "first < pasts.oldest", "first + 1 < pasts.oldest"),
        (
            "what is written over counts when the list has grown",
            "first < pasts.oldest",
            "first < pasts.written - len(pasts.words)",
        ),
        ("the words of a past do not count", "if not is_kept(pasts, rules, first + found * MOMENT, i)", "if False"),
        ("only the first moment counts", "first + found * MOMENT, i", "first, i"),
        (
            "only the first word of a moment counts",
            "    for k in range(MOMENT):\n        if pasts.words",
            "    for k in range(1):\n        if pasts.words",
        ),
        (
            "words stay where they were when the list grows",
            "pasts.words[place_in(pasts, number)] = pasts.words[number & before - 1]",
            "pass",
        ),
    ),
    *mutants_of(
        "solvers/kernels/window.py",
        (f"{SEARCH}/test_positions.py",),
        ("nothing rests on what the table says", "    add_reads(search.rules, known.past)\n", ""),
    ),
    *mutants_of(
        "solvers/kernels/window.py",
        (f"{SEARCH}/test_positions.py",),
        ("what has been read before is forgotten", "    add_reads(search.rules, node.outer)\n", ""),
    ),
    *mutants_of(
        "solvers/kernels/alphabeta.py",
        (f"{SEARCH}/test_positions.py",),
        ("nothing rests on what the table says", "        add_reads(search.rules, search.table[known].past)\n", ""),
        ("what has been read before is forgotten", "    add_reads(search.rules, outer)\n", ""),
    ),
    *mutants_of(
        "solvers/tables/external_solving.py",
        ("tests/solvers/tables/test_on_disk.py",),
        ("those who delay are due like those who hurry", " & (side >= 0), places", ", places"),
        (
            "the farthest from the end comes first",
            'events["steps"][events["far"] == farthest].min()',
            'events["steps"][events["far"] == farthest].max()',
        ),
        (
            "what waited for a later turn is forgotten",
            "numpy.flatnonzero(~is_due)))]",
            "numpy.flatnonzero(~is_due)[:0]))]",
        ),
        (
            "what never ends is as good as something before",
            "self.solving.order.middle, FOREVER, 0",
            "self.solving.order.middle, FOREVER, 1",
        ),
        ("in the middle the first distance stays", "is_same & (hurry == 0)", "is_same & (hurry != 0)"),
        ("outcomes weigh the same", 'product(others, in_rows(more["weight"], others))', "others"),
        ("nothing is earned on the way", "if self.fractions else paid", "if self.fractions else 0 * paid"),
    ),
    *mutants_of(
        "solvers/tables/external_solving.py",
        ("tests/solvers/tables/test_exchanges.py",),
        (
            "the players never change places",
            'numpy.where(is_exchanged, self.total - known["number"], known["number"])',
            'known["number"]',
        ),
    ),
    *mutants_of(
        "solvers/tables/building.py",
        ("tests/solvers/tables/test_exchanges.py",),
        (
            "the best moves are those of the same player",
            "numpy.where(is_exchanged, 2 * values.fair - there, there)",
            "there",
        ),
    ),
    *mutants_of(
        "solvers/tables/loading.py",
        ("tests/solvers/tables/test_exchanges.py",),
        ("payoffs stay those of the kept position", "[(second, first) for first, second in payoffs]", "payoffs"),
    ),
    *mutants_of(
        "solvers/tables/external_equilibria.py",
        ("tests/solvers/tables/test_on_disk.py",),
        ("any of the best moves", 'told["move"] < known["move"]', 'told["move"] > known["move"]'),
    ),
    *mutants_of(
        "solvers/tables/external_exploring.py",
        ("tests/solvers/tables/test_on_disk.py",),
        (
            "only the last run is looked at",
            "for name, _ in runs:",
            "for name, _ in runs[-1:]:",
        ),
    ),
    *mutants_of(
        "solvers/tables/unfinished.py",
        ("tests/solvers/tables/test_resuming.py",),
        ("what has been changed is not put back", "                    undo(path)\n", "                    pass\n"),
        ("old records of other rounds are put back", 'rest.partition(".")[0] == str(self.number) and', "rest and"),
        (
            "files are not shortened",
            "                os.truncate(self.folder / name, length)\n",
            "                pass\n",
        ),
        ("a file may be too short", " or path.stat().st_size < length:", ":"),
    ),
    *mutants_of(
        "solvers/tables/shards.py",
        ("tests/solvers/tables/test_resuming.py",),
        (
            "old records are written down when they have been changed",
            "        append(self.folder / undo, old)\n        put(there, places, records)\n",
            "        put(there, places, records)\n        append(self.folder / undo, old)\n",
        ),
        ("the first record comes back last", "kind.itemsize)[::-1]", "kind.itemsize)"),
    ),
    *mutants_of(
        "solvers/tables/rounds.py",
        ("tests/solvers/tables/test_resuming.py",),
        ("what was logged is done again", "if self._steps == len(self._log):", "if True:"),
    ),
    *mutants_of(
        "solvers/tables/building.py",
        ("tests/solvers/tables/test_roots.py",),
        ("plays begin at the first root alone", "found.exchange, also=also,", "found.exchange,"),
        ("the value of the first root alone is defined", "if solved.payoff(int(place)) is None:", "if False:"),
    ),
    *mutants_of(
        "solvers/tables/external_building.py",
        ("tests/solvers/tables/test_roots.py",),
        ("an error comes after the first root", "begun[graph.roots.index(first)]", "begun[0]"),
        ("the value of no root need be defined", 'if written["lacks_root"]:', "if False:"),
    ),
    *mutants_of(
        "solvers/tables/external_building.py",
        ("tests/solvers/tables/test_on_disk.py",),
        ("what is earned in circles does not count", "solver.earns_in_circles() or", "False or"),
        (
            "what depends on endless plays has a value",
            'near["number"] == far["number"]',
            'near["number"] <= far["number"]',
        ),
    ),
    *mutants_of(
        "solvers/kernels/retrograde.py",
        (f"{POSITIONS}/test_retrograde.py",),
        (
            "those who delay are driven out only at their last edge",
            "opens == want or want * (number - middle(search)) >= 0",
            "want * (number - middle(search)) != 0",
        ),
        ("all exits of a position are one edge", "opens: int = 1 if exits > 0 else 0", "opens: int = exits"),
        (
            "exits take their turn by their distances",
            "(ahead == 0 and exits.distances[0] <= search.distances[position])",
            "ahead == 0",
        ),
        (
            "nothing is earned in a circle",
            "and search.amounts[search.rewards[edge]] != 0",
            "and search.amounts[0] != 0",
        ),
        ("a position may lead to itself", "search.distances[position] = -1  # it may lead to itself", "pass"),
    ),
    *mutants_of(
        "solvers/kernels/retrograde.py",
        (f"{POSITIONS}/test_undecided.py",),
        (
            "players who change places get each other's numbers",
            "come(search, circle, -1 - source, total(search) - number, distance)",
            "come(search, circle, -1 - source, number, distance)",
        ),
    ),
    *mutants_of(
        "solvers/kernels/exploration.py",
        (f"{POSITIONS}/test_undecided.py",),
        (
            "a decisive move pays the mover the most",
            "payoff(trial.state, 0) == trial.most[actor(state)]",
            "payoff(trial.state, 0) != trial.most[1 - actor(state)]",
        ),
    ),
    *mutants_of(
        "solvers/kernels/position_graph.py",
        (f"{POSITIONS}/test_undecided.py",),
        (
            "an edge to where one wins oneself is needed",
            "if target <= WON and WON - target != search.kinds[child.parent]:",
            "if target <= WON:",
        ),
        (
            "an edge to where the other wins is needed beside ends",
            "    elif target >= 0:\n        search.is_kept = True",
            "    else:\n        search.is_kept = True",
        ),
    ),
    *mutants_of(
        "solvers/kernels/remaking.py",
        (f"{POSITIONS}/test_undecided.py",),
        (
            "who delays takes the longest way when moves are made again",
            "return distance_of(rating) > distance_of(solving.best)",
            "return distance_of(rating) < distance_of(solving.best)",
        ),
        (
            "players who change places get each other's amounts",
            "PLAYERS + PLAYERS - 1 - p]",
            "PLAYERS + p]",
        ),
        ("a distance fits into a rating", "distance_of(rating) == MOST_DISTANCE or ", ""),
        ("an amount fits into a rating", " or amount_of(rating) > MOST_AMOUNT:", ":"),
    ),
    *mutants_of(
        "solvers/positions/graph/exploring.py",
        (f"{POSITIONS}/test_undecided.py",),
        (
            "edges are needed where one leads back",
            "if search.falls and not self.keeps_edges:",
            "if False and search.falls:",
        ),
        (
            "edges are not left out where one has led back",
            "if self.may_be_left_out and not self.search.falls:",
            "if self.may_be_left_out:",
        ),
    ),
    *mutants_of(
        "solvers/positions/undecided.py",
        (f"{POSITIONS}/test_undecided.py",),
        (
            "who wins gets more than by staying for ever",
            "(most, most > fair), (least, least < fair)",
            "(most, True), (least, True)",
        ),
    ),
    *mutants_of(
        "solvers/kernels/retrograde.py",
        (f"{POSITIONS}/test_retrograde.py",),
        (
            "exits come from the outside in",
            "ahead: int = from_middle(exits, number) - from_middle(exits, exits.numbers[at])",
            "ahead: int = number - exits.numbers[at]",
        ),
    ),
    *mutants_of(
        "solvers/positions/retrograde.py",
        (f"{POSITIONS}/test_retrograde.py",),
        (
            "a number is known only if it does not depend on endless plays",
            "low, high = analyser.analyse(-beyond), analyser.analyse(beyond)",
            "low = high = analyser.analyse(-beyond)",
        ),
    ),
    *mutants_of(
        "solvers/linear_programming/linear_program.py",
        (
            "tests/solvers/linear_programming/test_linear_program.py",
            "tests/solvers/linear_programming/test_exact_simplex.py",
            "tests/solvers/forms/test_extensive_form.py",
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
    *mutants_of(
        "solvers/linear_programming/exact_optimum.py",
        (
            "tests/solvers/linear_programming/test_linear_program.py",
            "tests/solvers/forms/test_extensive_form.py",
            JUDGE,
        ),
        (
            "what is found in floats is taken for proved",
            "return certificate, is_optimal(program, certificate)",
            "return certificate, True",
        ),
    ),
    *mutants_of(
        "solvers/forms/best_response.py",
        (
            "tests/solvers/forms/test_best_response.py",
            "tests/solvers/imperfect_information/test_regret_minimization.py",
            JUDGE,
        ),
        (
            "the first sequence is the best",
            "best[i] = values.index(most, first, end)",
            "best[i] = first",
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
    *mutants_of(
        "solvers/choosing/registry.py",
        ("tests/solvers/choosing/test_registry.py", JUDGE),
        (
            "what is not known is met",
            "return holds is True or (self in (Need.END, Need.IMPERFECT_INFORMATION) and holds is None)",
            "return holds is not False",
        ),
    ),
    *mutants_of(
        "solvers/tree_building/building.py",
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
    *mutants_of(
        "solvers/imperfect_information/subgame_perfect.py",
        ("tests/solvers/imperfect_information/test_subgame_perfect.py", JUDGE),
        (
            "subgames may cut information sets",
            "is_closed = last[node] == node and first[node] <= low[node] and high[node] <= node",
            "is_closed = last[node] == node",
        ),
        ("subgames may be entered from elsewhere", "is_closed = last[node] == node and first", "is_closed = first"),
    ),
    *mutants_of(
        "solvers/choosing/verifying.py",
        ("tests/solvers/choosing/test_verifying.py", "tests/zermelo/test_solve.py"),
        ("any value is confirmed", "if solution.value not in found:", "if False:"),
        ("any strategies are confirmed", "if most > expected[player]:", "if False:"),
        ("another value confirms", "if other.value != solution.value:", "if False:"),
    ),
    *mutants_of(
        "solvers/choosing/verifying.py",
        ("tests/solvers/positions/test_policies.py",),
        ("bounds have no upper end", "<= payoff[0] <= found.upper[number]", "<= payoff[0]"),
        ("other positions are as good", "    if not is_same_graph(graph, solved.graph):", "    if False:"),
    ),
    *mutants_of(
        "solvers/running/backend.py",
        ("tests/solvers/search/test_window_search.py", "tests/solvers/running", JUDGE),
        ("payoffs of any size fit a kernel", '"LARGEST": _MOST // scale', '"LARGEST": 1 << 62'),
    ),
    *mutants_of(
        "solvers/forms/strategy.py",
        ("tests/zermelo/test_api.py",),
        (
            "a copy takes what is met for what is reached",
            "return bool(self.rows[place].reached)",
            "return self.rows[place].is_met",
        ),
    ),
    *mutants_of(
        "solvers/choosing/choice.py",
        ("tests/solvers/choosing/test_choice.py",),
        (
            "who looks at information looks at nothing else",
            "            if needs - {Need.PERFECT_INFORMATION}:\n",
            "            elif needs - {Need.PERFECT_INFORMATION}:\n",
        ),
    ),
    *mutants_of(
        "solvers/tables/verifying.py",
        (f"{TABLES}/test_verifying.py",),
        ("what has no row is passed over", "== _NOBODY)).any()", "== _NOBODY)).all()"),
        ("what has not been found has a row", " | (there.actors[places] == _NOBODY)", ""),
        ("what is looked up is forgotten", "_united([sought, *fresh]), []", "_united(fresh), []"),
        ("a move may bring more", "judged & (gains > 0)", "judged & (gains > 9)"),
        ("no move need bring the value", "minlength=len(actors)) == 0)", "minlength=len(actors)) < 0)"),
        ("a value may be another one's only", "(worths == values[sources]).all(axis=1)", "(gains == 0)"),
        ("chance has any mean", "(sums != whole * values).any(axis=1)", "(sums != sums).any(axis=1)"),
        ("an end may be farther than it is", "judged & (distances != right)", "judged & (distances < right)"),
        ("more moves may be best than are", "& (count != best)", "& (count > best)"),
        ("rows need not be in order", "keys[1:] <= keys[:-1]", "keys[1:] != keys[1:]"),
        ("row groups need not be in order", "before = keys[-1:]", "before = keys[:0]"),
        ("those who delay hurry", "numpy.where(hurries, nearest, farthest)", "nearest"),
        (
            "no move need lead to a row",
            "if lost.any():\n                return self._flaw(keys",
            "if False:\n                return self._flaw(keys",
        ),
        ("a circle needs no beginning", "if is_whole and self.may_go_round", "if False"),
        ("what is looked up is not met", "    met[before + places[is_there]] = True", "    met[before] = True"),
    ),
    *mutants_of(
        "solvers/tables/dataset.py",
        (f"{TABLES}/test_dataset.py",),
        ("the end of a file is not compared", "!= file.rest:", "== file.name:"),
        ("a row group is not compared", "!= self.file.groups[number]:", "== self.file.name:"),
        ("the manifest is not compared", "if _manifest_text(plain) != text:", "if False:"),
        (
            "the first word alone says where a key may be",
            "zip(self.lows, self.highs, key, strict=True)",
            "zip(self.lows[:1], self.highs, key)",
        ),
        (
            "the first word alone is searched",
            "for column, word in zip(self.keys, key, strict=True)",
            "for column, word in zip(self.keys[:1], key)",
        ),
    ),
    *mutants_of(
        "solvers/tables/building.py",
        ("tests/zermelo/test_tables.py", f"{TABLES}/test_verifying.py"),
        ("in the middle somebody hurries", "(here == analysis.middle) | (", "(here != here) | ("),
        (
            "of those without a number all are known",
            "numpy.where(is_known, numpy.searchsorted(",
            "numpy.where(low[part] == low[part], numpy.searchsorted(",
        ),
        ("the beginning is kept twice", "if (rows.keys[1:] == key).all(axis=1).any():", "if False:"),
        ("the beginning is kept as it is", "    rows.keys[ROOT] = key\n", ""),
    ),
    *mutants_of(
        "solvers/kernels/memory.py",
        ("tests/solvers/learning/test_rote.py",),
        ("any position is the oldest", "and memory.used[row] < oldest", "and True"),
    ),
    *mutants_of(
        "solvers/tables/external_exploring.py",
        (f"{TABLES}/test_rounds.py",),
        ("faster code begins again", "                    made.first += first\n", ""),
    ),
    *mutants_of(
        "solvers/kernels/information_set_search.py",
        ("tests/solvers/imperfect_information/test_information_set_search.py",),
        ("payoffs do not vary", "        arm.squares += part * part\n", ""),
        (
            "a course is known by its last move",
            "        if search.courses[place].before == search.course and search.courses[place].move == move:",
            "        if search.courses[place].move == move:",
        ),
        ("all courses are kept", "        search.course = NOT_KEPT\n", "        pass\n"),
    ),
]
