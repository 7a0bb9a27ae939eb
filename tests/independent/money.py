"""A model of money of its own: which accounts an event changes, worked out from its JSON alone.

It imports nothing of the program that it checks, and follows the published rules and
``docs/reference/events.md``: a mistake in the program's own arithmetic is not made here again.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

Body = Mapping[str, Any]
Changes = Counter[str]
"""By account, by how many cents an event changes it."""
Rules = Callable[[str], Body]
"""Gives the rules of a house by their fingerprint."""


class Wrong(Exception):
    """An event that contradicts the ones before it."""


def require(holds: object, sentence: str) -> None:
    """Refuse what does not hold."""
    if not holds:
        raise Wrong(sentence)


def moved(source: str, target: str, cents: int, into: Changes) -> None:
    """Note a movement of money between two accounts."""
    require(type(cents) is int and cents >= 0, f"{cents} is no amount.")
    into[source] -= cents
    into[target] += cents


Circle = tuple[str, str, str]
"""The hand, the wager and the one for whom it was made."""


@dataclass
class Round:
    """A round from its opening to its end."""

    id: str
    rules: Body
    banker: Body | None
    day: str
    wagers: dict[Circle, int] = field(default_factory=dict)
    dues: dict[int, int] = field(default_factory=dict)
    due_of: dict[str, int] = field(default_factory=dict)
    """The collection of each hand."""
    void: set[str] = field(default_factory=set)
    fouled: set[str] = field(default_factory=set)
    """The hands that were declared void."""
    tips: str = ""


class TableMoney:
    """The money of one table, event by event."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self.name = ""
        self.link: str | None = None
        self._dealer: str | None = None
        self._players: dict[int, str] = {}
        self._credits: Counter[int] = Counter()
        self._round: Round | None = None
        self._proposed: dict[int, Body] = {}
        """The adjustments that wait for approval."""
        self._feeds = True
        """Whether the event is of a version that feeds its link by an account of its own."""
        self.link_totals: tuple[int, int, int, int, int] | None = None
        """Of the last settlement with a progressive: the round, what was wagered, awarded and
        envied, and what of it came from the meter."""

    @classmethod
    def cares_for(cls, name: str) -> bool:
        """Whether events of this name say anything about money."""
        return hasattr(cls, f"_{name}")

    def take(self, name: str, body: Body, schema: int = 2) -> Changes:
        """What an event changes; the first form of a settlement had no feed."""
        changes: Changes = Counter()
        self._feeds = schema > 1
        handler = getattr(self, f"_{name}", None)
        # What is sealed are cards, and the cards that a player holds. They move no money.
        if handler is not None and "sealed" not in body:
            handler(body, changes)
        return Counter({account: cents for account, cents in changes.items() if cents})

    def _credit(self, seat: int) -> str:
        return f"credit:{self.name}/{self._players[seat]}"

    # People ------------------------------------------------------------------------------

    def _table_opened(self, body: Body, _: Changes) -> None:
        require(not self.name, "A table opens once.")
        self.name, self.link = body["table"], body.get("link")

    def _link_changed(self, body: Body, _: Changes) -> None:
        self.link = body.get("link")

    def _dealer_changed(self, body: Body, _: Changes) -> None:
        self._dealer = body.get("dealer")
        if self._round is not None and body.get("tips_stay") is False:
            self._round.tips = self._dealer or self.name

    def _seat_taken(self, body: Body, _: Changes) -> None:
        require(body["seat"] not in self._players, "The seat is taken.")
        require(body["player"] not in self._players.values(), "The player sits already.")
        self._players[body["seat"]] = body["player"]

    def _seat_left(self, body: Body, _: Changes) -> None:
        require(self._credits[body["seat"]] == 0, "A seat is left with credit on it.")
        del self._players[body["seat"]]

    def _bought_in(self, body: Body, changes: Changes) -> None:
        seat = body["seat"]
        wallet = f"wallet:{self._players[seat]}"
        moved(wallet, self._credit(seat), body["cents"], changes)
        self._credits[seat] += body["cents"]

    def _collected(self, body: Body, changes: Changes) -> None:
        seat = body["seat"]
        require(body["cents"] == self._credits[seat], "A seat collects its whole credit.")
        moved(self._credit(seat), f"wallet:{self._players[seat]}", body["cents"], changes)
        self._credits[seat] = 0

    # Wagers ------------------------------------------------------------------------------

    def _round_opened(self, body: Body, changes: Changes) -> None:
        require(self._round is None, "A round opens while another one is in progress.")
        name = f"{self.name}/{body['number']}"
        banker = body.get("banker")
        self._round = Round(name, self._rules(body["fingerprint"]), banker, body["day"])
        if banker is not None:
            self._from_seat(banker["seat"], f"banker:{name}", banker["cover_cents"], changes)

    def _wagers_set(self, body: Body, changes: Changes) -> None:
        now, spot = self._in_progress(), body["spot"]
        before = {at: cents for at, cents in now.wagers.items() if at[0] == spot}
        after = {
            (spot, wager["kind"], wager.get("beneficiary", "player")): wager["cents"]
            for wager in body["wagers"]
        }
        now.wagers = {at: cents for at, cents in now.wagers.items() if at[0] != spot} | after
        self._to_felt(spot, sum(after.values()) - sum(before.values()), changes)

    def _decision_made(self, body: Body, changes: Changes) -> None:
        # The cards that a player holds are sealed; then there is no bet.
        decision, now, spot = body.get("decision") or {}, self._in_progress(), body["spot"]
        if decision.get("kind") != "bet":
            return
        for (at, kind, beneficiary), cents in tuple(now.wagers.items()):
            if (at, kind) == (spot, "ante"):
                now.wagers[spot, "play", beneficiary] = cents * decision["multiple"]
                self._to_felt(spot, cents * decision["multiple"], changes)

    def _to_felt(self, spot: str, cents: int, changes: Changes) -> None:
        seat, felt = _seat(spot), f"wagers:{self._in_progress().id}"
        if cents >= 0:
            self._from_seat(seat, felt, cents, changes)
        else:
            self._to_seat(felt, seat, -cents, changes)

    def _from_seat(self, seat: int, target: str, cents: int, changes: Changes) -> None:
        self._credits[seat] -= cents
        require(self._credits[seat] >= 0, f"Seat {seat} of {self.name} owes.")
        moved(self._credit(seat), target, cents, changes)

    def _to_seat(self, source: str, seat: int, cents: int, changes: Changes) -> None:
        self._credits[seat] += cents
        moved(source, self._credit(seat), cents, changes)

    def _bets_closed(self, _: Body, changes: Changes) -> None:
        """Take the flat collection of a table whose players bank."""
        now = self._in_progress()
        now.tips = self._dealer or self.name
        bands = now.rules["bank"].get("collection") or []
        if not bands:
            return
        antes: dict[str, int] = {spot: 0 for spot, _, _ in now.wagers}
        for (spot, kind, beneficiary), cents in now.wagers.items():
            if (kind, beneficiary) == ("ante", "player"):
                antes[spot] = cents
        dues: Counter[int] = Counter()
        for spot, cents in antes.items():
            now.due_of[spot] = _band(bands, cents)["player_cents"] if cents else 0
            dues[_seat(spot)] += now.due_of[spot]
        largest = max(antes.values(), default=0)
        if now.banker is not None:
            dues[now.banker["seat"]] = _band(bands, largest)["banker_cents"]
        now.dues = {seat: cents for seat, cents in dues.items() if cents}
        for seat, cents in now.dues.items():
            self._from_seat(seat, f"drop:{self.name}", cents, changes)

    def _bets_reopened(self, _: Body, changes: Changes) -> None:
        """Give the collection back; it is taken again when bets close."""
        now = self._in_progress()
        for seat, cents in now.dues.items():
            self._to_seat(f"drop:{self.name}", seat, cents, changes)
        now.dues, now.due_of, now.tips = {}, {}, ""

    def _irregularity_declared(self, body: Body, _: Changes) -> None:
        if body["effect"] == "void_hand":
            self._in_progress().void.add(body["spot"])
        if body["effect"] == "lose_hand":
            self._in_progress().fouled.add(body["spot"])

    # Adjustments -------------------------------------------------------------------------

    def _adjustment_proposed(self, body: Body, _: Changes) -> None:
        self._proposed[body["number"]] = body["adjustment"]

    def _adjustment_rejected(self, body: Body, _: Changes) -> None:
        del self._proposed[body["number"]]

    def _adjustment_made(self, body: Body, changes: Changes) -> None:
        made = self._proposed.pop(body["number"])
        banker, player = made.get("banker"), f"wallet:{made['player']}"
        bank = f"house:{self.name}" if banker is None else f"wallet:{banker}"
        if made["cents"] > 0:
            moved(bank, player, made["cents"], changes)
        else:
            moved(player, bank, -made["cents"], changes)

    # The end of a round ------------------------------------------------------------------

    def _round_settled(self, body: Body, changes: Changes) -> None:
        settlement = body["settlement"]
        self._settle(settlement, changes)
        now = self._in_progress()
        for spot in now.void:
            lines = [line for line in settlement["lines"] if line["spot"] == spot]
            back = all(line["returned_cents"] == line["stake_cents"] for line in lines)
            require(back and not any(line["payout_cents"] for line in lines), f"{spot} is void.")
            self._to_seat(f"drop:{self.name}", _seat(spot), now.due_of.get(spot, 0), changes)
        for spot in now.fouled:
            lines = [line for line in settlement["lines"] if line["spot"] == spot]
            lost = all(line["result"] in ("lose", "returned") for line in lines)
            kept = all(line["returned_cents"] == line.get("uncovered_cents", 0) for line in lines)
            require(lost and kept, f"{spot} is fouled.")
        if settlement.get("meter_cents") is not None:
            self._note_link(now.id, settlement)
        self._round = None

    def _round_voided(self, body: Body, changes: Changes) -> None:
        for line in body["settlement"]["lines"]:
            back = line["returned_cents"] == line["stake_cents"] and not line["payout_cents"]
            require(back, f"{line} of a void round is not a return.")
        self._settle(body["settlement"], changes)
        now = self._in_progress()
        for seat, cents in now.dues.items():
            self._to_seat(f"drop:{self.name}", seat, cents, changes)
        self._round = None

    def _settle(self, settlement: Body, changes: Changes) -> None:
        now = self._in_progress()
        felt, bank = f"wagers:{now.id}", f"house:{self.name}"
        if now.banker is not None:
            bank = f"banker:{now.id}"
        kept = now.banker["cover_cents"] if now.banker is not None else 0
        settled: set[Circle] = set()
        for line in settlement["lines"]:
            circle = (line["spot"], line["wager"], line["beneficiary"])
            if line["wager"] not in ("envy", "ante_bonus"):
                require(circle not in settled, f"{circle} is settled twice.")
                require(now.wagers.get(circle) == line["stake_cents"], f"{line} has another stake.")
                settled.add(circle)
            else:
                require(line["stake_cents"] == 0, f"{line} has a stake of its own.")
            _check_line(line, now)
            linked = line["paid_by"] == "link"
            own = f"/{self.name}" if self._feeds else ""
            payer = f"reserve:{self.link or ''}{own}" if linked else bank
            taken = line["stake_cents"] - line["returned_cents"]
            self._to_seat(felt, _seat(line["spot"]), line["returned_cents"], changes)
            moved(felt, payer, taken, changes)
            if not linked and line["beneficiary"] == "dealer":
                moved(payer, f"tips:{now.tips}", line["payout_cents"], changes)
            else:
                self._to_seat(payer, _seat(line["spot"]), line["payout_cents"], changes)
            if not linked:
                kept += taken - line["payout_cents"]
        require(settled == now.wagers.keys(), f"{now.id} does not settle every wager once.")
        check_aggregates(settlement["lines"], now.rules, now.day)
        if now.banker is not None:
            self._to_seat(bank, now.banker["seat"], kept, changes)

    def _note_link(self, round_id: str, settlement: Body) -> None:
        lines = [line for line in settlement["lines"] if line["paid_by"] == "link"]
        envied = sum(line["payout_cents"] for line in lines if line["wager"] == "envy")
        paid = sum(line["payout_cents"] for line in lines)
        self.link_totals = (
            int(round_id.rpartition("/")[2]),
            sum(line["stake_cents"] - line["returned_cents"] for line in lines),
            paid - envied,
            envied,
            settlement.get("meter_paid_cents") or 0,
        )

    def _in_progress(self) -> Round:
        require(self._round is not None, f"{self.name} has no round in progress.")
        assert self._round is not None
        return self._round


