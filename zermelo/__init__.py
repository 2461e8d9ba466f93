"""Zermelo: write a game as text, get its exact value.

>>> import zermelo
>>> game = zermelo.load("two_ply_tree")
>>> solution = zermelo.solve(game)
>>> dict(zip(game.players, solution.value))
{'MAX': Fraction(3, 1), 'MIN': Fraction(-3, 1)}
>>> state = game.initial.after("A1")
>>> state.actor, [str(move) for move in state.moves]
('MIN', ['A11', 'A12', 'A13'])

Every exception is a ``ZermeloError`` with a code, which ``zermelo explain CODE`` explains.
"""

TYPE_CHECKING = False  # known to type checkers; importing it from typing would take longer than all of this
if TYPE_CHECKING:
    from zermelo.public import *  # noqa: F403  # type checkers know the names, and nobody else comes here
    from zermelo.public import __all__ as __all__
    from zermelo.public import __version__ as __version__
else:

    def __getattr__(name):
        """A name of :mod:`zermelo.public`, imported on first use: the command line is in this package, too, and must be
        ready for an interrupt before it imports more (:mod:`zermelo.interrupts`)."""
        from importlib import import_module

        public = import_module("zermelo.public")
        if name == "__all__" or name in getattr(public, "__all__", ()):  # not there yet while it is being imported
            return getattr(public, name)
        raise AttributeError(f"module 'zermelo' has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *__getattr__("__all__")})
