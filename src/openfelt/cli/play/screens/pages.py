"""Pages that the player can call up at any moment: help, paytables, clauses, history."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from openfelt.cards import Category
from openfelt.cli.paytables import drawn_table
from openfelt.cli.play.history import GAMES_SHOWN, PlayedGame
from openfelt.cli.play.screens.figures import Figures, chip_words, counted
from openfelt.cli.play.screens.receipt import outcome_words
from openfelt.cli.play.screens.sidebar import tables_in_force
from openfelt.cli.rule_data import document_title, find_clause
from openfelt.money import format_cents
from openfelt.rules import House, WagerKind
from openfelt.rules.house import BankKind, GameName
from openfelt.rules.paytable import HandMinimum, Paytable

_BETTING = (
    ("chip 25, then ante", "pick a chip, then put one on a spot"),
    ("dealer ante 5", "a wager for the dealer, where the house takes them"),
    ("hand 2, hand all", "bet on another hand, or on all of them"),
    ("x2", "double every wager"),
    ("undo", "take the last change back"),
    ("rebet, rebet x2", "repeat the last game's wagers, or double them"),
    ("clear", "clear bet: take every wager back"),
    ("deal, or Enter", "deal; Enter alone re-bets first"),
    ("collect", "cash your credit out and leave"),
    ("buy 500", "buy more credit"),
)
_SPOTS = {
    WagerKind.TRIPS: "trips 5",
    WagerKind.ULTIMATE_PAIRS: "pairs 5",
    WagerKind.BAD_BEAT: "bad beat 5",
    WagerKind.PLAY_THE_BOARD: "board 5",
    WagerKind.BONUS: "bonus 5",
    WagerKind.PROGRESSIVE: "prog",
}
_HOLDEM = (
    ("check", "see more cards first; Enter alone checks too"),
    ("3, 3x, 4", "make the Play wager of 3 or 4 times the Ante"),
    ("bet", "make the Play wager where there is only one size"),
    ("fold", "fold the hand, on the river only"),
)
_DRAW = (
    ("1 3 5", "hold cards 1, 3 and 5 and replace the others"),
    ("all, none", "hold every card, or none"),
    ("way", "play the dealer's house way"),
)
_ALWAYS = (
    ("why W.11a", "what a clause says"),
    ("history", "your last games"),
    ("look", "draw the table again"),
    ("quit", "leave; a round in play is kept for you"),
)
_FLOOR = (("void", "VOID GAME, while a hand decides: give a reason; every wager goes back"),)


def help_page(house: House, *, floor: bool = False) -> RenderableType:
    """Every command, and the game in a few sentences."""
    decisions = _DRAW if house.game is GameName.ULTIMATE_DRAW else _HOLDEM
    spots = [
        (typed, f"a wager on {kind.words}{_limits(house, kind)}")
        for kind, typed in _SPOTS.items()
        if house.wager(kind)
    ]
    blind = "; the Blind is placed with it" if house.wager(WagerKind.BLIND) else ""
    betting = [
        ("10", f"an Ante of $10{blind}"),
        *spots,
        *_changes(spots),
        *(row for row in _BETTING if _offered(house, row[0])),
    ]
    hint = f"; paytables {_word(spots)} shows one" if spots else ""
    always = [("paytables", f"every paytable in force{hint}"), *_ALWAYS]
    return Group(
        Text("HELP · " + house.name, "bold"),
        *(Text(f"  {line}") for line in _rules(house)),
        Text(),
        _commands("Before the deal", betting),
        _commands("When a hand decides", decisions),
        _commands("At any moment", always),
        *([_commands("As floor staff", _FLOOR)] if floor else []),
        Text("The odds of every wager: paytables", "dim"),
    )


def _word(spots: Sequence[tuple[str, str]]) -> str:
    """What is typed for the first side bet of a house, such as ``trips``."""
    return spots[0][0].removesuffix(" 5")


def _changes(spots: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """How a side bet is changed; nothing where the house has none."""
    if not spots:
        return []
    return [(f"{_word(spots)} +5, {_word(spots)} off", "add to a wager, or take it away")]


def _offered(house: House, typed: str) -> bool:
    if typed.startswith("dealer"):
        return house.dealer_wagers is not None
    return not typed.startswith("hand") or house.hands_per_seat > 1


def _limits(house: House, kind: WagerKind) -> str:
    rule = house.wager(kind)
    if rule is None:
        return ""
    if rule.min_cents == rule.max_cents:
        return f", always {chip_words(rule.min_cents)}"
    return f", {chip_words(rule.min_cents)} to {chip_words(rule.max_cents)}"


def _commands(title: str, rows: Sequence[tuple[str, str]]) -> Table:
    table = Table(
        title=title, title_justify="left", title_style="bold", box=None, show_header=False
    )
    table.add_column(min_width=20, no_wrap=True)
    table.add_column()
    for typed, meaning in rows:
        table.add_row(typed, meaning)
    return table


def _rules(house: House) -> list[str]:
    qualifies = qualifying_words(house.dealer_qualifies)
    if house.game is GameName.ULTIMATE_DRAW:
        lines = [
            "Bet the Ante, the Bonus or both. You get five cards and hold what you like;",
            "the draw cards 1 to 5 are common, and each hand takes them from number 1 on.",
            *house_way_lines(),
            qualifies,
        ]
    else:
        lines = [
            "Bet Ante and Blind, get two cards, and make one Play wager: the sooner, the larger.",
            "The best five of your two cards and the board play against the dealer's.",
            qualifies,
        ]
    if house.bank.kind is BankKind.PLAYER_DEALER:
        lines.append(
            "Players bank in turn, at most "
            f"{counted(house.bank.rounds_in_a_row_max, 'round')} in a row; the house never does."
        )
        lines += [
            f"Collection with an Ante up to {chip_words(band.ante_up_to_cents)}: "
            f"player {chip_words(band.player_cents)}, "
            f"player/dealer {chip_words(band.banker_cents)}."
            for band in house.bank.collection
        ]
    lines += [
        f"All {aggregate.wager.words} wagers of a round are paid at most "
        f"{chip_words(aggregate.max_cents)} together; if more is due, each is paid in proportion."
        for aggregate in house.payout_aggregates
    ]
    return [*lines, *house.notices]


def qualifying_words(minimum: HandMinimum) -> str:
    """The dealer's qualifying hand, in a sentence.

    >>> qualifying_words(HandMinimum(Category.PAIR))
    'The dealer qualifies with a pair or better.'
    """
    if minimum.category is Category.HIGH_CARD:
        return "The dealer always qualifies."
    words = minimum.category.phrase
    if minimum.at_least is not None:
        words += f" of {minimum.at_least.plural}"
    return f"The dealer qualifies with {words} or better."


def house_way_lines() -> list[str]:
    """The dealer's house way in words."""
    return [
        "The dealer's house way, the first that fits: a pair or better; four to a flush;",
        "four in sequence; every jack or higher; otherwise five new cards.",
    ]


