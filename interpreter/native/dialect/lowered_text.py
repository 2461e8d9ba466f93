"""The text that lowering writes: tables and functions, names free of collisions, limits on nesting, and refusals."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from attrs import define, field

from zermelo.grammar.diagnostics import NOWHERE, Span
from zermelo.interpreter import model
from zermelo.interpreter.model import Expr
from zermelo.interpreter.native.dialect.language import NotDialect, parse_module

# The names of lowered text, free of collisions.
#
# ======================  =========================================================================================
# fixed names             known to machines, kernels and the text itself: the words of the dialect and of Python,
#                         :data:`CONSTANTS`, :data:`FUNCTIONS`, and the parameters and names of functions spelled out in
#                         the lowering, in one of its ``algorithms`` or in a kernel
# names of a family       one for each phase, rule, ...: a stem of :data:`FAMILIES`, an underscore, numbers
# fresh names             all others: functions lifted out of expressions, helpers, tables, locals. A stem, two
#                         underscores, and a number unique in the text
# ======================  =========================================================================================
#
# Only stems of fresh names come from a ``.game`` file, whose author is free in choosing them. Whatever the stem, the
# digits after the last two underscores of a fresh name are its number. So it differs from every other fresh name, and
# from all other names, none of which ends in two underscores and digits.


CONSTANTS: Final = frozenset(
    {"CONTEXT", "STATE", "KEY", "PLAYERS", "MOVES", "LISTED", "WORDS", "TERMS", "MOMENT", "PAST", "LONGEST", "WORTH"}
)

FUNCTIONS: Final = frozenset({
    "set_up", "begin", "actor", "moves", "steps", "outcomes", "effects", "apply", "hurry", "settle",
    "settle_behind", "arrive", "leave",
    "payoff", "ended", "earned", "afresh", "is_within_round", "pack", "unpack", "passed", "sample", "drawn",
    "drawn_large", "remember", "moments", "is_same_past", "recorded", "take_reads", "add_reads", "may_read",
    "moved", "observed", "perceive", "perceived", "estimate", "features", "unsettled", "order_key",
    "witnessed", "least_image", "renamed_player", "untried", "first_untried", "left_untried",
})  # fmt: skip
"""The functions that a text has at most once, under these names."""

FAMILIES: Final = frozenset({
    "entry", "recall", "actor", "offers", "offered", "moves", "steps", "kept", "any_kept", "proof", "outcomes",
    "otherwise", "then", "sample", "draw", "untried",  # of a phase
    "body",  # of a rule
    "audience",  # of a variable
    "rank", "ranked",  # of a kind of sets
})  # fmt: skip

_FOREIGN: Final = r"[^\x00-\x7f]"
_FRESH: Final = re.compile(r".*__\d+", re.ASCII)
_OF_FAMILY: Final = re.compile(rf"(?:{'|'.join(sorted(FAMILIES))})(?:_\d+)+", re.ASCII)


def fresh(stem: str, number: int) -> str:
    """The fresh name with this number. Letters beyond ASCII become ``_``, since Python compares names in normal form
    KC, in which different ones may be equal."""
    return f"{re.sub(_FOREIGN, '_', stem)}__{number}"


def is_fresh(name: str) -> bool:
    """Whether a name has the form of fresh ones."""
    return _FRESH.fullmatch(name) is not None


def is_taken(name: str) -> bool:
    """Whether a name is reserved for the rules of games, so that no kernel may define it."""
    return name in CONSTANTS or is_fixed(name) or is_fresh(name)


def is_fixed(name: str) -> bool:
    """Whether this may be the fixed name of a function."""
    return name in FUNCTIONS or _OF_FAMILY.fullmatch(name) is not None


# Refusals of constructs that the lowering does not cover.


_WORDS: Final[dict[type[Expr], str]] = {
    model.Const: "a constant",
    model.Local: "a local name",
    model.Read: "a variable",
    model.Call: "a define",
    model.Let: "'where'",
    model.If: "'if'",
    model.Apply: "a built-in function",
    model.Lookup: "a table in braces",
    model.Chosen: "what a player chose",
    model.MakeSet: "a set in braces",
    model.SetOperation: "an operation on sets",
    model.RangeSet: "a range",
    model.Comprehension: "a comprehension",
    model.Quantified: "a quantifier",
    model.Reach: "'reach'",
    model.Subsets: "'subsets'",
}


class Unsupported(Exception):
    """The lowering does not cover this construct; the game runs on the reference machine.

    ``construct`` names it in the words of the language where these exist; ``span`` is its place, None if it has no
    single one.
    """

    def __init__(self, construct: str, span: Span | None = None) -> None:
        super().__init__(f"the native machine does not cover {construct}")
        self.construct = construct
        self.span = span

    def locate(self, span: Span) -> None:
        """Note its place, unless a more precise one is known."""
        if self.span is None and span != NOWHERE:
            self.span = span


class Beyond(Unsupported):
    """No value of this expression fits into a machine word: it becomes a fault, as do expressions that need it."""


def describe_expression(expr: Expr) -> str:
    """The name of an expression in a refusal."""
    return _WORDS.get(type(expr), "an expression of this kind")


# Limits on the nesting of lowered text, and how it is kept flat.
#
# Readers of the text recurse along it, and Python has limits of its own:
#
# =======================  ==========================  =======================================================
# limit                    in Python                   here
# =======================  ==========================  =======================================================
# nested blocks            99 levels of indentation    :data:`MOST_BLOCKS`; a level takes up to 3 frames of ``emit``
# nested loops             20 in a function            :data:`MOST_LOOPS`
# parts of an expression   200 brackets; 1000 frames   :data:`MOST_PARTS`; a level takes up to 6 frames of ``emit``
# the lowering itself      1000 frames                 :data:`MOST_LOWERED`; a level takes up to 8 frames
# =======================  ==========================  =======================================================
#
# So every reader needs at most some 600 of Python's 1000 frames. The lowering flattens deep rules: chains of ``else
# if`` become sequences of tests (:mod:`zermelo.interpreter.native.rules.statements`), blocks and parts of expressions
# at too deep a level are lifted into functions of their own, and long sums and unions are grouped by halves. Rules that
# still exceed the limits are refused (:class:`Unsupported`).


MOST_BLOCKS: Final = 60
MOST_LOOPS: Final = 16
MOST_PARTS: Final = 80
MOST_LOWERED: Final = 100

DEEP_BLOCKS: Final = 24
"""From this depth on blocks are lifted, which leaves the blocks of a single statement room up to
:data:`MOST_BLOCKS`."""

DEEP_LOOPS: Final = 6

DEEP_PARTS: Final = 40
"""Deeper expressions are lifted; in the bundled games the depth is up to 35."""

LONG_BODY: Final = 400
"""After so many lines blocks are lifted, too: LLVM's time per function grows faster than its length."""

