"""The largest award of each wager on a par sheet, and the most that a round can cost the bank."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from openfelt.cli.par_sheets.sheet import AwardTable, Section
from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.house import BankKind, DatedLimits, Deck, House, ProgressiveRule, SeveralWinners
from openfelt.rules.paytable import ProgressivePaytable
from openfelt.rules.refusal import Refusal
from openfelt.rules.wager_rules import complete_wagers, wager_max_cents
from openfelt.rules.wagers import Beneficiary, Wager, WagerKind

_NO_STAKE_OF_ITS_OWN = (WagerKind.BLIND, WagerKind.PLAY)
_ANTE_BONUS = "ante_bonus"
_SHARED = {
    Deck.SHARED: "Hands that share one deck can rarely have it at the same time.",
    Deck.PER_TERMINAL: "One hand of every terminal may have it at the same time, because each "
    "terminal draws from its own copy of the cards.",
}
"""What the deck says about several hands with the same award."""


def largest_awards(tables: Iterable[AwardTable]) -> Section:
    """The best result of each table of awards, and how often it occurs."""
    rows = []
    for table in tables:
        best, often = table.largest
        labels = [label for label, deals, net in table.awards if net == best and deals]
        rows.append(
            (
                table.title,
                " or ".join(labels),
                f"{_units(best)} {table.unit}{'' if best == 1 else 's'}",
                f"{int(table.deals / often):,}",
                f"{float(often):,.2f}",
            )
        )
    sentence = (
        "The best net result of each table of results and awards on this sheet, in units of its "
        "own, and the deals that give it. One in: all deals of the table, divided by these."
    )
    columns = ("table", "result", "net", "deals", "one in")
    return Section("Largest awards", (sentence,), columns, tuple(rows))


# What a round can cost ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Payment:
    """What one circle of a hand can be paid by one of its lines."""

    circle: Wager
    """The wager at its limit that the payment comes from."""
    line: str
    """The line's name, which payout aggregates go by."""
    words: str
    stake_cents: int
    units: Fraction
    """The most that it pays, to one unit of that stake."""
    hand_cents: int
    """The most in one hand."""
    table_cents: int
    """The most in one round of a full table, before payout aggregates."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """The most that a round can cost the bank, at the limits of the house."""

    rows: tuple[tuple[str, int, Fraction, int, int], ...]
    """By payment: words, stake in cents, what it pays at most, and one hand and table in cents."""
    hand_cents: int
    """All wagers that one hand may carry; a bound."""
    table_cents: int
    """A full table of such hands; a bound."""
    hands: int
    carried: tuple[str, ...]
    """The wagers of the hand that costs most."""


def exposure(house: House, largest: Mapping[WagerKind, Fraction]) -> Exposure:
    """The most that hands with every wager at its limit can cost.

    `largest` has, by wager, the most that one unit can win in any deal. The
    progressive is taken from its table, with the meter at its seed.
    """
    limits = house.latest_limits
    hands = _players(house) * house.hands_per_seat
    payments = list(_payments(house, limits, largest, hands))
    carried, hand_cents = _costliest(house, limits, payments)
    fixed = [payment for payment in payments if payment.line != WagerKind.PROGRESSIVE]
    linked_cents = sum(payment.table_cents for payment in payments) - sum(
        payment.table_cents for payment in fixed
    )
    by_hand_cents = hands * _costliest(house, limits, fixed)[1]
    by_line_cents = _total_cents(limits, [(payment.line, payment.table_cents) for payment in fixed])
    # Both are bounds; the first knows how many wagers a hand may carry, the second the aggregates.
    table_cents = min(by_hand_cents, by_line_cents) + linked_cents
    rows = tuple(
        (
            payment.words,
            payment.stake_cents,
            payment.units,
            _within(limits, payment.line, payment.hand_cents),
            _within(limits, payment.line, payment.table_cents),
        )
        for payment in payments
    )
    return Exposure(rows, hand_cents, table_cents, hands, carried)


def exposure_section(
    house: House, largest: Mapping[WagerKind, Fraction], *, best_round: Fraction | None
) -> Section:
    """The most that one hand, and one round of a full table, can cost the bank.

    `best_round` is the largest result of a round without side bets, in Antes, if it is counted.
    """
    most = exposure(house, largest)
    rows = [
        (
            words,
            format_cents(stake),
            f"{_units(units)} to 1",
            format_cents(hand),
            format_cents(table),
        )
        for words, stake, units, hand, table in most.rows
    ]
    rows.append(
        ("All together", "", "", format_cents(most.hand_cents), format_cents(most.table_cents))
    )
    columns = ("payment", "largest stake", "pays at most", "one hand", "full table, upper bound")
    return Section(
        "The most that a round can cost",
        (*_told(house, most), *_attained(house, best_round)),
        columns,
        tuple(rows),
    )


def _attained(house: House, best_round: Fraction | None) -> Iterator[str]:
    """What one deal is known to give, by the results of a round."""
    ante = house.wager(WagerKind.ANTE)
    if best_round is None or ante is None:
        return
    cents = int(best_round * wager_max_cents(house, house.latest_limits, ante))
    yield (
        f"Without side bets, the most that one deal gives is attained: {_units(best_round)} Antes, "
        f"or {format_cents(cents)} (results of a round)."
    )


def _units(units: Fraction) -> str:
    """A number of units, with separators if it is whole."""
    return f"{units.numerator:,}" if units.denominator == 1 else str(units)


def _told(house: House, most: Exposure) -> Iterator[str]:
    payer = "the house"
    if house.bank.kind is BankKind.PLAYER_DEALER:
        payer = "the player/dealer, who pays no more than the bank wager,"
        yield "A player banks the round: these amounts are not the house's."
    play = " Play is the largest multiple of the Ante." if house.play is not None else ""
    yield (
        f"What {payer} pays on top of the stakes, with every wager at the limit of the house and "
        f"of the law. A full table is {most.hands:,} hands.{play}"
    )
    yield (
        "Basis: each payment in one hand is attained by itself, if not by the same deal as the "
        "others. All together is a bound: it adds the largest awards of the wagers that one hand "
        f"may carry ({', '.join(most.carried)}), whether or not one deal can give them all. The "
        f"full table is a bound too: it pays every hand the largest award. {_SHARED[house.deck]}"
    )
    if (link := house.progressive) is not None and house.wager(WagerKind.PROGRESSIVE):
        yield (
            "The progressive is paid with its meter at the seed of "
            f"{format_cents(link.seed_cents)}: what a meter holds above it was contributed by "
            "players. A full table adds Envy, and shares of the seed after the meter was won. "
            "That is an upper bound: every hand may win an award that brings Envy to all others, "
            "whether or not one deal can give them."
        )
    for aggregate in house.payout_aggregates:
        yield (
            f"All {aggregate.wager.words} wagers of a round are paid at most "
            f"{format_cents(aggregate.max_cents)} together (R.36)."
        )


def _players(house: House) -> int:
    """The seats that can bet in one round: the player/dealer does not."""
    return house.seats - (house.bank.kind is BankKind.PLAYER_DEALER)


def _payments(
    house: House,
    limits: DatedLimits | None,
    largest: Mapping[WagerKind, Fraction],
    hands: int,
) -> Iterator[_Payment]:
    for circle in _circles(house, limits):
        for line, words, stake, units in _lines(house, circle, largest):
            if circle.kind is WagerKind.PROGRESSIVE:
                yield _progressive_payment(house, circle, hands)
                continue
            cents = int(stake * units)
            yield _Payment(circle, line, words, stake, units, cents, hands * cents)


def _circles(house: House, limits: DatedLimits | None) -> Iterator[Wager]:
    """Every wager that can be made before the deal, at its limit; then those for the dealer."""
    rules = [rule for rule in house.wagers if rule.kind not in _NO_STAKE_OF_ITS_OWN]
    for rule in rules:
        most = wager_max_cents(house, limits, rule)
        yield Wager(rule.kind, most - most % rule.multiple_of_cents)
    tips = house.dealer_wagers
    if tips is None:
        return
    for rule in rules:
        if rule.kind is not WagerKind.PROGRESSIVE:
            most = min(tips.max_cents, _legal_cents(house, limits, rule.kind))
            yield Wager(rule.kind, most - most % tips.multiple_of_cents, Beneficiary.DEALER)


def _legal_cents(house: House, limits: DatedLimits | None, kind: WagerKind) -> int:
    """The law's limit of a wager for the dealer, found as for a wager of the player."""
    rule = house.wager(kind)
    assert rule is not None
    unlimited = replace(rule, max_cents=AMOUNT_MAX_CENTS)
    return wager_max_cents(house, limits, unlimited)


