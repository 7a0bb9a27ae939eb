"""Generates the reference pages of paytables and houses from the rule data.

``make docs`` writes them into ``docs/reference``.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from openfelt.catalog import Catalog, load_documents
from openfelt.catalog.clauses import outcomes_of
from openfelt.money import format_cents
from openfelt.rules.house import (
    BankKind,
    DatedLimits,
    DealerWagerRule,
    House,
    Procedure,
    Unfinished,
    WagerRule,
)
from openfelt.rules.paytable import HandPaytable, PairsPaytable, Paytable, ProgressivePaytable
from openfelt.rules.wagers import WagerKind

Lines = list[str]

_DEALT_BY = {
    Procedure.HANDHELD: "two cards to each hand and to the dealer, then the board as needed",
    Procedure.COMMUNITY_FIRST: "the board first, face down, then two cards to each hand",
    Procedure.SHOE: "one card around, one more around, then the board, all face down",
    Procedure.TERMINALS: "the board and the dealer's cards, face down, then two to each hand, "
    "which come from the deck of the hand's terminal",
    Procedure.DRAW: "five cards to each hand and to the dealer, then five common draw cards, "
    "spread from spot 1 to the right",
    Procedure.DRAW_FROM_FIVE: "the same, but the first draw card goes to spot 5, the next to "
    "spot 4, and so on",
}


def _opening(title: str, data: str, words: str) -> Lines:
    """The head of a page: its title, its source, and an introduction."""
    origin = (
        f"`make docs` generates this page from the rule data in `{data}`, and `make check` fails "
        "if the two differ. Change the data, not the page."
    )
    return [f"# {title}", "", origin, "", words, ""]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Lines:
    """A Markdown table, followed by an empty line."""
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines] + [""]


# Paytables -------------------------------------------------------------------


def paytables_page(catalog: Catalog) -> str:
    """The page of every paytable, wager by wager."""
    by_wager: dict[str, list[Paytable]] = {}
    for wager in (*(kind.value for kind in WagerKind), "ante_bonus"):
        tables = [table for (kind, _), table in catalog.paytables.items() if kind == wager]
        if tables:
            by_wager[wager] = tables
    words = (
        "A winning wager is paid at these odds, and its stake is returned as well. A wager loses "
        "if its table does not list the hand. The Blind is the exception: it is compared with the "
        "dealer first, and pushes on a win that its table does not list. The Ante Bonus has no "
        "stake of its own and multiplies the Ante. A *claimed* figure is quoted from the document "
        "and not computed."
    )
    lines = _opening("Paytables", "src/openfelt/catalog/paytables/", words)
    for wager, tables in by_wager.items():
        lines += [f"## {_felt_name(wager)}", "", *_tables_of(tables)]
    return "\n".join(lines)


def _felt_name(wager: str) -> str:
    return "Ante Bonus" if wager == "ante_bonus" else WagerKind(wager).words


def _tables_of(tables: Sequence[Paytable]) -> Lines:
    by_hand = [table for table in tables if isinstance(table, HandPaytable)]
    lines = _hand_tables(by_hand) if by_hand else []
    for table in tables:
        match table:
            case PairsPaytable():
                lines += _pairs_table(table)
            case ProgressivePaytable():
                lines += _progressive_table(table)
            case HandPaytable():
                pass
    return lines


def _hand_tables(tables: Sequence[HandPaytable]) -> Lines:
    """Tables that pay by poker hand, side by side: a row for each hand, a column for each table."""
    hands = {row.hand: None for table in tables for row in table.rows}
    best_first = sorted(hands, key=lambda hand: hand.category, reverse=True)
    odds = [{row.hand: str(row.odds) for row in table.rows} for table in tables]
    rows = [
        [str(hand).capitalize(), *(column.get(hand, "") for column in odds)] for hand in best_first
    ]
    facts: Mapping[str, Callable[[HandPaytable], str | None]] = {
        "claimed advantage": lambda table: table.claimed_advantage,
        "claimed for the whole game": lambda table: table.claimed_game_advantage,
        "clause": lambda table: table.clause,
    }
    for name, fact in facts.items():
        cells = [fact(table) or "" for table in tables]
        if any(cells):
            rows.append([f"*{name}*", *cells])
    return _table(["hand", *(table.name for table in tables)], rows)


def _pairs_table(table: PairsPaytable) -> Lines:
    rows = [
        [
            row.label,
            ", ".join(f"`{pattern.text}`" for pattern in row.hole),
            ", ".join(f"`{pattern.text}`" for pattern in row.dealer),
            str(row.odds),
        ]
        for row in table.rows
    ]
    return [
        f"### {table.name}",
        "",
        f"Clause {table.clause}. The first row that matches the two hole cards pays.",
        "",
        *_table(["row", "hole cards", "dealer's hole cards", "pays"], rows),
    ]


def _progressive_table(table: ProgressivePaytable) -> Lines:
    rows = [
        [
            row.label,
            f"{row.share_text} of the meter" if row.share is not None else f"{row.for_one} for 1",
            f"{row.envy_for_one} for 1" if row.envy_for_one else "",
        ]
        for row in table.rows
    ]
    words = (
        f"Clause {table.clause}. The hand is read from `{table.reads}`. An award *for 1* is the "
        "total return of a winning unit, including its stake."
    )
    return [
        f"### {table.name}",
        "",
        words,
        "",
        *_table(["hand", "award", "Envy to every other seat's hand"], rows),
    ]


# Houses ----------------------------------------------------------------------


def houses_page(catalog: Catalog) -> str:
    """The page of every house included in Openfelt."""
    titles = {document.letter: document.title for document in load_documents()}
    words = (
        "[The house file](house-file.md) explains each setting, and [Paytables](paytables.md) "
        "lists the tables that the wagers name. The fingerprint is a SHA-256 over every rule of "
        "the house."
    )
    lines = _opening("Houses", "src/openfelt/catalog/houses/", words)
    for house in catalog.houses.values():
        lines += [
            f"## `{house.id}`: {house.name}",
            "",
            f"Version {house.version}. Follows {titles[house.document]} ({house.document}).",
            "",
            f"Fingerprint `{house.fingerprint}`.",
            "",
            *_table(["setting", "value"], _settings(house)),
            *_wagers(house),
            *_limits(house),
            *_collection(house),
            *_notices(house),
            *_departures(house),
            *_outcomes(house),
        ]
    return "\n".join(lines)


def _departures(house: House) -> Lines:
    if not house.departures:
        return []
    rows = [[departure.clause, departure.reason] for departure in house.departures]
    return ["### Departures from the document", "", *_table(["clause", "reason"], rows)]


def _settings(house: House) -> list[list[str]]:
    rows = [
        ["game", house.game.words],
        ["seats", str(house.seats)],
        ["hands per seat", str(house.hands_per_seat)],
        ["dealing", f"`{house.procedure}`: {_DEALT_BY[house.procedure]}"],
    ]
    rows += [
        ["or", f"`{procedure}`: {_DEALT_BY[procedure]}"]
        for procedure in house.procedures
        if procedure is not house.procedure
    ]
    rows += [
        ["deck", f"`{house.deck}`"],
        ["hands decide", f"`{house.turns}`"],
        ["players' cards", "face up" if house.player_cards_face_up else "face down"],
        ["dealer", f"`{house.dealer_mode}`"],
        ["dealer qualifies with", house.dealer_qualifies.or_better],
        ["remote play", "yes" if house.remote_play else "no"],
        ["settlement order", f"`{house.settlement_order}`"],
        ["Antes returned first", "yes" if house.refund_antes_first else "no"],
        ["hands shown", _shown_words(house)],
        ["payouts rounded down to", format_cents(house.rounding_unit_cents)],
        ["chips", ", ".join(map(format_cents, house.chips_cents))],
        ["bank", _bank_words(house)],
    ]
    return rows + _optional_settings(house)


def _shown_words(house: House) -> str:
    folded = "; a folded hand only if one of its wagers wins" if house.folds_face_down else ""
    return f"`{house.showdown}`{folded}"


def _bank_words(house: House) -> str:
    if house.bank.kind is BankKind.HOUSE:
        return "the house"
    return (
        f"a player/dealer, at most {house.bank.rounds_in_a_row_max} rounds in a row; "
        f"cover used up by `{house.bank.cover}`"
        + (", folded wagers first" if house.bank.folds_first else "")
        + _bank_minimum_words(house)
    )


def _bank_minimum_words(house: House) -> str:
    least_cents = house.bank.wager_min_cents
    return "" if least_cents is None else f"; bank wagers from {format_cents(least_cents)}"


def _optional_settings(house: House) -> list[list[str]]:
    """The settings that only some houses have."""
    rows = []
    if house.play is not None:
        for street, multiples in (
            ("before the flop", house.play.before_flop),
            ("on the flop", house.play.on_flop),
            ("on the river", house.play.on_river),
        ):
            rows.append(
                [f"Play wager {street}", " or ".join(f"{multiple}x" for multiple in multiples)]
            )
        rows.append(["Play wager kept in reserve", "yes" if house.play.reserve_play else "no"])
    if house.ante_bonus is not None:
        rows.append(["Ante Bonus", house.ante_bonus.name])
    if house.progressive is not None:
        link = house.progressive
        words = (
            f"{link.contribution * 100}% of each wager to the meter, seeded with "
            f"{format_cents(link.seed_cents)}; several winners: `{link.several_winners}`"
        )
        rows.append(["progressive", words])
    if house.clock is not None:
        rows.append(["clock for wagers", f"{house.clock.wager_seconds} seconds"])
        rows.append(["clock for a decision", f"{house.clock.decision_seconds} seconds"])
    if house.unfinished_days is not None:
        refunded = house.unfinished is Unfinished.REFUND
        ended = "cancelled" if refunded else "played on by the clock"
        rows.append([f"unfinished rounds are {ended} after", f"{house.unfinished_days} days"])
    rows += [
        [f"claimed return, {subject}", claim] for subject, claim in house.claimed_returns.items()
    ]
    return rows


def _wagers(house: House) -> Lines:
    rows = [
        [rule.kind.words, *_range(rule), ", ".join(kind.words for kind in rule.requires), _of(rule)]
        for rule in house.wagers
    ]
    if house.dealer_wagers is not None:
        rows.append(["any of these, for the dealer", *_range(house.dealer_wagers), "", ""])
    return _table(["wager", "minimum", "maximum", "step", "requires", "paytable"], rows)


def _range(rule: WagerRule | DealerWagerRule) -> list[str]:
    return [format_cents(n) for n in (rule.min_cents, rule.max_cents, rule.multiple_of_cents)]


def _of(rule: WagerRule) -> str:
    return rule.paytable.name if rule.paytable else ""


def _limits(house: House) -> Lines:
    if not house.limits:
        return []
    rows = [
        [
            limits.since.isoformat(),
            _or_none(limits.single_wager_max_cents, format_cents),
            _or_none(limits.optional_wager_max_cents, format_cents),
            _or_none(limits.wagers_per_hand_max, str),
            _or_none(limits.table_aggregate_max_cents, format_cents),
            _payout_aggregates(limits),
            limits.source,
        ]
        for limits in house.limits
    ]
    return _table(
        [
            "limits since",
            "single wager",
            "optional wager",
            "wagers per hand",
            "whole table",
            "payouts of a round",
            "source",
        ],
        rows,
    )


def _payout_aggregates(limits: DatedLimits) -> str:
    limited = [
        f"{aggregate.wager.words} {format_cents(aggregate.max_cents)}"
        for aggregate in limits.payout_aggregates
    ]
    return ", ".join(limited) or "none"


def _or_none(amount: int | None, words: Callable[[int], str]) -> str:
    return "none" if amount is None else words(amount)


def _collection(house: House) -> Lines:
    rows = [
        [format_cents(n) for n in (band.ante_up_to_cents, band.player_cents, band.banker_cents)]
        for band in house.bank.collection
    ]
    head = ["collection for an Ante up to", "from each player", "from the player/dealer"]
    return _table(head, rows) if rows else []


def _notices(house: House) -> Lines:
    if not house.notices:
        return []
    return ["The screen shows these notices:", "", *(f"- {notice}" for notice in house.notices), ""]


def _outcomes(house: House) -> Lines:
    """The clause named by settlement lines, for each possible outcome of this house."""
    in_order = sorted(outcomes_of(house), key=lambda key: _WAGER_PLACES[key.partition(".")[0]])
    by_procedure = any(":" in key for key in house.clauses)
    columns = house.procedures if by_procedure else (house.procedure,)
    head = [f"`{procedure}`" for procedure in columns] if by_procedure else ["clause"]
    rows = [
        [f"`{key}`", *(_clause(house, procedure, key) for procedure in columns)] for key in in_order
    ]
    return ["Each outcome is settled by a clause:", "", *_table(["outcome", *head], rows)]


_WAGER_PLACES = {
    wager: place
    for place, wager in enumerate((*WagerKind, "envy", "ante_bonus", "uncovered", "void"))
}


def _clause(house: House, procedure: Procedure, key: str) -> str:
    """The clause of an outcome in a round with this dealing procedure."""
    return house.clauses.get(f"{procedure}:{key}") or house.clauses[key]


# The command -----------------------------------------------------------------

PAGES: Mapping[str, Callable[[Catalog], str]] = {
    "paytables.md": paytables_page,
    "houses.md": houses_page,
}
"""The pages by file name."""
