"""The houses under which rounds have been played, by fingerprint."""

from openfelt.rules.fingerprints import fingerprint
from openfelt.rules.house import House
from openfelt.storage.codec import Codec, CodecError
from openfelt.storage.door import RuleSet, Store
from openfelt.storage.shown_names import shown


class Rulebook:
    """All houses in the store, and those about to be stored."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._houses: dict[str, House] = {}
        self.codec = Codec(self.house)

    def house(self, wanted: str) -> House | None:
        """The house with this fingerprint; raises CodecError if the stored one has another."""
        if wanted not in self._houses:
            rule_set = self._store.rule_set(wanted)
            if rule_set is None:
                return None
            house = self.codec.house_from_json(rule_set.body)
            if not house.fingerprint == fingerprint(house) == wanted:
                raise CodecError(
                    f"The rule set {shown(wanted[:12])} of {shown(house.id)} has been changed."
                )
            self._houses[wanted] = house
        return self._houses[wanted]

    def rule_set(self, house: House) -> RuleSet:
        """A house ready to be stored; raises ValueError if its fingerprint is wrong.

        Under a wrong fingerprint the rules could not be found again.
        """
        if fingerprint(house) != house.fingerprint:
            raise ValueError(f"the fingerprint of {house.id} is not that of its rules")
        self._houses[house.fingerprint] = house
        return RuleSet(
            fingerprint=house.fingerprint, house=house.id, body=self.codec.house_to_json(house)
        )
