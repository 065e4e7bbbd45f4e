//===- Printable.h -------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of the program in text for people: what would move a terminal's cursor,
// or is no UTF-8, is escaped as in C. The runtime and the tools share it, so it
// uses no library of either.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_BASE_PRINTABLE_H
#define ATSAN_BASE_PRINTABLE_H

namespace atsan_text {

// The length of the UTF-8 sequence at `text`, which ends in a zero byte; 0 if
// it is none (RFC 3629: no overlong forms, no surrogates, at most U+10FFFF).
inline unsigned long SequenceLength(const unsigned char *text) {
  unsigned char first = text[0];
  if (first < 0x80)
    return 1;
  unsigned long length = first >= 0xc2 && first <= 0xdf   ? 2
                         : first >= 0xe0 && first <= 0xef ? 3
                         : first >= 0xf0 && first <= 0xf4 ? 4
                                                          : 0;
  for (unsigned long i = 1; i < length; i++)
    if ((text[i] & 0xc0) != 0x80)
      return 0;
  bool bad =
      (first == 0xe0 && text[1] < 0xa0) || (first == 0xed && text[1] > 0x9f) ||
      (first == 0xf0 && text[1] < 0x90) || (first == 0xf4 && text[1] > 0x8f);
  return bad ? 0 : length;
}

// Calls put(char) for each character of `text` as it is to be shown.
template <class Put> void ForEachPrintable(const char *text, Put put) {
  const unsigned char *p = reinterpret_cast<const unsigned char *>(text);
  while (*p) {
    unsigned long length = SequenceLength(p);
    // The control characters that Unicode adds are from U+0080 to U+009F.
    bool is_control = *p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0);
    if (length && !is_control) {
      for (; length; length--)
        put(static_cast<char>(*p++));
      continue;
    }
    for (length = length ? length : 1; length; length--, p++) {
      put('\\');
      if (*p == '\n' || *p == '\t' || *p == '\r') {
        put(*p == '\n' ? 'n' : *p == '\t' ? 't' : 'r');
        continue;
      }
      put('x');
      put("0123456789abcdef"[*p >> 4]);
      put("0123456789abcdef"[*p & 15]);
    }
  }
}

// `text` as it is to be shown, as a string of the same kind.
template <class String> String Printable(const String &text) {
  String shown;
  ForEachPrintable(text.c_str(), [&](char c) { shown += c; });
  return shown;
}

} // namespace atsan_text

#endif // ATSAN_BASE_PRINTABLE_H
