"""Findings and errors: sources and spans, codes and their pages, findings and exceptions, suggested spellings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from attrs import define, field, frozen

from zermelo.foundation.records import ByValue, Displayed

# Text with a name, and the spans that point into it.


@frozen(repr=False)
class Span(Displayed):
    """A stretch of a source text.

    ``start`` and ``end`` are offsets in characters (``end`` is exclusive); ``line`` and ``column`` count from 1, and
    ``end_column`` is the column after the last character.
    """

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """The span from the beginning of this one to the end of ``other``."""
        return Span(self.start, other.end, self.line, self.column, other.end_line, other.end_column)

    def beginning(self, length: int) -> Span:
        """The first ``length`` characters, of one line."""
        return Span(self.start, self.start + length, self.line, self.column, self.line, self.column + length)


NOWHERE = Span(0, 0, 1, 1, 1, 1)
"""The span of nodes without a text: built-in names, and trees made by a program."""


@frozen(repr=False)
class Source(Displayed):
    """A text and its name in messages (a path, or ``<stdin>``)."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text without their line ends."""
        return tuple(line.removesuffix("\r") for line in self.text.split("\n"))

    def line(self, number: int) -> str:
        """Line ``number``, counted from 1; empty beyond the end of the text."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else ""

    def excerpt(self, span: Span) -> str:
        """The characters that ``span`` covers."""
        return self.text[span.start : span.end]


# The registry of finding codes.
#
# A code is a short name for what is wrong. ``zermelo explain CODE`` prints its page, ``grammar/explanations/CODE.md``,
# with a wrong and a right example. Tests run both.


class Severity(Enum):
    ERROR = "error"
    WARNING = "warning"


class Stage(Enum):
    """When a code can come up, which also decides how its example is run."""

    CHECK = "check"  # found by reading the file
    PLAY = "play"  # found while the game is played
    POSITIONS = "positions"  # found by searching the positions (check --deep)
    REQUEST = "request"  # about a request to a sound game, or the command line


@frozen(eq=False, repr=False)
class Code(ByValue):
    name: str
    title: str
    severity: Severity = Severity.ERROR
    stage: Stage = Stage.CHECK


def _registry(*codes: Code) -> dict[str, Code]:
    return {code.name: code for code in codes}


WARNING = Severity.WARNING
PLAY, POSITIONS, REQUEST = Stage.PLAY, Stage.POSITIONS, Stage.REQUEST

CODES: dict[str, Code] = _registry(
    # reading
    Code("unreadable-file", "the file cannot be read", stage=REQUEST),
    Code("unwritable-file", "the file cannot be written", stage=REQUEST),
    Code("empty-file", "the file holds no game"),
    Code("binary-file", "the file is not text"),
    Code("not-utf8", "the text is not UTF-8"),
    Code("file-too-large", "the file is too large"),
    Code("nested-too-deep", "the text is nested too deeply"),
    Code("other-format", "the file is a game in another program's format"),
    Code("foreign-syntax", "the file does not fit the format that its first line names", stage=REQUEST),
    Code("imperfect-recall", "an information set joins what its player can tell apart", stage=REQUEST),
    Code("renamed-label", "a label of another format reads differently", WARNING, REQUEST),
    Code("moved-payoff", "payoffs of another format are moved to the ends of plays", WARNING, REQUEST),
    Code("dropped-part", "another format has no place for something", WARNING, REQUEST),
    Code("truncated-number", "another format has no fractions", WARNING, REQUEST),
    Code("too-large-to-convert", "a tree has too many nodes to be written", stage=REQUEST),
    Code("unknown-language", "the file is written in a language that is not known"),
    Code("changed-meaning", "something had another meaning in the language of the file"),
    # layout and syntax
    Code("tab", "a tab instead of spaces"),
    Code("indentation", "a line is indented like no open block"),
    Code("never-closed", "a bracket is opened and never closed"),
    Code("unmatched-bracket", "a bracket closes nothing"),
    Code("missing-colon", "a line that opens a block does not end with a colon"),
    Code("empty-block", "a colon opens an empty block"),
    Code("unterminated-text", "a quoted text is not closed on its line"),
    Code("unknown-character", "a character that means nothing here"),
    Code("syntax", "the text does not fit the grammar"),
    Code("misspelled-keyword", "a keyword is misspelled"),
    Code("foreign-word", "a word or sign of another language"),
    Code("equals-sign", "=, == and := are confused"),
    Code("chained-comparison", "two comparisons in a chain"),
    Code("ambiguous-comparison", "a comparison runs into a quantifier on its right"),
    Code("reserved-name", "a word of the language is used as a name"),
    # names
    Code("undefined-name", "a name that is declared nowhere"),
    Code("duplicate-name", "a name is declared twice"),
    Code("shadowed-name", "a name hides another one", WARNING),
    Code("unused-name", "a name is declared and never used", WARNING),
    Code("look-alike-name", "a name looks like another one, or mixes alphabets", WARNING),
    Code("ambiguous-name", "a name belongs to several types"),
    Code("wrong-kind-of-name", "a name of one kind is used as another"),
    Code("wrong-number-of-arguments", "too many or too few arguments"),
    Code("missing-declaration", "a declaration that every game needs is missing"),
    # types
    Code("type-mismatch", "a value has another type than the one needed"),
    Code("missing-value", "a local variable has no initial value"),
    Code("unbounded-type", "a variable has no finite set of values"),
    Code("possible-none", "a value that can be none is used as if it could not"),
    Code("off-board-or-empty", "'is none' cannot tell an empty place from no place", WARNING),
    Code("out-of-range", "a constant lies outside its range"),
    Code("division-by-zero", "a division by zero"),
    Code("possible-zero", "a divisor can be 0", WARNING),
    Code("number-too-large", "a number has too many digits"),
    Code("recursive-definition", "a define or action uses itself"),
    Code("not-constant", "an expression must be constant here"),
    Code("not-exhaustive", "a match or a measure leaves cases open"),
    Code("empty-domain", "a range or a domain is always empty"),
    Code("equal-members", "a sum or count runs over a set whose members may be equal", WARNING),
    # parameters
    Code("parameter-out-of-range", "a parameter lies outside its range"),
    Code("requirement-not-met", "a require does not hold"),
    Code("unknown-parameter", "the game has no such parameter", stage=REQUEST),
    # estimates
    Code("missing-weight", "a feature of a weighted sum has no weight"),
    Code("unknown-weight", "the game has no such weight", stage=REQUEST),
    Code("weight-not-a-number", "a weight is not a number", stage=REQUEST),
    # phases
    Code("unreachable-phase", "no path leads to a phase", WARNING),
    Code("missing-go", "a path ends with neither go nor end"),
    Code("unreachable-statement", "a statement after go or end"),
    Code("phase-without-exit", "a phase can never be left"),
    Code("go-cycle", "phases follow each other forever without a decision"),
    Code("stuck-too-early", "'stuck' is used before a name of the decision has its value"),
    # payoffs
    Code("missing-payoff", "a player gets no payoff"),
    Code("doubled-payoff", "a player gets two payoffs"),
    Code("wrong-payoff-length", "a payoff tuple is too long or too short"),
    Code("lone-payoff", "one payoff stands where others give two that do not sum to zero", WARNING),
    # chance
    Code("probabilities-not-one", "the probabilities do not sum to exactly 1"),
    Code("negative-probability", "a probability or weight is negative"),
    Code("zero-probability", "an outcome can never be drawn"),
    # trees and tables
    Code("label-mismatch", "nodes of one label differ in player or moves"),
    Code("forgetful-label", "a label joins nodes that their player can tell apart"),
    Code("missing-cell", "a table lacks a cell"),
    Code("doubled-cell", "a table has a cell, row or column twice"),
    Code("layout-shape", "a layout does not fit its variable"),
    # information
    Code("guard-reads-hidden", "a guard may read what its player cannot see", WARNING),
    Code("betrays-hidden", "something public betrays something hidden", WARNING),
    # claims
    Code("false-claim", "the game is not what the file claims", WARNING),
    # at play
    Code("assigned-out-of-range", "a variable is assigned a value outside its type", stage=PLAY),
    Code("unset-variable", "a variable is read before it is assigned", stage=PLAY),
    Code("none-value", "none where a value is needed", stage=PLAY),
    Code("index-out-of-range", "a variable has no entry at an index", stage=PLAY),
    Code("deadlock", "a decision offers no move, and there is no otherwise", stage=PLAY),
    Code("conflicting-payoffs", "one player is given two different payoffs", stage=PLAY),
    Code("no-payoff", "a player is given no payoff at the end", stage=PLAY),
    Code("endless-go", "phases follow each other without a decision", stage=PLAY),
    Code("bad-probabilities", "the probabilities of a chance decision do not sum to 1", stage=PLAY),
    Code("negative-weight", "a weight or probability comes out negative", stage=PLAY),
    Code("zero-divisor", "a division by zero while playing", stage=PLAY),
    Code("too-many-moves", "a decision has too many moves to list", stage=PLAY),
    Code("moves-differ", "one information set holds positions with different moves", stage=PLAY),
    # in all positions together
    Code("idle-player", "a player never moves", WARNING, POSITIONS),
    Code("no-choice", "a player never has a choice", WARNING, POSITIONS),
    Code("endless-play", "a play can go on for ever, and the rules do not say what it pays", WARNING, POSITIONS),
    Code("nothing-at-stake", "every play pays the same", WARNING, POSITIONS),
    Code("won-at-once", "the first player wins within two moves", WARNING, POSITIONS),
    Code("never-offered", "a move or outcome is never offered", WARNING, POSITIONS),
    Code("never-reached", "no play comes to a part of the rules", WARNING, POSITIONS),
    Code("idle-condition", "a condition always holds", WARNING, POSITIONS),
    Code("unused-value", "a variable never has a value of its type", WARNING, POSITIONS),
    Code("same-effect", "two moves have the same effect wherever both are offered", WARNING, POSITIONS),
    Code("idle-preferring", "a 'preferring' never leaves out a move", WARNING, POSITIONS),
    Code("secret-worked-out", "a player can always work out what is hidden from them", WARNING, POSITIONS),
    Code("secret-told", "a public variable tells what is hidden", WARNING, POSITIONS),
    Code("unnoticed-variable", "nobody can ever notice a hidden variable", WARNING, POSITIONS),
    Code("false-witness", "a 'reachable' or 'never' does not hold", stage=POSITIONS),
    # requests
    Code("unknown-game", "no such game", stage=REQUEST),
    Code("unknown-code", "no such finding code", stage=REQUEST),
    Code("unknown-player", "the game has no such player", stage=REQUEST),
    Code("bad-usage", "the command line cannot be understood", stage=REQUEST),
    Code("illegal-move", "a move that the rules do not allow here", stage=REQUEST),
    Code("game-over", "the play has ended", stage=REQUEST),
    Code("machine-unavailable", "this machine cannot run the game", stage=REQUEST),
    Code("library-missing", "a library that an extra installs is missing", stage=REQUEST),
    Code("broken-installation", "a library that Zermelo needs is missing or does not work", stage=REQUEST),
    Code("too-many-outcomes", "a chance decision has too many outcomes to list", stage=REQUEST),
    Code("unknown-solver", "no such solver", stage=REQUEST),
    Code("solver-not-loaded", "a solver of another package cannot be loaded", stage=REQUEST),
    Code("solver-failed", "a solver of another package fails", stage=REQUEST),
    Code("no-solver", "no solver fits this game", stage=REQUEST),
    Code("no-value", "the position has no value of its own", stage=REQUEST),
    Code("never-perceived", "the strategies of the others never lead to what a player has perceived", stage=REQUEST),
    Code("no-policy", "the solver does not say what to do in every position", stage=REQUEST),
    Code("bad-strategy", "a file of strategies does not fit the game", stage=REQUEST),
    Code("too-many-strategies", "a player has too many pure strategies to try them all", stage=REQUEST),
    Code("needs-one-player", "the solver is for one player", stage=REQUEST),
    Code("needs-two-players", "the solver is for two players", stage=REQUEST),
    Code("needs-several-opponents", "the solver is for three or more players", stage=REQUEST),
    Code("needs-constant-sum", "the solver is for games of constant sum", stage=REQUEST),
    Code("needs-common-payoff", "the solver is for games in which all players get the same", stage=REQUEST),
    Code("needs-no-chance", "the solver is for games without chance", stage=REQUEST),
    Code("needs-perfect-information", "the solver is for games of perfect information", stage=REQUEST),
    Code("needs-imperfect-information", "the solver is for games in which something is hidden", stage=REQUEST),
    Code("needs-public", "the solver is for games without lasting secrets", stage=REQUEST),
    Code("needs-passes", "the solver needs to let a player pass", stage=REQUEST),
    Code("needs-end", "the game may never end", stage=REQUEST),
    Code("needs-endless", "the rules do not say what an endless play pays", stage=REQUEST),
    Code("earns-for-ever", "what an endless play earns need not have a limit", stage=REQUEST),
    Code("needs-one-number", "plays go round, and the players want different things", stage=REQUEST),
    Code("needs-bounds", "bounds are needed that the rules do not give", stage=REQUEST),
    Code("needs-estimate", "a search that is cut off needs an estimate", stage=REQUEST),
    Code("no-features", "learning needs features whose weights are learnt", stage=REQUEST),
    Code("bad-weights", "a file of weights cannot be used", stage=REQUEST),
    Code("searches-to-the-end", "the solver cannot stop at a depth", stage=REQUEST),
    Code("does-not-look-up", "the solver does not look positions up in a table", stage=REQUEST),
    Code("does-not-sample", "the solver does not sample plays", stage=REQUEST),
    Code("cannot-be-traced", "the solver does not record its search", stage=REQUEST),
    Code("does-not-iterate", "the solver does not iterate", stage=REQUEST),
    Code("bad-checkpoint", "a checkpoint cannot be used", stage=REQUEST),
    Code("other-sweep", "a file of rows is of another game or other options", stage=REQUEST),
    Code("no-table", "a game whose positions cannot be kept in a table", stage=REQUEST),
    Code("damaged-table", "a table of positions is damaged", stage=REQUEST),
    Code("unfinished-table", "there is an unfinished table of positions", stage=REQUEST),
    Code("cluster-failed", "a cluster of computers cannot be used", stage=REQUEST),
    Code("other-table", "a table of positions is of another game or version", stage=REQUEST),
    Code("estimated-table", "an opening book has values that are not exact", stage=REQUEST),
    Code("not-in-table", "a position that a table does not have", stage=REQUEST),
    Code("trace-too-large", "the search has too many nodes for a trace", stage=REQUEST),
    Code("out-of-time", "the time limit was reached", stage=REQUEST),
    Code("out-of-nodes", "the node limit was reached", stage=REQUEST),
    Code("out-of-memory", "the memory limit was reached", stage=REQUEST),
    Code("values-disagree", "a second solver found another value", stage=REQUEST),
    Code("internal-error", "a fault in this program", stage=REQUEST),
)


# Findings: what is wrong with a file, as data.
#
# Every stage from the reader to the solvers reports through :class:`Finding`; only a renderer (``zermelo/report``)
# turns one into text for a person. The codes, their severities and their titles are above.


@frozen(eq=False, repr=False)
class Label(ByValue):
    """A span with a remark, shown under the line it points at (``declared here``)."""

    span: Span
    text: str = ""


@frozen(eq=False, repr=False)
class Fix(ByValue):
    """An edit that would mend the mistake: replace ``span`` by ``replacement``. A ``safe`` one may be made without
    asking, since there is no doubt about what was meant."""

    span: Span
    replacement: str
    title: str = ""
    safe: bool = False


@frozen(eq=False, repr=False)
class Finding(ByValue):
    """One error or suspicious construct in one file.

    ``message`` is a sentence in the user's words without a full stop; ``span`` is where it is shown, with ``remark``
    beside the carets; ``labels`` are further places that explain it; ``help`` says what to do.
    """

    code: str
    message: str
    source: Source
    span: Span
    remark: str = ""
    labels: tuple[Label, ...] = ()
    help: str = ""
    fix: Fix | None = None

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity


@define(eq=False, repr=False)
class Findings:
    """The findings of one run over one source.

    Passes go on past the first error: a pass that has reported one returns what it still can, and a later pass does not
    report the same place again.
    """

    source: Source
    found: list[Finding] = field(factory=list)
    _places: set[tuple[str, Span]] = field(factory=set)  # codes and spans of the findings
    _counted: int = 0  # how many of ``found`` are in ``_places``

    def report(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        remark: str = "",
        labels: Iterable[Label] = (),
        help: str = "",
        fix: Fix | None = None,
    ) -> None:
        """Add a finding, unless the same code has been reported for the same span already."""
        if code not in CODES:
            raise KeyError(f"no such finding code: {code}")
        if self._counted != len(self.found):  # others have added or removed some
            self._places = {(known.code, known.span) for known in self.found}
        if (code, span) not in self._places:
            self._places.add((code, span))
            self.found.append(Finding(code, message, self.source, span, remark, tuple(labels), help, fix))
        self._counted = len(self.found)

    @property
    def errors(self) -> tuple[Finding, ...]:
        return tuple(finding for finding in self if finding.severity is Severity.ERROR)

    def __iter__(self) -> Iterator[Finding]:
        """All findings in the order of the text."""
        return iter(sorted(self.found, key=lambda finding: (finding.span.start, finding.span.end)))

    def __len__(self) -> int:
        return len(self.found)


class ZermeloError(Exception):
    """An error with a code of the registry and a message for the user; the base of all exceptions of this project.

    ``zermelo explain CODE`` prints what the code means. A pickle has all that the error has. The ``help`` is also a
    note (PEP 678), which Python and notebooks show below the message of an exception that nobody catches.
    """

    code: str

    def __init__(self, code: str, message: str, help: str = "") -> None:
        if code not in CODES:
            raise KeyError(f"no such finding code: {code}")
        super().__init__(message)
        self.code = code
        self.message = message
        self._help = ""
        self.help = help

    @property
    def help(self) -> str:
        """What to do about it."""
        return self._help

    @help.setter
    def help(self, help: str) -> None:
        if self._help:
            self.__notes__.remove(_note(self._help))
        if help:
            self.add_note(_note(help))
        self._help = help

    def __reduce__(self) -> tuple[Any, ...]:
        return _raised_elsewhere, (type(self), self.args, self.__dict__)


def _note(help: str) -> str:
    """The help as it stands below a message."""
    return f"  = help: {help}"


def _raised_elsewhere(kind: type[ZermeloError], arguments: tuple[Any, ...], held: dict[str, Any]) -> ZermeloError:
    """The error that has been pickled, whatever its kind is made of."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(held)
    return error


