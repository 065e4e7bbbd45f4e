# ===- slurm_cluster.py -----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
#
# Slurm on this machine, with two virtual nodes, for as long as a block of Python
# takes: no systemd, no configuration of the machine's, no daemon left behind.
#
# ===------------------------------------------------------------------------===#

import contextlib
import ctypes
import getpass
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "scontrol", "sinfo", "squeue", "scancel"]
START_SECONDS = 30

CONFIGURATION = """\
ClusterName=atsan
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort={ports[0]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/linear
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmdParameters=config_overrides
ReturnToService=2
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def die_with_parent():
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def find(program):
    """Daemons are in folders that not everybody searches."""
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin")


def missing():
    return [program for program in PROGRAMS if not find(program)]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def wait_until(what, condition, seconds=START_SECONDS):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError("waited %d s in vain: %s" % (seconds, what))
        time.sleep(0.1)


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.daemons = []
        self.environment = dict(
            os.environ, SLURM_CONF=os.path.join(folder, "slurm.conf"), LC_ALL="C"
        )

    def start(self):
        with open(os.path.join(self.folder, "munge.key"), "wb") as file:
            file.write(os.urandom(128))
        os.chmod(file.name, 0o400)
        user, ports = getpass.getuser(), free_ports(3)
        with open(self.environment["SLURM_CONF"], "w") as file:
            file.write(CONFIGURATION.format(folder=self.folder, user=user, ports=ports))
        files = ["key-file=munge.key", "socket=munge.socket", "pid-file=munge.pid"]
        files += ["log-file=munge.log", "seed-file=munge.seed"]
        options = [
            "--%s=%s/%s" % (name, self.folder, value)
            for name, value in (f.split("=") for f in files)
        ]
        self._daemon("munged", "--foreground", "--force", *options)
        socket_file = os.path.join(self.folder, "munge.socket")
        wait_until("munged listens", lambda: os.path.exists(socket_file))
        self._daemon("slurmctld", "-D")
        for node in ("n1", "n2"):
            os.mkdir(os.path.join(self.folder, "spool." + node))
            self._daemon("slurmd", "-D", "-N", node)
        wait_until("both nodes are idle", self._is_ready)

    def _daemon(self, program, *options):
        log = open(os.path.join(self.folder, "daemons.log"), "ab")
        command = [find(program), *options]
        # Each is a process group of its own, with all that it starts.
        self.daemons.append(
            subprocess.Popen(
                command,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
        )
        log.close()

    def _is_ready(self):
        for daemon in self.daemons:
            if daemon.poll() is not None:
                raise RuntimeError("%s has ended" % daemon.args[0])
        states = self.call("sinfo", "-h", "-N", "-o", "%T", check=False).split()
        return states == ["idle", "idle"]

    def call(self, program, *arguments, check=True, cwd=None):
        """Runs a command of Slurm; returns what it prints."""
        done = subprocess.run(
            [find(program), *arguments],
            env=self.environment,
            cwd=cwd,
            capture_output=True,
            text=True,
        )
        if check and done.returncode:
            raise RuntimeError("%s: %s" % (program, done.stderr))
        return done.stdout

    def stop(self):
        self.call("scancel", "--user=" + getpass.getuser(), check=False)
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(daemon.pid, signal.SIGKILL)
                daemon.wait()

    def show_logs(self):
        for name in sorted(os.listdir(self.folder)):
            if name.endswith(".log"):
                with open(os.path.join(self.folder, name), errors="replace") as file:
                    sys.stderr.write("--- %s\n%s" % (name, file.read()[-4000:]))


@contextlib.contextmanager
def cluster():
    """A cluster, whose daemons end with the block."""
    # Slurm's configuration knows no spaces, and sockets have short names.
    folder = tempfile.mkdtemp(prefix="atsan-slurm-", dir="/tmp")
    os.chmod(folder, 0o755)
    running = Cluster(folder)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    try:
        running.start()
        yield running
    except BaseException:
        running.show_logs()
        raise
    finally:
        running.stop()
        shutil.rmtree(folder, ignore_errors=True)
