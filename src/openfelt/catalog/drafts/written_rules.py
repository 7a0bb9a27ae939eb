"""Houses and paytables as their files have them, which drafts begin with."""

from functools import lru_cache
from pathlib import Path
from typing import Final

from openfelt.catalog.errors import UnknownHouseError
from openfelt.catalog.files import HouseFile, PaytableFile, PaytableForm, read_file
from openfelt.catalog.rule_folders import house_files, paytable_files

_KEPT: Final = 200
"""How many forms are kept, since a draft is read with every key that is pressed."""


@lru_cache(maxsize=_KEPT)
def house_form(house_id: str, folder: Path | None = None) -> HouseFile:
    """The file of a house as it is written; raises UnknownHouseError.

    >>> house_form("washington").table.seats
    6
    """
    for file in house_files(folder):
        form = read_file(file, HouseFile)
        if form.id == house_id:
            return form
    raise UnknownHouseError(f"No file has a house called {house_id!r}.")


@lru_cache(maxsize=_KEPT)
def paytable_form(wager: str, name: str, folder: Path | None = None) -> PaytableForm | None:
    """A paytable as its file has it; None if the wager has none of that name."""
    for file in paytable_files(folder):
        for form in read_file(file, PaytableFile).paytable:
            if (form.wager, form.name) == (wager, name):
                return form
    return None
