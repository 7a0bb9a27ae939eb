"""Logs: one JSON object a line for machines, or plain lines for somebody at a terminal."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

_QUIET = (
    "openfelt.server.http.access_log",
    "openfelt.server.process.store_metrics",
    "openfelt.server.process.listener",
)
"""What tells of every single request and command, and of opening and closing, which a terminal
is told in other words; nobody wants to read that there."""


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, and the fields that belong to it."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as one line."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """A line for people, with the fields behind the message."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as a line, or several where an error is told."""
        fields = getattr(record, "fields", {})
        told = " ".join(f"{name}={value}" for name, value in fields.items())
        clock = datetime.fromtimestamp(record.created, tz=UTC).astimezone().strftime("%H:%M:%S")
        text = f"{clock} {record.levelname.lower()}: {record.getMessage()} {told}".rstrip()
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return text


def begin_logging(form: str, stream: TextIO | None = None) -> None:
    """Send all logs to a stream, stderr by default: ``json`` for machines, ``plain`` for people."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.INFO if form == "json" else logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING)