LONG_CHAIN: Final = 8
"""With more cases, a chain of ``else if`` is not lowered to nested blocks."""

LONG_CHOICE: Final = 24
"""The same for expressions, each of whose cases takes one level only."""

_LONGEST_OPERAND_LIST: Final = 16

_TOKEN: Final = r"[(\[]|[)\]]|,|\b(?:and|or)\b|\b(?:if|not)\b|(?<=\s)[^\w\s()\[\],]+(?=\s)"


def is_deep(text: str, most: int) -> bool:
    """Whether an expression of the dialect may be nested more than ``most`` deep. A level takes two characters at
    least, so short texts are not inspected."""
    return len(text) > 2 * most and _depth(text) > most


def _depth(text: str) -> int:
    """A bound on the depth of an expression. Each bracket counts, and so do all adjacent operators within one, since
    they may group to the left. Operands of ``and`` and ``or``, and parts separated by commas, are on one level."""
    levels = [_Level()]
    for token in re.findall(_TOKEN, text):
        if token in "([":
            levels.append(_Level())
        elif token in ")]":
            depth = levels.pop().depth() + 1
            levels[-1].deepest = max(levels[-1].deepest, depth)
        elif token in (",", "and", "or"):
            levels[-1].next_part()
        elif token == "if":
            levels[-1].choices += 1
        else:
            levels[-1].operators += 1
    return levels[0].depth()