def _check_line(line: Body, now: Round) -> None:
    """Whole cents, by the result and the odds that the line names."""
    stake, back, paid = line["stake_cents"], line["returned_cents"], line["payout_cents"]
    uncovered, over = line.get("uncovered_cents", 0), line.get("over_aggregate_cents", 0)
    amounts = (stake, back, paid, uncovered, over)
    whole = all(type(cents) is int and cents >= 0 for cents in amounts)
    require(whole and back <= stake, f"{line} has amounts that cannot be.")
    if line["result"] == "lose":
        require(paid == 0 and back == uncovered, f"{line} gives back what was lost.")
    elif line["result"] in ("push", "returned"):
        require(paid == 0 and back == stake, f"{line} is no return.")
    odds = line.get("odds")
    if line["result"] != "win" or odds is None or line["paid_by"] == "link":
        return
    if line["wager"] == "ante_bonus":
        stake = now.wagers[line["spot"], "ante", line["beneficiary"]]
    unit = now.rules["rounding_unit_cents"]
    due = Fraction(stake * odds["pays"], odds.get("per", 1)) // unit * unit
    require(paid + uncovered + over == due, f"{line} pays {paid}, and {due} are due.")


def check_aggregates(lines: list[Body], rules: Body, day: str) -> None:
    """No wager pays more than its aggregate of the day, and less than is due only beyond it."""
    begun = [limits for limits in rules["limits"] if limits["since"] <= day]
    newest: Body = max(begun, key=lambda limits: str(limits["since"]), default={})
    most = {one["wager"]: one["max_cents"] for one in newest.get("payout_aggregates", ())}
    due: Counter[str] = Counter()
    for line in lines:
        due[line["wager"]] += line["payout_cents"] + line.get("over_aggregate_cents", 0)
    unit = rules["rounding_unit_cents"]
    for line in lines:
        limit, whole, over = most.get(line["wager"]), due[line["wager"]], 0
        paid = line["payout_cents"]
        if limit is not None and whole > limit:
            own = paid + line.get("over_aggregate_cents", 0)
            over = own - Fraction(own * limit, whole) // unit * unit
        right = line.get("over_aggregate_cents", 0) == over
        require(right, f"{line} pays {paid} under an aggregate of {limit}; {whole} are due.")


