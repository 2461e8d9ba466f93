"""Slots of a state packed into words of 64 bits, and unpacked again, as expressions of the dialect."""

from __future__ import annotations

from collections.abc import Collection


def packed_words(pieces: list[tuple[int, int]]) -> list[str]:
    """Expressions of the dialect for the words into which slots, given with their widths in bits, are packed."""
    words: list[list[str]] = [[]]
    used = 0
    for slot, width in pieces:
        done = 0
        while done < width:
            if used == 64:
                words.append([])
                used = 0
            part = min(64 - used, width - done)
            text = f"S[{slot}]" if done == 0 else f"(S[{slot}] >> {done})"
            text = f"({text} & {(1 << part) - 1})" if part < width or width == 64 else text
            words[-1].append(f"({text} << {used})" if used else text)
            used += part
            done += part
    return [" | ".join(parts) or "0" for parts in words]


def unpacked_slots(pieces: list[tuple[int, int]], numbers: Collection[int]) -> list[tuple[int, str]]:
    """Slots with expressions for what :func:`packed_words` has packed of them into the words of ``K``; those of
    ``numbers`` for their lowest 64 bits."""
    slots: list[tuple[int, str]] = []
    first = 0
    for slot, width in pieces:
        parts: list[str] = []
        at, end = first, first + (min(width, 64) if slot in numbers else width)
        while at < end:
            word, used = divmod(at, 64)
            part = min(64 - used, end - at)
            text = f"(K[{word}] >> {used})" if used else f"K[{word}]"
            text = f"({text} & {(1 << part) - 1})" if part < 64 else text
            parts.append(f"({text} << {at - first})" if at > first else text)
            at += part
        slots.append((slot, " | ".join(parts) or "0"))
        first += width
    return slots
