//===- Json.h ---------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Findings as JSON: the members that every schema of ours has in common
// (schema/atsan-finding-2.schema.json). What is empty is left out.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_FINDING_JSON_H
#define ATSAN_FINDING_JSON_H

#include "lib/finding/JsonObject.h"

namespace atsan::finding {

/// All but Log, Program and Pid, which are no part of a finding.
nlohmann::ordered_json toJson(const Finding &F);
/// Reads these members of \p From; others are ignored. Throws FormatError.
Finding fromJson(const Object &From);
/// The text of \p J, indented. Strings may be of any bytes, such as names of
/// files: what is no UTF-8 becomes U+FFFD.
std::string toText(const nlohmann::ordered_json &J);
/// Gives the text on one line, without the line's end.
std::string toLine(const nlohmann::ordered_json &J);

} // namespace atsan::finding

#endif // ATSAN_FINDING_JSON_H
