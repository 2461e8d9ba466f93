"""Mutants of what is shown and asked: pictures, tables, reports, files for other programs, the page, and sessions."""

from __future__ import annotations

from mutant import mutants_of

PICTURES = "tests/zermelo/pictures"
DRAWING = "tests/zermelo/drawing"
RENDERING = ("tests/zermelo/test_rendering.py",)
SERVING = "tests/zermelo/serving"
SOLUTIONS = "tests/zermelo/solutions"
TESTING = "tests/zermelo/testing"
POLICIES = "tests/zermelo/policies"

MUTANTS = [
    # ------------------------------------------------------------- pictures
    *mutants_of(
        "zermelo/pictures/boards.py",
        (f"{PICTURES}/test_boards.py",),
        ("a ring begins at the bottom", "-radius * cos(turn)", "radius * cos(turn)"),
        ("a ring has a cell more", "turns = [2 * pi * k / count", "turns = [2 * pi * k / (count + 1)"),
        ("neighbours are joined both ways", "if other > cell.index]", "]"),
        ("the last rank is below", "(top - row) * PITCH", "row * PITCH"),
        ("ranks of hexagons are not shifted", "(column + row / 2) * PITCH", "column * PITCH"),
        ("every file of hexagons has the names of ranks", "if column == 1 and", "if column >= 1 and"),
        ("parts of a graph are as far apart as it goes", "farther = 1 + max(", "farther = 100 + max("),
    ),
    *mutants_of(
        "zermelo/pictures/trees.py",
        (f"{PICTURES}/test_trees.py",),
        ("lines of sets that cross hang at one depth", "if end < low)", "if True)"),
        ("a track that is taken again ends where it did", "taken[track : track + 1] = [high]", "taken.append(high)"),
        ("every line hangs", "between > len(nodes)", "between >= len(nodes)"),
        ("all lines hang alike", "_TRACK * (track + 1.5)", "_TRACK * 1.5"),
        ("lines hang into the next level", "_TRACK * (track + 2)", "_TRACK * 2"),
        ("a best move looks like any other", "if node.is_best else Style", "if False else Style"),
        ("what is pruned looks like the rest", "        if node.is_pruned:\n", "        if False:\n"),
        ("the order of moves is free", "if tree.nodes[parent].actor == CHANCE:", "if True:"),
        ("the first order of deals is the best", "        if length(shortest) >= least:", "        if True:"),
    ),
    *mutants_of(
        "zermelo/pictures/curves.py",
        (f"{PICTURES}/test_trees.py",),
        ("a step may be too small", "(step := factor * power) >= least)", "(step := factor * power) * 2 >= least)"),
        ("the last tick is missing", "for k in range(first, last + 1)))", "for k in range(first, last)))"),
        ("an axis ends before the greatest number", "if each >= most and each > below[-1]", "if each > below[-1]"),
    ),
    *mutants_of(
        "zermelo/pictures/marks.py",
        (f"{PICTURES}/test_boards.py", f"{PICTURES}/test_trees.py"),
        ("what touches overlaps", "self.left < other.right and", "self.left <= other.right and"),
        ("spots are seen", "if not isinstance(mark, Spot)]", "]"),
    ),
    *mutants_of(
        "zermelo/pictures/matrices.py",
        (f"{DRAWING}/test_payoffs.py",),
        ("a point's name may lie upon others", "if not any(word.box.overlaps(box) for box in taken):", "if True:"),
    ),
    *mutants_of(
        "zermelo/pictures/themes.py",
        (f"{PICTURES}/test_themes.py",),
        ("thin words are dark on dark paper", "else evolve(mark, colour=_GREY_WORDS)", "else mark"),
        ("white words are dark on dark paper", "colour=colour if colour == PAPER else DARK", "colour=DARK"),
        ("all areas are ground", "is_ground = fill == PAPER or fill in AREAS", "is_ground = fill in DARK"),
        ("colours are as light in grey", "if len(coloured) > 1 else {}", "if False else {}"),
        ("a theme may still change", "if theme is None else evolve(picture, paper=PAPER)", "if theme else picture"),
    ),
    *mutants_of(
        "zermelo/pictures/tikz.py",
        (f"{PICTURES}/test_tikz.py",),
        ("an open line is closed", "'' if is_open else", "'' if False else"),
        ("spaces of code are lost", 'blank = "\\\\ " if is_code else " "', 'blank = " "'),
        ("nothing is escaped", "_SPECIAL.get(character, character)", "character"),
    ),
    # ------------------------------------------------------------- drawing
    *mutants_of(
        "zermelo/drawing/alike.py",
        (f"{DRAWING}/test_alike.py",),
        ("every symmetry is one of the position", "or self._image(here, symmetry) != own:", "or False:"),
        ("estimates need not be alike", "if has_estimates else group, places)", "if False else group, places)"),
        (
            "what is hidden does not matter",
            "if facts_with_information(game).perfect_information",
            "if False and game.facts",
        ),
        ("a class has two members", "both = sorted(classes[one] + classes[other])", "both = [one, other]"),
    ),
    *mutants_of(
        "zermelo/drawing/game_trees.py",
        (f"{DRAWING}/test_alike.py", f"{DRAWING}/test_exercises.py"),
        ("an outcome keeps its own probability", "        if first.probability is not None:\n", "        if False:\n"),
        ("a child is the first that is drawn", "node.stands_for[0] if node.stands_for else", "0 if False else"),
        ("hidden values are shown", '"values" in hide and bool(node.children)', "False"),
        (
            "hidden moves are shown",
            'is_best = place in above.best and "best" not in hide',
            "is_best = place in above.best",
        ),
        ("hidden chances are shown", 'mixed = None if "best" in hide or', "mixed = None if"),
    ),
    *mutants_of(
        "zermelo/drawing/searches.py",
        (f"{DRAWING}/test_exercises.py",),
        ("hidden windows are shown", ' and "windows" not in hide', ""),
        ("hidden values of searches are shown", 'if is_inner and "values" in self.hide else', "if False else"),
    ),
    *mutants_of(
        "zermelo/drawing/searches.py",
        (f"{DRAWING}/test_frames.py",),
        ("what is cut off is known before", "is_pruned = _decider(node) in moment.left", "is_pruned = True"),
        (
            "any best move so far is a bound",
            "return f\"{_SIDES['least' if node.actor == 0 else",
            "return f\"{_SIDES['most' if node.actor == 0 else",
        ),
        ("the window stays that of the beginning", "if is_old else node.window_with", "if True else node.window_with"),
        ("a probe shows what comes later", " and node.part is not WhichMoves.FIRST):", "):"),
        ("what fails low is a bound one level up", "known > node.alpha if", "True if"),
        ("all moves can be seen at once", "node.parent < moment.entered and node.probe is None", "node.probe is None"),
    ),
    *mutants_of(
        "zermelo/drawing/sizes.py",
        (f"{DRAWING}/test_picture_files.py",),
        ("all counts fit into 64 bits", "> _LARGEST else", "> 0 and False else"),
    ),
    *mutants_of(
        "zermelo/drawing/tables.py",
        (f"{DRAWING}/test_payoffs.py",),
        ("points on an edge are corners", "point) <= 0:", "point) < 0:"),
        ("a front ends before its last corner", "around.index(end) + 1]", "around.index(end)]"),
        ("a front begins anywhere among the best", "key=lambda each: (each[1], each[0])", "key=lambda each: each[1]"),
        ("two points have no hull", "if len(ordered) < 3:", "if len(ordered) < 2:"),
    ),
    *mutants_of(
        "zermelo/drawing/sizes.py",
        (f"{DRAWING}/test_sizes.py",),
        ("one ply more than asked for", "if ply.number >= depth:", "if ply.number > depth:"),
        ("a ply cut off is a whole one", "is_whole = last.plays == last.ended", "is_whole = True"),
        ("information sets are left out", "    if is_hidden:\n        kinds", "    if False:\n        kinds"),
    ),
    *mutants_of(
        "zermelo/drawing/game_trees.py",
        (f"{DRAWING}/test_game_trees.py",),
        (
            "a node alone is a set",
            "for (player, _), alike in found.items() if len(alike) > 1)",
            "for (player, _), alike in found.items())",
        ),
    ),
    *mutants_of(
        "zermelo/drawing/game_trees.py",
        (f"{DRAWING}/test_game_trees.py",),
        ("there is room for a node less", "if len(below) > room:", "if len(below) >= room:"),
        ("a level more than asked for", "nodes[level[0]].depth < depth:", "nodes[level[0]].depth <= depth:"),
    ),
    *mutants_of(
        "zermelo/drawing/sizes.py",
        (f"{DRAWING}/test_sizes.py",),
        ("none is above none", "lambda point: point[1] > 0", "lambda point: point[1] >= 0"),
        ("the curve ends a step too early", "if factor * power >= last:", "if factor * power * 10 >= last:"),
    ),
    *mutants_of(
        "zermelo/drawing/positions.py",
        (f"{PICTURES}/test_boards.py", f"{DRAWING}/test_looks.py"),
        ("boards that are drawn get tokens", "board not in drawn or variable.name in looking", "True"),
        ("a pass is the last move", "if changed := after - had:", "if (changed := after - had) or True:"),
        ("a sign of two variables", "while length < len(name) and any(", "while False and any("),
        ("variables that hold sets have no tokens", "kind.element if isinstance(kind, SetType) else kind", "kind"),
    ),
    *mutants_of(
        "zermelo/drawing/looks.py",
        (f"{DRAWING}/test_looks.py",),
        ("a part has its look before the value", "for each in (value, *parts)", "for each in (*parts, value)"),
        ("what is none is drawn like the rest", "and value not in drawn.looks:", "and False:"),
        ("a hidden card is no card", '"card" if self.has_backs(variable) else ""', '""'),
        ("a count is one thing", "1 if is_number else count)", "1)"),
    ),
    *mutants_of(
        "zermelo/pictures/points.py",
        (f"{DRAWING}/test_looks.py",),
        ("the first point is on the left", "else per_row - 1 - number", "else number"),
        ("points are not turned round", "        if look.is_flipped:\n", "        if False:\n"),
    ),
    *mutants_of(
        "zermelo/files.py",
        ("tests/zermelo/test_drawn_is_no_rule.py",),
        ("what is drawn is a rule", '_DRAWN.sub("", game.text)', "game.text"),
        ("weights are for one look", "Drawn | Setup | Start)", "Setup | Start)"),
    ),
    *mutants_of(
        "zermelo/drawing/tables.py",
        ("tests/zermelo/test_draw_command.py",),
        (
            "the other player's payoff is what counts",
            "if table.payoff(profile)[player] == most:",
            "if table.payoff(profile)[1 - player] == most:",
        ),
        ("what is left out is not counted", "if len(mixed) > _MOST_MIXED:", "if False:"),
    ),
    # ------------------------------------------------------------- reports
    *mutants_of(
        "zermelo/report/coverage.py",
        ("tests/zermelo/test_check.py",),
        ("a condition never asked has failed", "{taken if is_asked else '-'}", "{taken}"),
        ("both branches have one number", "enumerate((each.held, each.failed))", "enumerate((each.failed, each.held))"),
        (
            "half of a condition is a whole one",
            "(self.held > 0) + (self.failed > 0)",
            "2 * (self.held + self.failed > 0)",
        ),
        (
            "a line counts its first part",
            "counts[line] = max(used[key], counts.get(line, 0))",
            "counts.setdefault(line, used[key])",
        ),
        ("every settled condition has branches", "            if not condition.is_settled\n", ""),
        ("values that are none are left out", "                values.append(None)\n", "                pass\n"),
    ),
    *mutants_of(
        "zermelo/report/text.py",
        RENDERING,
        ("a line between two is left out", "if number == before + 2:", "if number == before + 3:"),
        (
            "the rail ends a line too early",
            "range(main.span.line, main.span.end_line + 1)",
            "range(main.span.line, main.span.end_line)",
        ),
        ("an empty mark is not seen", "start + 1), mark)", "start), mark)"),
        ("texts hang on no bar", "if other.start < place.start]", "if other.start <= place.start]"),
        (
            "marks lie upon the main one",
            'key=lambda place: place.mark.sign == "^"',
            'key=lambda place: place.mark.sign != "^"',
        ),
    ),
    *mutants_of(
        "zermelo/report/console.py",
        RENDERING,
        ("nobody sees that the end is cut off", "if left + LINE_WIDTH < width:", "if False:"),
        ("wide characters take one column", 'in "WF"', 'in "F"'),
        ("tabs are of one width", '" " * (TAB - len(shown) % TAB)', '" " * TAB'),
        ("control characters go to the terminal", "if ord(character) < 0x20:", "if ord(character) < 0x10:"),
    ),
    *mutants_of(
        "zermelo/report/console.py",
        ("tests/zermelo/test_rendering.py",),
        (
            "a piece of full width is broken",
            "_column_width(piece) + 1 + _column_width(word) <= width",
            "_column_width(piece) + 1 + _column_width(word) < width",
        ),
        (
            "blanks take no room",
            "_column_width(piece) + 1 + _column_width(word) <= width",
            "_width(piece) + _width(word) <= width",
        ),
        ("gaps take no room", "return sum(widths) + _GAP * (len(widths) - 1)", "return sum(widths)"),
        ("rows that do not fit are no blocks", "_total(least) > width", "False"),
        ("a sign of approximation stands alone", '_BLANK: Final = "(?<!≈) "', '_BLANK: Final = " "'),
    ),
    *mutants_of(
        "zermelo/report/annotations.py",
        ("tests/zermelo/test_check.py",),
        ("columns count from 0", '"startColumn": span.column,', '"startColumn": span.column - 1,'),
        ("labels are left out", "    if finding.labels:\n", "    if False:\n"),
        ("fixes are left out", "    if finding.fix is not None:\n", "    if False:\n"),
        ("every result is of the first rule", "codes.index(finding.code))", "0)"),
    ),
    *mutants_of(
        "zermelo/report/annotations.py",
        ("tests/zermelo/test_check.py",),
        ("errors count as failures", '"errors": str(counts["error"])', '"errors": str(counts["failure"])'),
        (
            "what was skipped has passed",
            'if case.outcome != "passed":',
            'if case.outcome not in ("passed", "skipped"):',
        ),
        ("characters that XML cannot have stay", "sign not in", "sign in"),
    ),
    # ------------------------------------------------------------- solutions
    *mutants_of(
        "zermelo/solutions/page.py",
        (f"{SOLUTIONS}", "tests/zermelo/test_steps.py"),
        (
            "steps are written out each time",
            "if count > 1 and plan.steps[step].branches}",
            "if count > 2 and plan.steps[step].branches}",
        ),
        ("a plan is cut at its last line", "if len(lines) > most:", "if len(lines) >= most:"),
    ),
    *mutants_of(
        "zermelo/solutions/strategy_table.py",
        (f"{SOLUTIONS}/test_strategies.py",),
        ("rows that say different things are one", "row.without(name), []", "evolve(row, does='', sees=()), []"),
        ("values that tell rows apart are left out", "len({row.known for row in without}) == len(rows)", "without"),
        ("one row needs all its columns", "if len(rows) > 1 and len(", "if len("),
        ("none is a value among others", "len(group) == 1 or None in values or", "len(group) == 1 or"),
    ),
    *mutants_of(
        "zermelo/solutions/page.py",
        (f"{SOLUTIONS}/test_durations.py",),
        ("no end is an end with 0", 'if duration.ends[1] else "for ever"', 'if True else "for ever"'),
        ("players who cannot are those who can", "if player not in able]", "if player in able]"),
        ("who perhaps can is left out", "    if perhaps:\n", "    if False:\n"),
    ),
    # ------------------------------------------------------------- policies
    *mutants_of(
        "zermelo/policies/strategy_files.py",
        (f"{POLICIES}",),
        ("a probability may be above 1", "if not 0 <= chance <= 1:", "if not 0 <= chance:"),
        ("probabilities need not sum to 1", "if abs(total - 1) > _ROUNDING:", "if total - 1 > _ROUNDING:"),
    ),
    *mutants_of(
        "zermelo/policies/policy_table.py",
        (f"{POLICIES}/test_policy.py",),
        ("an error makes values more exact", "(value - self.error, value + self.error)", "(value, value)"),
        (
            "rows with a gap between them are one",
            "joined[-1].spans[number][1] + 1:",
            "joined[-1].spans[number][1] + 2:",
        ),
        (
            "the greatest duration is the least",
            "max(row.durations[1], next.durations[1], key",
            "min(row.durations[1], next.durations[1], key",
        ),
    ),
    # ------------------------------------------------------------- decisions
    *mutants_of(
        "zermelo/decisions.py",
        ("tests/zermelo/decisions/test_guesses.py",),
        (
            "as many deals as asked for are too many",
            "if len(found.positions) <= deals:",
            "if len(found.positions) < deals:",
        ),
    ),
    *mutants_of(
        "zermelo/decisions.py",
        ("tests/zermelo/decisions/test_move_values.py",),
        ("the worst moves are best", "worth.payoff[player] == max(amounts)", "worth.payoff[player] == min(amounts)"),
    ),
    *mutants_of(
        "zermelo/decisions.py",
        ("tests/zermelo/decisions/test_believing.py",),
        (
            "the others choose at random whatever is asked",
            '    if others != "uniform":',
            '    if others == "uniform" != others:',
        ),
    ),
    # ------------------------------------------------------------- playing
    *mutants_of(
        "zermelo/playing/contestants.py",
        ("tests/zermelo/playing/test_sampled_matches.py",),
        (
            "contestants sit the other way round",
            "self.contestants[seat - moved_by]",
            "self.contestants[seat + moved_by - len(players)]",
        ),
        (
            "seats count from the other end",
            "each[(seat - contestant) % players]",
            "each[(seat + contestant) % players]",
        ),
        (
            "a play that is too long ends in nothing",
            '    raise ZermeloError("needs-end", f"a play',
            '    yield state, None\n    return\n    raise ZermeloError("needs-end", f"a play',
        ),
    ),
    *mutants_of(
        "zermelo/playing/intervals.py",
        ("tests/zermelo/playing/test_intervals.py",),
        ("the mean is known beforehand", "/ (count - 1) / count", "/ count / count"),
        ("an interval of one side", "float((1 + LEVEL) / 2)", "float(LEVEL)"),
        ("the slack of a share is forgotten", "+ slack / (4 * of)", ""),
        ("both samples vary alike", "square**2 / (len(first) - 1)", "square**2 / (len(second) - 1)"),
    ),
    *mutants_of(
        "zermelo/playing/balancing.py",
        ("tests/zermelo/playing/test_balancing.py",),
        ("a draw is won by the first", "if self.payoff.count(most) == 1 else None", ""),
        ("only the end is looked at", "decisions[len(decisions) // 2][0]", "decisions[-1][0]"),
        (
            "a play that is repeated shows what nobody chooses",
            "for play in {play.line: play for play in self.plays}.values():",
            "for play in self.plays:",
        ),
        ("moves that nobody can choose are chosen", "if len(moves) > 1),\n        )", "),\n        )"),
    ),
    *mutants_of(
        "zermelo/playing/contestants.py",
        ("tests/zermelo/playing/test_sampled_matches.py",),
        (
            "everybody follows the advice to the first player",
            "next(advice for advice in solution.policy if advice.player == player)",
            "solution.policy[0]",
        ),
    ),
    *mutants_of(
        "zermelo/playing/seats.py",
        ("tests/zermelo/playing/test_session.py",),
        (
            "everybody follows the advice to the first player",
            "next(advice for advice in policy if advice.player == player)",
            "policy[0]",
        ),
    ),
    *mutants_of(
        "zermelo/playing/session.py",
        ("tests/zermelo/playing",),
        (
            "a remark comes a move too early",
            "all(seen >= moves for seen in known)",
            "all(seen >= moves - 1 for seen in known)",
        ),
        (
            "a remark comes when one has seen it",
            "all(seen >= moves for seen in known)",
            "any(seen >= moves for seen in known)",
        ),
        ("the next person sees what the last one saw", 'print(_CLEAR, end="")', "pass"),
        (
            "the screen is not cleared for the next person",
            "if self.at_keyboard != player and len(self.people) > 1",
            "if self.at_keyboard == player and len(self.people) > 1",
        ),
        (
            "outcomes of chance are told",
            '        if self.is_open:\n            print(f"{shown(actor)}: {display_text(move)}")',
            '        if True:\n            print(f"{shown(actor)}: {display_text(move)}")',
        ),
        (
            "numbers of moves begin at 0",
            "self.state.moves[int(words) - 1 : int(words)]",
            "self.state.moves[int(words) : int(words) + 1]",
        ),
    ),
    *mutants_of(
        "zermelo/drawing/picture_files.py",
        (f"{DRAWING}/test_frames.py",),
        ("files of a longer search stay", "    for each in left:\n        remove_file(each)\n", ""),
    ),
    *mutants_of(
        "zermelo/drawing/game_trees.py",
        (f"{DRAWING}/test_exercises.py",),
        ("numbers at the end are an equilibrium's", '"values" in hide and not any(', "False and not any("),
    ),
    # ------------------------------------------------------------- serving
    *mutants_of(
        "zermelo/serving/questions.py",
        (f"{SERVING}/test_answers.py", f"{SERVING}/test_app.py"),
        ("0 is a number of things", "not 0 < found <= _GREATEST", "not 0 <= found <= _GREATEST"),
        ("a text of the greatest length is too long", "len(found) > LARGEST", "len(found) >= LARGEST"),
        ("as many moves as there may be are too many", "len(found) > _MOVES", "len(found) >= _MOVES"),
        (
            "halves of characters are characters",
            '"\\ud800" <= character <= "\\udfff"',
            '"\\ud800" < character < "\\ud801"',
        ),
        ("places may be negative", "if min(line, character) >= 0:", "if line >= 0:"),
    ),
    *mutants_of(
        "zermelo/serving/app.py",
        (f"{SERVING}/test_app.py",),
        ("a host may be named twice", "if len(hosts) != 1 or", "if not hosts or"),
        (
            "pages of other sites are answered",
            "if any(origin.lower() not in self._origins for origin in origins):",
            "if False:",
        ),
        ("the greatest length is too great", "int(each) > MOST_BYTES", "int(each) >= MOST_BYTES"),
        ("another type is JSON", '!= ["application/json"]:', "== []:"),
    ),
    *mutants_of(
        "zermelo/serving/workers.py",
        (f"{SERVING}/test_workers.py",),
        ("one more may wait", "if len(self._waiting) >= _WAITING:", "if len(self._waiting) > _WAITING:"),
        ("who waits is counted among those before", "ahead = len(self._waiting) - 1", "ahead = len(self._waiting)"),
    ),
    # ------------------------------------------------------------- notebook
    *mutants_of(
        "zermelo/notebook/exploring.py",
        ("tests/zermelo/notebook/test_widgets.py",),
        ("there is no room for the last node", "+ len(offered) > NODES:", "+ len(offered) >= NODES:"),
        (
            "moves count from the end",
            "0 <= number < len(self.nodes[self.here].children)",
            "number < len(self.nodes[self.here].children)",
        ),
        ("a node of any number is pointed at", "and int(name) < len(self.nodes):", "and int(name) <= len(self.nodes):"),
        ("what is folded up stays the one shown", "if self.here not in visible:", "if False:"),
    ),
    *mutants_of(
        "zermelo/notebook/playing.py",
        ("tests/zermelo/notebook/test_widgets.py",),
        ("moves count from the end", "0 <= number < len(self.state.moves)", "number < len(self.state.moves)"),
        ("several people see a hidden game", "if len(people) > 1 and begin", "if len(people) > 2 and begin"),
    ),
    # ------------------------------------------------------------- language server
    *mutants_of(
        "zermelo/language_server/documents.py",
        ("tests/zermelo/language_server",),
        ("a place is one character later", "if units >= position.character:", "if units > position.character:"),
        ("columns count from 1", "self.source.line(line)[: column - 1]", "self.source.line(line)[:column]"),
        ("characters are units", "self._units(character)", "1"),
    ),
    *mutants_of(
        "zermelo/language_server/showing.py",
        ("tests/zermelo/language_server",),
        (
            "a fix is offered only inside its finding",
            "finding.span.start <= end and start <= finding.span.end",
            "finding.span.start < start and end < finding.span.end",
        ),
        ("a fix is offered everywhere", "finding.span.start <= end and start <= finding.span.end", "True"),
        ("related places are forgotten", "for label in labels\n", "for label in labels[:0]\n"),
    ),
    *mutants_of(
        "zermelo/language_server/words.py",
        ("tests/zermelo/language_server/test_words.py",),
        (
            "the place behind a word is the word",
            "offset - begin < found.end() and found[0]",
            "offset - begin <= found.end() and found[0]",
        ),
        (
            "comments have words",
            "if any(quiet.start() <= offset - begin < quiet.end()",
            "if False and any(quiet.start() <= offset - begin < quiet.end()",
        ),
    ),
    # ------------------------------------------------------------- testing
    *mutants_of(
        "zermelo/testing/expectations.py",
        (f"{TESTING}/test_expectations.py",),
        (
            "a move after the end could not be judged",
            'if error.code in ("illegal-move", "game-over"):',
            'if error.code == "illegal-move":',
        ),
        (
            "an illegal move could not be judged",
            'if error.code in ("illegal-move", "game-over"):',
            'if error.code == "game-over":',
        ),
        (
            "a tolerance does not include its end",
            "abs(found - wanted) <= tolerance",
            "abs(found - wanted) < tolerance or found == wanted",
        ),
        ("one payoff is enough", "        if all(abs(found", "        if any(abs(found"),
        ("what is not so is known", 'return "" if expectation.negated else "it does not hold"', 'return ""'),
        ("not to know is to know", "        if expectation.negated:\n", "        if not expectation.negated:\n"),
        (
            "an open claim has failed",
            "Status.OPEN if fact.holds is None else Status.PASSED if fact.holds",
            "Status.PASSED if fact.holds",
        ),
    ),
    *mutants_of(
        "zermelo/testing/expectations.py",
        (f"{TESTING}/test_expectations.py",),
        ("who gains nothing deviates", "if found > payoff[player]:", "if found >= payoff[player]:"),
        (
            "who has seen something chooses unseen",
            "if self.known.setdefault(player, perceived) != perceived:",
            "if False:",
        ),
    ),
    *mutants_of(
        "zermelo/testing/mutation.py",
        (f"{TESTING}/test_mutation.py",),
        ("flaws of the original notice", "if message not in known.flaws", "if message"),
        ("lines that failed before notice", "if result.is_bad and result.said in known.lines", "if result.is_bad"),
        ("a sample is everything", "if count is None or count >= len(every):", "if True:"),
        (
            "what was stopped is the same",
            "if found.difference is None and not found.stopped:",
            "if found.difference is None:",
        ),
    ),
    *mutants_of(
        "zermelo/testing/suites.py",
        (f"{TESTING}/test_suites.py", "tests/zermelo/testing/test_suites.py"),
        ("what was skipped is bad", "(is_strict and self.count(Status.SKIPPED))", "self.count(Status.SKIPPED)"),
    ),
    *mutants_of(
        "zermelo/testing/expectations.py",
        ("tests/zermelo/testing/test_expectations.py",),
        (
            "positions within a step count",
            "if perceived == known and (is_within_step or not _is_draw(here)):",
            "if perceived == known:",
        ),
    ),
    *mutants_of(
        "zermelo/playing/analysis.py",
        ("tests/zermelo/serving/test_answers.py",),
        (
            "a hint tells what the first player gets",
            "short_number(worth.payoff[player])",
            "short_number(worth.payoff[0])",
        ),
    ),
    *mutants_of(
        "zermelo/serving/analysis.py",
        ("tests/zermelo/serving/test_answers.py",),
        (
            "everybody is told what the moves of others are worth",
            "state.actor != CHANCE and viewer in (None, state.actor)",
            "state.actor != CHANCE",
        ),
    ),
    *mutants_of(
        "zermelo/positions.py",
        ("tests/zermelo/test_cli.py",),
        (
            "parameters are written as Python writes them",
            "format_value(game.parameters[name]), domain",
            "str(game.parameters[name]), domain",
        ),
    ),
    *mutants_of(
        "zermelo/results.py",
        ("tests/zermelo/test_questions.py",),
        (
            "a result does not say with which seed it was found",
            'name == "seed" or (name not in',
            "(name not in",
        ),
        (
            "options that are given are not noted",
            "and value != each.default and value != ()",
            "and value is None",
        ),
        (
            "a result does not say after which play it was found",
            "(subject.game, subject.play)",
            "(subject.game, ())",
        ),
        ("a position is not told", "position=game.position", 'position=""'),
        ("other rules are asked again", "if digest_of(game) != self.digest:", "if False:"),
        ("other weights are not set again", "if {name: str(weight) for", "if False and {name: str(weight) for"),
        ("a table without rows has no columns", "frames.DataFrame(columns=list(self.columns))", "frames.DataFrame()"),
    ),
    *mutants_of(
        "zermelo/policies/strategy_files.py",
        ("tests/zermelo/test_questions.py",),
        (
            "a solution of another game is taken for one of this",
            "    _check_game(name_of_strategies(given), record, game)\n",
            "",
        ),
    ),
    *mutants_of(
        "zermelo/commands/match.py",
        ("tests/zermelo/test_display_names.py",),
        (
            "a match tells of players by their names in the file",
            '(f"as {player}" for player in titles)',
            '(f"as {player}" for player in found.game.players)',
        ),
    ),
    *mutants_of(
        "zermelo/steps.py",
        ("tests/zermelo/test_steps.py",),
        (
            "a bound moves to where it is",
            'is now {value_text(share)}" if share < beta else',
            'is now {value_text(share)}" if share <= beta else',
        ),
        (
            "the least that the other gets is the most",
            "bounds_of_value(self.everything)[1 - node.actor]",
            "bounds_of_value(self.everything)[node.actor]",
        ),
    ),
    *mutants_of(
        "zermelo/language_server/completion.py",
        ("tests/zermelo/language_server/test_completion.py",),
        (
            "a name is changed where it is declared",
            "look.places.range_of(found[0])",
            "look.places.range_of(found[1].span)",
        ),
        ("phases are begun by go alone", 'elif before in ("go", "at"):', 'elif before == "go":'),
        (
            "a name is used where it is declared",
            "for span in spans if with_declaration or span not in look.index.symbols",
            "for span in spans",
        ),
    ),
    *mutants_of(
        "zermelo/pictures/points.py",
        ("tests/zermelo/pictures/test_points.py",),
        ("the bar stands upon a point", "place >= count // 2", "place > count // 2"),
    ),
    *mutants_of(
        "zermelo/pictures/matrices.py",
        ("tests/zermelo/pictures/test_matrices.py",),
        ("names of columns stand elsewhere", "left + width / 2, top - 12,", "top - 12, left + width / 2,"),
    ),
    *mutants_of(
        "zermelo/pictures/listings.py",
        ("tests/zermelo/pictures/test_matrices.py",),
        ("columns have any height", "at and at + taken > height", "at and at - taken > height"),
    ),
    *mutants_of(
        "zermelo/language_server/showing.py",
        ("tests/zermelo/language_server/test_completion.py",),
        ("lines are counted from nowhere", "where.start.line - line\n", "where.start.line + line\n"),
    ),
    *mutants_of(
        "zermelo/comparing.py",
        ("tests/zermelo/test_comparing.py",),
        (
            "errors are told in another order",
            "(error.code, error.message, error.help))",
            "(error.message, error.code, error.help))",
        ),
    ),
    *mutants_of(
        "zermelo/commands/compare.py",
        ("tests/zermelo/test_comparing.py",),
        (
            "who contradicts another is right",
            "return 1 if found.disagreement or is_refused else 0",
            "return 1 if is_refused else 0",
        ),
    ),
    *mutants_of(
        "zermelo/language_server/server.py",
        ("tests/zermelo/language_server/test_completion.py",),
        (
            "nobody is told what a name means",
            "    answer(types.TEXT_DOCUMENT_HOVER, types.Hover | None, None, hover)\n",
            "",
        ),
    ),
    *mutants_of(
        "zermelo/testing/grading.py",
        ("tests/zermelo/testing/test_grading.py",),
        ("a claim that fails is no mistake", " or self.count(Status.FAILED):", ":"),
        ("what is not known is right", "if self.same and not self.stopped else", "if self.same is not False else"),
        ("lines that a limit ended hold", "if self.same and not self.stopped else", "if self.same else"),
        (
            "a file that cannot be read stops its grade",
            "except ZermeloError as error:\n            findings",
            "except InvalidGame as error:\n            findings",
        ),
        ("what was found before a fault is forgotten", "                grade = each\n", "                pass\n"),
        (
            "a process that ended has done all",
            'grade = evolve(grade, stopped=f"by a fault: {error}")',
            'grade = evolve(grade, stopped="")',
        ),
        (
            "an interrupt forgets what is done",
            "            if not found:\n                raise\n",
            "            raise\n",
        ),
        ("parameters are of the model alone", "build(name, source, self.parameters)", "build(name, source, {})"),
        ("hidden folders are searched", 'if not name.startswith(".")]', "]"),
        ("other files are forgotten", "(found if is_game else others)", "(found if is_game else list[str]())"),
        (
            "files without an end are games",
            "is_game = name.endswith(ENDING) and name not in links",
            "is_game = name not in links",
        ),
        ("a model has all the time", "with Limits(time, memory).enforce():", "if True:"),
    ),
    *mutants_of(
        "zermelo/testing/pytest_plugin.py",
        ("tests/zermelo/testing/test_suites.py",),
        ("a broken game is no item", "            yield broken\n", ""),
    ),
]
