# The comparison of verdicts in bench/cav08, without a run.
import sys

sys.dont_write_bytecode = True

import script  # noqa: E402

cav08 = script.load("cav08")


def agree(graph, summary, graph_stopped="", summary_stopped=""):
    """Of checkers whose first cycle closes at these events."""
    results = {
        "conflict graph": cav08.Result(1, 0, 0.1, graph, graph_stopped),
        "summary": cav08.Result(1, 0, 0.1, summary, summary_stopped),
    }
    try:
        cav08.compare("p, 3", results)
    except SystemExit as error:
        assert "one of the checkers is wrong" in str(error), error
        return False
    return True


assert agree(0, 0)
assert agree(7, 7)
assert not agree(7, 8)
assert not agree(7, 0)
assert not agree(0, 7)
assert agree(0, 7, "time")
assert not agree(6, 7, "time")
assert agree(7, 0, "", "memory")
