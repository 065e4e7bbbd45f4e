//===- EventText.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Events in words, for people.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_EVENTTEXT_H
#define ATSAN_TRACE_EVENTTEXT_H

#include "lib/event/Event.h"
#include <optional>

namespace atsan::trace {

/// The name of a kind: "read", "barrier-arrive": lower case, no blanks.
const char *kindName(EventKind K);
std::optional<EventKind> kindOf(const std::string &Name);

/// What the event is about: "x (4 bytes)", "lock l", "T2"; empty for a region
/// without a name.
std::string objectText(const Event &E, const Names &Known);

std::string hexText(uint64_t Number);
/// Is what Names says of a variable or lock its address, not a name?
bool isHexText(const std::string &Name); ///< "0x7f".

/// A frame in words: "f() file.c:7:3", "(a.out+0x12)".
std::string frameText(const Frame &F);

} // namespace atsan::trace

#endif // ATSAN_TRACE_EVENTTEXT_H
