//===-- atsan_interceptors_convert.cpp ------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text to numbers, and multibyte to wide characters and back: reads as far as
// the conversion went.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_format.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

// --- Numbers. ----------------------------------------------------------------

// libc looks at the character at which it stops, too. If there is no number,
// that is the one behind blanks and a sign.
template <class Char>
static void ReadNumber(const AccessRecorder &recorder, const Char *s,
                       const Char *stop) {
  if (stop == s) {
    while (*stop == ' ' || (*stop >= '\t' && *stop <= '\r'))
      stop++;
    if (*stop == '+' || *stop == '-')
      stop++;
  }
  recorder.Read(s, (stop - s + 1) * sizeof(Char));
}

template <class Char>
static void FinishNumber(const AccessRecorder &recorder, const Char *s,
                         Char *stop, Char **end) {
  if (!stop)
    return;
  ReadNumber(recorder, s, static_cast<const Char *>(stop));
  if (!end)
    return;
  *end = stop;
  recorder.WriteObject(end);
}

// Defines the interceptor of a function that reads an integer. libc is asked
// for the end also where the program does not. If there is no such base, libc
// reads nothing, and does not say where it has ended.
#define ATSAN_INTEGER_INTERCEPTOR(Type, func, Char)                    \
  ATSAN_INTERCEPTOR(Type, func, const Char *s, Char **end, int base) { \
    ATSAN_ENTER(func, s, end, base);                                   \
    Char *stop = nullptr;                                              \
    Type res = REAL(func)(s, &stop, base);                             \
    FinishNumber(recorder, s, stop, end);                              \
    return res;                                                        \
  }

// Defines the interceptor of a function that reads an integer by a locale.
#define ATSAN_INTEGER_L_INTERCEPTOR(Type, func, Char)                \
  ATSAN_INTERCEPTOR(Type, func, const Char *s, Char **end, int base, \
                    void *locale) {                                  \
    ATSAN_ENTER(func, s, end, base, locale);                         \
    Char *stop = nullptr;                                            \
    Type res = REAL(func)(s, &stop, base, locale);                   \
    FinishNumber(recorder, s, stop, end);                            \
    return res;                                                      \
  }

// Defines the interceptor of a function that reads a fraction by a locale.
#define ATSAN_FLOAT_L_INTERCEPTOR(Type, func, Char)                        \
  ATSAN_INTERCEPTOR(Type, func, const Char *s, Char **end, void *locale) { \
    ATSAN_ENTER(func, s, end, locale);                                     \
    Char *stop;                                                            \
    Type res = REAL(func)(s, &stop, locale);                               \
    FinishNumber(recorder, s, stop, end);                                  \
    return res;                                                            \
  }

// Defines the interceptor of a function that reads a fraction.
#define ATSAN_FLOAT_INTERCEPTOR(Type, func, Char)            \
  ATSAN_INTERCEPTOR(Type, func, const Char *s, Char **end) { \
    ATSAN_ENTER(func, s, end);                               \
    Char *stop;                                              \
    Type res = REAL(func)(s, &stop);                         \
    FinishNumber(recorder, s, stop, end);                    \
    return res;                                              \
  }

ATSAN_INTEGER_INTERCEPTOR(long, strtol, char)
ATSAN_INTEGER_INTERCEPTOR(unsigned long, strtoul, char)
ATSAN_INTEGER_INTERCEPTOR(long long, strtoll, char)
ATSAN_INTEGER_INTERCEPTOR(unsigned long long, strtoull, char)
ATSAN_FLOAT_INTERCEPTOR(double, strtod, char)
ATSAN_FLOAT_INTERCEPTOR(float, strtof, char)
ATSAN_FLOAT_INTERCEPTOR(long double, strtold, char)

ATSAN_INTEGER_INTERCEPTOR(long, wcstol, wchar_t)
ATSAN_INTEGER_INTERCEPTOR(unsigned long, wcstoul, wchar_t)
ATSAN_INTEGER_INTERCEPTOR(long long, wcstoll, wchar_t)
ATSAN_INTEGER_INTERCEPTOR(unsigned long long, wcstoull, wchar_t)
ATSAN_FLOAT_INTERCEPTOR(double, wcstod, wchar_t)
ATSAN_FLOAT_INTERCEPTOR(float, wcstof, wchar_t)
ATSAN_FLOAT_INTERCEPTOR(long double, wcstold, wchar_t)

