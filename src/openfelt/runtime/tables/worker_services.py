"""What all workers of one process share: the store, the rules, the clock, shuffler and links."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from openfelt.rules.fingerprints import fingerprint
from openfelt.rules.house import House
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.protection.limit_book import LimitBook
from openfelt.runtime.card_commands import CardCommands
from openfelt.runtime.clock import Clock
from openfelt.runtime.commits import CommitObserver, unobserved
from openfelt.runtime.held_houses import HeldHouses
from openfelt.runtime.links.links import Links
from openfelt.runtime.remembered_refusals import GivenAnswer, RememberedRefusals
from openfelt.runtime.requests import Digests, Request, RuntimeCode, is_digest_of
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.streams import StreamKind, feed_of, kind_of, name_of
from openfelt.runtime.tables.people import Dealers, People
from openfelt.runtime.tables.recovery.recovery import recover
from openfelt.storage.codec import CodecError
from openfelt.storage.door import CommandKey, Damaged, KeyFailure, Store
from openfelt.storage.event_forms import EventCodec, NewerEvent
from openfelt.storage.rulebook import Rulebook
from openfelt.table.permissions import bad_table
from openfelt.table.play_risk import most_at_risk_cents


@dataclass(frozen=True, slots=True)
class WorkerServices:
    """The services that all workers of one process share."""

    store: Store
    rulebook: Rulebook
    codec: EventCodec
    links: Links
    shuffler: Shuffler
    clock: Clock
    refusals: RememberedRefusals
    card_commands: CardCommands
    people: People
    observer: CommitObserver = unobserved
    """Called with everything that a worker commits."""
    lost_ms: Callable[[], int] = lambda: 0
    """How much time this process has lost because it was late."""
    held_houses: HeldHouses = field(default_factory=HeldHouses)
    """Houses at whose tables no round begins."""

    @classmethod
    def of(
        cls,
        store: Store,
        shuffler: Shuffler,
        clock: Clock,
        observer: CommitObserver = unobserved,
        *,
        lost_ms: Callable[[], int] = lambda: 0,
    ) -> "WorkerServices":
        """The services of a process on one store."""
        rulebook = Rulebook(store)
        codec = EventCodec(rulebook.codec)
        links = Links(store, codec, clock)
        limits = LimitBook(store, codec, clock, partial(_at_risk_cents, store, codec))
        people = People(Dealers(store, codec), limits)
        return cls(
            store,
            rulebook,
            codec,
            links,
            shuffler,
            clock,
            RememberedRefusals(clock),
            CardCommands(),
            people,
            observer,
            lost_ms,
        )

    def read_again(self, stream: str) -> None:
        """Read a link, a feed, a dealer or limits again that have changed in the meantime."""
        match kind_of(stream):
            case StreamKind.DEALER:
                self.people.dealers.reload(name_of(stream))
            case StreamKind.LIMITS:
                self.people.limits.reload(name_of(stream))
            case StreamKind.FEED:
                self.links.reload(feed_of(stream)[0])
            case _:
                self.links.reload(name_of(stream))

    def check_link(self, link: str | None) -> None:
        """Raise NewerEvent for a link that only a newer Openfelt can read.

        A link that is damaged stops its tables when they need it: no other process can read it.
        """
        if link is not None:
            try:
                self.links.reload(link)
            except NewerEvent:
                raise
            except (CodecError, Damaged, KeyFailure):
                return

    def is_repeated(
        self, stream: str, request: Request, asked: Digests, first: GivenAnswer
    ) -> bool:
        """Whether a command under a used id is the one that was answered, with the same cards."""
        if not is_digest_of(first.digest, self.rulebook.codec, request.command):
            return False
        return self.card_commands.is_same(
            stream, request.key, first=first.with_cards, asked=asked.with_cards
        )

    def remember(self, stream: str, answers: Mapping[CommandKey, GivenAnswer]) -> None:
        """Remember refusals, so that a second copy of a command is not carried out, and cards."""
        for key, given in answers.items():
            if not given.answer.accepted:
                self.refusals.add(stream, key, given)
            elif given.with_cards is not None:
                self.card_commands.add(stream, key, given.with_cards)

    def check_house(self, house: object) -> None:
        """Refuse rules that do not match their fingerprint: the record could not keep them."""
        if isinstance(house, House) and fingerprint(house) != house.fingerprint:
            raise bad_table(f"The fingerprint of {house.id} is not that of its rules.")


def _at_risk_cents(store: Store, codec: EventCodec, table: str, player: str) -> int:
    """The most that the round in progress at a table can cost a player; raises Refusal."""
    try:
        recovered = recover(store, codec, table, without_cards=True, decks=False)
    except (CodecError, Damaged, KeyFailure) as error:
        raise Refusal(
            RuntimeCode.FAILED, "A round of this player at another table cannot be read now."
        ) from error
    return 0 if recovered is None else most_at_risk_cents(recovered.table, player)
