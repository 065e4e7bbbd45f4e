# ===- call_chain.py -------------------------------------------------------===#
#
# Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===----------------------------------------------------------------------===#
#
# Prints a module in which a function gives the address of a stack object to a
# function that gives it to another one, and so on:
#
#   usage: call_chain.py <functions>
#
# ===----------------------------------------------------------------------===#

import sys

functions = int(sys.argv[1])
print('target datalayout = "e-i64:64-n8:16:32:64-S128"')
for i in range(functions):
    print(
        f"define internal void @f{i}(ptr %p) noinline {{\n"
        f"  call void @f{i + 1}(ptr %p)\n"
        f"  ret void\n"
        f"}}"
    )
print(
    f"define internal void @f{functions}(ptr %p) noinline {{\n"
    f"  %v = load i32, ptr %p\n"
    f"  ret void\n"
    f"}}\n"
    f"define void @owner() {{\n"
    f"  %a = alloca i32\n"
    f"  store i32 1, ptr %a\n"
    f"  call void @f0(ptr %a)\n"
    f"  ret void\n"
    f"}}"
)
