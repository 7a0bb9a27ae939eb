"""The chips of live tables, worked out from the record alone, without any code of Openfelt.

Chips are neither made nor lost by play: what lies in the tray, before players, on the felt, in the
tips and in the drop box is the same before and after. So what play did to a tray is the opposite of
what it did to all of these accounts.
"""

from collections import Counter
from collections.abc import Mapping

from tests.independent.cage_money import counted
from tests.independent.money import Body, Changes, Wrong, moved, require

OUTSIDE = ("credit", "wagers", "banker", "tips", "drop")
"""Where chips of a table lie that are not in its tray."""
Moved = Mapping[tuple[str, int], Mapping[str, int]]
"""By stream and version, by how many cents an event has changed each account."""


class TrayMoney:
    """The chips of one tray, and what it changes in the book."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.own = f"tray:{table}"
        self.cents = 0
        self.version: int | None = None
        """The last event of the table before the last count."""
        self.waiting: Body | None = None
        self.requests: dict[int, Body] = {}
        self.given: dict[int, str] = {}
        self.numbers = [0, 0]
        """The last count, and the last request."""
        self.slips: dict[int, int] = {}
        """By the number of a slip, its request."""
        self.played: list[tuple[int, int, int]] = []
        """Two events of the table, and what the tray gained between them, as a count says."""

    def take(self, name: str, body: Body) -> Changes:
        """What an event of the tray changes."""
        changes: Changes = Counter()
        handler = getattr(self, f"_{name}", None)
        if handler is None:
            raise Wrong(f"A tray has an event {name}.")
        handler(body, changes)
        return Counter({account: cents for account, cents in changes.items() if cents})

    # Counts ------------------------------------------------------------------------------

    def _tray_counted(self, body: Body, _: Changes) -> None:
        self._next(0, body["number"])
        self.waiting = body

    def _tray_count_dropped(self, body: Body, _: Changes) -> None:
        self.waiting = None

    def _tray_opened(self, body: Body, changes: Changes) -> None:
        self._recount(body, changes)

    def _tray_closed(self, body: Body, changes: Changes) -> None:
        require(not self.requests, "A tray is closed while chips are on their way.")
        self._recount(body, changes)

    def _recount(self, body: Body, changes: Changes) -> None:
        waiting, self.waiting = self.waiting, None
        require(waiting is not None, "A count has one signature.")
        assert waiting is not None
        require(waiting["count"] == body["count"], "Another count was signed.")
        signers = {body["dealer"], body["supervisor"]}
        require(len(signers) == 2 and waiting["by"] in signers, "Two people sign a count.")
        now, version = counted(body), body["mark"]["version"]
        if self.version is None:
            moved(self.own, "chips", now, changes)
        else:
            gained = played_cents(body["play"])
            self.played.append((self.version, version, gained))
            difference = now - self.cents - gained
            require(difference == body["difference_cents"], f"The difference is {difference}.")
            require(not difference or body["reason"].strip(), "A difference has no reason.")
            for other, cents in (
                (f"chips:{self.table}", gained),
                (f"house:{self.table}/tray", difference),
            ):
                changes[self.own] -= cents
                changes[other] += cents
        self.cents, self.version = now, version

    # Fills and credits -------------------------------------------------------------------

    def _chips_requested(self, body: Body, _: Changes) -> None:
        self._next(1, body["number"])
        self.requests[body["number"]] = body

    def _chips_given(self, body: Body, changes: Changes) -> None:
        request = self.requests[body["number"]]
        require(body["number"] not in self.given, "Chips are given twice.")
        require(body["by"] != request["by"], "A request is approved by its own person.")
        self.given[body["number"]] = body["by"]
        self._slip(body)
        cents, fill = counted(request), request["kind"] == "fill"
        moved(f"chips:{self.table}/moved", "chips" if fill else self.own, cents, changes)
        self.cents -= 0 if fill else cents

    def _chips_received(self, body: Body, changes: Changes) -> None:
        request, giver = self.requests.pop(body["number"]), self.given.pop(body["number"])
        require(body["by"] not in (request["by"], giver), "Chips are received by a third person.")
        self._slip(body)
        cents, fill = counted(request), request["kind"] == "fill"
        moved(self.own if fill else "chips", f"chips:{self.table}/moved", cents, changes)
        self.cents += cents if fill else 0

    def _chips_refused(self, body: Body, changes: Changes) -> None:
        request = self.requests.pop(body["number"])
        if self.given.pop(body["number"], None) is not None:
            cents, fill = counted(request), request["kind"] == "fill"
            moved("chips" if fill else self.own, f"chips:{self.table}/moved", cents, changes)
            self.cents += 0 if fill else cents

    def _slip(self, body: Body) -> None:
        if body.get("slip") is not None:
            self.slips[body["slip"]] = body["number"]

    def _next(self, which: int, number: int) -> None:
        require(number == self.numbers[which] + 1, f"{number} follows {self.numbers[which]}.")
        self.numbers[which] = number

    # The table's record --------------------------------------------------------------------

    def check_played(self, actual: Moved) -> None:
        """Compare what counts say of the play with the transfers of the table."""
        for begin, end, gained in self.played:
            changes: Counter[str] = Counter()
            for version in range(begin + 1, end + 1):
                changes.update(actual.get((f"table/{self.table}", version), {}))
            left = sum(
                cents for account, cents in changes.items() if account.partition(":")[0] in OUTSIDE
            )
            require(gained == -left, f"{self.own} says {gained} of play that gave it {-left}.")


def played_cents(play: Body) -> int:
    """What a tray gained by play, as a count tells it; what is zero is not written down."""
    came = ("collected_cents", "win_cents", "contributed_cents")
    went = ("bought_in_cents", "awarded_cents")
    plus = sum(int(play.get(name, 0)) for name in came)
    return plus - sum(int(play.get(name, 0)) for name in went)
