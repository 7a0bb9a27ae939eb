"""A visit to one table: rounds, one after another, until the player leaves."""

import math

from rich.console import RenderableType
from rich.text import Text

from openfelt.cli.play.bets import BetAnswer, Bets
from openfelt.cli.play.decision_words import NotADecision, question, read_decision
from openfelt.cli.play.desk import Desk, Leave, TimeUp
from openfelt.cli.play.game import Game
from openfelt.cli.play.history import PlayedGame, game_of_round
from openfelt.cli.play.screens import pages
from openfelt.cli.play.screens.figures import Figures
from openfelt.cli.play.screens.layout import draw_screen
from openfelt.cli.play.screens.receipt import draw_receipt
from openfelt.cli.play.wager_words import read_bank_wager
from openfelt.money import format_cents
from openfelt.rules import Banker, Refusal, Spot, clock_decision
from openfelt.rules.house import BankKind, ClockRule, GameName
from openfelt.rules.wagers import total_cents

QUIT_WORDS = ("quit", "q", "exit", "leave")


class TableVisit:
    """The player at one table. Every step is on disk before it is shown."""

    def __init__(
        self,
        *,
        desk: Desk,
        game: Game,
        games: list[PlayedGame],
        note: str,
        hands: int = 1,
        four_colour: bool = False,
        clock: ClockRule | None = None,
        floor: bool = False,
    ) -> None:
        self.desk = desk
        self.game = game
        self.games = games
        """The player's last games at this table, oldest first."""
        self.note = note
        self.four_colour = four_colour
        self.clock = clock
        self.floor = floor
        last = next((game.wagers for game in reversed(games) if game.wagers), {})
        self.bets = Bets(game, last, hands=hands)
        self.win_cents = 0
        self._settlement_in_view = False

    def run(self) -> None:
        """Play until the player leaves, which raises Leave."""
        if self.game.dealt:
            self.desk.note("Your unfinished round continues where you left it.", "bold")
            self._play()
        while True:
            if self._open():
                self._play()

    # What the player sees ----------------------------------------------------

    def figures(self) -> Figures:
        """The figures of this moment."""
        game, state = self.game, self.game.round
        banker = state.opened.banker
        if banker is not None and banker.seat == game.seat:
            bet_cents = banker.cover_cents
        else:
            bet_cents = sum(total_cents(wagers) for wagers in game.own_wagers().values())
        return Figures(
            house=game.house,
            seat=game.seat,
            day=state.opened.day,
            credit_cents=game.credit_cents,
            bet_cents=bet_cents,
            win_cents=0 if bet_cents and not state.over else self.win_cents,
            tips_cents=game.tips_cents,
            collection_cents=game.collection_cents,
            meter_cents=game.meter_cents,
            games=self.games,
            chip_cents=self.bets.chip_cents,
            picked_hands=self.bets.picked_hands,
            names={player.seat: player.display_name for player in game.computer_players},
            note=self.note,
            four_colour=self.four_colour,
            floor=self.floor,
        )

    def draw(self) -> None:
        """Draw the table, with the settlement below it once the round is over."""
        seen, figures = self.game.seen(), self.figures()
        parts: list[RenderableType] = []
        if seen.settlement is not None:
            parts.append(draw_receipt(seen, figures, width=self.desk.console.width))
        elif self._explains_house_way():
            parts += [Text(line, "dim") for line in pages.house_way_lines()]
        # The last line is the prompt's. Where players bank, two more say who is next.
        banked = self.game.house.bank.kind is BankKind.PLAYER_DEALER
        below = self.desk.lines_of(*parts) + (3 if banked and seen.settlement else 1)
        self.desk.screen(draw_screen(seen, figures, self.desk.console, below=below), *parts)

    def _explains_house_way(self) -> bool:
        """A hand of Ultimate Draw decides with the dealer's house way in view."""
        return self.game.house.game is GameName.ULTIMATE_DRAW and self.game.dealt

    def ask(self, prompt: str, *, until: float | None = None) -> str:
        """Ask until the player types something other than a request for a page."""
        while True:
            text = self.desk.ask(prompt, until=until)
            if text in QUIT_WORDS:
                raise Leave
            if not self._showed_page(text):
                return text

    def _showed_page(self, text: str) -> bool:
        """Show the page that was asked for; False if no page was."""
        word, _, rest = text.partition(" ")
        match word:
            case "help" | "h" | "?" | "rules":
                self.desk.show(pages.help_page(self.game.house, floor=self.floor))
            case "paytables" | "paytable" | "pay" | "odds":
                page = pages.paytables_page(self.game.house, rest)
                self.desk.show(page or f"No paytable here is called {rest}.")
            case "why":
                self.desk.show(pages.why_page(rest))
            case "history":
                self.desk.show(pages.history_page(self.games, self.figures()))
            case "look" | "table" | "screen":
                self.draw()
            case _:
                return False
        return True

    def _until(self, seconds: float | None) -> float | None:
        """The moment when a countdown that starts now ends."""
        return None if seconds is None else self.desk.now() + seconds

    # Before the deal ---------------------------------------------------------

    def _open(self) -> bool:
        """Open a round and take bets until it is dealt; False if no player banks."""
        self.game.prepare()
        if not self._find_bank():
            self._without_bank()
            return False
        self.game.open_bets()
        self.bets.begin()
        banker = self.game.banker
        # After a round its cards and its settlement stay in view until the first new bet.
        if not self._settlement_in_view:
            self.draw()
        elif banker is not None:
            self._announce(banker)
        if banker is not None and banker.seat == self.game.seat:
            self._deal_as_banker()
        else:
            self._take_bets()
        return True

    def _find_bank(self) -> bool:
        """Offer the bank around until a player takes it; False if none does."""
        game, asked = self.game, False
        while game.needs_bank:
            if game.let_computer_player_bank():
                return True
            if asked:
                return False
            asked = True
            cents = self._ask_bank() if game.may_bank else None
            if cents is None:
                game.decline_bank()
            else:
                game.take_bank(cents)
        return True

    def _announce(self, banker: Banker) -> None:
        names = {player.seat: player.display_name for player in self.game.computer_players}
        subject = "You bank" if banker.seat == self.game.seat else f"{names[banker.seat]} banks"
        self.desk.say(f"{subject} this round with {format_cents(banker.cover_cents)}.")

    def _without_bank(self) -> None:
        """No player banks: wait for the player, who may lack the credit even to be asked."""
        self.desk.say("No player takes the bank, and the house never does: no round is dealt.")
        text = self.ask("Enter asks around again; or buy, or quit")
        if text.partition(" ")[0] == "buy":
            self.desk.say(self.bets.do(text).words)

    def _ask_bank(self) -> int | None:
        credit = format_cents(self.game.credit_cents)
        self.desk.say(f"It is your turn to bank. Your credit is {credit}.", "bold")
        self.desk.say(
            "The player/dealer takes losing wagers and pays winning ones as far as "
            "the bank wager reaches.",
            "dim",
        )
        while True:
            text = self.ask("Bank wager, such as 200, or pass")
            try:
                return read_bank_wager(
                    text,
                    most_cents=self.game.bank_max_cents,
                    least_cents=self.game.bank_min_cents,
                )
            except ValueError as error:
                self.desk.say(_sentence(error))

    def _deal_as_banker(self) -> None:
        while self.ask("Enter deals") not in ("", "deal", "d"):
            self.desk.say("The player/dealer does not bet. Press Enter to deal, or type quit.")
        self.game.deal()

    def _take_bets(self) -> None:
        """Take commands until the cards are dealt, or until the countdown ends (S.1)."""
        until = self._until(self.clock.wager_seconds if self.clock else None)
        while not self.game.dealt:
            countdown = ""
            if until is not None:
                # The table's own clock starts with the first wager.
                if self.game.seconds_left is not None:
                    until = self._until(self.game.seconds_left)
                assert until is not None
                countdown = f"{math.ceil(until - self.desk.now())} s to bet. "
            try:
                text = self.ask(countdown + self.bets.prompt(), until=until)
            except TimeUp:
                until = self._end_betting()
                continue
            if self._bet_in_turn(self.bets.parts(text)):
                return

    def _end_betting(self) -> float | None:
        """The time to bet is up: deal, or begin another countdown where the player has no wager."""
        assert self.clock is not None
        self.desk.note("No more bets: the time is up.")
        if self.game.own_wagers():
            self.game.end_time()
        else:
            self.desk.note("You have no wager, so another countdown begins.")
            self.game.restart_clock()
        return self._until(self.clock.wager_seconds)

    def _bet_in_turn(self, commands: list[str]) -> bool:
        """Carry out commands up to the first refusal; True once the cards are dealt."""
        for number, text in enumerate(commands, start=1):
            answer = self._bet(text)
            left_out = commands[number:]
            if left_out and (answer.dealt or answer.refused):
                self.desk.note(f"Not done: {', '.join(left_out)}.")
            if answer.dealt or answer.refused:
                return answer.dealt
        return False

    def _bet(self, text: str) -> BetAnswer:
        """Carry out one betting command and show its result."""
        if text in QUIT_WORDS:
            raise Leave
        if self._showed_page(text):
            return BetAnswer(page=True)
        answer = self.bets.do(text)
        if answer.words:
            self.desk.say(answer.words)
        if answer.leave:
            raise Leave
        if answer.changed:
            self._show_bets()
        return answer

    def _show_bets(self) -> None:
        """Show changed bets: at a terminal the whole table, otherwise one line."""
        if self.desk.interactive:
            self.draw()
        else:
            self.desk.say(self.bets.status())

    # After the deal ----------------------------------------------------------

    def _play(self) -> None:
        """Decide to the end of the round, and show its settlement."""
        self.win_cents = 0
        self.bets.remember()
        while (spot := self.game.advance()) is not None:
            self.draw()
            self._decide(spot)
        game = game_of_round(self.game.round, seat=self.game.seat)
        if game is not None:
            self.win_cents = 0 if game.void else max(0, game.returned_cents - game.staked_cents)
            self.games = [*self.games, game]
        self.draw()
        self._settlement_in_view = True

    def _decide(self, spot: Spot) -> None:
        """Ask until the hand has decided, or the round is void."""
        hand = next(hand for hand in self.game.seen().hands if hand.spot == spot)
        cards = [card for card in hand.cards if card is not None]
        prompt = question(hand.choices)
        if self.game.house.hands_per_seat > 1:
            prompt = f"Hand {spot.hand}: {prompt}"
        by_clock = clock_decision(self.game.round, spot)
        seconds = self.game.seconds_left if self.clock else None
        if seconds is not None:
            prompt = f"{math.ceil(seconds)} s, then {by_clock}. {prompt}"
        until = self._until(seconds)
        while True:
            try:
                text = self.ask(prompt, until=until)
                if text in ("void", "void game"):
                    if self._voided_by_floor(until):
                        return
                    continue
            except TimeUp:
                self.desk.note(f"The time is up: the clock decides to {by_clock}.")
                self.game.end_time()
                return
            try:
                self.game.decide(spot, read_decision(text, hand.choices, cards))
            except (NotADecision, Refusal) as error:
                self.desk.say(str(error))
            else:
                return

    def _voided_by_floor(self, until: float | None) -> bool:
        """Let floor staff void the game with a reason; a player cannot (S.screen.void_game)."""
        if not self.floor:
            self.desk.say("Only the floor can void a game. Make a decision, or type quit.")
            return False
        # What is typed here is a reason, so no word but quit is taken for a command.
        reason = self.desk.ask("Floor: why is this game void? Enter goes back", until=until)
        if reason in QUIT_WORDS:
            raise Leave
        if not reason:
            return False
        try:
            self.game.void(f"declared by the floor: {reason}")
        except Refusal as refusal:
            self.desk.say(str(refusal))
            return False
        return True


def _sentence(error: Exception) -> str:
    words = str(error)
    return words[0].upper() + words[1:] + ("" if words.endswith(".") else ".")
