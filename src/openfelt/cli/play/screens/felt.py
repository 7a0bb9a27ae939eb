"""The felt: the dealer's place, the board, each hand with its betting circles, other players."""

from collections.abc import Iterable, Sequence

from rich.text import Text

from openfelt.cards import Card
from openfelt.cli.play.screens.card_pictures import CardPlace, Shown, Size, draw_cards, inline_cards
from openfelt.cli.play.screens.figures import Figures, chip_words
from openfelt.rules import Beneficiary, Bet, Check, Fold, Hold, Phase, RoundView, Spot, WagerKind
from openfelt.rules.decisions import Decided
from openfelt.rules.house import GameName
from openfelt.rules.view import HandView
from openfelt.rules.wagers import Wager, stake_cents

LABEL = "bold"
_ROWS = {
    GameName.ULTIMATE_HOLDEM: (
        (WagerKind.TRIPS, WagerKind.ULTIMATE_PAIRS),
        (WagerKind.ANTE, WagerKind.BLIND),
        (WagerKind.PLAY, WagerKind.BAD_BEAT),
        (WagerKind.PLAY_THE_BOARD, WagerKind.PROGRESSIVE),
    ),
    GameName.ULTIMATE_DRAW: ((WagerKind.ANTE,), (WagerKind.BONUS,), (WagerKind.PROGRESSIVE,)),
}


def beside(blocks: Iterable[Sequence[Text]], *, gap: int = 3) -> list[Text]:
    """Blocks of lines side by side, each as wide as its widest line."""
    *columns, last = [list(block) for block in blocks]
    lines = [Text() for _ in range(max(len(last), *map(len, columns)))]
    for column in columns:
        width = max(line.cell_len for line in column)
        for number, line in enumerate(lines):
            part = column[number].copy() if number < len(column) else Text()
            part.pad_right(width - part.cell_len + gap)
            line.append_text(part)
    for line, part in zip(lines, last, strict=False):
        line.append_text(part)
    return lines


# The dealer ------------------------------------------------------------------


def dealer_area(
    seen: RoundView, figures: Figures, *, size: Size, width: int, compact: bool = False
) -> list[Text]:
    """The dealer's hand and the board, or the draw cards, each with its heading."""
    draw_game = figures.house.game is GameName.ULTIMATE_DRAW
    dealer = _headed(
        "PLAYER/DEALER HAND" if seen.banker else "DEALER HAND",
        _filled(seen.dealer, 5 if draw_game else 2),
        size=size,
        compact=compact,
        four_colour=figures.four_colour,
    )
    common = _headed(
        "DRAW CARDS" if draw_game else "BOARD",
        _filled(seen.common, 5),
        size=size,
        compact=compact,
        four_colour=figures.four_colour,
    )
    if draw_game and not compact:
        common.append(_numbers(size))
    if dealer[-1].cell_len + common[0 if compact else 1].cell_len + 3 <= width:
        lines = beside([dealer, common])
    else:
        lines = [*dealer, *common]
    return [*lines, *_dealer_words(seen, figures, width)]


def _headed(
    heading: str, cards: Sequence[Shown], *, size: Size, compact: bool, four_colour: bool
) -> list[Text]:
    """Cards below their heading, or behind it on one line."""
    title = Text(heading, LABEL)
    if compact:
        return [Text.assemble(title, " ", inline_cards(cards, four_colour=four_colour))]
    return [title, *draw_cards(cards, size=size, four_colour=four_colour)]


def _filled(cards: Sequence[Card | None], count: int) -> list[Shown]:
    return [*cards, *[CardPlace.EMPTY] * (count - len(cards))]


def _numbers(size: Size) -> Text:
    """The numbers 1 to 5 under cards."""
    return Text("".join(str(n).center(size.inside + 2) + " " for n in range(1, 6)), "dim")


def _dealer_words(seen: RoundView, figures: Figures, width: int) -> list[Text]:
    """Who deals or banks, what the dealer has, and chips wagered for the dealer."""
    words = Text()
    if seen.banker:
        banker = figures.names.get(seen.banker.seat, "you")
        words.append(f"PLAYER/DEALER: {banker}, seat {seen.banker.seat}", LABEL)
        words.append(f" · bank wager {chip_words(seen.banker.cover_cents)}")
        left = seen.settlement.cover_left_cents if seen.settlement else None
        if left is not None:
            words.append(f", cover left {chip_words(left)}")
    if figures.house.dealer_wagers:
        chips = sum(
            wager.cents
            for hand in seen.hands
            for wager in hand.wagers
            if wager.beneficiary is Beneficiary.DEALER
        )
        words.append("  ·  DEALER CHIPS " if words else "DEALER POSITION  ·  DEALER CHIPS ")
        words.append_text(_circle(chips))
        words.append(f"  TIPS {chip_words(figures.tips_cents)}")
    return [*([words] if words else []), *dealer_made(seen, figures, width=width)]


