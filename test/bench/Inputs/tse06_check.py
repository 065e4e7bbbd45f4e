# The judgement of findings in bench/tse06, without a run.
import sys

sys.dont_write_bytecode = True

import script  # noqa: E402

tse06 = script.load("tse06")

PROGRAM = tse06.Program("p", [], [], {"a": "bug", "b": "benign"}, {"f": "bug"})


def finding(*names):
    return {"regions": [{"name": n, "title": n, "blamed": True} for n in names]}


def regions(twin, *findings):
    return tse06.classify_regions(PROGRAM, twin, findings)


assert regions(tse06.VIOLATING) == {}
assert regions(tse06.VIOLATING, finding("a"), finding("b"), finding("a")) == {
    "a": "bug",
    "b": "benign",
}
assert regions(tse06.VIOLATING, finding("c", "a")) == {"a": "bug"}
assert regions(tse06.VIOLATING, finding("c", "d")) == {
    "c": "false alarm",
    "d": "false alarm",
}
assert regions(tse06.FIXED, finding("a")) == {"a": "false alarm"}
assert regions(tse06.VIOLATING, finding()) == {"(outside regions)": "false alarm"}
assert tse06.code({"a": "bug", "b": "benign", "c": "bug"}) == "2-1-0"


def race(first, later):
    side = {"first": {"stack": [{"function": first}]}, "later": {"location": later}}
    return tse06.classify_races(PROGRAM, tse06.VIOLATING, [{"steps": [side]}])


assert race("f", "x.c:1") == {("f", "x.c:1"): "bug"}
assert race("g", "x.c:1") == {("g", "x.c:1"): "false alarm"}


def problems(**kinds):
    """Of a run in which the checks of these names blame these regions."""
    judge = tse06.Tables.__new__(tse06.Tables)
    judge.problems = []
    found = {"scg": {}, "reduction": {}, "blocks full": {}}
    found.update({name.replace("_", " "): kinds[name] for name in kinds})
    judge.results = {
        ("p", "fixed"): {n: tse06.Result(k, 0, None) for n, k in found.items()}
    }
    judge.judge(PROGRAM, tse06.FIXED)
    return judge.problems


WRONG = {"c": "false alarm"}
assert problems() == []
assert problems(scg={"a": "bug"}) == []
assert len(problems(scg=WRONG)) == 1
assert problems(reduction=WRONG) == []
assert problems(reduction=WRONG, blocks_full=WRONG) == []
assert len(problems(blocks_full=WRONG)) == 1