class InvalidGame(ZermeloError):
    """A file with at least one error. ``findings`` holds all findings."""

    def __init__(self, findings: Findings) -> None:
        first = (findings.errors or tuple(findings))[0]
        more = len(findings.errors) - 1
        tail = f" (and {more} more)" if more > 0 else ""
        super().__init__(first.code, f"{first.source.name}:{first.span.line}: {first.message}{tail}", first.help)
        self.findings = findings


# A mistake that ends the reading of one declaration, on its way to becoming a finding.


@define(eq=False, repr=False)
class Mistake(Exception):
    """The arguments of :meth:`Findings.report`, raised where the reading cannot go on."""

    code: str
    span: Span
    message: str
    remark: str = ""
    labels: tuple[Label, ...] = ()
    help: str = ""
    fix: Fix | None = None

    def report(self, findings: Findings) -> None:
        findings.report(
            self.code,
            self.span,
            self.message,
            remark=self.remark,
            labels=self.labels,
            help=self.help,
            fix=self.fix,
        )


# The page of a finding code: its meaning, with a wrong and a right example.
#
# The pages are ``grammar/explanations/CODE.md``. A page is a title line, some paragraphs, and the sections ``Wrong``
# and ``Right``, each with one or more fenced blocks. The first line of a block names its kind:
#
# ===========  ===============================================================================================
# ``game``     a whole ``.game`` file
# ``console``  a command line behind ``$``; ``example.game`` in it is the page's ``game`` block, or any sound game
# ``efg``      a file of Gambit, which is ``example.efg`` in the command lines behind it
# ``python``   an expression whose value is the text, or the bytes, of a file that cannot well be printed
# ===========  ===============================================================================================


