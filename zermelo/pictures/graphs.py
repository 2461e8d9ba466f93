"""A tree for programs that draw or study graphs: DOT for Graphviz, and GraphML for networkx, yEd and Gephi.

Both are made of the rows of a picture, one for each node, with the row of its parent before it.
"""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree

from zermelo.pictures.marks import Rows
from zermelo.pictures.trees import ACTOR, BEST, FOLDED, INFORMATION_SET, MOVE, NODE, PARENT, PROBABILITY, VALUE

_OF_EDGES: Final = (MOVE, PROBABILITY, BEST)
"""The columns that say something about the branch to a node."""

_TYPES: Final = {"string": "string", "int64": "long", "double": "double"}


def dot(title: str, rows: Rows) -> str:
    """The tree in the language of Graphviz. A node shows who acts there and what it is worth; what is best is bold, and
    dotted lines join the nodes of an information set."""
    lines = [f"digraph {_quoted(title)} {{", "  node [shape=box, style=rounded];"]
    last: dict[object, object] = {}
    for values in rows.rows:
        row = dict(zip(rows.kinds, values, strict=True))
        words = [str(row[name]) for name in (ACTOR, VALUE, FOLDED) if row[name] not in (None, "")]
        lines.append(f"  {row[NODE]} [label={_quoted(*words)}];")
        if row[PARENT] is not None:
            said = [str(row[name]) for name in (MOVE, PROBABILITY) if row[name]]
            bold = ", style=bold" if row[BEST] else ""
            lines.append(f"  {row[PARENT]} -> {row[NODE]} [label={_quoted(*said)}{bold}];")
        if row[INFORMATION_SET] is not None:
            if row[INFORMATION_SET] in last:
                lines.append(
                    f"  {last[row[INFORMATION_SET]]} -> {row[NODE]} [style=dotted, dir=none, constraint=false];"
                )
            last[row[INFORMATION_SET]] = row[NODE]
    return "\n".join([*lines, "}", ""])


def _quoted(*lines: str) -> str:
    """Lines of words as a text of DOT."""
    escaped = [line.replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + "\\n".join(escaped) + '"'


def graphml(title: str, rows: Rows) -> str:
    """The tree in GraphML. What the rows say of a branch are data of an edge, all else are data of a node."""
    root = ElementTree.Element("graphml", xmlns="http://graphml.graphdrawing.org/xmlns")
    for name, kind in rows.kinds.items():
        if name not in (NODE, PARENT):
            of = "edge" if name in _OF_EDGES else "node"
            ElementTree.SubElement(root, "key", {"id": name, "for": of, "attr.name": name, "attr.type": _TYPES[kind]})
    graph = ElementTree.SubElement(root, "graph", id="tree", edgedefault="directed")
    ElementTree.SubElement(graph, "desc").text = title
    for values in rows.rows:
        row = dict(zip(rows.kinds, values, strict=True))
        node = ElementTree.SubElement(graph, "node", id=f"n{row.pop(NODE)}")
        parent = row.pop(PARENT)
        if parent is not None:
            edge = ElementTree.SubElement(graph, "edge", source=f"n{parent}", target=node.get("id", ""))
        for name, value in row.items():
            holder = edge if name in _OF_EDGES and parent is not None else node
            if value is not None and (name not in _OF_EDGES or parent is not None):
                ElementTree.SubElement(holder, "data", key=name).text = str(value)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
