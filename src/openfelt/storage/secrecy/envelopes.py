"""Encrypted parts of JSON objects, as events and snapshots hold them.

``{"sealed":"key/31:AbC=","place":["hand","1.1",1]}`` is an object whose place every reader of the
database sees. Its other fields are encrypted with the key ``key/31``. ``sealed`` is a stored name,
which never changes.
"""

import re
from typing import Final, NamedTuple

_BEGINS: Final = '{"sealed":"'
_ENVELOPE: Final = re.compile(r'\{"sealed":"([^":]+):([^"]*)"(?:,(.+))?\}', re.DOTALL)


def is_enveloped(text: str) -> bool:
    """Whether a part of a JSON object is encrypted."""
    return text.startswith(_BEGINS)


class Envelope(NamedTuple):
    """A JSON object of which a part is encrypted."""

    key: str
    """The name of a data key, such as ``key/31``, or the id of a main key in the events and
    snapshots of earlier versions."""
    body: str
    """The encrypted fields, as a JSON object."""
    open_fields: str = ""
    """The fields that are not encrypted, as in a JSON object but without its braces."""

    @classmethod
    def parse(cls, text: str) -> "Envelope | None":
        """The envelope in JSON text; None if it is not one.

        >>> Envelope.parse('{"sealed":"key/31:AbC=","place":1}')
        Envelope(key='key/31', body='AbC=', open_fields='"place":1')
        """
        match = _ENVELOPE.fullmatch(text)
        return cls(match[1], match[2], match[3] or "") if match else None

    def to_json(self) -> str:
        """The envelope as JSON.

        >>> Envelope("key/31", "AbC=", '"place":1').to_json()
        '{"sealed":"key/31:AbC=","place":1}'
        """
        rest = f",{self.open_fields}" if self.open_fields else ""
        return f'{_BEGINS}{self.key}:{self.body}"{rest}}}'

    @property
    def open_json(self) -> str:
        """The fields that are not encrypted, as JSON."""
        return f"{{{self.open_fields}}}"

    def opened(self, hidden: str) -> str:
        """The whole object, given the decrypted fields as JSON.

        >>> Envelope("key/31", "AbC=", '"place":1').opened('{"card":"As"}')
        '{"card":"As","place":1}'
        """
        if not self.open_fields:
            return hidden
        return f"{hidden[:-1]},{self.open_fields}}}"
