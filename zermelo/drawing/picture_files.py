"""Pictures as files: as pictures, or the numbers that they show, as rows for other programs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count, takewhile
from pathlib import Path
from typing import Final

from zermelo.files import check_writable, remove_file, write_file
from zermelo.grammar.diagnostics import ZermeloError
from zermelo.pictures.marks import NO_ROWS, Picture, Rows
from zermelo.pictures.svg import ENDINGS, encode_pages, encode_picture, is_ours, library_of
from zermelo.row_files import check_rows_writable, write_rows

ROWS: Final = (".csv", ".json", ".parquet")
"""The endings of files with the numbers of a picture."""

GRAPHS: Final = (".dot", ".graphml")
"""The endings of files with a tree for other programs."""


def check_picture_file(path: Path) -> None:
    """Raise ``ZermeloError`` if a picture can be seen not to be writable to a file, before long work: ``bad-usage`` for
    an ending that says nothing, ``unwritable-file``, ``library-missing`` for PNG, PDF and Parquet."""
    ending = path.suffix.lower()
    if ending in ROWS:
        check_rows_writable(path)
    elif ending in GRAPHS:
        check_writable(path)
    elif ending in ENDINGS:
        check_writable(path)
        library_of(ending)
    else:
        said = f"a picture cannot be written as '{path.suffix}'" if ending else "the name of a picture needs an ending"
        endings = f"{', '.join(ENDINGS)}; {', '.join(ROWS)} for its numbers, {', '.join(GRAPHS)} for a tree"
        raise ZermeloError("bad-usage", f"{path}: {said}", f"the endings are {endings}")


def write_picture(picture: Picture, path: Path) -> None:
    """Write a picture to a file in the format that its ending says; or its rows: CSV, a list of objects in JSON, or
    Parquet; or, of a tree, DOT or GraphML.

    Raises ``ZermeloError``: as :func:`check_picture_file` does, ``bad-usage`` for the rows of a picture that has
    none."""
    check_picture_file(path)
    ending, rows = path.suffix.lower(), picture.rows
    if ending in ENDINGS:
        write_file(path, encode_picture(picture, path))
        return
    if rows is None:
        raise ZermeloError("bad-usage", f"{path}: this picture is not made of rows of numbers", NO_ROWS)
    if ending in GRAPHS:
        write_file(path, _graph(picture, rows, path).encode())
        return
    named = [dict(zip(rows.kinds, row, strict=True)) for row in rows.rows]
    write_rows(path, named, list(rows.kinds), rows.kinds)


def _graph(picture: Picture, rows: Rows, path: Path) -> str:
    """The tree that a picture shows, for other programs."""
    from zermelo.pictures.graphs import dot, graphml
    from zermelo.pictures.trees import PARENT

    if PARENT not in rows.kinds:
        raise ZermeloError("bad-usage", f"{path}: this picture shows no tree", "`zermelo draw GAME tree` does")
    return (dot if path.suffix.lower() == ".dot" else graphml)(picture.title, rows)


def write_frames(pictures: Sequence[Picture], path: Path) -> tuple[list[Path], list[Path]]:
    """Write pictures that follow one another: as the pages of a PDF, or to numbered files, ``search-001.svg`` and so on
    for ``search.svg``. The files that have been written, and those that have been removed: an earlier search with more
    pictures has left files whose numbers go on, which would be taken for the end of this one. No other file is removed.

    Raises ``ZermeloError`` as :func:`write_picture` does."""
    if path.suffix.lower() == ".pdf":
        write_file(path, encode_pages(pictures))
        return [path], []
    paths = [_numbered(path, number) for number in range(1, len(pictures) + 1)]
    for each, picture in zip(paths, pictures, strict=True):
        write_picture(picture, each)
    left = list(takewhile(is_ours, (_numbered(path, number) for number in count(len(pictures) + 1))))
    for each in left:
        remove_file(each)
    return paths, left


def _numbered(path: Path, number: int) -> Path:
    return path.with_stem(f"{path.stem}-{number:03}")
