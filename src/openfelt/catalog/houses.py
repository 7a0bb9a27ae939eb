"""Houses, read from their files and checked: one file is one set of rules."""

import re
from collections.abc import Mapping
from pathlib import Path

from openfelt.catalog.clauses import DOCUMENTS, clauses_for
from openfelt.catalog.departures import check_departures
from openfelt.catalog.field_values import Reader
from openfelt.catalog.files import (
    BankForm,
    DealerWagersForm,
    HouseFile,
    IrregularityForm,
    LimitsForm,
    PlayForm,
    WagerForm,
    read_file,
)
from openfelt.catalog.house_checks import check_whole
from openfelt.catalog.paytables import PaytableKey
from openfelt.rules.fingerprints import fingerprinted
from openfelt.rules.house import (
    BankKind,
    BankRule,
    ClockRule,
    CollectionBand,
    Cover,
    DatedLimits,
    DealerMode,
    DealerWagerRule,
    Deck,
    Departure,
    GameName,
    House,
    PayoutAggregate,
    PlayRule,
    Procedure,
    ProgressiveRule,
    SettlementOrder,
    SeveralWinners,
    ShowdownOrder,
    Turns,
    Unfinished,
    WagerRule,
)
from openfelt.rules.irregularity_rules import (
    MOVES_MONEY,
    TAKES_CARD,
    About,
    Effect,
    Irregularity,
    IrregularityRule,
    Moment,
)
from openfelt.rules.paytable import HandPaytable, Paytable
from openfelt.rules.wagers import KINDS_IN_ORDER, WagerKind

Paytables = Mapping[PaytableKey, Paytable]

_ID = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_WAGERS = {
    GameName.ULTIMATE_HOLDEM: set(WagerKind) - {WagerKind.BONUS, WagerKind.PLAY},
    GameName.ULTIMATE_DRAW: {WagerKind.ANTE, WagerKind.BONUS, WagerKind.PROGRESSIVE},
}
_PROCEDURES = {
    GameName.ULTIMATE_HOLDEM: {
        Procedure.HANDHELD,
        Procedure.COMMUNITY_FIRST,
        Procedure.SHOE,
        Procedure.TERMINALS,
    },
    GameName.ULTIMATE_DRAW: {Procedure.DRAW, Procedure.DRAW_FROM_FIVE},
}


def read_house(file: Path, paytables: Paytables) -> House:
    """Read one house file; CatalogError says where it is invalid."""
    return build_house(file, read_file(file, HouseFile), paytables)


def build_house(
    file: Path, form: HouseFile, paytables: Paytables, *, departures: bool = True
) -> House:
    """Build the house of a file that has been read; CatalogError says where it is invalid.

    Without ``departures``, limits of its document may be broken that the house does not name.
    """
    builder = _HouseBuilder(file, form, paytables)
    house = builder.build()
    if departures:
        check_departures(builder.read, house)
    return fingerprinted(house)


