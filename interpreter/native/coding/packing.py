"""Parts of a state side by side in words of 64 bits."""

from __future__ import annotations


def packed_words(pieces: list[tuple[int, int]]) -> list[str]:
    """The words, as expressions of the dialect, that hold entries of the state with their widths in bits."""
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
