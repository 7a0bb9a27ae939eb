"""A short sweep of the simulator in every build, and a look that it was not blind.

The long sweep is a benchmark: ``make bench ARGS=simulated_faults``.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.simulation.failure import SimulationFailure, repeat_command, require
from tests.simulation.simulation import run_seed
from tests.simulation.tally import Tally

GROUPS = 4
SEEDS_EACH = 6
STEPS = 4000
ROOT = Path(__file__).resolve().parents[2]

MUST_HAPPEN = (
    "crash before commit",
    "crash after commit",
    "crash before take_lease",
    "crash after renew_lease",
    "crash before answers",
    "power lost, log cut short",
    "power lost, one sector never written",
    "last commit gone",
    "last commit whole",
    "outcome unknown, written",
    "outcome unknown, not written",
    "disk full",
    "store gone",
    "message lost",
    "message doubled",
    "message delayed",
    "message overtaken",
    "command sent again",
    "command answered again",
    "id used for another command",
    "batch of several commands",
    "process killed",
    "process stalled",
    "message while two processes run a table",
    "stale holder fenced",
    "stale holder saw",
    "table handed over",
    "clock jumped back",
    "clock jumped forward",
    "shuffler failed",
    "terminal vanished, between rounds",
    "terminal vanished, playing",
    "terminal vanished, wagering",
    "terminal vanished with a command unanswered",
    "dealer decides for an absent player",
    "card corrected",
    "card scanned twice",
    "voided while bets were open",
    "voided while cards were dealt",
    "voided before the flop",
    "voided on the flop",
    "voided on the river",
    "voided before it was confirmed",
    "conflict on a link",
    "link changed by somebody else",
    "share of a jackpot won",
    "jackpot hit by two tables at once",
    "wallet emptied meanwhile",
    "bank ran out",
    "round expired",
    "rounds settled, california",
    "rounds settled, draw",
    "rounds settled, online",
    "rounds settled, stadium",
    "rounds settled, washington",
)
"""What a whole sweep has to have seen. A sweep in which one of them is missing is blind."""
