//===- ReadableStack.h ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stacks as a report shows them: the program's frames, and of the C++ library
// what the program called. The rules are those of a running program's reports
// (lib/base/FrameKind.h).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_READABLESTACK_H
#define ATSAN_TRACE_READABLESTACK_H

#include "lib/event/Event.h"

namespace atsan::trace {

/// Cuts a stack, innermost frame first. One that has no frame of the program
/// stays whole.
void makeReadable(std::vector<Frame> &Stack);

/// A place in short: "file.c:7", "module+0x12".
std::string shortPlace(const Frame &F);

/// Is it the program's own code, by what is known of it?
bool isOfProgram(const Frame &F);

} // namespace atsan::trace

#endif // ATSAN_TRACE_READABLESTACK_H
