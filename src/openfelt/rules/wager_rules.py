"""The wagers that a spot may have: offers, requirements and limits."""

from collections.abc import Iterable
from typing import Final

from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.house import DatedLimits, DealerWagerRule, GameName, House, WagerRule
from openfelt.rules.quick_replace import maker
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.wagers import (
    Beneficiary,
    Wager,
    WagerKind,
    stake_cents,
    total_cents,
    wager_order,
)

# Looking a member up in an enumeration takes as long as a call.
_ANTE: Final = WagerKind.ANTE
_BLIND: Final = WagerKind.BLIND
_PLAY: Final = WagerKind.PLAY
_PROGRESSIVE: Final = WagerKind.PROGRESSIVE
_DEALER: Final = Beneficiary.DEALER
_ULTIMATE_HOLDEM: Final = GameName.ULTIMATE_HOLDEM


def complete_wagers(
    house: House, limits: DatedLimits | None, wagers: Iterable[Wager]
) -> tuple[Wager, ...]:
    """The wagers of one spot as they are placed: checked, in order, each Ante with its Blind.

    Raises Refusal if the house does not accept them. An empty list is valid and clears
    the spot. Their form has been checked (``openfelt.rules.action_checks``).
    """
    placed = list(wagers)
    _check_offers(house, placed)
    placed = [wager for wager in placed if wager.cents > 0]
    if house.game is _ULTIMATE_HOLDEM:
        placed = _with_blinds(placed)
    rules = []
    for wager in placed:
        rule = house.wager(wager.kind)
        assert rule is not None
        _check_limits(house, limits, wager, rule)
        rules.append(rule)
    for wager, rule in zip(placed, rules, strict=True):
        if rule.requires or wager.beneficiary is _DEALER:
            _check_needs(wager, rule, placed)
    if limits is not None:
        _check_count(house, limits, placed)
    placed.sort(key=wager_order)
    return tuple(placed)


def _check_offers(house: House, wagers: list[Wager]) -> None:
    """Every wager is offered by the house, within what any table takes, and listed only once."""
    seen: list[tuple[WagerKind, Beneficiary]] = []
    for wager in wagers:
        if _rule_for(house, wager) is None:
            raise Refusal(RefusalCode.NOT_OFFERED, f"{wager.words} is not offered here.")
        if wager.cents > AMOUNT_MAX_CENTS:
            raise Refusal(RefusalCode.ABOVE_MAXIMUM, f"{wager.words} is more than any table takes.")
        circle = wager.kind, wager.beneficiary
        if circle in seen:
            raise Refusal(RefusalCode.WAGER_TWICE, f"{wager.words} is listed twice.")
        seen.append(circle)


def _rule_for(house: House, wager: Wager) -> WagerRule | DealerWagerRule | None:
    """The limits of a wager; None if it cannot be made before the deal."""
    rule = house.wager(wager.kind)
    if rule is None or wager.kind is _PLAY:
        return None
    if wager.beneficiary is _DEALER:
        return None if wager.kind is _PROGRESSIVE else house.dealer_wagers
    return rule


def _with_blinds(wagers: list[Wager]) -> list[Wager]:
    """Ante and Blind are equal and placed together; a missing Blind is added."""
    for beneficiary in _BENEFICIARIES:
        ante = blind = 0
        for wager in wagers:
            if wager.beneficiary is beneficiary:
                if wager.kind is _ANTE:
                    ante += wager.cents
                elif wager.kind is _BLIND:
                    blind += wager.cents
        if ante and not blind:
            wagers = [*wagers, _wager(_BLIND, ante, beneficiary)]
        elif ante != blind:
            raise Refusal(
                RefusalCode.BLIND_DIFFERS,
                "Ante and Blind must be equal, "
                f"not {format_cents(ante)} and {format_cents(blind)}.",
            )
    return wagers


_BENEFICIARIES: Final = tuple(Beneficiary)
_wager: Final = maker(Wager)


