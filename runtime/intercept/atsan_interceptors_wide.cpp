//===-- atsan_interceptors_wide.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wide strings and wide memory, as far as sanitizer_common does not know them.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_format.h"

using namespace __atsan;

extern "C" unsigned towlower(unsigned c);
extern "C" unsigned towlower_l(unsigned c, void *locale);

static void Read(const AccessRecorder &recorder, const wchar_t *s, uptr chars) {
  recorder.Read(s, chars * sizeof(wchar_t));
}

static void Write(const AccessRecorder &recorder, const wchar_t *s,
                  uptr chars) {
  recorder.Write(s, chars * sizeof(wchar_t));
}

// --- Copies. -----------------------------------------------------------------

ATSAN_INTERCEPTOR(wchar_t *, wcscpy, wchar_t *dst, const wchar_t *src) {
  ATSAN_ENTER(wcscpy, dst, src);
  Read(recorder, src, StringRead(src, kUnbounded));
  Write(recorder, dst, StringRead(src, kUnbounded));
  return REAL(wcscpy)(dst, src);
}

ATSAN_INTERCEPTOR(wchar_t *, wcpcpy, wchar_t *dst, const wchar_t *src) {
  ATSAN_ENTER(wcpcpy, dst, src);
  Read(recorder, src, StringRead(src, kUnbounded));
  Write(recorder, dst, StringRead(src, kUnbounded));
  return REAL(wcpcpy)(dst, src);
}

ATSAN_INTERCEPTOR(wchar_t *, wcsncpy, wchar_t *dst, const wchar_t *src,
                  uptr size) {
  ATSAN_ENTER(wcsncpy, dst, src, size);
  Read(recorder, src, StringRead(src, size));
  Write(recorder, dst, size);
  return REAL(wcsncpy)(dst, src, size);
}

ATSAN_INTERCEPTOR(wchar_t *, wcpncpy, wchar_t *dst, const wchar_t *src,
                  uptr size) {
  ATSAN_ENTER(wcpncpy, dst, src, size);
  Read(recorder, src, StringRead(src, size));
  Write(recorder, dst, size);
  return REAL(wcpncpy)(dst, src, size);
}

// --- Comparing. --------------------------------------------------------------

static unsigned SameCase(unsigned c) { return c; }

template <class Fold = unsigned (*)(unsigned)>
static void RecordComparison(const AccessRecorder &recorder, const wchar_t *a,
                             const wchar_t *b, uptr max, bool to_zero,
                             Fold fold = SameCase) {
  uptr seen = 0;
  while (seen < max) {
    wchar_t x = a[seen];
    wchar_t y = b[seen];
    seen++;
    if (fold(x) != fold(y) || (to_zero && !x))
      break;
  }
  Read(recorder, a, seen);
  Read(recorder, b, seen);
}

ATSAN_INTERCEPTOR(int, wcscmp, const wchar_t *a, const wchar_t *b) {
  ATSAN_ENTER(wcscmp, a, b);
  RecordComparison(recorder, a, b, kUnbounded, /*to_zero=*/true);
  return REAL(wcscmp)(a, b);
}

ATSAN_INTERCEPTOR(int, wcsncmp, const wchar_t *a, const wchar_t *b, uptr max) {
  ATSAN_ENTER(wcsncmp, a, b, max);
  RecordComparison(recorder, a, b, max, /*to_zero=*/true);
  return REAL(wcsncmp)(a, b, max);
}

ATSAN_INTERCEPTOR(int, wmemcmp, const wchar_t *a, const wchar_t *b, uptr size) {
  ATSAN_ENTER(wmemcmp, a, b, size);
  RecordComparison(recorder, a, b, size, /*to_zero=*/false);
  return REAL(wmemcmp)(a, b, size);
}

ATSAN_INTERCEPTOR(int, wcscasecmp, const wchar_t *a, const wchar_t *b) {
  ATSAN_ENTER(wcscasecmp, a, b);
  RecordComparison(recorder, a, b, kUnbounded, /*to_zero=*/true, towlower);
  return REAL(wcscasecmp)(a, b);
}

ATSAN_INTERCEPTOR(int, wcsncasecmp, const wchar_t *a, const wchar_t *b,
                  uptr max) {
  ATSAN_ENTER(wcsncasecmp, a, b, max);
  RecordComparison(recorder, a, b, max, /*to_zero=*/true, towlower);
  return REAL(wcsncasecmp)(a, b, max);
}

ATSAN_INTERCEPTOR(int, wcscasecmp_l, const wchar_t *a, const wchar_t *b,
                  void *locale) {
  ATSAN_ENTER(wcscasecmp_l, a, b, locale);
  RecordComparison(recorder, a, b, kUnbounded, /*to_zero=*/true,
                   [=](unsigned c) { return towlower_l(c, locale); });
  return REAL(wcscasecmp_l)(a, b, locale);
}

ATSAN_INTERCEPTOR(int, wcsncasecmp_l, const wchar_t *a, const wchar_t *b,
                  uptr max, void *locale) {
  ATSAN_ENTER(wcsncasecmp_l, a, b, max, locale);
  RecordComparison(recorder, a, b, max, /*to_zero=*/true,
                   [=](unsigned c) { return towlower_l(c, locale); });
  return REAL(wcsncasecmp_l)(a, b, max, locale);
}

