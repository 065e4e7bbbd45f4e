//===- ThreadProfiles.h -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What prediction needs to know of a run (TACAS'09, section 3): each thread
// alone, and of it, for each kind of access in the same surroundings, in which
// of its transactions it occurs first and last; and its regions, with the order
// of accesses within each. Memory is linear in distinct accesses and regions,
// not in the length of the run.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_THREADPROFILES_H
#define ATSAN_CHECK_THREADPROFILES_H

#include "lib/check/ProfileStream.h"
#include <unordered_set>

namespace atsan::check {

/// Not thread-safe.
class ThreadProfiles final : private ProfileStream::Consumer {
public:
  /// \p WithLocks: accesses in other surroundings are kept apart.
  ThreadProfiles(const RegionSplits &Splits, bool WithLocks)
      : Stream(Splits, WithLocks) {}

  /// Takes every event of the trace, in order.
  void take(const trace::Event &E) { Stream.take(E, *this); }
  /// The trace is over. The others are to be called after it.
  void finish();

  /// Where a thread has accesses of a class.
  struct Extent {
    uint32_t Thread;
    Surroundings Around;
    uint64_t First, Last; ///< Transactions of the thread; it has others, too.
    NumberedEvent FirstEvent, LastEvent;
  };
  /// What a region, or a part of one, has of a class.
  struct Item {
    AccessClass Class;
    uint32_t First, Last; ///< Ranks: what is smaller comes before.
    NumberedEvent FirstEvent, LastEvent;
    Surroundings Around;
    /// The stretches of the first and the last; 0: of none.
    uint64_t FirstStretch, LastStretch;
  };
  struct Region {
    uint32_t Thread;
    NumberedEvent Begin;
    std::vector<Item> Items;
  };

  uint32_t threads() const { return Stream.threads(); }
  const std::vector<Region> &regions() const { return Regions; }
  /// The extents of all threads that have the class.
  const std::vector<Extent> &extents(AccessClass C) const { return Extents[C]; }
  AccessClass classes() const { return AccessClass(Extents.size()); }
  const ProfileStream &stream() const { return Stream; }

  /// Calls F(class) for each class that is in conflict with C.
  template <typename Function>
  void forEachClassInConflict(AccessClass C, Function F) const {
    for (uint32_t Range : Stream.bytes().overlapping(rangeOf(C)))
      for (bool Writes : {false, true})
        if (Writes || isWrite(C))
          F(AccessClass(2 * Range + Writes));
  }
  /// Calls F(extent) for each extent of a class that is in conflict with C, of
  /// any thread.
  template <typename Function>
  void forEachConflict(AccessClass C, Function F) const {
    forEachClassInConflict(C, [&](AccessClass Of) {
      for (const Extent &E : Extents[Of])
        F(E);
    });
  }

private:
  struct ThreadState {
    uint64_t Transaction = 0;
    NumberedEvent Begin; ///< The begin of the outermost region.
    std::vector<Item> Items;
    uint32_t Accesses = 0;
    /// Where each class is in Items, if these are many.
    std::unordered_multimap<AccessClass, uint32_t> Places;
  };
  /// An extent is looked up by what all of its accesses have in common.
  struct ExtentKey {
    uint32_t Class, Thread;
    Surroundings Around;
    bool operator==(const ExtentKey &K) const {
      return Class == K.Class && Thread == K.Thread && Around == K.Around;
    }
  };
  struct Hash {
    size_t operator()(const ExtentKey &K) const;
    size_t operator()(const std::vector<uint64_t> &Words) const;
  };

  void access(const ProfiledAccess &A) override;
  void addItem(ThreadState &T, const ProfiledAccess &A);
  Item *findItem(ThreadState &T, const ProfiledAccess &A);
  void close(uint32_t Thread);

  ProfileStream Stream;
  std::vector<ThreadState> Threads;
  std::vector<std::vector<Extent>> Extents;
  std::unordered_map<ExtentKey, uint32_t, Hash> ExtentNumbers;
  std::vector<Region> Regions;
  /// The regions so far: thread, site, classes, ranks and surroundings.
  std::unordered_set<std::vector<uint64_t>, Hash> Known;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_THREADPROFILES_H
