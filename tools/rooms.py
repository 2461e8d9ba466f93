"""``python -m tools.rooms``: draw the rooms of the project, and who imports from whom, to ``docs/rooms.svg``.

The rooms are those of docs/architecture.md, in its order. Each floor is a folder, which imports from those above it and
to the left. On a floor, a room stands below the rooms that it imports from; arrows lead from them to it, except where
other arrows lead there already.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from zermelo.pictures.marks import FAINT, INK, Curve, Lettering, Mark, Picture, Polygon, Rectangle, Style, text_width
from zermelo.pictures.svg import svg

ROOT: Final = Path(__file__).parents[1]
PICTURE: Final = ROOT / "docs" / "rooms.svg"
PAGE: Final = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
COLUMNS: Final = (("zermelo/foundation/", "grammar/", "interpreter/"), ("solvers/",), ("zermelo/",))
"""The floors, in columns from left to right; each imports from those above it and to the left."""
FORWARDS: Final = ("zermelo/game.py", "zermelo/questions.py")
"""Games and states have the public functions as methods, which are set from above; the import that tells type checkers
so is the only one that leads down."""
TOPS: Final = ("gamedefs", "grammar", "interpreter", "solvers", "zermelo")


# Rooms, files, and what they import.


def first_column(page: str, title: str) -> list[str]:
    """The first column of the table in a section of a page."""
    section = re.split(r"^#+ ", page.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.M)[0]
    return re.findall(r"^\| `([^`]+)` \|", section, re.M)


ROOMS: Final = first_column(PAGE, "Rooms")


def sources() -> Iterator[str]:
    """The files of the source, each once: below the package stand links to the other folders."""
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*")):
            inside = path.relative_to(ROOT)
            is_linked = any(folder.is_symlink() for folder in path.parents if folder != ROOT and ROOT in folder.parents)
            if path.suffix in (".py", ".lark") and not is_linked:
                yield inside.as_posix()


def module_of(file: str) -> str:
    """The name by which a file is imported."""
    name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return name if name == "zermelo" or name.startswith("zermelo.") else f"zermelo.{name}"


MODULES: Final = {module_of(file): file for file in sources() if file.endswith(".py")}


@cache
def imports(file: str) -> frozenset[str]:
    """The files that a file imports from, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            for alias in node.names:
                found.add(MODULES.get(f"{node.module}.{alias.name}") or MODULES.get(node.module))
        elif isinstance(node, ast.Import):
            found |= {MODULES.get(alias.name) for alias in node.names}
        elif isinstance(node, ast.Constant) and str(node.value).startswith("zermelo.solvers."):
            found.add(MODULES.get(str(node.value)))  # imported when it is needed
    return frozenset(name for name in found if name is not None and name != file and (file, name) != FORWARDS)


def room_of(file: str) -> str:
    """The innermost room that a file is in."""
    inside = [room for room in ROOMS if file == room or (room.endswith("/") and file.startswith(room))]
    return max(inside, key=len)


def room_imports() -> dict[str, set[str]]:
    """For each room, the others that it imports from."""
    found: dict[str, set[str]] = {room: set() for room in ROOMS}
    for file in MODULES.values():
        found[room_of(file)] |= {room_of(other) for other in imports(file)} - {room_of(file)}
    return found


# The picture.

_ROW: Final = 54.0
_HEIGHT: Final = 24.0
_GAP: Final = 16.0
_MARGIN: Final = 12.0
_LINE: Final = Style(FAINT, width=0.9)
_FLOOR: Final = Style("#d0d7de", "#f6f8fa")
_BOX: Final = Style(INK, "#ffffff")


def picture() -> Picture:
    """The floors with their rooms and arrows, in columns."""
    above, marks, left = room_imports(), list[Mark](), 0.0
    for column in COLUMNS:
        rows = {floor: _rows([room for room in ROOMS if _floor_of(room) == floor], above) for floor in column}
        width = max(_width(row, floor) for floor, of_floor in rows.items() for row in of_floor) + 2 * _MARGIN
        top = 0.0
        for floor, of_floor in rows.items():
            height = _ROW * len(of_floor) + 16
            marks.append(Rectangle(left, top, width, height, _FLOOR, 6))
            marks.append(Lettering(left + _MARGIN, top + 18, floor, 14, is_bold=True))
            boxes = _boxes(of_floor, floor, left, top + 28, width)
            marks += _arrows(above, boxes)
            for room, box in boxes.items():
                marks += [box, Lettering(box.x + box.width / 2, box.y + 16, _name(room, floor), anchor="middle")]
            top += height + 10
        left += width + 10
    return Picture("The rooms of Zermelo", tuple(marks), "Every room imports from rooms above it, and from no other.")


def _floor_of(room: str) -> str:
    return max((floor for column in COLUMNS for floor in column if room.startswith(floor)), key=len, default="")


def _name(room: str, floor: str) -> str:
    return room.removeprefix(floor).removesuffix(".py").removesuffix("/") or "(" + floor.removesuffix("/") + ")"


def _width(row: Sequence[str], floor: str) -> float:
    return sum(text_width(_name(room, floor), 12) + 16 for room in row) + _GAP * (len(row) - 1)


def _rows(rooms: Sequence[str], above: Mapping[str, set[str]]) -> list[list[str]]:
    """The rooms of a floor, each below all from which it imports."""
    rank: dict[str, int] = {}
    for room in rooms:
        rank[room] = 1 + max((rank[other] for other in above[room] if other in rank), default=-1)
    return [[room for room in rooms if rank[room] == k] for k in range(max(rank.values()) + 1)]


def _boxes(rows: Sequence[Sequence[str]], floor: str, left: float, top: float, width: float) -> dict[str, Rectangle]:
    boxes = {}
    for k, row in enumerate(rows):
        x = left + (width - _width(row, floor)) / 2
        for room in row:
            wide = text_width(_name(room, floor), 12) + 16
            boxes[room] = Rectangle(x, top + k * _ROW, wide, _HEIGHT, _BOX, 4)
            x += wide + _GAP
    return boxes


def _arrows(above: Mapping[str, set[str]], boxes: Mapping[str, Rectangle]) -> Iterator[Mark]:
    """Arrows between the rooms of a floor, which stand in their order, without those that others imply."""
    reached: dict[str, set[str]] = {}
    for room in filter(boxes.__contains__, ROOMS):
        direct = above[room] & set(reached)
        further = set[str]().union(*(reached[other] for other in direct))
        reached[room] = direct | further
        for other in sorted(direct - further):
            begin, end = boxes[other], boxes[room]
            x1, y1, x2, y2 = begin.x + begin.width / 2, begin.y + _HEIGHT, end.x + end.width / 2, end.y
            yield Curve(((x1, y1), (x1, y1 + 18), (x2, y2 - 18), (x2, y2 - 5)), _LINE)
            yield Polygon(((x2, y2), (x2 - 3, y2 - 6), (x2 + 3, y2 - 6)), Style(FAINT, FAINT))


if __name__ == "__main__":
    PICTURE.write_text(svg(picture()), encoding="utf-8")
