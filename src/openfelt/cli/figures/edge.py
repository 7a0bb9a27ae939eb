"""``openfelt edge`` prints the exact figures of a house."""

import json
import re
import sys
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from openfelt.cli.complaint import Complaint, wrong_input
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import (
    COUNT_MAX,
    SEED_MAX,
    AsJson,
    HouseName,
    HousesFolder,
    OtherPaytables,
    Scheduler,
    Workers,
)

if TYPE_CHECKING:
    from openfelt.catalog import Catalog
    from openfelt.maths.draw.best_play import BestPlay
    from openfelt.maths.draw.draw_figures import DrawFigures
    from openfelt.rules import House


class SeenBy(StrEnum):
    """Cards that a player may have seen, by the names of the mathematics, which imports slowly."""

    DEALER_CARD = "dealer_card"
    DEALER_AND_FLOP_CARD = "dealer_and_flop_card"
    DEALER_AND_TURN_CARD = "dealer_and_turn_card"
    BOTH_DEALER_CARDS = "both_dealer_cards"
    OTHER_CARD = "other_card"
    TWO_HANDS = "two_hands"
    THREE_HANDS = "three_hands"
    SIX_PLAYERS = "six_players"


WhatIf = Annotated[
    list[str] | None,
    typer.Option(
        metavar="TERM=VALUE",
        help="For Ultimate Draw, change what the Ante pays: unqualified=1/4 for an unqualified "
        "dealer, or a hand of the Ante Bonus, such as full_house=1; or the dealer's qualifying "
        "hand: qualifies='pair of tens'. May be given several times.",
    ),
]
BestHolds = Annotated[
    bool,
    typer.Option(
        "--best-play",
        help="For Ultimate Draw, count the best holds if the stored counts leave them open. The "
        "first time, this takes half an hour.",
    ),
]
CountAgain = Annotated[
    bool,
    typer.Option(
        "--count-again",
        help="For Ultimate Draw and --seen-by, count again instead of using the counts that "
        "are included in Openfelt. Counts stored on this machine are still used.",
    ),
]
SeenChoice = Annotated[
    SeenBy | None,
    typer.Option(help="Cards seen by the player before the first decision; prints their value."),
]
SAMPLES_MIN = 1_000
"""The smallest number of sampled deals, the same as in the mathematics."""
Samples = Annotated[
    int | None,
    typer.Option(
        min=SAMPLES_MIN,
        max=COUNT_MAX,
        metavar="N",
        help="For hands that see each other, estimate from this many sampled deals; 2000 by "
        "default if there is no exact figure.",
    ),
]
UNITS_MAX = 1000
"""The most units of a side bet; more than a thousand Antes is a typing error."""


def edge(
    house: HouseName,
    paytable: OtherPaytables = None,
    bet: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WAGER=UNITS",
            help="A side bet for the joint figures, as WAGER=UNITS per Ante, such as trips=0.5. "
            "May be given several times; without it every side bet counts one unit.",
        ),
    ] = None,
    meter: Annotated[
        str | None,
        typer.Option(
            metavar="AMOUNT", help="The progressive meter in dollars; its seed by default."
        ),
    ] = None,
    what_if: WhatIf = None,
    seen_by: SeenChoice = None,
    samples: Samples = None,
    seed: Annotated[
        int, typer.Option(min=0, max=SEED_MAX, metavar="N", help="The seed of these deals.")
    ] = 1,
    best_play: BestHolds = False,
    count_again: CountAgain = False,
    workers: Workers = None,
    scheduler: Scheduler = None,
    folder: HousesFolder = None,
    as_json: AsJson = False,
) -> None:
    """Print the exact figures of a house: advantage, variance, decisions, side bets.

    Every figure is counted over all deals, with perfect play; the Ante of Ultimate Draw is also
    counted for the house way and the basic strategy. Only hands that see each other (--seen-by)
    are sampled where they are not counted, with an interval.
    """
    from openfelt.cli.figures.crew_choice import chosen_crew
    from openfelt.cli.rule_data import find_house, open_catalog
    from openfelt.rules.house import GameName

    catalog = open_catalog(folder)
    chosen = with_paytables(catalog, find_house(catalog, house), paytable or [])
    units = _meter_units(chosen, meter)
    stakes = _stakes(chosen, bet or [])
    is_draw = chosen.game is GameName.ULTIMATE_DRAW
    draw_only = (
        (what_if, "--what-if"),
        (best_play, "--best-play"),
        (count_again and seen_by is None, "--count-again"),
    )
    for given, option in draw_only:
        if given and not is_draw:
            raise Complaint(f"{option} is for Ultimate Draw only.", ExitCode.WRONG_INPUT)
    with chosen_crew(workers, scheduler):
        if seen_by is not None:
            request = _SeenRequest(seen_by, samples, seed, count_again)
            _print_seen(chosen, request, as_json=as_json)
        elif is_draw:
            asked = _DrawRequest(
                Fraction(stakes.get("bonus", 0)), what_if or [], best_play, count_again
            )
            _print_draw(chosen, asked, as_json=as_json)
        else:
            _print_holdem(chosen, units, stakes, as_json=as_json)


