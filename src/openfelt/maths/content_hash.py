"""The hash of content that is stored as JSON, independent of the formatting."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def content_hash(content: Mapping[str, Any]) -> str:
    """The SHA-256 of JSON with sorted keys and without spaces.

    >>> content_hash({"b": 1, "a": 2})[:16]
    'd3626ac30a87e6f7'
    """
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
