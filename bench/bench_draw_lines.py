"""The search for a strategy of Ultimate Draw in plain lines: what it finds, and its time.

Every hold of every class of hands is played against seeded deals, and the search chooses lines by
what they gain in them. What the basic strategy is worth exactly, `openfelt strategy draw` says.
"""

import resource
import time

from openfelt.catalog import load_house
from openfelt.maths import draw_terms_of
from openfelt.maths.draw.hold_lines import basic_draw_lines
from openfelt.maths.draw.holds import draw_holds
from openfelt.maths.draw.line_search import LineSearch, find_lines, sampled_values


def main() -> None:
    """Print the lines that are found, and how they compare with the basic strategy."""
    terms, holds = draw_terms_of(load_house("draw")), draw_holds()
    began = time.process_time()
    values = sampled_values(terms, holds)
    print(f"every hold against seeded deals: {time.process_time() - began:.0f} s of one processor")
    began = time.process_time()
    found = find_lines(terms, values=values, report=print)
    print(f"searched in {time.process_time() - began:.0f} s of one processor")
    for number, line in enumerate(found, 1):
        print(f"{number:3}. {line}")
    for name, lines in (("found", found), ("basic strategy", list(basic_draw_lines()))):
        search = LineSearch.of(sampled_values(terms, holds, seed=2), holds, lines)
        worth = search.worth(range(len(lines)))
        print(f"{name}: {worth:.6f} Antes more than holding nothing, in other deals")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"peak memory {peak:.0f} MB")


if __name__ == "__main__":
    main()
