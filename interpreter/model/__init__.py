"""The model: a checked game, typed and resolved, and the one thing that everything behind the checker works on.

A game is a finite state machine: variables, a current phase with arguments, and in every phase at most one decision.
The three notations (phases, ``tree:``, ``table:``) are lowered to it; parameters have their values in it.

Names are gone: a local name (a binder, parameter, ``let``) is a *slot* of its callable's frame, an array that lives
while the callable runs. Callables are defines, actions, phases (entry, decision and ``otherwise`` share one frame),
audiences of variables, and the few loose expressions of a model; each says how many slots it needs (``frame_size``),
and its parameters are the first of them. Every expression carries its base type and its span; payoffs are tuples in the
order of the players.
"""

from zermelo.interpreter.model.expressions import *
from zermelo.interpreter.model.game import *
from zermelo.interpreter.model.phases import *
from zermelo.interpreter.model.sayings import *
from zermelo.interpreter.model.statements import *
