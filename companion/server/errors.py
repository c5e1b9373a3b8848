"""One shape for every error: ``{"error": {"code", "message"}}`` for programs, the same sentence on a page."""

from __future__ import annotations

from typing import Any


class ApiError(Exception):
    """Something the caller can mend. `key` is the catalogue key of the sentence (``ui.error.<code>`` by default);
    `params` fill it; `extra` goes beside ``error`` into the answer."""

    def __init__(self, code: str, status: int = 400, extra: dict[str, Any] | None = None, **params: Any) -> None:
        super().__init__(code)
        self.code = code
        self.status = status
        self.extra = extra or {}
        self.params = params
