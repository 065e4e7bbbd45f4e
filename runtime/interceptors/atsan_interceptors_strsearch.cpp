//===-- atsan_interceptors_strsearch.cpp ----------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that compare, search and split strings: reads up to where the
// result is decided.
//
//===----------------------------------------------------------------------===//
#include "atsan_interceptors.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __atsan;

extern "C" int tolower(int c);

constexpr uptr kUnbounded = ~static_cast<uptr>(0);

// --- Comparing. --------------------------------------------------------------

static int SameCase(int c) { return c; }

// Reads of both strings: up to the first difference or the end.
static void RecordComparison(const AccessRecorder &recorder, const char *a,
                             const char *b, uptr max, int (*fold)(int)) {
  if (!recorder.Wanted())
    return;
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
  if (MayBypass())
    return REAL(strcmp)(a, b);
  if (!runtime_ready)
    return internal_strcmp(a, b);
  ATSAN_RECORDER();
  RecordComparison(recorder, a, b, kUnbounded, SameCase);
  return REAL(strcmp)(a, b);
}

ATSAN_INTERCEPTOR(int, strncmp, const char *a, const char *b, uptr max) {
  if (MayBypass())
    return REAL(strncmp)(a, b, max);
  if (!runtime_ready)
    return internal_strncmp(a, b, max);
  ATSAN_RECORDER();
  RecordComparison(recorder, a, b, max, SameCase);
  return REAL(strncmp)(a, b, max);
}

ATSAN_INTERCEPTOR(int, strcasecmp, const char *a, const char *b) {
  if (MayBypass())
    return REAL(strcasecmp)(a, b);
  ATSAN_RECORDER();
  RecordComparison(recorder, a, b, kUnbounded, tolower);
  return REAL(strcasecmp)(a, b);
}

ATSAN_INTERCEPTOR(int, strncasecmp, const char *a, const char *b, uptr max) {
  if (MayBypass())
    return REAL(strncasecmp)(a, b, max);
  ATSAN_RECORDER();
  RecordComparison(recorder, a, b, max, tolower);
  return REAL(strncasecmp)(a, b, max);
}

// --- Searching. --------------------------------------------------------------

// `found` is the last character that had to be read, or nullptr: all of them.
static void RecordSearch(const AccessRecorder &recorder, const char *s,
                         const char *found) {
  if (recorder.Wanted())
    recorder.Read(s, (found ? found - s : internal_strlen(s)) + 1);
}

ATSAN_INTERCEPTOR(char *, strchr, const char *s, int c) {
  if (MayBypass())
    return REAL(strchr)(s, c);
  ATSAN_RECORDER();
  char *found = REAL(strchr)(s, c);
  RecordSearch(recorder, s, found);
  return found;
}

ATSAN_INTERCEPTOR(char *, index, const char *s, int c) {
  if (MayBypass())
    return REAL(index)(s, c);
  ATSAN_RECORDER();
  char *found = REAL(index)(s, c);
  RecordSearch(recorder, s, found);
  return found;
}

ATSAN_INTERCEPTOR(char *, strchrnul, const char *s, int c) {
  if (MayBypass())
    return REAL(strchrnul)(s, c);
  ATSAN_RECORDER();
  char *found = REAL(strchrnul)(s, c);
  RecordSearch(recorder, s, found);
  return found;
}

ATSAN_INTERCEPTOR(char *, strrchr, const char *s, int c) {
  if (MayBypass())
    return REAL(strrchr)(s, c);
  ATSAN_RECORDER();
  RecordSearch(recorder, s, nullptr);
  return REAL(strrchr)(s, c);
}

ATSAN_INTERCEPTOR(char *, rindex, const char *s, int c) {
  if (MayBypass())
    return REAL(rindex)(s, c);
  ATSAN_RECORDER();
  RecordSearch(recorder, s, nullptr);
  return REAL(rindex)(s, c);
}

static void RecordSubstring(const AccessRecorder &recorder, const char *s,
                            const char *pattern, const char *found) {
  if (!recorder.Wanted())
    return;
  uptr length = internal_strlen(pattern);
  recorder.Read(pattern, length + 1);
  if (found)
    recorder.Read(s, found - s + length);
  else
    RecordSearch(recorder, s, nullptr);
}

ATSAN_INTERCEPTOR(char *, strstr, const char *s, const char *pattern) {
  if (MayBypass())
    return REAL(strstr)(s, pattern);
  ATSAN_RECORDER();
  char *found = REAL(strstr)(s, pattern);
  RecordSubstring(recorder, s, pattern, found);
  return found;
}

ATSAN_INTERCEPTOR(char *, strcasestr, const char *s, const char *pattern) {
  if (MayBypass())
    return REAL(strcasestr)(s, pattern);
  ATSAN_RECORDER();
  char *found = REAL(strcasestr)(s, pattern);
  RecordSubstring(recorder, s, pattern, found);
  return found;
}

ATSAN_INTERCEPTOR(uptr, strspn, const char *s, const char *set) {
  if (MayBypass())
    return REAL(strspn)(s, set);
  ATSAN_RECORDER();
  uptr length = REAL(strspn)(s, set);
  RecordSearch(recorder, set, nullptr);
  recorder.Read(s, length + 1);
  return length;
}

ATSAN_INTERCEPTOR(uptr, strcspn, const char *s, const char *set) {
  if (MayBypass())
    return REAL(strcspn)(s, set);
  ATSAN_RECORDER();
  uptr length = REAL(strcspn)(s, set);
  RecordSearch(recorder, set, nullptr);
  recorder.Read(s, length + 1);
  return length;
}

ATSAN_INTERCEPTOR(char *, strpbrk, const char *s, const char *set) {
  if (MayBypass())
    return REAL(strpbrk)(s, set);
  ATSAN_RECORDER();
  char *found = REAL(strpbrk)(s, set);
  RecordSearch(recorder, set, nullptr);
  RecordSearch(recorder, s, found);
  return found;
}

// --- Splitting. --------------------------------------------------------------

// The token ends with a character that becomes 0, unless the string ends there.
static void RecordToken(const AccessRecorder &recorder, const char *begin,
                        const char *token, const char *rest, const char *set) {
  if (!recorder.Wanted() || !begin)
    return;
  RecordSearch(recorder, set, nullptr);
  const char *end = token ? token + internal_strlen(token) : rest;
  recorder.Read(begin, end - begin + 1);
  if (token && rest != end)
    recorder.Write(end, 1);
}

ATSAN_INTERCEPTOR(char *, strtok_r, char *s, const char *set, char **rest) {
  if (MayBypass())
    return REAL(strtok_r)(s, set, rest);
  ATSAN_RECORDER();
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
  RecordToken(recorder, begin, token, rest, set);
  return token;
}

ATSAN_INTERCEPTOR(char *, strsep, char **s, const char *set) {
  if (MayBypass())
    return REAL(strsep)(s, set);
  ATSAN_RECORDER();
  recorder.Read(s, sizeof(*s));
  char *token = REAL(strsep)(s, set);
  if (!token)
    return nullptr;
  recorder.Write(s, sizeof(*s));
  RecordToken(recorder, token, token, *s ? *s : token + internal_strlen(token),
              set);
  return token;
}
