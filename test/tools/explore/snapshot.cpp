// RUN: rm -rf %t && mkdir %t && cd %t
// Intent: docs/lock-free.md on snapshots: the region that frees what another
// one has copied is not atomic; one that ends before its pointer does is.
// RUN: for o in -O0 -O2; do %clangxx_atsan -std=c++20 $o -fatomicity-schedule %s -o test$o || exit 1; done
// RUN: for o in -O0 -O2; do %exits 66 %atsan explore --strategy=surw --runs=200 --replays=2 -- ./test$o inside | FileCheck %s || exit 1; done
// RUN: for o in -O0 -O2; do %atsan explore --strategy=surw --runs=200 -- ./test$o outside | FileCheck --check-prefix=TWIN %s || exit 1; done
// CHECK: 1 atomicity violation
// CHECK-NEXT: Region 'read' of T1 is not atomic
// TWIN: nothing found
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <atomic>
#include <cstring>
#include <memory>
#include <sanitizer/atsan.hpp>
#include <thread>

struct Settings {
  int width, height;
};

static std::atomic<std::shared_ptr<const Settings>> settings;
static int area;

static void readInside() {
  atsan::atomic_region region("read");
  const std::shared_ptr<const Settings> now = settings.load();
  area = now->width * now->height;
}

static void readOutside() {
  std::shared_ptr<const Settings> now;
  atsan::atomic_region region("read");
  now = settings.load();
  area = now->width * now->height;
}

static void update() {
  atsan::atomic_region region("update");
  Settings next = *settings.load();
  next.width++;
  settings.store(std::make_shared<const Settings>(next));
}

int main(int, char **argv) {
  settings = std::make_shared<const Settings>(Settings{1, 2});
  std::thread a(strcmp(argv[1], "inside") ? readOutside : readInside);
  std::thread b(update);
  a.join();
  b.join();
}
