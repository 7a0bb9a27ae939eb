"""A stranger asks for a file outside the web terminal: the program, the database, the machine's.

Paths are sent as raw bytes, because a client would tidy them up first.
"""

import socket

import pytest

from tests.kit.attacks.raw_http import exchange
from tests.kit.attacks.server_under_attack import ServerUnderAttack

OUTSIDE = (b"def make_app", b"root:", b"SQLite format 3")
"""What stands in the files that are asked for: the program, the machine's users, the database."""

UP = [
    *("..", "%2e%2e", ".%2e", "%2e.", "..%00", "..;", "%252e%252e", "%c0%ae%c0%ae", "..\\"),
    *("%2e%2e%5c", "\\..\\..", "....//", "..%2f", "..%5c", "%u002e%u002e", "\uff0e\uff0e"),
]
"""Ways to say: one folder up."""
TARGETS = ("app.py", "../../../../../../../../etc/passwd", "etc/passwd", "felt.db")


def paths(server: ServerUnderAttack) -> list[str]:
    climbing = [
        f"/{start}{'/'.join([up] * levels)}/{target}"
        for up in UP
        for levels in (1, 9)
        for start in ("", "assets/")
        for target in TARGETS
    ]
    database = server.folder / "felt.db"
    absolute = [
        *("//etc/passwd", "/%2fetc%2fpasswd", "/%2Fetc/passwd", "///etc///passwd"),
        *("/file:///etc/passwd", "/etc/passwd%00.js", "/assets/%2fetc/passwd", "/./etc/passwd"),
        *(f"/{database}", f"/%2f{str(database)[1:]}", "/~root/.profile", "/c:\\windows\\win.ini"),
        *("/api/../app.py", "/api/v1/../../app.py", "/ws/../app.py", "/index.html/../../app.py"),
    ]
    return climbing + absolute


def test_no_path_leads_out_of_the_site(shared_server: ServerUnderAttack) -> None:
    for path in paths(shared_server):
        with socket.create_connection(("127.0.0.1", shared_server.port), 60) as line:
            answer = exchange(line, f"GET {path} HTTP/1.1", {"Host": "127.0.0.1"})
        assert answer.status in (200, 400, 404), (path, answer)
        assert not any(text in answer.body for text in OUTSIDE), path
        if answer.status == 200:
            assert answer.headers["content-type"].startswith("text/html"), path
    assert shared_server.faults_logged() == []


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST", "TRACE", "CONNECT", "X"])
def test_no_other_method_changes_or_echoes_the_site(
    shared_server: ServerUnderAttack, method: str
) -> None:
    headers = {"Host": "127.0.0.1", "X-Secret": "echo", "Content-Length": "4"}
    with socket.create_connection(("127.0.0.1", shared_server.port), 60) as line:
        answer = exchange(line, f"{method} /index.html HTTP/1.1", headers, b"evil")
    assert answer.status in (400, 403, 404, 405, 501)
    assert b"echo" not in answer.body
