/*===- kept.c - Values that are kept over a barrier, and their twins ------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* For source_fuzz.py --file. The optimizer reads before a call or a release,
|* and what is behind it decides whether the source has read.
|*
\*===----------------------------------------------------------------------===*/
#include "shared.h"

/* Kept over a barrier for what is chosen behind it, or on another way. */
FUNCTION(f3_chosen_behind) {
  long r = 0;
  int l = 3;
  int *x = c && n >= 1 && c ? &l : &gnode.a;
  r += *x;
  if (n <= 5) {
    int y = s->a;
    step();
    r += unlikely(n > 5) ? y : 0;
  }
  return r;
}
static noinline int f3_helper(int *x, int c) {
  if (unlikely(c && *x))
    step();
  return ga;
}
FUNCTION(f3_widened_behind) {
  long r = 0;
  int l = 6;
  int *x = s == t ? &l : &gd;
  r += *x;
  if (unlikely(f3_helper(&t->b, c) != 100))
    n = c;
  return r + n + c;
}
static int f2_helper(int *x, struct node *q) {
  if (unlikely(q->flag))
    step();
  return *x;
}
FUNCTION(f2_other_way) {
  int x = c ? gnode.a : gb;
  int y = c ? 1 : gb;
  v4i z = c > f2_helper(&gb, &gnode) ? gv4 : gv4 + 1;
  gv4 = z;
  return x * 3 + y;
}
/* GVN loads before a store that releases. */
FUNCTION(f4_release) {
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < n; j++)
      if (gbrr[j] == 3)
        gsa++;
    __atomic_store_n(&grelaxed[0], c, __ATOMIC_SEQ_CST);
  }
  return n;
}
/* What chooses behind the call is known before it. */
FUNCTION(f3_maximum_behind) {
  int limit = 5;
  const int *l = (s->wide.b > ga ? s->wide.b : ga) <= 100 ? &limit : &gd;
  return *l + opaque(c);
}
/* The selects of four rounds become one, behind three of the calls. */
FUNCTION(f3_lanes_behind) {
  long r = 0;
  for (int i = 0; i < 5; i++) {
    r += opaque_big(t->big, 3);
    int x = (long)gb == 1 ? ga : gd;
    r += x * 3 + 1;
  }
  return r;
}
/* A gather whose value is used in another block, if at all. */
FUNCTION(f7_gather_or_local) {
  int l = c;
  long r = 0;
  for (int j = 0; j < 5; j++) {
    if (n & 1) {
      for (int i = 0; i < 16; i++) {
        int k = *(c ? &l : &gnode.b);
        if (garr[i])
          r += k;
      }
    } else {
      if (c)
        return r + c;
      r = gb;
    }
    r += take_wide(gwide, n);
  }
  return r + n + c;
}
/* Promoted over a call of which it is known that it writes other memory; the
   first caller puts what is called before the second one. */
