"""The schema of a PostgreSQL database compared with the one that the migrations make.

The migrations are run on temporary tables, in a transaction that is rolled back, and the server's
own catalog describes both. So nothing depends on how a version of PostgreSQL prints a definition.
"""

from collections.abc import Iterator
from typing import Final

from openfelt.storage import migrations
from openfelt.storage.postgres.connections import Connection
from openfelt.storage.postgres.postgres_database import PostgresDatabase

_Part = tuple[str, str, str]
"""The kind of an object, its name, and its definition."""

_OWN: Final = "SELECT current_schema()::regnamespace::oid::bigint"
_TEMPORARY: Final = "SET LOCAL search_path TO pg_temp"
_MADE: Final = "SELECT pg_my_temp_schema()::bigint"


def _own(catalog: str, query: str) -> str:
    """A query without what belongs to an extension: that is not ours."""
    belongs = f"deptype = 'e' AND classid = '{catalog}'::regclass AND objid = {catalog}.oid"
    return f"{query} AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE {belongs})"  # noqa: S608


_RELATIONS: Final = _own(
    "pg_class",
    "SELECT CASE relkind WHEN 'r' THEN 'table' WHEN 'i' THEN 'index' WHEN 'S' THEN 'sequence'"
    " WHEN 'v' THEN 'view' ELSE 'relation' END, relname, concat_ws(' ', relkind,"
    " CASE WHEN relpersistence = 'u' THEN 'unlogged' ELSE 'logged' END,"
    " relrowsecurity, relforcerowsecurity, reloptions::text) FROM pg_class"
    " WHERE relnamespace = {schema} AND relkind <> 'c'",
)
_COLUMNS: Final = _own(
    "pg_class",
    "SELECT 'column', relname || '.' || attname, concat_ws(' ',"
    " format_type(atttypid, atttypmod), attnotnull, attidentity, attgenerated, collname,"
    " pg_get_expr(adbin, adrelid)) FROM pg_attribute"
    " JOIN pg_class ON pg_class.oid = attrelid"
    " LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum"
    " LEFT JOIN pg_collation ON pg_collation.oid = attcollation"
    " WHERE relnamespace = {schema} AND relkind = 'r' AND attnum > 0 AND NOT attisdropped",
)
_CONSTRAINTS: Final = (
    "SELECT 'constraint', conname, concat_ws(' ', conrelid::regclass::text, convalidated,"
    " pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = {schema}"
    " AND contype <> 'n'"
)
_INDEXES: Final = (
    "SELECT 'index', relname, concat_ws(' ', indisvalid, indisunique,"
    " pg_get_indexdef(indexrelid)) FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
    " WHERE relnamespace = {schema}"
)
_SEQUENCES: Final = (
    "SELECT 'sequence', relname, concat_ws(' ', seqstart, seqincrement, seqmin, seqmax, seqcycle)"
    " FROM pg_sequence JOIN pg_class ON pg_class.oid = seqrelid WHERE relnamespace = {schema}"
)
_TRIGGERS: Final = (
    "SELECT 'trigger', relname || '.' || tgname, pg_get_triggerdef(pg_trigger.oid)"
    " FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
    " WHERE NOT tgisinternal AND relnamespace = {schema}"
)
_RULES: Final = (
    "SELECT 'rule', relname || '.' || rulename, pg_get_ruledef(pg_rewrite.oid) FROM pg_rewrite"
    " JOIN pg_class ON pg_class.oid = ev_class WHERE relnamespace = {schema} AND relkind <> 'v'"
)
_POLICIES: Final = (
    "SELECT 'policy', relname || '.' || polname, concat_ws(' ', polcmd, polpermissive,"
    " pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) FROM pg_policy"
    " JOIN pg_class ON pg_class.oid = polrelid WHERE relnamespace = {schema}"
)
_FUNCTIONS: Final = _own(
    "pg_proc",
    "SELECT 'function', proname, md5(coalesce(prosrc, '')) FROM pg_proc"
    " WHERE pronamespace = {schema}",
)
# The rows of a table that inherits are read with those of its parent, wherever it is.
_CHILDREN: Final = (
    "SELECT 'child', parent.relname || '.' || child.relname, '' FROM pg_inherits"
    " JOIN pg_class AS parent ON parent.oid = inhparent"
    " JOIN pg_class AS child ON child.oid = inhrelid WHERE parent.relnamespace = {schema}"
)
_QUESTIONS: Final = (
    *(_RELATIONS, _COLUMNS, _CONSTRAINTS, _INDEXES, _SEQUENCES),
    *(_TRIGGERS, _RULES, _POLICIES, _FUNCTIONS, _CHILDREN),
)


def catalog_faults(connection: Connection) -> list[str]:
    """Differences from what the migrations create. The caller rolls the transaction back."""
    ((schema,),) = connection.execute(_OWN.encode()).fetchall()
    actual = set(_parts(connection, int(schema)))
    connection.execute(_TEMPORARY.encode())
    migrations.migrate(_Temporary(connection), migrations.POSTGRES)
    ((made,),) = connection.execute(_MADE.encode()).fetchall()
    wanted = set(_parts(connection, int(made)))
    missing = {(kind, name) for kind, name, _ in wanted - actual}
    added = {(kind, name) for kind, name, _ in actual - wanted} - missing
    return sorted(
        [f"the {kind} {name} is missing or changed" for kind, name in missing]
        + [f"there is another {kind} {name}" for kind, name in added]
    )


def _parts(connection: Connection, schema: int) -> Iterator[_Part]:
    query = f"SELECT nspname FROM pg_namespace WHERE oid = {schema}"  # noqa: S608 (a number)
    ((own,),) = connection.execute(query.encode()).fetchall()
    for question in _QUESTIONS:
        for kind, name, definition in connection.execute(
            question.format(schema=schema).encode()
        ).fetchall():
            text = str(definition)
            for named in (f"{own}.", f'"{own}".', "pg_temp."):
                text = text.replace(named, "")
            yield str(kind), str(name), text


class _Temporary(PostgresDatabase):
    """A database of temporary tables, of which there are none yet."""

    def tables(self) -> list[str]:
        return []
