//===- cases.cpp - Known kinds of differences in C++, and their twins -----===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For source_fuzz.py --file; cases.c tells what the names mean.
//
//===----------------------------------------------------------------------===//
#include "shared.h"

FUNCTION(f3_constant_reference) {
  int unlimited = n;
  const int &l = c ? unlimited : ga;
  return l;
}
FUNCTION(f3_min) { return std::min(ga, gb); }

/* The loop's test is made before it, of what the choice made the optimizer
 * load. */
FUNCTION(f3_tested_before_loop) {
  long r = 0;
  int l = 2;
  const int *x = &l;
  if (c)
    x = &gb;
  r += *x;
  r += std::any_of(p, p + 64, [&](int i) { return i > 2 && gb; });
  return r + n + c;
}

/* A known call in a loop: what is carried round it is used in no round. */
FUNCTION(f1_carried_for_nothing) {
  for (int i = 0; i < 64; i++) {
    if (c)
      gv8 += gv8;
    s->big = turn_big(s->big);
  }
  return n + c;
}
/* The optimizer knew that the call writes to copies only. */
FUNCTION(f1_over_call_by_value) {
  for (int k = 0; k < 4; k++) {
    s->big = turn_big(s->big);
    for (int i = 0; i < (c & 1); i++)
      for (int j = 0; j < (c & 3); j++)
        if (c)
          ga++;
  }
  return n;
}

FUNCTION(m1_array) {
  auto &a = reinterpret_cast<std::array<int, 4> &>(gnode.arr);
  auto &b = reinterpret_cast<std::array<int, 4> &>(s->arr);
  return a == b;
}
FUNCTION(m1_string_view) { return std::string_view(gtext, 3) == "GET"; }
FUNCTION(m1_string_view_text) {
  return std::string_view(s->text) == std::string_view(t->text);
}
FUNCTION(m1_equal) { return std::equal(gtext, gtext + 24, gtwin); }
FUNCTION(m1_find) { return std::find(garr, garr + 64, n) - garr; }
/* Two values take turns behind each of many calls; of each, the first choice is
 * known before. */
FUNCTION(f2_turns_behind_calls) {
  int x = c ? gpairs[1].second : ga, y = gb;
  long r = 0;
  for (int i = 0; i < 8; i++) {
    int k = gsarr[i] ^ i;
    step();
    if ((k & 3) == 2) {
      int z = x;
      x = y;
      y = z;
    }
    r += i & 1 ? x : 1;
  }
  return r + (y == 3) + (std::string_view(gtwin) == "abc") + n + c;
}
/* Far behind a call, a long sum uses what two choices made: both are known
 * before. */
FUNCTION(f2_choices_of_a_long_sum) {
  auto get = [&](int i) { return i > 1 ? gc : gd; };
  long r = get(c) + get(n);
  r += opaque_big(gbig, c);
  r += std::count_if(garr, garr + 64, [&](int i) { return i > s->a; });
  return c ? r + ga : r + n;
}
/* A call keeps it for a comparison that an earlier one makes irrelevant. */
FUNCTION(f2_kept_condition) {
  long r = std::any_of(garr, garr + 1, [&](int i) { return i > 2 && ga; });
  bool k = s->flag;
  int l = 3;
  const int *y = k ? &ga : &l;
  int x = *y;
  r += opaque(2);
  r += k && (c || !gsa) ? x : 1;
  return r + n + c;
}