FUNCTION(f1_known_call) {
  gbig = turn_big(gbig);
  return 0;
}
FUNCTION(f1_over_known_call) {
  static int l;
  l = n;
  share(&l, sizeof l);
  for (int i = 0; i < (n & 3); i++) {
    if (s->arr[(63 - i) & 7] / 10 < -1)
      continue;
    if (!p[i]) {
      for (int j = 7; j >= 0; j--)
        if (garr[j])
          garr[j] = 1;
      c = l > gc ? l : gc;
    }
    gbig = turn_big(gbig);
  }
  return n + c;
}
/* Selects behind the call become a branch on what is known before it. */
FUNCTION(f3_branch_behind) {
  long r = 0;
  for (int i = 0; i < 5; i++) {
    int x = gc;
    step();
    if (c)
      r += x;
    int y = c ? gb : ga, z = c ? 1 : ga;
    r += y * 3 + z;
  }
  return r + n + c;
}
/* Rounds come together behind the call, and choose there. */
FUNCTION(f3_rounds_behind) {
  long r = 0;
  for (int j = 0; j < 4; j++) {
    double sum = 0;
    for (int i = c - 1; i >= 0; i--)
      if (c)
        sum += gdarr[i];
    if (sum > 9)
      r++;
    step();
    int limit = 5;
    const int *l = glb ? &limit : &gc;
    r += *l;
  }
  return r + n + c;
}
/* What chooses behind the call is an operation by lane. */
FUNCTION(f3_lane_operation_behind) {
  long r = 0;
  for (int i = 0; i < 5; i++) {
    int x = (gd > gbrr[i] ? gd : gbrr[i]) == 5 ? gc : gd;
    int y = c ? 1 : gd;
    r += x * 3 + y;
    int z = gd;
    step();
    if (c)
      r += z;
  }
  return r + n + c;
}
/* What chooses behind the call is another thing in each round. */
#define IN_SOME_ROUNDS(Use)                                                    \
  long r;                                                                      \
  int x;                                                                       \
  if (c) {                                                                     \
    r = gb;                                                                    \
    x = ga;                                                                    \
  } else {                                                                     \
    r = gd;                                                                    \
    x = ga;                                                                    \
  }                                                                            \
  for (int i = 0; i < (n & 15); i++) {                                         \
    int k = garr[i] ^ i;                                                       \
    step();                                                                    \
    Use                                                                        \
  }                                                                            \
  return r + n + c;

FUNCTION(f3_choice_of_each_round) {
  IN_SOME_ROUNDS(r += (k & 3) == 2 ? x : 0;);
}

FUNCTION(f3_branch_of_each_round) {
  IN_SOME_ROUNDS(if ((k & 3) == 2) {
    opaque(x);
    break;
  });
}

/* What is read behind the call is for another round, and there is none. */
FUNCTION(f4_after_last_round) {
  long r = 0;
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      r += t->b;
      if (unlikely(!gc))
        step();
    }
    s->pair = t->pair;
  }
  return r + n + c;
}
/* One lane of eight chooses by what is known before the calls. */
FUNCTION(f3_first_lane_behind) {
  int limit = 5;
  const int *l = n & 1 ? &limit : &gnode.a;
  long r = *l;
  int x = c ? gpairs[c & 15].first : t->b, y = s->packed.b;
  for (int i = 8 - 1; i >= 0; i--) {
    int k = gsarr[i] ^ i;
    r += opaque(k);
    r += k & 1 ? x : 0;
  }
  r += y == 3;
  return r + n + c;
}
/* The other way to the end gives another value. */
FUNCTION(f3_triangle_behind) {
  int x = c ? ga : gb;
  step();
  if (!c)
    x = gc;
  return x;
}
FUNCTION(f3_triangle_of_each_round) {
  long r = 0;
  for (int i = 0; i < (n & 7); i++) {
    bool k = garr[i] & 1;
    int x = k ? ga : gb;
    step();
    if (!k)
      x = gc;
    r += x;
  }
  return r;
}
/* One of two conditions is known before the call, and decides. */
FUNCTION(f3_half_known) {
  int l = 3;
  int *x = c ? &ga : &l;
  int v = *x;
  step();
  return gc ? v : 3;
}
FUNCTION(f3_half_known_or) {
  int l = 3;
  int *x = gcarr[0] ? &ga : &l;
  int v = *x;
  step();
  if (garr[0])
    l = v;
  return l;
}
FUNCTION(f3_switch_behind) {
  int x = c ? ga : gb;
  step();
  switch (c) {
  case 0:
    return n;
  case 1:
    return gc;
  default:
    return x;
  }
}
FUNCTION(f3_switch_implies) {
  int x = n & 1 ? ga : gb;
  step();
  switch (n) {
  case 1:
    return x;
  case 2:
    return 5;
  case 17:
    return x + 1;
  }
  return 0;
}
FUNCTION(f3_unswitched_behind) {
  int x = c ? ga : gb;
  step();
  for (int i = 0; i < n; i++)
    if (!c)
      x = garr[i];
  return x;
}
/* What is carried round the loop is used behind it, after any number of rounds.
 */
