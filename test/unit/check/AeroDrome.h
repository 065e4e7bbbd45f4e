//===- AeroDrome.h --------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// AeroDrome, the basic algorithm with vector clocks (Mathur and Viswanathan,
// "Atomicity Checking in Linear Time using Vector Clocks", ASPLOS 2020,
// Algorithm 1), as a peer for tests: another way to decide what scg decides
// with --lock-edges --region-splits=none, which shares no idea with it.
//
// Every event outside transactions is put between a begin and an end of its
// own, as the paper's model has it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_CHECK_AERODROME_H
#define ATSAN_UNIT_CHECK_AERODROME_H

#include "lib/event/Event.h"
#include <map>
#include <vector>

namespace atsan_test {

class AeroDrome {
public:
  /// Takes reads, writes, regions, exclusive locks, start and join; a variable
  /// is an address. True: the event completes a cycle, as this algorithm sees
  /// it; that is not before the cycle is there, but may be later.
  bool take(const atsan::trace::Event &E);
  /// Ends all open regions, and with it the trace. True: as above.
  bool finish();

private:
  typedef uint32_t Id;
  /// Missing entries are 0.
  typedef std::vector<unsigned> Clock;
  struct Thread {
    Clock Now, Begin;
    unsigned Depth = 0;
    bool HasBegun = false; // Has a component of its own.
    bool HasTransaction = false;
  };
  struct Written {
    Clock At;
    bool Exists = false;
    Id By = 0;
  };

  Thread &thread(Id T);
  static bool isBefore(const Clock &A, const Clock &B);
  static void join(Clock &Into, const Clock &From);
  // "checkAndGet" of the paper.
  bool checkAndGet(const Clock &C, Id T);
  void begin(Id T);
  bool end(Id T);
  bool perform(const atsan::trace::Event &E);
  bool write(Id T, uint64_t Variable);

  std::map<Id, Thread> Threads;
  std::map<uint64_t, Written> Locks, Writes;
  std::map<uint64_t, std::map<Id, Clock>> Reads;
};

} // namespace atsan_test

#endif // ATSAN_UNIT_CHECK_AERODROME_H
