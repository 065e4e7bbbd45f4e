/*===- cases.c - Known kinds of differences, and their twins ---------------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* For source_fuzz.py --file. Reads that some pass of LLVM adds (f1 to f8);
|* reads without effect (e1 to e3); accesses that code generation hides (m1).
|*
\*===----------------------------------------------------------------------===*/
#include "shared.h"

/* LICM promotes a counter under a condition. */
FUNCTION(f1_counter) {
  for (int i = 0; i < n; i++)
    if (garr[i] > 100)
      ga++;
  return 0;
}
FUNCTION(f1_counter_field) {
  for (int i = 0; i < n; i++)
    if (q[i] == 'z')
      gnode.l++;
  return 0;
}
FUNCTION(f1_counter_always) {
  for (int i = 0; i < n; i++)
    ga++;
  return 0;
}

/* InstCombine loads both arms of a select. */
FUNCTION(f2_two_uses) {
  int v = c ? gnode.pair.first : gnode.pair.second;
  int w = c ? 1 : gnode.pair.second;
  return v * 3 + w;
}
FUNCTION(f2_pointer) {
  int x = ga;
  int y = *(c ? &ga : &gb);
  return x + y;
}
FUNCTION(f2_both_read) {
  int x = ga, y = gb;
  return *(c ? &ga : &gb) + x + y;
}

/* SROA speculates the other arm. */
FUNCTION(f3_local_or_shared) {
  int l = 5;
  int *x = c ? &l : &ga;
  return *x;
}
FUNCTION(f3_constant_reference) {
  int lim = n;
  const int *l = c ? &lim : &gnode.a;
  return *l;
}

/* GVN reads again behind a call. */
FUNCTION(f4_unlikely_call) {
  long sum = 0;
  for (int i = 0;; i++) {
    sum += ga;
    if (unlikely(i == n))
      step();
    if (i >= n)
      break;
  }
  return sum;
}
FUNCTION(f4_call_in_loop) {
  long sum = 0;
  for (int i = 0; i <= n; i++) {
    sum += ga;
    step();
  }
  return sum;
}

/* Comparisons of texts become wide loads. */
FUNCTION(f5_strcmp) { return strcmp(gbuf, "abcdefg") == 0; }
FUNCTION(f5_strcmp_field) { return strcmp(s->text, "abc") == 0; }
FUNCTION(f5_strncmp) { return strncmp(gbuf, "abcdefgh", 8) == 0; }
FUNCTION(f5_strstr) { return strstr(gbuf, "abcd") == gbuf; }

/* Argument promotion reads before the call. */
static noinline int f6_callee(int *x, int k) {
  if (k)
    return *x;
  return 0;
}
FUNCTION(f6_argument) {
  return f6_callee(&ga, c & 1) + f6_callee(&gnode.a, c > 1);
}

/* Masked loads lose their mask. */
FUNCTION(f7_masked_char) {
  long r = 0;
  for (int i = 0; i < 64; i++)
    if (gused[i])
      r += gcarr[i];
  return r;
}
FUNCTION(f7_masked_int) {
  int r = 0;
  for (int i = 0; i < 64; i++)
    if (gbrr[i])
      r += garr[i];
  return r;
}
FUNCTION(f7_masked_short) {
  short r = 0;
  for (int i = 0; i < 64; i++)
    if (garr[i])
      r += gsarr[i];
  return r;
}
FUNCTION(f7_unmasked) {
  int r = 0;
  for (int i = 0; i < 64; i++)
    r += garr[i];
  return r;
}

/* Comparisons of constant size are expanded behind the pass. */
FUNCTION(m1_memcmp_4) { return memcmp(gtext, gtwin, 4) == 0; }
FUNCTION(m1_memcmp_16) { return memcmp(gtext, gtwin, 16) == 0; }
FUNCTION(m1_memcmp_64) { return memcmp(gtext, gtwin, 64) == 0; }
FUNCTION(m1_memcmp_order) { return memcmp(gtext, gtwin, 12) < 0; }
FUNCTION(m1_bcmp) { return bcmp(gtext, gtwin, 7) == 0; }
FUNCTION(m1_strncmp) { return strncmp(gbuf, "default", 7) == 0; }
FUNCTION(m1_builtin) { return __builtin_memcmp(&s->l, &t->l, 8) == 0; }
FUNCTION(m1_memcmp_variable) { return memcmp(gtext, gtwin, n & 63) == 0; }

