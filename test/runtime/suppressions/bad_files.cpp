// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: a file that cannot be used is one clear error with its place, before
// the program begins, and with an exit code that no finding has.
// RUN: env ATSAN_OPTIONS="suppressions='%t.none'" %exits 2 %t 2>&1 | FileCheck --check-prefix=NONE --implicit-check-not=begun %s
// NONE: ERROR: AtomicitySanitizer: cannot read '{{.*}}bad_files.cpp.tmp.none', which run-time option suppressions names: No such file or directory
// RUN: rm -rf %t.dir && mkdir %t.dir
// RUN: env ATSAN_OPTIONS="suppressions='%t.dir'" %exits 2 %t 2>&1 | FileCheck --check-prefix=DIR --implicit-check-not=begun %s
// DIR: ERROR: AtomicitySanitizer: cannot read '{{.*}}.dir', which run-time option suppressions names: Is a directory
// RUN: printf '# fine\nregion:x\n\n  race:foo  \n' > %t.kind
// RUN: env ATSAN_OPTIONS="suppressions='%t.kind'" %exits 2 %t 2>&1 | FileCheck --check-prefix=KIND --implicit-check-not=begun %s
// KIND: ERROR: AtomicitySanitizer: {{.*}}bad_files.cpp.tmp.kind:4: 'race:foo' is no suppression; write region:, function:, file: or library: and a pattern
// RUN: printf 'regio' > %t.short
// RUN: env ATSAN_OPTIONS="suppressions='%t.short'" %exits 2 %t 2>&1 | FileCheck --check-prefix=SHORT --implicit-check-not=begun %s
// SHORT: tmp.short:1: 'regio' is no suppression
// RUN: printf 'region:^*$\n' > %t.all
// RUN: env ATSAN_OPTIONS="suppressions='%t.all'" %exits 2 %t 2>&1 | FileCheck --check-prefix=EVERYTHING --implicit-check-not=begun %s
// EVERYTHING: tmp.all:1: 'region:^*$' would suppress everything
// RUN: printf 'region:x\nregion:a\0b\n' > %t.binary
// RUN: env ATSAN_OPTIONS="suppressions='%t.binary'" %exits 2 %t 2>&1 | FileCheck --check-prefix=BINARY --implicit-check-not=begun %s
// BINARY: tmp.binary:2: {{.*}} is not text
// RUN: env ATSAN_OPTIONS="suppressions='%t.kind':exitcode=7:abort_on_error=1" %exits 2 %t 2>&1 | FileCheck --check-prefix=KIND %s
//
// Nothing is wrong with an empty file, or a last line without an end.
// RUN: printf '' > %t.empty
// RUN: env ATSAN_OPTIONS="suppressions='%t.empty'" %exits 0 %t 2>&1 | FileCheck --check-prefix=FINE %s
// RUN: printf '#\nfile:x' > %t.last
// RUN: env ATSAN_OPTIONS="suppressions='%t.last'" %exits 0 %t 2>&1 | FileCheck --check-prefix=FINE %s
// RUN: env ATSAN_OPTIONS="suppressions=" %exits 0 %t 2>&1 | FileCheck --check-prefix=FINE %s
// FINE-NOT: ERROR
// FINE: begun
//
// RUN: %clangxx_atsan -O1 -I%inputs -DDEFAULTS %s -o %t.defaults
// RUN: %exits 2 %t.defaults 2>&1 | FileCheck --check-prefix=DEFAULTS --implicit-check-not=begun %s
// DEFAULTS: ERROR: AtomicitySanitizer: __atsan_default_suppressions():2: 'foo' is no suppression
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#ifdef DEFAULTS
extern "C" const char *__atsan_default_suppressions() {
  return "region:x\nfoo\n";
}
#endif

int main() { fprintf(stderr, "begun\n"); }
