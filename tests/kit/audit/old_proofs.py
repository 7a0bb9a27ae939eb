"""Proofs that earlier versions of Openfelt wrote, and the rules of every proof."""

from pathlib import Path
from typing import Final

from openfelt.catalog import load_catalog
from openfelt.rules.house import House
from openfelt.runtime.rounds.proof import RoundProof
from openfelt.storage.codec import Codec
from tests.kit.repository import ROOT

_FOLDER: Final = ROOT / "tests" / "runtime" / "rounds" / "old_proofs"
OLD_PROOFS: Final[list[Path]] = sorted(_FOLDER.glob("*.json"))
"""Named by the house and the version, such as ``stadium.2.json``."""


def old_proof(house: str, version: int) -> str:
    """The proof of a round of a house, in an earlier version of the format."""
    return (_FOLDER / f"{house}.{version}.json").read_text(encoding="utf-8")


def rules_of(proof: RoundProof) -> House:
    """The rules that a proof names: of the catalog, or as they were when an old proof was made."""
    for path in (_FOLDER / "rule_sets").glob(f"*.{proof.fingerprint}.json"):
        return Codec(lambda _: None).house_from_json(path.read_text(encoding="utf-8"))
    return load_catalog().houses[proof.house]
