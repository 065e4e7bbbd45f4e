//===- HeldSets.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets of locks with the modes in which they are held, each kept once under a
// number.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_HELDSETS_H
#define ATSAN_CHECK_HELDSETS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace atsan::check {

/// Not thread-safe.
class HeldSets {
public:
  struct Member {
    uint64_t Lock;
    bool Exclusive;
    bool operator<(const Member &M) const {
      return Lock != M.Lock ? Lock < M.Lock : Exclusive < M.Exclusive;
    }
    bool operator==(const Member &M) const {
      return Lock == M.Lock && Exclusive == M.Exclusive;
    }
  };
  using Set = std::vector<Member>; ///< Sorted by lock, each once.
  using Id = uint32_t;
  static constexpr Id Empty = 0;

  HeldSets() { of({}); }

  /// The number of a set. Members in any order; of the same lock in two modes,
  /// exclusive counts.
  Id of(Set Members);
  const Set &operator[](Id S) const { return *Sets[S]; }
  size_t size() const { return Sets.size(); }

  /// Is there a lock that one thread cannot hold as in A while another holds it
  /// as in B?
  bool exclude(Id A, Id B) const;
  /// Does B have every member of A, as exclusively at least?
  bool subset(Id A, Id B) const;

private:
  std::map<Set, Id> Ids;
  std::vector<const Set *> Sets;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_HELDSETS_H