def _check_limits(
    house: House, limits: DatedLimits | None, wager: Wager, own_rule: WagerRule
) -> None:
    rule = house.dealer_wagers if wager.beneficiary is _DEALER else own_rule
    assert rule is not None
    most_cents = rule.max_cents
    if limits is not None:
        most_cents = min(most_cents, _legal_max_cents(house, limits, wager.kind))
    if wager.cents < rule.min_cents:
        raise Refusal(
            RefusalCode.BELOW_MINIMUM,
            f"{wager.words} is at least {format_cents(rule.min_cents)}.",
        )
    if wager.cents > most_cents:
        raise Refusal(
            RefusalCode.ABOVE_MAXIMUM, f"{wager.words} is at most {format_cents(most_cents)}."
        )
    if wager.cents % rule.multiple_of_cents:
        raise Refusal(
            RefusalCode.NOT_A_MULTIPLE,
            f"{wager.words} is made in steps of {format_cents(rule.multiple_of_cents)}.",
        )


def _legal_max_cents(house: House, limits: DatedLimits | None, kind: WagerKind) -> int:
    """The legal limit of one wager; for the Ante it is divided by the largest Play multiple."""
    if limits is None:
        return AMOUNT_MAX_CENTS
    single = limits.single_wager_max_cents or AMOUNT_MAX_CENTS
    if kind not in _FOLLOWS_ANTE:
        return min(single, limits.optional_wager_max_cents or AMOUNT_MAX_CENTS)
    if house.play is None:
        return single
    return single // max((*house.play.before_flop, *house.play.on_flop, *house.play.on_river))


def ante_max_cents(house: House, limits: DatedLimits | None) -> int:
    """The largest Ante that the house and the law allow."""
    rule = house.wager(_ANTE)
    assert rule is not None
    return wager_max_cents(house, limits, rule)


def wager_max_cents(house: House, limits: DatedLimits | None, rule: WagerRule) -> int:
    """The largest wager of a kind that the house and the law allow."""
    return min(rule.max_cents, _legal_max_cents(house, limits, rule.kind))


def _check_needs(wager: Wager, rule: WagerRule, wagers: list[Wager]) -> None:
    """Check required wagers; for the dealer, only the Ante requires one, the player's (R.12)."""
    needed = rule.requires
    if wager.beneficiary is _DEALER:
        needed = (_ANTE,) if wager.kind in _FOLLOWS_ANTE else ()
    for kind in needed:
        if not stake_cents(wagers, kind):
            raise Refusal(
                RefusalCode.NEEDS_WAGER,
                f"{wager.words} needs a wager on {kind.words} on the same hand.",
            )


_FOLLOWS_ANTE = (_ANTE, _BLIND)


def _check_count(house: House, limits: DatedLimits, wagers: list[Wager]) -> None:
    """Check the number of wagers per hand; in hold'em a Play wager may follow each Ante."""
    if limits.wagers_per_hand_max is None:
        return
    antes = sum(wager.kind is _ANTE for wager in wagers)
    plays_to_come = 0 if house.play is None else antes
    if len(wagers) + plays_to_come > limits.wagers_per_hand_max:
        raise Refusal(
            RefusalCode.TOO_MANY_WAGERS,
            f"A hand may have at most {limits.wagers_per_hand_max} wagers, including Play wagers.",
        )


def check_aggregate(limits: DatedLimits | None, all_wagers: Iterable[Wager]) -> None:
    """Refuse wagers that would exceed the table's aggregate limit (W.additional)."""
    if limits is None or limits.table_aggregate_max_cents is None:
        return
    if total_cents(all_wagers) > limits.table_aggregate_max_cents:
        raise Refusal(
            RefusalCode.AGGREGATE_REACHED,
            "All wagers of a round on this table are at most "
            f"{format_cents(limits.table_aggregate_max_cents)} together.",
        )
