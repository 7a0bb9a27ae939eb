"""Is what the screen shows what the wire said? To the cent and to the card."""

import json
import re

from playwright.sync_api import expect

from openfelt.cards import parse_cards
from openfelt.protocol.merge_patch import Plain
from tests.kit.browser.guests import FIRST_WALLET_CENTS, Guest
from tests.kit.repository import ROOT

WAGER_WORDS = {
    "ante": "Ante",
    "blind": "Blind",
    "play": "Play",
    "trips": "Trips",
    "bad_beat": "Bad Beat Bonus",
    "ultimate_pairs": "Ultimate Pairs Bonus",
    "play_the_board": "Play the Board",
    "progressive": "Progressive jackpot",
    "bonus": "Bonus",
}
ENGLISH: dict[str, str] = json.loads(
    (ROOT / "web" / "src" / "words" / "en.json").read_text(encoding="utf-8")
)
MINUS = "\N{MINUS SIGN}"
RESULT_WORDS = {"push": "Push", "lose": "Lost", "returned": "Returned"}


def dollars(cents: int) -> str:
    """An amount as a meter shows it.

    >>> dollars(123456), dollars(-500) == f"{MINUS}$5.00"
    ('$1,234.56', True)
    """
    return f"{MINUS if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02}"


def chip_dollars(cents: int) -> str:
    """An amount as it is written beside chips.

    >>> chip_dollars(3000), chip_dollars(250)
    ('$30', '$2.50')
    """
    return dollars(cents).removesuffix(".00")


def signed_dollars(cents: int) -> str:
    """A result with its sign.

    >>> signed_dollars(3000), signed_dollars(-250) == f"{MINUS}$2.50"
    ('+$30', True)
    """
    return f"+{chip_dollars(cents)}" if cents > 0 else chip_dollars(cents)


def card_words(cards: list[str | None]) -> list[str]:
    """Cards as a screen reader says them.

    >>> card_words(["As", None])
    ['ace of spades', 'face-down card']
    """
    return [parse_cards(card)[0].words if card else "face-down card" for card in cards]


def circle_words(hand: Plain, kind: str) -> str:
    """What the circle of a wager must say of itself, from what the wire tells."""
    own = sum(
        one["cents"] for one in hand["wagers"] if (one["kind"], one["for_dealer"]) == (kind, False)
    )
    tip = sum(
        one["cents"] for one in hand["wagers"] if (one["kind"], one["for_dealer"]) == (kind, True)
    )
    words = [f"Hand {hand['hand']}", WAGER_WORDS[kind], chip_dollars(own) if own else "empty"]
    if tip:
        tips = [one for one in hand["lines"] if one["wager"] == kind and one["for_dealer"]]
        ended = "".join(f": {result_words(line)}" for line in tips[:1])
        words.append(f"{chip_dollars(tip)} for the dealer{ended}")
    lines = [one for one in hand["lines"] if one["wager"] == kind and not one["for_dealer"]]
    words += [f"{result_words(line)}. {why_words(line)}" for line in lines[:1]]
    return ", ".join(words)


def result_words(line: Plain) -> str:
    """What became of a wager, as its circle says it."""
    if line["result"] == "win":
        return f"+{chip_dollars(line['payout_cents'])}"
    return RESULT_WORDS[line["result"]]


def why_words(line: Plain) -> str:
    """Why a wager ended so. The page calls a row of Ultimate Pairs what its paytable calls it, and
    names the hand in a sentence that stored settlements keep as it is."""
    if line["outcome"] != "ultimate_pairs.win":
        return str(line["because"]).replace("nobody was beaten", "neither hand was beaten")
    award = line["why"]["award"]
    return f"{ENGLISH.get(f'label.{award.lower()}', award)} pays {line['why']['pays']}."


def staked_cents(lines: list[Plain]) -> int:
    """What the player staked, for the dealer too."""
    return sum(int(line["stake_cents"]) for line in lines)


def brought_cents(lines: list[Plain]) -> int:
    """What came back to the player; what a wager for the dealer wins is the dealer's."""
    return sum(
        int(line["returned_cents"]) + (0 if line["for_dealer"] else int(line["payout_cents"]))
        for line in lines
    )


def check_meters(guest: Guest) -> None:
    """Credit, bet and win are those of the last message."""
    for name in ("credit", "bet", "win"):
        expect(guest.meter(name.capitalize())).to_have_text(dollars(guest.wire.cents(name)))


