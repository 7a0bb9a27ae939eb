"""The web terminal: the files of its build, and its page for all of its own paths."""

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response

from openfelt.protocol.api_prefix import API
from openfelt.server.errors import not_found
from openfelt.server.http.dependencies import CurrentServices

router = APIRouter(include_in_schema=False)

_IMMUTABLE = {"cache-control": "public, max-age=31536000, immutable"}
_REVALIDATE = {"cache-control": "no-cache"}
VERIFIER = "verifier.html"
"""The offline verifier of round proofs: one file, with its own content policy."""

NOT_BUILT = f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Openfelt</title></head>
<body>
<h1>Openfelt</h1>
<p>The server runs, but the web terminal has not been built.
Build it with <code>make web</code>, then load this page again.</p>
<p>Programs find the tables at <a href="{API}/tables">{API}/tables</a>
and the description of all endpoints at <a href="{API}/openapi.json">{API}/openapi.json</a>.</p>
</body>
</html>
"""


@router.api_route("/{path:path}", methods=["GET", "HEAD"])
async def page(path: str, services: CurrentServices) -> Response:
    """A file of the web terminal, or its page for the paths that it routes itself."""
    if path.startswith(("api/", "ws/")):
        raise not_found(f"There is no such endpoint; the endpoints for programs begin with {API}.")
    site = services.settings.site
    file = _file(site, path)
    if path == VERIFIER and file is not None:
        # It is to be opened from the player's own disk, where this server has no say in it.
        return FileResponse(file, filename=f"openfelt-{VERIFIER}", headers=_REVALIDATE)
    if file is not None:
        return FileResponse(file, headers=_IMMUTABLE if path.startswith("assets/") else _REVALIDATE)
    index = site / "index.html"
    if "." in path.rpartition("/")[2] or not index.is_file():
        if path == "" or (not index.is_file() and "." not in path):
            return HTMLResponse(NOT_BUILT, headers=_REVALIDATE)
        raise not_found("There is no such file.")
    return FileResponse(index, headers=_REVALIDATE)


def _file(site: Path, path: str) -> Path | None:
    """The file of the site that a path names, or None."""
    try:
        wanted = (site / path).resolve()
        inside = wanted.is_relative_to(site.resolve())
        return wanted if inside and wanted.is_file() else None
    except (OSError, ValueError):
        # No file can have that name: it is too long, or has characters that are not allowed.
        return None
