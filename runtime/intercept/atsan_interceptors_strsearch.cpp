//===-- atsan_interceptors_strsearch.cpp ----------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that compare strings, narrow and wide, and functions that split
// strings: reads up to where the result is decided.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_format.h"

using namespace __atsan;

extern "C" int tolower(int c);
extern "C" int tolower_l(int c, void *locale);
extern "C" unsigned towlower(unsigned c);
extern "C" unsigned towlower_l(unsigned c, void *locale);

// --- Comparing. --------------------------------------------------------------

namespace {

// What a comparison sees in place of a character.
struct SameCase {
  template <class Char>
  Char operator()(Char c) const {
    return c;
  }
};
struct LowerCase {
  int operator()(char c) const { return tolower(static_cast<u8>(c)); }
  unsigned operator()(wchar_t c) const { return towlower(c); }
};
struct LowerCaseIn {
  void *locale;
  int operator()(char c) const { return tolower_l(static_cast<u8>(c), locale); }
  unsigned operator()(wchar_t c) const { return towlower_l(c, locale); }
};

// Reads of both strings: up to the first difference or the end.
template <class Char, class Fold = SameCase>
void RecordComparison(const AccessRecorder &recorder, const Char *a,
                      const Char *b, uptr max = kUnbounded,
                      Fold fold = Fold()) {
  uptr seen = 0;
  while (seen < max) {
    const Char x = a[seen];
    const Char y = b[seen];
    seen++;
    if (!x || fold(x) != fold(y))
      break;
  }
  recorder.Read(a, seen * sizeof(Char));
  recorder.Read(b, seen * sizeof(Char));
}

}  // namespace

ATSAN_INTERCEPTOR(int, strcmp, const char *a, const char *b) {
  ATSAN_ENTER_EARLY(strcmp, a, b);
  RecordComparison(recorder, a, b);
  return REAL(strcmp)(a, b);
}

ATSAN_INTERCEPTOR(int, strncmp, const char *a, const char *b, uptr max) {
  ATSAN_ENTER_EARLY(strncmp, a, b, max);
  RecordComparison(recorder, a, b, max);
  return REAL(strncmp)(a, b, max);
}

ATSAN_BEFORE(int, wcscmp, (const wchar_t *a, const wchar_t *b), (a, b),
             RecordComparison(recorder, a, b))
ATSAN_BEFORE(int, wcsncmp, (const wchar_t *a, const wchar_t *b, uptr max),
             (a, b, max), RecordComparison(recorder, a, b, max))
ATSAN_BEFORE(int, strverscmp, (const char *a, const char *b), (a, b),
             RecordComparison(recorder, a, b))

// Defines the interceptors of the functions that compare without regard to
// case, each with its bounded twin, and with those that are given a locale.
#define ATSAN_CASE_INTERCEPTORS(Char, func, bounded, func_l, bounded_l)   \
  ATSAN_BEFORE(int, func, (const Char *a, const Char *b), (a, b),         \
               RecordComparison(recorder, a, b, kUnbounded, LowerCase())) \
  ATSAN_BEFORE(int, bounded, (const Char *a, const Char *b, uptr max),    \
               (a, b, max),                                               \
               RecordComparison(recorder, a, b, max, LowerCase()))        \
  ATSAN_BEFORE(                                                           \
      int, func_l, (const Char *a, const Char *b, void *locale),          \
      (a, b, locale),                                                     \
      RecordComparison(recorder, a, b, kUnbounded, LowerCaseIn{locale}))  \
  ATSAN_BEFORE(int, bounded_l,                                            \
               (const Char *a, const Char *b, uptr max, void *locale),    \
               (a, b, max, locale),                                       \
               RecordComparison(recorder, a, b, max, LowerCaseIn{locale}))

ATSAN_CASE_INTERCEPTORS(char, strcasecmp, strncasecmp, strcasecmp_l,
                        strncasecmp_l)
ATSAN_CASE_INTERCEPTORS(wchar_t, wcscasecmp, wcsncasecmp, wcscasecmp_l,
                        wcsncasecmp_l)

// Defines the interceptors of the functions that compare by a locale's order,
// for which more may be read than up to the first difference.
#define ATSAN_COLLATE_INTERCEPTORS(Char, func, func_l)                    \
  ATSAN_BEFORE(int, func, (const Char *a, const Char *b), (a, b),         \
               RecordComparison(recorder, a, b))                          \
  ATSAN_BEFORE(int, func_l, (const Char *a, const Char *b, void *locale), \
               (a, b, locale), RecordComparison(recorder, a, b))

ATSAN_COLLATE_INTERCEPTORS(char, strcoll, strcoll_l)
ATSAN_COLLATE_INTERCEPTORS(wchar_t, wcscoll, wcscoll_l)

// --- Splitting. --------------------------------------------------------------

// The token ends with a character that becomes 0, unless the string ends there.
static void RecordToken(const AccessRecorder &recorder, const char *begin,
                        const char *token, const char *rest, const char *set) {
  if (!begin)
    return;
  recorder.ReadString(set);
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
  ATSAN_RECORDER_OF(strtok);
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
