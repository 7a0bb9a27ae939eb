"""What every par sheet begins with: which house and software, its rules, wagers and paytables."""

from collections.abc import Iterator
from importlib.metadata import version

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
    yield Section("Rules", tuple(_rules(house)))
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


def _rules(house: House) -> Iterator[str]:
    yield f"The dealer qualifies with: {house.dealer_qualifies.or_better}."
    if house.play is not None:
        for when, multiples in (
            ("before the flop", house.play.before_flop),
            ("on the flop", house.play.on_flop),
            ("on the river", house.play.on_river),
        ):
            offered = " or ".join(f"{multiple}x" for multiple in multiples)
            yield f"Play {when}: {offered} the Ante."
    yield from house.notices
    for aggregate in house.payout_aggregates:
        yield (
            f"All {aggregate.wager.words} wagers of a round together are paid at most "
            f"{format_cents(aggregate.max_cents)} (R.36); the figures count payouts in full."
        )
