"""A store around another one, which answers some calls itself and passes all others on."""

from typing import TYPE_CHECKING, Any, cast

from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.door import Store


class WrappedStore:
    """Passes on every call that a subclass does not answer itself."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def as_store(self) -> Store:
        """This object under the type that its callers expect."""
        return cast("Store", self)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return getattr(self._store, name)


class WholeStore(WrappedStore):
    """A store with all history, also what its database has archived."""

    def archive(self, *, with_state: bool = True, before: int = LAST_NUMBER) -> None:
        """Nothing is missing here."""

    def is_whole(self) -> bool:
        """All history is here."""
        return True
