"""The results of the strategies of Ultimate Draw by the dealer's rung, as a file stores them."""

import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Final

from openfelt.maths.content_hash import content_hash
from openfelt.maths.draw.qualifying_hands import RungResult, Rungs

RUNGS_FILE: Final = "draw_rung_counts.json"


@cache
def kept_rungs() -> Mapping[str, Rungs]:
    """The stored results of the full deck, by the name of the strategy.

    Raises ValueError if the file was altered: it has a hash of its counts.

    >>> f"{float(sum(rung.often for rung in kept_rungs()['house_way'][:13])):.6f}"
    '0.499573'
    """
    text = files("openfelt.maths.draw").joinpath(RUNGS_FILE).read_text(encoding="utf-8")
    return read_rungs(text)


def read_rungs(text: str) -> dict[str, Rungs]:
    """Read a file of results; raises ValueError if its hash does not match."""
    whole = json.loads(text)
    counts = whole["counts"]
    if whole["sha256"] != content_hash(counts):
        raise ValueError(f"{RUNGS_FILE} does not have the hash of its counts: it was altered")
    often = [Fraction(share) for share in counts["often"]]
    return {
        name: tuple(
            RungResult(share, Fraction(net)) for share, net in zip(often, nets, strict=True)
        )
        for name, nets in counts["win_less_lose"].items()
    }


def write_rungs(title: str, strategies: Mapping[str, Rungs]) -> str:
    """The text of a file of results, with a hash of them.

    How often the dealer ends on a rung is the same for every strategy.
    """
    first = next(iter(strategies.values()))
    counts = {
        "often": [str(rung.often) for rung in first],
        "win_less_lose": {
            name: [str(rung.win_less_lose) for rung in rungs] for name, rungs in strategies.items()
        },
    }
    whole = {"what": title, "sha256": content_hash(counts), "counts": counts}
    return json.dumps(whole, indent=1) + "\n"
