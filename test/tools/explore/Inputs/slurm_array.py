# ===- slurm_array.py -------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# usage: slurm_array.py <atsan> <program>
#
# Explores the program by an array of four jobs on two virtual nodes. One of them
# is killed in its first attempt, when it has found something and has not ended; it
# is put back into the queue. Prints what `atsan explore --merge` says before and
# after.
#
# ===------------------------------------------------------------------------===#

import os
import signal
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from slurm_cluster import cluster, missing, wait_until  # noqa: E402

SHARDS, VICTIM = 4, 3

# The job that a user writes, but for the victim: its first attempt goes on until it
# is killed. ($0 is a copy of the script, on the node.)
JOB = """\
#!/bin/sh
#SBATCH --array=1-{shards} --requeue --output=/dev/null
runs=24
if [ "$SLURM_ARRAY_TASK_ID" = {victim} ] && [ -z "$SLURM_RESTART_COUNT" ]; then
  runs=100000000
  echo $$ > victim.pid
fi
echo "$SLURMD_NODENAME" >> nodes
exec "$ATSAN" explore --strategy=surw --all --runs=$runs --replays=2 \\
  --shard=$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT \\
  --json=$SLURM_ARRAY_TASK_ID.json -- "$PROGRAM"
"""


def text_of(path):
    try:
        with open(path) as file:
            return file.read()
    except FileNotFoundError:
        return ""


def merge(atsan):
    files = [f for f in ("%d.json" % i for i in range(1, SHARDS + 1)) if text_of(f)]
    command = [atsan, "explore", "--merge", *files]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    print(done.stdout.decode() + "exit code %d" % done.returncode, flush=True)


def explore(slurm, atsan):
    job = slurm.call("sbatch", "--parsable", "job.sh").strip()

    def is_over():
        queue = slurm.call("squeue", "-h", "-j", job, "-o", "%i", check=False)
        return not queue.strip()

    def others_are_over():
        queue = slurm.call("squeue", "-h", "-r", "-j", job, "-o", "%i").split()
        return queue == ["%s_%d" % (job, VICTIM)]

    wait_until("the other jobs end", others_are_over, 120)
    victim = "%d.json" % VICTIM
    wait_until("the victim finds something", lambda: "finding" in text_of(victim))
    os.kill(int(text_of("victim.pid")), signal.SIGKILL)
    wait_until("the victim's job ends", is_over)
    print("--- killed")
    merge(atsan)

    slurm.call("scontrol", "requeue", "%s_%d" % (job, VICTIM))
    # Else it would wait for two minutes. In the second in which it was killed, the
    # node takes it for the attempt that was, and does not launch it.
    slurm.call("scontrol", "update", "jobid=%s_%d" % (job, VICTIM), "starttime=now+3")
    wait_until("the second attempt ends", lambda: '"ended":true' in text_of(victim), 60)
    print("--- requeued")
    merge(atsan)


def main():
    if missing():
        sys.exit(
            "skipped: Slurm is missing (%s); apt-get install slurm-wlm munge"
            % ", ".join(missing())
        )
    atsan = sys.argv[1]
    os.environ.update(ATSAN=atsan, PROGRAM=sys.argv[2])
    with open("job.sh", "w") as file:
        file.write(JOB.format(shards=SHARDS, victim=VICTIM))
    with cluster() as slurm:
        explore(slurm, atsan)
    print("nodes: " + " ".join(sorted(set(text_of("nodes").split()))))


if __name__ == "__main__":
    main()