class _HouseBuilder:
    """Builds one house from its file."""

    def __init__(self, file: Path, form: HouseFile, paytables: Paytables) -> None:
        self.read = Reader(file)
        self.form = form
        self.paytables = paytables
        self.game = self.read.name("game", form.game, GameName)

    def build(self) -> House:
        form, table, read = self.form, self.form.table, self.read
        self._check_identity()
        house = House(
            id=form.id,
            version=read.at_least("version", form.version, 1),
            name=form.name,
            source=form.source,
            document=form.document,
            fingerprint="",
            game=self.game,
            seats=read.at_least("table.seats", table.seats, 1),
            hands_per_seat=read.at_least("table.hands_per_seat", table.hands_per_seat, 1),
            procedure=self._procedure("table.procedure", table.procedure),
            procedures=tuple(self._procedure("table.procedures", p) for p in table.procedures),
            deck=read.name("table.deck", table.deck, Deck),
            turns=read.name("table.turns", table.turns, Turns),
            player_cards_face_up=table.player_cards_face_up,
            dealer_mode=read.name("table.dealer", table.dealer, DealerMode),
            remote_play=table.remote_play,
            settlement_order=read.name(
                "table.settlement_order", table.settlement_order, SettlementOrder
            ),
            refund_antes_first=table.refund_antes_first,
            showdown=read.name("table.showdown", table.showdown, ShowdownOrder),
            folds_face_down=table.folds_face_down,
            dealer_qualifies=read.hand_minimum("dealer_qualifies", form.dealer_qualifies),
            rounding_unit_cents=read.at_least("rounding_unit_cents", form.rounding_unit_cents, 1),
            chips_cents=tuple(read.at_least("table.chips_cents", c, 1) for c in table.chips_cents),
            wagers=self._wagers(),
            dealer_wagers=self._dealer_wagers(form.dealer_wagers),
            ante_bonus=self._ante_bonus(),
            play=self._play(form.play),
            limits=tuple(self._limits(n, limits) for n, limits in enumerate(form.limits)),
            bank=self._bank(form.bank),
            progressive=self._progressive(),
            clock=self._clock(),
            unfinished_days=None
            if form.unfinished_days is None
            else read.at_least("unfinished_days", form.unfinished_days, 1),
            unfinished=read.name("unfinished", form.unfinished, Unfinished),
            departures=tuple(
                Departure(departure.clause, departure.reason) for departure in form.departures
            ),
            irregularities=tuple(
                self._irregularity(n, row) for n, row in enumerate(form.irregularities)
            ),
            notices=tuple(form.notices),
            claimed_returns=dict(form.claimed_returns),
            clauses=clauses_for(
                form.document,
                self.game,
                aggregates=any(limits.payout_aggregates for limits in form.limits),
                folds_face_down=table.folds_face_down,
            ),
        )
        check_whole(self.read, house)
        return house

    def _check_identity(self) -> None:
        if not _ID.fullmatch(self.form.id):
            self.read.refuse("id", f"{self.form.id!r} is not a name such as 'my-house'")
        if self.form.document not in DOCUMENTS[:-1]:
            self.read.refuse(
                "document", f"{self.form.document!r} is not one of {', '.join(DOCUMENTS[:-1])}"
            )

    def _irregularity(self, number: int, form: IrregularityForm) -> IrregularityRule:
        """A ruling of the house's own; what returns wagers is always a supervisor's (R.31)."""
        key, read = f"irregularities[{number}]", self.read
        effect = read.name(f"{key}.effect", form.effect, Effect)
        if not form.supervisor and effect in MOVES_MONEY:
            read.refuse(f"{key}.supervisor", "only a supervisor ends hands and rounds")
        about = tuple(read.name(f"{key}.about", name, About) for name in form.about)
        alone = effect in (Effect.VOID_HAND, Effect.LOSE_HAND)
        if alone and not set(about) <= {About.HAND, About.CHIPS}:
            read.refuse(f"{key}.about", "only a hand can be void or lose alone")
        if effect in TAKES_CARD and about != (About.DECK,):
            read.refuse(f"{key}.about", "only a card of the deck can be taken out of play")
        return IrregularityRule(
            irregularity=read.name(f"{key}.irregularity", form.irregularity, Irregularity),
            about=about,
            moments=tuple(read.name(f"{key}.moments", name, Moment) for name in form.moments),
            effect=effect,
            supervisor=form.supervisor,
            voids_again=form.voids_again,
            clause=form.clause,
        )

    def _procedure(self, key: str, name: str) -> Procedure:
        procedure = self.read.name(key, name, Procedure)
        if procedure not in _PROCEDURES[self.game]:
            self.read.refuse(key, f"{self.game} is not dealt by {procedure}")
        return procedure

    def _paytable(self, key: str, wager: str, name: str) -> Paytable:
        if (wager, name) not in self.paytables:
            names = sorted(table for kind, table in self.paytables if kind == wager)
            self.read.refuse(
                key,
                f"no {wager} paytable is called {name!r}; there are {', '.join(names) or 'none'}",
            )
        return self.paytables[wager, name]

    def _wagers(self) -> tuple[WagerRule, ...]:
        rules = [self._wager(name, form) for name, form in self.form.wagers.items()]
        rules.sort(key=lambda rule: KINDS_IN_ORDER[rule.kind])
        offered = {rule.kind for rule in rules}
        needed = {WagerKind.ANTE}
        if self.game is GameName.ULTIMATE_HOLDEM:
            needed.add(WagerKind.BLIND)
        for kind in sorted(needed - offered):
            self.read.refuse(f"wagers.{kind}", "is missing; the game requires it")
        for rule in rules:
            for kind in rule.requires:
                if kind not in offered or kind is rule.kind:
                    self.read.refuse(
                        f"wagers.{rule.kind}.requires", f"{kind} is not another wager of this house"
                    )
        return tuple(rules)

    def _wager(self, name: str, form: WagerForm) -> WagerRule:
        key = f"wagers.{name}"
        kind = self.read.name(key, name, WagerKind)
        if kind not in _WAGERS[self.game]:
            self.read.refuse(key, f"{self.game} has no such wager")
        if kind is WagerKind.BLIND:
            form = self._blind_form(form)
        if form.min_cents is None or form.max_cents is None or form.multiple_of_cents is None:
            self.read.refuse(key, "needs min_cents, max_cents and multiple_of_cents")
        self._check_range(key, form.min_cents, form.max_cents, form.multiple_of_cents)
        if (form.paytable is None) != (kind is WagerKind.ANTE):
            self.read.refuse(f"{key}.paytable", "every wager but the Ante has a paytable")
        return WagerRule(
            kind=kind,
            min_cents=form.min_cents,
            max_cents=form.max_cents,
            multiple_of_cents=form.multiple_of_cents,
            requires=tuple(
                self.read.name(f"{key}.requires", need, WagerKind) for need in form.requires
            ),
            paytable=self._paytable(f"{key}.paytable", name, form.paytable)
            if form.paytable is not None
            else None,
        )

    def _blind_form(self, form: WagerForm) -> WagerForm:
        """The Blind always equals the Ante, so it has the same limits."""
        ante = self.form.wagers.get("ante")
        if ante is None:
            self.read.refuse("wagers.ante", "is missing; the game requires it")
        if form != WagerForm(paytable=form.paytable):
            self.read.refuse("wagers.blind", "takes its limits from the Ante; give a paytable only")
        return WagerForm(
            min_cents=ante.min_cents,
            max_cents=ante.max_cents,
            multiple_of_cents=ante.multiple_of_cents,
            requires=["ante"],
            paytable=form.paytable,
        )

    def _check_range(self, key: str, least: int, most: int, step: int) -> None:
        self.read.at_least(f"{key}.min_cents", least, 1)
        self.read.at_least(f"{key}.max_cents", most, least)
        self.read.at_least(f"{key}.multiple_of_cents", step, 1)
        if least % step or most % step:
            self.read.refuse(
                f"{key}.multiple_of_cents", "min_cents and max_cents must be multiples of it"
            )

    def _dealer_wagers(self, form: DealerWagersForm | None) -> DealerWagerRule | None:
        if form is None:
            return None
        self._check_range("dealer_wagers", form.min_cents, form.max_cents, form.multiple_of_cents)
        return DealerWagerRule(
            min_cents=form.min_cents,
            max_cents=form.max_cents,
            multiple_of_cents=form.multiple_of_cents,
        )

    def _ante_bonus(self) -> HandPaytable | None:
        form = self.form.ante_bonus
        if form is None:
            return None
        if self.game is not GameName.ULTIMATE_DRAW:
            self.read.refuse("ante_bonus", f"{self.game} has no Ante Bonus")
        table = self._paytable("ante_bonus.paytable", "ante_bonus", form.paytable)
        assert isinstance(table, HandPaytable)
        return table

    def _play(self, form: PlayForm | None) -> PlayRule | None:
        if (form is None) != (self.game is GameName.ULTIMATE_DRAW):
            self.read.refuse(
                "play", "is required in Ultimate Texas Hold'em and not allowed elsewhere"
            )
        if form is None:
            return None
        streets = {
            "before_flop": form.before_flop,
            "on_flop": form.on_flop,
            "on_river": form.on_river,
        }
        for name, multiples in streets.items():
            if multiples != sorted(set(multiples)) or any(not 1 <= m <= 100 for m in multiples):
                self.read.refuse(
                    f"play.{name}", "lists rising multiples of the Ante, such as [3, 4]"
                )
        if not form.on_river:
            self.read.refuse("play.on_river", "needs a multiple, or every hand must fold")
        return PlayRule(
            before_flop=tuple(form.before_flop),
            on_flop=tuple(form.on_flop),
            on_river=tuple(form.on_river),
            reserve_play=form.reserve_play,
        )

    def _limits(self, number: int, form: LimitsForm) -> DatedLimits:
        key = f"limits[{number}]"
        amounts = {
            "single_wager_max_cents": form.single_wager_max_cents,
            "optional_wager_max_cents": form.optional_wager_max_cents,
            "wagers_per_hand_max": form.wagers_per_hand_max,
            "table_aggregate_max_cents": form.table_aggregate_max_cents,
        }
        for name, amount in amounts.items():
            if amount is not None:
                self.read.at_least(f"{key}.{name}", amount, 1)
        if form.since in [earlier.since for earlier in self.form.limits[:number]]:
            self.read.refuse(f"{key}.since", f"there are two limits since {form.since}")
        return DatedLimits(
            since=form.since,
            source=form.source,
            payout_aggregates=tuple(
                PayoutAggregate(
                    self.read.name(f"{key}.payout_aggregates", name, WagerKind),
                    self.read.at_least(f"{key}.payout_aggregates.{name}", most_cents, 1),
                )
                for name, most_cents in sorted(form.payout_aggregates.items())
            ),
            **amounts,
        )

    def _bank(self, form: BankForm) -> BankRule:
        kind = self.read.name("bank.kind", form.kind, BankKind)
        bands = [band.ante_up_to_cents for band in form.collection]
        if bands != sorted(set(bands)):
            self.read.refuse("bank.collection", "bands go from the smallest Ante to the largest")
        for n, band in enumerate(form.collection):
            for name in ("ante_up_to_cents", "player_cents", "banker_cents"):
                self.read.at_least(f"bank.collection[{n}].{name}", getattr(band, name), 0)
        return BankRule(
            kind=kind,
            cover=self.read.name("bank.cover", form.cover, Cover),
            rounds_in_a_row_max=self.read.at_least(
                "bank.rounds_in_a_row_max", form.rounds_in_a_row_max, 1
            ),
            collection=tuple(
                CollectionBand(
                    ante_up_to_cents=band.ante_up_to_cents,
                    player_cents=band.player_cents,
                    banker_cents=band.banker_cents,
                )
                for band in form.collection
            ),
            folds_first=form.folds_first,
            wager_min_cents=None
            if form.wager_min_cents is None
            else self.read.at_least("bank.wager_min_cents", form.wager_min_cents, 1),
        )

    def _progressive(self) -> ProgressiveRule | None:
        form = self.form.progressive
        if (form is None) != ("progressive" not in self.form.wagers):
            self.read.refuse(
                "progressive", "a progressive wager and its link must be given together"
            )
        if form is None:
            return None
        return ProgressiveRule(
            contribution=self.read.percent("progressive.contribution", form.contribution),
            seed_cents=self.read.at_least("progressive.seed_cents", form.seed_cents, 0),
            several_winners=self.read.name(
                "progressive.several_winners", form.several_winners, SeveralWinners
            ),
        )

    def _clock(self) -> ClockRule | None:
        form = self.form.clock
        if form is None:
            return None
        return ClockRule(
            wager_seconds=self.read.at_least("clock.wager_seconds", form.wager_seconds, 1),
            decision_seconds=self.read.at_least("clock.decision_seconds", form.decision_seconds, 1),
        )
