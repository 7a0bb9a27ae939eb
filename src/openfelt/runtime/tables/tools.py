"""The tools that all workers of one process share."""

from collections.abc import Callable
from dataclasses import dataclass, field

from openfelt.catalog.fingerprints import fingerprint
from openfelt.rules.house import House
from openfelt.runtime.clock import Clock
from openfelt.runtime.commits import CommitObserver, unobserved
from openfelt.runtime.refusals import Refusals
from openfelt.runtime.shuffle.shuffler import Shuffler
from openfelt.runtime.tables.links import Links
from openfelt.runtime.tables.people import People
from openfelt.storage.door import Store
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook
from openfelt.table.permissions import bad_table


@dataclass(frozen=True, slots=True)
class Tools:
    """What all workers of one process share."""

    store: Store
    rulebook: Rulebook
    codec: EventCodec
    links: Links
    shuffler: Shuffler
    clock: Clock
    refusals: Refusals
    observer: CommitObserver = unobserved
    """Called with everything that a worker commits."""
    people: People = field(default_factory=People)
    lost_ms: Callable[[], int] = lambda: 0
    """How much time this process has lost because it was late."""

    @classmethod
    def of(
        cls,
        store: Store,
        shuffler: Shuffler,
        clock: Clock,
        observer: CommitObserver = unobserved,
        *,
        people: People | None = None,
        lost_ms: Callable[[], int] = lambda: 0,
    ) -> "Tools":
        """The tools of a process on one store."""
        rulebook = Rulebook(store)
        codec = EventCodec(rulebook.codec)
        links = Links(store, codec, clock)
        people = people or People()
        return cls(
            store,
            rulebook,
            codec,
            links,
            shuffler,
            clock,
            Refusals(clock),
            observer,
            people,
            lost_ms,
        )

    def check_house(self, house: object) -> None:
        """Refuse rules that do not match their fingerprint: the record could not keep them."""
        if isinstance(house, House) and fingerprint(house) != house.fingerprint:
            raise bad_table(f"The fingerprint of {house.id} is not that of its rules.")
