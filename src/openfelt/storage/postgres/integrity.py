"""PostgreSQL's own check of a database, in the parts that this user may run."""

from collections.abc import Callable, Sequence
from typing import Final

from openfelt.storage.door import StoreError
from openfelt.storage.inspection.interface import Integrity
from openfelt.storage.sql.rows import Row

_INDEXES: Final = (
    "SELECT index.relname, index.oid FROM pg_index"
    " JOIN pg_class AS index ON index.oid = pg_index.indexrelid"
    " JOIN pg_am ON pg_am.oid = index.relam"
    " JOIN pg_namespace ON pg_namespace.oid = index.relnamespace"
    " WHERE amname = 'btree' AND indisvalid AND nspname = current_schema() ORDER BY 1"
)
_AMCHECK: Final = (
    "SELECT nspname FROM pg_extension JOIN pg_namespace ON pg_namespace.oid = extnamespace"
    " WHERE extname = 'amcheck'"
)
_CHECKSUMS: Final = "SELECT current_setting('data_checksums')"
_UNAVAILABLE: Final = (
    "PostgreSQL's own check of its files was not run: the extension amcheck is not there or not "
    "allowed for this user. Every row was read, {checksums}."
)
_NOT_COMPARED: Final = (
    "The tables, indexes and triggers were not compared with those of a new database, because this "
    "user may not make temporary tables."
)
_WITH_CHECKSUMS: Final = "and the server's checksums were compared"
_WITHOUT_CHECKSUMS: Final = "but the server keeps no checksums of its files"

Read = Callable[[str, Sequence[object]], list[Row]]
RunLong = Callable[[bytes], None]
Compare = Callable[[], list[str]]
"""Compares the schema with that of a new database."""


def inspected(read: Read, run_long: RunLong, compare: Compare) -> Integrity:
    """Faults of the database, and checks that could not be made."""
    faults, notes = _schema_faults(compare)
    schemas = read(_AMCHECK, ())
    checked = False
    if schemas:
        ((schema,),) = schemas
        for name, oid in read(_INDEXES, ()):
            try:
                # A row that the index misses is found too.
                run_long(f'SELECT "{schema}".bt_index_check({int(oid)}::regclass, true)'.encode())
                checked = True
            except StoreError as error:
                if "may not do that" in str(error):
                    break
                faults.append(f"the index {name} is damaged")
    if checked:
        return Integrity(tuple(faults), tuple(notes))
    ((setting,),) = read(_CHECKSUMS, ())
    checksums = _WITH_CHECKSUMS if setting == "on" else _WITHOUT_CHECKSUMS
    return Integrity(tuple(faults), (*notes, _UNAVAILABLE.format(checksums=checksums)))


def _schema_faults(compare: Compare) -> tuple[list[str], list[str]]:
    """Faults of the schema, and a note where it cannot be compared."""
    try:
        return compare(), []
    except StoreError as error:
        return [], [f"{_NOT_COMPARED} {error}"]
