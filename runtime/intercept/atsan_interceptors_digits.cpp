//===-- atsan_interceptors_digits.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Numbers to text, besides printf.
//
//===----------------------------------------------------------------------===//
#include <stdarg.h>

#include "runtime/intercept/atsan_interceptors.h"

using namespace __atsan;

// --- Digits, and where the point and the sign are. ---------------------------

// libc prints the number, and then takes the point out: one byte more, or as
// many as there were zeros in front. `before`: digits in front of the point.
static void WriteDigits(const AccessRecorder &recorder, const char *s,
                        int before, int behind) {
  constexpr int kMost = 17;
  uptr size = internal_strlen(s) + 1;
  if (behind > 0 && *s >= '0' && *s <= '9')
    size = Max<uptr>(size, Max(before, 1) + 1 + Min(behind, kMost) + 1);
  recorder.Write(s, size);
}

// The result of ecvt and fcvt is libc's, but shared. ecvt counts the digit in
// front of the point, too.
#define ATSAN_DIGITS_INTERCEPTORS(Type, func, func_r, is_fixed)               \
  ATSAN_AFTER(char *, func, (Type number, int digits, int *point, int *sign), \
              (number, digits, point, sign), recorder.WriteObject(point),     \
              recorder.WriteObject(sign), recorder.WriteString(res))          \
  ATSAN_INTERCEPTOR(int, func_r, Type number, int digits, int *point,         \
                    int *sign, char *s, uptr max) {                           \
    ATSAN_ENTER(func_r, number, digits, point, sign, s, max);                 \
    int res = REAL(func_r)(number, digits, point, sign, s, max);              \
    if (res == 0) {                                                           \
      recorder.WriteObject(point);                                            \
      recorder.WriteObject(sign);                                             \
      WriteDigits(recorder, s, is_fixed ? *point : 1,                         \
                  is_fixed ? digits : digits - 1);                            \
    }                                                                         \
    return res;                                                               \
  }

ATSAN_DIGITS_INTERCEPTORS(double, ecvt, ecvt_r, false)
ATSAN_DIGITS_INTERCEPTORS(double, fcvt, fcvt_r, true)
ATSAN_DIGITS_INTERCEPTORS(long double, qecvt, qecvt_r, false)
ATSAN_DIGITS_INTERCEPTORS(long double, qfcvt, qfcvt_r, true)

ATSAN_AFTER(char *, gcvt, (double number, int digits, char *s),
            (number, digits, s), recorder.WriteString(s))
ATSAN_AFTER(char *, qgcvt, (long double number, int digits, char *s),
            (number, digits, s), recorder.WriteString(s))

// --- By a format. ------------------------------------------------------------

// Defines the interceptor of a function that prints a number of the type.
#define ATSAN_STRFROM_INTERCEPTOR(Type, func)                         \
  ATSAN_AROUND(int, func,                                             \
               (char *s, uptr max, const char *format, Type number),  \
               (s, max, format, number), recorder.ReadString(format), \
               if (res >= 0) recorder.Write(s, Min<uptr>(max, res + 1)))

ATSAN_STRFROM_INTERCEPTOR(double, strfromd)
ATSAN_STRFROM_INTERCEPTOR(float, strfromf)
ATSAN_STRFROM_INTERCEPTOR(long double, strfroml)
