//===-- atsan_interceptors_wide.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wide strings and wide memory.
//
//===----------------------------------------------------------------------===//
#include "atsan_interceptors.h"

using namespace __atsan;

constexpr uptr kUnbounded = ~static_cast<uptr>(0);

static uptr Length(const wchar_t *s, uptr max = kUnbounded) {
  uptr length = 0;
  while (length < max && s[length])
    length++;
  return length;
}

// Characters that are read of a string of which no more than `max` are wanted.
static uptr CharsRead(const wchar_t *s, uptr max = kUnbounded) {
  uptr length = Length(s, max);
  return length < max ? length + 1 : max;
}

static void Read(const AccessRecorder &recorder, const wchar_t *s, uptr chars) {
  recorder.Read(s, chars * sizeof(wchar_t));
}

static void Write(const AccessRecorder &recorder, const wchar_t *s,
                  uptr chars) {
  recorder.Write(s, chars * sizeof(wchar_t));
}

ATSAN_INTERCEPTOR(uptr, wcslen, const wchar_t *s) {
  if (MayBypass())
    return REAL(wcslen)(s);
  ATSAN_RECORDER();
  uptr length = REAL(wcslen)(s);
  Read(recorder, s, length + 1);
  return length;
}

ATSAN_INTERCEPTOR(uptr, wcsnlen, const wchar_t *s, uptr max) {
  if (MayBypass())
    return REAL(wcsnlen)(s, max);
  ATSAN_RECORDER();
  uptr length = REAL(wcsnlen)(s, max);
  Read(recorder, s, length < max ? length + 1 : max);
  return length;
}

ATSAN_INTERCEPTOR(wchar_t *, wcscpy, wchar_t *dst, const wchar_t *src) {
  if (MayBypass())
    return REAL(wcscpy)(dst, src);
  ATSAN_RECORDER();
  if (recorder.Wanted()) {
    Read(recorder, src, CharsRead(src));
    Write(recorder, dst, CharsRead(src));
  }
  return REAL(wcscpy)(dst, src);
}

ATSAN_INTERCEPTOR(wchar_t *, wcsncpy, wchar_t *dst, const wchar_t *src,
                  uptr size) {
  if (MayBypass())
    return REAL(wcsncpy)(dst, src, size);
  ATSAN_RECORDER();
  if (recorder.Wanted()) {
    Read(recorder, src, CharsRead(src, size));
    Write(recorder, dst, size);
  }
  return REAL(wcsncpy)(dst, src, size);
}

static void RecordAppend(const AccessRecorder &recorder, const wchar_t *dst,
                         const wchar_t *src, uptr max) {
  if (!recorder.Wanted())
    return;
  uptr old_length = Length(dst);
  Read(recorder, dst, old_length + 1);
  Read(recorder, src, CharsRead(src, max));
  Write(recorder, dst + old_length, Length(src, max) + 1);
}

ATSAN_INTERCEPTOR(wchar_t *, wcscat, wchar_t *dst, const wchar_t *src) {
  if (MayBypass())
    return REAL(wcscat)(dst, src);
  ATSAN_RECORDER();
  RecordAppend(recorder, dst, src, kUnbounded);
  return REAL(wcscat)(dst, src);
}

ATSAN_INTERCEPTOR(wchar_t *, wcsncat, wchar_t *dst, const wchar_t *src,
                  uptr max) {
  if (MayBypass())
    return REAL(wcsncat)(dst, src, max);
  ATSAN_RECORDER();
  RecordAppend(recorder, dst, src, max);
  return REAL(wcsncat)(dst, src, max);
}

ATSAN_INTERCEPTOR(wchar_t *, wcsdup, const wchar_t *s) {
  if (MayBypass())
    return REAL(wcsdup)(s);
  ATSAN_RECORDER();
  if (recorder.Wanted())
    Read(recorder, s, CharsRead(s));
  return REAL(wcsdup)(s);
}

static void RecordComparison(const AccessRecorder &recorder, const wchar_t *a,
                             const wchar_t *b, uptr max, bool to_zero) {
  if (!recorder.Wanted())
    return;
  uptr seen = 0;
  while (seen < max) {
    wchar_t x = a[seen];
    wchar_t y = b[seen];
    seen++;
    if (x != y || (to_zero && !x))
      break;
  }
  Read(recorder, a, seen);
  Read(recorder, b, seen);
}

ATSAN_INTERCEPTOR(int, wcscmp, const wchar_t *a, const wchar_t *b) {
  if (MayBypass())
    return REAL(wcscmp)(a, b);
  ATSAN_RECORDER();
  RecordComparison(recorder, a, b, kUnbounded, /*to_zero=*/true);
  return REAL(wcscmp)(a, b);
}

ATSAN_INTERCEPTOR(int, wcsncmp, const wchar_t *a, const wchar_t *b, uptr max) {
  if (MayBypass())
    return REAL(wcsncmp)(a, b, max);
  ATSAN_RECORDER();
  RecordComparison(recorder, a, b, max, /*to_zero=*/true);
  return REAL(wcsncmp)(a, b, max);
}

ATSAN_INTERCEPTOR(int, wmemcmp, const wchar_t *a, const wchar_t *b, uptr size) {
  if (MayBypass())
    return REAL(wmemcmp)(a, b, size);
  ATSAN_RECORDER();
  RecordComparison(recorder, a, b, size, /*to_zero=*/false);
  return REAL(wmemcmp)(a, b, size);
}

ATSAN_INTERCEPTOR(wchar_t *, wcschr, const wchar_t *s, wchar_t c) {
  if (MayBypass())
    return REAL(wcschr)(s, c);
  ATSAN_RECORDER();
  wchar_t *found = REAL(wcschr)(s, c);
  if (recorder.Wanted())
    Read(recorder, s, found ? found - s + 1 : CharsRead(s));
  return found;
}

ATSAN_INTERCEPTOR(wchar_t *, wcsrchr, const wchar_t *s, wchar_t c) {
  if (MayBypass())
    return REAL(wcsrchr)(s, c);
  ATSAN_RECORDER();
  if (recorder.Wanted())
    Read(recorder, s, CharsRead(s));
  return REAL(wcsrchr)(s, c);
}

ATSAN_INTERCEPTOR(wchar_t *, wmemcpy, wchar_t *dst, const wchar_t *src,
                  uptr size) {
  if (MayBypass())
    return REAL(wmemcpy)(dst, src, size);
  ATSAN_RECORDER();
  Read(recorder, src, size);
  Write(recorder, dst, size);
  return REAL(wmemcpy)(dst, src, size);
}

ATSAN_INTERCEPTOR(wchar_t *, wmemmove, wchar_t *dst, const wchar_t *src,
                  uptr size) {
  if (MayBypass())
    return REAL(wmemmove)(dst, src, size);
  ATSAN_RECORDER();
  Read(recorder, src, size);
  Write(recorder, dst, size);
  return REAL(wmemmove)(dst, src, size);
}

ATSAN_INTERCEPTOR(wchar_t *, wmemset, wchar_t *dst, wchar_t c, uptr size) {
  if (MayBypass())
    return REAL(wmemset)(dst, c, size);
  ATSAN_RECORDER();
  Write(recorder, dst, size);
  return REAL(wmemset)(dst, c, size);
}

ATSAN_INTERCEPTOR(wchar_t *, wmemchr, const wchar_t *s, wchar_t c, uptr size) {
  if (MayBypass())
    return REAL(wmemchr)(s, c, size);
  ATSAN_RECORDER();
  wchar_t *found = REAL(wmemchr)(s, c, size);
  Read(recorder, s, found ? found - s + 1 : size);
  return found;
}
