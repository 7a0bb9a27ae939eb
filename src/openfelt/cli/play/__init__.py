"""``openfelt play`` plays any house at the keyboard."""

from pathlib import Path
from typing import Annotated

import typer

from openfelt.cli.options import COUNT_MAX, SEED_MAX, HousesFolder


def play(
    *,
    house: Annotated[
        str | None,
        typer.Argument(metavar="HOUSE", help="The house to play; without it, a menu is shown."),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=0,
            max=SEED_MAX,
            help="Replay a game exactly: same seed, same keys, same cards. "
            "Saved credit is neither read nor written.",
        ),
    ] = None,
    credit: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", help="The credit of a new player, such as 500."),
    ] = None,
    hands: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=COUNT_MAX, help="Bet on N hands at once, where offered."
        ),
    ] = 1,
    computer_players: Annotated[
        int | None,
        typer.Option(
            "--opponents", metavar="N", min=0, max=COUNT_MAX, help="How many computer players play."
        ),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR", envvar="OPENFELT_DATA", help="Where your credit is kept between games."
        ),
    ] = None,
    four_colour: Annotated[
        bool, typer.Option("--four-colour", help="Blue diamonds and green clubs.")
    ] = False,
    with_clock: Annotated[
        bool, typer.Option("--clock", help="Run the house's countdowns, where it has them.")
    ] = False,
    floor: Annotated[
        bool,
        typer.Option("--floor", help="Act as floor staff too: void can then declare a game void."),
    ] = False,
    folder: HousesFolder = None,
) -> None:
    """Play at the keyboard, with play money."""
    from openfelt.cli.play.start import run
    from openfelt.cli.play.visit import PlayOptions

    run(
        PlayOptions(
            house=house,
            seed=seed,
            credit=credit,
            hands=hands,
            computer_players=computer_players,
            data=data,
            four_colour=four_colour,
            with_clock=with_clock,
            floor=floor,
            houses_folder=folder,
        )
    )