def _print_holdem(
    house: "House",
    meter_units: Fraction | None,
    stakes: dict[str, Fraction | int],
    *,
    as_json: bool,
) -> None:
    from openfelt.cli.figures.compile_notice import announce_compiling
    from openfelt.cli.figures.edge_report import figures_facts, figures_report
    from openfelt.cli.progress import watched
    from openfelt.cli.terminal import make_console
    from openfelt.maths.wagers.house_figures import price_house

    announce_compiling()
    try:
        with watched("Solving the game") as progress:
            figures = price_house(house, meter_units=meter_units, progress=progress)
    except ValueError as error:
        raise wrong_input(error) from error
    tell_aggregates(house)
    if as_json:
        sys.stdout.write(json.dumps(figures_facts(figures, stakes), indent=2) + "\n")
    else:
        make_console().print(figures_report(figures, stakes))


_TOGETHER = (SeenBy.TWO_HANDS, SeenBy.THREE_HANDS, SeenBy.SIX_PLAYERS)


@dataclass(frozen=True, slots=True)
class _SeenRequest:
    """A question about seen cards."""

    seen_by: SeenBy
    samples: int | None
    """None if no number was given."""
    seed: int
    count_again: bool


def _print_seen(house: "House", request: _SeenRequest, *, as_json: bool) -> None:
    from openfelt.cli.figures.seen_cards import is_kept, print_seen_cards
    from openfelt.maths.holdem.flashed_values import Seen

    _check_seen(house, request.seen_by)
    name, again = request.seen_by.value, request.count_again
    exact = request.seen_by not in _TOGETHER
    if request.seen_by is SeenBy.TWO_HANDS:
        # Counting takes most of an hour, so the value is estimated if it is not stored.
        exact = again or (request.samples is None and is_kept(house, Seen.TWO_HANDS))
    if exact:
        print_seen_cards(house, Seen(name), count_again=again, as_json=as_json)
        return
    from openfelt.cli.figures.shared_hands_report import print_shared_hands
    from openfelt.maths.holdem.shared_hands import SAMPLES, Together

    samples = request.samples or SAMPLES
    print_shared_hands(house, Together(name), samples=samples, seed=request.seed, as_json=as_json)


def _check_seen(house: "House", seen_by: SeenBy) -> None:
    """Refuse what a player of this house cannot see; raises Complaint."""
    from openfelt.rules.house import Deck, GameName

    if house.game is GameName.ULTIMATE_DRAW:
        raise Complaint(
            f"--seen-by is for Ultimate Texas Hold'em, and {house.id} is Ultimate Draw: openfelt "
            "advise --game draw --seen counts what seen cards change for a hand.",
            ExitCode.WRONG_INPUT,
        )
    needed = {SeenBy.TWO_HANDS: 2, SeenBy.THREE_HANDS: 3}.get(seen_by, 1)
    if house.hands_per_seat < needed:
        raise Complaint(
            f"A player at {house.id} cannot play {needed} hands: {seen_by.value} is for a house "
            "such as stadium.",
            ExitCode.WRONG_INPUT,
        )
    shares = house.deck is Deck.SHARED and house.seats >= _SIX
    if seen_by is SeenBy.SIX_PLAYERS and not shares:
        raise Complaint(
            f"{house.id} does not have six seats dealt from one deck: six_players is for a table "
            "such as washington.",
            ExitCode.WRONG_INPUT,
        )


_SIX = 6


@dataclass(frozen=True, slots=True)
class _DrawRequest:
    """A question about a house of Ultimate Draw."""

    bonus_units: Fraction
    changes: list[str]
    best_play: bool
    count_again: bool


def _print_draw(house: "House", request: _DrawRequest, *, as_json: bool) -> None:
    from openfelt.cli.figures.compile_notice import announce_compiling
    from openfelt.cli.figures.draw_edge_report import draw_facts, draw_report
    from openfelt.cli.progress import watched
    from openfelt.cli.terminal import make_console
    from openfelt.maths.draw import best_play
    from openfelt.maths.draw.draw_figures import draw_terms_of, is_qualifying, price_draw_house
    from openfelt.maths.draw.qualifying_hands import parse_minimum

    try:
        terms = draw_terms_of(house)
        for text in request.changes:
            name, _, value = text.partition("=")
            name = name.strip().lower().replace(" ", "_")
            if is_qualifying(name):
                terms = terms.requiring(parse_minimum(value))
            else:
                terms = terms.changed(name, _term(text, value.strip()))
        announce_compiling()
        again = request.count_again
        kept = None if again else best_play.known_house_way(terms.qualifying)
        with watched("Counting pairs of hands") as progress:
            figures = price_draw_house(house, terms, ante=kept, progress=progress)
        best = _best_play(figures, request)
    except ValueError as error:
        raise wrong_input(error) from error
    if as_json:
        facts = draw_facts(figures, request.bonus_units, best)
        sys.stdout.write(json.dumps(facts, indent=2) + "\n")
    else:
        make_console().print(draw_report(figures, request.bonus_units, best))


