"""What public functions are given, held against their annotations: an argument of a wrong kind is refused by an error
that names it, before the work begins or once it has failed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, wraps
from math import inf
from numbers import Integral, Rational, Real
from os import PathLike
from typing import Any, Final, ParamSpec, TypeAlias, TypeVar

from zermelo.grammar.diagnostics import ZermeloError

P = ParamSpec("P")
R = TypeVar("R")

_ABSTRACT: Final[dict[str, Any]] = {
    "int": int,
    "float": Real,
    "Fraction": Rational,
    "bool": bool,
    "str": str,
    "PathLike": PathLike,
    "Callable": Callable,
    "Mapping": Mapping,
    "Sequence": Sequence,
    "Collection": Collection,
    "Iterable": Iterable,
}
"""What is told by its class. All else is told by the name of its class, which need not be imported for that."""

_WORDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "Fraction": "an exact number",
    "bool": "True or False",
    "str": "a text",
    "PathLike": "a path",
    "Callable": "a function",
    "Mapping": "a mapping",
    "Sequence": "a list",
    "Collection": "a list",
    "Iterable": "a list",
    "Game": "a game",
    "State": "a state",
    "Move": "a move",
    "GameResult": "a result",
    "Member": "a member",
}

_SHORT: Final = {
    "Given": "Any",
    "Paint": "Callable",
    "Parameter": "int | Fraction | bool | str | Member",
    "Progress": "Callable",
    "Watch": "Callable",
}
"""Names that stand for other annotations."""


_Kinds: TypeAlias = "tuple[tuple[str, tuple[_Kinds, ...]], ...]"
"""What an annotation admits: names, each with what its parts admit."""


def check_first(function: Callable[P, R]) -> Callable[P, R]:
    """A public function whose work may take long, or that could take a wrong argument for another: what it is given is
    checked before it begins. Numbers and truth values of other libraries become those of Python."""

    @wraps(function)
    def call(*arguments: P.args, **named: P.kwargs) -> R:
        given: Any = list(map(plain, arguments))
        options: Any = {name: plain(value) for name, value in named.items()}
        check_arguments(function, given, options)
        return function(*given, **options)

    return call


def plain(value: Any) -> Any:
    """The value; for a number or a truth value of another library, that of Python."""
    if isinstance(value, Integral):
        return value if isinstance(value, int) else int(value)
    if isinstance(value, Real) and not isinstance(value, Rational):
        return float(value)
    return bool(value) if type(value).__name__ in _TRUTH_VALUES else value


_TRUTH_VALUES: Final = ("bool", "bool_")
"""What NumPy calls its own, which are no numbers."""


def check_arguments(function: Callable[..., Any], arguments: Sequence[Any], named: Mapping[str, Any]) -> None:
    """Raise ``ZermeloError`` (``bad-usage``) for an argument that is nothing that its annotation names."""
    from inspect import CO_VARARGS, CO_VARKEYWORDS, unwrap  # which a command that starts does without

    function = unwrap(function)
    code, annotations = function.__code__, function.__annotations__
    count = code.co_argcount + code.co_kwonlyargcount
    others = iter(code.co_varnames[count:])
    several = next(others) if code.co_flags & CO_VARARGS else ""
    options = next(others) if code.co_flags & CO_VARKEYWORDS else ""
    places = list(code.co_varnames[: code.co_argcount])
    places += [several] * (len(arguments) - len(places))
    keywords = code.co_varnames[code.co_posonlyargcount : count]
    given = [(name, name, value) for name, value in zip(places, arguments, strict=False)]
    given += [(name, name if name in keywords else options, value) for name, value in named.items()]
    for name, annotated, value in given:
        annotation = annotations.get(annotated)
        if annotation is not None and not _fits(value, _kinds(annotation)):
            from reprlib import repr as brief

            raise ZermeloError("bad-usage", f"{name} is {brief(value)}, but must be {_words(_kinds(annotation))}")


@cache
def _kinds(annotation: str) -> _Kinds:
    import ast

    def read(part: ast.expr) -> _Kinds:
        match part:
            case ast.BinOp(left, ast.BitOr(), right):
                return (*read(left), *read(right))
            case ast.Subscript(head, ast.Tuple(parts)):
                return ((_name(ast.unparse(head)), tuple(map(read, parts))),)
            case ast.Subscript(head, content):
                return ((_name(ast.unparse(head)), (read(content),)),)
        name = _name(ast.unparse(part))
        return _kinds(_SHORT[name]) if name in _SHORT else ((name, ()),)

    return read(ast.parse(annotation, mode="eval").body)


def _name(written: str) -> str:
    return written.rpartition(".")[2]


def _fits(value: Any, kinds: _Kinds) -> bool:
    return any(_is(value, *kind) for kind in kinds)


def _is(value: Any, name: str, parts: tuple[_Kinds, ...]) -> bool:
    if name in ("Any", "None"):
        return name == "Any" or value is None
    if name not in _ABSTRACT:
        return any(each.__name__ == name for each in type(value).__mro__)
    if not isinstance(value, _ABSTRACT[name]) or (isinstance(value, bool) and name != "bool"):
        return False  # truth values are numbers for Python alone
    if name == "Mapping" and parts:
        return all(_fits(key, parts[0]) and _fits(content, parts[1]) for key, content in value.items())
    if name in ("Sequence", "Collection", "Iterable") and parts and isinstance(value, Collection):
        return all(_fits(each, parts[0]) for each in value)
    return True


def _words(kinds: _Kinds) -> str:
    return " or ".join(_kind_words(*kind) for kind in kinds)


def _kind_words(name: str, parts: tuple[_Kinds, ...]) -> str:
    words = _WORDS.get(name, name if name == "None" else f"a {name}")
    if name == "Mapping":
        return f"{words} from {_words(parts[0])} to {_words(parts[1])}"
    if name in ("Sequence", "Collection", "Iterable"):
        return f"{words} of which each is {_words(parts[0])}"
    return words


def check_counts(**given: float | None) -> None:
    """Raise ``ZermeloError`` (``bad-usage``) for what is no number of things."""
    for name, number in given.items():
        if number is not None and number != inf and (number < 1 or number % 1):
            raise ZermeloError("bad-usage", f"{name} is {number}, but must be a whole number, 1 or more")


def check_counts_or_none(**given: float) -> None:
    """Raise ``ZermeloError`` (``bad-usage``) for what is no number of things, 0 included."""
    for name, number in given.items():
        if number < 0 or number % 1:
            raise ZermeloError("bad-usage", f"{name} is {number}, but must be a whole number, 0 or more")


def check_amounts(**given: float | None) -> None:
    """Raise ``ZermeloError`` (``bad-usage``) for what is no amount."""
    for name, amount in given.items():
        if amount is not None and not amount >= 0:
            raise ZermeloError("bad-usage", f"{name} is {amount}, but must be a number from 0 on")
