// RUN: %clangxx_atsan -O0 -I %inputs %s -o %t
// RUN: for how in copy mixed given returned stored assigned lanes used made rounds; do %exits 66 %t $how 2>&1 | FileCheck %s || exit 1; done
// RUN: %silent %t apart
// RUN: %clangxx_atsan -O1 -I %inputs %s -o %t
// RUN: for how in copy mixed given returned stored assigned lanes used made rounds; do %exits 66 %t $how 2>&1 | FileCheck %s || exit 1; done
// RUN: %silent %t apart
// RUN: %clangxx_atsan -O2 -I %inputs %s -o %t
// RUN: for how in copy mixed given returned stored assigned lanes used made rounds; do %exits 66 %t $how 2>&1 | FileCheck %s || exit 1; done
// RUN: %silent %t apart
// RUN: %clangxx_atsan -O2 -DTWIN -I %inputs %s -o %t.twin
// RUN: for how in copy mixed given returned stored assigned lanes used made rounds; do %silent %t.twin $how || exit 1; done
// Intent: a copy of an object outside regions is one access, also where the
// optimizer makes a load or store of each member: all of it is seen in the
// middle of another thread's region. Accesses to its members are several
// (apart).
//
//===----------------------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "../Inputs/atsan_test.h"

#include <pthread.h>
#include <string.h>

#ifdef TWIN
#define ORDER(violating, serial) serial
#else
#define ORDER(violating, serial) violating
#endif

struct Pair {
  long first, second;
};
struct Mixed {
  long first;
  int second, third;
};

struct Three {
  int x, y, z;
};
struct Nine {
  long of[9];
};

alignas(16) Pair pair;
Mixed mixed;
Nine nine, other_nine;
Three threes[6];
volatile long sink;
const char *how;

static bool is(const char *name) { return !strcmp(how, name); }

#define CALL __attribute__((noinline)) static
CALL void take(Pair p) { sink = p.first + p.second; }
CALL Pair give() { return pair; }

CALL void access() {
  const long known = sink;
  if (is("copy")) {
    Pair p = pair;
    sink = p.first;
    sink = p.second;
  } else if (is("mixed")) {
    Mixed m;
    memcpy(&m, &mixed, sizeof(m));
    sink = m.first + m.second + m.third;
  } else if (is("given")) {
    take(pair);
  } else if (is("returned")) {
    Pair p = give();
    sink = p.first + p.second;
  } else if (is("stored")) {
    Pair p = {known, known + 1};
    memcpy(&pair, &p, sizeof(p));
  } else if (is("assigned")) {
    Pair p = {known, known + 1};
    pair = p;
  } else if (is("used")) {
    // A member has a value of its own, the rest is two smaller copies.
    Nine n = nine;
    sink = n.of[3];
    other_nine = n;
  } else if (is("made")) {
    Nine n{};
    n.of[3] = known;
    nine = n;
  } else if (is("rounds")) {
    for (long i = 0; i < 6 + known; ++i) threes[i] = Three{};
  } else if (is("lanes")) {
    using Lanes = long __attribute__((vector_size(16)));
    const Lanes v = *reinterpret_cast<Lanes *>(&pair);
    sink = v[0] + v[1];
  } else {
    sink = pair.first;
    sink = pair.second;
  }
}

static void *other(void *) {
  STEP(ORDER(2, 3)) access();
  return nullptr;
}

int main(int, char **argv) {
  how = argv[1];
  pthread_t t;
  pthread_create(&t, nullptr, other, nullptr);
  __atsan_region_begin("transaction");
  STEP(1) {
    pair.second = 1;
    mixed.third = 1;
    nine.of[8] = 1;
    threes[2].z = 1;
  }
  STEP(ORDER(3, 2)) {
    pair.first = 2;
    mixed.first = 2;
    nine.of[0] = 2;
    threes[2].x = 2;
  }
  __atsan_region_end();
  pthread_join(t, nullptr);
}

// CHECK: Region 'transaction' of the main thread is not atomic: T1 came in between
// CHECK: {{of (12|16|72) bytes at .* by T1, outside any region}}
