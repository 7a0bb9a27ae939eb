"""The tables of a house that several processes share, and the messages between these."""

from openfelt.runtime.background import BackgroundTask
from openfelt.runtime.bus.bus import Bus
from openfelt.runtime.cluster.ownership import Ownership
from openfelt.runtime.remote.house_tables import SharedTables
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.floor import Floor
from openfelt.server.cluster.account_changes import AccountChanges
from openfelt.server.cluster.presence import Presence
from openfelt.server.cluster.shared_limits import SharedLimits
from openfelt.server.services import Services
from openfelt.server.settings import ClusterSettings


def shared_tables(
    settings: ClusterSettings, floor: Floor, bus: Bus, ownership: Ownership, *, process: str
) -> SharedTables | None:
    """The tables of the house as this process reaches them; None for a process that is alone."""
    if settings.bus is None:
        return None

    async def take(table: str) -> None:
        """Let the placement decide which process takes up a table that none runs."""
        await floor.in_thread(lambda: floor.worker_services.store.want_owner(table_stream(table)))
        await ownership.step()

    takes = take if settings.role.runs_tables else None
    tables = SharedTables(floor, bus, process=process, takes=takes)
    ownership.report_lag(lambda: tables.lag_ms)
    return tables


def told_to_others(services: Services) -> list[BackgroundTask]:
    """Set up the exchange of terminal and account news with other processes."""
    tables, bus = services.tables, services.bus
    if not isinstance(tables, SharedTables):
        return []
    limits = _shared_limits(services, tables)
    return [
        *([limits.run] if services.settings.cluster.role.takes_callers else []),
        Presence(bus, tables, services.rooms.absentees).run,
        AccountChanges(
            bus,
            services.accounts,
            services.sessions,
            devices=services.devices,
            readers=services.readers,
        ).run,
    ]


def _shared_limits(services: Services, tables: SharedTables) -> SharedLimits:
    """The limits of callers, counted together with other gateways."""
    limits = SharedLimits(
        services.bus,
        services.clock,
        process=tables.process,
        gateways=lambda: services.ownership.gateways,
    )
    networks = {
        "requests": services.request_rate,
        "sign-ins": services.sign_in_rate,
        "proofs": services.proof_rate,
    }
    plain = {"heavy": services.heavy_rate, "accounts": services.account_rate}
    for name, buckets in plain.items():
        buckets.share(name, limits)
    rates, throttles = services.sign_in.share(limits)
    limits.add_rates({name: each.share(name, limits) for name, each in networks.items()})
    limits.add_rates(plain | rates | services.pins.share(limits) | services.rooms.share(limits))
    limits.add_rates(services.socket_openings.share("socket openings", limits))
    limits.add_throttles(throttles)
    limits.add_sockets(services.sockets)
    limits.add_connections(services.connections)
    return limits
