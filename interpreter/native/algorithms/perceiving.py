"""Digests of the players' observations (:mod:`zermelo.interpreter.native.perception.recording`)."""

from __future__ import annotations

DIGESTS: int  # their first slot, two for each player
STIRRER: int  # makes the second one differ from the first


def perceive(C: ints[CONTEXT], L: state, S: state, m: int) -> int:
    """Add the players' observations on coming to S, from L by move m, to the digests in S."""
    R = array(WORDS)
    for p in range(PLAYERS):
        n: int = observed(C, L, S, m, p, R)
        a: int = S[DIGESTS + 2 * p]
        b: int = S[DIGESTS + 2 * p + 1]
        for i in range(n):
            a = mix(a, R[i])
            b = mix(mix(b, R[i]), STIRRER)
        S[DIGESTS + 2 * p] = a
        S[DIGESTS + 2 * p + 1] = b
    return 0


def perceived(S: state, p: int, K: ints[2]) -> int:
    """Write the digests of player p's observations to K."""
    K[0] = S[DIGESTS + 2 * p]
    K[1] = S[DIGESTS + 2 * p + 1]
    return 0
