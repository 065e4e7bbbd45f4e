//===- Identity.h -----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fingerprints of findings that a tool made, and what else the readers of such
// findings have in common.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REPORT_IDENTITY_H
#define ATSAN_REPORT_IDENTITY_H

#include "lib/report/JsonObject.h"
#include "lib/report/LogReader.h"

namespace atsan::report {

/// FNV-1a over strings, each with its final zero byte, as in the fingerprints
/// that programs make (runtime/report/atsan_report_identity.cpp).
class Identity {
public:
  void add(const std::string &Text);
  /// Function and file, but no line, which any edit shifts.
  void addCode(const Stack &Frames);
  /// The fingerprint, behind a letter for the tool.
  std::string result(char Tool) const;

private:
  uint64_t Value = 0xcbf29ce484222325ull;
};

/// A line of a text as a place.
Frame lineOf(const std::string &File, uint64_t Line);

/// Is the text JSON by a schema of this name, whole or damaged?
bool isOutput(std::string_view Text, std::string_view Schema);
/// Throws FormatError if the schema is of another version than 1.
void requireVersion(const Object &From, std::string_view Schema);
/// Calls Read(Object, Name, Out) for JSON that \p Tool has written; what it
/// throws becomes a problem.
void readOutput(std::string_view Text, const std::string &Name,
                const char *Tool, Logs &Out,
                void (*Read)(const Object &, const std::string &, Logs &));

} // namespace atsan::report

#endif
