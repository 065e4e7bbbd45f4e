/*===- parts.c - Values of which each use needs other bytes ----------------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* For source_fuzz.py --file. A value and what is computed from it come to one
|* choice: by one way some bytes are needed, by the other way others.
|*
\*===----------------------------------------------------------------------===*/
#include "shared.h"

/* One operand is the value, the other is computed from it. */
FUNCTION(a_bits) {
  int k = c ? gbits.a : gbits.c & 7;
  step();
  return k;
}
FUNCTION(a_shift) {
  gca = c ? gla : gla >> 16;
  return 0;
}
FUNCTION(a_shift_two) {
  gb = s->flag ? (unsigned char)s->u : (unsigned char)(s->u >> 8);
  return 0;
}
FUNCTION(a_memcpy) {
  long x;
  memcpy(&x, q, 8);
  return c ? x >> 32 : (int)x;
}
FUNCTION(a_memcpy_phi) {
  long x;
  memcpy(&x, q, 8);
  if (c)
    return x >> 32;
  step();
  return (int)x;
}
FUNCTION(a_swap) {
  union mix x = s->mix;
  unsigned long y = __builtin_bswap64(x.l);
  return (c ? y : x.l) & 0xff;
}
FUNCTION(a_switch) {
  int x;
  memcpy(&x, q, 4);
  int y = 0;
  switch (n & 3) {
  case 0:
    y = x;
    break;
  case 1:
    y = x >> 8;
    break;
  case 2:
    y = x >> 24;
  }
  return y & 0xff;
}
FUNCTION(a_divided) {
  gca = c ? gla : gla / 3;
  return 0;
}
FUNCTION(a_popcount) {
  gca = c ? gla : __builtin_popcountl(gla);
  return 0;
}
FUNCTION(a_halves) {
  __int128 x = s->huge;
  long r;
  if (c)
    r = x;
  else
    r = x >> 64;
  if (c < gwide.b)
    s->huge += c;
  return r;
}
FUNCTION(a_halves_over_step) {
  long r = 0;
  for (int i = 0; i < 2; i++) {
    __int128 x = s->huge;
    if (c)
      step();
    if (p[i] > 100)
      r += (long)x;
    else
      r += (long)(x >> 64);
  }
  return r;
}
FUNCTION(a_lanes) {
  for (int i = 0; i < 16; i++)
    gcarr[i] = c ? garr[i] : garr[i] >> 16;
  return 0;
}

/* The value decides whether some of its own bytes are used. */
FUNCTION(b_limit) {
  gca = gla > 3 ? gla : c;
  return 0;
}
FUNCTION(b_limit_struct) {
  struct wide x = gwide;
  gca = x.a > 3 ? x.a : c;
  return 0;
}
FUNCTION(b_bit) {
  gca = gla & 256 ? c : gla;
  return 0;
}
FUNCTION(b_and) {
  gca = c && gla ? n : gla;
  return 0;
}
FUNCTION(b_before_step) {
  gca = gla > 3 ? gla : c;
  step();
  gcb = gla;
  return 0;
}
FUNCTION(b_loop) {
  for (int i = 0; i < n; i++)
    gcarr[i] = glarr[i] > 3 ? glarr[i] : c;
  return 0;
}
FUNCTION(b_loop_half) {
  for (int i = 0; i < n; i++)
    garr[i] = glarr[i] > 3 ? glarr[i] : c;
  return 0;
}
FUNCTION(b_loop_sum) {
  int r = 0;
  for (int i = 0; i < n; i++)
    r += (int)(glarr[i] > 3 ? glarr[i] : c);
  return r;
}
FUNCTION(b_eight_int) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < 8; i++) {
      int z = garr[i];
      gused[i] = z > 3 ? z : c;
    }
  return 0;
}
FUNCTION(b_four_long) {
  for (int i = 0; i < 4; i++)
    gsarr[i] = glarr[i] > c ? glarr[i] : n;
  return 0;
}
FUNCTION(b_and_first) {
  int k = -1;
  for (int i = 0; i < 2; i++)
    if (gbrr[i] > 2)
      k = i;
  for (int i = 0; i < 8; i++) {
    int z = gbrr[i];
    gcarr[i] = z > 3 ? z : c;
  }
  return k;
}

/* One way needs all bytes that the other needs. */
FUNCTION(t_whole) {
  garr[1] = gla > 3 ? gla : c;
  return 0;
}
FUNCTION(t_branch) {
  gca = gla > 3 ? gla : glb;
  return 0;
}
FUNCTION(t_constant) {
  gca = gla > 3 ? gla : 5;
  return 0;
}
FUNCTION(t_low_only) {
  gca = c ? gla : gla * 3;
  return 0;
}
FUNCTION(t_always) {
  gsa = (gla > 3) + gla;
  return 0;
}
FUNCTION(t_merged_shift) {
  union mix x = s->mix;
  return (n & 1 ? x.u : x.u >> 16) & 0xff;
}

/* What the stores need is no part of what the sum's low half needs. */
FUNCTION(t_low_half_of_a_counter) {
  for (int i = 2; i >= 0; i--)
    if (p[i] > 100)
      gmix.i++;
  return gmix.h[0] + n + c;
}

/* The byte below decides only what was computed of it. */
FUNCTION(t_second_byte_of_a_sum) {
  long r = 0;
  for (int i = 15; i >= 0; i--)
    if (gused[i] > 100)
      gmix.i += garr[i];
  union mix x;
  x.l = s->l;
  r += x.h[1] + (c ? x.c[7] : gmix.c[1]);
  return r + n + c;
}
