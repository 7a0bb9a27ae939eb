"""The first sections of every par sheet: house and software, rules, wagers and paytables."""

import re
from collections.abc import Collection, Iterator, Sequence
from importlib.metadata import version

from openfelt.catalog.clauses import load_documents
from openfelt.cli.par_sheets.rules_in_words import rules_in_words
from openfelt.cli.par_sheets.sheet import Section
from openfelt.cli.paytables import table_rows, table_title
from openfelt.money import format_cents
from openfelt.rules.house import House, WagerRule
from openfelt.rules.paytable import Paytable
from openfelt.rules.wager_rules import wager_max_cents
from openfelt.rules.wagers import WagerKind

_OTHERS_TABLE = (
    "A paytable that is not in the document of the house is cited from another document that has "
    "it."
)
_RULINGS = "Rulings of Openfelt on what the documents leave open"


def house_sections(house: House) -> Iterator[Section]:
    """Identification, rules, wagers and every paytable."""
    rules = tuple(rules_in_words(house))
    tables = [rule.paytable for rule in house.wagers if rule.paytable]
    tables += [house.ante_bonus] if house.ante_bonus else []
    clauses = [own_clause(house, table) for table in tables]
    yield Section(
        "Identification",
        (
            documents_told({house.document, *_letters(*clauses, *rules)}),
            *([_OTHERS_TABLE] if _letters(*clauses) - {house.document, "R"} else []),
        ),
        ("what", "value"),
        (
            ("House", f"{house.id}, version {house.version}"),
            ("Rules", f"document {house.document}: {house.source}"),
            ("Fingerprint of the rule data (SHA-256)", house.fingerprint),
            ("Software", f"openfelt {version('openfelt')}"),
        ),
    )
    yield Section("Rules", rules)
    if house.notices:
        yield Section("Notices to players", ("The table shows these texts:", *house.notices))
    yield Section(
        "Wagers",
        tuple(_limits_told(house)),
        ("wager", "least", "most", "in steps of", "requires"),
        (*(_wager_row(house, rule) for rule in house.wagers), *_play_rows(house)),
    )
    for table, clause in zip(tables, clauses, strict=True):
        yield Section(
            f"Paytable: {table_title(table)}",
            (f"Clause {clause}.",),
            ("hand", "pays"),
            tuple(table_rows(table)),
        )


def own_clause(house: House, table: Paytable) -> str:
    """The clause of a paytable: that of the house's own document if it has the table.

    >>> from openfelt.catalog import load_house
    >>> washington, online = load_house("washington"), load_house("online")
    >>> own_clause(washington, washington.hand_table(WagerKind.TRIPS))
    'W.paytables.UTH-01'
    >>> own_clause(online, online.hand_table(WagerKind.TRIPS))
    'S.paytables.UTH-03'
    """
    own = f"{house.document}.paytables.{table.name}"
    clauses = {clause.id for document in load_documents() for clause in document.clauses}
    return own if own in clauses else table.clause


def documents_told(letters: Collection[str]) -> str:
    """What the first letter of a clause stands for, for these documents.

    >>> documents_told({"R", "D"}).partition("; ")[2]
    'R, Rulings of Openfelt on what the documents leave open.'
    """
    titles = [
        f"{document.letter}, {_RULINGS if document.letter == 'R' else document.title}"
        for document in load_documents()
        if document.letter in letters
    ]
    return f"The first letter of a clause is that of its document: {'; '.join(titles)}."


def _letters(*texts: str) -> set[str]:
    """The documents whose clauses some texts cite."""
    return set(re.findall(r"\b([A-Z])\.[a-z0-9]", " ".join(texts)))


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
    letters = _letters(*(clause for _, clause, *_ in claims))
    columns = ("figure", "clause", "claimed", "counted", "agrees")
    return Section(
        "What the documents claim",
        (*([documents_told(letters)] if letters else ()), *sentences),
        columns,
        tuple(claims),
    )
