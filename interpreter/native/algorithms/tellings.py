"""What has been told, kept in the state until the next move, and what a player hears of it."""

from __future__ import annotations

TOLD: int  # where a state holds how much has been told, and that behind it
SIZE: int  # how many entries a telling takes: a head, and what it says
MOST: int  # room for so many
LABEL: int  # how many bits of a head are for what is told, below those for who hears it
OVERFLOW: int  # the place in the rules to blame where there were more


def show(S: state, at: int, label: int, R: ints[WORDS], n: int) -> int: ...  # write down the telling that begins there


def shown_tellings(C: ints[CONTEXT], S: state, p: int, R: ints[WORDS], n: int) -> int:
    """Write down what player p hears."""
    told: int = S[TOLD]
    if told > MOST:
        if C[0] == 0:
            C[0] = OVERFLOW
        told = MOST
    one: int = 1
    for i in range(told):
        at: int = TOLD + 1 + i * SIZE
        if (S[at] >> (LABEL + p)) & 1 != 0:
            n = show(S, at, S[at] & ((one << LABEL) - 1), R, n)
    return n