FUNCTION(f4_carried_out_of_loop) {
  struct wide x = gwide;
  for (int i = 0; i < (n & 3); i++) {
    step();
    if (garr[i] & 1)
      x = s->wide;
    else if (c)
      x.c = i;
  }
  return n & 4 ? x.a : x.c;
}
/* What chooses behind the calls is found on the way from them. */
FUNCTION(f3_choice_on_another_way) {
  long r = 0;
  int v0 = n, v1 = c;
  bool k = s->flag;
  int l = 3;
  const int *y = k ? &ga : &l;
  int x = *y;
  for (int i = 0; i < c; i++)
    step();
  r += ((c ? 1
           : (gpairs[c & 15].first < gpairs[14].first ? gpairs[c & 15].first
                                                      : gpairs[14].first)) <= 1)
           ? x
           : 3;
  return r + v0 + v1;
}
/* A store that has lost its type is no barrier to what is read in any round. */
FUNCTION(f1_over_store_without_type) {
  for (int j = 0; j < 64; j++) {
    if (c && gd == 7 && gflag < c)
      gflag = c;
    for (int i = 0; i < 64; i++) {
      s->l = i;
      if (garr[i] == 3)
        s->l = garr[i];
    }
  }
  return n;
}
/* The selects of four rounds become one, behind all that is added up. */
FUNCTION(f3_sum_behind) {
  long r = 0;
  for (int i = 0; i < 4; i++) {
    bool k = n & 1;
    int l = 3;
    const int *y = k ? &ga : &l;
    int x = *y;
    step();
    r += k && c ? x : 1;
  }
  return r + n + c;
}
/* What chooses is computed behind the call, from what was known before it. */
static noinline int f3_other_helper(int *x, struct node *q, int n) {
  if (unlikely(n > 3))
    step();
  return q->next->b;
}
FUNCTION(f3_number_on_another_way) {
  int x = c ? gnode.a : gb;
  int y = (c ^ (c ? n : 0)) != -1 ? 1 : gb;
  long r = x * 3 + y;
  if (c)
    gbits.c = f3_other_helper(&gc, &gnode, n);
  return r + n + c;
}
/* What chooses in the last round is computed in all rounds before. */
FUNCTION(f2_chain_before_release) {
  int v = n;
  for (int i = 0; i < 4; i++) {
    int l = *(c && c < v ? &gnode.b : &ga);
    v += l < s->arr[4] ? c : s->arr[4];
  }
  __atomic_store_n(&grelaxed[0], c, __ATOMIC_RELEASE);
  if (c)
    gv8 += gv8;
  return v + c;
}
/* What chooses is what a branch behind the call tells, and known before. */
FUNCTION(f3_choice_by_branch) {
  int l = 5;
  const int *x = c >= (c >= 100 || n & 1 ? 1 : 16) ? &l : &ga;
  long r = *x;
  struct big y = make_big(c);
  if (n & 1)
    t->big = y;
  return r + n + c;
}
/* The call keeps it for a sum that is returned on one of two ways only. */
FUNCTION(f2_sum_on_one_way) {
  long r = 0;
  for (int i = 0; i < n; i++) {
    int x = c ? ga : gc, y = c ? 1 : gc;
    r += x * 3 + y;
  }
  bool k = gcarr[0];
  int l = 3;
  const int *y = k ? &ga : &l;
  int x = *y;
  if (n > 3)
    step();
  else
    opaque(2);
  return k ? r + x + n + c : r;
}
/* A loop without rounds became a product with zero. */
FUNCTION(f1_multiple_of_a_loop) {
  long r = 0;
  int v = c;
  for (int i = 0; i < 2; i++)
    if (gused[i] > 100) {
      for (int j = 0; j < (n & 3); j++)
        v += gd;
      bool k = gcarr[0];
      int l = n;
      const int *y = k ? &gnode.b : c ? &gd : &l;
      int x = *y;
      r += opaque(2);
      if (c)
        r += x;
    }
  return r + n + v;
}
/* The choices of four rounds became one comparison of a vector, of which the
 * later lanes are not known yet. */
