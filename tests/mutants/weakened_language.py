"""Mutants of how a text is read, checked and given a meaning: boundaries, branches and cases."""

from __future__ import annotations

from mutant import mutants_of

GRAMMAR = "tests/grammar"
FORMATTER = (f"{GRAMMAR}/test_layout.py",)
INTERPRETER = "tests/interpreter"
CHECKS = f"{INTERPRETER}/checks"
CORPUS = (f"{INTERPRETER}/test_check_corpus.py",)
REFERENCE = f"{INTERPRETER}/reference"
EVALUATION = f"{INTERPRETER}/evaluation"
SYMBOLS = f"{INTERPRETER}/symbols"
SYMMETRIES = f"{INTERPRETER}/symmetries"

MUTANTS = [
    # ------------------------------------------------------------- grammar
    *mutants_of(
        "grammar/parse.py",
        (f"{GRAMMAR}/test_editions.py", f"{GRAMMAR}/test_parse.py"),
        ("a later language is read like this one", "if edition > NEWEST and", "if edition > NEWEST + 9 and"),
        ("findings about a later language stay", "findings.found.clear()", "findings.found.copy()"),
        ("an old meaning is not noticed", "if line.edition.value < since", "if line.edition.value < since - 1"),
        ("the language may stand anywhere", "if said and said[0] is not nodes[0]:", "if False:"),
    ),
    *mutants_of(
        "grammar/upgrade.py",
        (f"{GRAMMAR}/test_editions.py",),
        ("x := y + e is taken for x += e", "if repr(value.left) != repr(target):", "if not value.left:"),
        ("two players need not differ", "or not self.are_different(entries[0][0], entries[1][0])", ""),
        ("amounts need not be opposite", "if not _are_opposite(*amounts) or", "if"),
        ("names of players may be hidden", "and self.declared[first] == self.declared[second] == 1", ""),
        ("names of tables may be hidden", "and self.declared[target.name] == 1", ""),
        ("a define is a table", "is_table=True", ""),
        ("a difference is opposite to itself", "repr((two.right, two.left))", "repr((two.left, two.right))"),
        ("a product is opposite whatever the factor", "return rest_is_equal and", "return"),
        ("cases need not be the same", "return is_same_case and", "return"),
        ("one of two cases is enough", "_are_opposite(one.yes, two.yes) and", "_are_opposite(one.yes, two.yes) or"),
        ("some move may be made without", "if not all(parameters", "if not any(parameters"),
        (
            "other moves of the name do not count",
            "any(len(parameters) != len(given)",
            "all(len(parameters) != len(given)",
        ),
        ("a comment is taken away", 'if "#" in rest or', "if"),
        ("lines leave their brackets", "is_enclosed and any", "not is_enclosed and any"),
        (
            "brackets around two factors are taken",
            "if place == len(text) else (start, end)",
            "if place else (start, end)",
        ),
    ),
    *mutants_of(
        "grammar/formatter/documents.py",
        FORMATTER,
        ("a fraction comes before a product", "and not (place > 1 and words[place - 2].is_keyword(*_FACTORS))", ""),
        ("a minus is a sign at the beginning only", "place == 0 or not ends_operand(words[place - 1])", "place == 0"),
        ("strokes of fractions stand apart on the right", "or _is_fraction(words, place - 1))", ")"),
    ),
    *mutants_of(
        "grammar/formatter/documents.py",
        FORMATTER,
        ("a comment in the column of a block is outside", "if column <= place)", "if column < place or not column)"),
        ("comments belong to the outermost block", "Above(text, max(depth, owner))", "Above(text, depth)"),
        (
            "a comment within a line is lost",
            "if text)\n            self.lines[-1]",
            "if not text)\n            self.lines[-1]",
        ),
    ),
    *mutants_of(
        "grammar/formatter/documents.py",
        FORMATTER,
        ("a row of full width does not fit", "while room >= 0:", "while room > 0:"),
        (
            "comments of a group stand where each row ends",
            "column = max(MARGIN, *(row.end + _APART for row in together))",
            "column = MARGIN",
        ),
        (
            "a comment above a word is lost",
            "for comment in word.above]\n    if row.code:",
            "for comment in ()]\n    if row.code:",
        ),
    ),
    *mutants_of(
        "grammar/formatter/expressions.py",
        FORMATTER,
        ("columns are as wide as their narrowest cell", "[max(map(len, column)) for", "[min(map(len, column)) for"),
        (
            "a comment within a row of a table is lost",
            "[*(each.text for each in line.above), *inner]",
            "[*(each.text for each in line.above)]",
        ),
        ("a row of a legend begins where it began", "len(row.lstrip()) - line.column if", "len(row.lstrip()) if"),
        (
            "an if within an if has no else",
            'is_keyword("if") and not ends_operand(',
            'is_keyword("if") and ends_operand(',
        ),
    ),
    *mutants_of(
        "grammar/layout.py",
        (f"{GRAMMAR}/test_layout.py", f"{GRAMMAR}/test_parse.py"),
        ("as deep as blocks may be is too deep", "if len(columns) > (most", "if len(columns) >= (most"),
        (
            "a line in the column of its block goes on",
            "elif column <= columns[-1] or self._is_row",
            "elif column < columns[-1] or self._is_row",
        ),
        (
            "a bracket is never closed only further left",
            "doubtful = column <= columns[-1]",
            "doubtful = column < columns[-1]",
        ),
    ),
    *mutants_of(
        "grammar/engine.py",
        (f"{GRAMMAR}/test_parse.py",),
        (
            "columns count from 0",
            "column, first_line = position - line_start + 1, line",
            "column, first_line = position - line_start, line",
        ),
    ),
    *mutants_of(
        "grammar/diagnostics.py",
        (f"{GRAMMAR}/test_parse.py", "tests/zermelo/test_rendering.py"),
        ("the last line is none", "1 <= number <= len(self.lines)", "1 <= number < len(self.lines)"),
        ("a warning is raised", "(findings.errors or tuple(findings))[0]", "tuple(findings)[0]"),
    ),
    *mutants_of(
        "grammar/reading.py",
        (f"{GRAMMAR}/test_parse.py",),
        ("a file of the greatest size is too large", "if len(data) > LARGEST:", "if len(data) >= LARGEST:"),
        ("other lines with tabs are counted with the first", "for tab in tabs}) - 1", "for tab in tabs})"),
    ),
    *mutants_of(
        "grammar/mutants.py",
        (f"{GRAMMAR}/test_mutants.py",),
        ("0 is no number to slip to", "if number >= 0:", "if number > 0:"),
        (
            "nobody takes a player for the next one",
            "(self.players.index(name) + 1) % len(self.players)",
            "self.players.index(name)",
        ),
    ),
    *mutants_of(
        "zermelo/foundation/memory.py",
        ("tests/zermelo/foundation/test_limits.py",),
        ("a store is full one entry too early", "if len(things) < self.most:", "if len(things) + 1 < self.most:"),
        ("a unit is no unit", "if count >= unit:", "if count > unit:"),
    ),
    *mutants_of(
        "grammar/builder/expressions.py",
        (f"{GRAMMAR}/test_parse.py",),
        (
            "as many digits as there may be are too many",
            "if len(digits) > MOST_DIGITS:",
            "if len(digits) >= MOST_DIGITS:",
        ),
    ),
    *mutants_of(
        "grammar/engine.py",
        (f"{GRAMMAR}/test_parse.py", f"{GRAMMAR}/test_layout.py"),
        ("as deep as a tree may be is too deep", "if depth > DEEPEST_TREE:", "if depth >= DEEPEST_TREE:"),
    ),
    # ------------------------------------------------------------- geometry and functions
    *mutants_of(
        "interpreter/functions.py",
        (f"{INTERPRETER}/test_functions.py",),
        (
            "the player before is the next one",
            "(p.index + 1) % len(players.listed)",
            "(p.index - 1) % len(players.listed)",
        ),
        (
            "a player comes after themself first",
            "players.listed[player.index + 1 :] +",
            "players.listed[player.index :] +",
        ),
        ("members count from 0", "else member.index + 1", "else member.index"),
        ("the last member has no number", "range(1, len(type.listed) + 1)", "range(1, len(type.listed))"),
        ("hexagons are squares", "max(abs(dx), abs(dy), abs(dx + dy))", "max(abs(dx), abs(dy))"),
        ("a ring is walked one way", "min(steps(board, a, b) or 0, steps(board, b, a) or 0)", "steps(board, a, b)"),
        (
            "the last cell is between, too",
            "straight(board, a, along, length - 1)",
            "straight(board, a, along, length)",
        ),
        ("half a step is one", "or count != int(count):", "or False:"),
        ("leaps go one way", "for a, b in ((m, n), (n, m))", "for a, b in ((m, n),)"),
    ),
    *mutants_of(
        "interpreter/functions.py",
        (f"{INTERPRETER}/test_functions.py",),
        ("a line in a chain ends before its last cell", "range(len(chain) - length + 1)", "range(len(chain) - length)"),
        (
            "lines of a ring do not go over its end",
            "yield tuple(cells[(k + i) % len(cells)]",
            "yield tuple(cells[min(k + i, len(cells) - 1)]",
        ),
        ("files begin again after z", "divmod(x - 1, 26)", "divmod(x - 1, 27)"),
        ("a limit counts the first cell", "limit is None or limit > 0)", "limit is None or limit > 1)"),
    ),
    # ------------------------------------------------------------- evaluation
    *mutants_of(
        "interpreter/evaluation/context.py",
        (f"{EVALUATION}/test_expressions.py", f"{REFERENCE}/test_chance.py"),
        ("a range is without its end", "low <= value <= high and", "low <= value < high and"),
        ("halves are in a range of whole numbers", "and (value - low) % 1 == 0)", ")"),
        ("a subset is the one before", "if number < subsets:", "if number <= subsets:"),
        (
            "no subset has a negative size, but one has none",
            "isinstance(size, int) and size >= 0 else",
            "isinstance(size, int) else",
        ),
    ),
    *mutants_of(
        "interpreter/evaluation/context.py",
        (f"{EVALUATION}/test_sets.py",),
        (
            "sets that meet have as many members as both",
            "low + more_low if are_disjoint else max(low, more_low)",
            "low + more_low",
        ),
        (
            "what is taken away is in the set",
            "high if high is None or not is_within else high - less_low",
            "None if high is None else high - less_low",
        ),
        (
            "the greater set bounds what both have",
            "return 0, min(highs, default=None)",
            "return 0, max(highs, default=None)",
        ),
    ),
    *mutants_of(
        "interpreter/evaluation/statements.py",
        (f"{REFERENCE}/test_chance.py", f"{REFERENCE}/test_contract.py"),
        ("a weight of 0 is negative", "        if weight < 0:\n", "        if weight <= 0:\n"),
    ),
    # ------------------------------------------------------------- reference
    *mutants_of(
        "interpreter/reference/chance.py",
        (f"{REFERENCE}/test_chance.py", f"{REFERENCE}/test_counting.py"),
        (
            "the last outcome of a rule is of the next one",
            "if number < each.deals.count:",
            "if number < each.deals.count - 1:",
        ),
        ("numbers count within each rule", "            before += each.deals.count\n", ""),
        (
            "outcomes count from the end, too",
            "        if number >= 0:\n            for each",
            "        if True:\n            for each",
        ),
    ),
    *mutants_of(
        "interpreter/reference/chance.py",
        (f"{REFERENCE}/test_chance.py", f"{REFERENCE}/test_counting.py"),
        (
            "hands that may meet are counted as if they did not",
            "for one in within for other in within if one < other)",
            "for one in () for other in within if one < other)",
        ),
        ("a hand of another size has a number", "or len(value) != hand.size:", "or False:"),
    ),
    *mutants_of(
        "interpreter/reference/chance.py",
        (f"{REFERENCE}/test_chance.py",),
        ("what has weight 0 may be drawn", "                if weight > 0:\n", "                if weight >= 0:\n"),
        (
            "probabilities need not sum to 1",
            "if self.chance.has_probabilities and total != 1:",
            "if self.chance.has_probabilities and total > 1:",
        ),
        ("as many outcomes as are listed are too many", "if len(found) > LIST_LIMIT:", "if len(found) >= LIST_LIMIT:"),
    ),
    *mutants_of(
        "interpreter/reference/why_not.py",
        (f"{REFERENCE}/test_why_not.py",),
        ("a guard is that of the next name", "self.failing_guard(k + 1)", "self.failing_guard(k)"),
        ("few values are many", "if len(values) > FEW else ''}\"\n", "if len(values) >= FEW else ''}\"\n"),
    ),
    # ------------------------------------------------------------- checks
    *mutants_of(
        "interpreter/checks/visibility.py",
        (f"{CHECKS}/test_visibility.py", *CORPUS),
        (
            "what was told of all stays told",
            "for each in self.told_of_all if each[0] is not variable]",
            "for each in self.told_of_all]",
        ),
        ("what was told stays told", "if all(read.variable is not variable for read in reads(each[0]))]", "]"),
        ("told of one is told of all", "if all_of is variable)", ")"),
        (
            "a condition is no way into a value, nor is its else",
            "                yield from self.secrets(no, bound)\n",
            "",
        ),
        (
            "a name keeps what has changed",
            "                self.taint(slot, self.secrets(value))\n                del",
            "                del",
        ),
        (
            "a secret move has public arguments",
            "if rule.secret or (parameter is not None and",
            "if (parameter is not None and",
        ),
    ),
    *mutants_of(
        "interpreter/checks/nullness.py",
        CORPUS,
        (
            "what is certain is more than 1",
            'what == "probability" and value > 1:',
            'what == "probability" and value >= 1:',
        ),
        ("a negative number is a probability", "            if value < 0:\n", "            if value < -1:\n"),
    ),
    *mutants_of(
        "interpreter/checks/termination.py",
        (f"{CHECKS}/test_termination.py",),
        ("a count comes up to 0", "isinstance(number, int) and number >= 1", "isinstance(number, int) and number >= 0"),
        ("a half is a count", "isinstance(number, int) and number >= 1", "number >= 1"),
    ),
    *mutants_of(
        "interpreter/checks/claims.py",
        (f"{CHECKS}/test_proving.py",),
        (
            "a whole line is no part of it",
            "line.span.start <= finding.span.start and finding.span.end <= line.span.end",
            "line.span.start < finding.span.start and finding.span.end < line.span.end",
        ),
        (
            "lines about these parameters are about others",
            "for name, value in line.settings.items())",
            "for name, value in line.settings.items()) and not line.settings",
        ),
    ),
    *mutants_of(
        "interpreter/checks/game_facts.py",
        (f"{CHECKS}/test_game_facts.py",),
        (
            "another error will do",
            "if (error.code, error.finding.span) == (known.code, known.finding.span):",
            "if error.code == known.code:",
        ),
        ("the shortest play has two moves fewer", "range(len(known.play) - 1)", "range(len(known.play) - 2)"),
    ),
    *mutants_of(
        "interpreter/checks/measures.py",
        (f"{CHECKS}/test_proving.py", *CORPUS),
        (
            "either of two holds",
            "            yield from (negation(part) for part in parts)\n",
            "            yield from parts\n",
        ),
        ("names of other binders mean nothing", "if others.isdisjoint(slots(test)):", "if True:"),
    ),
    *mutants_of(
        "interpreter/checks/divisors.py",
        CORPUS,
        ("one of two fails", "model.Or(parts) if all(_fails", "model.Or(parts) if any(_fails"),
        ("a term is at the other end", "(factor > 0) == (ends[0] == 0)", "(factor > 0) != (ends[0] == 0)"),
        ("what is not 0 may be compared as if it were", '"!=": (less or more, same)', '"!=": (True, True)'),
        ("numbers that may be negative add up", "base.low > 0) or", "base.low >= 0) or"),
    ),
    *mutants_of(
        "interpreter/checks/nullness.py",
        CORPUS,
        (
            "a loop changes nothing",
            "                facts = self.without_changed(statement, facts)\n                places",
            "                places",
        ),
        ("only one of two branches was taken", "if len(rest) == 2 else []", "if rest else []"),
        ("stuck is too early for good", "                later.pop(statement.slot, None)\n", "                pass\n"),
        (
            "a name that gets a value twice has it from the second time on",
            "for each in reversed(phase.entry) if",
            "for each in phase.entry if",
        ),
    ),
    # ------------------------------------------------------------- model
    *mutants_of(
        "interpreter/model/cardinality.py",
        (f"{INTERPRETER}/model/test_model.py",),
        ("none is no value", "None if inner is None else inner + 1", "inner"),
        ("a set has one subset fewer", "else 1 << members", "else (1 << members) - 1"),
        ("the last size does not count", "range(least, min(most, size) + 1))", "range(least, min(most, size)))"),
        ("a range of one number is empty", "high is not None and low <= high", "high is not None and low < high"),
        (
            "both sets are never empty if one is not",
            "is_never_empty(yes, may_be_none) and is_never_empty(no, may_be_none)",
            "is_never_empty(yes, may_be_none) or is_never_empty(no, may_be_none)",
        ),
    ),
    # ------------------------------------------------------------- names and symmetries
    *mutants_of(
        "interpreter/symbols/index.py",
        (f"{SYMBOLS}/test_index.py",),
        ("right behind a name is nowhere", "for place in (offset, offset - 1):", "for place in (offset,):"),
        (
            "a name has a character more",
            "self._places[k].start <= place < self._places[k].end",
            "self._places[k].start <= place <= self._places[k].end",
        ),
    ),
    *mutants_of(
        "interpreter/symbols/index.py",
        (f"{SYMBOLS}/test_index.py",),
        (
            "names before are moved by the name itself",
            "for place in renamed if place.start < offset)",
            "for place in renamed if place.start <= offset)",
        ),
        (
            "findings that were there forbid a name",
            "Counter(finding.code for finding in there) - Counter(finding.code for finding in before)",
            "Counter(finding.code for finding in there)",
        ),
        ("other names may change their meaning", "    if _meanings(index", "    if False and _meanings(index"),
    ),
    *mutants_of(
        "interpreter/symbols/index.py",
        (f"{SYMBOLS}/test_index.py",),
        ("players count from 0", ".index(name) + 1} of", ".index(name)} of"),
        ("as many values as are listed are too many", "count > MOST_VALUES:", "count >= MOST_VALUES:"),
    ),
    *mutants_of(
        "interpreter/symmetries/equivariance.py",
        (f"{SYMMETRIES}/test_equivariance.py",),
        (
            "one cell that is moved as steps are is enough",
            "    return all(\n        relabelling.of(Direction(cell.x",
            "    return any(\n        relabelling.of(Direction(cell.x",
        ),
    ),
    *mutants_of(
        "interpreter/symmetries/group.py",
        (f"{SYMMETRIES}/test_group.py",),
        (
            "rings are turned, not mirrored",
            "for way, start in product((1, -1), range(size)):",
            "for way, start in product((1,), range(size)):",
        ),
        (
            "numbers are mirrored about 0",
            "{k: most + 1 - k for k in range(1, most + 1)}",
            "{k: most - k for k in range(1, most + 1)}",
        ),
        ("edges keep their names", "                    members[edge] = name\n", "                    pass\n"),
    ),
    *mutants_of(
        "interpreter/symmetries/group.py",
        (f"{SYMMETRIES}/test_group.py",),
        ("a group of half of the most is the largest", "if 2 * len(found) > MOST:", "if 2 * len(found) >= MOST:"),
        ("a group of the most is too large", "if len(larger) <= MOST:", "if len(larger) < MOST:"),
    ),
    *mutants_of(
        "interpreter/elaboration/trees.py",
        ("tests/interpreter/reference/test_machine.py",),
        (
            "conditions are tested before those that exclude their failing",
            "deepest = max(deepest, level)",
            "deepest = level",
        ),
    ),
    *mutants_of(
        "interpreter/symmetries/group.py",
        ("tests/interpreter/symmetries/test_equivariance.py",),
        (
            "outcomes may have different probabilities",
            "for expr in (rule.ensuring, rule.weight, rule.probability) if",
            "for expr in (rule.ensuring, rule.weight) if",
        ),
    ),
    *mutants_of(
        "grammar/parse.py",
        (f"{GRAMMAR}/test_parse.py",),
        (
            "what follows from a mistake ends with the next line that can be read",
            "            findings.found += reading.findings.found\n            complete = reading.complete\n",
            "            findings.found += reading.findings.found\n        complete = reading.complete\n",
        ),
    ),
    *mutants_of(
        "grammar/mutants.py",
        (f"{GRAMMAR}/test_mutants.py",),
        (
            "a definition is used by rules alone",
            "                waiting += [defines[name]] if name in defines else []\n",
            "",
        ),
    ),
    *mutants_of(
        "interpreter/evaluation/expressions.py",
        (f"{EVALUATION}/test_expressions.py",),
        (
            "a long set knows no time",
            "    walk = _with_checks_if_long(expr, walk)\n    element =",
            "    element =",
        ),
    ),
]
