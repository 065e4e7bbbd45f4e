//===-- atsan_interceptors_memory.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Block operations on memory. Calls that instrumented code makes directly go to
// __atsan_memcpy and its like instead; these are for libraries, function
// pointers and -fno-builtin code.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __atsan;

static void RecordCopy(const AccessRecorder &recorder, const void *dst,
                       const void *src, uptr size) {
  recorder.Read(src, size);
  recorder.Write(dst, size);
}

static void RecordComparison(const AccessRecorder &recorder, const void *a,
                             const void *b, uptr size) {
  recorder.Read(a, size);
  recorder.Read(b, size);
}

// Before the runtime is ready there is no REAL function to call.
ATSAN_INTERCEPTOR(void *, memcpy, void *dst, const void *src, uptr size) {
  ATSAN_ENTER_EARLY(memcpy, dst, src, size);
  RecordCopy(recorder, dst, src, size);
  void *res = REAL(memcpy)(dst, src, size);
  recorder.Pointers(dst, size);
  return res;
}

ATSAN_INTERCEPTOR(void *, memmove, void *dst, const void *src, uptr size) {
  ATSAN_ENTER_EARLY(memmove, dst, src, size);
  RecordCopy(recorder, dst, src, size);
  void *res = REAL(memmove)(dst, src, size);
  recorder.Pointers(dst, size);
  return res;
}

ATSAN_INTERCEPTOR(void *, memset, void *dst, int value, uptr size) {
  ATSAN_ENTER_EARLY(memset, dst, value, size);
  recorder.Write(dst, size);
  return REAL(memset)(dst, value, size);
}

ATSAN_AROUND(void *, mempcpy, (void *dst, const void *src, uptr size),
             (dst, src, size), RecordCopy(recorder, dst, src, size),
             recorder.Pointers(dst, size))

ATSAN_INTERCEPTOR(void *, memccpy, void *dst, const void *src, int c,
                  uptr size) {
  ATSAN_ENTER(memccpy, dst, src, c, size);
  const void *found = internal_memchr(src, c, size);
  uptr copied = found ? static_cast<const char *>(found) -
                            static_cast<const char *>(src) + 1
                      : size;
  RecordCopy(recorder, dst, src, copied);
  return REAL(memccpy)(dst, src, c, size);
}

ATSAN_BEFORE(void, bcopy, (const void *src, void *dst, uptr size),
             (src, dst, size), RecordCopy(recorder, dst, src, size))

ATSAN_BEFORE(void, bzero, (void *dst, uptr size), (dst, size),
             recorder.Write(dst, size))

ATSAN_BEFORE(void, explicit_bzero, (void *dst, uptr size), (dst, size),
             recorder.Write(dst, size))

// --- Searching and comparing. ------------------------------------------------

// Returns what SameBytes does, by comparing words; the last two may overlap.
template <class Word>
static ALWAYS_INLINE uptr SameWords(const u8 *p, const u8 *q, uptr size) {
  auto FirstDifference = [=](uptr i) -> uptr {
    Word x, y;
    __builtin_memcpy(&x, p + i, sizeof(x));
    __builtin_memcpy(&y, q + i, sizeof(y));
    return x == y ? 0 : i + __builtin_ctzll(x ^ y) / 8 + 1;
  };
  const uptr last = size - sizeof(Word);
#pragma clang loop unroll(disable)
  for (uptr i = 0; i < last; i += sizeof(Word))
    if (uptr seen = FirstDifference(i))
      return seen;
  uptr seen = FirstDifference(last);
  return seen ? seen : size;
}

// How many bytes of both are read: up to the first difference.
static uptr SameBytes(const void *a, const void *b, uptr size) {
  auto *p = static_cast<const u8 *>(a);
  auto *q = static_cast<const u8 *>(b);
  if (size >= sizeof(u64))
    return SameWords<u64>(p, q, size);
  if (size >= sizeof(u32))
    return SameWords<u32>(p, q, size);
#pragma clang loop unroll(disable)
  for (uptr i = 0; i < size; i++)
    if (p[i] != q[i])
      return i + 1;
  return size;
}

ATSAN_INTERCEPTOR(int, memcmp, const void *a, const void *b, uptr size) {
  ATSAN_ENTER_EARLY(memcmp, a, b, size);
  uptr seen = SameBytes(a, b, size);
  RecordComparison(recorder, a, b, seen);
  return REAL(memcmp)(a, b, size);
}

// memrchr reads from the end.
ATSAN_AFTER(void *, memrchr, (const void *s, int c, uptr size), (s, c, size),
            recorder.Read(res ? res : s, res ? static_cast<const char *>(s) +
                                                   size -
                                                   static_cast<char *>(res)
                                             : size))

ATSAN_AFTER(void *, rawmemchr, (const void *s, int c), (s, c),
            recorder.Read(s, static_cast<char *>(res) -
                                 static_cast<const char *>(s) + 1))

ATSAN_AFTER(void *, memmem,
            (const void *s, uptr size, const void *pattern, uptr pattern_size),
            (s, size, pattern, pattern_size),
            recorder.Read(s, res ? static_cast<char *>(res) -
                                       static_cast<const char *>(s) +
                                       pattern_size
                                 : size),
            recorder.Read(pattern, pattern_size))
