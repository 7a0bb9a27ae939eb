"""The folders of rule data: the one included in Openfelt, and an operator's own."""

from pathlib import Path
from typing import Final

from openfelt.catalog.errors import CatalogError

_INCLUDED: Final = Path(__file__).parent


def house_files(folder: Path | None) -> list[Path]:
    """The files of all houses; CatalogError for a folder that does not exist."""
    files = sorted((_INCLUDED / "houses").glob("*.toml"))
    if folder is not None and not folder.is_dir():
        raise CatalogError(folder, "", "is not a folder of houses")
    return files if folder is None else files + sorted(folder.glob("*.toml"))


def paytable_files(folder: Path | None) -> list[Path]:
    """The files of all paytables."""
    files = sorted((_INCLUDED / "paytables").glob("*.toml"))
    return files if folder is None else files + sorted((folder / "paytables").glob("*.toml"))
