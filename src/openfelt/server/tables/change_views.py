"""What players and staff see of a change that applies from the next round on."""

from openfelt.protocol.table_views import ChangeView
from openfelt.table.state import Table


def change_view(table: Table) -> ChangeView | None:
    """What staff have changed, None once a round with it is over."""
    notice = table.terms.notice
    rounds_over = table.rounds if table.playing is None else table.rounds - 1
    if notice is None or notice.round <= rounds_over:
        return None
    return ChangeView(
        round=notice.round, kinds=[kind.value for kind in notice.kinds], reason=notice.reason
    )
