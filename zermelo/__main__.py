"""``python -m zermelo`` is the command line."""

from __future__ import annotations

import sys

from zermelo.cli import main

sys.exit(main())
