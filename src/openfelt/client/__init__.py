"""The Python client: sit down, bet, decide and collect in a few lines, over the real protocol.

Bots, load tests and scripts use it. It holds no rules: it shows the views that the server
sends, and the server decides.
"""

from openfelt.client.casino import Casino, CasinoError
from openfelt.client.own_rounds import SeedUnused
from openfelt.client.terminal import Refused, Terminal, TerminalClosed

__all__ = ["Casino", "CasinoError", "Refused", "SeedUnused", "Terminal", "TerminalClosed"]
