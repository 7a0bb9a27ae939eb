"""Log formats: one JSON object per line for programs, or plain lines for people."""

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, TextIO

_QUIET = (
    "openfelt.server.http.access_log",
    "openfelt.server.store.store_metrics",
    "openfelt.server.process.listener",
)
"""Loggers of single requests and commands, and of starting and stopping, which the command line
announces itself; the plain format leaves their information out."""


class JsonFormatter(logging.Formatter):
    """One JSON object per line: time, level, logger, message, and the fields of the record."""

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


class PlainFormatter(logging.Formatter):
    """A line for people, with the fields after the message."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as one line, followed by the traceback of an error."""
        fields = getattr(record, "fields", {})
        shown = " ".join(f"{name}={value}" for name, value in fields.items())
        clock = datetime.fromtimestamp(record.created, tz=UTC).astimezone().strftime("%H:%M:%S")
        text = f"{clock} {record.levelname.lower()}: {record.getMessage()} {shown}".rstrip()
        if record.exc_info:
            text += "\n" + self.formatException(record.exc_info)
        return text


def configure_logging(form: str, stream: TextIO | None = None) -> None:
    """Send all logs to a stream, stderr by default, in the ``json`` or the ``plain`` format."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonFormatter() if form == "json" else PlainFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.INFO)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.INFO if form == "json" else logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "asyncio"):
        logging.getLogger(name).setLevel(logging.WARNING)
