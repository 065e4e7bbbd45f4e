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

// What ecvt and fcvt return is libc's, but shared. ecvt counts the digit in
// front of the point, too.
#define ATSAN_DIGITS_INTERCEPTORS(Type, func, func_r, is_fixed)        \
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
      WriteDigits(recorder, s, is_fixed ? *point : 1,                  \
                  is_fixed ? digits : digits - 1);                     \
    }                                                                  \
    return res;                                                        \
  }

ATSAN_DIGITS_INTERCEPTORS(double, ecvt, ecvt_r, false)
ATSAN_DIGITS_INTERCEPTORS(double, fcvt, fcvt_r, true)
ATSAN_DIGITS_INTERCEPTORS(long double, qecvt, qecvt_r, false)
ATSAN_DIGITS_INTERCEPTORS(long double, qfcvt, qfcvt_r, true)

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

// Before an amount is printed, there is a 0 at the end of the room.
void RecordAmounts(const AccessRecorder &recorder, const char *s, uptr max,
                   const char *format, sptr length) {
  recorder.ReadString(format);
  if (length < 0)
    return;
  recorder.Write(s, length + 1);
  if (internal_strchr(format, '%'))
    recorder.Write(s + max - 1, 1);
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
  RecordAmounts(recorder, s, max, format, length);
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
  RecordAmounts(recorder, s, max, format, length);
  return length;
}
