// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// Intent: control characters, and what is no UTF-8, in names of regions and
// threads are escaped in text, so that they do no harm to a terminal.
// RUN: env ATSAN_OPTIONS=trace=%t.trace %exits 66 %t > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: LC_ALL=C grep -v '^[ -~]*$' %t.out | grep -v 'Grüße' > %t.left; test ! -s %t.left
// CHECK: Region 'a\n\x1b[31mb\xff\xc2\x9b\x7f Grüße' of T1 't\te' is not atomic
// The tools; readers of traces know no control characters.
// RUN: rm -rf %t.logs && env ATSAN_OPTIONS=report_format=json:log_path=%t.logs/log %exits 66 %t
// RUN: %atsan report %t.logs > %t.report; test $? = 66 && grep -F 'Region '"'"'a\n\x1b[31mb\xff\xc2\x9b\x7f Grüße' %t.report
// RUN: %atsan check %t.trace > %t.check; test $? = 66 && grep -F 'egion '"'"'a??[31mb\xff\xc2\x9b? Grüße' %t.check
// RUN: %atsan trace print %t.trace > %t.print; grep -F "'a??[31mb\xff\xc2\x9b? Grüße'" %t.print
// RUN: for f in report check print; do LC_ALL=C grep '[[:cntrl:]]' %t.$f && exit 1; done; true
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"
#include <pthread.h>

int x;

int main() {
  in_parallel(
      [] {
        pthread_setname_np(pthread_self(), "t\te");
        atsan::atomic_region region(
            "a\n\x1b[31mb\xff\xc2\x9b\x7f Gr\xc3\xbc\xc3\x9f"
            "e");
        STEP(1) USE(x);
        STEP(3) USE(x);
      },
      [] {
        STEP(2) x = 1;
      });
}
