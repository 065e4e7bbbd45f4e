//===- ThreadProfiles.h ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What prediction without synchronization needs to know of a run (TACAS'09,
// section 3): each thread alone, and of it, for each kind of access, in which
// of its transactions it occurs first and last; and its regions, with the order
// of accesses within each. Memory is linear in distinct accesses and regions,
// not in the length of the run.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_THREADPROFILES_H
#define ATSAN_CHECK_THREADPROFILES_H

#include "lib/check/Analysis.h"
#include "lib/check/LivingBytes.h"
#include <map>
#include <set>

namespace atsan::check {

/// Reads or writes of one range: twice its number, plus 1 for writes. A
/// read-modify-write counts as a write, which is in conflict with all.
using AccessClass = uint32_t;
constexpr uint32_t rangeOf(AccessClass C) { return C / 2; }
constexpr bool isWrite(AccessClass C) { return C % 2; }

/// Not thread-safe.
class ThreadProfiles {
public:
  explicit ThreadProfiles(const RegionSplits &Splits) : Parts(Splits) {}

  /// Takes every event of the trace, in order.
  void take(const trace::Event &E);
  /// The trace is over. The others are to be called after it.
  void finish();

  /// Where a thread has accesses of a class.
  struct Extent {
    uint32_t Thread;
    uint64_t First, Last; ///< Transactions of the thread; it has others, too.
    NumberedEvent FirstEvent, LastEvent;
  };
  /// What a region, or a part of one, has of a class.
  struct Item {
    AccessClass Class;
    uint32_t First, Last; ///< Ranks: what is smaller comes before.
    NumberedEvent FirstEvent, LastEvent;
  };
  struct Region {
    uint32_t Thread;
    NumberedEvent Begin;
    std::vector<Item> Items;
  };

  uint32_t threads() const { return uint32_t(Threads.size()); }
  const std::vector<Region> &regions() const { return Regions; }
  /// The extents of all threads that have the class.
  const std::vector<Extent> &extents(AccessClass C) const { return Extents[C]; }
  AccessClass classes() const { return AccessClass(Extents.size()); }

  /// Calls F(extent) for each extent of a class that is in conflict with C, of
  /// any thread.
  template <typename Function>
  void forEachConflict(AccessClass C, Function F) const {
    for (uint32_t Range : Bytes.overlapping(rangeOf(C)))
      for (bool Writes : {false, true})
        if (Writes || isWrite(C))
          for (const Extent &E : Extents[2 * Range + Writes])
            F(E);
  }

private:
  struct ThreadState {
    uint64_t Transaction = 0;
    uint64_t Part = 0; ///< The event with which the open part begins; 0: none.
    NumberedEvent Begin; ///< The begin of the outermost region.
    std::vector<Item> Items;
    std::map<AccessClass, size_t> Places; ///< Where each class is in Items.
    uint32_t Accesses = 0;
  };

  void access(ThreadState &T, const trace::Event &E, AccessClass C,
              bool InRegion);
  void close(uint32_t Thread);

  Transactions Parts;
  LivingBytes Bytes;
  uint64_t Count = 0;
  std::vector<ThreadState> Threads;
  std::vector<std::vector<Extent>> Extents;
  std::vector<Region> Regions;
  /// The regions so far: thread, site, classes and ranks.
  std::set<std::vector<uint64_t>> Known;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_THREADPROFILES_H
