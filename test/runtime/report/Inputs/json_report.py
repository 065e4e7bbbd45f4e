# ===- json_report.py -----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Compares the JSON of a report with a golden file.

    json_report.py [--accept] SCHEMA FILE.json.expected COMMAND...

Runs COMMAND with report_format=json. It must end with exit code 66 and write
one line of JSON to stderr, valid by the schema and the same as the file after
replacing what differs from run to run. With --accept, writes the file.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys

TOOLS = pathlib.Path(__file__).parents[3] / "tools/report/Inputs"
sys.path.insert(0, str(TOOLS))
from golden import compare  # noqa: E402
from validate import validator  # noqa: E402


class Normalizer:
    """Gives each address a name, so that equal ones stay equal."""

    def __init__(self):
        self.names = {}

    def member(self, key, value):
        if key == "address":
            return self.names.setdefault(value, "A%d" % (len(self.names) + 1))
        if key in ("pc", "offset") and isinstance(value, str):
            return "0x0"
        if key == "pid":
            return 0
        if key in ("module", "program"):
            # lit names the program after the test: FILE.cpp.tmp.
            return re.sub(r"^.*\.tmp\w*$", "MODULE", os.path.basename(value))
        if key == "file":
            return os.path.basename(value)
        if key in ("title", "message", "label"):
            return re.sub(r"\([\w.]+\+0x[0-9a-f]+\)", "(MODULE+OFFSET)", value)
        if key == "finished":
            return "?"  # Whether a thread that has done its part has ended.
        return self.value(value)

    def value(self, value):
        if isinstance(value, dict):
            return {k: self.member(k, v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.value(v) for v in value]
        return value


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--accept", action="store_true")
    parser.add_argument("schema")
    parser.add_argument("expected")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    arguments = parser.parse_args()
    options = os.environ.get("ATSAN_OPTIONS", "") + ":report_format=json"
    run = subprocess.run(
        arguments.command,
        stderr=subprocess.PIPE,
        timeout=120,
        check=False,
        env=dict(os.environ, ATSAN_OPTIONS=options),
    )
    lines = run.stderr.decode(errors="strict").splitlines()
    reports = [line for line in lines if line.startswith("{")]
    if run.returncode != 66 or len(reports) != 1:
        sys.exit("exit code %d, stderr:\n%s" % (run.returncode, "\n".join(lines)))
    report = json.loads(reports[0])
    validator(arguments.schema).validate(report)
    if "function" not in report["summary"]:
        report["fingerprint"] = "1-?"  # Made of offsets, which vary.
        report["suppression"] = "fingerprint:1-?"
    actual = json.dumps(Normalizer().value(report), indent=1) + "\n"
    compare(actual, arguments)


if __name__ == "__main__":
    main()
