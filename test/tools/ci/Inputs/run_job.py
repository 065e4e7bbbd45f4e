# ===- run_job.py ---------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
"""Runs the commands of a CI template, as the CI server would.

    run_job.py github|gitlab TEMPLATE PROJECT

In a copy of nothing: in the folder PROJECT itself. What installs the sanitizer
is left out. Ends with the exit code of the first step that fails.
"""

import os
import subprocess
import sys

import yaml


def github(template):
    (job,) = template["jobs"].values()
    for step in job["steps"]:
        if "run" in step and step.get("id") != "install":
            yield step["run"]


def gitlab(template):
    # One shell for all commands of a job.
    yield "\n".join(template["atomicity"]["script"])


def main():
    server, template, project = sys.argv[1:]
    with open(template, encoding="utf-8") as file:
        steps = list({"github": github, "gitlab": gitlab}[server](yaml.safe_load(file)))
    assert steps
    environment = {k: v for k, v in os.environ.items() if k != "ATSAN_OPTIONS"}
    for step in steps:
        run = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", step],
            cwd=project,
            env=environment,
            timeout=300,
            check=False,
        )
        if run.returncode:
            sys.exit(run.returncode)


if __name__ == "__main__":
    main()
