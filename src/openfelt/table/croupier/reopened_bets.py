"""The reopening of bets that were closed too early, before the first card."""

from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Phase
from openfelt.table.commands import Person, ReopenBets
from openfelt.table.events import BetsReopened
from openfelt.table.permissions import Events, Outside, check_in_time, in_progress
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table


def reopen_bets(table: Table, _: ReopenBets, __: Person, outside: Outside) -> Events:
    """Take wagers again, where the dealer called "no more bets" too early (R.31).

    Collections go back, and are taken again when bets close. Beside a live dealer, seeds are called
    after the last scan; once they are, bets stay closed.
    """
    if table.virtual:
        raise Refusal(TableCode.CARDS_ARE_VIRTUAL, "Bets at a virtual table close by the clock.")
    state = in_progress(table)
    check_in_time(state, outside)
    if state.phase is Phase.WAGERING:
        raise Refusal(TableCode.BETS_OPEN, "Bets are open.")
    dealt = state.dealer or state.common or any(hand.cards for hand in state.hands.values())
    if state.phase is not Phase.PLAYING or dealt:
        raise Refusal(RefusalCode.TOO_LATE, "A card has been dealt: bets stay closed.")
    if state.irregularities:
        raise Refusal(RefusalCode.TOO_LATE, "Something went wrong in the deal: bets stay closed.")
    if table.seeds is not None and table.seeds.called is not None:
        raise Refusal(RefusalCode.TOO_LATE, "The seeds have been called: bets stay closed.")
    return (BetsReopened(),)
