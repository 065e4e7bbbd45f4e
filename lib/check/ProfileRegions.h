//===- ProfileRegions.h -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The distinct regions of a run, or parts of regions, with the order of the
// accesses within each. Of those that are alike only the first is handed out,
// and none is kept: to know them again, 16 bytes of each are (a hash: two
// others could be taken for alike with a probability of 2^-128).
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_PROFILEREGIONS_H
#define ATSAN_CHECK_PROFILEREGIONS_H

#include "lib/check/NumberTable.h"
#include "lib/check/ProfileStream.h"
#include <functional>
#include <unordered_map>

namespace atsan::check {

/// What a region, or a part of one, has of a class in the same surroundings.
struct ProfileItem {
  AccessClass Class;
  uint32_t First, Last; ///< Ranks: what is smaller comes before.
  EventMark FirstEvent, LastEvent;
  Surroundings Around;
  /// The stretches of the first and the last; 0: of none.
  uint64_t FirstStretch, LastStretch;
};

struct ProfileRegion {
  uint32_t Thread;
  RegionMark Mark;
  std::vector<ProfileItem> Items;
};

/// Not thread-safe.
class ProfileRegions final : public ProfileStream::Consumer {
public:
  explicit ProfileRegions(std::function<void(const ProfileRegion &)> OnRegion)
      : OnRegion(std::move(OnRegion)) {}

  void access(const ProfiledAccess &A) override;
  /// The run is over.
  void finish();
  /// How many distinct ones there were.
  size_t size() const { return Known.size(); }

private:
  struct ThreadState {
    uint64_t Transaction = 0;
    RegionMark Mark;
    std::vector<ProfileItem> Items;
    uint32_t Accesses = 0;
    /// Where each class is in Items, if these are many.
    std::unordered_multimap<AccessClass, uint32_t> Places;
  };
  struct Key {
    uint64_t A, B;
    bool operator==(const Key &K) const { return A == K.A && B == K.B; }
  };
  /// Some numbers as their places among each other, from 0 on.
  class Ranks {
  public:
    void clear() { All.clear(); }
    void add(uint64_t Number) { All.push_back(Number); }
    void finish();
    uint32_t of(uint64_t Number) const;

  private:
    std::vector<uint64_t> All;
  };

  void add(ThreadState &T, const ProfiledAccess &A);
  ProfileItem *find(ThreadState &T, const ProfiledAccess &A);
  void close(uint32_t Thread);
  void rank(std::vector<ProfileItem> &Items);
  bool isNew(const Key &K);

  const std::function<void(const ProfileRegion &)> OnRegion;
  std::vector<ThreadState> Threads;
  Ranks Times, Stretches; ///< Emptied for each region.
  std::vector<Key> Known;
  NumberTable Numbers; ///< Finds Known.
};

} // namespace atsan::check

#endif // ATSAN_CHECK_PROFILEREGIONS_H