class _Level:
    """The content of a bracket: the number of choices, the operators and inner depth of the current part, and the
    deepest part so far."""

    def __init__(self) -> None:
        self.choices = self.operators = self.deepest = self.before = 0

    def next_part(self) -> None:
        self.before = max(self.before, self.operators + self.deepest)
        self.operators = self.deepest = 0

    def depth(self) -> int:
        self.next_part()
        return self.choices + 1 + self.before


def require_flat(line: str) -> None:
    """Refuse a line whose expression is nested too deep. Raises Unsupported."""
    if is_deep(line, MOST_PARTS):
        raise Unsupported(f"an expression more than {MOST_PARTS} parts deep")


def require_room(blocks: int, loops: int) -> None:
    """Refuse a block nested in so many blocks and loops, itself and the function's own counted. Raises Unsupported."""
    if loops > MOST_LOOPS:
        raise Unsupported(f"more than {MOST_LOOPS} nested loops")
    if blocks > MOST_BLOCKS:
        raise Unsupported(f"more than {MOST_BLOCKS} nested blocks")


def require_shallow(depth: int) -> None:
    """Refuse rules with expressions and blocks nested to this depth, those of defines counted. Raises Unsupported."""
    if depth > MOST_LOWERED:
        raise Unsupported(f"rules more than {MOST_LOWERED} parts deep, their defines counted")


def combine_halves(texts: Sequence[str], combine: Callable[[str, str], str]) -> str:
    """Texts combined in order by an associative operation, grouped by halves."""
    if len(texts) == 1:
        return texts[0]
    middle = len(texts) // 2
    return combine(combine_halves(texts[:middle], combine), combine_halves(texts[middle:], combine))


def join_operands(operator: str, texts: Sequence[str]) -> str:
    """Texts joined by an associative operator; many are grouped by halves."""
    if len(texts) <= _LONGEST_OPERAND_LIST:
        return f" {operator} ".join(texts)
    middle = len(texts) // 2
    return f"({join_operands(operator, texts[:middle])}) {operator} ({join_operands(operator, texts[middle:])})"


# Writing a text of the kernel dialect: tables and functions, under fresh names.
#
# A function lifted out of an expression takes the local names that it mentions as parameters of the same names, so that
# texts can be moved into it unchanged.


_NAME: Final = r"[A-Za-z_]\w*"


