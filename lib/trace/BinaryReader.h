//===- BinaryReader.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads binary traces (docs/trace-format.md) in the observed order. Needs a
// file that can be read at any place, not a pipe.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_BINARYREADER_H
#define ATSAN_TRACE_BINARYREADER_H

#include "lib/event/Event.h"
#include <memory>
#include <string>

namespace atsan::trace {

/// Do these first bytes of a file say that it is a binary trace? 8 are enough.
bool isBinaryTrace(const char *Data, size_t Size);

/// Opens a trace. Null, and one line in Error with file, place and remedy, if
/// nothing of it can be read. Keeps up to 64 KiB for each thread that is in the
/// middle of something, and 40 bytes for each block of the file.
std::unique_ptr<Source> openBinary(const std::string &Path, std::string &Error);

/// Reads a trace in memory; Name stands for it in messages.
std::unique_ptr<Source> readBinary(std::string Bytes, const std::string &Name,
                                   std::string &Error);

} // namespace atsan::trace

#endif // ATSAN_TRACE_BINARYREADER_H
