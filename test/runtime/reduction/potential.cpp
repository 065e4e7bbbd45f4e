// RUN: %clangxx_atsan -O1 -I%inputs %s -o %t
// Intent: checkers=scg,reduction reports regions that other schedules may tear,
// in runs in which nothing bad happens; each has a correct twin. Off by
// default; such a finding fails the run with fail_on=potential only.
//
// RUN: %exits 0 %t race 2>&1 | FileCheck --check-prefix=END --implicit-check-not=AtomicitySanitizer %s
// RUN: env ATSAN_OPTIONS=checkers=scg:fail_on=potential %exits 0 %t race 2>&1 \
// RUN:   | FileCheck --check-prefix=END --implicit-check-not=AtomicitySanitizer %s
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction %exits 0 %t race > %t.log 2>&1
// RUN: FileCheck --check-prefix=RACE %s < %t.log
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %exits 66 %t race 2>&1 \
// RUN:   | FileCheck --check-prefix=RACE --implicit-check-not='the end' %s
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential:halt_on_error=0 %exits 66 %t race 2>&1 \
// RUN:   | FileCheck --check-prefixes=RACE,END %s
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %silent %t race good
//
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %exits 66 %t released 2>&1 \
// RUN:   | FileCheck --check-prefix=RELEASED %s
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %silent %t released good
//
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %exits 66 %t escape 2>&1 \
// RUN:   | FileCheck --check-prefix=ESCAPE %s
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %silent %t escape good
//
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:fail_on=potential %silent %t joined
//
// RUN: env ATSAN_OPTIONS=checkers=scg,reduction:report_format=json %exits 0 %t race > %t.json 2>&1
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: grep '^{' %t.json > %t.line && %python %atsan_source_dir/test/tools/report/Inputs/validate.py json %schema %t.line
//
// RUN: env ATSAN_OPTIONS=checkers=reduction %exits 2 %t race 2>&1 | FileCheck --check-prefix=OPTION %s
// OPTION: bad run-time option checkers=reduction in ATSAN_OPTIONS: allowed are scg and scg,reduction
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

#include <mutex>

int balance;
std::mutex lock;
int *published;

// RACE: WARNING: AtomicitySanitizer: region may not be atomic (potential:
// RACE: Region 'deposit' of T2 may not be atomic
// RACE: Other threads may come in between an unprotected read (a non-mover) and an unprotected write (a non-mover):
// RACE-NEXT: First: read of 4 bytes at {{.*}}'balance'{{.*}} by T2, in region 'deposit'
// RACE-NEXT: #0 {{.*}}potential.cpp:[[#READ:]]
// RACE: Later: write of 4 bytes at {{.*}}'balance'{{.*}} by T2, in region 'deposit'
// RACE-NEXT: #0 {{.*}}potential.cpp:[[#READ + 1]]
// RACE: These accesses may overlap: the write with no lock held, the read with no lock held:
// RACE-NEXT: First: write of 4 bytes at {{.*}}'balance'{{.*}} by T1, outside any region
// RACE: Later: read of 4 bytes at {{.*}} by T2, in region 'deposit'
// RACE: Thread T1{{.*}} was created by
// RACE: SUMMARY: AtomicitySanitizer: irreducible-region {{.*}}potential.cpp:[[#READ + 1]]
// END: the end

// JSON: "kind":"irreducible-region"
// JSON-SAME: "notion":"potential"
// JSON-SAME: "why":"Other threads may come in between
// JSON-SAME: "blamed":true

static void race(bool good) {
  in_parallel(
      [=] {
        STEP(1) {
          std::unique_lock<std::mutex> guard(lock, std::defer_lock);
          if (good)
            guard.lock();
          balance = 1;
        }
      },
      [=] {
        STEP(2) {
          std::unique_lock<std::mutex> guard(lock, std::defer_lock);
          if (good)
            guard.lock();
          atsan::atomic_region region("deposit");
          USE(balance);
          balance = 2;
        }
      });
}

// RELEASED: Region 'transfer' of T2 may not be atomic
// RELEASED: in between the release of a lock (a left-mover) and the acquire of a lock (a right-mover):
// RELEASED-NEXT: First: lock release of the lock at {{.*}}'lock'{{.*}} by T2, in region 'transfer'
// RELEASED: Later: lock acquire of the lock at {{.*}} by T2, in region 'transfer'
// RELEASED: This lock is used by threads that may run at the same time
// RELEASED-NEXT: First: lock acquire of the lock at {{.*}} by T1, in region 'receive'
// RELEASED: Later: lock acquire of the lock at {{.*}} by T2, in region 'transfer'
// RELEASED: SUMMARY: AtomicitySanitizer: irreducible-region

static void released(bool good) {
  in_parallel(
      [] {
        STEP(1) {
          atsan::atomic_region region("receive");
          std::lock_guard<std::mutex> guard(lock);
          balance = 1;
        }
      },
      [=] {
        STEP(2) {
          atsan::atomic_region region("transfer");
          lock.lock();
          USE(balance);
          if (!good) {
            lock.unlock();
            lock.lock();
          }
          balance = 2;
          lock.unlock();
        }
      });
}

// ESCAPE: Region 'fill' of T1 may not be atomic
// ESCAPE: SUMMARY: AtomicitySanitizer: irreducible-region

// A block is filled by regions before it is published, or after.
static void escape(bool good) {
  int *block = new int[2]();
  auto fill = [&] {
    atsan::atomic_region region("fill");
    USE(block[0]);
    block[0] = 1;
  };
  in_parallel(
      [&] {
        STEP(1) {
          if (good)
            fill();
          std::lock_guard<std::mutex> guard(lock);
          published = block;
        }
        STEP(3) {
          if (!good)
            fill();
        }
      },
      [] {
        STEP(2) {
          int *mine;
          {
            std::lock_guard<std::mutex> guard(lock);
            mine = published;
          }
          *mine = 2;
        }
      });
}

// What start and join order needs no lock.
static void joined() {
  balance = 1;
  in_parallel([] { balance = 2; }, [] {});
  atsan::atomic_region region("sum");
  USE(balance);
  balance = 3;
}

int main(int argc, char **argv) {
  const bool good = argc > 2;
  if (!strcmp(argv[1], "race"))
    race(good);
  else if (!strcmp(argv[1], "released"))
    released(good);
  else if (!strcmp(argv[1], "escape"))
    escape(good);
  else
    joined();
  if (!good && strcmp(argv[1], "joined"))
    fputs("the end\n", stderr);
}
