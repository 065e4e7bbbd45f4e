//===- SharedMemory.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which memory several threads access. The rest of a trace is no part of any
// conflict: without it verdict and closing event are the same, which is what
// CAV'08 (section 5) does to its runs before any checker sees them.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_SHAREDMEMORY_H
#define ATSAN_CHECK_SHAREDMEMORY_H

#include "lib/check/ByteRanges.h"
#include "lib/event/Event.h"
#include <memory>
#include <vector>

namespace atsan::check {

/// Not thread-safe.
class ByteSet {
public:
  void add(uint64_t Address, uint64_t Size) {
    Bytes.update(Address, Size, [](Nothing &, uint64_t) {});
  }
  void erase(uint64_t Address, uint64_t Size) { Bytes.erase(Address, Size); }
  bool meets(uint64_t Address, uint64_t Size) const {
    bool Result = false;
    Bytes.visit(Address, Size,
                [&](const Nothing &, uint64_t, uint64_t) { Result = true; });
    return Result;
  }

private:
  struct Nothing {};
  ByteRanges<Nothing> Bytes;
};

/// A byte is shared if two threads access it between a birth and a death; it
/// then stays so for all of the trace. Not thread-safe.
class SharedMemory {
public:
  /// Takes every event of the trace, in order.
  void collect(const trace::Event &E);
  /// When all were collected: does the access meet a byte that is shared?
  bool isMetBy(const trace::Event &Access) const;
  /// How many events were collected.
  uint64_t events() const { return Events; }

private:
  // The thread that accessed a byte, counted from 1; 0: none.
  ByteRanges<uint64_t> Owners;
  ByteSet Shared;
  uint64_t Events = 0;
};

/// Leaves out accesses to memory that is not shared, but for the first
/// transaction of each thread (through a thread that has none leads no order),
/// and births and deaths of bytes of which nothing is known then. Not
/// thread-safe.
class SharedFilter {
public:
  /// \p Memory must outlive it.
  explicit SharedFilter(const SharedMemory &Memory) : Memory(Memory) {}
  /// Takes every event of the trace, in order: is it kept?
  bool keeps(const trace::Event &E);

private:
  std::vector<bool>::reference hasTransaction(uint64_t Thread);

  const SharedMemory &Memory;
  std::vector<bool> HaveTransaction; // One for each thread.
  // Bytes that a kept event has accessed, or used as a lock, since their birth.
  ByteSet Known;
};

/// What SharedFilter leaves of the trace that \p Memory has collected; at most
/// as many events of it are read. \p Memory must outlive the result.
std::unique_ptr<trace::Source> onlyShared(std::unique_ptr<trace::Source> Trace,
                                          const SharedMemory &Memory);

} // namespace atsan::check

#endif // ATSAN_CHECK_SHAREDMEMORY_H