@define(eq=False, repr=False)
class Body:
    """The statements of a function in the making, nested in ``depth`` blocks, the function's own counted, ``loops`` of
    which are loops."""

    lines: list[str] = field(factory=list)
    own: set[str] = field(factory=set)
    depth: int = 1
    loops: int = 0

    def line(self, text: str) -> None:
        require_flat(text)
        self.lines.append("    " * self.depth + text)

    def beside(self) -> Body:
        """An empty body at the same depth, for statements to be inserted here later by :meth:`insert`."""
        return Body(depth=self.depth, loops=self.loops)

    def insert(self, other: Body) -> None:
        """Insert the statements of a body that was made by :meth:`beside`."""
        self.lines += other.lines
        self.own |= other.own

    def return_if(self, condition: str, result: str | int) -> None:
        """Return a result if a condition holds."""
        with self.block(f"if {condition}"):
            self.line(f"return {result}")

    def fail_if(self, condition: str, site: str, result: str | int) -> None:
        """Note a fault at a site, if it is the first, and return a result, if a condition holds."""
        with self.block(f"if {condition}"):
            with self.block("if C[0] == 0"):
                self.line(f"C[0] = {site}")
            self.line(f"return {result}")

    def break_if(self, condition: str) -> None:
        """Leave the innermost loop if a condition holds."""
        with self.block(f"if {condition}"):
            self.line("break")

    def write(self, array: str, first: str | int, values: Iterable[str | int]) -> None:
        """Write values to consecutive entries of an array."""
        for k, value in enumerate(values):
            at = first + k if isinstance(first, int) else f"{first} + {k}" if k else first
            self.line(f"{array}[{at}] = {value}")

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """The statements under ``head:``."""
        is_loop = head.startswith(("for ", "while "))
        self.line(f"{head}:")
        self.depth += 1
        self.loops += is_loop
        require_room(self.depth, self.loops)
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1
        self.loops -= is_loop

    def choose(self, subject: str, cases: Sequence[tuple[int, Callable[[], None]]]) -> None:
        """A case for each of some ascending values of ``subject``, a name. Comparisons bisect the cases: few of them
        run, and Python's compiler, which recurses along ``elif``, stays shallow."""
        if len(cases) == 1:
            number, write = cases[0]
            with self.block(f"if {subject} == {number}"):
                write()
        elif cases:
            middle = len(cases) // 2
            with self.block(f"if {subject} < {cases[middle][0]}"):
                self.choose(subject, cases[:middle])
            with self.block("else"):
                self.choose(subject, cases[middle:])


