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

#include "atsan_interceptors.h"

using namespace __atsan;

// --- Digits, and where the point and the sign are. ---------------------------

// What ecvt and fcvt return is libc's, but shared.
#define ATSAN_DIGITS_INTERCEPTORS(Type, func, func_r)                  \
  ATSAN_INTERCEPTOR(char *, func, Type number, int digits, int *point, \
                    int *sign) {                                       \
    ATSAN_ENTER(func, number, digits, point, sign);                    \
    char *res = REAL(func)(number, digits, point, sign);               \
    recorder.WriteObject(point);                                       \
    recorder.WriteObject(sign);                                        \
    recorder.WriteString(res);                                         \
    return res;                                                        \
  }                                                                    \
  ATSAN_INTERCEPTOR(int, func_r, Type number, int digits, int *point,  \
                    int *sign, char *s, uptr max) {                    \
    ATSAN_ENTER(func_r, number, digits, point, sign, s, max);          \
    int res = REAL(func_r)(number, digits, point, sign, s, max);       \
    if (res == 0) {                                                    \
      recorder.WriteObject(point);                                     \
      recorder.WriteObject(sign);                                      \
      recorder.WriteString(s);                                         \
    }                                                                  \
    return res;                                                        \
  }

ATSAN_DIGITS_INTERCEPTORS(double, ecvt, ecvt_r)
ATSAN_DIGITS_INTERCEPTORS(double, fcvt, fcvt_r)
ATSAN_DIGITS_INTERCEPTORS(long double, qecvt, qecvt_r)
ATSAN_DIGITS_INTERCEPTORS(long double, qfcvt, qfcvt_r)

#define ATSAN_GCVT_INTERCEPTOR(Type, func)                            \
  ATSAN_INTERCEPTOR(char *, func, Type number, int digits, char *s) { \
    ATSAN_ENTER(func, number, digits, s);                             \
    char *res = REAL(func)(number, digits, s);                        \
    recorder.WriteString(s);                                          \
    return res;                                                       \
  }

ATSAN_GCVT_INTERCEPTOR(double, gcvt)
ATSAN_GCVT_INTERCEPTOR(long double, qgcvt)

// --- By a format. ------------------------------------------------------------

#define ATSAN_STRFROM_INTERCEPTOR(Type, func)                         \
  ATSAN_INTERCEPTOR(int, func, char *s, uptr max, const char *format, \
                    Type number) {                                    \
    ATSAN_ENTER(func, s, max, format, number);                        \
    recorder.ReadString(format);                                      \
    int length = REAL(func)(s, max, format, number);                  \
    if (length >= 0)                                                  \
      recorder.Write(s, Min<uptr>(max, length + 1));                  \
    return length;                                                    \
  }

ATSAN_STRFROM_INTERCEPTOR(double, strfromd)
ATSAN_STRFROM_INTERCEPTOR(float, strfromf)
ATSAN_STRFROM_INTERCEPTOR(long double, strfroml)

// --- Amounts of money. -------------------------------------------------------

namespace {

// Arguments that are all floating-point numbers, as the ABI passes them: in
// registers, and behind these on the stack, as long double always. libc has no
// strfmon that takes a va_list.
struct Amounts {
  struct alignas(16) Stack {
    u64 words[16];
  };
  explicit Amounts(va_list args) {
    for (double &number : registers)
      number = va_arg(args, double);
    stack = va_arg(args, Stack);
  }
  double registers[8];
  Stack stack;
};

void RecordAmounts(const AccessRecorder &recorder, const char *s,
                   const char *format, sptr length) {
  recorder.ReadString(format);
  recorder.Write(s, length >= 0 ? length + 1 : 0);
}

}  // namespace

#define ATSAN_AMOUNTS(a)                                          \
  a.registers[0], a.registers[1], a.registers[2], a.registers[3], \
      a.registers[4], a.registers[5], a.registers[6], a.registers[7], a.stack

ATSAN_INTERCEPTOR(sptr, strfmon, char *s, uptr max, const char *format, ...) {
  va_list args;
  va_start(args, format);
  Amounts amounts(args);
  va_end(args);
  ATSAN_ENTER(strfmon, s, max, format, ATSAN_AMOUNTS(amounts));
  sptr length = REAL(strfmon)(s, max, format, ATSAN_AMOUNTS(amounts));
  RecordAmounts(recorder, s, format, length);
  return length;
}

ATSAN_INTERCEPTOR(sptr, strfmon_l, char *s, uptr max, void *locale,
                  const char *format, ...) {
  va_list args;
  va_start(args, format);
  Amounts amounts(args);
  va_end(args);
  ATSAN_ENTER(strfmon_l, s, max, locale, format, ATSAN_AMOUNTS(amounts));
  sptr length = REAL(strfmon_l)(s, max, locale, format, ATSAN_AMOUNTS(amounts));
  RecordAmounts(recorder, s, format, length);
  return length;
}
