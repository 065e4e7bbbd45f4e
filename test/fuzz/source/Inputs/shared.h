/*===- shared.h - The memory that the random programs share ----------------===*
|*
|* Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
|* Exceptions. See LICENSE for license information.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*
|*
|* recorder.c defines all of it, fills it anew before every run, and records the
|* accesses to it. To the random programs it is memory of other modules.
|*
\*===----------------------------------------------------------------------===*/
#ifndef SOURCE_FUZZ_SHARED_H
#define SOURCE_FUZZ_SHARED_H
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int v4i __attribute__((ext_vector_type(4)));
typedef int v8i __attribute__((ext_vector_type(8)));
typedef float v3f __attribute__((ext_vector_type(3)));
typedef char v16c __attribute__((vector_size(16)));
typedef long v2l __attribute__((vector_size(16)));
/* As in the vector intrinsics' own headers. */
typedef long v2l_anywhere
    __attribute__((vector_size(16), may_alias, aligned(1)));
#define AT(Type, Address) (*(Type *)(Address))

struct bits {
  unsigned a : 3, b : 5, c : 13;
  int d : 11;
  unsigned long e : 33;
  unsigned char f : 2, g : 6;
};
union mix {
  int i;
  short h[2];
  char c[8];
  unsigned u;
  long l;
};
struct pair {
  int first, second;
};
struct small {
  char a, b, c;
};
struct wide {
  long a;
  int b;
  short c;
};
struct __attribute__((packed)) packed {
  char a;
  int b;
  short c;
  long d;
};
struct big {
  int v[8];
};
struct node {
  int a, b;
  short h;
  char k;
  bool flag;
  long l;
  float f;
  double d;
  char text[16];
  int arr[8];
  struct bits bits;
  union mix mix;
  struct pair pair;
  struct small small;
  struct wide wide;
  struct packed packed;
  struct big big;
  unsigned u;
  long double ld;
  __int128 huge;
  struct node *next;
};

#define SHARED_MEMORY(X)                                                       \
  X(int, ga, )                                                                 \
  X(int, gb, )                                                                 \
  X(int, gc, )                                                                 \
  X(int, gd, )                                                                 \
  X(long, gla, )                                                               \
  X(long, glb, )                                                               \
  X(short, gsa, )                                                              \
  X(char, gca, )                                                               \
  X(signed char, gcb, )                                                        \
  X(bool, gflag, )                                                             \
  X(unsigned, gua, )                                                           \
  X(unsigned short, gus, )                                                     \
  X(float, gfa, )                                                              \
  X(double, gda, )                                                             \
  X(long double, gld, )                                                        \
  X(__int128, ghuge, )                                                         \
  X(int, garr, [64])                                                           \
  X(int, gbrr, [64])                                                           \
  X(long, glarr, [64])                                                         \
  X(short, gsarr, [64])                                                        \
  X(char, gcarr, [64])                                                         \
  X(char, gused, [64])                                                         \
  X(float, gfarr, [64])                                                        \
  X(double, gdarr, [64])                                                       \
  X(char, gbuf, [16])                                                          \
  X(char, gtext, [72])                                                         \
  X(char, gtwin, [72])                                                         \
  X(struct node, gnode, )                                                      \
  X(struct node, gnodes, [4])                                                  \
  X(struct pair, gpairs, [16])                                                 \
  X(struct small, gsmalls, [8])                                                \
  X(struct wide, gwide, )                                                      \
  X(struct big, gbig, )                                                        \
  X(union mix, gmix, )                                                         \
  X(struct bits, gbits, )                                                      \
  X(v4i, gv4, )                                                                \
  X(v8i, gv8, )                                                                \
  X(v3f, gv3, )                                                                \
  X(int *, gptr, )

#define SHARED_DECLARE(Type, Name, Extent) extern Type Name Extent;
SHARED_MEMORY(SHARED_DECLARE)

/* Visible points by themselves; their accesses are not compared. */
extern int gatomic[4];
/* Only if it is asked for: LLVM moves other accesses over these. */
extern volatile int gvolatile[4];
extern int grelaxed[4];

/* Visible points: other threads' chance. */
void step(void);
int opaque(int);
int opaque_wide(struct wide);
int opaque_big(struct big, int);
struct big make_big(int);
/* The local object is shared from here to the end of the run. */
void share(void *object, size_t size);

#define FUNCTION(name)                                                         \
  long name(struct node *s, struct node *t, int *p, char *q, int n, int c)
typedef FUNCTION((*function));
struct entry {
  const char *name;
  function call;
};
extern const struct entry functions[];

/* What the programs call. */
static inline int *new_numbers(void) {
  int *result = (int *)__builtin_malloc(16);
  result[0] = 1;
  return result;
}
static __attribute__((noinline)) int take_wide(struct wide x, int c) {
  return c ? x.b : 0;
}
static __attribute__((noinline)) int take_big(struct big x, int c) {
  return c ? x.v[c & 7] : 0;
}
static __attribute__((noinline)) int take_small(struct small x) {
  return x.a == 1 ? x.b : 0;
}
static __attribute__((noinline)) struct big turn_big(struct big x) {
  x.v[0] = x.v[7];
  return x;
}

#define noinline __attribute__((noinline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#ifdef __cplusplus
}
#endif
#endif
