"""The widget of a conversation. It is imported where the extra ``notebook`` is known to be installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from zermelo.notebook.pages import Conversation

_HERE = Path(__file__).parent


class Widget(anywidget.AnyWidget):
    """Shows the pages of a conversation, and tells it the messages of the browser."""

    _esm = (_HERE / "widget.js").read_text(encoding="utf-8")
    _css = (_HERE / "widget.css").read_text(encoding="utf-8")
    page = traitlets.Dict().tag(sync=True)

    def __init__(self, conversation: Conversation) -> None:
        super().__init__(page=conversation.page())
        self.conversation = conversation
        self.on_msg(self._hear)

    def __repr__(self) -> str:
        return f"<Widget of '{self.page['title']}'>"

    def _hear(self, widget: Any, message: object, buffers: object) -> None:
        self.conversation.obey(message)
        self.page = self.conversation.page()