def paytables_page(house: House, name: str) -> RenderableType | None:
    """The paytables in force, or those that a name means; None if it means none."""
    wanted = name.replace(" ", "_")
    aliases = {"pairs": "ultimate_pairs", "board": "play_the_board", "prog": "progressive"}
    wanted = aliases.get(wanted, wanted)
    tables: list[Paytable] = [
        table
        for table in tables_in_force(house)
        if not wanted or wanted in (table.wager, table.name.lower())
    ]
    if not tables:
        return None
    lines = [Text("Ante and Play pay even money.", "dim")] if not wanted else []
    claims = [
        f"The document claims a return of {claim} for "
        f"{'the game' if subject == 'game' else subject}."
        for subject, claim in house.claimed_returns.items()
    ]
    return Group(*(drawn_table(table) for table in tables), *lines, *map(Text, claims))


def why_page(name: str) -> RenderableType:
    """A clause in our words."""
    if not name:
        return Text("Type why and a clause, as the settlement names it: why W.11a")
    clause = find_clause(name)
    if clause is None:
        return Text(f"There is no clause {name.upper()}.")
    title = document_title(clause.id)
    return Text.assemble((clause.id, "bold"), f" · {title}\n", clause.text)


def history_page(games: Sequence[PlayedGame], figures: Figures) -> RenderableType:
    """The last games, newest first."""
    if not games:
        return Text("You have not finished a game at this table yet.")
    table = Table(title="YOUR LAST GAMES", title_justify="left", box=None, pad_edge=False)
    for name in ("Game", "Staked", "Back"):
        table.add_column(name, justify="right")
    table.add_column("How it went")
    for game in list(reversed(games))[:GAMES_SHOWN]:
        net_cents = game.returned_cents - game.staked_cents
        outcome = "VOID GAME" if game.void else outcome_words(net_cents)
        table.add_row(
            f"#{game.number}",
            format_cents(game.staked_cents),
            format_cents(game.returned_cents),
            f"{outcome} ({game.words})",
        )
    return Group(table, Text(f"Credit {format_cents(figures.credit_cents)}."))
