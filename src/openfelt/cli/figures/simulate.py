"""``openfelt simulate`` plays many rounds of a house by a strategy and totals them."""

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.cli.figures.crew_choice import chosen_crew
from openfelt.cli.options import AsJson, HouseName, HousesFolder, Scheduler, Workers

if TYPE_CHECKING:
    from rich.console import RenderableType

    from openfelt.rules import House, Wager

ROUNDS = 1_000_000
SESSION_ROUNDS = 500
_STRATEGY_HELP = (
    "basic, published_simple, perfect; for Ultimate Draw, house_way, basic_draw, best_draw, or "
    "best_draw_udp_01 to best_draw_udp_04."
)


def simulate(
    house: HouseName,
    strategy: Annotated[
        str | None,
        typer.Option(help=_STRATEGY_HELP),
    ] = None,
    rounds: Annotated[
        int | None, typer.Option(help=f"How many rounds to play; {ROUNDS:,} by default.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The seed, to repeat a simulation; random by default.")
    ] = None,
    hands: Annotated[int, typer.Option(help="Hands that the player plays in each round.")] = 1,
    ante: Annotated[
        str | None, typer.Option(help="The Ante of each hand; the house minimum by default.")
    ] = None,
    bet: Annotated[
        list[str] | None,
        typer.Option(
            help="A side bet of each hand, as WAGER=AMOUNT, such as trips=5. "
            "May be given several times."
        ),
    ] = None,
    sessions: Annotated[
        int | None, typer.Option(help="Play this many sessions with a bankroll instead.")
    ] = None,
    bankroll: Annotated[
        str | None, typer.Option(help="The bankroll of a session; 100 Antes by default.")
    ] = None,
    rounds_per_session: Annotated[
        int | None,
        typer.Option(help=f"The most rounds in a session; {SESSION_ROUNDS} by default."),
    ] = None,
    goal: Annotated[
        str | None, typer.Option(help="A session ends when it has won this much.")
    ] = None,
    workers: Workers = None,
    scheduler: Scheduler = None,
    folder: HousesFolder = None,
    as_json: AsJson = False,
) -> None:
    """Simulate rounds of a house: mean, deviation, every wager and every decision.

    The same seed gives the same result for any number of workers. Amounts are in dollars.
    """
    from openfelt.cli.figures.simulation_report import rounds_report, sessions_report
    from openfelt.cli.figures.simulation_run import Order, run_rounds, run_sessions
    from openfelt.cli.rule_data import find_house, open_catalog

    chosen = find_house(open_catalog(folder), house)
    for_sessions = (bankroll, goal, rounds_per_session) != (None, None, None)
    if problem := _misused(sessions, rounds, for_sessions=for_sessions):
        raise Complaint(problem, ExitCode.WRONG_INPUT)
    order = Order(
        house=chosen,
        strategy=strategy,
        wagers=read_wagers(chosen, ante, bet or []),
        hands=hands,
        seed=fresh_seed() if seed is None else seed,
    )
    with chosen_crew(workers, scheduler):
        if sessions is None:
            played = run_rounds(order, ROUNDS if rounds is None else rounds)
            _print(played.facts() if as_json else rounds_report(played))
        else:
            cents = read_amount("--bankroll", bankroll) if bankroll else 100 * order.ante_cents
            won = read_amount("--goal", goal) if goal else None
            most = SESSION_ROUNDS if rounds_per_session is None else rounds_per_session
            ended = run_sessions(order, sessions, most, cents, won)
            _print(ended.as_json() if as_json else sessions_report(chosen, ended))


def _misused(sessions: int | None, rounds: int | None, *, for_sessions: bool) -> str | None:
    """The complaint about options that cannot be combined, or None."""
    if sessions is None and for_sessions:
        return "--bankroll, --goal and --rounds-per-session need --sessions."
    if sessions is not None and rounds is not None:
        return "With --sessions, use --rounds-per-session."
    return None


def _print(result: "dict[str, Any] | RenderableType") -> None:
    """Print a dictionary as JSON, and a report as it is."""
    from openfelt.cli.terminal import make_console

    if isinstance(result, dict):
        sys.stdout.write(json.dumps(result, indent=2) + "\n")
    else:
        make_console().print(result)


def fresh_seed() -> int:
    """A random seed, short enough to type again."""
    import secrets

    return secrets.randbelow(10**9)


def read_amount(name: str, text: str) -> int:
    """Parse an amount in dollars as cents; raises Complaint for invalid text."""
    from openfelt.money import parse_cents

    try:
        return parse_cents(text)
    except ValueError as error:
        raise Complaint(f"{name}: {error}.", ExitCode.WRONG_INPUT) from error


def read_wagers(house: "House", ante: str | None, bets: list[str]) -> "list[Wager]":
    """The wagers of each hand: an Ante, and side bets such as trips=5."""
    from openfelt.rules import Wager, WagerKind

    rule = house.wager(WagerKind.ANTE)
    assert rule is not None
    cents = read_amount("--ante", ante) if ante else rule.min_cents
    wagers = [Wager(WagerKind.ANTE, cents)]
    base = {WagerKind.ANTE, WagerKind.BLIND}
    offered = {rule.kind.value: rule.kind for rule in house.wagers if rule.kind not in base}
    for text in bets:
        name, _, amount = text.partition("=")
        kind = offered.get(name.strip().lower().replace(" ", "_").replace("-", "_"))
        if kind is None:
            raise Complaint(
                f"{house.id} has no side bet called {name.strip()!r}. "
                f"It has {', '.join(offered) or 'none'}.",
                ExitCode.WRONG_INPUT,
            )
        if not amount.strip():
            raise Complaint(f"Give the amount of the bet: {kind.value}=5.", ExitCode.WRONG_INPUT)
        wagers.append(Wager(kind, read_amount(f"--bet {kind.value}", amount.strip())))
    return wagers
