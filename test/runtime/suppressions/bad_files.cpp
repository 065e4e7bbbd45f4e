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
// KIND: ERROR: AtomicitySanitizer: {{.*}}bad_files.cpp.tmp.kind:4: 'race:foo' is no suppression; write region:, function:, file:, library: or fingerprint: and a pattern
// RUN: printf 'regio' > %t.short
// RUN: env ATSAN_OPTIONS="suppressions='%t.short'" %exits 2 %t 2>&1 | FileCheck --check-prefix=SHORT --implicit-check-not=begun %s
// SHORT: tmp.short:1: 'regio' is no suppression
// RUN: printf 'region:^*$\n' > %t.all
// RUN: env ATSAN_OPTIONS="suppressions='%t.all'" %exits 2 %t 2>&1 | FileCheck --check-prefix=EVERYTHING --implicit-check-not=begun %s
// EVERYTHING: tmp.all:1: 'region:^*$' would suppress everything
// RUN: printf 'region:x\nregion:a\0b\n' > %t.binary
// RUN: env ATSAN_OPTIONS="suppressions='%t.binary'" %exits 2 %t 2>&1 | FileCheck --check-prefix=BINARY --implicit-check-not=begun %s
// BINARY: tmp.binary:2: {{.*}} is not text
// Of a fingerprint all must be there: a part would match others, too.
// RUN: for part in '' 1- 1-12ab 1-0123456789abcdeg 1-0123456789abcdef0 '*' 0123456789abcdef; do echo "fingerprint:$part" > %t.part; env ATSAN_OPTIONS="suppressions='%t.part'" %exits 2 %t 2>&1 | FileCheck --check-prefix=PART --implicit-check-not=begun %s || exit 1; done
// PART: tmp.part:1: 'fingerprint:{{.*}}' has no fingerprint; copy the whole line from the report
// RUN: env ATSAN_OPTIONS="suppressions='%t.kind':exitcode=7:abort_on_error=1" %exits 2 %t 2>&1 | FileCheck --check-prefix=KIND %s
//
// Nothing is wrong with an empty file, or a last line without an end.
// RUN: printf '' > %t.empty
// RUN: env ATSAN_OPTIONS="suppressions='%t.empty'" %exits 0 %t 2>&1 | FileCheck --check-prefix=FINE %s
// RUN: printf '#\nfile:x' > %t.last
// RUN: env ATSAN_OPTIONS="suppressions='%t.last'" %exits 0 %t 2>&1 | FileCheck --check-prefix=FINE %s
// RUN: env ATSAN_OPTIONS="suppressions=" %exits 0 %t 2>&1 | FileCheck --check-prefix=FINE %s
// RUN: printf 'fingerprint:1-0123456789abcdef\r\n  fingerprint:2-0123456789abcdef' > %t.prints
// RUN: env ATSAN_OPTIONS="suppressions='%t.prints'" %exits 0 %t 2>&1 | FileCheck --check-prefix=FINE %s
// Nor with the byte order mark of Windows editors.
// RUN: printf '\357\273\277region:x\n' > %t.mark
// RUN: env ATSAN_OPTIONS="suppressions='%t.mark'" %exits 0 %t 2>&1 | FileCheck --check-prefix=FINE %s
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
