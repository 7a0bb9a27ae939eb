"""The catalog: paytables and houses as data, and the loader that checks them.

The five houses included in Openfelt follow the five published documents. Operators
add houses as files in their own folder, and paytables in that folder's
``paytables``; neither needs a change to the program.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from openfelt.catalog.clauses import Clause, Document, load_documents
from openfelt.catalog.errors import CatalogError, UnknownHouseError
from openfelt.catalog.files import HouseFile, PaytableFile, PaytableForm, read_file
from openfelt.catalog.houses import read_house
from openfelt.catalog.paytables import PaytableKey, read_paytables
from openfelt.rules.house import House
from openfelt.rules.paytable import Paytable

__all__ = [
    "Catalog",
    "CatalogError",
    "Clause",
    "Document",
    "UnknownHouseError",
    "house_file",
    "load_catalog",
    "load_documents",
    "load_house",
    "paytable_form",
]

_OWN = Path(__file__).parent
_FORMS_KEPT = 200


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
    paytables = read_paytables(_paytable_files(folder))
    houses: dict[str, House] = {}
    for file in _house_files(folder):
        house = read_house(file, paytables)
        if house.id in houses:
            raise CatalogError(file, "id", f"a house called {house.id!r} exists already")
        houses[house.id] = house
    return Catalog(houses, paytables)


def _house_files(folder: Path | None) -> list[Path]:
    files = sorted((_OWN / "houses").glob("*.toml"))
    if folder is not None and not folder.is_dir():
        raise CatalogError(folder, "", "is not a folder of houses")
    return files if folder is None else files + sorted(folder.glob("*.toml"))


def _paytable_files(folder: Path | None) -> list[Path]:
    files = sorted((_OWN / "paytables").glob("*.toml"))
    return files if folder is None else files + sorted((folder / "paytables").glob("*.toml"))


@lru_cache(maxsize=_FORMS_KEPT)
def house_file(house_id: str, folder: Path | None = None) -> HouseFile:
    """The file of a house as it is written; raises UnknownHouseError."""
    for file in _house_files(folder):
        form = read_file(file, HouseFile)
        if form.id == house_id:
            return form
    raise UnknownHouseError(f"No file has a house called {house_id!r}.")


@lru_cache(maxsize=_FORMS_KEPT)
def paytable_form(wager: str, name: str, folder: Path | None = None) -> PaytableForm | None:
    """A paytable as its file has it; None if there is none of that name for the wager."""
    forms = (
        form for file in _paytable_files(folder) for form in read_file(file, PaytableFile).paytable
    )
    return next((form for form in forms if (form.wager, form.name) == (wager, name)), None)


def load_house(house_id: str, *, folder: Path | None = None) -> House:
    """Load one house by id.

    >>> load_house("draw").name
    'Ultimate Draw Poker'
    """
    return load_catalog(folder).house(house_id)