// These functions use the blanks and points of a given locale.
ATSAN_INTEGER_L_INTERCEPTOR(long, strtol_l, char)
ATSAN_INTEGER_L_INTERCEPTOR(unsigned long, strtoul_l, char)
ATSAN_INTEGER_L_INTERCEPTOR(long long, strtoll_l, char)
ATSAN_INTEGER_L_INTERCEPTOR(unsigned long long, strtoull_l, char)
ATSAN_FLOAT_L_INTERCEPTOR(double, strtod_l, char)
ATSAN_FLOAT_L_INTERCEPTOR(float, strtof_l, char)
ATSAN_FLOAT_L_INTERCEPTOR(long double, strtold_l, char)
ATSAN_INTEGER_L_INTERCEPTOR(long, wcstol_l, wchar_t)
ATSAN_INTEGER_L_INTERCEPTOR(unsigned long, wcstoul_l, wchar_t)
ATSAN_INTEGER_L_INTERCEPTOR(long long, wcstoll_l, wchar_t)
ATSAN_INTEGER_L_INTERCEPTOR(unsigned long long, wcstoull_l, wchar_t)
ATSAN_FLOAT_L_INTERCEPTOR(double, wcstod_l, wchar_t)
ATSAN_FLOAT_L_INTERCEPTOR(float, wcstof_l, wchar_t)
ATSAN_FLOAT_L_INTERCEPTOR(long double, wcstold_l, wchar_t)

// C23 numbers may be binary. A libc without these never calls them.
ATSAN_INTEGER_INTERCEPTOR(long, __isoc23_strtol, char)
ATSAN_INTEGER_INTERCEPTOR(unsigned long, __isoc23_strtoul, char)
ATSAN_INTEGER_INTERCEPTOR(long long, __isoc23_strtoll, char)
ATSAN_INTEGER_INTERCEPTOR(unsigned long long, __isoc23_strtoull, char)
ATSAN_INTEGER_INTERCEPTOR(long, __isoc23_wcstol, wchar_t)
ATSAN_INTEGER_INTERCEPTOR(unsigned long, __isoc23_wcstoul, wchar_t)
ATSAN_INTEGER_INTERCEPTOR(long long, __isoc23_wcstoll, wchar_t)
ATSAN_INTEGER_INTERCEPTOR(unsigned long long, __isoc23_wcstoull, wchar_t)
ATSAN_INTEGER_INTERCEPTOR(long, __isoc23_wcstoimax, wchar_t)
ATSAN_INTEGER_INTERCEPTOR(unsigned long, __isoc23_wcstoumax, wchar_t)

