//===- Readers.h ------------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function for each format. They throw FormatError without a place; the
// number of the line is that of the Lines, or of EDN's LineReached.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_READERS_H
#define ATSAN_REGISTERS_READERS_H

#include "lib/registers/Builder.h"
#include "lib/registers/Lines.h"

namespace atsan::registers {

/// Our own text.
void readText(Lines &From, History &To, Builder &B);
/// The lines that Jepsen's logger printed, with which Porcupine is tested:
/// "INFO jepsen.util - 3 :invoke :cas [1 2]".
void readPorcupine(Lines &From, History &To, Builder &B, bool RefuseFailed);
/// Can the line only be the first one of CSV?
bool isCsvHeader(std::string_view Line);
/// RFC 4180, with a line of names first.
void readCsv(Lines &From, History &To, Builder &B, const std::string &Columns);
/// Jepsen's and Knossos' EDN: maps with :process, :type, :f and :value.
void readEdn(Lines &From, History &To, Builder &B, const ReaderOptions &O,
             uint64_t &LineReached);

/// Throws FormatError if a write or append has returned another value than what
/// it was given: these have no result.
void requireAcknowledgement(const Called &C, Value Result, Values &Known);
/// Whether it says of an operation only that it has succeeded.
bool isAcknowledgement(std::string_view Text);
/// Throws FormatError if what has succeeded is another operation, of the same
/// kind, than the one that was called.
void requireSame(const Called &C, const Called &Again, Values &Known);

/// A stamp: a whole number below 2^63 - 1. \p What names it in messages.
Stamp parseStamp(std::string_view Text, const char *What);

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_READERS_H
