# ===- generate_cxx.py ----------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Statements of C++ for generate.py's functions.
#
# ===----------------------------------------------------------------------===#


def statement(f):
    return "r++;"
