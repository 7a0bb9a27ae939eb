"""The commands about seeds, and the table's automatic steps with them."""

import re
from typing import Final

from openfelt.rules.action_checks import check_form, malformed
from openfelt.rules.dealing import Deal, Lies
from openfelt.rules.refusal import Refusal
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_actions import SetWagers
from openfelt.table.commands import Person, RevealSeed, SeededWagers
from openfelt.table.croupier.round_commands import set_wagers
from openfelt.table.events import SeedCommitted, SeedRevealed, SeedsCalled, SeedsFixed
from openfelt.table.permissions import Events, Outside, own_seat
from openfelt.table.refusal import TableCode
from openfelt.table.seeds import seed_commitment, seeds_digest
from openfelt.table.state import Table
from openfelt.table.transitions import after

_WAGERING: Final = Phase.WAGERING
_HEX: Final = re.compile(r"[0-9a-f]{64}")


def seeded_wagers(table: Table, command: SeededWagers, by: Person, outside: Outside) -> Events:
    """Set wagers, and bind their seat to a seed with the first ones of a round."""
    if not isinstance(command.wagers, SetWagers):
        raise malformed("A seed must be sent together with wagers.")
    check_form(command.wagers)
    check_hex(command.seed_commitment)
    events = set_wagers(table, command.wagers, by, outside)
    if not command.wagers.wagers:
        return events
    if table.playing is None:
        table = after(table, events[0], ())
    return (*events, *binding(table, command.wagers.spot.seat, command.seed_commitment))


def binding(table: Table, seat: int, commitment: str | None) -> Events:
    """The event that binds a seat to a seed; none if it is bound already, or gives no seed.

    The wager counts either way: a player may have two terminals open, each with its own seed. The
    caller has checked the commitment with ``check_hex``.
    """
    seeds = table.seeds
    if commitment is None or seeds is None or seat in seeds.committed:
        return ()
    return (SeedCommitted(seat, commitment),)


def reveal_seed(table: Table, command: RevealSeed, by: Person, _: Outside) -> Events:
    """Reveal the seed of one's own seat, once seeds are called and until the deal begins."""
    own_seat(table, command.seat, by)
    check_hex(command.seed)
    if table.seeds is None or not _is_called(table, command.seat):
        raise Refusal(TableCode.SEEDS_NOT_CALLED, "No seed of your seat is called now.")
    bound = table.seeds.committed[command.seat]
    if seed_commitment(table.round_id, command.seat, command.seed) != bound:
        raise Refusal(TableCode.WRONG_SEED, "This is not the seed that your seat is bound to.")
    return (SeedRevealed(command.seat, command.seed),)


def check_hex(text: object) -> None:
    """A seed, and a commitment to one, must have 64 hexadecimal digits."""
    if not isinstance(text, str) or not _HEX.fullmatch(text):
        raise malformed("A seed, and a commitment to one, must have 64 hexadecimal digits.")


def _is_called(table: Table, seat: int) -> bool:
    """Whether a seat's seed is called and has not been revealed yet."""
    seeds = table.seeds
    if seeds is None or not awaits_seeds(table):
        return False
    return seat in seeds.committed and seat not in seeds.revealed


def awaits_seeds(table: Table) -> bool:
    """Whether seeds are called and not fixed yet."""
    seeds, state = table.seeds, table.playing
    in_play = state is not None and state.phase is not Phase.WAGERING
    return in_play and seeds is not None and seeds.awaited


def seeds_next(table: Table) -> Events:
    """Call the seeds once bets are closed, and begin the deal once all are revealed.

    A live dealer first scans the table's own cards. The seeds then take effect only after these
    cards, so a dealer cannot choose the cards by them.
    """
    seeds, state = table.seeds, table.playing
    if state is None or seeds is None or seeds.fixed or state.phase is _WAGERING:
        return ()
    if not table.virtual and not _hands_are_next(state):
        return ()
    if seeds.called is None and seeds.committed:
        return (SeedsCalled(seeds_digest(table.round_id, seeds.committed)),)
    return (SeedsFixed(),) if seeds.complete else ()


def _hands_are_next(state: Round) -> bool:
    step = state.current_step
    return isinstance(step, Deal) and step.place.lies is Lies.HAND
