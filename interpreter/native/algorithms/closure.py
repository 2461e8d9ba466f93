"""Reachability by fixed point: the whole frontier takes each step at once."""

from __future__ import annotations

from zermelo.interpreter.native.dialect.words import bits

FULL: bits  # all bits of a word


def step(mask: bits) -> bits: ...


def closure(start: bits, allowed: bits) -> bits:
    """The members of ``start`` and those reachable from them within ``allowed``."""
    found: bits = start
    todo: bits = start
    while todo != 0:
        todo = step(todo) & allowed & (found ^ FULL)
        found = found | todo
    return found