FUNCTION(f2_conditions_of_four_rounds) {
  long r = 0;
  for (int i = 0; i < 4; i++) {
    int l = n;
    const int *y = n & 1 ? &gnode.b : (long)gb / 2 >= n ? &gd : &l;
    int x = *y;
    step();
    if (c)
      r += x;
  }
  return r + n + c;
}
/* All ways from the calls of a loop to the use pass the branch behind it. */
FUNCTION(f2_kept_over_a_loop) {
  long r = 0;
  for (int i = 0; i < 2; i++) {
    bool k = n == 3;
    int l = n;
    const int *y = k ? &gnode.b : c ? &gd : &l;
    int x = *y;
    for (int j = 0; j < (n & 3); j++)
      step();
    if (!k)
      x = s->arr[c & 7];
    r += x;
  }
  return r + n + c;
}
/* Behind either call, the condition of the choice is another one. */
FUNCTION(f2_choice_behind_two_calls) {
  long r = 0;
  int l = 3;
  const int *y = gcarr[0] ? &ga : &l;
  int x = *y;
  if (c)
    step();
  else
    opaque(2);
  r += likely(c || s->arr[c & 7]) ? x : 3;
  return r + n + c;
}
/* A kept value goes into a sum that the outer loop carries on, past the place
 * where the value is computed anew. */
FUNCTION(f4_sum_carried_on) {
  long r = 0;
  for (int k = 0; k < 4; k++) {
    for (int i = 63; i >= 0; i--)
      for (int j = 0; j < c; j++)
        if (garr[i] > gbrr[j])
          ga++;
    int l = 3;
    const int *y = c ? &ga : &l;
    int x = *y;
    for (int i = 0; i < (n & 3); i++)
      step();
    if (!c)
      x = ga;
    r += x;
    x = gb;
    if (c)
      r += x;
  }
  return r + n + c;
}
/* On one way the condition is known at the call, on the other one half of it:
 * both say that the value matters only if y was ga. */
FUNCTION(f2_known_half_on_one_way) {
  long r = 0;
  bool k = s->flag;
  int l = 3;
  const int *y = k ? &ga : &l;
  int x = *y;
  step();
  r += (!c ? 100 : (long)garr[c & 63]) <= 100 ? x : 3;
  return r + n + c;
}
/* What a loop always writes is read before the loop, by a promotion that needs
 * not know that it exists. */
FUNCTION(f1_written_anyway) {
  int x = 0;
  for (int i = 0; i < (n & 3) + 1; i++) {
    if (c)
      x = ga;
    ga = i;
  }
  step();
  return c ? x : n;
}
FUNCTION(f1_written_through_pointer) {
  int x = 0;
  for (int i = 0; i < 2; i++) {
    if (c)
      x = s->a;
    s->a = i + n;
  }
  step();
  return c ? x : n;
}
FUNCTION(f1_written_anyway_half_known) {
  int x = 5, i = 0;
  do {
    x = c ? ga : 5;
    ga = i;
  } while (i++ < (n & 3));
  step();
  return c && gb ? x : 5;
}
/* Two that were written before exist, whatever is known of them. */
FUNCTION(f2_written_before) {
  p[0] = 1;
  ga = 2;
  s->a = 3;
  int x = *(c ? &p[0] : &ga);
  step();
  return c ? x : 5;
}
/* Variables on the stack exist. */
FUNCTION(f2_shared_locals) {
  int l1 = n, l2 = c;
  share(&l1, sizeof l1);
  share(&l2, sizeof l2);
  int x = *(c ? &l1 : &l2);
  step();
  return c ? x : 5;
}

/* Of a read moved to the front, no value is used once the rounds are known. */
FUNCTION(unused_value_of_a_condition) {
  long r = 0;
  for (int i = 0; i < (n & 3); i++) {
    if (c > 1)
      break;
    bool k = gcarr[0];
    int x = 3, j = 0;
    do {
      x = k ? gb : 5;
      gb = j;
    } while (j++ < (n & 3));
    r += opaque(2);
    switch (n) {
    case 1:
      r += x;
      break;
    case 2:
      r += 5;
      break;
    case 17:
      r += x + 1;
    }
  }
  return r;
}
