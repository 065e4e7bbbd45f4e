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
// of its transactions it occurs first and last. Memory is linear in distinct
// threads, accesses and surroundings, not in the length of the run.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_THREADPROFILES_H
#define ATSAN_CHECK_THREADPROFILES_H

#include "lib/check/NumberTable.h"
#include "lib/check/ProfileStream.h"

namespace atsan::check {

/// Not thread-safe.
class ThreadProfiles final : private ProfileStream::Consumer {
public:
  /// \p WithLocks: accesses in other surroundings are kept apart.
  ThreadProfiles(const RegionSplits &Splits, bool WithLocks)
      : Stream(Splits, WithLocks) {}

  /// Hands the accesses on to another one, too; null: to none.
  void handOnTo(ProfileStream::Consumer *Other) { Also = Other; }
  /// Takes every event of the trace, in order.
  void take(const trace::Event &E) { Stream.take(E, *this); }
  /// The trace is over. The others are to be called after it.
  void finish();

  /// Where a thread has accesses of a class.
  struct Extent {
    AccessClass Class;
    uint32_t Thread;
    Surroundings Around;
    uint64_t First, Last; ///< Transactions of the thread; it has others, too.
    EventMark FirstEvent, LastEvent;
    /// While the run is read: what its thread accessed next when it was here
    /// last, as a number.
    uint32_t Follower = 0;
  };

  const ProfileStream &stream() const { return Stream; }
  uint32_t threads() const { return Stream.threads(); }
  const std::vector<Extent> &extents() const { return All; }
  NumberedEvent first(const Extent &E) const {
    return Stream.eventOf(E.FirstEvent, E.Class, E.Thread);
  }
  NumberedEvent last(const Extent &E) const {
    return Stream.eventOf(E.LastEvent, E.Class, E.Thread);
  }
  /// The extent of an access of the run, as a number.
  uint32_t find(AccessClass C, uint32_t Thread, const Surroundings &S) {
    return placeOf(C, Thread, S) - 1;
  }

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
      for (uint32_t I = Begins[Of]; I != Begins[Of + 1]; ++I)
        F(All[I]);
    });
  }

private:
  void access(const ProfiledAccess &A) override;
  uint32_t extentOf(const ProfiledAccess &A);
  static bool is(const Extent &E, AccessClass C, uint32_t Thread,
                 const Surroundings &S) {
    return E.Class == C && E.Thread == Thread && E.Around == S;
  }
  uint32_t &placeOf(AccessClass C, uint32_t Thread, const Surroundings &S);
  uint64_t hashOf(uint32_t Extent) const;

  ProfileStream Stream;
  ProfileStream::Consumer *Also = nullptr;
  std::vector<Extent> All; ///< After finish() sorted by class.
  /// By thread, the extent of its last access.
  std::vector<uint32_t> Latest;
  NumberTable Numbers; ///< Finds All.
  /// For each class, the first of its extents.
  std::vector<uint32_t> Begins;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_THREADPROFILES_H