/* Counters that loops only store to. */
FUNCTION(f1_last) {
  for (int i = 0; i < n; i++)
    if (garr[i] > 100)
      gc = i;
  return 0;
}
FUNCTION(f1_last_and_read) {
  for (int i = 0; i < n; i++)
    if (garr[i] > 100)
      gc = i;
  return gc;
}
FUNCTION(f1_beside_memset) {
  for (int i = 0; i < n; i++) {
    memset(gcarr, 0, 16);
    if (gbrr[i] > 100)
      ga++;
  }
  return 0;
}

/* A select behind which a visible point lies. */
FUNCTION(f2_before_call) {
  int v = c ? gnode.a : gb;
  int w = c ? 1 : gb;
  step();
  if (n > 3)
    return v * 3 + w;
  return n;
}
FUNCTION(f2_address_before_call) {
  int k = gla;
  int *x = c ? &gb : &gc;
  int y = *x;
  step();
  if (n > 2)
    return y + k;
  return n;
}
FUNCTION(f2_used_before_call) {
  int v = c ? gnode.a : gb;
  opaque(v);
  return n > 3 ? v : n;
}

/* Parts of one load that different paths use. */
FUNCTION(f3_union) {
  long r = 0;
  for (int i = 0; i < 3; i++)
    if (s->ld > gld)
      gmix.i += gsarr[i];
  {
    union mix x;
    x.l = s->l;
    r += x.h[1] + ((s->a) ? x.c[7] : gmix.c[1]);
  }
  return r;
}

FUNCTION(f4_long_sum) {
  long sum = 0;
  for (int i = 0;; i++) {
    sum += gla;
    if (unlikely(i == n))
      step();
    if (i >= n)
      break;
  }
  return sum;
}

/* What a mask leaves out is neither read nor written. */
FUNCTION(f7_masked_scatter) {
  for (int i = 0; i < 64; i++)
    if (gused[i])
      garr[gsarr[i] & 63] = i;
  return 0;
}
FUNCTION(f7_scatter) {
  for (int i = 0; i < 64; i++)
    garr[gsarr[i] & 63] = i;
  return 0;
}
FUNCTION(f7_masked_convert) {
  for (int i = 0; i < 64; i++)
    if (glarr[i])
      gdarr[i] = gfarr[i] * 2;
  return 0;
}

/* A call that only reads through its arguments stays behind what acquires. */
FUNCTION(f1_compare_after_acquire) {
  long r = 0;
  for (int i = 0; i < n; i++) {
    r += __atomic_load_n(&gatomic[1], __ATOMIC_ACQUIRE);
    r += memcmp(gtwin, gtext, 16) != 0;
  }
  return r;
}

FUNCTION(f1_masked_after_acquire) {
  long r = 0;
  for (int k = 0; k < 4; k++) {
    r += __atomic_load_n(&gatomic[1], __ATOMIC_SEQ_CST);
    for (int j = 0; j < 4; j++) {
      gpairs[gsarr[j] & 15].first = c;
      for (int i = (n & 7) - 1; i >= 0; i--)
        if (gcarr[i] > 1)
          gsarr[i] += 2;
    }
  }
  return r + n + c;
}

/* The first byte that differs decides; all are written. */
FUNCTION(f1_promoted_text) {
  long r = 0;
  for (int i = 0; i < 5; i++) {
    if (q[0] == 'a' && q[1] == 'b' && q[2] == 'c' && q[3] == 'd')
      r++;
    q[0] = n, q[1] = n >> 8, q[2] = n >> 16, q[3] = n >> 24;
  }
  return r + n + c;
}

/* Reads whose values have no effect: at some levels no hook tells. */
static inline int e1_callee(int *x, struct node *q, int n, int c) {
  struct pair z = q->pair;
  return c && *x ? z.first : n;
}
FUNCTION(e1_copy) { return e1_callee(&ga, s, n, c); }
FUNCTION(e2_equal_arms) {
  long r = 0;
  for (int i = 0; i < 1; i++) {
    if (!gb)
      break;
    r += (n > 5 && s->ld < s->d) ? gb : 0;
  }
  return r;
}
FUNCTION(e3_bit_field) {
  s->bits.c = n;
  gbits.b = c;
  return 0;
}
/* Stored as it was read: both fall away, together. */
FUNCTION(e4_stored_as_read) {
  gb = c == 16 ? n : gb;
  return n;
}
FUNCTION(e4_array_as_read) {
  for (int i = 0; i < 8; i++)
    garr[i] = garr[i];
  return n;
}

