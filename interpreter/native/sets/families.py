"""Questions about constant sets of sets, such as the lines of a board, for all of the sets at once.

"Some line has only stones of p" asks of many masks whether each is contained in the mask of p's stones. On a regular
board few of these masks are of different *shape*: the others are the same ones shifted. With the shape ``{0, d, 2d}``,
``m & m >> d & m >> 2d`` has a one wherever such a line of members of ``m`` begins; another mask cuts off the places
where no line of the family does. So a shape costs a few operations on a word and no branch, whatever the number of its
lines; the lines of a grid have four shapes. Programs for connect four test its lines so (Tromp, *Fhourstones*). Nothing
need be known of the move just made: the answer holds in every position, whatever the rules that have led there.

Why it is the same as a loop over the sets: a set has one shape and one place where it begins, so it is one bit of one
word, and no other set of the family is that bit. (The empty set begins nowhere: a family with it, or of no sets at all,
is left to the loop.) The conditions asked about are those on masks (:mod:`.conditions`), which cannot fail, so that it
is harmless to ask about all sets where a loop would have stopped.

A question about a single mask of few bits is looked up: its answers for all masks there are, which those operations
give, are a table. Nothing but the mask enters into them, so the table says what they would say. On nine cells that is
half a kilobyte, and one read where shapes take some twenty operations, each of which waits for the one before.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import field, frozen

from zermelo.foundation.records import ByValue
from zermelo.interpreter import model
from zermelo.interpreter.model import Binder, Expr
from zermelo.interpreter.model.rewriting import free_slots, unfold
from zermelo.interpreter.native.dialect.language import Namespace, execute_in
from zermelo.interpreter.native.dialect.lowered_text import Body, join_operands
from zermelo.interpreter.native.dialect.words import popcount
from zermelo.interpreter.native.expressions.bindings import Env, Scalar
from zermelo.interpreter.native.expressions.lowering import Lowering
from zermelo.interpreter.native.sets import conditions
from zermelo.interpreter.native.state_encoding.encoding import is_set, set_element, universe
from zermelo.interpreter.types import BOOL, Type

_OF_A_ROW: Final = 2
"""The operations of a loop for each set: reading, comparing, branching."""

_FEW: Final = 9
"""The most bits of a mask about which questions are looked up. Each more doubles the table, and what it takes to make
it, which a game of a few plays would feel."""


@frozen(eq=False, repr=False)
class _Shape(ByValue):
    """Sets that differ by a shift: the ``offsets`` of their members from the first one, and a mask of the places where
    they ``begin``."""

    shifts: tuple[int, ...]
    offsets: tuple[int, ...]
    begin: int

    @property
    def cost(self) -> int:
        """The operations on a word that ask about all of them."""
        return 2 * (len(self.shifts) + len(self.offsets))

    def within(self, lowering: Lowering, members: str, body: Body) -> str:
        """Where a set of this shape begins that lies in the set ``members``, as a mask."""
        for by in self.shifts:
            members = lowering.text.let(body, "m", f"{members} & ({members} >> {by})", "bits")
        parts = [f"({members} >> {by})" if by else members for by in self.offsets]
        return f"({' & '.join(parts)} & {self.begin})"


def query_family(lowering: Lowering, expr: model.Quantified, env: Env) -> Scalar | None:
    """``some``, ``no``, ``all`` or ``count`` over constant sets, by their shapes; None if it takes a loop."""
    (binder,) = expr.binders
    if expr.quantifier not in ("some", "no", "all", "count") or binder.stop is not None:
        return None
    shapes = _shapes_of(lowering, binder.domain, env)
    if shapes is None:
        return None
    met = _Query(lowering, binder.slot, set_element(lowering.element(binder.domain)), env)
    asked = model.Not(expr.body, type=expr.body.type, span=expr.body.span) if expr.quantifier == "all" else expr.body
    where = met.where(model.And((*binder.tests, asked), type=BOOL, span=expr.span))
    if where is None:
        return None
    found = [where(shape) for shape in shapes]
    if expr.quantifier == "count":
        answer = join_operands("+", [f"popcount{each}" for each in found])
    else:
        answer = f"({join_operands('|', found)}) {'!=' if expr.quantifier == 'some' else '=='} 0"
    body = Body()
    body.insert(met.asked)
    if len(met.members) == 1 and universe(met.element)[1] <= _FEW:
        return Scalar(lowering.text.lift(expr.quantifier, body, met.looked_up(answer)))
    if sum(shape.cost for shape in shapes) > _OF_A_ROW * sum(shape.begin.bit_count() for shape in shapes):
        return None
    body.insert(met.body)
    return Scalar(lowering.text.lift(expr.quantifier, body, answer))


def _shapes_of(lowering: Lowering, family: Expr, env: Env) -> list[_Shape] | None:
    """The shapes of a constant set of sets; None if it is no such set."""
    of_sets = lowering.element(family)
    if not is_set(of_sets) or is_set(set_element(of_sets)):
        return None
    found = [family.value] if isinstance(family, model.Const) else (lowering.sets(family, env) or ("", []))[1]
    if len(found) != 1 or not conditions.fits_into_word(lowering, set_element(of_sets)):
        return None
    rows = lowering.tabulation.masks(list(found[0]), set_element(of_sets))
    if not rows or 0 in rows:
        return None
    begin: dict[int, int] = {}
    for row in rows:
        first = (row & -row).bit_length() - 1
        begin[row >> first] = begin.get(row >> first, 0) | 1 << first
    return [_Shape(*_divide(form), places) for form, places in begin.items()]


def _divide(form: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Shifts, and offsets, such that ``form`` lies in m from a place on if and only if the offsets from there on are in
    what is left of m after ``m & m >> s`` for each shift s in turn: as long as a form is the union of a part of it and
    of that part shifted by s, the part is left to be found in ``m & m >> s``."""
    shifts = []
    while form != 1:
        parts = [(form & (form >> by), by) for by in range(1, form.bit_length())]
        halves = [(part.bit_count(), by, part) for part, by in parts if part | part << by == form]
        if not halves:
            break
        _, by, form = min(halves)
        shifts.append(by)
    return tuple(shifts), tuple(k for k in range(form.bit_length()) if form >> k & 1)


