/*===- hidden.c - What the judge must find, and what it must not -----------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* For source_fuzz.py --file --hide gb: as if no hook told reads of gb. c is
less
|* than 3.
|*
\*===----------------------------------------------------------------------===*/
#include "shared.h"

FUNCTION(found_result) { return gb * (c < 77); }
FUNCTION(found_store) {
  ga = gb;
  return 0;
}
FUNCTION(found_between) {
  ga = gb;
  step();
  ga = 0;
  return 0;
}
FUNCTION(found_passed) {
  opaque(gb);
  return 0;
}
FUNCTION(found_branch) {
  if (gb > 0)
    step();
  return 0;
}
FUNCTION(found_written) {
  gb++;
  return 0;
}
FUNCTION(found_second_interval) {
  int x = gb * (c == 77);
  step();
  return x + gb;
}
FUNCTION(found_address) { return garr[gb & 63]; }
FUNCTION(found_stored_elsewhere) {
  int x = gb;
  gb = x;
  ga = x;
  return 0;
}

FUNCTION(none_result) { return gb * (c == 77); }
FUNCTION(none_store) {
  ga = gb & (c << 7);
  ga = 3;
  return 0;
}
FUNCTION(none_other_bytes) {
  gb = gb * (c == 77) + n;
  return 0;
}
FUNCTION(none_second_interval) {
  int x = ga;
  step();
  return x + gb * (c == 77);
}
FUNCTION(none_stored_as_read) {
  gb = c == 77 ? n : gb;
  return 0;
}
