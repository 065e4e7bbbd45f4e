// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: every option of ours is listed by help=1 and does what it says; an
// unknown one is warned about, a value that an option cannot have is one clear
// error.
// RUN: env ATSAN_OPTIONS=help=1 %exits 0 %t 2>&1 | FileCheck --check-prefix=HELP %s
// HELP-DAG: halt_on_error
// HELP-DAG: region_splits
// HELP-DAG: lock_edges
// HELP-DAG: max_reports
// HELP-DAG: print_stats
// HELP-DAG: report_format
// HELP-DAG: suppressions
// HELP-DAG: exclude_regions
// HELP-DAG: critical_sections
// HELP-DAG: exitcode
// HELP-DAG: log_path
//
// RUN: env ATSAN_OPTIONS=halt_on_eror=0 %exits 0 %t 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: WARNING: {{.*}}
// UNKNOWN: halt_on_eror
//
// RUN: env ATSAN_OPTIONS=region_splits=join,bogus %exits 2 %t 2>&1 | FileCheck --check-prefix=SPLITS %s
// SPLITS: ERROR: AtomicitySanitizer: bad run-time option region_splits=join,bogus in ATSAN_OPTIONS: allowed are {{.*}}barrier
// RUN: for list in all,none none,start start,all start,; do env ATSAN_OPTIONS=region_splits=$list %exits 2 %t 2>&1 | FileCheck --check-prefix=SETS %s || exit 1; done
// SETS: ERROR: AtomicitySanitizer: bad run-time option region_splits={{.*}} in ATSAN_OPTIONS: allowed are none, all, or a list of start, join, barrier and wait
// RUN: env ATSAN_OPTIONS=lock_edges=perhaps %exits 2 %t 2>&1 | FileCheck --check-prefix=BOOL %s
// BOOL: ERROR: AtomicitySanitizer: {{.*}}lock_edges=perhaps in ATSAN_OPTIONS: allowed are 0, 1
// RUN: for text in many -1 4294967296 1x ''; do env ATSAN_OPTIONS=max_reports=$text %exits 2 %t 2>&1 | FileCheck --check-prefix=NUMBER %s || exit 1; done
// NUMBER: ERROR: AtomicitySanitizer: {{.*}}max_reports={{.*}} in ATSAN_OPTIONS: allowed are whole numbers
// RUN: env ATSAN_OPTIONS=report_format=xml %exits 2 %t 2>&1 | FileCheck --check-prefix=FORMAT %s
// FORMAT: ERROR: AtomicitySanitizer: {{.*}}report_format=xml in ATSAN_OPTIONS: allowed are text and json
//
// The same holds for the options of all sanitizers, whatever they say.
// RUN: env ATSAN_OPTIONS=exitcode=7:abort_on_error=1:symbolize=perhaps %exits 2 %t 2>&1 | FileCheck --check-prefix=COMMON %s
// COMMON: ERROR: AtomicitySanitizer: bad run-time option symbolize=perhaps in ATSAN_OPTIONS: allowed are 0, 1
// RUN: env ATSAN_OPTIONS=verbosity=99999999999 %exits 2 %t 2>&1 | FileCheck --check-prefix=INT %s
// INT: ERROR: AtomicitySanitizer: bad run-time option verbosity=99999999999 in ATSAN_OPTIONS: allowed are whole numbers
// RUN: env ATSAN_OPTIONS=handle_segv=3 %exits 2 %t 2>&1 | FileCheck --check-prefix=SIGNAL %s
// SIGNAL: ERROR: AtomicitySanitizer: bad run-time option handle_segv=3 in ATSAN_OPTIONS: allowed are 0
// RUN: for code in 256 -1 66x; do env ATSAN_OPTIONS=exitcode=$code %exits 2 %t 2>&1 | FileCheck --check-prefix=CODE %s || exit 1; done
// CODE: ERROR: AtomicitySanitizer: bad run-time option exitcode={{.*}} in ATSAN_OPTIONS: allowed are whole numbers from 0 to 255
// RUN: env ATSAN_OPTIONS=color=foo %exits 2 %t 2>&1 | FileCheck --check-prefix=COLOR %s
// COLOR: ERROR: AtomicitySanitizer: bad run-time option color=foo in ATSAN_OPTIONS: allowed are always, never and auto
// RUN: env ATSAN_OPTIONS=malloc_context_size=-5 %exits 2 %t 2>&1 | FileCheck --check-prefix=CONTEXT %s
// CONTEXT: ERROR: AtomicitySanitizer: bad run-time option malloc_context_size=-5 in ATSAN_OPTIONS: allowed are whole numbers from 0 to
// RUN: env ATSAN_OPTIONS=external_symbolizer_path=/bin/true %exits 2 %t 2>&1 | FileCheck --check-prefix=SYMBOLIZER %s
// RUN: env ATSAN_SYMBOLIZER_PATH=/bin/true %exits 2 %t 2>&1 | FileCheck --check-prefix=SYMBOLIZER %s
// SYMBOLIZER: ERROR: AtomicitySanitizer: '/bin/true', which run-time option external_symbolizer_path or the variable ATSAN_SYMBOLIZER_PATH names, is no symbolizer; name a file llvm-symbolizer
// RUN: env ATSAN_OPTIONS=exitcode=255:color=auto:malloc_context_size=30 %silent %t
// RUN: env ATSAN_OPTIONS=handle_segv=exclusive:verbosity=-1:malloc_context_size=0:color=never %exits 0 %t 2>&1 | FileCheck --allow-empty --check-prefix=NONE %s
// NONE-NOT: ERROR
// RUN: env ATSAN_OPTIONS=include='%t.none' %exits 2 %t 2>&1 | FileCheck --check-prefix=INCLUDE %s
// INCLUDE: ERROR: AtomicitySanitizer: bad run-time option include={{.*}}.none in ATSAN_OPTIONS: No such file or directory; name a file with options, or leave it out
// RUN: env ATSAN_OPTIONS=include= %exits 2 %t 2>&1 | FileCheck --check-prefix=INCLUDE-NONE %s
// INCLUDE-NONE: ERROR: AtomicitySanitizer: bad run-time option include= in ATSAN_OPTIONS: it names no file; name a file with options
// RUN: printf '\357\273\277max_reports=3\nlock_edges=perhaps\n' > %t.options
// RUN: env ATSAN_OPTIONS=include='%t.options' %exits 2 %t 2>&1 | FileCheck --check-prefix=INCLUDED %s
// INCLUDED: ERROR: AtomicitySanitizer: bad run-time option lock_edges=perhaps in {{.*}}options.cpp.tmp.options: allowed are 0, 1
// RUN: for i in $(seq 3000); do echo lock_edges=0; done > %t.long
// RUN: env ATSAN_OPTIONS=include='%t.long' %exits 2 %t 2>&1 | FileCheck --check-prefix=LONG %s
// LONG: ERROR: AtomicitySanitizer: bad run-time option include={{.*}}.long in ATSAN_OPTIONS: it has 32 KiB or more
// RUN: echo include=%t.self > %t.self
// RUN: env ATSAN_OPTIONS=include='%t.self' %exits 2 %t 2>&1 | FileCheck --check-prefix=SELF %s
// SELF: ERROR: AtomicitySanitizer: bad run-time option include={{.*}}.self in {{.*}}.self: too many files include each other
// RUN: printf 'region_splits=start,join\nhalt_on_error=0:exitcode=0\n' > %t.good
// RUN: env ATSAN_OPTIONS=include='%t.good':lock_edges=maybe %exits 2 %t 2>&1 | FileCheck --check-prefix=AFTER-INCLUDE %s
// AFTER-INCLUDE: lock_edges=maybe in ATSAN_OPTIONS: allowed
// RUN: env ATSAN_OPTIONS=include='%t.good':help=1 %exits 0 %t 2>&1 | FileCheck --check-prefix=GOOD %s
// GOOD: region_splits
// GOOD-NEXT: Current Value: start,join)
// RUN: env ATSAN_OPTIONS=include_if_exists='%t.none' %silent %t
//
// So does it for what is no option at all.
// RUN: env ATSAN_OPTIONS=lock_edges=1:verbosity %exits 2 %t 2>&1 | FileCheck --check-prefix=VALUE %s
// VALUE: ERROR: AtomicitySanitizer: bad run-time option verbosity in ATSAN_OPTIONS: it has no value; write NAME=VALUE, with a ':' between options, and quotes around a value with a blank or ':'
// RUN: env ATSAN_OPTIONS=log_path= %exits 2 %t 2>&1 | FileCheck --check-prefix=LOG %s
// LOG: ERROR: AtomicitySanitizer: bad run-time option log_path=: it names no file; name one, or leave it out
// RUN: env ATSAN_OPTIONS="=1" %exits 2 %t 2>&1 | FileCheck --check-prefix=NAME %s
// NAME: bad run-time option =1 in ATSAN_OPTIONS: it has no name
// RUN: env ATSAN_OPTIONS="log_path='a b" %exits 2 %t 2>&1 | FileCheck --check-prefix=QUOTE %s
// QUOTE: bad run-time option log_path='a b in ATSAN_OPTIONS: it has no closing quote
// RUN: env ATSAN_OPTIONS="color='auto'no" %exits 2 %t 2>&1 | FileCheck --check-prefix=AFTER %s
// AFTER: bad run-time option color='auto' in ATSAN_OPTIONS: it goes on after the closing quote
// RUN: env ATSAN_OPTIONS=$(seq -f a%g=1 40 | tr '\n' :) %exits 0 %t 2>&1 | FileCheck --check-prefix=MANY %s
// MANY: a1
// MANY: a40
//
// RUN: env ATSAN_OPTIONS=region_splits=all:lock_edges=1:max_reports=3:halt_on_error=0 %silent %t
// RUN: env ATSAN_OPTIONS="region_splits=start,join halt_on_error=false" %silent %t
// RUN: env ATSAN_OPTIONS= %silent %t
//
// RUN: env ATSAN_OPTIONS=print_stats=1 %exits 0 %t 2>&1 | FileCheck --check-prefix=STATS %s
// STATS: {{[0-9]+}}
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

int x;

int main() {
  in_parallel(
      [] {
        atsan::atomic_region region("reader");
        STEP(1) USE(x);
      },
      [] {
        STEP(2) x = 1;
      });
}
