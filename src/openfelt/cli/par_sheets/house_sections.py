"""The first sections of every par sheet: house and software, rules, wagers and paytables."""

from collections.abc import Iterator
from importlib.metadata import version

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
