//===-- atsan_interceptors_wide.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Wide strings and wide memory, as far as sanitizer_common does not know them.
// Copies and comparisons of strings are beside the narrow ones, in
// atsan_interceptors_string.cpp and atsan_interceptors_strsearch.cpp.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_format.h"

using namespace __atsan;

static void Read(const AccessRecorder &recorder, const wchar_t *s, uptr chars) {
  recorder.Read(s, chars * sizeof(wchar_t));
}

static void Write(const AccessRecorder &recorder, const wchar_t *s,
                  uptr chars) {
  recorder.Write(s, chars * sizeof(wchar_t));
}

// --- Searching. --------------------------------------------------------------

ATSAN_AFTER(wchar_t *, wcschr, (const wchar_t *s, wchar_t c), (s, c),
            Read(recorder, s, res ? res - s + 1 : StringRead(s, kUnbounded)))

ATSAN_BEFORE(wchar_t *, wcsrchr, (const wchar_t *s, wchar_t c), (s, c),
             Read(recorder, s, StringRead(s, kUnbounded)))

ATSAN_AFTER(wchar_t *, wcschrnul, (const wchar_t *s, wchar_t c), (s, c),
            Read(recorder, s, res - s + 1))

ATSAN_AFTER(uptr, wcsspn, (const wchar_t *s, const wchar_t *set), (s, set),
            ReadString(recorder, set), Read(recorder, s, res + 1))
ATSAN_AFTER(uptr, wcscspn, (const wchar_t *s, const wchar_t *set), (s, set),
            ReadString(recorder, set), Read(recorder, s, res + 1))

ATSAN_AFTER(wchar_t *, wcspbrk, (const wchar_t *s, const wchar_t *set),
            (s, set), ReadString(recorder, set),
            Read(recorder, s, res ? res - s + 1 : StringRead(s, kUnbounded)))

ATSAN_AFTER(wchar_t *, wcsstr, (const wchar_t *s, const wchar_t *pattern),
            (s, pattern),
            Read(recorder, s,
                 res ? res - s + StringLength(pattern, kUnbounded)
                     : StringRead(s, kUnbounded)),
            ReadString(recorder, pattern))

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

ATSAN_BEFORE(wchar_t *, wmemcpy, (wchar_t *dst, const wchar_t *src, uptr size),
             (dst, src, size), Read(recorder, src, size),
             Write(recorder, dst, size))
ATSAN_BEFORE(wchar_t *, wmemmove, (wchar_t *dst, const wchar_t *src, uptr size),
             (dst, src, size), Read(recorder, src, size),
             Write(recorder, dst, size))
ATSAN_BEFORE(wchar_t *, wmempcpy, (wchar_t *dst, const wchar_t *src, uptr size),
             (dst, src, size), Read(recorder, src, size),
             Write(recorder, dst, size))
ATSAN_BEFORE(wchar_t *, wmemset, (wchar_t *dst, wchar_t c, uptr size),
             (dst, c, size), Write(recorder, dst, size))
ATSAN_AFTER(wchar_t *, wmemchr, (const wchar_t *s, wchar_t c, uptr size),
            (s, c, size), Read(recorder, s, res ? res - s + 1 : size))

// Zeros do not end wide memory.
ATSAN_INTERCEPTOR(int, wmemcmp, const wchar_t *a, const wchar_t *b, uptr size) {
  ATSAN_ENTER(wmemcmp, a, b, size);
  uptr seen = 0;
  while (seen < size && a[seen] == b[seen])
    seen++;
  // The characters that differ are read, too.
  seen = Min(seen + 1, size);
  Read(recorder, a, seen);
  Read(recorder, b, seen);
  return REAL(wmemcmp)(a, b, size);
}
