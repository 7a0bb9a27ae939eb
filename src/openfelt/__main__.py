"""``python -m openfelt`` is the command ``openfelt``."""

from openfelt.cli import main

if __name__ == "__main__":
    main()
