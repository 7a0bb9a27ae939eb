"""The hash of a recovery code that the forger knows, among the supervisor's."""

import json

from openfelt.server.credentials.one_time_codes import recovery_hash
from tests.kit.audit.forger import Forger
from tests.kit.audit.tamperer import literal

FOUND = "The secret recovery/1 is not the one that was set"


def forge(db: Forger) -> None:
    """Replace the supervisor's recovery codes."""
    hashes = literal(json.dumps([recovery_hash("known-to-forger")]))
    db.run(
        f"UPDATE secrets SET body = {hashes}, key = ''"
        " WHERE stream = 'account/supervisor' AND name = 'recovery/1'"
    )