@define(eq=False, repr=False)
class Text:
    """A module in the making. ``sites`` are the sites of possible faults in the rules, numbered from 1; ``constants``
    are numbers, or tables with a fixed name; ``parts`` maps the divisors of the payoffs' common denominator that
    :meth:`over` has been asked for to the names of the quotients; ``instances`` are the algorithms inserted by
    :mod:`zermelo.interpreter.native.dialect.kernel_source`, with the names of their functions."""

    kinds: dict[str, str] = field(factory=dict)
    constants: dict[str, int | tuple[int, ...]] = field(factory=dict)
    parts: dict[int, str] = field(factory=dict)
    tables: dict[tuple[str, tuple[int, ...]], str] = field(factory=dict)
    functions: dict[str, str] = field(factory=dict)
    sites: list[tuple[str, Span]] = field(factory=list)
    instances: dict[Hashable, Mapping[str, str]] = field(factory=dict)
    _known: dict[tuple[str, str, str, tuple[bool, ...]], str] = field(factory=dict)
    _count: int = 0

    def unused(self, stem: str) -> str:
        """A fresh name."""
        self._count += 1
        return fresh(stem, self._count)

    def fresh(self, stem: str, kind: str = "int") -> str:
        """A fresh local name of this kind."""
        name = self.unused(stem)
        self.kinds[name] = kind
        return name

    def local(self, body: Body, stem: str, kind: str = "int") -> str:
        """A fresh name that ``body`` itself assigns."""
        name = self.fresh(stem, kind)
        body.own.add(name)
        return name

    def let(self, body: Body, stem: str, value: str | int, kind: str = "int") -> str:
        """A fresh name, to which ``body`` gives a number here."""
        name = self.local(body, stem, kind)
        body.line(f"{name}: {kind} = {value}")
        return name

    def array(self, body: Body, stem: str, size: int, kind: str = "ints") -> str:
        """A fresh name, to which ``body`` gives an array of ``ints`` or ``masks`` here."""
        name = self.local(body, stem, f"{kind}[{size}]")
        body.line(f"{name} = {'array' if kind == 'ints' else kind}({size})")
        return name

    def table(self, values: Sequence[int], kind: str = "int") -> str:
        """The name of a table of these values."""
        key = (kind, tuple(values))
        if key not in self.tables:
            self.tables[key] = self.unused("T")
        return self.tables[key]

    def over(self, part: int) -> str:
        """The name of a constant: the payoffs' common denominator divided by ``part``."""
        if part not in self.parts:
            self.parts[part] = self.unused("OVER")
        return self.parts[part]

    def site(self, code: str, span: Span) -> int:
        """The number of a site of the rules where the fault ``code`` can occur."""
        self.sites.append((code, span))
        return len(self.sites)

    def lift(self, stem: str, body: Body, result: str | int, kind: str = "int", state: str = "S") -> str:
        """Make a function of a body with ``result`` at its end, unless one exists that differs only in names; the text
        of its call, on the state of this name."""
        body.line(f"return {result}")
        order: dict[str, None] = {}
        for line in body.lines:
            order.update(dict.fromkeys(name for name in re.findall(_NAME, line) if name in self.kinds))
        outer = [name for name in order if name not in body.own]
        source = "\n".join(body.lines)
        places = {name: f"{self.kinds[name]}{place}" for place, name in enumerate(order)}
        plain = re.sub(_NAME, lambda match: places.get(match[0], match[0]), source)
        key = (stem, kind, plain, tuple(name in body.own for name in order))
        if key not in self._known:
            self._known[key] = name = self.unused(stem)
            parameters = ["C: ints[CONTEXT]", "S: state", *(f"{name}: {self.kinds[name]}" for name in outer)]
            self.define(name, f"({', '.join(parameters)}) -> {kind}:\n{source}\n")
        return f"{self._known[key]}({', '.join(['C', state, *outer])})"

    def share(self, stem: str, source: str) -> str:
        """The name of the function with this head and body, an existing one or a new one."""
        key = (stem, "", source, ())
        if key not in self._known:
            for line in source.splitlines():
                require_flat(line)
            self._known[key] = name = self.unused(stem)
            self.define(name, source)
        return self._known[key]

    def extract(self, stem: str, head: str, body: Body, result: str | int = 0) -> str:
        """The name of the function with the head ``(PARAMETERS) -> KIND`` and this body, with ``result`` at its end, an
        existing one or a new one."""
        body.line(f"return {result}")
        return self.share(stem, f"{head}:\n" + "\n".join(body.lines) + "\n")

    def parameters(self, name: str) -> int:
        """The number of parameters of an existing function. Raises
        :class:`~zermelo.interpreter.native.dialect.language.NotDialect` if there is none of this name."""
        if name not in self.functions:
            raise NotDialect(f"there is no function '{name}' yet")
        (function,) = parse_module(f"{self.functions[name].partition(chr(10))[0]} pass").body
        assert isinstance(function, ast.FunctionDef)
        return len(function.args.args)

    def function(self, head: str, body: Body, result: str | int = 0) -> None:
        """Define a function with the head ``NAME(PARAMETERS) -> KIND``, this body, and ``result`` at its end, under a
        fixed name."""
        body.line(f"return {result}")
        name, parameters = head.split("(", 1)
        self.define_as(name, f"({parameters}:\n" + "\n".join(body.lines) + "\n")

    def define_as(self, name: str, source: str) -> None:
        """Define a function under a fixed name; ``source`` is its text after the name."""
        if not is_fixed(name):
            raise NotDialect(f"'{name}' is no name of a function")
        self.define(name, source)

    def define(self, name: str, source: str) -> None:
        """Define a function; ``source`` is its text after the name."""
        if name in self.functions:
            raise NotDialect(f"'{name}' is defined twice")
        self.functions[name] = f"def {name}{source}"

    def render(self) -> str:
        """The whole module."""
        tables = [f"{name} = {value}" for name, value in self.constants.items()]
        for (kind, values), name in self.tables.items():
            note = ": bits" if kind == "bits" else ""
            tables.append(f"{name}{note} = {values}")
        return "\n".join(tables) + "\n\n\n" + "\n\n".join(self.functions.values())
