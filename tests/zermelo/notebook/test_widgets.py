"""The widget itself: what it tells the browser, and what is said where its library is missing."""

from __future__ import annotations

import subprocess
import sys

import pytest

import zermelo
from zermelo.notebook import explore, play


def test_a_message_of_the_browser_changes_the_page():
    pytest.importorskip("anywidget")
    widget = play(zermelo.load("tic_tac_toe"), {"O": "random"}, seed=1)
    assert widget.page["status"] == "X is to move"
    widget._handle_custom_msg({"turn": 0, "do": "move", "number": 4}, [])
    assert widget.page["turn"] == 1 and widget.page["log"][0] == "X: mark(b2)"
    assert "page" in widget.keys, "it is known to the browser"
    assert "export default" in widget._esm and ".zermelo" in widget._css
    widget.close()


def test_a_tree_is_explored_by_messages():
    pytest.importorskip("anywidget")
    widget = explore(zermelo.solve(zermelo.load("two_ply_tree")))
    assert [move["text"] for move in widget.page["moves"] if move["is_best"]] == ["A1"]
    widget._handle_custom_msg({"turn": 0, "do": "move", "number": 0}, [])
    assert widget.page["log"] == ["A1"]
    widget.close()


@pytest.mark.parametrize("make", [explore, play])
def test_the_extra_is_named_where_the_library_is_missing(make, monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(zermelo.ZermeloError, match="anywidget is needed for widgets in notebooks") as raised:
        make(zermelo.load("tic_tac_toe"))
    assert raised.value.code == "library-missing" and "zermelo[notebook]" in raised.value.help


def test_pictures_need_no_library():
    code = (
        "import sys; sys.modules['anywidget'] = None\nimport zermelo\n"
        "assert zermelo.load('nim')._repr_mimebundle_()['text/html']\n"
        "assert not {'IPython', 'ipywidgets', 'traitlets'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
