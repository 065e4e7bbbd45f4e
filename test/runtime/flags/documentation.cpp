// RUN: %clangxx_atsan -O1 %s -o %t
// Intent: docs/options.md has every option, its default and its meaning.
// RUN: %python %S/Inputs/options_table.py %atsan_source_dir/docs/options.md %t
// RUN: grep -v max_reports %atsan_source_dir/docs/options.md > %t.md
// RUN: not %python %S/Inputs/options_table.py %t.md %t 2>&1 | FileCheck %s
// CHECK: max_reports
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

int main() {}
