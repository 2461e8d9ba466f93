"""Mutants of solvers at their boundaries: ties, limits, the first and the last, one side for both."""

from __future__ import annotations

from mutant import mutants_of

SEARCH = "tests/solvers/search"
POSITIONS = "tests/solvers/positions"
BELIEFS = "tests/solvers/beliefs"
VALIDATION = "tests/solvers/validation"
NORMAL_FORM = ("tests/solvers/normal_form/test_normal_form.py",)

MUTANTS = [
    # ------------------------------------------------------------- kernels
    *mutants_of(
        "solvers/kernels/dfpn.py",
        (f"{SEARCH}/test_dfpn.py",),
        (
            "a failure rests on the best move alone",
            "first_of_all(rests, count) if actor(state) == search.striver else rests[outlook.best]",
            "rests[outlook.best]",
        ),
        (
            "a failure rests on all moves of the other player",
            "first_of_all(rests, count) if actor(state) == search.striver else rests[outlook.best]",
            "first_of_all(rests, count)",
        ),
        ("what is left out has bounds", "    if looked < count:\n        last", "    if False:\n        last"),
    ),
    *mutants_of(
        "solvers/kernels/dfpn.py",
        (f"{SEARCH}/test_dfpn.py",),
        (
            "a failure that rests on the state itself is one on this path",
            "outlook.rests >= depth:",
            "outlook.rests > depth:",
        ),
        ("what is needed for more is needed for as much", "if known.low >= need:", "if known.low > need:"),
    ),
    *mutants_of(
        "solvers/kernels/maxn.py",
        (f"{SEARCH}/test_maxn.py",),
        (
            "as many ties as are kept are too many",
            "return size if size <= search.most else",
            "return size if size < search.most else",
        ),
        (
            "as many means as are kept are too many",
            "    size = end - sums if end - sums <= search.most else",
            "    size = end - sums if end - sums < search.most else",
        ),
    ),
    # ------------------------------------------------------------- running
    *mutants_of(
        "solvers/running/exact_backend.py",
        ("tests/solvers/running/test_exact_backend.py",),
        ("positions share their entries", "return number << 3", "return number << 2"),
        (
            "a state that was looked at is made again",
            "return self.machine.after(state, move) if known is None else known[1]",
            "return self.machine.after(state, move)",
        ),
    ),
    # ------------------------------------------------------------- search
    *mutants_of(
        "solvers/search/random_plays.py",
        (f"{SEARCH}/test_random_plays_by_kernel.py",),
        ("plays given up have a length", "series.moves - series.given_up * series.limit", "series.moves"),
        (
            "plays given up have ended",
            "ended = series.number - first - series.given_up",
            "ended = series.number - first",
        ),
    ),
    *mutants_of(
        "solvers/search/random_plays.py",
        (f"{SEARCH}/test_random_plays_by_kernel.py", f"{SEARCH}/test_random_plays.py"),
        (
            "plays given up have ended",
            "            tally.unfinished += 1\n",
            "            tally.unfinished += 1\n            tally.plays += 1\n            tally.moves += length\n",
        ),
    ),
    *mutants_of(
        "solvers/search/counting.py",
        (f"{SEARCH}/test_counting.py",),
        (
            "a ply of the most states is too large",
            "while level and len(level) <= most:",
            "while level and len(level) < most:",
        ),
        (
            "a position counts once for each play",
            "following[key] = known, before + plays",
            "following[key] = known, plays",
        ),
        (
            "players of one set are one",
            "(actor, tuple(machine.information_state(state, actor)) if is_hidden",
            "(0, tuple(machine.information_state(state, actor)) if is_hidden",
        ),
    ),
    *mutants_of(
        "solvers/search/counting.py",
        (f"{SEARCH}/test_counting.py",),
        ("one move more is counted", "for _ in range(length - 1):", "for _ in range(length):"),
        ("a position that is met again has one way", "(known[0], known[1] + count)", "(known[0], known[1])"),
    ),
    *mutants_of(
        "solvers/search/window_search.py",
        (f"{SEARCH}/test_window_search.py",),
        ("a value at the lower end is exact", "if found.value <= alpha:", "if found.value < alpha:"),
    ),
    *mutants_of(
        "solvers/search/dfpn.py",
        (f"{SEARCH}/test_dfpn.py",),
        (
            "as much is more",
            "return payoff > self.amount if self.strictly",
            "return payoff >= self.amount if self.strictly",
        ),
        ("a search goes on beyond its table", "int(min(steps, size - self.search.nodes))", "steps"),
        ("what is forgotten is found for ever", "if self.backend.forgets(self.kernels)", "if False"),
    ),
    *mutants_of(
        "solvers/search/alphabeta.py",
        (f"{SEARCH}/test_alphabeta.py",),
        (
            "a window is that of the other player",
            "if machine.actor(state) == 0 else known\n",
            "if machine.actor(state) == 1 else known\n",
        ),
    ),
    *mutants_of(
        "solvers/search/maxn.py",
        (f"{SEARCH}/test_maxn.py",),
        (
            "a reply is none after a forced move",
            "                    search.has_replied = 0\n",
            "                    pass\n",
        ),
    ),
    # ------------------------------------------------------------- normal form
    *mutants_of(
        "solvers/normal_form/solution_concepts.py",
        NORMAL_FORM,
        (
            "what is as good for one is efficient",
            "if not any(all(a >= b for a, b in zip(other, payoff",
            "if not any(all(a > b for a, b in zip(other, payoff",
        ),
        (
            "what is as good somewhere is dominated",
            "if any(all(a > b for a, b in zip(other, mine",
            "if any(all(a >= b for a, b in zip(other, mine",
        ),
        (
            "what is as good somewhere dominates",
            "if all(all(a > b for a, b in zip(mine, row",
            "if all(all(a >= b for a, b in zip(mine, row",
        ),
        ("a mixture that is as good dominates", "return margin > 0", "return margin >= 0"),
        (
            "who loses nothing is strict",
            "game.payoff(other)[player] < game.payoff(profile)[player]",
            "game.payoff(other)[player] <= game.payoff(profile)[player]",
        ),
        ("rounds count from 0", "        number += 1\n        found", "        found"),
    ),
    *mutants_of(
        "solvers/normal_form/solution_concepts.py",
        NORMAL_FORM,
        ("a deviation is that of the next player", "instead, *profile[player + 1 :])]", "*profile[player :])]"),
    ),
    # ------------------------------------------------------------- clairvoyance
    *mutants_of(
        "solvers/clairvoyance/alphamu.py",
        ("tests/solvers/clairvoyance/test_clairvoyance.py",),
        (
            "what is as good in one deal is kept",
            "return all(a >= b for a, b in zip(one, other",
            "return all(a > b for a, b in zip(one, other",
        ),
    ),
    # ------------------------------------------------------------- beliefs
    *mutants_of(
        "solvers/beliefs/consistent_plays.py",
        (f"{BELIEFS}/test_consistent_plays.py",),
        (
            "as many states as are looked at are too many",
            "        if visited > most:\n",
            "        if visited >= most:\n",
        ),
        (
            "a position has the probability of its last play",
            "first, sum_so_far + weight, plays + 1",
            "first, weight, plays + 1",
        ),
        (
            "the least probable come first",
            "key=lambda possible: -possible.probability",
            "key=lambda possible: possible.probability",
        ),
    ),
    *mutants_of(
        "solvers/beliefs/consistent_plays.py",
        (f"{BELIEFS}/test_consistent_plays.py",),
        (
            "a step may end before a draw",
            "== len(self.known) and self.machine.actor(state) != CHANCE",
            "== len(self.known)",
        ),
        ("what has been perceived later does not matter", "and self.known[: len(perceived)] == perceived", ""),
        (
            "own moves are as likely as others'",
            "for move in self.machine.moves(state) if move == made)",
            "for move in self.machine.moves(state))",
        ),
    ),
    *mutants_of(
        "solvers/beliefs/forcing.py",
        (f"{BELIEFS}/test_forcing.py",),
        ("as much is more", "(is_above and amount == floor)", "False"),
        ("as much falls short", "(amount < floor or", "(amount <= floor or"),
        ("what was earned before does not count", "self.steps.earned[position] + amount\n", "amount\n"),
        ("sets that are met again are lost for good", "if self.met.isdisjoint(self.made):", "if True:"),
    ),
    *mutants_of(
        "solvers/beliefs/belief_search.py",
        (f"{BELIEFS}/test_belief_search.py",),
        ("the last of the best moves is made", "if best is None or value > best:", "if best is None or value >= best:"),
        (
            "weights are those of the first position",
            "weights[position] // divisor) for",
            "weights[min(weights)] // divisor) for",
        ),
    ),
    *mutants_of(
        "solvers/beliefs/particles.py",
        (f"{BELIEFS}/test_particles.py",),
        ("a stage is reached later", "return perceived >= stage and", "return perceived > stage and"),
    ),
    # ------------------------------------------------------------- validation
    *mutants_of(
        "solvers/validation/about_moves.py",
        (f"{VALIDATION}/test_about_moves.py",),
        ("ends that are alike are moves that are alike", "if graph.kinds[result % len(graph)] > PAYS:", "if True:"),
        (
            "moves that differ elsewhere are alike",
            "            partners[move] -= different\n",
            "            continue\n",
        ),
        (
            "what is earned does not tell moves apart",
            "results = [target + len(graph) * reward for",
            "results = [target for",
        ),
    ),
    *mutants_of(
        "solvers/validation/questions.py",
        (f"{VALIDATION}/test_about_moves.py", f"{VALIDATION}/test_shortest_plays.py"),
        ("one more move of their own", "moves - (actor == player), length - 1)", "moves, length - 1)"),
        (
            "one of the others' moves is enough",
            "        if actor != player and play is None:\n            return None\n",
            "",
        ),
    ),
    *mutants_of(
        "solvers/validation/questions.py",
        (f"{VALIDATION}/test_shortest_plays.py", f"{VALIDATION}/test_about_moves.py"),
        (
            "keepers need all of their moves",
            "len(graph.edges(position)) if graph.actor(position) in keepers else 1",
            "1",
        ),
        (
            "a source counts for the position before",
            "counts[graph.targets[edge] + 1] += 1",
            "counts[graph.targets[edge]] += 1",
        ),
    ),
    *mutants_of(
        "solvers/validation/questions.py",
        (f"{VALIDATION}/test_shortest_plays.py", f"{VALIDATION}/test_about_moves.py"),
        (
            "one move is a choice",
            "graph.firsts[position + 1] - graph.firsts[position] > 1:",
            "graph.firsts[position + 1] - graph.firsts[position] > 0:",
        ),
        ("who chooses at once does not move", "moving.add(kind % players)", "moving.add(min(kind, players - 1))"),
        (
            "a loop of one position is none",
            "if goes_round(self.graph, each)]",
            "if len(each) > 1]",
        ),
    ),
    *mutants_of(
        "solvers/validation/shortest_plays.py",
        (f"{VALIDATION}/test_shortest_plays.py",),
        ("one move is a choice", "if len(step.moves) > 1:", "if len(step.moves) > 0:"),
        ("one payoff is several", "is_seen = len(self.paid) > 1", "is_seen = len(self.paid) > 0"),
    ),
    *mutants_of(
        "solvers/positions/solved_positions.py",
        (f"{VALIDATION}/test_shortest_plays.py", f"{VALIDATION}/test_witnesses.py"),
        ("an edge leaves the next position", "hi=len(graph)) - 1", "hi=len(graph))"),
    ),
    *mutants_of(
        "solvers/validation/about_coverage.py",
        (f"{VALIDATION}/test_about_coverage.py",),
        ("a variable without any value lacks them all", "if missing and len(missing) < type.size:", "if missing:"),
        (
            "what was never asked always holds",
            "not self.count(condition.held) or self.count(condition.failed)",
            "self.count(condition.failed)",
        ),
    ),
    *mutants_of(
        "solvers/validation/about_moves.py",
        (f"{VALIDATION}/test_about_moves.py",),
        (
            "as many moves are fewer",
            "len(self.free.moves(beside)) > len(self.machine.moves(state))",
            "len(self.free.moves(beside)) >= len(self.machine.moves(state))",
        ),
    ),
    # ------------------------------------------------------------- positions
    *mutants_of(
        "solvers/positions/graph/graph.py",
        (
            f"{POSITIONS}/test_backward_induction.py",
            f"{POSITIONS}/test_solving.py",
            f"{POSITIONS}/graph/test_exploring.py",
        ),
        ("an end is discounted", "is_over = after <= PAYS or", "is_over ="),
        (
            "an end that pays the first amount draws",
            "return END if kind <= PAYS else CHANCE",
            "return END if kind < PAYS else CHANCE",
        ),
    ),
    *mutants_of(
        "solvers/positions/graph/graph.py",
        (
            f"{POSITIONS}/test_solving.py",
            f"{POSITIONS}/test_backward_induction.py",
            f"{POSITIONS}/stochastic_cycles/test_certified_numbers.py",
        ),
        ("sums that a discount changes are constant", "and (graph.discount == 1 or not any(sums))", ""),
        ("earnings need not sum to 0", "and not any(map(sum, rewards)) and", "and"),
    ),
    *mutants_of(
        "solvers/positions/graph/graph.py",
        (f"{POSITIONS}/stochastic_cycles/test_keeping_on.py", f"{VALIDATION}/test_difference.py"),
        ("one way is enough for all", "len(targets) if needs_all(position) else 1", "1"),
        (
            "ways are gone through as they lead",
            "before[target].append(position)",
            "before[position].append(target)",
        ),
    ),
    *mutants_of(
        "solvers/positions/graph/graph.py",
        (f"{POSITIONS}/graph/test_components.py",),
        (
            "a position by itself never comes back",
            "return len(component) > 1 or any(",
            "return len(component) > 1 and any(",
        ),
    ),
    *mutants_of(
        "solvers/positions/solving.py",
        (f"{POSITIONS}/test_backward_induction.py",),
        ("payments are parts of the wrong unit", "numerators = [e * d + n for", "numerators = [e + n for"),
        ("weights need not sum to 1", "        scale *= sum(weights)\n", ""),
        (
            "the last of the best edges is chosen",
            "self.contest.graph.firsts[position] + numerators.index(best)",
            "self.contest.graph.firsts[position] + len(numerators) - 1 - numerators[::-1].index(best)",
        ),
    ),
    *mutants_of(
        "solvers/positions/policies.py",
        (f"{POSITIONS}/test_policies.py",),
        ("who gains nothing is no equilibrium", "[player] > payoff[player]:", "[player] >= payoff[player]:"),
        ("the worst move will do", "payoff[actor] == max(worth[actor] for", "payoff[actor] <= max(worth[actor] for"),
        (
            "any mean will do",
            "        return payoff == mean(graph.probabilities(position), known)\n",
            "        return True\n",
        ),
        (
            "what is earned in a round does not count",
            "earned_before(solved.graph, path)",
            "earned_before(solved.graph, path[-1:])",
        ),
    ),
    *mutants_of(
        "solvers/positions/durations.py",
        (f"{POSITIONS}/test_durations.py",),
        (
            "a chain of the most positions is too long",
            "        if len(positions) > most:\n",
            "        if len(positions) >= most:\n",
        ),
        ("two ways to a position are one", "shares.get(numbers[target], Fraction(0)) + share", "share"),
    ),
    *mutants_of(
        "solvers/positions/stochastic_games/matrix_rounds.py",
        (f"{POSITIONS}/stochastic_games", f"{POSITIONS}/test_policies.py"),
        (
            "moves may depend on others' choices",
            "if any(graph.actor(other) != player or len(graph.edges(other)) != count for other in here):",
            "if False:",
        ),
        (
            "the last choice earns before the round is over",
            "for edge in path[:-1]), Fraction(0))",
            "for edge in path), Fraction(0))",
        ),
    ),
    *mutants_of(
        "solvers/positions/stochastic_games/matrix_rounds.py",
        (f"{POSITIONS}/stochastic_games/test_matrix_rounds.py",),
        (
            "a tie goes to the last row",
            "if here < there or (here == there and basis[row] < basis[found]):",
            "if here <= there:",
        ),
        (
            "the value is shifted the other way",
            "return denominator + shift * total, total, rows, columns",
            "return denominator - shift * total, total, rows, columns",
        ),
        ("a diagonal is weighed the wrong way", "[d - c, a - b], [d - b, a - c]", "[a - b, d - c], [d - b, a - c]"),
    ),
    *mutants_of(
        "solvers/positions/stochastic_games/matrix_rounds.py",
        (f"{POSITIONS}/stochastic_games/test_matrix_rounds.py",),
        ("the least entry is 0", "shift = 1 - min(map(min, whole))", "shift = -min(map(min, whole))"),
        ("ties are broken by the row", "columns = (-1, *self.slacks)", "columns = (-1,)"),
    ),
    *mutants_of(
        "solvers/positions/stochastic_games/stochastic_game.py",
        (f"{POSITIONS}/stochastic_games/test_matrix_rounds.py",),
        (
            "a row with one safe way is safe",
            "if all(is_safe[i * columns : (i + 1) * columns]))",
            "if any(is_safe[i * columns : (i + 1) * columns]))",
        ),
        ("a column with one safe way is safe", "if all(is_safe[j::columns]))", "if any(is_safe[j::columns]))"),
    ),
    *mutants_of(
        "solvers/positions/stochastic_cycles/sustaining.py",
        (f"{POSITIONS}/stochastic_cycles/test_keeping_on.py",),
        ("one draw that keeps on is enough", "or len(same) == len(targets) else ()", "or same else ()"),
        (
            "a side needs all of its moves",
            "lambda position: kinds[position] >= 0 and wants[kinds[position]] != side",
            "lambda position: False",
        ),
    ),
    *mutants_of(
        "solvers/positions/stochastic_cycles/turn_based_game.py",
        (f"{POSITIONS}/stochastic_cycles",),
        (
            "others stay as long as they can",
            "                ways[p] = k\n                kept.clear()\n",
            "                ways[p] = k\n",
        ),
    ),
    *mutants_of(
        "solvers/positions/stochastic_cycles/turn_based_game.py",
        (f"{POSITIONS}/stochastic_cycles",),
        ("others need one harmless row", "or len(fine) == len(ks)):", "or True):"),
    ),
    *mutants_of(
        "solvers/positions/retrograde.py",
        (f"{POSITIONS}/test_retrograde.py",),
        (
            "who gets as much can make it last",
            "self.more.numbers[position] > worth",
            "self.more.numbers[position] >= worth",
        ),
    ),
    *mutants_of(
        "solvers/positions/solving.py",
        (f"{POSITIONS}/test_solving.py", f"{POSITIONS}/stochastic_cycles"),
        (
            "edges within a circle are as good",
            "if graph.discount < 1 or all(self",
            "if graph.discount <= 1 or all(self",
        ),
    ),
    *mutants_of(
        "solvers/positions/answering.py",
        ("tests/solvers/positions/test_answering.py",),
        ("ties behind a move change nothing", "(ROOT, *behind))", "(ROOT,))"),
    ),
    *mutants_of(
        "solvers/positions/quickest_wins.py",
        ("tests/solvers/positions/test_quickest_wins.py",),
        (
            "what has not been looked into is farther away",
            "                return depth\n",
            "                return most\n",
        ),
    ),
    *mutants_of(
        "solvers/normal_form/approximate_equilibria.py",
        ("tests/solvers/normal_form/test_approximate_equilibria.py",),
        ("nothing is found twice", "if is_new and profile.gain", "if profile.gain"),
        ("a library that fails has ended well", "        if steps <= most:\n", "        if False:\n"),
    ),
    *mutants_of(
        "solvers/positions/answering.py",
        ("tests/solvers/positions/test_policies.py",),
        (
            "bounds are those of what is left of the play",
            "interval = None if bounds is None else (earned[0] + factor * bounds[0], earned[0] + factor * bounds[1])",
            "interval = bounds",
        ),
    ),
    *mutants_of(
        "solvers/beliefs/particles.py",
        ("tests/solvers/beliefs/test_particles.py",),
        (
            "an exchange counts only behind it",
            "counted = number + 1 if proposal.is_drawn else number",
            "counted = number + 1",
        ),
    ),
    *mutants_of(
        "solvers/normal_form/nash.py",
        ("tests/solvers/normal_form/test_normal_form.py",),
        (
            "there are no equilibria but those found",
            "alternatives=brought if brought or found.are_all else None",
            "alternatives=brought",
        ),
    ),
    *mutants_of(
        "solvers/validation/questions.py",
        ("tests/solvers/validation/test_shortest_plays.py",),
        (
            "what was earned on the way to a circle is always the same",
            "if earns or (graph.rewards is not None and position not in ending):",
            "if earns:",
        ),
    ),
    # ------------------------------------------- end-game tables
    *mutants_of(
        "solvers/kernels/monte_carlo_tree_search.py",
        ("tests/solvers/tables/test_loading.py",),
        ("a known root has no moves", "search.length > 0 and is_known", "is_known"),
        (
            "the first of the known values is everybody's",
            "search.endgames.values[first + p]",
            "search.endgames.values[first]",
        ),
    ),
    *mutants_of(
        "solvers/kernels/window.py",
        ("tests/solvers/tables/test_loading.py",),
        (
            "what has been earned before an end-game counts",
            "return search.endgames.values[outcome * PLAYERS] + scaled(search, earned(state, 0))",
            "return search.endgames.values[outcome * PLAYERS]",
        ),
        (
            "an end-game is no horizon",
            "actor(state) == END or is_known(search.endgames, state):",
            "actor(state) == END:",
        ),
        (
            "an end-game at the root has no move",
            "has_move: bool = REMAKES == 0 and known.move != NO_MOVE",
            "has_move: bool = REMAKES == 0",
        ),
    ),
    *mutants_of(
        "solvers/kernels/endgames.py",
        ("tests/solvers/tables/test_loading.py",),
        (
            "the second half of an end-game's key counts",
            "            there = (key[k] & HALF_WORD) - BIAS\n",
            "            there = here\n",
        ),
    ),
    *mutants_of(
        "solvers/kernels/ends.py",
        ("tests/solvers/tables/test_loading.py",),
        (
            "what has been earned before an end-game counts in every search",
            "later + product(rules, earned(state, player), PAYOFFS)",
            "later",
        ),
        ("each player has a value of their own", "* PLAYERS + player]", "* PLAYERS]"),
        (
            "the root is searched though it is known",
            "(depth == 0 or not is_known(endgames, state))",
            "not is_known(endgames, state)",
        ),
    ),
    *mutants_of(
        "solvers/search/maxn.py",
        ("tests/solvers/tables/test_loading.py",),
        (
            "ties behind a known position are not known",
            "if search.value != kernel.GIVEN_UP and search.lookups == 0:",
            "if search.value != kernel.GIVEN_UP:",
        ),
    ),
    *mutants_of(
        "solvers/tables/loading.py",
        ("tests/solvers/tables/test_loading.py",),
        ("end-games whose values are not defined are left out", "is_known = values >= 0", "is_known = values >= -1"),
        (
            "halves are in the order of those without a sign",
            'keys[count:end, 2 * k] = (words >> 32).astype("int64") - BIAS',
            'keys[count:end, 2 * k] = (words >> 32).astype("int32")',
        ),
    ),
    *mutants_of(
        "solvers/search/deepening.py",
        ("tests/zermelo/test_tables.py",),
        (
            "plays that go round may end at end-games",
            "or problem.limits.seconds < inf or problem.endgames is not None",
            "or problem.limits.seconds < inf",
        ),
    ),
    *mutants_of(
        "solvers/choosing/choice.py",
        ("tests/zermelo/test_tables.py",),
        (
            "the default looks up if there is a table",
            "or stops_early, is_traced, has_goal, is_advised, looks_up=looks_up)",
            "or stops_early, is_traced, has_goal, is_advised)",
        ),
        (
            "who does not look up is told so",
            "if request.endgames is not None and not solver.looks_up:",
            "if False:",
        ),
    ),
    *mutants_of(
        "zermelo/tables.py",
        ("tests/zermelo/test_tables.py",),
        (
            "what never changes is no part of a key",
            "            _constants_of(each),\n",
            "",
        ),
        (
            "other rules have other tables",
            "            lowered(each.searching).program.text_of_plays,\n",
            "",
        ),
        ("what an endless play pays is a rule", "            each.searching.endless(),\n", ""),
        ("a discount is not looked up", "        if game.facts.discounted:\n", "        if False:\n"),
    ),
    *mutants_of(
        "zermelo/playing/seats.py",
        ("tests/zermelo/test_tables.py",),
        (
            "a seat plays by its table",
            "known = None if self.table is None else self.table.best_move(state)",
            "known = None",
        ),
    ),
    *mutants_of(
        "zermelo/playing/contestants.py",
        ("tests/zermelo/test_tables.py",),
        (
            "a contestant plays by its table",
            "return table.best_move(state) or other(state, random)",
            "return other(state, random)",
        ),
    ),
    *mutants_of(
        "solvers/kernels/interval_iteration.py",
        (f"{POSITIONS}/stochastic_cycles/test_interval_iteration.py",),
        (
            "what is earned in a circle is earned at its last position",
            "        earning += earns(",
            "        earning = earns(",
        ),
        (
            "what lies behind a copied component is never discounted",
            "work.graph.kinds[target] if work.graph.discount < 1.0 else PAYS",
            "PAYS",
        ),
    ),
    *mutants_of(
        "solvers/kernels/upper_bounds.py",
        ("tests/solvers/kernels/test_kernels.py",),
        (
            "a play cannot stay among equal values",
            "return number < value if strictly != 0 else number <= value",
            "return number <= value",
        ),
        (
            "a play of chance cannot stay among equal values",
            "return found.sum < -found.doubt if strictly != 0 else found.sum <= -found.doubt",
            "return found.sum <= -found.doubt",
        ),
    ),
    *mutants_of(
        "solvers/kernels/interval_iteration.py",
        ("tests/solvers/kernels/test_kernels.py",),
        ("any fixed point will do", "return inside <= behind + NARROW * work.scale", "return 1"),
    ),
    *mutants_of(
        "solvers/kernels/paired_bounds.py",
        ("tests/solvers/kernels/test_kernels.py",),
        (
            "a play may stay among equal upper bounds",
            "holds(graph, upper, i, choices[i], 1, pair.drift)",
            "holds(graph, upper, i, choices[i], 0, pair.drift)",
        ),
        (
            "a play may stay among equal lower bounds",
            "holds(graph, lower, i, choices[i], 1, pair.drift)",
            "holds(graph, lower, i, choices[i], 0, pair.drift)",
        ),
        (
            "any fixed point of both will do",
            "if not upper.values[i] + lower.values[i] <= pair.width + NARROW * pair.scale:",
            "if not upper.values[i] + lower.values[i] <= 1.0 + pair.scale:",
        ),
        ("what is behind moves, too", "pair.slopes[i] = 0.0", "pair.slopes[i] = 1.0"),
    ),
    *mutants_of(
        "solvers/positions/stochastic_cycles/lifting.py",
        (f"{POSITIONS}/stochastic_cycles/test_lifting.py",),
        (
            "the bound of numerators forgets what is brought",
            "wanted = _digits_beyond(2 * most_below * max(1, most_above))",
            "wanted = _digits_beyond(2 * most_below * most_below)",
        ),
        ("one denominator serves for all", "if abs(above) > self.most_above:", "if self._common == 1:"),
        (
            "what is brought has no sign beyond one digit",
            "            found.append(sign * digit)",
            "            found.append(digit)",
        ),
    ),
    *mutants_of(
        "solvers/positions/durations.py",
        (f"{POSITIONS}/test_durations.py",),
        ("the last of the best moves is made", "choices[position] = followed[0]", "choices[position] = followed[-1]"),
    ),
    *mutants_of(
        "solvers/positions/stochastic_games/stochastic_game.py",
        (f"{POSITIONS}/stochastic_games/test_enclosures.py",),
        (
            "one position of a circle that is known is enough",
            "yield Enclosed(lower, upper, max(upper.numbers[p]",
            "yield Enclosed(lower, upper, min(upper.numbers[p]",
        ),
    ),
    *mutants_of(
        "solvers/beliefs/belief_search.py",
        (f"{BELIEFS}/test_belief_search.py",),
        ("only the last draw has a probability", "(outcome, chance * likely)", "(outcome, likely)"),
    ),
    *mutants_of(
        "solvers/search/expectiminimax.py",
        (f"{SEARCH}/test_expectiminimax.py",),
        (
            "no play beyond the bounds is endless",
            "        if found.exact and problem.has_certain_bounds:\n",
            "        if found.exact:\n",
        ),
    ),
    *mutants_of(
        "solvers/normal_form/nash.py",
        NORMAL_FORM,
        (
            "a vertex of the other player needs no label",
            "        left = intersection(having, every ^ ray[1])",
            "        left = intersection(having, every ^ ray[1]) | 1",
        ),
    ),
    *mutants_of(
        "solvers/normal_form/double_description.py",
        ("tests/solvers/normal_form/test_double_description.py",),
        (
            "two rays are the ends of an edge though others have all that they share",
            "if intersection(having, labels[k] & labels[other]).bit_count() == 2:",
            "if intersection(having, labels[k] & labels[other]).bit_count() >= 2:",
        ),
        (
            "a ray with more labels is simple",
            "[labels[k].bit_count() == self.own for k in rays]",
            "[labels[k].bit_count() >= self.own for k in rays]",
        ),
        (
            "of an edge with a simple end all labels are shared",
            "least = self.own - 1",
            "least = self.own",
        ),
        (
            "rays on the border lack its label",
            "ray if slack else (ray[0], ray[1] | label)",
            "ray if slack else (ray[0], ray[1])",
        ),
        (
            "of equal replies only one is best",
            "alike[inequality] = alike.get(inequality, 0) | 1 << own + j",
            "alike[inequality] = 1 << own + j",
        ),
        (
            "payoffs have the denominator of the first",
            "scale = lcm(*(amount.denominator for amount in reply))",
            "scale = reply[0].denominator",
        ),
    ),
    *mutants_of(
        "solvers/imperfect_information/regret_minimization.py",
        ("tests/solvers/imperfect_information/test_regret_minimization.py",),
        (
            "a constant sum bounds what three get",
            "problem.facts.constant_sum.holds is True and len(plans) == 2",
            "problem.facts.constant_sum.holds is True",
        ),
    ),
]