def _term(text: str, value: str) -> Fraction:
    """The value of a change such as unqualified=1/4; raises Complaint."""
    if not re.fullmatch(r"-?(\d{1,9}([./]\d{1,9})?|\.\d{1,9})", value):
        raise Complaint(
            f"--what-if {text}: write TERM=VALUE with a number of Antes, such as unqualified=1/4 "
            "or full_house=1.5.",
            ExitCode.WRONG_INPUT,
        )
    try:
        return Fraction(value)
    except ZeroDivisionError as error:
        raise Complaint(
            f"--what-if {text}: the denominator is zero.", ExitCode.WRONG_INPUT
        ) from error


def _best_play(figures: "DrawFigures", request: _DrawRequest) -> "dict[Fraction, BestPlay]":
    """Best play by the units of the Bonus: of the Ante alone, and of both together.

    Without `--best-play`, only what the kept counts decide, with a few hands counted now.
    """
    from openfelt.cli.progress import watched
    from openfelt.maths.draw import best_play

    wagered = request.bonus_units
    asked = [Fraction(0), wagered] if figures.bonuses and wagered else [Fraction(0)]
    best: dict[Fraction, BestPlay] = {}
    with watched("Counting the best holds") as progress:
        for units in asked:
            play = None
            if not request.count_again:
                play = best_play.priced_best_play(figures, units, progress=progress)
            if play is None and (request.best_play or request.count_again):
                play = best_play.count_best_play(figures, units, progress=progress)
            if play is not None:
                best[units] = play
    return best


def tell_aggregates(house: "House") -> None:
    """Warn that payouts are counted in full, although the table may cut them (R.36)."""
    from openfelt.money import format_cents

    for aggregate in house.payout_aggregates:
        sys.stderr.write(
            f"Payouts are counted in full. The table pays at most "
            f"{format_cents(aggregate.max_cents)} on all {aggregate.wager.words} wagers of a "
            "round together (R.36).\n"
        )


def with_paytables(catalog: "Catalog", house: "House", texts: list[str]) -> "House":
    """The house with other paytables; a bare name selects the table of every wager that has it."""
    from openfelt.maths.wagers.house_figures import with_paytable

    offered = {rule.kind.value for rule in house.wagers}
    given: dict[str, str] = {}
    for text in texts:
        wager, _, name = text.rpartition("=")
        tables = [
            table
            for (of_wager, of_name), table in catalog.paytables.items()
            if of_name.lower() == name.strip().lower()
            and of_wager in offered
            and (not wager or of_wager == wager.strip().lower().replace(" ", "_"))
        ]
        if not tables:
            names = sorted({name for of_wager, name in catalog.paytables if of_wager in offered})
            raise Complaint(
                f"{house.id} cannot use a paytable called {text!r}. It can use {', '.join(names)}.",
                ExitCode.WRONG_INPUT,
            )
        for table in tables:
            if table.wager in given:
                raise Complaint(
                    f"{given[table.wager]!r} and {text!r} are both paytables of {table.wager}. "
                    "Give one of them; if a name belongs to several wagers, write WAGER=NAME.",
                    ExitCode.WRONG_INPUT,
                )
            given[table.wager] = text
            house = with_paytable(house, table)
    return house


def _meter_units(house: "House", text: str | None) -> Fraction | None:
    from openfelt.money import parse_cents
    from openfelt.rules import WagerKind

    if text is None:
        return None
    wager = house.wager(WagerKind.PROGRESSIVE)
    if wager is None:
        raise Complaint(f"{house.id} has no progressive meter.", ExitCode.WRONG_INPUT)
    try:
        return Fraction(parse_cents(text), wager.min_cents)
    except ValueError as error:
        raise Complaint(f"--meter: {error}.", ExitCode.WRONG_INPUT) from error


def _stakes(house: "House", bets: list[str]) -> dict[str, Fraction | int]:
    """One Ante and the units of each side bet wagered with it."""
    side_bets = [rule.kind.value for rule in house.wagers if rule.kind.value not in _THE_GAME]
    stakes: dict[str, Fraction | int] = {"game": 1}
    if not bets:
        return stakes | dict.fromkeys(side_bets, 1)
    for text in bets:
        wager, _, units = text.partition("=")
        wager = wager.strip().lower().replace(" ", "_")
        if wager not in side_bets or wager in stakes:
            raise Complaint(
                f"{text!r} is given twice, or is not a side bet of {house.id}. "
                f"It has {', '.join(side_bets) or 'none'}.",
                ExitCode.WRONG_INPUT,
            )
        stakes[wager] = _units(text, units)
    return stakes


_THE_GAME = ("ante", "blind")


def _units(text: str, units: str) -> Fraction:
    try:
        amount = Fraction(units.strip() or "1")
    except (ValueError, ZeroDivisionError):
        amount = Fraction(-1)
    if not 0 <= amount <= UNITS_MAX:
        raise Complaint(
            f"{text!r} is not a wager with at most {UNITS_MAX} units, such as trips=0.5.",
            ExitCode.WRONG_INPUT,
        )
    return amount
