"""The first sections of every par sheet: house and software, rules, wagers and paytables."""

from collections.abc import Iterator, Sequence
from importlib.metadata import version

from openfelt.catalog.clauses import load_documents
from openfelt.cli.par_sheets.rules_in_words import rules_in_words
from openfelt.cli.par_sheets.sheet import Section
from openfelt.cli.paytables import table_rows, table_title
from openfelt.money import format_cents
from openfelt.rules.house import House, WagerRule
from openfelt.rules.wager_rules import wager_max_cents
from openfelt.rules.wagers import WagerKind


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
        tuple(_limits_told(house)),
        ("wager", "least", "most", "in steps of", "requires"),
        (*(_wager_row(house, rule) for rule in house.wagers), *_play_rows(house)),
    )
    tables = [rule.paytable for rule in house.wagers if rule.paytable]
    for table in [*tables, *([house.ante_bonus] if house.ante_bonus else [])]:
        yield Section(
            f"Paytable: {table_title(table)}",
            (f"Clause {table.clause}.",),
            ("hand", "pays"),
            tuple(table_rows(table)),
        )


def _wager_row(house: House, rule: WagerRule) -> tuple[str, ...]:
    """A wager with its limits, the law's included, and what it needs on the same hand."""
    required = ", ".join(kind.words for kind in rule.requires) or "nothing"
    if rule.kind is WagerKind.BLIND:
        required = f"an equal {WagerKind.ANTE.words}"
    return (
        rule.kind.words,
        format_cents(rule.min_cents),
        format_cents(wager_max_cents(house, house.latest_limits, rule)),
        format_cents(rule.multiple_of_cents),
        required,
    )


def _play_rows(house: House) -> Iterator[tuple[str, ...]]:
    """The Play wager, which has no limits of its own."""
    if (play := house.play) is not None:
        multiples = (*play.before_flop, *play.on_flop, *play.on_river)
        ends = (f"{multiple}x the Ante" for multiple in (min(multiples), max(multiples)))
        yield (WagerKind.PLAY.words, *ends, "", f"{WagerKind.ANTE.words}, {WagerKind.BLIND.words}")


def _limits_told(house: House) -> Iterator[str]:
    """The limits of the house and of the law that no row of the table has."""
    limits = house.latest_limits
    if limits is not None:
        yield f"The limits are those from {limits.since} on ({limits.source})."
        if limits.wagers_per_hand_max is not None:
            yield f"A hand carries at most {limits.wagers_per_hand_max} wagers, Play included."
        if limits.table_aggregate_max_cents is not None:
            most = format_cents(limits.table_aggregate_max_cents)
            yield f"All wagers of a round on one table, before Play, are at most {most} together."
    if (tips := house.dealer_wagers) is not None:
        yield (
            f"Wagers for the dealer are {format_cents(tips.min_cents)} to "
            f"{format_cents(tips.max_cents)}, in steps of {format_cents(tips.multiple_of_cents)}."
        )


def claims_section(claims: Sequence[tuple[str, str, str, str, str]], *sentences: str) -> Section:
    """What documents claim: figure, clause, claim, counted figure, and whether they agree."""
    letters = {clause.partition(".")[0] for _, clause, *_ in claims}
    titles = [
        f"{document.letter}, {document.title}"
        for document in load_documents()
        if document.letter in letters
    ]
    named = [f"The first letter of a clause is that of its document: {'; '.join(titles)}."]
    columns = ("figure", "clause", "claimed", "counted", "agrees")
    return Section(
        "What the documents claim",
        (*(named if titles else ()), *sentences),
        columns,
        tuple(claims),
    )
