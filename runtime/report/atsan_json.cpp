//===-- atsan_json.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_json.h"

#include "lib/base/Printable.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

void JsonWriter::Separate() {
  if (needs_comma_)
    out_.Append(",");
  needs_comma_ = true;
}

void JsonWriter::Raw(const char *text) {
  Separate();
  out_.Append(text);
}

void JsonWriter::Open(const char *bracket) {
  Raw(bracket);
  needs_comma_ = false;
}

void JsonWriter::Close(const char *bracket) {
  out_.Append(bracket);
  needs_comma_ = true;
}

void JsonWriter::Key(const char *name) {
  String(name);
  out_.Append(":");
  needs_comma_ = false;
}

void JsonWriter::Number(u64 value) {
  Separate();
  out_.AppendF("%llu", value);
}

void JsonWriter::Address(uptr value) {
  Separate();
  out_.AppendF("\"0x%zx\"", value);
}

void JsonWriter::String(const char *value) {
  if (!value) {
    Null();
    return;
  }
  Separate();
  out_.Append("\"");
  AppendEscaped(value);
  out_.Append("\"");
}

static bool IsPlain(unsigned char c) {
  return c >= 0x20 && c != '"' && c != '\\';
}

void JsonWriter::AppendEscaped(const char *value) {
  auto *p = reinterpret_cast<const unsigned char *>(value);
  auto *plain = p;  // Text that is not written yet and needs no escape.
  auto flush = [&] {
    if (plain < p)
      out_.AppendF("%.*s", static_cast<int>(p - plain), plain);
  };
  while (*p) {
    uptr length = atsan_text::SequenceLength(p);
    if (length && IsPlain(*p)) {
      p += length;
      continue;
    }
    flush();
    if (!length)
      out_.Append("\\ufffd");
    else if (*p < 0x20)
      out_.AppendF("\\u%04x", *p);
    else
      out_.AppendF("\\%c", *p);
    plain = ++p;
  }
  flush();
}

}  // namespace __atsan
