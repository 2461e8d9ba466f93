"""The example notebook shows what its cells show.

``ZERMELO_TEST_WRITE=1`` in the environment writes its outputs anew, to be looked at before they are committed. Widgets
are compared by what they are called: what they hold has another number in every run, and is tested elsewhere.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

NOTEBOOK = Path(__file__).parents[2] / "docs" / "notebook.ipynb"
WIDGET = "application/vnd.jupyter.widget-view+json"


def test_the_notebook_shows_what_its_cells_show(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    committed = nbformat.read(NOTEBOOK, as_version=4)
    run = nbformat.read(NOTEBOOK, as_version=4)
    place = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(
        run, kernel_name="python3", store_widget_state=False, timeout=300, resources=place
    ).execute()
    widgets = 0
    for cell in run.cells:
        cell.metadata.clear()  # when it began and ended
        for output in cell.get("outputs", []):
            widgets += output.get("data", {}).pop(WIDGET, None) is not None
    run.metadata = committed.metadata
    if os.environ.get("ZERMELO_TEST_WRITE"):
        nbformat.write(run, NOTEBOOK)
    nbformat.validate(run)
    assert [cell.get("outputs") for cell in run.cells] == [cell.get("outputs") for cell in committed.cells]
    assert widgets == 2


def test_the_notebook_is_small():
    """It is read on pages that do not run it, and lies in every checkout."""
    assert NOTEBOOK.stat().st_size < 100_000