def _band(bands: list[Body], ante_cents: int) -> Body:
    return next(band for band in bands if ante_cents <= band["ante_up_to_cents"])


def _seat(spot: str) -> int:
    return int(spot.partition(".")[0])


# Links and wallets ---------------------------------------------------------------------


class LinkMoney:
    """The meter and the reserve of one progressive link, exact to the last fraction."""

    def __init__(self) -> None:
        self.name = ""
        self._meter = Fraction(0)
        self._rates: Body = {}
        self._waiting: Body | None = None
        self.shown_cents: int | None = None
        """What the meter showed when the last round was counted, its own wagers included."""
        self._reserve_cents = 0

    def take(self, name: str, body: Body) -> Changes:
        """What an event changes."""
        changes: Changes = Counter()
        if name == "link_opened":
            self.name, self._rates = body["link"], body
            self._meter = Fraction(body["seed_cents"])
            self._between("house", "meter", body["seed_cents"], changes)
        elif name == "link_rates_changed":
            self._waiting = body
        elif name == "link_round_counted":
            self._count(body, changes)
        elif name == "link_retired" and body.get("into") is not None:
            into, debt = body["into"], min(self._reserve_cents, 0)
            self._between("reserve", "house", debt, changes)
            moved(f"meter:{self.name}", f"meter:{into}", int(self._meter // 1), changes)
            left = self._reserve_cents - debt
            moved(f"reserve:{self.name}", f"reserve:{into}", left, changes)
            self._meter, self._reserve_cents = Fraction(0), 0
        elif name == "link_received":
            came, before = Fraction(body["meter"]), int(self._meter // 1)
            self._meter += came
            carried = int(self._meter // 1) - before - int(came // 1)
            self._between("reserve", "meter", carried, changes)
            behind = came + Fraction(body["reserve"]) - int(came // 1)
            self._reserve_cents += int(behind) - carried
        elif name == "link_retired":
            self._between("meter", "house", int(self._meter // 1), changes)
            self._between("reserve", "house", self._reserve_cents, changes)
            self._meter, self._reserve_cents = Fraction(0), 0
        return Counter({account: cents for account, cents in changes.items() if cents})

    def _count(self, body: Body, changes: Changes) -> None:
        before = int(self._meter // 1)
        ceiling = self._rates.get("ceiling_cents")
        grown = self._meter + body["wagered_cents"] * Fraction(self._rates["contribution"])
        if ceiling is not None:
            grown = min(grown, max(self._meter, Fraction(ceiling)))
        self.shown_cents = shown = int(grown // 1)
        self._between("reserve", "meter", shown - before, changes)
        left, seed = grown - body["from_meter_cents"], 0
        if body["from_meter_cents"]:
            self._rates, self._waiting = self._waiting or self._rates, None
            seed = max(0, self._rates["seed_cents"] - int(left // 1))
        self._between("house", "meter", seed, changes)
        self._between("meter", "reserve", body["from_meter_cents"], changes)
        self._meter = left + seed
        if body.get("fed"):
            feed, reserve = f"reserve:{self.name}/{body['table']}", f"reserve:{self.name}"
            moved(feed, reserve, body["wagered_cents"], changes)
            moved(reserve, feed, body["awarded_cents"] + body["envied_cents"], changes)
        # Otherwise the table's own transfers bring the wagers to the reserve and pay from it.
        self._reserve_cents += body["wagered_cents"] - (shown - before)
        self._reserve_cents += body["from_meter_cents"]
        self._reserve_cents -= body["awarded_cents"] + body["envied_cents"]

    def _between(self, source: str, target: str, cents: int, changes: Changes) -> None:
        if cents < 0:
            source, target, cents = target, source, -cents
        moved(f"{source}:{self.name}", f"{target}:{self.name}", cents, changes)


def wallet_changes(name: str, body: Body) -> Changes:
    """What an event of a wallet changes."""
    changes: Changes = Counter()
    wallet = f"wallet:{body['player']}"
    if name == "deposited":
        moved("cash", wallet, body["cents"], changes)
    elif name == "withdrawn":
        moved(wallet, "cash", body["cents"], changes)
    else:
        raise Wrong(f"A wallet has an event {name}.")
    return changes