def _lines(
    house: House, circle: Wager, largest: Mapping[WagerKind, Fraction]
) -> Iterator[tuple[str, str, int, Fraction]]:
    """The lines that a circle is settled in: name, words, stake, and the most to payment."""
    if circle.kind is not WagerKind.ANTE:
        yield circle.kind.value, circle.words, circle.cents, largest[circle.kind]
        return
    yield circle.kind.value, circle.words, circle.cents, Fraction(1)
    tip = circle.words.removeprefix(circle.kind.words)
    if (play := house.play) is not None:
        most = max(*play.before_flop, *play.on_flop, *play.on_river, 0)
        words = f"{WagerKind.PLAY.words}{tip}"
        yield WagerKind.PLAY.value, words, most * circle.cents, Fraction(1)
    if WagerKind.BLIND in largest:
        words = f"{WagerKind.BLIND.words}{tip}"
        yield WagerKind.BLIND.value, words, circle.cents, largest[WagerKind.BLIND]
    if (table := house.ante_bonus) is not None:
        most_paid = max(row.odds.ratio for row in table.rows)
        yield _ANTE_BONUS, f"Ante Bonus{tip}", circle.cents, most_paid


def _progressive_payment(house: House, circle: Wager, hands: int) -> _Payment:
    """A progressive with its meter at the seed: shares, fixed awards, and Envy at a full table."""
    table, link = house.progressive_table(), house.progressive
    assert link is not None
    hand_cents = _awards_cents(table, link, circle.cents, hands=1)
    table_cents = _awards_cents(table, link, circle.cents, hands=hands)
    units = Fraction(hand_cents, circle.cents)
    line = circle.kind.value
    return _Payment(circle, line, circle.words, circle.cents, units, hand_cents, table_cents)