def dealer_made(seen: RoundView, figures: Figures, *, width: int) -> list[Text]:
    """The dealer's hand in words, once it has been shown; on two lines where one is too short."""
    if seen.dealer_made is None:
        return []
    made = Text(seen.dealer_made, LABEL)
    if seen.settlement is not None and seen.settlement.dealer_qualified is False:
        made.append(", does not qualify", "not bold")
    start = Text("Dealer: ", LABEL)
    if seen.dealer_held is None:
        return [Text.assemble(start, made)]
    start.append_text(held_words(seen.dealer_held, four_colour=figures.four_colour))
    line = Text.assemble(start, " · ", made)
    return [line] if line.cell_len <= width else [start, Text.assemble("  ", made)]


def held_words(held: Sequence[Card], *, four_colour: bool = False) -> Text:
    """Which cards are held and which draw cards are taken, in words."""
    count = 5 - len(held)
    text = Text()
    if held:
        text.append("holds ")
        text.append_text(inline_cards(held, four_colour=four_colour))
    else:
        text.append("holds nothing")
    if count == 0:
        text.append(", draws none")
    elif count == 1:
        text.append(", takes draw card 1")
    else:
        text.append(f", takes draw cards 1 {'and' if count == 2 else 'to'} {count}")
    return text


# The hands -------------------------------------------------------------------


def hand_areas(
    seen: RoundView,
    figures: Figures,
    *,
    size: Size,
    width: int,
    with_others: bool = True,
    compact: bool = False,
) -> list[Text]:
    """Every hand that the player may play, with its own spots, and the other players' lines."""
    lines: list[Text] = []
    hands = {hand.spot: hand for hand in seen.hands}
    banks = seen.banker is not None and seen.banker.seat == figures.seat
    for number in range(1, figures.house.hands_per_seat + 1):
        if banks:
            lines.append(_rule("YOU BANK THIS ROUND", width))
            break
        hand = hands.get(Spot(figures.seat, number))
        lines += _hand_area(seen, hand, number, figures, size=size, width=width, compact=compact)
    others = [hand for hand in seen.hands if not hand.own]
    if others and with_others:
        lines.append(_rule("OTHER PLAYERS", width))
        lines += [_other_line(hand, figures, width) for hand in others]
    return lines


def _hand_area(
    seen: RoundView,
    hand: HandView | None,
    number: int,
    figures: Figures,
    *,
    size: Size,
    width: int,
    compact: bool,
) -> list[Text]:
    if hand is None and seen.phase is not Phase.WAGERING:
        return []
    wagers = hand.wagers if hand else ()
    betting = seen.phase is Phase.WAGERING
    title = [Text(f"HAND {number}")]
    if figures.house.hands_per_seat > 1 and betting and number in figures.picked_hands:
        title.append(Text("bets go here"))
    if hand is not None:
        title += map(Text, hand_words(hand))
    dealer_line = _dealer_wagers(wagers)
    below = [dealer_line] if dealer_line else []
    draw_game = figures.house.game is GameName.ULTIMATE_DRAW
    # Five cards are held by their numbers, so they are always drawn with them.
    if (compact and not draw_game) or (hand is None and figures.house.hands_per_seat > 1):
        if hand is not None and hand.cards:
            title.insert(1, inline_cards(hand.cards, four_colour=figures.four_colour))
        spots = _spots_on_lines(wagers, figures, width, show_empty=betting)
        return [_rule(Text(" · ").join(title), width), *spots, *below]
    cards = draw_cards(
        _filled(hand.cards if hand else (), 5 if draw_game else 2),
        size=size,
        four_colour=figures.four_colour,
    )
    if draw_game:
        cards.append(_hold_marks(hand, size))
    circles = [Text("  ").join(row) for row in _circle_rows(wagers, figures)]
    heading = _rule(Text(" · ").join(title), width)
    return [heading, *beside([cards, circles], gap=2), *below]


def _rule(title: Text | str, width: int) -> Text:
    line = Text("─ ", "dim")
    line.append_text(Text.assemble(title, style=LABEL))
    line.append(" " + "─" * max(0, width - line.cell_len - 2), "dim")
    return line


def _circle(cents: int) -> Text:
    """A betting circle, with its chips if there are some."""
    if not cents:
        return Text("(      )", "dim")
    return Text.assemble(("(", "dim"), (chip_words(cents).center(6), "bold yellow"), (")", "dim"))