// wcscoll_l compares by the locale's order, for which more may be read than up
// to the first difference.
ATSAN_INTERCEPTOR(int, wcscoll_l, const wchar_t *a, const wchar_t *b,
                  void *locale) {
  ATSAN_ENTER(wcscoll_l, a, b, locale);
  RecordComparison(recorder, a, b, kUnbounded, /*to_zero=*/true);
  return REAL(wcscoll_l)(a, b, locale);
}

ATSAN_INTERCEPTOR(int, wcscoll, const wchar_t *a, const wchar_t *b) {
  ATSAN_ENTER(wcscoll, a, b);
  RecordComparison(recorder, a, b, kUnbounded, /*to_zero=*/true);
  return REAL(wcscoll)(a, b);
}

// --- Searching. --------------------------------------------------------------

ATSAN_INTERCEPTOR(wchar_t *, wcschr, const wchar_t *s, wchar_t c) {
  ATSAN_ENTER(wcschr, s, c);
  wchar_t *found = REAL(wcschr)(s, c);
  Read(recorder, s, found ? found - s + 1 : StringRead(s, kUnbounded));
  return found;
}

ATSAN_INTERCEPTOR(wchar_t *, wcsrchr, const wchar_t *s, wchar_t c) {
  ATSAN_ENTER(wcsrchr, s, c);
  Read(recorder, s, StringRead(s, kUnbounded));
  return REAL(wcsrchr)(s, c);
}

ATSAN_INTERCEPTOR(wchar_t *, wcschrnul, const wchar_t *s, wchar_t c) {
  ATSAN_ENTER(wcschrnul, s, c);
  wchar_t *found = REAL(wcschrnul)(s, c);
  Read(recorder, s, found - s + 1);
  return found;
}

ATSAN_INTERCEPTOR(uptr, wcsspn, const wchar_t *s, const wchar_t *set) {
  ATSAN_ENTER(wcsspn, s, set);
  uptr length = REAL(wcsspn)(s, set);
  ReadString(recorder, set);
  Read(recorder, s, length + 1);
  return length;
}

ATSAN_INTERCEPTOR(uptr, wcscspn, const wchar_t *s, const wchar_t *set) {
  ATSAN_ENTER(wcscspn, s, set);
  uptr length = REAL(wcscspn)(s, set);
  ReadString(recorder, set);
  Read(recorder, s, length + 1);
  return length;
}

ATSAN_INTERCEPTOR(wchar_t *, wcspbrk, const wchar_t *s, const wchar_t *set) {
  ATSAN_ENTER(wcspbrk, s, set);
  wchar_t *found = REAL(wcspbrk)(s, set);
  ReadString(recorder, set);
  Read(recorder, s, found ? found - s + 1 : StringRead(s, kUnbounded));
  return found;
}

ATSAN_INTERCEPTOR(wchar_t *, wcsstr, const wchar_t *s, const wchar_t *pattern) {
  ATSAN_ENTER(wcsstr, s, pattern);
  wchar_t *found = REAL(wcsstr)(s, pattern);
  Read(recorder, s,
       found ? found - s + StringLength(pattern, kUnbounded)
             : StringRead(s, kUnbounded));
  ReadString(recorder, pattern);
  return found;
}

// The token ends with a character that becomes 0, unless the string ends there.
ATSAN_INTERCEPTOR(wchar_t *, wcstok, wchar_t *s, const wchar_t *set,
                  wchar_t **rest) {
  ATSAN_ENTER(wcstok, s, set, rest);
  if (!s)
    recorder.ReadObject(rest);
  const wchar_t *begin = s ? s : *rest;
  wchar_t *token = REAL(wcstok)(s, set, rest);
  recorder.WriteObject(rest);
  if (!begin)
    return token;
  ReadString(recorder, set);
  const wchar_t *end = token;
  if (token)
    end += StringLength(token, kUnbounded);
  else
    end = begin + StringLength(begin, kUnbounded);
  Read(recorder, begin, end - begin + 1);
  if (token && *rest)
    Write(recorder, end, 1);
  return token;
}

// --- Memory. -----------------------------------------------------------------

ATSAN_INTERCEPTOR(wchar_t *, wmemcpy, wchar_t *dst, const wchar_t *src,
                  uptr size) {
  ATSAN_ENTER(wmemcpy, dst, src, size);
  Read(recorder, src, size);
  Write(recorder, dst, size);
  return REAL(wmemcpy)(dst, src, size);
}

ATSAN_INTERCEPTOR(wchar_t *, wmemmove, wchar_t *dst, const wchar_t *src,
                  uptr size) {
  ATSAN_ENTER(wmemmove, dst, src, size);
  Read(recorder, src, size);
  Write(recorder, dst, size);
  return REAL(wmemmove)(dst, src, size);
}

ATSAN_INTERCEPTOR(wchar_t *, wmempcpy, wchar_t *dst, const wchar_t *src,
                  uptr size) {
  ATSAN_ENTER(wmempcpy, dst, src, size);
  Read(recorder, src, size);
  Write(recorder, dst, size);
  return REAL(wmempcpy)(dst, src, size);
}

ATSAN_INTERCEPTOR(wchar_t *, wmemset, wchar_t *dst, wchar_t c, uptr size) {
  ATSAN_ENTER(wmemset, dst, c, size);
  Write(recorder, dst, size);
  return REAL(wmemset)(dst, c, size);
}

ATSAN_INTERCEPTOR(wchar_t *, wmemchr, const wchar_t *s, wchar_t c, uptr size) {
  ATSAN_ENTER(wmemchr, s, c, size);
  wchar_t *found = REAL(wmemchr)(s, c, size);
  Read(recorder, s, found ? found - s + 1 : size);
  return found;
}