def _awards_cents(
    table: ProgressivePaytable, link: ProgressiveRule, stake_cents: int, *, hands: int
) -> int:
    """The most that all hands in a progressive win at its seed, less their stakes.

    Any number of them may win a share, and the others the largest fixed award. A share is of the
    seed at most, because the meter is topped up to it. Winners of one share divide it, unless they
    are paid in order. The winners' awards bring Envy to all others.
    """
    shares = sorted({row.share for row in table.rows if row.share}, reverse=True)
    fixed = max((row.for_one or 0 for row in table.rows), default=0)
    envy = max((row.envy_for_one for row in table.rows), default=0)
    most = Fraction(0)
    for winners in range(hands + 1 if shares else 1):
        if link.several_winners is SeveralWinners.IN_ORDER:
            won = winners * shares[0] if winners else Fraction(0)
        else:
            won = sum(shares[:winners], Fraction(0))
        units = (hands - winners) * fixed + winners * (hands - 1) * envy - hands
        most = max(most, won * link.seed_cents + units * stake_cents)
    return int(most)


def _costliest(
    house: House, limits: DatedLimits | None, payments: Sequence[_Payment]
) -> tuple[tuple[str, ...], int]:
    """The accepted wagers of one hand that can cost most, and how much."""
    circles = list(dict.fromkeys(payment.circle for payment in payments))
    best: tuple[tuple[str, ...], int] = ((), 0)
    for size in range(len(circles), 0, -1):
        for chosen in combinations(circles, size):
            try:
                complete_wagers(house, limits, chosen)
            except Refusal:
                continue
            carried = [payment for payment in payments if payment.circle in chosen]
            cents = _total_cents(
                limits, [(payment.line, payment.hand_cents) for payment in carried]
            )
            if cents > best[1]:
                best = tuple(payment.words for payment in carried), cents
        if best[1] and size == len(circles):
            break
    return best


def _total_cents(limits: DatedLimits | None, amounts: Iterable[tuple[str, int]]) -> int:
    """The sum of what lines are paid, each kind of them within its payout aggregate."""
    due = Counter[str]()
    for line, cents in amounts:
        due[line] += cents
    return sum(_within(limits, line, cents) for line, cents in due.items())


def _within(limits: DatedLimits | None, line: str, cents: int) -> int:
    """An amount within the payout aggregate of its wager, if the house has payment."""
    most = limits.payout_aggregate_cents(line) if limits is not None else None
    return cents if most is None else min(cents, most)