// Defines the interceptor of a function that does not tell where the number
// ends: `convert`, which does, takes its place.
#define ATSAN_ATOI_INTERCEPTOR(Type, func, convert, ...) \
  ATSAN_INTERCEPTOR(Type, func, const char *s) {         \
    ATSAN_ENTER(func, s);                                \
    char *stop;                                          \
    Type res = REAL(convert)(s, &stop, ##__VA_ARGS__);   \
    ReadNumber<char>(recorder, s, stop);                 \
    return res;                                          \
  }

ATSAN_ATOI_INTERCEPTOR(int, atoi, strtol, 10)
ATSAN_ATOI_INTERCEPTOR(long, atol, strtol, 10)
ATSAN_ATOI_INTERCEPTOR(long long, atoll, strtoll, 10)
ATSAN_ATOI_INTERCEPTOR(double, atof, strtod)

// --- Strings: what mbsrtowcs and its like consume is known from *src. --------

constexpr uptr kInvalid = ~static_cast<uptr>(0);

// `rest`: where the conversion stopped; nullptr, at the end of the string. With
// no destination all of the source is read, and `rest` says nothing.
template <class To, class From>
static void RecordConversion(const AccessRecorder &recorder, To *dst,
                             const From *src, const From *rest, uptr max,
                             uptr converted) {
  uptr seen;
  if (dst && rest) {
    seen = rest - src + (converted == kInvalid ? 1 : 0);
  } else {
    seen = StringRead(src, max);
  }
  recorder.Read(src, seen * sizeof(From));
  if (dst && converted != kInvalid)
    recorder.Write(dst, (converted + (rest ? 0 : 1)) * sizeof(To));
}

// mbstowcs and wcstombs are defined by the restartable functions.
#define ATSAN_STRING_INTERCEPTORS(To, From, name, restartable, bounded)      \
  ATSAN_INTERCEPTOR(uptr, restartable, To *dst, const From **src, uptr size, \
                    void *state) {                                           \
    ATSAN_ENTER(restartable, dst, src, size, state);                         \
    recorder.ReadObject(src);                                                \
    const From *begin = *src;                                                \
    uptr res = REAL(restartable)(dst, src, size, state);                     \
    RecordConversion(recorder, dst, begin, *src, kUnbounded, res);           \
    if (dst)                                                                 \
      recorder.WriteObject(src);                                             \
    return res;                                                              \
  }                                                                          \
  ATSAN_INTERCEPTOR(uptr, bounded, To *dst, const From **src, uptr max,      \
                    uptr size, void *state) {                                \
    ATSAN_ENTER(bounded, dst, src, max, size, state);                        \
    recorder.ReadObject(src);                                                \
    const From *begin = *src;                                                \
    uptr res = REAL(bounded)(dst, src, max, size, state);                    \
    RecordConversion(recorder, dst, begin, *src, max, res);                  \
    if (dst)                                                                 \
      recorder.WriteObject(src);                                             \
    return res;                                                              \
  }                                                                          \
  ATSAN_INTERCEPTOR(uptr, name, To *dst, const From *src, uptr size) {       \
    ATSAN_ENTER(name, dst, src, size);                                       \
    u64 state[2] = {};                                                       \
    const From *rest = src;                                                  \
    uptr res = REAL(restartable)(dst, &rest, size, state);                   \
    RecordConversion(recorder, dst, src, rest, kUnbounded, res);             \
    return res;                                                              \
  }

ATSAN_STRING_INTERCEPTORS(wchar_t, char, mbstowcs, mbsrtowcs, mbsnrtowcs)
ATSAN_STRING_INTERCEPTORS(char, wchar_t, wcstombs, wcsrtombs, wcsnrtombs)

// --- Single characters. ------------------------------------------------------

// `res`: the length of the character; 0, the null character; -1, an invalid
// one; -2, all of it is part of one that goes on.
static void ReadCharacter(const AccessRecorder &recorder, const char *s,
                          uptr max, sptr res) {
  recorder.Read(s, !s          ? 0
                   : res == -2 ? max
                   : res > 0   ? res
                               : Min<uptr>(max, 1));
}

ATSAN_AFTER(int, mblen, (const char *s, uptr max), (s, max),
            ReadCharacter(recorder, s, max, res))
ATSAN_AFTER(uptr, mbrlen, (const char *s, uptr max, void *state),
            (s, max, state), ReadCharacter(recorder, s, max, res))

ATSAN_AFTER(int, mbtowc, (wchar_t *c, const char *s, uptr max), (c, s, max),
            ReadCharacter(recorder, s, max, res),
            recorder.WriteObject(res >= 0 && s ? c : nullptr))
ATSAN_AFTER(uptr, mbrtowc, (wchar_t *c, const char *s, uptr max, void *state),
            (c, s, max, state), ReadCharacter(recorder, s, max, res),
            recorder.WriteObject(static_cast<sptr>(res) >= 0 && s ? c
                                                                  : nullptr))

// --- Single characters of <uchar.h>. -----------------------------------------

// -3: the second half of a pair, of which nothing is left to read.
#define ATSAN_UCHAR_INTERCEPTORS(Char, to, from)                               \
  ATSAN_INTERCEPTOR(uptr, to, Char *c, const char *s, uptr max, void *state) { \
    ATSAN_ENTER(to, c, s, max, state);                                         \
    const sptr res = REAL(to)(c, s, max, state);                               \
    if (res != -3)                                                             \
      ReadCharacter(recorder, s, max, res);                                    \
    if (s && (res >= 0 || res == -3))                                          \
      recorder.WriteObject(c);                                                 \
    return res;                                                                \
  }                                                                            \
  ATSAN_AFTER(uptr, from, (char *s, Char c, void *state), (s, c, state),       \
              if (s && static_cast<sptr>(res) > 0) recorder.Write(s, res))

ATSAN_UCHAR_INTERCEPTORS(u16, mbrtoc16, c16rtomb)
ATSAN_UCHAR_INTERCEPTORS(u32, mbrtoc32, c32rtomb)

// --- Character sets. ---------------------------------------------------------

// What is left behind a conversion that stops early may have been looked at.
ATSAN_INTERCEPTOR(uptr, iconv, void *descriptor, char **from, uptr *from_left,
                  char **to, uptr *to_left) {
  ATSAN_ENTER(iconv, descriptor, from, from_left, to, to_left);
  const bool converts = from && *from;
  recorder.ReadObject(from);
  if (converts) {
    recorder.ReadObject(from_left);
    recorder.Read(*from, *from_left);
  }
  char *const begin = to ? *to : nullptr;
  if (begin) {
    recorder.ReadObject(to);
    recorder.ReadObject(to_left);
  }
  const uptr res = REAL(iconv)(descriptor, from, from_left, to, to_left);
  if (converts) {
    recorder.WriteObject(from);
    recorder.WriteObject(from_left);
  }
  if (begin) {
    recorder.Write(begin, *to - begin);
    recorder.WriteObject(to);
    recorder.WriteObject(to_left);
  }
  return res;
}
