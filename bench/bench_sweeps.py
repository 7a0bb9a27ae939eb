"""The tests that look at every case there is, which take too long for every `make test`."""

import subprocess
import sys


def main() -> None:
    """Run them, and fail where one of them does."""
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "sweep"], check=True)


if __name__ == "__main__":
    main()
