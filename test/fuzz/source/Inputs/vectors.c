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
