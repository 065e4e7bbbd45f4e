//===- ProfileExits.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For one region, the accesses of other threads that a cycle could come back
// from. A region of n accesses has n * n / 2 pairs of them; those which a
// cycle can leave by the first of and come back to the last of are found
// without looking at the others.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_PROFILEEXITS_H
#define ATSAN_CHECK_PROFILEEXITS_H

#include "lib/check/ThreadProfiles.h"
#include <array>
#include <map>
#include <tuple>

namespace atsan::check {

/// Not thread-safe.
class ProfileExits {
public:
  /// What is known of an exit, as a point.
  enum Dimension : uint8_t {
    Rank,    ///< ProfileItem::Last of the region's access.
    Stretch, ///< Its ProfileItem::LastStretch; Outside: in none.
    Last,    ///< Extent::Last of the other thread's accesses.
    First,   ///< The number of the first of them.
    Dimensions
  };
  static constexpr uint64_t Outside = ~uint64_t(0);
  using Point = std::array<uint64_t, Dimensions>;
  struct Box {
    Point Low = {0, 0, 0, 0};
    Point High = {~uint64_t(0), ~uint64_t(0), ~uint64_t(0), ~uint64_t(0)};
  };

  /// Exits that have in common what a finding says of them.
  struct Kind {
    uint32_t Thread;
    bool IsExposed; ///< The region's access is, in its stretch.
    /// The place of the region's access, and those of the first and the last of
    /// the other thread's.
    uint32_t Of, FirstPlace, LastPlace;
    bool operator<(const Kind &K) const {
      return std::tie(Thread, IsExposed, Of, FirstPlace, LastPlace) <
             std::tie(K.Thread, K.IsExposed, K.Of, K.FirstPlace, K.LastPlace);
    }
  };
  /// The exits of one kind. What is in a box is found by halves: of each half
  /// the smallest box is kept that has all of it.
  class Group {
  public:
    void add(uint32_t Item, const Point &P) { All.push_back({P, Item}); }
    /// All exits are known.
    void finish();
    /// Appends the items of the exits in the box.
    void find(const Box &In, std::vector<uint32_t> &Items) const;

  private:
    struct Exit {
      Point At;
      uint32_t Item;
    };
    std::vector<Exit> All; ///< By rank.
    size_t Leaves = 1;
    std::vector<Box> Around; ///< A tree: node N has 2 * N and 2 * N + 1.
  };

  void clear() {
    Groups.clear();
    Items.clear();
    Covers.clear();
    Missed = 0;
  }
  /// The exits of an item are added one after the other.
  void add(const Kind &K, uint32_t Item, const Point &P);
  /// All exits are known.
  void finish();
  /// Can each item with Rank above \p After, but those of the stretch
  /// \p But, be come back to from a thread T that was entered in transaction
  /// Earliest[T], of the threads in Entered? In others Earliest has ~0.
  bool cover(uint64_t After, uint64_t But, const std::vector<uint32_t> &Entered,
             const std::vector<uint64_t> &Earliest);
  /// Calls F(kind, group) for each of a thread.
  template <typename Function>
  void forEachOf(uint32_t Thread, Function F) const {
    for (auto It = Groups.lower_bound({Thread, false, 0, 0, 0});
         It != Groups.end() && It->first.Thread == Thread; ++It)
      F(It->first, It->second);
  }

private:
  struct ItemExits {
    uint32_t Item;
    uint64_t Rank, Stretch;
    /// By thread, the last transaction that has an exit; may name one twice.
    std::vector<std::pair<uint32_t, uint64_t>> Left;
  };

  std::map<Kind, Group> Groups;
  std::vector<ItemExits> Items; ///< After finish() by falling rank.
  /// By thread, of Items up to each, as far as all have exits in it: the
  /// earliest transaction that one can last be come back to from.
  std::map<uint32_t, std::vector<uint64_t>> Covers;
  size_t Missed = 0; ///< An item that was not covered when last asked.
};

} // namespace atsan::check

#endif // ATSAN_CHECK_PROFILEEXITS_H