FUNCTION(e4_array_as_read_or_not) {
  if (!gbrr[c & 63])
    for (int i = 0; i < (n & 63); i++)
      gbrr[i] = gbrr[i];
  return c == 0 && n == 100 ? gbrr[c & 63] : n;
}

/* Five rounds in eight lanes; a shuffle drops three behind the last use. */
FUNCTION(f7_dropped_lanes) {
  long r = 0;
  int v0 = n, v1 = c;
  for (int i = 0; i < 5; i++) {
    gd |= (((!gsarr[i]) < 1) || c);
    for (int j = 0; j < 5; j++) {
      int x = unlikely((n - j) > 16) ? ga : gnode.a;
      int y = unlikely((n - j) > 16) ? 1 : gnode.a;
      r += x * 3 + y;
      v1 += garr[j & 7] > 7 ? *(gd ? &ga : &s->a) : c;
    }
  }
  v1 = gvolatile[0];
  return r + v0 + v1;
}

/* Lanes that a loop downwards, or a mirrored index, turns round. */
FUNCTION(f7_reversed) {
  long r = 0;
  for (int i = 63; i >= 0; i--)
    if (gcarr[i])
      r += garr[i];
  return r;
}
FUNCTION(f7_reversed_int) {
  int r = 0;
  for (int i = 63; i >= 0; i--)
    if (gcarr[i] > 2)
      r += garr[i];
  return r;
}
FUNCTION(f7_reversed_break) {
  long r = 0;
  while (n-- > 0) {
    if (n > 5)
      break;
    r += garr[n];
  }
  garr[n & 63] = c;
  return r + n + c;
}
FUNCTION(f7_mirrored_store) {
  for (int i = 0; i < 32; i++)
    if (gcarr[i] > 2)
      garr[40 - i] = gbrr[i];
  return 0;
}

/* The value is where the same load, in the next round, loads from. */
FUNCTION(f2_chain) {
  int v = n;
  for (int i = 0; i < 4; i++)
    v = c ? gpairs[v & 15].second : gc;
  return v;
}
/* Each operand could make the other irrelevant: not both are left out. */
FUNCTION(f2_both_false) {
  if (gbits.a < (s->ld > gfa))
    gbits.a = s->ld > gfa;
  return 0;
}
FUNCTION(f2_any_lane) {
  for (int i = 0; i < n; i++)
    if (gdarr[i] > gda)
      gsa = i;
  return 0;
}
/* One lane begins with the sum of the round before. */
FUNCTION(f7_sum_in_a_lane) {
  long r = 0;
  for (int j = 0; j < 64; j++)
    for (int i = 0; i < (n & 7); i++)
      if (c)
        r += garr[i];
  return r + n + c;
}
FUNCTION(f7_sum_in_a_lane_of_bytes) {
  long r = 0;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      if (c)
        r += gcarr[i];
    if (n > 5)
      continue;
    for (int i = 0; i < 64; i += 2)
      if (p[i] > 100)
        ga++;
  }
  return r + n + c;
}
/* Masked loads are turned round behind a store to what may be the same. */
FUNCTION(f7_turned_behind_store) {
  long r = 0;
  for (int i = 64 - 1; i >= 0; i--)
    if (gsarr[63 - i])
      r += q[i];
  if (c)
    s->pair = t->pair;
  return r + n + c;
}
/* The conditions of one read are computed from another one. */
FUNCTION(f3_choice_by_another_read) {
  int l = 2;
  const int *x = !*(gbrr[c] > 100 || c ? &gb : &ga) ? &l : &gb;
  long r = *x;
  for (int i = 0; i < 8; i += 3)
    q[i] = 0;
  return r + n + c;
}
/* Half of a lane is stored. */
FUNCTION(f7_half_of_a_lane) {
  for (int i = 0; i < 64; i++) {
    gsa = i;
    if (memcmp(gtwin, gtwin, 16) > 0)
      gsa = garr[i];
  }
  return n + c;
}
/* Each of several elements decides alone; their indexes were loaded before. */
FUNCTION(f7_any_gathered) {
  long r = 0;
  for (int i = 0; i < n; i++)
    if (gsarr[garr[i] & 63] > 100)
      r = c;
  return r + n + c;
}
/* A byte is taken from the sum that the last round has written, if it has. */
FUNCTION(f4_byte_of_a_sum) {
  long r = 0;
  for (int i = 0; i < n; i++) {
    r += c > 1 ? 3 : gmix.c[1];
    for (int j = 0; j < 16; j++)
      if (gbrr[j] > 100)
        gmix.i++;
  }
  return r + n + c;
}
/* A comparison looks at the last byte of what may have been counted. */
FUNCTION(f4_last_byte_of_a_counter) {
  for (int i = 0; i < 8; i++)
    if (c)
      gmix.i++;
  return (gmix.c[3] ? gfa : s->f) > 1;
}

