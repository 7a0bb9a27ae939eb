"""The processor time that benchmarks count of a server."""

import subprocess
import sys

from tests.kit.soak.processor_time import processor_time

WORK = "import time; end = time.process_time() + 0.1\nwhile time.process_time() < end: pass\n"
SERVER = f"""
import subprocess, sys, threading

def work():
    exec({WORK!r})

print(flush=True)
for started in sys.stdin:
    if started == "thread\\n":
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    else:
        subprocess.run([sys.executable, "-c", {WORK!r}], check=True)
    print(flush=True)
"""


def test_the_time_of_ended_threads_and_processes_stays_counted() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdout.readline()
        used = processor_time(server.pid)
        for started in ("thread", "process", "thread"):
            server.stdin.write(f"{started}\n")
            server.stdin.flush()
            server.stdout.readline()
            later = processor_time(server.pid)
            assert later.others - used.others > 0.08
            assert later.loop >= used.loop
            used = later
        server.stdin.close()
