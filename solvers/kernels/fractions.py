"""Exact fractions n / d in lowest terms, d > 0, of numbers below 2 ** 61; what would leave them is noticed in ``R[7]``.

An array ``V`` of them holds n at an even place ``at`` and d behind it. Once something has left its bounds the numbers
mean nothing any more, but for a d that is not 0.
"""


def gcd(a: int, b: int) -> int:
    while b != 0:
        rest: int = a % b
        a = b
        b = rest
    return -a if a < 0 else a


def times(a: int, b: int, R: ints[8]) -> int:
    x: int = -a if a < 0 else a
    y: int = -b if b < 0 else b
    if (x > 1073741823 or y > 1073741823) and x != 0 and y > 2305843009213693951 // x:
        R[7] = 1
        return 0
    return a * b


def is_less(a: int, b: int, c: int, d: int) -> int:
    """Whether a / b < c / d: where the products are too large, by the whole parts and then by what is left, upside
    down."""
    while b != d and (a > 1073741823 or a < -1073741823 or c > 1073741823 or c < -1073741823 or b > 1073741823
                      or d > 1073741823):
        p: int = a // b
        q: int = c // d
        if p != q:
            return 1 if p < q else 0
        r: int = c - q * d
        a -= p * b
        if a == 0 or r == 0:
            return 1 if r > a else 0
        c = b
        b = r
        r = d
        d = a
        a = r
    if b == d:
        return 1 if a < c else 0
    return 1 if a * d < c * b else 0


def put_fraction(V: ints[size], at: int, n: int, d: int, R: ints[8], size: int) -> int:
    """Put n / d in its lowest terms into V."""
    if n > 2305843009213693951 or n < -2305843009213693951:
        R[7] = 1
    if R[7] != 0:
        n = 0
        d = 1
    g: int = 1 if d == 1 else gcd(n, d)
    V[at] = n // g
    V[at + 1] = d // g
    return 0


def add_share(V: ints[size], at: int, weight: int, n: int, d: int, R: ints[8], size: int) -> int:
    """Add ``weight`` times n / d."""
    share: int = times(weight, n, R)
    if d == V[at + 1]:
        put_fraction(V, at, V[at] + share, d, R, size)
    else:
        g: int = gcd(V[at + 1], d)
        n = times(V[at], d // g, R) + times(share, V[at + 1] // g, R)
        put_fraction(V, at, n, times(V[at + 1], d // g, R), R, size)
    return 0


def divide(V: ints[size], at: int, total: int, R: ints[8], size: int) -> int:
    """Divide by ``total``, which is above 0."""
    put_fraction(V, at, V[at], times(V[at + 1], total, R), R, size)
    return 0