/* LLVM 21 and newer would load vectors of what a search has not come to. */
FUNCTION(f8_find) {
  for (int i = 0; i < 64; i++)
    if (garr[i] == n)
      return i;
  return -1;
}
FUNCTION(f8_find_byte) {
  for (int i = 0; i < 64; i++)
    if (gcarr[i] == (char)n)
      return 1;
  return 0;
}
FUNCTION(f8_differ) {
  for (int i = 0; i < 64; i++)
    if (garr[i] != gbrr[i])
      return i;
  return -1;
}
FUNCTION(f8_find_then) {
  int i = 0;
  while (i < 64 && garr[i] != n)
    i++;
  step();
  return i < 64 ? gbrr[i] : 0;
}
FUNCTION(f8_find_nothing) {
  for (int i = 0; i < 64; i++)
    if (gdarr[i] > 1e300)
      return i;
  return -1;
}

/* One way reads; the other one has a load in front of its loop, which always
   writes what it may never have read before. The two become one load. */
FUNCTION(merged_one_way) {
  if (n > c)
    return gsa;
  int i = 0, k = 0;
  do {
    if (p[i] > 100)
      k += gsa;
    gsa = i;
  } while (++i < 3);
  return k;
}
FUNCTION(merged_other_way) {
  int i = 0, k = 0;
  if (n <= c) {
    do {
      if (p[i] > 100)
        k += gsa;
      gsa = i;
    } while (++i < 3);
    return k;
  }
  return gsa;
}

/* A load in front of the second loop becomes one with the reads of the first,
   on the way on which that reads nothing. */
FUNCTION(merged_behind_a_loop) {
  long k = 0;
  for (int i = 0; i < 3; i++) {
    if (n & 1)
      step();
    else if (p[0] > 100)
      k += !gd;
    if (p[0] > 100)
      k += gd;
  }
  int i = 0;
  do {
    if (p[i] > 100)
      k += !gd;
    gd = n;
  } while (++i < (n & 3));
  return k;
}

/* The loop's last write is made before the loads by which its first round
   decides whether it reads. */
FUNCTION(written_before_the_choice) {
  long r = 0;
  int k = n, i;
  for (i = 0; i < 8; i++) {
    if (p[i] > 100)
      k ^= gflag;
    gflag = n;
  }
  if (p[i] > 100)
    if (!gflag)
      r++;
  return r + k + c;
}
FUNCTION(written_before_the_choice_of_three) {
  long r = 0;
  int i = 0;
  do {
    if (p[i] > 100)
      r += s->small.c;
    s->small.c = n;
  } while (++i < 3);
  if (p[i] > 100)
    return r + !s->small.c;
  s->small.c = c;
  return r;
}

/* Of two reads of the source that become one, one was left out before. */
FUNCTION(read_in_the_inner_loops) {
  long k = 0;
  int i = 0, j;
  do {
    if (n > c)
      k ^= s->packed.a;
    j = 0;
    do {
      int l = 0;
      do {
        if (n & 1)
          k ^= s->packed.a;
        s->packed.a = n;
      } while (++l < (n & 3));
      s->packed.a = n;
    } while (++j < (n & 3));
  } while (++i < (c & 1));
  return k;
}
