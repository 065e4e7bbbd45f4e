# ===- real.py ------------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Real programs for bench/run: Debian source packages, built by their own build
# systems once for each variant, with the regions of test/real where operations
# are regions. What is run is a small script beside the program, which turns its
# output into one line that every variant must have. foreign/ has more of them, which
# test/real does not know, on top of the functions here.
#
# ===----------------------------------------------------------------------===#

import os
import random
import sys
import threading

from measure import FLAGS, HERE, ROOT, fail

sys.path.insert(1, os.path.join(ROOT, "test"))
sys.path.insert(1, os.path.join(ROOT, "test", "real"))

import lbzip2  # noqa: E402
import leveldb  # noqa: E402
import memcached  # noqa: E402
import xz  # noqa: E402
import zstd  # noqa: E402
from harness import Harness, StepFailed  # noqa: E402
from plain_path import plain_path  # noqa: E402


class VariantHarness(Harness):
    """Builds one variant in a folder of its own; says nothing while it goes well."""

    def __init__(self, bench, build, name):
        # Their build systems want paths without blanks.
        super().__init__(plain_path(bench.build), ci=False)
        self.work = os.path.join(plain_path(bench.programs), name + ".build")
        os.makedirs(self.work, exist_ok=True)
        self.compilers = bench.compilers[build.compiler]
        if build.compiler == "atsan":
            self.compilers = (self.cc, self.cxx)
        self.flags = " ".join(["-g", "-O2"] + build.flags)
        self.link_flags = " ".join(build.flags)

    def say(self, text):
        pass

    def build_env(self):
        return {
            "CC": self.compilers[0],
            "CXX": self.compilers[1],
            "CFLAGS": self.flags,
            "CXXFLAGS": self.flags,
            "LDFLAGS": self.link_flags,
        }


def input_file(bench, name, content):
    """A file that programs read, with the bytes that `content()` returns."""
    path = os.path.join(bench.programs, name)
    if not os.path.exists(path):
        # Under its name only when it is complete: variants are built side by side.
        part = "%s.%d" % (path, threading.get_ident())
        with open(part, "wb") as file:
            file.write(content())
        os.rename(part, path)
    return path


def text(mib):
    """Some text that is the same everywhere: words in an order by chance."""
    rng = random.Random(1)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(5000)]
    lines, size = [], 0
    while size < mib << 20:
        lines.append(" ".join(rng.choices(words, k=12)) + "\n")
        size += len(lines[-1])
    return "".join(lines).encode()


def script(bench, program, build, commands):
    path = os.path.join(bench.programs, "%s.%s" % (program.name, build.name))
    with open(path, "w") as file:
        file.write("#!/bin/sh\nset -e\n" + commands)
    os.chmod(path, 0o755)
    return path


def quoted(path):
    return "'%s'" % path.replace("'", "'\\''")


def harness(bench, program, build):
    return VariantHarness(bench, build, "%s.%s" % (program.name, build.name))


def compressor(bench, program, build, binary, options):
    """Compresses and decompresses: threads, megabytes."""
    for mib in (int(program.arguments[1]), int(program.short[1])):
        input_file(bench, "text-%d-mib" % mib, lambda: text(mib))
    run = quoted(binary)
    return script(
        bench,
        program,
        build,
        'in=%s/text-"$2"-mib\n' % quoted(bench.programs)
        + '%s %s -c "$in" | %s -d -c | cksum\n' % (run, options, run),
    )


def make_lbzip2(bench, program, build):
    h = harness(bench, program, build)
    h.packages_there("lbzip2", lbzip2.NEEDED)
    tree = lbzip2.configured(h)
    if build.regions:
        lbzip2.add_regions(tree)
    h.must(["make"], tree, 10, "build", env=h.build_env())
    binary = os.path.join(tree, "src", "lbzip2")
    return compressor(bench, program, build, binary, '-n "$1" -k')


def make_xz(bench, program, build):
    h = harness(bench, program, build)
    h.packages_there("xz", xz.NEEDED)
    tree = xz.configured(h, ["--disable-shared", "--enable-static"])
    h.must(["make"], tree, 10, "build")
    binary = os.path.join(tree, "src", "xz", "xz")
    return compressor(bench, program, build, binary, '-T "$1" -1 --block-size=1MiB -k')


def make_zstd(bench, program, build):
    h = harness(bench, program, build)
    h.packages_there("zstd", zstd.NEEDED)
    tree = h.fresh_sources("libzstd")
    if build.regions:
        zstd.add_regions(tree)
    # Formats that it can do without.
    others = ["HAVE_%s=0" % name for name in ("ZLIB", "LZMA", "LZ4")]
    env = dict(h.build_env(), MOREFLAGS=h.flags)
    h.must(["make", "zstd"] + others, os.path.join(tree, "programs"), 10, "build", env=env)
    binary = os.path.join(tree, "programs", "zstd")
    return compressor(bench, program, build, binary, '-q -T"$1" -B1MiB')


def make_memcached(bench, program, build):
    """A server under load: threads of it and of its client, requests of each.

    What is measured is the server: nobody waits for the client, which ends it.
    ThreadSanitizer finds data races in it, which it is not to spend time on.
    """
    h = harness(bench, program, build)
    h.packages_there("memcached", memcached.NEEDED)
    tree = h.fresh_sources("memcached")
    if build.regions:
        memcached.add_regions(tree)
    configure = ["./configure", "--quiet", "--disable-coverage"]
    h.must(configure, tree, 5, "configure", env=h.build_env())
    h.must(["make", "memcached"], tree, 10, "build", env=h.build_env())
    client = bench.compile(
        "clang",
        os.path.join(HERE, "programs", "memcached_client.cpp"),
        "memcached_client.%s" % build.name,
        ["-std=c++17", "-O2"],
    )
    return script(
        bench,
        program,
        build,
        "cd %s\nrm -f socket\n" % quoted(h.work)
        + 'export TSAN_OPTIONS="$TSAN_OPTIONS report_bugs=0"\n'
        + '%s socket $$ "$@" &\n' % quoted(client)
        + 'test "$(id -u)" = 0 && user="-u root"\n'
        + "exec %s -s socket -t $1 -m 64 $user\n" % quoted(os.path.join(tree, "memcached")),
    )


def make_leveldb(bench, program, build):
    """Threads that put, get and look at snapshots: threads, operations of each."""
    h = harness(bench, program, build)
    h.packages_there("leveldb", leveldb.NEEDED)
    tree = h.fresh_sources("leveldb")
    leveldb.configure(h, tree)
    if build.regions:
        leveldb.add_regions(tree)
    h.must(["ninja", "-j1", "-C", "b", "libleveldb.a"], tree, 20, "build")
    binary = os.path.join(tree, "store")
    source = os.path.join(HERE, "programs", "leveldb_store.cpp")
    include = os.path.join(tree, "include")
    library = os.path.join(tree, "b", "libleveldb.a")
    command = [h.compilers[1], *FLAGS, *h.flags.split(), "-std=c++17", "-I", include]
    bench.must([*command, source, library, "-o", binary])
    scratch = quoted(os.path.join(h.work, "db"))
    return script(
        bench,
        program,
        build,
        'rm -rf %s\nexec %s %s "$@"\n' % (scratch, quoted(binary), scratch),
    )


def maker(make):
    """As variants.Program wants it: the errors of test/real are ours."""

    def wrapped(bench, program, build):
        try:
            return make(bench, program, build)
        except StepFailed as error:
            fail("%s, %s: %s" % (program.name, build.name, error))

    return wrapped
