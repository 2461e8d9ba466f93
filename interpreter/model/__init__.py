"""The model: a checked game, typed and resolved, from which machines, analyses and lowering work.

A game is a finite state machine: variables, a current phase with arguments, and in every phase at most one decision.
The three notations (phases, ``tree:``, ``table:``) are lowered to it; parameters have their values in it.

Local names (binders, parameters, ``let``) are *slots* of the frame of their callable, an array that lives during the
call. Callables are defines, actions, phases (entry, decision and ``otherwise`` share a frame), audiences of variables,
and a model's few loose expressions; each has a ``frame_size``, and its parameters are the first slots. Every expression
carries its base type and its span; payoffs are tuples in the order of the players.
"""

from zermelo.interpreter.model.expressions import *
from zermelo.interpreter.model.game import *