def check_hands(guest: Guest) -> None:
    """Every own hand shows its cards, its wagers and what became of each of them."""
    for hand in guest.wire.hands.values():
        guest.show_hand(hand["hand"])
        shown = guest.cards_in(guest.hand(hand["hand"]))
        assert shown == card_words(lying_cards(guest, hand))
        for kind in {one["kind"] for one in hand["wagers"]}:
            start = re.escape(circle_words(hand, kind))
            circle = guest.circle(hand["hand"], WAGER_WORDS[kind])
            expect(circle).to_have_accessible_name(re.compile(f"^{start}(, |$)"))
        if hand["lines"]:
            net = brought_cents(hand["lines"]) - staked_cents(hand["lines"])
            words = signed_dollars(net) if net else "Even"
            # A circle may show the same figure, so the result is looked up by itself.
            expect(guest.hand(hand["hand"]).get_by_role("strong")).to_have_text(words)


def lying_cards(guest: Guest, hand: Plain) -> list[str | None]:
    """The cards of a hand as they lie: drawn cards, once turned, are where the discards were."""
    return laid_out(hand["cards"], hand.get("held"), guest.wire.round["common"])


def laid_out(
    cards: list[str | None], held: list[str] | None, common: list[str | None]
) -> list[str | None]:
    """A drawn hand as it lies.

    >>> laid_out(["Kc", "2d", "Kh", "7s", "9c"], ["Kc", "Kh"], ["Ah", "3s", "4d", "5c", "Jh"])
    ['Kc', 'Ah', 'Kh', '3s', '4d']
    """
    drawn = common[: len(cards) - len(held)] if held is not None else []
    if held is None or None in drawn:
        return cards
    following = iter(drawn)
    return [card if card in held else next(following) for card in cards]


def check_felt(guest: Guest) -> None:
    """The dealer's cards and the common ones lie as the table says."""
    shown = guest.wire.round
    dealer = laid_out(shown["dealer"], shown.get("dealer_held"), shown["common"])
    wanted = card_words(dealer + shown["common"])
    guest.until(lambda: guest.cards_in(guest.dealer_area()) == wanted)
    if shown.get("dealer_made"):
        expect(guest.dealer_area()).to_contain_text(shown["dealer_made"])


def check_choices(guest: Guest) -> None:
    """A hand that has to decide offers what it may do, with what it costs; others offer nothing."""
    for hand in guest.wire.hands.values():
        guest.show_hand(hand["hand"])
        tip = sum(
            one["cents"] for one in hand["wagers"] if one["kind"] == "ante" and one["for_dealer"]
        )
        wanted = [choice_words(one, tip) for one in hand["choices"]] if hand["due"] else []
        expect(guest.choices(hand["hand"]).get_by_role("button")).to_have_text(wanted)


def choice_words(choice: Plain, dealers_ante_cents: int) -> re.Pattern[str]:
    """What stands on the button of a decision: what it costs, and how much is for the dealer."""
    what = f"{choice['multiple']}x" if choice["kind"] == "bet" else choice["kind"].capitalize()
    cost = choice["cost_cents"]
    words = re.escape(chip_dollars(cost)) if cost else ""
    if cost and dealers_ante_cents:
        tip = chip_dollars(dealers_ante_cents * choice["multiple"])
        words += rf"\s*{re.escape(f'{tip} for the dealer')}"
    return re.compile(rf"^{what}\s*{words}$")


def check_screen(guest: Guest) -> None:
    """The whole screen says what the wire has said."""
    check_felt(guest)
    check_meters(guest)
    check_choices(guest)
    check_hands(guest)


def check_money(guest: Guest, *, fees_cents: int = 0) -> None:
    """After a round: meters, lines and the wallet agree, and collecting brings it all home.

    The wallet of a guest began with a thousand dollars, so its sum is known to the cent.
    """
    wire = guest.wire
    lines = [line for hand in wire.hands.values() for line in hand["lines"]]
    staked, back = staked_cents(lines), brought_cents(lines)
    assert wire.cents("net") == back - staked
    assert wire.cents("win") == max(back - staked, 0)
    wallet = wire.cents("wallet") + wire.cents("credit")
    assert wallet == FIRST_WALLET_CENTS + back - staked - fees_cents
    guest.collect()
    guest.until(lambda: wire.cents("wallet") == wallet)
    assert guest.wallet_cents() == wallet
