"""Runs the exhaustive tests, which take too long for every `make test`."""

import subprocess
import sys


def main() -> None:
    """Run the sweeps; fails if one of them fails."""
    subprocess.run([sys.executable, "-m", "pytest", "-q", "-n", "2", "-m", "sweep"], check=True)


if __name__ == "__main__":
    main()