_PAGES = Path(__file__).parent / "explanations"
_BLOCK: Final = r"(?ms)^```(\w+)\n(.*?)^```$"


@frozen(eq=False, repr=False)
class Example(ByValue):
    """One fenced block of a page; ``text`` ends with a line end."""

    kind: str
    text: str


@frozen(eq=False, repr=False)
class Explanation(ByValue):
    """The parts of a page; ``page`` is the whole text, in Markdown."""

    code: str
    title: str
    text: str
    wrong: tuple[Example, ...]
    right: tuple[Example, ...]
    page: str


def explanation(code: str) -> Explanation:
    """The page of ``code``; raises ``ZermeloError`` (``unknown-code``)."""
    if code not in CODES:
        near = nearest(code, CODES)
        raise ZermeloError(
            "unknown-code",
            f"there is no finding code '{code}'",
            help=f"did you mean '{near}'?" if near else "`zermelo explain` lists all codes",
        )
    page = (_PAGES / f"{code}.md").read_text(encoding="utf-8")
    head, rest = page.split("\n## Wrong\n")
    wrong, right = rest.split("\n## Right\n")
    title, text = head.split("\n", 1)
    return Explanation(code, title.removeprefix("# "), text.strip(), _examples(wrong), _examples(right), page)


def _examples(section: str) -> tuple[Example, ...]:
    return tuple(Example(kind, text) for kind, text in re.findall(_BLOCK, section))


