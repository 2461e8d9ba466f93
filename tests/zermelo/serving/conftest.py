from __future__ import annotations

import pytest
from page_server import served


@pytest.fixture(scope="session")
def address():
    """A server whose limit of time no test comes to, for all tests of a process."""
    with served("--time", "600", "--memory", "200M") as address:
        yield address
