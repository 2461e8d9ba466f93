from __future__ import annotations

import pytest
from page_server import served


@pytest.fixture(scope="session")
def address():
    """A server with short limits, for all tests of a process."""
    with served("--time", "20", "--memory", "200M") as address:
        yield address
