"""The rules for commands on a tray: who may sign, and the conditions for the chips."""

from enum import StrEnum
from typing import NamedTuple

from openfelt.ledger.counts import Count, counted_cents
from openfelt.ledger.table_play import TablePlay
from openfelt.ledger.trays import ChipMove, SlipKind, Tray, TrayCounted, TrayMoment
from openfelt.money import format_cents
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cage_codes import CageCode


class TrayRole(StrEnum):
    """As what a person signs for chips."""

    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    CHIP_BANK = "chip_bank"


class Signer(NamedTuple):
    """A person who signs for chips."""

    name: str
    role: TrayRole

    @property
    def is_supervisor(self) -> bool:
        """Whether the person signs for the floor."""
        return self.role is TrayRole.SUPERVISOR


# Counts --------------------------------------------------------------------------------


def check_moment(tray: Tray, moment: TrayMoment) -> None:
    """Refuse the count of a tray that is open, or closed, already."""
    if moment is TrayMoment.OPENING and tray.open:
        raise Refusal(CageCode.TRAY_OPEN, "This tray is already open.")
    if moment is TrayMoment.CLOSING and not tray.open:
        raise tray_closed()
    if tray.moves:
        raise Refusal(
            CageCode.CHIPS_WAIT, "Finish the fills and credits of this tray first, or refuse them."
        )


def check_counter(tray: Tray, signer: Signer) -> None:
    """Refuse a count by the chip bank, and one while another person's count waits."""
    if signer.role is TrayRole.CHIP_BANK:
        raise wrong_signer("Only a dealer or a supervisor may count a tray.")
    if tray.waiting is not None and tray.waiting.counted.by != signer.name:
        raise Refusal(
            CageCode.COUNT_WAITS,
            f"{tray.waiting.counted.by} has counted; sign that count, or reject it first.",
        )


def waiting_count(tray: Tray, number: int) -> TrayCounted:
    """The count that waits for its second signature; raises Refusal."""
    if tray.waiting is None or tray.waiting.counted.number != number:
        raise Refusal(CageCode.NO_SUCH_COUNT, f"No count {number} is pending at this tray.")
    return tray.waiting.counted


def check_second(counted: TrayCounted, signer: Signer) -> None:
    """Refuse the second signature of the same person, or of the same role."""
    if counted.by == signer.name:
        raise Refusal(CageCode.OWN_REQUEST, "Another person must sign your count.")
    wanted = TrayRole.DEALER if counted.supervisor else TrayRole.SUPERVISOR
    if signer.role is not wanted:
        raise wrong_signer(f"The {wanted} of the table must sign this count.")


def check_unmoved(tray: Tray, play: TablePlay) -> None:
    """Refuse to sign a count after which chips have come or gone, by play, a fill or a credit."""
    assert tray.waiting is not None
    if play.tray_cents or tray.waiting.book_cents != tray.cents:
        raise Refusal(CageCode.CHIPS_MOVED, "Chips have moved since this count; count again.")


def difference_of(tray: Tray, count: Count, play: TablePlay) -> int:
    """How much more was counted than the book has; nothing is compared at the first opening."""
    if tray.mark is None:
        return 0
    return counted_cents(count) - tray.cents - play.tray_cents


def reason_needed() -> Refusal:
    """The refusal of a count without a reason, after which nothing is said about the book."""
    return Refusal(
        CageCode.DIFFERENCE_UNEXPLAINED,
        "This tray was counted wrongly several times: give a reason with the count.",
    )


def check_difference(difference_cents: int, signer: Signer) -> None:
    """Refuse a difference, which needs a reason. A dealer is not told how large it is."""
    if difference_cents:
        differs = "The count differs from the book"
        if signer.is_supervisor:
            words = "over" if difference_cents > 0 else "short"
            differs = f"The tray is {format_cents(abs(difference_cents))} {words}"
        raise Refusal(CageCode.DIFFERENCE_UNEXPLAINED, f"{differs}; count again, or give a reason.")


# Fills and credits ---------------------------------------------------------------------


def move_of(tray: Tray, number: int) -> ChipMove:
    """Requested chips that have not come yet; raises Refusal."""
    move = tray.moves.get(number)
    if move is None:
        raise Refusal(CageCode.NO_SUCH_REQUEST, f"No request {number} is pending at this tray.")
    return move


def check_requester(signer: Signer) -> None:
    """Refuse a request of the chip bank."""
    if signer.role is TrayRole.CHIP_BANK:
        raise wrong_signer("Only a dealer or a supervisor may request chips.")


def check_giver(move: ChipMove, signer: Signer) -> None:
    """Refuse a signer who may not give the chips: the bank gives a fill, the table a credit."""
    if move.given is not None:
        raise Refusal(CageCode.ALREADY_GIVEN, f"{move.given.by} has given these chips.")
    _check_side(move, signer, at_bank=move.request.kind is SlipKind.FILL)


def check_receiver(move: ChipMove, signer: Signer) -> None:
    """Refuse a signer who may not receive the chips: the table gets a fill, the bank a credit."""
    if move.given is None:
        raise Refusal(CageCode.NOT_GIVEN, "These chips are not on their way yet.")
    if move.given.by == signer.name:
        raise Refusal(CageCode.OWN_REQUEST, "Another person must receive the chips.")
    _check_side(move, signer, at_bank=move.request.kind is SlipKind.CREDIT)


def _check_side(move: ChipMove, signer: Signer, *, at_bank: bool) -> None:
    """Refuse the person who has requested the chips, and a person of the wrong role."""
    request = move.request
    if request.by == signer.name:
        raise Refusal(
            CageCode.OWN_REQUEST, "Another person must approve and receive what you requested."
        )
    wanted = TrayRole.DEALER if request.supervisor else TrayRole.SUPERVISOR
    wanted = TrayRole.CHIP_BANK if at_bank else wanted
    if signer.role is not wanted:
        words = {TrayRole.CHIP_BANK: "A cashier", TrayRole.DEALER: "The dealer of the table"}
        raise wrong_signer(f"{words.get(wanted, 'A supervisor')} must do that.")


def check_refuser(move: ChipMove, signer: Signer) -> None:
    """Refuse a signer who may end no request; its requester, a supervisor and the bank may."""
    if signer.role is TrayRole.DEALER and move.request.by != signer.name:
        raise wrong_signer(
            f"Only {move.request.by}, a supervisor or a cashier may end this request."
        )
    if move.given is not None and signer.role is not TrayRole.CHIP_BANK:
        raise wrong_signer("These chips are on their way: a cashier has to record their return.")


def check_chips(tray: Tray, count: Count, play: TablePlay, signer: Signer) -> None:
    """Refuse to take more from a tray than its book has, of which a dealer is not told."""
    held_cents = tray.cents + play.tray_cents
    if counted_cents(count) > held_cents:
        holds = format_cents(held_cents) if signer.is_supervisor else "less than that"
        raise Refusal(CageCode.TRAY_SHORT, f"The tray holds {holds}.")


def tray_closed() -> Refusal:
    """The refusal of a command that needs an open tray."""
    return Refusal(CageCode.TRAY_CLOSED, "This tray is closed; open it by count first.")


def wrong_signer(sentence: str) -> Refusal:
    """The refusal of a person whose signature does not count here."""
    return Refusal(CageCode.WRONG_SIGNER, sentence)
