// RUN: %clangxx_atsan -O1 -g -I%inputs %s -o %t
// Intent: whom a report blames, in process, in JSON and by `atsan check`, for
// regions of two and three threads in given orders: one alone where each other
// region ran whole while it was open, or was left no earlier than it was
// entered; else all of them. One line of code makes all reads, and one all
// writes, so that nothing but the order tells accesses apart.
// RUN: sh %S/Inputs/blame.sh %t %atsan < %s > %t.said && FileCheck %s --input-file=%t.said
// CHECK: 21 shapes, as expected
//
// A word is a thread and what it does: ( begins a region, ) ends it, r and w
// read and write a variable. In front stand the regions that are blamed; `-`:
// none, for the run is serializable.
//
// Left at the access that it was entered at, at a later one, at an earlier one.
// SHAPE a: a( arx b( bwx b) arx a)
// SHAPE a: a( arx b( bwx bwy b) ary a)
// SHAPE a: a( arx b( bwy bwx b) ary a)
// The last one, if the inner region began before, or goes on.
// SHAPE ab: b( a( arx bwy bwx b) ary a)
// SHAPE ab: a( arx b( bwy bwx ary a) b)
// SHAPE ab: b( a( arx bwy bwx ary a) b)
// Entered before it was left: then it does not matter when it began and ends.
// SHAPE a: b( a( arx bwx bwy b) ary a)
// SHAPE a: a( arx b( bwx bwy ary a) b)
// SHAPE a: b( a( arx bwx arx a) b)
// Both came in between each other.
// SHAPE ab: b( bwy a( arx bwx ary a) b)
// SHAPE ab: b( bwy a( arx bwx b) ary a)
// SHAPE ab: a( b( bwy arx bwx ary a) b)
// It ended while the other went on.
// SHAPE a: a( b( bwy arx bwx b) ary a)
// The inner one has had a region before, and has another one afterwards.
// SHAPE a: b( bwz b) a( arx b( bwy bwx b) b( brz b) ary a)
// SHAPE ab: b( bwz b) b( a( arx bwy bwx b) b( brz b) ary a)
// Two within, one after the other; the last one goes on, or began before.
// SHAPE a: a( arx b( bwy bwx b) c( cwz cry c) arz a)
// SHAPE abc: a( arx b( bwy bwx b) c( cwz cry arz a) c)
// SHAPE abc: c( a( arx b( bwy bwx b) cwz cry c) arz a)
// Nobody came in between.
// SHAPE -: a( arx ary a) b( bwy bwx b)
// SHAPE -: b( bwy bwx a( arx ary a) b)
// SHAPE -: a( arx b( bwy b) ary a)
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "atsan_test.hpp"

static int variables[3]; // x, y and z.

static void go(char thread, int words, char **word) {
  const char name[] = {thread, 0};
  for (int i = 0; i < words; i++) {
    if (word[i][0] != thread)
      continue;
    step_begin(i + 1);
    int *variable = &variables[word[i][2] ? word[i][2] - 'x' : 0];
    switch (word[i][1]) {
    case '(':
      __atsan_region_begin(name);
      break;
    case ')':
      __atsan_region_end();
      break;
    case 'r':
      USE(*variable);
      break;
    case 'w':
      *variable = i;
      break;
    }
    step_end(i + 1);
  }
}

int main(int argc, char **argv) {
  auto as = [=](char thread) { go(thread, argc - 1, argv + 1); };
  in_parallel([=] { as('a'); }, [=] { as('b'); }, [=] { as('c'); });
}