def spots_offered(figures: Figures) -> list[list[WagerKind]]:
    """The spots of one hand as rows, without wagers that the house does not offer."""
    house = figures.house
    rows = [
        [kind for kind in row if house.wager(kind) or (kind is WagerKind.PLAY and house.play)]
        for row in _ROWS[house.game]
    ]
    return [row for row in rows if row]


def _circle_rows(wagers: Sequence[Wager], figures: Figures) -> list[list[Text]]:
    rows = []
    for kinds in spots_offered(figures):
        row: list[Text] = []
        for place, kind in enumerate(kinds):
            # Ante and Blind are joined by an equals sign, for they are always equal.
            label = kind.words.upper()
            if kind is WagerKind.BLIND:
                label = f"= {label}"
            elif place == 0 and len(label) < 6:
                label = label.ljust(5)
            spot = Text(f"{label} ")
            spot.append_text(_circle(stake_cents(wagers, kind)))
            row.append(spot)
        rows.append(row)
    return rows


def _spots_on_lines(
    wagers: Sequence[Wager], figures: Figures, width: int, *, show_empty: bool
) -> list[Text]:
    """The spots of a hand on as few lines as they need: all of them, or those in play.

    Ante and Blind stay on one line, joined by their equals sign.
    """
    lines = [Text()]
    for kind in (kind for row in spots_offered(figures) for kind in row):
        cents = stake_cents(wagers, kind)
        if kind is WagerKind.BLIND or not (show_empty or cents or kind is WagerKind.PLAY):
            continue
        spot = _small_circle(kind, cents)
        if kind is WagerKind.ANTE and figures.house.wager(WagerKind.BLIND):
            blind_cents = stake_cents(wagers, WagerKind.BLIND)
            spot = Text(" = ").join([spot, _small_circle(WagerKind.BLIND, blind_cents)])
        if lines[-1] and lines[-1].cell_len + 2 + spot.cell_len > width:
            lines.append(Text())
        lines[-1].append_text(Text.assemble("  " if lines[-1] else "", spot))
    return lines


def _small_circle(kind: WagerKind, cents: int) -> Text:
    label = kind.words.upper()
    if not cents:
        return Text(f"{label} ( )", "dim")
    return Text.assemble(f"{label} (", (chip_words(cents), "bold yellow"), ")")


def _dealer_wagers(wagers: Sequence[Wager]) -> Text | None:
    for_dealer = [wager for wager in wagers if wager.beneficiary is Beneficiary.DEALER]
    if not for_dealer:
        return None
    words = ", ".join(f"{wager.kind.words} {chip_words(wager.cents)}" for wager in for_dealer)
    return Text(f"For the dealer: {words}")


def _hold_marks(hand: HandView | None, size: Size) -> Text:
    """Under five cards their numbers, or which of them are held."""
    decision = hand.decisions[-1].decision if hand and hand.decisions else None
    if hand is None or not isinstance(decision, Hold):
        return _numbers(size)
    marks = ["HELD" if card in decision.cards else "" for card in hand.cards]
    return Text("".join(mark.center(size.inside + 2) + " " for mark in marks), LABEL)


def hand_words(hand: HandView) -> list[str]:
    """The hand's category so far and its decision, in words."""
    made = [hand.made] if hand.made else []
    return made + [_decision_words(decided) for decided in hand.decisions[-1:]]


def _decision_words(decided: Decided) -> str:
    match decided.decision:
        case Check():
            return "checked"
        case Fold():
            return "folded"
        case Bet(multiple):
            return f"bet {multiple}x"
        case Hold(cards):
            return f"held {len(cards)}" if cards else "held nothing"


def _other_line(hand: HandView, figures: Figures, width: int) -> Text:
    """One line for a hand of another player, cut where the felt ends."""
    name = figures.names.get(hand.spot.seat, f"Seat {hand.spot.seat}")
    line = Text(f"{hand.spot.seat} {name}".ljust(10))
    line.append_text(inline_cards(hand.cards, four_colour=figures.four_colour))
    words = hand_words(hand)
    if hand.held_count is not None and not words:
        words = [f"held {hand.held_count}"]
    if words:
        line.append(f"  {', '.join(words)}")
    bets = [
        f"{wager.kind.words} {chip_words(wager.cents)}"
        for wager in hand.wagers
        if wager.kind is not WagerKind.BLIND
    ]
    line.append(f"  {', '.join(bets)}", "dim")
    line.truncate(width, overflow="ellipsis")
    return line
