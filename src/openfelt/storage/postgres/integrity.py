"""PostgreSQL's own check of a database, as far as this user may run it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from openfelt.storage.door import StoreError
from openfelt.storage.inspection.interface import Integrity
from openfelt.storage.inspection.queries import index_names
from openfelt.storage.sql.rows import Row

_INDEXES: Final = (
    "SELECT index.relname, index.oid FROM pg_index"
    " JOIN pg_class AS index ON index.oid = pg_index.indexrelid"
    " JOIN pg_am ON pg_am.oid = index.relam"
    " JOIN pg_namespace ON pg_namespace.oid = index.relnamespace"
    " WHERE amname = 'btree' AND indisvalid AND nspname = current_schema() ORDER BY 1"
)
_TRIGGERS: Final = (
    "SELECT relname, tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
    " JOIN pg_namespace ON pg_namespace.oid = relnamespace"
    " WHERE NOT tgisinternal AND nspname = current_schema() UNION ALL"
    " SELECT tablename, rulename FROM pg_rules WHERE schemaname = current_schema()"
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
_WITH_CHECKSUMS: Final = "and the server's checksums were compared"
_WITHOUT_CHECKSUMS: Final = "but the server keeps no checksums of its files"

Read = Callable[[str, Sequence[object]], list[Row]]
RunLong = Callable[[bytes], None]


def inspected(read: Read, run_long: RunLong) -> Integrity:
    """What is wrong with the database, and what could not be checked."""
    faults = [*_schema_faults(read)]
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
        return Integrity(tuple(faults))
    ((setting,),) = read(_CHECKSUMS, ())
    checksums = _WITH_CHECKSUMS if setting == "on" else _WITHOUT_CHECKSUMS
    return Integrity(tuple(faults), (_UNAVAILABLE.format(checksums=checksums),))


def _schema_faults(read: Read) -> Iterator[str]:
    indexes = {str(name) for name, _ in read(_INDEXES, ())}
    for name in sorted(index_names() - indexes):
        yield f"the index {name} is missing or not valid"
    for table, name in read(_TRIGGERS, ()):
        yield f"the table {table} has a trigger or rule {name}"
