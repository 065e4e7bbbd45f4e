//===-- atsan_format.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which memory a format of printf or scanf makes libc access, of narrow and
// wide formats, with numbered arguments (%1$s) and widths that are arguments
// (%.*s). A conversion that is not known here ends the list: what a program has
// taught libc with register_printf_function cannot be known.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_FORMAT_H
#define ATSAN_FORMAT_H

#include <stdarg.h>

#include "runtime/intercept/atsan_interceptors.h"

namespace __atsan {

// One conversion of a format.
struct Conversion {
  static constexpr int kNone = -1;
  // A number, or the index of the argument that holds it.
  struct Number {
    int value;
    int argument;
  };

  int argument;  // Explicit index, or kNone.
  Number width;
  Number precision;
  bool suppressed;  // scanf's %*.
  bool allocated;   // scanf's %m.
  u32 size;         // Bytes of an integer, by its modifier; 16: long double.
  char type;
};

template <class Char>
class FormatParser {
 public:
  FormatParser(const Char *format, bool is_scanf)
      : p_(format), is_scanf_(is_scanf) {}
  // Parses the next conversion. False: there is none, or none that is known.
  bool Next(Conversion *c);

 private:
  int ParseNumber();
  int ParseIndex();
  bool ParseStar(Conversion::Number *number);
  u32 ParseSize();
  bool SkipSet();

  const Char *p_;
  bool is_scanf_;
};

template <class Char>
int FormatParser<Char>::ParseNumber() {
  constexpr int kTooLarge = 1 << 24;
  int number = 0;
  for (; *p_ >= '0' && *p_ <= '9'; p_++)
    if (number < kTooLarge)
      number = number * 10 + (*p_ - '0');
  return number;
}

// Parses an explicit index such as "1$".
template <class Char>
int FormatParser<Char>::ParseIndex() {
  const Char *begin = p_;
  int number = ParseNumber();
  if (p_ != begin && *p_ == '$' && number > 0) {
    p_++;
    return number - 1;
  }
  p_ = begin;
  return Conversion::kNone;
}

// Parses "*" or "*1$": `number` is the argument of that index, or the next.
template <class Char>
bool FormatParser<Char>::ParseStar(Conversion::Number *number) {
  if (*p_ != '*')
    return false;
  p_++;
  constexpr int kNext = -2;
  int index = ParseIndex();
  number->argument = index == Conversion::kNone ? kNext : index;
  return true;
}

template <class Char>
u32 FormatParser<Char>::ParseSize() {
  u32 size = sizeof(int);
  for (;; p_++) {
    switch (*p_) {
      case 'h':
        size /= 2;
        continue;
      case 'L':
        size = sizeof(long double);
        continue;
      case 'l':
      case 'q':
      case 'j':
      case 'z':
      case 'Z':
      case 't':
        size = sizeof(long);
        continue;
    }
    return size;
  }
}

// Skips the rest of "[...]".
template <class Char>
bool FormatParser<Char>::SkipSet() {
  if (*p_ == '^')
    p_++;
  if (*p_ == ']')
    p_++;
  while (*p_ && *p_ != ']')
    p_++;
  return *p_++ == ']';
}

template <class Char>
bool FormatParser<Char>::Next(Conversion *c) {
  for (;;) {
    while (*p_ && *p_ != '%')
      p_++;
    if (!*p_++)
      return false;
    if (*p_ != '%')
      break;
    p_++;
  }
  *c = {Conversion::kNone,
        {Conversion::kNone, Conversion::kNone},
        {Conversion::kNone, Conversion::kNone},
        false,
        false,
        0,
        0};
  c->argument = ParseIndex();
  if (is_scanf_) {
    for (; *p_ == '*' || *p_ == '\'' || *p_ == 'I'; p_++)
      c->suppressed |= *p_ == '*';
    if (*p_ >= '0' && *p_ <= '9')
      c->width.value = ParseNumber();
    if (*p_ == 'm') {
      c->allocated = true;
      p_++;
    }
  } else {
    while (*p_ == '\'' || *p_ == '-' || *p_ == '+' || *p_ == ' ' ||
           *p_ == '#' || *p_ == '0' || *p_ == 'I')
      p_++;
    if (!ParseStar(&c->width) && *p_ >= '0' && *p_ <= '9')
      c->width.value = ParseNumber();
    if (*p_ == '.') {
      p_++;
      if (!ParseStar(&c->precision))
        c->precision.value = *p_ == '-' ? 0 : ParseNumber();
    }
  }
  c->size = ParseSize();
  Char type = *p_;
  if (type > 0 && type < 128)
    c->type = static_cast<char>(type);
  if (!c->type || !internal_strchr("diouxXeEfFgGaAcCsSpnm[bB", c->type))
    return false;
  p_++;
  return c->type != '[' || (is_scanf_ && SkipSet());
}

inline uptr StringLength(const char *s, uptr max) {
  return internal_strnlen(s, max);
}

inline uptr StringLength(const wchar_t *s, uptr max) {
  uptr length = 0;
  while (length < max && s[length])
    length++;
  return length;
}

// Characters that are read of a string of which no more than `max` are wanted.
template <class Char>
uptr StringRead(const Char *s, uptr max) {
  uptr length = StringLength(s, max);
  return length < max ? length + 1 : max;
}

constexpr uptr kUnbounded = ~static_cast<uptr>(0);

template <class Char>
void ReadString(const AccessRecorder &recorder, const Char *s,
                uptr max = kUnbounded) {
  if (s)
    recorder.Read(s, StringRead(s, max) * sizeof(Char));
}

template <class Char>
void WriteString(const AccessRecorder &recorder, const Char *s) {
  recorder.Write(s, StringRead(s, kUnbounded) * sizeof(Char));
}

// Before a call of printf and its like: the format and the strings that it
// prints are read, and what %n stores is written.
template <class Char>
void RecordPrintf(const AccessRecorder &recorder, const Char *format,
                  va_list args);

// After a call of scanf and its like that made `number` assignments.
template <class Char>
void RecordScanf(const AccessRecorder &recorder, const Char *format,
                 va_list args, int number);

}  // namespace __atsan

#endif  // ATSAN_FORMAT_H
