/*===- vectors.c - Loads that vectorizers make -----------------------------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* For source_fuzz.py --file. A vector, or a copy of a load for a round, reads
|* what a round may not read.
|*
\*===----------------------------------------------------------------------===*/
#include "shared.h"

/* Each round of a loop writes what it reads under a condition, so that vectors
   need no mask: their loads are copies for each round, or one that becomes one
   with a load that always reads. */
FUNCTION(copies_for_rounds) {
  for (int i = 0; i < 60; i += 3) {
    float z = 3;
    float *a = &gfarr[i];
    if (gused[i] & 1)
      z = *a;
    *a = z * z * 1.5f + z / 7;
  }
  return 0;
}
FUNCTION(copies_for_members) {
  int x = 0;
  for (int i = 0; i < 16; i++) {
    struct pair *a = &gpairs[i];
    if (gused[i])
      x += a->first;
    a->first = 0;
  }
  return x;
}
FUNCTION(one_with_a_sum) {
  char x = 0;
  if (!c) {
    for (int i = 0; i < 4; i++)
      x += gcarr[i];
  } else {
    for (int i = 0; i < 4; i++) {
      char *a = &gcarr[i];
      if (i & 1)
        x += *a;
      *a = 0;
    }
  }
  return x;
}
#define VECTOR_OF_FOUR                                                         \
  _Pragma("clang loop unroll(disable) vectorize_width(4) interleave_count(1)")
FUNCTION(one_with_a_vector) {
  v4i x = {0, 0, 0, 0};
  if (!c) {
    x = *(v4i *)garr;
    gv4 = x;
  } else {
    VECTOR_OF_FOUR
    for (int i = 0; i < 4; i++) {
      int *a = &garr[i];
      int z = 1;
      if (i > 1)
        z = *a;
      *a = z;
    }
  }
  return x.x;
}

/* What rounds read of memory that is known to exist, behind a mask: that of the
   last vector of a loop, and that of a condition. Without the mask, the load
   was one of all rounds, or became one with a load of the source. */
FUNCTION(rounds_that_are_left_out) {
  int l[4] = {1, n, c, 4};
  share(l, sizeof l);
  int r = 0;
  for (int i = 0; i < (n & 3); i++)
    r += l[i];
  return r;
}
FUNCTION(rounds_that_write) {
  int l[4] = {1, n, c, 4};
  share(l, sizeof l);
  for (int i = 0; i < (n & 3); i++)
    l[i]++;
  return 0;
}
#define VECTOR_OF_EIGHT                                                        \
  _Pragma("clang loop unroll(disable) vectorize_width(8) interleave_count(1)")
FUNCTION(one_with_a_masked_load) {
  struct big l = {{1, n, c, 4}};
  share(&l, sizeof l);
  int r = 0;
  if (!c) {
    int x = gbrr[0] * gbrr[1];
    VECTOR_OF_EIGHT
    for (int i = 0; i < 8; i++)
      r += l.v[i];
    r += x;
  } else {
    VECTOR_OF_EIGHT
    for (int i = 0; i < 8; i++)
      if (gbrr[i] > 3)
        r += l.v[i];
  }
  return r;
}
