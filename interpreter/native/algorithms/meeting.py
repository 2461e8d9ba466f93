"""Reachability of a target: stops at the first round that reaches it."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits

FULL: bits  # all bits of a word


def step(mask: bits) -> bits: ...


def look(mask: bits) -> bits: ...


def meets(start: bits, allowed: bits, wanted: bits) -> int:
    """Whether ``look`` leads to a member of ``wanted`` from a member of ``start``, or from one that is reachable from
    there within ``allowed``."""
    found: bits = start
    todo: bits = start
    while todo != 0:
        if look(todo) & wanted != 0:
            return 1
        todo = step(todo) & allowed & (found ^ FULL)
        found = found | todo
    return 0
