"""A session at one table: rounds, one after another, until the player leaves."""

from collections.abc import Callable
from datetime import date

from rich.console import RenderableType
from rich.text import Text

from openfelt.cli.play.banking import next_bank, read_bank
from openfelt.cli.play.bets import Answer, Bets
from openfelt.cli.play.book import staked_cents
from openfelt.cli.play.decision_words import NotADecision, question, read_decision
from openfelt.cli.play.desk import Desk, Leave, TimeUp
from openfelt.cli.play.game import Game
from openfelt.cli.play.profile import HISTORY_MAX, TableRecord
from openfelt.cli.play.saved_round import saved_wagers
from openfelt.cli.play.screens import pages
from openfelt.cli.play.screens.figures import Figures
from openfelt.cli.play.screens.layout import draw_screen
from openfelt.cli.play.screens.receipt import draw_receipt, game_result
from openfelt.money import format_cents
from openfelt.rules import Banker, DecidedBy, Phase, Refusal, Spot, clock_decision
from openfelt.rules.house import BankKind, ClockRule, GameName
from openfelt.table import BankTurn

QUIT_WORDS = ("quit", "q", "exit", "leave")


class VoidGame(Exception):
    """The floor has declared the game void; the message says why."""


class Session:
    """The player at one table. ``save`` writes everything down; it is called at every step."""

    def __init__(
        self,
        *,
        desk: Desk,
        game: Game,
        record: TableRecord,
        save: Callable[[], None],
        today: Callable[[], date],
        note: str,
        hands: int = 1,
        four_colour: bool = False,
        clock: ClockRule | None = None,
        floor: bool = False,
    ) -> None:
        self.desk = desk
        self.game = game
        self.record = record
        self.save = save
        self.today = today
        self.note = note
        self.four_colour = four_colour
        self.clock = clock
        self.floor = floor
        self.bets = Bets(game, record, hands=hands)
        self.win_cents = 0

    def run(self) -> None:
        """Play until the player leaves, which raises Leave."""
        if self.game.state is not None:
            self.desk.note("Your unfinished round goes on where you left it.", "bold")
            self.save()
            self._play()
        while True:
            if self._open():
                self._play()

    # What the player sees ----------------------------------------------------

    def figures(self) -> Figures:
        """The figures of this moment."""
        game = self.game
        running = game.state is not None and not game.state.over
        banker = game.state.opened.banker if game.state else None
        bet_cents = staked_cents(game.round, game.seat) if game.state else 0
        if banker is not None and banker.seat == game.seat:
            bet_cents = banker.cover_cents
        return Figures(
            house=game.house,
            seat=game.seat,
            day=game.state.opened.day if game.state else self.today(),
            credit_cents=game.credit_cents,
            bet_cents=bet_cents,
            win_cents=0 if running and bet_cents else self.win_cents,
            tips_cents=self.bets.tips_cents,
            collection_cents=(game.dues or {}).get(game.seat, 0),
            meter_cents=game.meter.display_cents if game.meter else None,
            games=self.record.games,
            chip_cents=self.bets.chip_cents,
            picked_hands=self.bets.picked_hands,
            names={one.seat: one.name for one in game.opponents},
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
        state = self.game.round
        return self.game.house.game is GameName.ULTIMATE_DRAW and state.phase is Phase.PLAYING

    def ask(self, prompt: str, *, until: float | None = None) -> str:
        """Ask until something comes that is not a page to show."""
        while True:
            text = self.desk.ask(prompt, until=until)
            if text in QUIT_WORDS:
                raise Leave
            if not self._answered(text):
                return text

    def _answered(self, text: str) -> bool:
        """Show the page that was asked for; False where it is no page."""
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
                self.desk.show(pages.history_page(self.record.games, self.figures()))
            case "look" | "table" | "screen":
                self.draw()
            case _:
                return False
        return True

    def _until(self, seconds: int | None) -> float | None:
        """The moment when a countdown that begins now ends."""
        return None if seconds is None else self.desk.now() + seconds

    # A round -----------------------------------------------------------------

    def _open(self) -> bool:
        """Open a round, take bets and deal; False where nobody banks."""
        turn, banker = None, None
        if self.game.house.bank.kind is BankKind.PLAYER_DEALER:
            chosen = next_bank(self.game, self._last_turn(), self._ask_bank)
            if chosen is None:
                self._without_bank()
                return False
            turn, banker = chosen
        finished = self.game.state is not None
        self.game.open(day=self.today(), banker=banker)
        self.bets.begin()
        self.save()
        # After a round its cards and its settlement stay in view until the first new bet.
        if not finished:
            self.draw()
        elif banker is not None:
            self._announce(banker)
        if banker is not None and banker.seat == self.game.seat:
            self._deal_as_banker()
        else:
            self._take_bets()
        if turn is not None:
            # A turn counts once its cards are dealt; a round that is left before that used none.
            self.record.bank_seat, self.record.bank_rounds = turn.seat, turn.rounds
        return True

    def _announce(self, banker: Banker) -> None:
        names = {one.seat: one.name for one in self.game.opponents}
        whose = "You bank" if banker.seat == self.game.seat else f"{names[banker.seat]} banks"
        self.desk.say(f"{whose} this round with {format_cents(banker.cover_cents)}.")

    def _last_turn(self) -> BankTurn | None:
        record = self.record
        return BankTurn(record.bank_seat, record.bank_rounds) if record.bank_seat else None

    def _without_bank(self) -> None:
        """Nobody banks: wait for the player, who may lack the credit even to be asked."""
        self.desk.say("Nobody takes the bank, and the house never does: no round is dealt.")
        text = self.ask("Enter asks around again; or buy, or quit")
        if text.partition(" ")[0] == "buy":
            self.desk.say(self.bets.do(text).words)
            self.save()

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
                return read_bank(text, self.game)
            except ValueError as error:
                self.desk.say(_sentence(error))

    def _deal_as_banker(self) -> None:
        while self.ask("Enter deals") not in ("", "deal", "d"):
            self.desk.say("The player/dealer does not bet. Press Enter to deal, or type quit.")
        self.game.deal()

    def _take_bets(self) -> None:
        """Take commands until the cards are dealt, or until the countdown ends (S.1)."""
        seconds = self.clock.wager_seconds if self.clock else None
        until = self._until(seconds)
        countdown = f"{seconds} s to bet. " if seconds else ""
        while True:
            try:
                text = self.ask(countdown + self.bets.prompt(), until=until)
            except TimeUp:
                self.desk.note("No more bets: the time is up.")
                if self.bets.do("deal").dealt:
                    return
                self.desk.note("You have no wager, so another countdown begins.")
                until = self._until(seconds)
                continue
            if self._bet_in_turn(self.bets.parts(text)):
                return

    def _bet_in_turn(self, commands: list[str]) -> bool:
        """Carry commands out as far as the first refusal; True once the cards are dealt."""
        for number, text in enumerate(commands, start=1):
            answer = self._bet(text)
            left_out = commands[number:]
            if left_out and (answer.dealt or answer.refused):
                self.desk.note(f"Not done: {', '.join(left_out)}.")
            if answer.dealt or answer.refused:
                return answer.dealt
        return False

    def _bet(self, text: str) -> Answer:
        """Carry one command of the betting time out and say what came of it."""
        if text in QUIT_WORDS:
            raise Leave
        if self._answered(text):
            return Answer(page=True)
        answer = self.bets.do(text)
        if answer.words:
            self.desk.say(answer.words)
        if answer.leave:
            self.save()
            raise Leave
        if answer.changed:
            self._show_bets()
        return answer

    def _show_bets(self) -> None:
        """After a change at the terminal the whole table, else one line that says it."""
        if self.desk.interactive:
            self.draw()
        else:
            self.desk.say(self.bets.status())

    def _play(self) -> None:
        """Deal and decide to the end, and settle."""
        game = self.game
        self.win_cents = 0
        self.record.last_wagers = saved_wagers(game.own_wagers()) or self.record.last_wagers
        try:
            while True:
                spot = game.advance()
                self.save()
                if spot is None:
                    break
                self.draw()
                self._decide(spot)
            game.confirm()
        except VoidGame as declared:
            game.void(str(declared))
        self._finish()

    def _decide(self, spot: Spot) -> None:
        """Ask until the hand has made a decision that the rules take."""
        hand = next(one for one in self.game.seen().hands if one.spot == spot)
        cards = [card for card in hand.cards if card is not None]
        prompt = question(hand.choices)
        if self.game.house.hands_per_seat > 1:
            prompt = f"Hand {spot.hand}: {prompt}"
        by_clock = clock_decision(self.game.round, spot)
        if self.clock:
            prompt = f"{self.clock.decision_seconds} s, then {by_clock}. {prompt}"
        until = self._until(self.clock.decision_seconds if self.clock else None)
        while True:
            try:
                text = self.ask(prompt, until=until)
                if text in ("void", "void game"):
                    self._void_by_floor(until)
                    continue
            except TimeUp:
                self.desk.note(f"The time is up: the clock decides to {by_clock}.")
                self.game.decide(spot, by_clock, by=DecidedBy.CLOCK)
                return
            try:
                self.game.decide(spot, read_decision(text, hand.choices, cards))
            except (NotADecision, Refusal) as error:
                self.desk.say(str(error))
            else:
                return

    def _void_by_floor(self, until: float | None) -> None:
        """Floor staff declare the game void with a reason; a player cannot (S.screen.void_game)."""
        if not self.floor:
            self.desk.say("Only the floor can void a game. Make a decision, or type quit.")
            return
        # What is typed here is a reason, so no word but quit is taken for a command.
        reason = self.desk.ask("Floor: why is this game void? Enter goes back", until=until)
        if reason in QUIT_WORDS:
            raise Leave
        if reason:
            raise VoidGame(f"declared by the floor: {reason}")

    def _finish(self) -> None:
        """Write the finished round down before it is shown."""
        result = game_result(self.game.seen(), self.figures())
        void = self.game.round.phase is Phase.VOIDED
        self.win_cents = 0 if void else max(0, result.returned_cents - result.staked_cents)
        self.record.games = [*self.record.games, result][-HISTORY_MAX:]
        self.save()
        self.draw()


def _sentence(error: Exception) -> str:
    words = str(error)
    return words[0].upper() + words[1:] + ("" if words.endswith(".") else ".")