# Did you mean ...: the known name nearest to an unknown one.


_LONGEST = 60
"""The longest names, in characters, that are compared: the work grows with the square of the length."""


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that differs from ``name`` by the fewest slips, regardless of case (the first such one); None if it
    takes more than one slip for every three letters of the longer name, too many for a misspelling."""
    best: str | None = None
    fewest = 0
    for candidate in candidates:
        longer = max(len(name), len(candidate))
        allowed = longer // 3
        if longer > _LONGEST or abs(len(name) - len(candidate)) > allowed:
            continue
        slips = slips_between(name.lower(), candidate.lower())
        if slips <= allowed and (best is None or slips < fewest):
            best, fewest = candidate, slips
    return best


def slips_between(written: str, meant: str) -> int:
    """The fewest slips that make one word of the other: a letter left out, put in, or replaced, or two neighbours
    swapped (the restricted Damerau-Levenshtein distance)."""
    before: list[int] = []
    above = list(range(len(meant) + 1))
    for i, letter in enumerate(written, 1):
        row = [i]
        for j, other in enumerate(meant, 1):
            slips = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == meant[j - 2] and written[i - 2] == other:
                slips = min(slips, before[j - 2] + 1)
            row.append(slips)
        before, above = above, row
    return above[-1]


def did_you_mean(name: str, candidates: Iterable[str], span: Span) -> tuple[str, Fix | None]:
    """A remark and a fix for a misspelled name; empty without a similar candidate."""
    from zermelo.grammar.names import shape  # which only an unknown name needs

    candidates = tuple(candidates)
    looks = shape(name)
    twin = next((candidate for candidate in candidates if candidate != name and shape(candidate) == looks), None)
    match = twin or nearest(name, candidates)
    if match is None:
        return "", None
    remark = f"did you mean '{match}'?" if twin is None else f"'{twin}' looks the same, in letters of another alphabet"
    return remark, Fix(span, match, f"write '{match}'")


def require_known(names: Iterable[str], known: Sequence[str], kind: str, without: str) -> None:
    """Raise ``ZermeloError`` (``unknown-parameter``, ``unknown-weight``) for the first name of this kind that a game
    does not have; ``without`` is the help if it has none at all."""
    for name in names:
        if name not in known:
            match = nearest(name, known)
            raise ZermeloError(
                f"unknown-{kind}",
                f"the game has no {kind} '{name}'" + (f"; did you mean '{match}'?" if match else ""),
                f"its {kind}s are {', '.join(known)}" if known else without,
            )
