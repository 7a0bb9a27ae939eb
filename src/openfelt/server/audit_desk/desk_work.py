"""Work of the auditor's desk, audits and exports, each in a separate process."""

import asyncio
import contextlib
import sys
from collections.abc import Callable
from typing import Any, Final

import msgspec

from openfelt.server.audit_desk.desk_program import DeskLine, DeskTask

PROGRAM: Final = ("-P", "-m", "openfelt.server.audit_desk.desk_program")
LINE_BYTES_MAX: Final = 2**22


class WorkFailed(Exception):
    """The work did not end; the sentence says why."""


async def run_task(task: DeskTask, progress: Callable[[int, int], None]) -> dict[str, Any]:
    """Do a task in a separate process, which ends with this one; raises WorkFailed."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *PROGRAM,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=LINE_BYTES_MAX,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        # The address may hold a password, so it is not an argument that others could list.
        process.stdin.write(msgspec.json.encode(task) + b"\n")
        await process.stdin.drain()
        async for text in process.stdout:
            line = msgspec.json.decode(text, type=DeskLine)
            if line.problem:
                raise WorkFailed(line.problem)
            if line.result is not None:
                return line.result
            progress(line.done, line.total)
        raise WorkFailed("The process ended before its work was done.")
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise WorkFailed(f"The process could not be used ({type(error).__name__}).") from error
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
