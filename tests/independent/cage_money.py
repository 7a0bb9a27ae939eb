"""The money of the cage, worked out from the record alone, without any code of Openfelt."""

from collections import Counter

from tests.independent.money import Body, Changes, Wrong, moved


def voucher_changes(voucher: str, name: str, body: Body) -> Changes:
    """What an event of a voucher changes."""
    changes: Changes = Counter()
    own, cents = f"voucher:{voucher}", body["cents"]
    if name == "voucher_issued":
        moved(body["source"], own, cents, changes)
    elif name == "voucher_redeemed":
        moved(own, body["to"], cents, changes)
    elif name == "voucher_expired":
        moved(own, "unclaimed:vouchers", cents, changes)
    else:
        raise Wrong(f"A voucher has an event {name}.")
    return changes


class DrawerMoney:
    """The cash of one drawer, and what it changes in the book."""

    def __init__(self, drawer: str) -> None:
        self.own = f"drawer:{drawer}"
        self.cents = 0

    def take(self, name: str, body: Body) -> Changes:
        """What an event of the drawer changes; its vouchers move money in their own streams."""
        changes: Changes = Counter()
        if name == "drawer_opened":
            self.cents = counted(body)
            if self.cents:
                moved(self.own, "cash", self.cents, changes)
        elif name == "drawer_cash_taken":
            self.cents += body["cents"]
            moved(self.own, f"wallet:{body['player']}", body["cents"], changes)
        elif name == "drawer_cash_paid":
            self.cents -= body["cents"]
            moved(f"wallet:{body['player']}", self.own, body["cents"], changes)
        elif name == "drawer_voucher_sold":
            self.cents += body["cents"]
        elif name == "drawer_voucher_cashed":
            self.cents -= body["cents"]
        elif name == "drawer_closed":
            self._close(body, changes)
        elif not name.startswith("payout_"):
            raise Wrong(f"A drawer has an event {name}.")
        if self.cents < 0:
            raise Wrong(f"{self.own} has paid {-self.cents} cents that it did not hold.")
        return changes

    def _close(self, body: Body, changes: Changes) -> None:
        """Counted cash goes back, and the house bears what the count lacks or has too much."""
        cash = counted(body)
        if body["difference_cents"] != cash - self.cents:
            raise Wrong(f"{self.own} held {self.cents} cents, and {cash} were counted.")
        for account, cents in (
            ("cash", -cash),
            ("house:cage", cash - self.cents),
            (self.own, self.cents),
        ):
            if cents:
                changes[account] += cents
        self.cents = 0


def counted(body: Body) -> int:
    """What a count adds up to."""
    return sum(int(cents) * pieces for cents, pieces in body["count"].items())
