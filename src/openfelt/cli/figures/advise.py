"""``openfelt advise`` prints the exact value of each decision."""

import json
import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openfelt.cli.complaint import Complaint, wrong_input
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.options import AsJson, HousesFolder

if TYPE_CHECKING:
    from rich.console import RenderableType

    from openfelt.cards import Card
    from openfelt.maths import Advice, HoldemTerms


class AdviceGame(StrEnum):
    """The games for which there is advice."""

    HOLDEM = "holdem"
    DRAW = "draw"


def advise(
    hole: Annotated[str, typer.Option(help='Your two cards, such as "Ah Kd".')] = "",
    board: Annotated[str, typer.Option(help="The three or five community cards.")] = "",
    seen: Annotated[
        str, typer.Option(help="Other cards you have seen: your other hands, exposed cards.")
    ] = "",
    dealer: Annotated[str, typer.Option(help="Cards of the dealer that were exposed.")] = "",
    house: Annotated[
        str, typer.Option(help="The house whose rules apply; washington or draw by default.")
    ] = "",
    game: Annotated[
        AdviceGame, typer.Option(help="Ultimate Texas Hold'em or Ultimate Draw.")
    ] = AdviceGame.HOLDEM,
    hand: Annotated[
        str, typer.Option(help='Your five cards of Ultimate Draw, such as "Ks Kd 9s 5h 2s".')
    ] = "",
    bonus: Annotated[
        str, typer.Option(help="The Bonus wager of Ultimate Draw per Ante, such as 0.5.")
    ] = "0",
    folder: HousesFolder = None,
    as_json: AsJson = False,
) -> None:
    """Print the exact value of every decision for a hand, in Antes.

    Cards are written as As, A♠, 10h or Th, with or without spaces.
    """
    if game is AdviceGame.DRAW:
        from openfelt.cli.figures.draw_advice import print_draw_advice

        if hole or board or dealer:
            raise Complaint(
                "--hole, --board and --dealer are for hold'em. Give the five cards with --hand.",
                ExitCode.WRONG_INPUT,
            )
        print_draw_advice(hand, seen, bonus, house or "draw", folder, as_json=as_json)
        return
    if hand:
        raise Complaint("--hand is for Ultimate Draw: add --game draw.", ExitCode.WRONG_INPUT)
    if not hole:
        raise Complaint('Give your two cards, such as --hole "Ah Kd".', ExitCode.WRONG_INPUT)
    from openfelt.cli.rule_data import find_house, open_catalog
    from openfelt.cli.terminal import make_console
    from openfelt.maths.holdem.house_terms import terms_of

    cards = {
        name: parsed_cards(name, text)
        for name, text in (("hole", hole), ("board", board), ("seen", seen), ("dealer", dealer))
    }
    chosen = find_house(open_catalog(folder), house or "washington")
    try:
        advice = _advice(cards, terms_of(chosen))
    except ValueError as error:
        raise wrong_input(error) from error
    if as_json:
        sys.stdout.write(json.dumps(advice_facts(advice, chosen.id, cards), indent=2) + "\n")
    else:
        make_console().print(advice_table(advice))


def _advice(cards: "dict[str, tuple[Card, ...]]", terms: "HoldemTerms") -> "Advice":
    """Answer without the compiler if that is faster, as for one hand on a board."""
    hole, board, seen, dealer = (cards[name] for name in ("hole", "board", "seen", "dealer"))
    if board:
        from openfelt.maths.holdem.plain_advice import plain_advice

        advice = plain_advice(hole, board, seen=seen, dealer=dealer, terms=terms)
    else:
        from openfelt.maths.holdem.usual_values import usual_advice

        advice = usual_advice(hole, seen, dealer, terms)
    if advice is None:
        from openfelt.cli.figures.compile_notice import announce_compiling
        from openfelt.maths.holdem.flop_sums import seen_advice

        announce_compiling()
        advice = seen_advice(hole, seen=seen, dealer=dealer, terms=terms)
    return advice


def parsed_cards(name: str, text: str) -> "tuple[Card, ...]":
    """The cards of an option; raises Complaint."""
    from openfelt.cards import parse_cards

    try:
        return parse_cards(text)
    except ValueError as error:
        raise Complaint(f"--{name}: {error}.", ExitCode.WRONG_INPUT) from error


def advice_facts(
    advice: "Advice", house: str, cards: "dict[str, tuple[Card, ...]]"
) -> dict[str, Any]:
    """The advice as JSON."""
    return {
        "house": house,
        **{name: [str(card) for card in group] for name, group in cards.items()},
        "actions": [
            {"action": action, "ev": float(value), "ev_fraction": str(value)}
            for action, value in advice.values.items()
        ],
        "best": advice.best,
    }


def advice_table(advice: "Advice") -> "RenderableType":
    """The advice as a table, best first, with the cost of each other decision."""
    from rich.table import Table

    from openfelt.cli.figures.number_format import signed

    table = Table(box=None, pad_edge=False)
    table.add_column("Decision")
    table.add_column("Antes", justify="right")
    table.add_column("Costs", justify="right")
    best = advice.values[advice.best]
    for action, value in sorted(advice.values.items(), key=lambda item: item[1], reverse=True):
        first = action == advice.best
        cost = "best" if first else f"{float(best - value):.6f}"
        # bet_2x is written as Bet 2x.
        words = action.replace("_", " ").capitalize()
        table.add_row(words, signed(value), cost, style="bold" if first else "")
    return table
