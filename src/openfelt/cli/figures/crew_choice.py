"""The choice of workers for a command's figures: threads of this process, or a cluster."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from openfelt.cli.complaint import Complaint
from openfelt.cli.exit_codes import ExitCode
from openfelt.maths.parallel import working


@contextmanager
def chosen_crew(workers: int | None, scheduler: str | None) -> Iterator[None]:
    """Compute as ``--workers`` and ``--scheduler`` say."""
    if scheduler is None:
        with working(workers=workers):
            yield
        return
    if workers is not None:
        raise Complaint(
            "Give --workers or --scheduler, not both: a cluster has its own workers.",
            ExitCode.WRONG_INPUT,
        )
    if find_spec("distributed") is None:
        raise Complaint(
            "--scheduler needs Dask, which is not installed. Run: pip install 'openfelt[dask]'",
            ExitCode.WRONG_INPUT,
        )
    from openfelt.maths.cluster import ClusterError, cluster_at

    try:
        with cluster_at(scheduler) as cluster, working(crew=cluster):
            yield
    except ClusterError as error:
        raise Complaint(str(error)) from error