@frozen(eq=False, repr=False)
class _Query:
    """A query of sets of ``element``, each of which has the name ``slot``. ``asked`` names the masks asked about, which
    are in ``members`` by their texts; ``body`` runs behind it."""

    lowering: Lowering
    slot: int
    element: Type
    env: Env
    asked: Body = field(factory=Body)
    body: Body = field(factory=Body)
    members: dict[str, str] = field(factory=dict)

    def where(self, condition: Expr) -> Callable[[_Shape], str] | None:
        """The function that gives, for a shape, the places where the sets of this shape begin that meet the condition;
        None for conditions that take a loop."""
        match condition:
            case model.Const(value=True):
                return lambda shape: str(shape.begin)
            case model.And(parts=parts) | model.Or(parts=parts):
                found = [self.where(part) for part in parts]
                if any(each is None for each in found):
                    return None
                operator = "&" if isinstance(condition, model.And) else "|"
                return lambda shape: f"({join_operands(operator, [each(shape) for each in found if each is not None])})"
            case model.Not(operand=operand):
                opposite = self.where(operand)
                return None if opposite is None else lambda shape: f"({opposite(shape)} ^ {shape.begin})"
            case model.Call() if conditions.can_be_unfolded(condition, self.env):
                return self.where(self.lowering.tabulation.variant(condition, lambda: unfold(condition)))
            case model.Quantified(quantifier="all" | "no" | "some", binders=(binder,)):
                return self._where_contained(condition, binder)
        return None

    def _where_contained(self, condition: model.Quantified, binder: Binder) -> Callable[[_Shape], str] | None:
        """The same for a condition on the members of each set, by the mask of the members that meet it."""
        is_of_set = isinstance(binder.domain, model.Local) and binder.domain.slot == self.slot
        if not is_of_set or binder.stop or binder.tests or self.slot in free_slots(condition.body):
            return None
        mask = conditions.condition_mask(self.lowering, condition.body, binder.slot, self.element, self.env)
        if mask is None:
            return None
        whole = (1 << universe(self.element)[1]) - 1
        text = mask if condition.quantifier == "all" else f"{mask} ^ {whole}"
        if text not in self.members:
            self.members[text] = self.lowering.text.let(self.asked, "members", text, "bits")
        members = self.members[text]
        inside = dict[_Shape, str]()

        def where(shape: _Shape) -> str:
            if shape not in inside:
                inside[shape] = shape.within(self.lowering, members, self.body)
            within = inside[shape]
            return f"({within} ^ {shape.begin})" if condition.quantifier == "some" else within

        return where

    def looked_up(self, answer: str) -> str:
        """The answer to a question about the one mask that is asked about, from a table."""
        (members,) = self.members.values()
        whole = (1 << universe(self.element)[1]) - 1
        made: Namespace = {"popcount": popcount}
        execute_in(made, "\n".join([f"def answer({members}):", *self.body.lines, f"    return {answer}"]))
        answers = [int(made["answer"](mask)) for mask in range(whole + 1)]
        return f"{self.lowering.text.table(answers)}[{members} & {whole}]"
