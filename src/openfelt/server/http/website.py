"""The web terminal: the files of its build, and its one page for every address within it."""

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response

from openfelt.protocol.messages import API
from openfelt.server.http.dependencies import Here
from openfelt.server.http.errors import not_found

router = APIRouter(include_in_schema=False)

_FOREVER = {"cache-control": "public, max-age=31536000, immutable"}
_ASK_AGAIN = {"cache-control": "no-cache"}

NOT_BUILT = f"""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Openfelt</title></head>
<body>
<h1>Openfelt</h1>
<p>The server runs, but the web terminal has not been built.
Build it with <code>make web</code>, then load this page again.</p>
<p>Programs find the tables at <a href="{API}/tables">{API}/tables</a>
and the pages that they can ask at <a href="{API}/openapi.json">{API}/openapi.json</a>.</p>
</body>
</html>
"""


@router.api_route("/{path:path}", methods=["GET", "HEAD"])
async def page(path: str, premises: Here) -> Response:
    """A file of the web terminal, or its page where the path is one of the terminal's own."""
    if path.startswith(("api/", "ws/")):
        raise not_found(f"There is no such page; the pages for programs begin with {API}.")
    site = premises.settings.site
    found = _file(site, path)
    if found is not None:
        return FileResponse(found, headers=_FOREVER if path.startswith("assets/") else _ASK_AGAIN)
    index = site / "index.html"
    if "." in path.rpartition("/")[2] or not index.is_file():
        if path == "" or (not index.is_file() and "." not in path):
            return HTMLResponse(NOT_BUILT, headers=_ASK_AGAIN)
        raise not_found("There is no such file.")
    return FileResponse(index, headers=_ASK_AGAIN)


def _file(site: Path, path: str) -> Path | None:
    """The file that a path names, None where it names none within the site."""
    try:
        wanted = (site / path).resolve()
        inside = wanted.is_relative_to(site.resolve())
        return wanted if inside and wanted.is_file() else None
    except (OSError, ValueError):
        # No file can have that name: it is too long, or has characters that none has.
        return None
