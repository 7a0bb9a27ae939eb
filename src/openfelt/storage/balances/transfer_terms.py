"""The transfers that a figure adds up, as conditions that the database checks."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from openfelt.ledger import Reason, Transfer

_OPEN: Final = ":/"
"""What a pattern for several accounts ends with: only the beginning of their names is given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferTerm:
    """Transfers of some reasons, which a figure adds or, with a sign of -1, subtracts."""

    reasons: tuple[Reason, ...]
    sign: int = 1
    debit: str = ""
    """The account that the money comes from. A name that ends in a colon stands for all accounts of
    a kind, one that ends in a slash for all of an owner."""
    credit: str = ""
    """The account that the money goes to, or all of a kind or of an owner."""
    apart_from: str = ""
    """The account that is on neither side, or all of a kind or of an owner."""
    notes: tuple[str, ...] = ()
    """Parts of which the note must contain one, each after a space; empty for any note."""
    without: tuple[str, ...] = ()
    """Parts of which the note must contain none."""

    def has(self, transfer: Transfer) -> bool:
        """Whether a transfer is one of these."""
        note = f"{transfer.note} "
        return (
            transfer.reason in self.reasons
            and _is_account(str(transfer.debit), self.debit)
            and _is_account(str(transfer.credit), self.credit)
            and not (self.apart_from and self._is_apart(transfer))
            and (not self.notes or any(f" {part}" in note for part in self.notes))
            and not any(f" {part}" in note for part in self.without)
        )

    def _is_apart(self, transfer: Transfer) -> bool:
        sides = str(transfer.debit), str(transfer.credit)
        return any(_is_account(side, self.apart_from) for side in sides)

    def conditions(self) -> Iterator[tuple[str, tuple[object, ...]]]:
        """The same as conditions of SQL, with their values."""
        yield f"reason IN ({', '.join('?' * len(self.reasons))})", tuple(map(str, self.reasons))
        for column, account in (("debit", self.debit), ("credit", self.credit)):
            if account:
                yield _account_is(column, account)
            if self.apart_from:
                words, values = _account_is(column, self.apart_from)
                yield f"NOT {words}", values
        if self.notes:
            yield _any_note(self.notes)
        if self.without:
            words, values = _any_note(self.without)
            yield f"NOT {words}", values


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferRange:
    """A part of the book: one stream, one account, or all tables over a period."""

    stream: str = ""
    """The stream whose events have caused the transfers; empty for any."""
    streams: str = ""
    """Prefixes of such streams."""
    apart_from: str = ""
    """Prefixes of streams that are left out."""
    account: str = ""
    """The account on either side; empty for any."""
    open_accounts: str = ""
    """Prefixes of the accounts that receive money and still hold some."""
    after_version: int = 0
    up_to_version: int | None = None
    start_ms: int = 0
    end_ms: int | None = None
    after: int = 0
    """The number before its first transfer."""
    up_to: int | None = None
    """The number of its last transfer; None for all until now."""
    terms: tuple[TransferTerm, ...] = ()

    def sign(self, transfer: Transfer) -> int:
        """Whether a transfer of this range is added, subtracted, or not part of the figure: 0."""
        return next((term.sign for term in self.terms if term.has(transfer)), 0)

    def conditions(self) -> Iterator[tuple[str, tuple[object, ...]]]:
        """The same as conditions of SQL, with their values, but for the terms."""
        yield "number > ?", (self.after,)
        if self.up_to is not None:
            yield "number <= ?", (self.up_to,)
        if self.stream:
            yield "stream = ? AND version > ?", (self.stream, self.after_version)
        if self.up_to_version is not None:
            yield "version <= ?", (self.up_to_version,)
        if self.streams:
            yield "substr(stream, 1, ?) = ?", (len(self.streams), self.streams)
        if self.apart_from:
            yield "substr(stream, 1, ?) <> ?", (len(self.apart_from), self.apart_from)
        if self.account:
            yield "(debit = ? OR credit = ?)", (self.account, self.account)
        if self.open_accounts:
            held = "SELECT account FROM balances WHERE substr(account, 1, ?) = ? AND cents <> 0"
            yield f"credit IN ({held})", (len(self.open_accounts), self.open_accounts)
        if self.start_ms:
            yield "at_ms >= ?", (self.start_ms,)
        if self.end_ms is not None:
            yield "at_ms < ?", (self.end_ms,)


@dataclass(frozen=True, slots=True, kw_only=True)
class TransferSearch:
    """The search term of a list: an amount, a round, its number, an account, or part of a note."""

    text: str = ""
    cents: int | None = None
    """The amount, if the text is one."""

    def conditions(self) -> Iterator[tuple[str, tuple[object, ...]]]:
        """The same as one condition of SQL, with its values."""
        if not self.text:
            return
        wanted = self.text.lower()
        # A round is matched by its full name, or by its exact number: 3 must not find 31.
        words = ["lower(coalesce(round, '')) = ?", "lower(coalesce(round, '')) LIKE ? ESCAPE '!'"]
        values: list[object] = [wanted, f"%/{_plain(wanted)}"]
        if self.cents is not None:
            words.append("cents = ?")
            values.append(self.cents)
        else:
            for column in ("debit", "credit", "note"):
                words.append(f"lower({column}) LIKE ? ESCAPE '!'")
                values.append(f"%{_plain(wanted)}%")
        yield f"({' OR '.join(words)})", tuple(values)


def _is_account(name: str, wanted: str) -> bool:
    """Whether an account is the wanted one, or of the wanted kind or owner."""
    return name.startswith(wanted) if not wanted or wanted[-1] in _OPEN else name == wanted


def _account_is(column: str, wanted: str) -> tuple[str, tuple[object, ...]]:
    """The same as a condition of SQL, with its values."""
    if wanted[-1] in _OPEN:
        return f"(substr({column}, 1, ?) = ?)", (len(wanted), wanted)
    return f"({column} = ?)", (wanted,)


def _any_note(parts: tuple[str, ...]) -> tuple[str, tuple[object, ...]]:
    words = " OR ".join("note || ' ' LIKE ? ESCAPE '!'" for _ in parts)
    return f"({words})", tuple(f"% {_plain(part)}%" for part in parts)


def _plain(text: str) -> str:
    """A text for a pattern, without wildcards."""
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
