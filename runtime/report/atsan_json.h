//===-- atsan_json.h --------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes one JSON value on one line, into memory. Bytes that are not UTF-8
// become U+FFFD: names of files and regions may hold anything. Knows nothing of
// reports.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_JSON_H
#define ATSAN_JSON_H

#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

using namespace __sanitizer;

class JsonWriter {
 public:
  void BeginObject() { Open("{"); }
  void EndObject() { Close("}"); }
  void BeginArray() { Open("["); }
  void EndArray() { Close("]"); }
  void Key(const char *name);

  void Null() { Raw("null"); }
  void Bool(bool value) { Raw(value ? "true" : "false"); }
  void Number(u64 value);
  void String(const char *value);  // A null pointer becomes null.
  void Address(uptr value);        // "0x12ab": JSON's numbers have 53 bits.

  void Field(const char *key, const char *value) { Key(key), String(value); }
  void BoolField(const char *key, bool value) { Key(key), Bool(value); }
  void NumberField(const char *key, u64 value) { Key(key), Number(value); }
  void AddressField(const char *key, uptr value) { Key(key), Address(value); }

  const InternalScopedString &text() const { return out_; }
  void EndLine() { out_.Append("\n"); }

 private:
  void Open(const char *bracket);
  void Close(const char *bracket);
  void Raw(const char *text);
  void Separate();
  void AppendEscaped(const char *value);

  InternalScopedString out_;
  bool needs_comma_ = false;
};

}  // namespace __atsan

#endif  // ATSAN_JSON_H
