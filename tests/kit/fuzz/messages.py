"""What a person may send down a socket: sensible commands, others, and invalid messages.

Every kind of command comes from ``openfelt.protocol.messages`` itself, so a new kind is fuzzed as
soon as it is there.
"""

import json
from enum import StrEnum
from random import Random
from typing import Any, Final, get_args

import msgspec

from openfelt.cards import FULL_DECK
from openfelt.catalog import load_house
from openfelt.protocol import messages
from openfelt.protocol.messages import MESSAGE_BYTES_MAX, PROTOCOL, CommandAsked
from openfelt.rules.dealing import Lies, Street
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.rules.wagers import WagerKind
from openfelt.table.incidents import Resolution

Plain = dict[str, Any]

KINDS: Final = {str(kind.__struct_config__.tag): kind for kind in get_args(CommandAsked)}
"""Every kind of command by its name."""
CARDS: Final = [str(card) for card in FULL_DECK]
_TEXTS: Final = (
    *("", " ", "x", "1", "1.1", "ante", "as", "0.0", "1.1.1", "-1.1", "99999999.1", "1e5.1"),
    *("\u0663.\u0661", "\u00b2.1"),
    *("\x00", "a\nb", "\x1b[2J", "\u202e", "ñ", "🂡", "\ufffe", "x" * 65, "y" * 4000),
    *("before_flop", "holding", "house-player-1", "absence", "openfelt", "'; DROP TABLE events;--"),
)
_NUMBERS: Final = (
    *(0, 1, -1, 2, 7, 100, 500, 10**6, 10**12),
    *(2**31, 2**53 + 1, 2**63, -(2**63), 10**40),
)
_RARE: Final = frozenset(
    {
        *("leave_seat", "collect", "void_round", "close_table", "pause_table", "change_dealer"),
        *("correct_card", "swap_cards", "count_felt", "call_floor"),
    }
)

_NAMED: dict[str, type[StrEnum]] = {
    "lies": Lies,
    "street": Street,
    "irregularity": Irregularity,
    "about": About,
    "resolution": Resolution,
}
"""Fields with a few known values."""


class View:
    """What one terminal shows, as its socket has told it."""

    def __init__(self, name: str | None = None) -> None:
        self.name = name
        """Whose terminal it is, None for a visitor."""
        self.public: Plain = {}
        self.private: Plain = {}

    @property
    def seat(self) -> int | None:
        """The player's own seat."""
        found: int | None = self.private.get("seat")
        return found

    @property
    def may(self) -> list[str]:
        """The kinds of commands that the table offers now."""
        return list(self.private.get("may", []))


