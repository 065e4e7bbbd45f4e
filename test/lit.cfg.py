# ===- lit.cfg.py ---------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# The two lit suites: "AtSan", the tests below this folder, and "AtSan-Unit", the
# googletest programs of the build tree. What the RUN lines may use:
#
#   %clang_atsan, %clangxx_atsan       our drivers with -fsanitize=atomicity -g
#   %atsan                             the program of that name
#   %atsan_driver_clang, ..._clangxx   our drivers alone
#   %clang, %clangxx                   the compilers behind them
#   %run                               runs a test program, with a time limit
#   %plugin                            the pass plugin, for opt
#   %atsan_lib, %atsan_include         lib/atsan and include of the build tree
#   %atsan_source_dir, ..._build_dir   the roots of both trees
#   %compiler_rt                       the compiler-rt sources of the build
#   %python                            the Python of the build
#   %schema                            the JSON schema of reports
#   %check_schema                      and that of atsan check
#   %llvm_major                        the major version of the build's LLVM
#
# and every tool of this LLVM by its plain name: FileCheck, not, opt, llvm-nm, ...
# The feature llvm-<major> is there for what can be of one LLVM only.
#
# ===----------------------------------------------------------------------===#

import os
import shutil
import subprocess
import sys

import lit.formats

sys.path.append(config.atsan_source_dir + "/test")
from plain_path import plain_path
from plain_shtest import PlainPathShTest

try:
    source_dir = plain_path(config.atsan_source_dir)
    build_dir = plain_path(config.atsan_build_dir)
except OSError as error:
    lit_config.fatal(str(error))
# For the configurations of folders below, too.
config.atsan_source_dir = source_dir
config.atsan_build_dir = build_dir

# The tools of this LLVM come first; llvm-symbolizer is found by it too. Options
# in the user's environment are no part of a test.
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_tools_dir, config.environment["PATH"]]
)
# Programs are linked by the linker of this LLVM, in a third of the time; the
# tests that are about another one name it.
linker = os.path.join(config.llvm_tools_dir, "ld.lld")
if os.path.exists(linker):
    config.environment["COMPILER_PATH"] = os.path.join(build_dir, "test", "linker")
    os.makedirs(config.environment["COMPILER_PATH"], exist_ok=True)
    name = os.path.join(config.environment["COMPILER_PATH"], "ld")
    if not os.path.islink(name):
        os.symlink(linker, name)
for name in list(config.environment):
    if name.startswith("ATSAN_") or name.endswith("SAN_OPTIONS"):
        del config.environment[name]

if config.atsan_suite == "unit":
    config.name = "AtSan-Unit"
    config.test_source_root = build_dir + "/test/unit"
    config.test_exec_root = config.test_source_root
    config.test_format = lit.formats.GoogleTest(".", "Tests")
else:
    config.name = "AtSan"
    config.test_source_root = source_dir + "/test"
    config.test_exec_root = build_dir + "/test"
    config.suffixes = [".c", ".cpp", ".ll", ".test"]
    config.excludes = ["Inputs", "unit"]
    # bash, not lit's own shell: tests of a compiler driver use its quoting.
    config.test_format = PlainPathShTest(
        config.test_source_root, config.test_exec_root, execute_external=True
    )
    if not shutil.which("bash"):
        lit_config.fatal("the tests need bash, which is not on PATH")

    driver = build_dir + "/bin/atsan-clang"
    # The command of another build (--param atsan=PATH) saves building it.
    atsan = plain_path(lit_config.params.get("atsan", build_dir + "/bin/atsan"))
    flags = " -fsanitize=atomicity -g"
    # In order: the first name that matches wins.
    config.substitutions += [
        ("%clangxx_atsan", driver + "++" + flags),
        ("%clang_atsan", driver + flags),
        ("%atsan_driver_clangxx", driver + "++"),
        ("%atsan_driver_clang", driver),
        ("%clangxx", config.atsan_clangxx),
        ("%clang", config.atsan_clang),
        # Generous: tests may share a slow machine. A hang still ends.
        ("%run", "timeout --kill-after=5 120"),
        ("%plugin", build_dir + "/lib/atsan/AtomicitySanitizer.so"),
        ("%atsan_lib", build_dir + "/lib/atsan"),
        ("%atsan_include", build_dir + "/include"),
        ("%atsan_source_dir", source_dir),
        ("%atsan_build_dir", build_dir),
        ("%llvm_major", str(config.atsan_llvm_major)),
        ("%compiler_rt", plain_path(config.atsan_compiler_rt_dir)),
        ("%python", config.atsan_python),
        (r"%atsan\b", atsan),
        ("%check_schema", source_dir + "/schema/atsan-check-2.schema.json"),
        ("%schema", source_dir + "/schema/atsan-report-2.schema.json"),
    ]

config.available_features.add(f"llvm-{config.atsan_llvm_major}")

# What the tests of build systems and caches need; cmake/setup.sh installs it.
for program in ("spin", "ccache", "meson", "gdb", "dot"):
    if shutil.which(program):
        config.available_features.add(program)

# Containers may forbid these.
if shutil.which("strace") and not subprocess.call(
    ["strace", "-o", "/dev/null", "true"], stderr=subprocess.DEVNULL
):
    config.available_features.add("strace")
if shutil.which("setarch") and not subprocess.call(
    ["setarch", "-R", "true"], stderr=subprocess.DEVNULL
):
    config.available_features.add("fixed-addresses")

# Lock-free queues of others, which a test looks at; packages with headers only.
if os.path.exists("/usr/include/concurrentqueue/concurrentqueue.h") and os.path.exists(
    "/usr/include/readerwriterqueue/readerwriterqueue.h"
):
    config.available_features.add("concurrentqueue")
if os.path.exists("/usr/include/tbb/tbb.h"):
    config.available_features.add("tbb")
