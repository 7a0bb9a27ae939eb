"""The catalog: paytables and houses as data, and the loader that checks them.

The five houses included in Openfelt follow the five published documents. Operators
add houses as files in their own folder, and paytables in that folder's
``paytables``; neither needs a change to the program.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from openfelt.catalog.clauses import Clause, Document, load_documents
from openfelt.catalog.errors import CatalogError, UnknownHouseError
from openfelt.catalog.houses import read_house
from openfelt.catalog.paytables import PaytableKey, read_paytables
from openfelt.catalog.rule_folders import house_files, paytable_files
from openfelt.rules.house import House
from openfelt.rules.paytable import Paytable

__all__ = [
    "Catalog",
    "CatalogError",
    "Clause",
    "Document",
    "UnknownHouseError",
    "load_catalog",
    "load_documents",
    "load_house",
]


@dataclass(frozen=True, slots=True)
class Catalog:
    """Every available house and paytable."""

    houses: Mapping[str, House]
    paytables: Mapping[PaytableKey, Paytable]
    """By wager and published name, such as ``("trips", "UTH-01")``."""

    def house(self, house_id: str) -> House:
        """The house with this id; UnknownHouseError lists the existing ones."""
        if house_id not in self.houses:
            raise UnknownHouseError(
                f"There is no house called {house_id!r}. There are {', '.join(self.houses)}."
            )
        return self.houses[house_id]


@cache
def load_catalog(folder: Path | None = None) -> Catalog:
    """Load everything included in Openfelt and, optionally, an operator's folder.

    Raises CatalogError for the first invalid file.

    >>> sorted(load_catalog().houses)
    ['california', 'draw', 'online', 'stadium', 'washington']
    """
    paytables = read_paytables(paytable_files(folder))
    houses: dict[str, House] = {}
    for file in house_files(folder):
        house = read_house(file, paytables)
        if house.id in houses:
            raise CatalogError(file, "id", f"a house called {house.id!r} exists already")
        houses[house.id] = house
    return Catalog(houses, paytables)


def load_house(house_id: str, *, folder: Path | None = None) -> House:
    """Load one house by id.

    >>> load_house("draw").name
    'Ultimate Draw Poker'
    """
    return load_catalog(folder).house(house_id)
