"""The player's bets of one round: placing, doubling, undoing, repeating, until the deal."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from openfelt.cli.play.game import Game
from openfelt.cli.play.screens.figures import chip_words
from openfelt.cli.play.wager_words import (
    changed,
    doubled,
    read_change,
    split_changes,
    wager_list,
)
from openfelt.money import format_cents, parse_cents
from openfelt.rules import Refusal, RefusalCode, Spot, Wager, WagerKind
from openfelt.rules.wagers import total_cents

STANDARD_CREDIT_CENTS = 100_000
"""The credit of a new player, and the amount of ``buy`` without an argument."""

Placed = Mapping[Spot, tuple[Wager, ...]]

# A comma separates commands unless it is inside an amount such as 1,000.
_SEPARATOR = re.compile(r";|,(?!\d{3}\b)")


@dataclass(frozen=True, slots=True)
class BetAnswer:
    """The result of a betting command."""

    words: str = ""
    changed: bool = False
    dealt: bool = False
    leave: bool = False
    page: bool = False
    """Whether it asked for a page, which was shown."""

    @property
    def refused(self) -> bool:
        """Whether the command changed nothing; the words say why."""
        return not (self.changed or self.dealt or self.leave or self.page)


class Bets:
    """Reads what the player types while bets are open, and carries it out."""

    def __init__(self, game: Game, last: Placed, *, hands: int) -> None:
        self.game = game
        self.last = last
        """The wagers of the last game."""
        chips = game.house.chips_cents
        self.chip_cents = chips[0]
        self.picked_hands = tuple(range(1, min(hands, game.house.hands_per_seat) + 1))
        self._before: list[Placed] = []

    def begin(self) -> None:
        """Start a new round, in which there is nothing to undo yet."""
        self._before = []

    def remember(self) -> None:
        """Keep the wagers of the round that is dealt now, to repeat them in the next one."""
        own = {
            spot: tuple(wager for wager in wagers if wager.kind is not WagerKind.PLAY)
            for spot, wagers in self.game.own_wagers().items()
        }
        self.last = own or self.last

    def prompt(self) -> str:
        """The question while bets are open: what Enter does, and what may be typed."""
        if self.game.own_wagers():
            return "Enter deals; or change your bet"
        if self.last:
            staked = sum(total_cents(wagers) for wagers in self.last.values())
            return f"Enter re-bets {chip_words(staked)} and deals; or bet"
        return f"Your bet, such as {self._example()}, or help"

    def _example(self) -> str:
        ante = self.game.house.wager(WagerKind.ANTE)
        return str(max(ante.min_cents // 100, 1) if ante else 10)

    def status(self) -> str:
        """The wagers, the bet and the credit in one line."""
        own = self.game.own_wagers()
        hands = [f"Hand {spot.hand}: {wager_list(own[spot])}" for spot in sorted(own)]
        bet_cents = sum(total_cents(wagers) for wagers in own.values())
        return (
            f"{'; '.join(hands) or 'No bets'} · BET {format_cents(bet_cents)}"
            f" · CREDIT {format_cents(self.game.credit_cents)}"
        )

    def parts(self, text: str) -> list[str]:
        """Split a line into commands; only an empty line means Enter.

        Commas separate commands; wagers with their names and amounts need no commas.
        """
        parts = [part.strip() for part in _SEPARATOR.split(text)]
        return [change for part in parts if part for change in split_changes(part)] or [""]

    def do(self, text: str) -> BetAnswer:
        """Carry out one command; a refused command changes nothing, and its words say why."""
        try:
            return self._do(text)
        except (Refusal, ValueError) as error:
            words = str(error)
            if isinstance(error, Refusal) and error.code is RefusalCode.CREDIT_SHORT:
                words += " Type buy for more play money."
            return BetAnswer(words[0].upper() + words[1:])

    def _do(self, text: str) -> BetAnswer:
        word, _, rest = text.partition(" ")
        match word:
            case "":
                return self._enter()
            case "deal" | "d" | "go":
                return self._deal()
            case "x2" | "double":
                return self._double()
            case "undo" | "u":
                return self._undo()
            case "rebet" | "re-bet" | "r":
                return self._rebet(twice=rest in ("x2", "2x"))
            case "clear":
                return self._clear()
            case "hand" | "hands":
                return self._pick_hands(rest)
            case "chip" | "chips":
                return self._pick_chip(rest)
            case "collect" | "cash":
                return self._collect()
            case "buy":
                return self._buy(rest)
            case "void":
                return BetAnswer("There is no game to void: the cards are not dealt yet.")
        return self._wager(text)

    def _wager(self, text: str) -> BetAnswer:
        change = read_change(text)
        if change is None:
            return BetAnswer(
                f"{text!r} is neither an amount nor a command. Type an amount, such as "
                f"{self._example()}, or help."
            )
        own = self.game.own_wagers()
        self._place(
            {
                spot: changed(
                    own.get(spot, ()), change, house=self.game.house, chip_cents=self.chip_cents
                )
                for spot in (Spot(self.game.seat, hand) for hand in self.picked_hands)
            }
        )
        return BetAnswer(changed=True)

    def _place(self, wanted: Placed) -> None:
        before = self.game.own_wagers()
        self.game.place(wanted)
        self._before.append(before)

    def _enter(self) -> BetAnswer:
        if not self.game.own_wagers():
            if not self.last:
                return BetAnswer(f"Type an amount for the Ante first, such as {self._example()}.")
            self._rebet(twice=False)
        return self._deal()

    def _deal(self) -> BetAnswer:
        self.game.deal()
        return BetAnswer(dealt=True)

    def _double(self) -> BetAnswer:
        own = self.game.own_wagers()
        if not own:
            return BetAnswer("There is nothing to double yet.")
        self._place({spot: doubled(self.game.house, wagers) for spot, wagers in own.items()})
        return BetAnswer(changed=True)

    def _undo(self) -> BetAnswer:
        if not self._before:
            return BetAnswer("There is nothing to undo.")
        self._replace_all(self._before.pop())
        return BetAnswer(changed=True)

    def _clear(self) -> BetAnswer:
        own = self.game.own_wagers()
        if own:
            self._place(dict.fromkeys(own, ()))
        return BetAnswer(changed=True)

    def _rebet(self, *, twice: bool) -> BetAnswer:
        last = self.last
        if not last:
            return BetAnswer("There is no earlier game to repeat.")
        if twice:
            last = {spot: doubled(self.game.house, wagers) for spot, wagers in last.items()}
        before = self.game.own_wagers()
        self._replace_all(last)
        self._before.append(before)
        return BetAnswer(changed=True)

    def _replace_all(self, wanted: Placed) -> None:
        """Replace all wagers of the player by these, or change nothing."""
        cleared: dict[Spot, tuple[Wager, ...]] = dict.fromkeys(self.game.own_wagers(), ())
        self.game.place({**cleared, **wanted})

    def _pick_hands(self, rest: str) -> BetAnswer:
        most = self.game.house.hands_per_seat
        if rest == "all":
            self.picked_hands = tuple(range(1, most + 1))
        elif rest.isdecimal() and rest.isascii() and 1 <= int(rest) <= most:
            self.picked_hands = (int(rest),)
        else:
            only = "hand 1" if most == 1 else f"hands 1 to {most}, or all"
            return BetAnswer(f"At this table you can bet on {only}.")
        return BetAnswer(changed=True)

    def _pick_chip(self, rest: str) -> BetAnswer:
        chips = self.game.house.chips_cents
        cents = parse_cents(rest) if rest else 0
        if cents not in chips:
            return BetAnswer(f"There are chips of {', '.join(map(chip_words, chips))}.")
        self.chip_cents = cents
        return BetAnswer(f"{chip_words(cents)} chip picked.", changed=True)

    def _collect(self) -> BetAnswer:
        cents = self.game.cash_out()
        return BetAnswer(
            f"COLLECT: {format_cents(cents)} cashed out. Thank you for playing.", leave=True
        )

    def _buy(self, rest: str) -> BetAnswer:
        cents = parse_cents(rest) if rest else STANDARD_CREDIT_CENTS
        self.game.buy(cents)
        return BetAnswer(f"You buy {format_cents(cents)} of play money.", changed=True)
