"""Values that many views of a frozen round have in common, written once."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec


class SharedValues:
    """Collects values; equal ones have the same place in the list.

    >>> shared = SharedValues()
    >>> shared.step({"text": "a", "what": {"kind": "x"}, "public": {}, "own": {"1.1": {}}})
    {'text': 'a', 'what': 0, 'public': 1, 'own': {'1.1': 1}}
    >>> shared.values
    [{'kind': 'x'}, {}]
    """

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[bytes, int] = {}

    def step(self, step: Mapping[str, Any]) -> dict[str, Any]:
        """A step that names its parts by their places."""
        named = {"what": self._place(step["what"]), "public": self._place(step["public"])}
        own = {spot: self._place(hand) for spot, hand in step["own"].items()}
        return {**step, **named, "own": own}

    def _place(self, value: Any) -> int:
        key = msgspec.json.encode(value, order="sorted")
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = len(self.values)
            self.values.append(value)
        return place


def whole_steps(steps: Sequence[Mapping[str, Any]], values: Sequence[Any]) -> list[dict[str, Any]]:
    """Steps with their parts again, as they were before they were shared."""
    return [
        {
            **step,
            "what": values[step["what"]],
            "public": values[step["public"]],
            "own": {spot: values[place] for spot, place in step["own"].items()},
        }
        for step in steps
    ]
