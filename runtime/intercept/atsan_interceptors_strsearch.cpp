//===-- atsan_interceptors_strsearch.cpp ----------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that compare and split strings, and those search functions that
// sanitizer_common does not know: reads up to where the result is decided.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"

using namespace __atsan;

extern "C" int tolower(int c);
extern "C" int tolower_l(int c, void *locale);

constexpr uptr kUnbounded = ~static_cast<uptr>(0);

// --- Comparing. --------------------------------------------------------------

static int SameCase(int c) { return c; }

// Reads of both strings: up to the first difference or the end.
template <class Fold>
static void RecordComparison(const AccessRecorder &recorder, const char *a,
                             const char *b, uptr max, Fold fold) {
  uptr seen = 0;
  while (seen < max) {
    u8 x = a[seen];
    u8 y = b[seen];
    seen++;
    if (!x || fold(x) != fold(y))
      break;
  }
  recorder.Read(a, seen);
  recorder.Read(b, seen);
}

ATSAN_INTERCEPTOR(int, strcmp, const char *a, const char *b) {
  ATSAN_ENTER_EARLY(strcmp, a, b);
  RecordComparison(recorder, a, b, kUnbounded, SameCase);
  return REAL(strcmp)(a, b);
}

ATSAN_INTERCEPTOR(int, strncmp, const char *a, const char *b, uptr max) {
  ATSAN_ENTER_EARLY(strncmp, a, b, max);
  RecordComparison(recorder, a, b, max, SameCase);
  return REAL(strncmp)(a, b, max);
}

ATSAN_BEFORE(int, strcasecmp, (const char *a, const char *b), (a, b),
             RecordComparison(recorder, a, b, kUnbounded, tolower))

ATSAN_BEFORE(int, strncasecmp, (const char *a, const char *b, uptr max),
             (a, b, max), RecordComparison(recorder, a, b, max, tolower))

ATSAN_BEFORE(int, strcasecmp_l, (const char *a, const char *b, void *locale),
             (a, b, locale),
             RecordComparison(recorder, a, b, kUnbounded,
                              [=](int c) { return tolower_l(c, locale); }))

ATSAN_BEFORE(int, strncasecmp_l,
             (const char *a, const char *b, uptr max, void *locale),
             (a, b, max, locale),
             RecordComparison(recorder, a, b, max,
                              [=](int c) { return tolower_l(c, locale); }))

// strcoll compares by the locale's order, for which more may be read than up to
// the first difference.
ATSAN_BEFORE(int, strcoll, (const char *a, const char *b), (a, b),
             RecordComparison(recorder, a, b, kUnbounded, SameCase))

ATSAN_BEFORE(int, strcoll_l, (const char *a, const char *b, void *locale),
             (a, b, locale),
             RecordComparison(recorder, a, b, kUnbounded, SameCase))

ATSAN_BEFORE(int, strverscmp, (const char *a, const char *b), (a, b),
             RecordComparison(recorder, a, b, kUnbounded, SameCase))

// --- Searching. --------------------------------------------------------------

// `found` is the last character that had to be read, or nullptr: all of them.
static void RecordSearch(const AccessRecorder &recorder, const char *s,
                         const char *found) {
  recorder.Read(s, (found ? found - s : internal_strlen(s)) + 1);
}

ATSAN_AFTER(char *, index, (const char *s, int c), (s, c),
            RecordSearch(recorder, s, res))

ATSAN_BEFORE(char *, rindex, (const char *s, int c), (s, c),
             RecordSearch(recorder, s, nullptr))

// --- Splitting. --------------------------------------------------------------

// The token ends with a character that becomes 0, unless the string ends there.
static void RecordToken(const AccessRecorder &recorder, const char *begin,
                        const char *token, const char *rest, const char *set) {
  if (!begin)
    return;
  RecordSearch(recorder, set, nullptr);
  const char *end = token ? token + internal_strlen(token) : rest;
  recorder.Read(begin, end - begin + 1);
  if (token && rest != end)
    recorder.Write(end, 1);
}

ATSAN_INTERCEPTOR(char *, strtok_r, char *s, const char *set, char **rest) {
  ATSAN_ENTER(strtok_r, s, set, rest);
  if (!s)
    recorder.Read(rest, sizeof(*rest));
  const char *begin = s ? s : *rest;
  char *token = REAL(strtok_r)(s, set, rest);
  RecordToken(recorder, begin, token, *rest, set);
  recorder.Write(rest, sizeof(*rest));
  return token;
}

// libc keeps the rest in a static variable of its own; this one takes its
// place, for all calls, so that the range is known.
ATSAN_INTERCEPTOR(char *, strtok, char *s, const char *set) {
  static char *rest;
  EnsureReady();
  ATSAN_RECORDER();
  if (!s && !rest)
    return nullptr;
  const char *begin = s ? s : rest;
  char *token = REAL(strtok_r)(s, set, &rest);
  if (recorder.Wanted())
    RecordToken(recorder, begin, token, rest, set);
  return token;
}

ATSAN_INTERCEPTOR(char *, strsep, char **s, const char *set) {
  ATSAN_ENTER(strsep, s, set);
  recorder.Read(s, sizeof(*s));
  char *token = REAL(strsep)(s, set);
  if (!token)
    return nullptr;
  recorder.Write(s, sizeof(*s));
  RecordToken(recorder, token, token, *s ? *s : token + internal_strlen(token),
              set);
  return token;
}