class Words:
    """Makes up messages."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self._kinds: list[str] = []

    # Commands that make sense --------------------------------------------------------------

    def sensible(self, view: View) -> Plain | None:
        """What the table offers to this person now, filled in as a real player would."""
        kind = self._sensible_kind(view)
        if kind is None:
            return None
        if kind == "decide":
            return self._decision(view.private)
        return {"kind": kind} | self._sensible_fields(kind, view)

    def _sensible_kind(self, view: View) -> str | None:
        """One of the kinds that are offered; what ends the fun for others is rare."""
        rng = self.rng
        if view.may == ["change_dealer"]:
            # A dealer who is not signed on.
            return "change_dealer"
        often = [kind for kind in view.may if kind not in _RARE]
        if "buy_in" in often and view.private.get("credit_cents", 0) >= 10_000:
            often.remove("buy_in")
        rare = [kind for kind in view.may if kind in _RARE]
        kinds = rare if rare and rng.random() < 0.03 else often
        if "decide" in kinds:
            return "decide"
        return rng.choice(kinds) if kinds else None

    def _sensible_fields(self, kind: str, view: View) -> Plain:
        rng, seat, private = self.rng, view.seat, view.private
        match kind:
            case "leave_seat" | "collect" | "decline_bank":
                return {"seat": seat}
            case "buy_in":
                return {"seat": seat, "cents": min(20_000, private.get("wallet_cents", 0)) or 1}
            case "take_bank":
                return {"seat": seat, "cover_cents": max(1, private.get("credit_cents", 0) - 1000)}
            case "set_wagers":
                return {"spot": f"{seat}.1", "wagers": self._bets(view)}
            case "deal_card":
                return {"card": rng.choice(CARDS)}
            case "correct_card":
                place = {"lies": rng.choice(("dealer", "common")), "position": rng.randint(1, 5)}
                return {**place, "card": rng.choice(CARDS)}
            case "change_dealer":
                return {"dealer": view.name if view.may == ["change_dealer"] else None}
            case "void_round" | "close_table" | "pause_table":
                return {"reason": rng.choice(("Misdeal.", "The shuffler jammed."))}
        return self._mending_fields(kind, private)

    def _mending_fields(self, kind: str, private: Plain) -> Plain:
        """The fields of a command for what has gone wrong, as the view offers them."""
        rng = self.rng
        rulings, played = private.get("rulings"), private.get("played")
        waiting = private.get("adjustments")
        match kind:
            case "irregularity" if rulings:
                ruling = rng.choice(rulings)
                made = {"irregularity": ruling["irregularity"], "about": ruling["about"]}
                made |= {"spot": "1.1"} if ruling["about"] == "hand" else {}
                replaces = ruling["effect"] == "replace_card"
                return made | ({"card": rng.choice(CARDS)} if replaces else {})
            case "count_stub":
                return {"count": rng.randint(0, 52)}
            case "propose_adjustment" if played:
                one = rng.choice(played)
                seat, cents = rng.choice(one["seats"]), rng.choice((-500, 500, 10**6))
                return {"round": one["number"], "seat": seat, "cents": cents, "reason": "Fuzz."}
            case "approve_adjustment" if waiting:
                return {"number": rng.choice(waiting)["number"]}
            case "reject_adjustment" if waiting:
                return {"number": rng.choice(waiting)["number"], "reason": "Fuzz."}
        return {}

    def _bets(self, view: View) -> list[Plain]:
        house = load_house(view.public["house"])
        ante = house.wager(WagerKind.ANTE)
        bets = [{"kind": "ante", "cents": ante.min_cents}] if ante else []
        trips = house.wager(WagerKind.TRIPS)
        if trips and self.rng.random() < 0.3:
            bets.append({"kind": "trips", "cents": trips.min_cents})
        return bets

    def _decision(self, private: Plain) -> Plain | None:
        due = [(spot, hand) for spot, hand in private.get("hands", {}).items() if hand["due"]]
        if not due:
            return None
        spot, hand = self.rng.choice(due)
        if hand.get("may_hold"):
            held = [card for card in hand["cards"] if card and self.rng.random() < 0.5]
            decision: Plain = {"kind": "hold", "cards": held}
        elif hand["choices"]:
            choice = self.rng.choice(hand["choices"])
            decision = {"kind": choice["kind"]}
            if choice.get("multiple") is not None:
                decision["multiple"] = choice["multiple"]
        else:
            decision = {"kind": "check"}
        return {"kind": "decide", "spot": spot, "decision": decision}

    # Commands that are well formed ---------------------------------------------------------

    def well_formed(self, view: View, kind: str | None = None) -> Plain:
        """Any command with values of the right types, no matter who may give it and when."""
        name = kind or self._next_kind()
        made: Plain = {"kind": name}
        for field in msgspec.structs.fields(KINDS[name]):
            if field.required or self.rng.random() < 0.5:
                made[field.name] = self._value(field.name, view)
        return made

    def _next_kind(self) -> str:
        """All kinds in turn, in any order, so that none is left out."""
        if not self._kinds:
            self._kinds = self.rng.sample(list(KINDS), len(KINDS))
        return self._kinds.pop()

    def _of_round(self, name: str, state: Plain) -> Any:
        """The number of the round, or the place of its next card; or another one."""
        if name == "round":
            return self.rng.choice((state.get("number", 1), *_NUMBERS))
        return self.rng.choice((state.get("step_place") or "dealer card 1", "shoe", *_TEXTS))

    def _value(self, name: str, view: View) -> Any:
        rng = self.rng
        if name in _NAMED:
            return rng.choice(tuple(_NAMED[name]) if rng.random() < 0.5 else _TEXTS)
        match name:
            case "seat":
                return self._seat(view)
            case "cents" | "cover_cents" | "checked_cents":
                return rng.choice((1, 100, 500, 1000, 5000, *_NUMBERS))
            case "spot" | "spots":
                spots = [self._spot(view) for _ in range(rng.randrange(1, 4))]
                return spots[0] if name == "spot" else dict.fromkeys(spots, rng.choice(_NUMBERS))
            case "wagers":
                return [self._wager() for _ in range(rng.choice((0, 1, 1, 2, 5, 40)))]
            case "decision":
                return self._any_decision()
            case "card":
                return self._card()
            case "round" | "place" | "other":
                return self._of_round(name, view.public.get("round") or {})
            case "position" | "multiple" | "number" | "count":
                return rng.choice((1, 2, 3, 42, *_NUMBERS))
            case "cards":
                return [self._card() for _ in range(rng.choice((0, 1, 42, 52)))]
            case "reason" | "note" | "dealer" | "seed" | "seed_commitment":
                return rng.choice((rng.randbytes(32).hex(), *_TEXTS))
        raise AssertionError(f"the fuzzer does not know the field {name}: teach it")

    def _spot(self, view: View) -> str:
        seat, hand = self._seat(view), self.rng.randint(0, 3)
        return f"{seat}.{hand}" if self.rng.random() < 0.8 else self.rng.choice(_TEXTS)

    def _seat(self, view: View) -> int:
        """The person's own seat, another player's, a free one, or one that does not exist."""
        others = view.public.get("seats_taken", [])
        return int(self.rng.choice((view.seat or 1, *others, 1, 2, 3, *_NUMBERS)))

    def _wager(self) -> Plain:
        kind = self.rng.choice((*WagerKind, self.rng.choice(_TEXTS)))
        made: Plain = {"kind": str(kind), "cents": self.rng.choice((500, 1000, 2500, *_NUMBERS))}
        if self.rng.random() < 0.3:
            made["for_dealer"] = self.rng.random() < 0.7
        return made

    def _any_decision(self) -> Plain:
        match self.rng.randrange(4):
            case 0:
                return {"kind": "check"}
            case 1:
                return {"kind": "bet", "multiple": self.rng.choice((1, 2, 3, 4, *_NUMBERS))}
            case 2:
                return {"kind": "fold"}
        return {"kind": "hold", "cards": [self._card() for _ in range(self.rng.randrange(7))]}

    def _card(self) -> str:
        return self.rng.choice(CARDS) if self.rng.random() < 0.8 else self.rng.choice(_TEXTS)

    # Invalid messages --------------------------------------------------------------------------

    def junk(self, depth: int = 3) -> Any:
        """Any JSON value."""
        rng = self.rng
        match rng.randrange(8 if depth else 6):
            case 0:
                return None
            case 1:
                return rng.random() < 0.5
            case 2:
                return rng.choice(_NUMBERS)
            case 3:
                return rng.choice((0.5, -1e300, 1e-9, 3.0))
            case 4 | 5:
                return rng.choice(_TEXTS)
            case 6:
                return [self.junk(depth - 1) for _ in range(rng.randrange(5))]
        return {rng.choice(_TEXTS): self.junk(depth - 1) for _ in range(rng.randrange(4))}

    def broken(self, view: View) -> Any:
        """A command with something wrong in it: a type, a field too many, one that is missing."""
        made = self.well_formed(view)
        match self.rng.randrange(5):
            case 0:
                made[self.rng.choice(list(made))] = self.junk()
            case 1:
                made[self.rng.choice(("id", "cents", "player", "__proto__", "x"))] = self.junk()
            case 2:
                del made[self.rng.choice(list(made))]
            case 3:
                made["kind"] = self.rng.choice(("", "bet", "end_time", "open_table", "TAKE_SEAT"))
            case _:
                return self.junk()
        return made

    def message(self, command: object, command_id: object, approval: object = None) -> str:
        """A command with its id, as it goes over the wire, and perhaps with an approval."""
        made = {"type": "command", "id": command_id, "command": command}
        return json.dumps(made if approval is None else made | {"approval": approval})

    def garbage(self) -> str | bytes:
        """What is hardly a message; the reader has to say so."""
        rng = self.rng
        return rng.choice(
            (
                *("", " ", "{", "null", "[]", "{}", '"hello"', "\x00", "\ufeff{}", "nonsense"),
                *(b"", b"\xff\xfe", b"\x00" * 50, b'{"type":"ping"}', b'{"type":"pong"}'),
                *('{"type":"command"}', '{"type":"command","id":7}', '{"type":null}'),
                '{"type":"command","id":"","command":null}',
                '{"type":"command","command":{"kind":"collect","seat":1}}',
                '{"type":"ping","type":"ping"}',
                '{"type":"ping","more":1}',
                '{"type":"welcome","version":1}',
                json.dumps(self.junk()),
                json.dumps({"type": self.junk(), "id": self.junk(), "command": self.junk()}),
                rng.randbytes(rng.randrange(300)),
            )
        )

    def nested(self, command_id: str) -> str:
        """A message as deep as it can be within the length that is taken."""
        deep = (MESSAGE_BYTES_MAX - 200) // 2
        lists, objects = "[" * deep + "]" * deep, '{"a":' * (deep // 3) + "1" + "}" * (deep // 3)
        inner = self.rng.choice((lists, objects))
        form = self.rng.choice(
            ('{"type":"command","id":"%s","command":%s}', '{"id":"%s","x":%s,"type":"command"}')
        )
        return form % (command_id, inner)

    def too_long(self) -> str | bytes:
        """A message beyond the length that is taken."""
        length = self.rng.choice((MESSAGE_BYTES_MAX + 1, 100_000, 3_000_000))
        text = '{"type":"ping","x":"' + "a" * length + '"}'
        return self.rng.choice((text, text.encode()))

    def hello(self) -> Plain:
        """A greeting that is a greeting."""
        seen = self.rng.choice((None, None, 0, 1, 5, -1, 2**53, 10**30))
        return {"type": "hello", "protocol": PROTOCOL} | ({} if seen is None else {"seen": seen})


def meant(text: str | bytes) -> messages.FromClient | None:
    """The message that this is by the protocol, None if it is not one."""
    try:
        found: messages.FromClient = msgspec.json.decode(text, type=messages.FromClient)
    except (msgspec.DecodeError, RecursionError):
        return None
    return found


def id_in(text: str | bytes) -> str | None:
    """The id under which even a broken command has to be answered."""
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(plain, dict) or plain.get("type") != "command":
        return None
    found = plain.get("id")
    return found if isinstance(found, str) and found else None
