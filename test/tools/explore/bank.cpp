// RUN: rm -rf "%t d" && mkdir "%t d" && cd "%t d"
// RUN: %clangxx_atsan -O1 -fatomicity-schedule %s -o bank
// Intent: from a test that passes to a replayed bug, for a whole program.
// RUN: printf 'atsan-schedule 1\nend\n' > usual; env ATSAN_OPTIONS=schedule=usual ./bank
// RUN: %exits 66 %atsan explore -- ./bank > out; FileCheck --input-file=out %s
// CHECK: atsan explore: {{[0-9]+ schedules?}}{{.*}}: 1 finding
// CHECK-NEXT: 1 atomicity violation, in schedule {{[0-9]+}} (replayed 20 of 20 times)
// CHECK-NEXT: Region 'withdraw' of T{{[12]}} is not atomic
// CHECK-NEXT: in the recorded run: the read in get() {{.*}}bank.cpp{{.*}}of thread 0.1; the {{read|write}}
// CHECK-NEXT: in the forced run: the read in get() {{.*}}of thread 0.1; the read in get() {{.*}}of thread 0.2; the write in set(int) {{.*}}of thread 0.2; the write in set(int) {{.*}}of thread 0.1
// CHECK-NEXT: replay it: ATSAN_OPTIONS=schedule=bank.1.sched ./bank
// RUN: env ATSAN_OPTIONS=schedule=bank.1.sched %exits 66 ./bank 2>&1 | FileCheck --check-prefix=REPLAY %s
// REPLAY: lost update
// The report beside it is one that `atsan report` reads.
// RUN: %exits 66 %atsan report bank.1.sched.json | FileCheck --check-prefix=REPORT %s
// REPORT: withdraw
//
// A minimized schedule has only what the bug needs.
// RUN: %exits 66 %atsan explore --strategy=random --minimize -- ./bank > /dev/null
// RUN: grep -c '^switch' bank.2.sched | FileCheck --check-prefix=SWITCHES %s
// SWITCHES: {{^[123]$}}
//
// Systematic search says what it has proved; the twin has two classes.
// RUN: %exits 66 %atsan explore --strategy=systematic --all -- ./bank | FileCheck --check-prefix=ALL %s
// ALL: atsan explore: all 6 classes of schedules: 1 finding
// RUN: %clangxx_atsan -O1 -fatomicity-schedule -DFIXED %s -o fixed
// RUN: %atsan explore --strategy=systematic -- ./fixed | FileCheck --check-prefix=FIXED %s
// FIXED: atsan explore: all 2 classes of schedules: nothing found
// RUN: for s in random pct pos surw; do %atsan explore --strategy=$s --runs=40 --jobs=2 -- ./fixed || exit 1; done
//
// Schedules divided among three machines; joined in any order.
// RUN: for i in 1 2 3; do %exits 66 %atsan explore --all --runs=30 --strategy=surw --shard=$i/3 --json=$i.json -- ./bank > /dev/null; done; true
// RUN: %exits 66 %atsan explore --merge 1.json 2.json 3.json > a; %exits 66 %atsan explore --merge 3.json 1.json 2.json > b; cmp a b
// RUN: FileCheck --check-prefix=MERGED --input-file=a %s
// MERGED: 30 schedules{{.*}}: 1 finding
//
// What cannot be written is said before the search; a folder is made.
// RUN: %exits 2 %atsan explore --output=/proc/none -- ./bank 2>&1 | FileCheck --check-prefix=FOLDER %s
// FOLDER: error: --output /proc/none: findings cannot be written there; name another folder
// RUN: %exits 2 %atsan explore --json=/proc/none.json -- ./bank 2>&1 | FileCheck --check-prefix=JSON %s
// JSON: error: /proc/none.json: the file cannot be made
// RUN: %exits 66 %atsan explore --output=new/folder -- ./bank | FileCheck --check-prefix=NEW %s
// NEW: schedule=new/folder/bank.1.sched ./bank
//
// What cannot be explored is no green.
// RUN: %exits 2 %atsan explore 2>&1 | FileCheck --check-prefix=NOTHING %s
// NOTHING: atsan explore: error: no command; write the test behind '--'
// RUN: %exits 2 %atsan explore -- false 2>&1 | FileCheck --check-prefix=FAILING %s
// FAILING: the command by itself ends with exit code 1; explore a test that passes
// RUN: %exits 2 %atsan explore -- true 2>&1 | FileCheck --check-prefix=SILENT %s
// SILENT: the command says nothing of its schedule; is it linked with -fsanitize=atomicity
// RUN: %clangxx_atsan -O1 -DFIXED %s -o pointless
// RUN: %exits 2 %atsan explore --runs=3 -- ./pointless 2>&1 | FileCheck --check-prefix=POINTLESS %s
// POINTLESS: no access was under control; build the program with -fsanitize=atomicity -fatomicity-schedule
// RUN: %exits 2 %atsan explore --shard=4/3 -- ./bank 2>&1 | FileCheck --check-prefix=SHARD %s
// SHARD: --shard=4/3 is none; write --shard=1/4 for the first of four
// RUN: %exits 2 %atsan explore --strategy=best -- ./bank 2>&1 | FileCheck --check-prefix=STRATEGY %s
// STRATEGY: --strategy
// RUN: echo '{' > cut.json; %exits 2 %atsan explore --merge cut.json 2>&1 | FileCheck --check-prefix=CUT %s
// CUT: cut.json:1: no line of 'atsan explore --json'; run that shard again
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <mutex>
#include <sanitizer/atsan.hpp>
#include <thread>

// Only under control, so that the run before the search never shows the bug.
extern "C" unsigned __atsan_scheduled;

static std::mutex lock;
static int balance = 10;

static int get() {
  std::lock_guard<std::mutex> guard(lock);
  return balance;
}

static void set(int value) {
  std::lock_guard<std::mutex> guard(lock);
  balance = value;
}

static void withdraw(int amount) {
  atsan::atomic_region region("withdraw");
#ifdef FIXED
  std::lock_guard<std::mutex> guard(lock);
  if (balance >= amount)
    balance -= amount;
#else
  int before = get();
  if (before >= amount)
    set(before - amount);
#endif
}

int main() {
  std::thread a(withdraw, 3);
  if (!__atsan_scheduled)
    a.join();
  std::thread b(withdraw, 4);
  if (a.joinable())
    a.join();
  b.join();
}
