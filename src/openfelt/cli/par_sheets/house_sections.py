"""The first sections of every par sheet: house and software, rules, wagers and paytables."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from openfelt.catalog.clauses import load_documents
from openfelt.cli.par_sheets.rules_in_words import rules_in_words
from openfelt.cli.par_sheets.sheet import Section
from openfelt.cli.paytables import table_rows, table_title
from openfelt.money import format_cents
from openfelt.rules.house import House


def house_sections(house: House) -> Iterator[Section]:
    """Identification, rules, wagers and every paytable."""
    yield Section(
        "Identification",
        (),
        ("what", "value"),
        (
            ("House", f"{house.id}, version {house.version}"),
            ("Rules", f"document {house.document}: {house.source}"),
            ("Fingerprint of the rule data (SHA-256)", house.fingerprint),
            ("Software", f"openfelt {version('openfelt')}"),
        ),
    )
    yield Section("Rules", tuple(rules_in_words(house)))
    if house.notices:
        yield Section("Notices to players", ("The table shows these texts:", *house.notices))
    yield Section(
        "Wagers",
        (),
        ("wager", "least", "most", "in steps of"),
        tuple(
            (
                rule.kind.words,
                format_cents(rule.min_cents),
                format_cents(rule.max_cents),
                format_cents(rule.multiple_of_cents),
            )
            for rule in house.wagers
        ),
    )
    tables = [rule.paytable for rule in house.wagers if rule.paytable]
    for table in [*tables, *([house.ante_bonus] if house.ante_bonus else [])]:
        yield Section(
            f"Paytable: {table_title(table)}",
            (f"Clause {table.clause}.",),
            ("hand", "pays"),
            tuple(table_rows(table)),
        )


def claims_section(claims: Sequence[tuple[str, str, str, str, str]], *sentences: str) -> Section:
    """What documents claim: figure, clause, claim, counted figure, and whether they agree."""
    letters = {clause.partition(".")[0] for _, clause, *_ in claims}
    titles = [f"{one.letter}, {one.title}" for one in load_documents() if one.letter in letters]
    named = [f"The first letter of a clause is that of its document: {'; '.join(titles)}."]
    columns = ("figure", "clause", "claimed", "counted", "agrees")
    return Section(
        "What the documents claim",
        (*(named if titles else ()), *sentences),
        columns,
        tuple(claims),
    )
