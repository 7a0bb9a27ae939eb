"""The events of one round. They are facts, so applying them never refuses."""

from dataclasses import dataclass
from datetime import date

from openfelt.cards import Card
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import DecidedBy, Decision
from openfelt.rules.house import Procedure
from openfelt.rules.irregularity_rules import About, Effect, Irregularity
from openfelt.rules.lines import Settlement
from openfelt.rules.quick_replace import quickly_made
from openfelt.rules.wagers import Spot, Wager


@dataclass(frozen=True, slots=True)
class Banker:
    """The player/dealer of the round and the bank wager that covers it."""

    seat: int
    cover_cents: int


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOpened:
    """A round was opened under these rules."""

    number: int
    house: str
    fingerprint: str
    procedure: Procedure
    day: date
    """The day that determines the dated limits."""
    banker: Banker | None = None


@quickly_made
@dataclass(frozen=True, slots=True)
class WagersSet:
    """The wagers of a spot were set, replacing the previous ones."""

    spot: Spot
    wagers: tuple[Wager, ...]


@quickly_made
@dataclass(frozen=True, slots=True)
class BetsClosed:
    """Bets were closed."""

    checked_cents: int | None = None
    """The chips that the dealer compared with the wagers, None where no dealer did."""


@quickly_made
@dataclass(frozen=True, slots=True)
class CardDealt:
    """A card was dealt to its place."""

    place: Place
    card: Card
    face_up: bool


@dataclass(frozen=True, slots=True)
class CardCorrected:
    """A wrongly scanned card was corrected to this one."""

    place: Place
    card: Card


@quickly_made
@dataclass(frozen=True, slots=True)
class CardsTurned:
    """Cards that were face down were turned up."""

    lies: Lies
    up_to: int
    spots: tuple[Spot, ...] = ()
    """The spots of the hands, if players' hands are turned."""


@dataclass(frozen=True, slots=True)
class AntesReturned:
    """The dealer does not qualify: these Antes go back, and are booked with the settlement."""

    spots: tuple[Spot, ...]


@quickly_made
@dataclass(frozen=True, slots=True)
class DecisionMade:
    """A decision was made for a hand."""

    spot: Spot
    decision: Decision
    by: DecidedBy = DecidedBy.PLAYER


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityDeclared:
    """Something went wrong in the deal, and this is what follows from it (R.37).

    It names the ruling that was followed, so that it stays what it was under later rulings. If
    the round is void, ``RoundVoided`` comes next.
    """

    irregularity: Irregularity
    about: About
    effect: Effect
    clause: str
    spot: Spot | None = None
    """The hand that it is about, or the spot on which late chips lie."""
    card: Card | None = None
    """The card that is out of play, which all players have seen."""
    cents: int | None = None
    """The chips that it is about, if staff have counted them."""
    note: str = ""
    """The staff's note; players do not see it."""


@quickly_made
@dataclass(frozen=True, slots=True)
class RoundSettled:
    """The round was confirmed, and every wager is settled by these lines."""

    settlement: Settlement
    feeds: bool = True
    """Whether the progressive wagers go to the table's own account at its link, from which the link
    counts them later. It is False in records of earlier versions, which had no such accounts."""


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round was declared void: every wager is returned (R.13)."""

    reason: str
    settlement: Settlement
    code: str | None = None
    """The code of the reason, as ``openfelt.table.void_reasons`` defines it; None in records of
    earlier versions."""


Event = (
    RoundOpened
    | WagersSet
    | BetsClosed
    | CardDealt
    | CardCorrected
    | CardsTurned
    | AntesReturned
    | DecisionMade
    | IrregularityDeclared
    | RoundSettled
    | RoundVoided
)
