# ===- wayland.py --------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Wayland: C, Meson, whose libraries are linked with -Wl,--no-undefined. Its tests
# count their open files. Every critical section is a region; no line is changed.
#
# ===----------------------------------------------------------------------===#

from gated import check_program

NEEDED = ["meson", "ninja-build", "libffi-dev", "libexpat1-dev", "libxml2-dev"]


def build(h, tree, env, log):
    command = ["meson", "setup", "b", "-Ddocumentation=false"]
    command.append("-Ddtd_validation=false")
    h.must(command, tree, 5, log + "-configure", env=env)
    h.must(["ninja", "-j2", "-C", "b"], tree, 20, log)


def flags(tree):
    return ["-I" + tree + "/src", "-I" + tree + "/b/src", "-L" + tree + "/b/src"] + [
        "-lwayland-server",
        "-Wl,-rpath," + tree + "/b/src",
    ]


def run(h):
    tests = ["meson test -C b --no-rebuild"]
    options = ["critical_sections=1"]
    check_program(
        h, "wayland", build, tests, "planted_wayland.c", flags, options=options
    )
