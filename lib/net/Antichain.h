//===- Antichain.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sets of markings with quick questions: is there one that covers this one, or
// one that this one covers? Each question looks only at members that share a
// place with the marking.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_NET_ANTICHAIN_H
#define ATSAN_NET_ANTICHAIN_H

#include "lib/net/Net.h"

namespace atsan::net {

/// Members keep their numbers, and are removed by number.
class MarkingSet {
public:
  explicit MarkingSet(size_t Places) : ByPlace(Places) {}

  uint32_t add(Marking M);
  void remove(uint32_t Id);
  bool has(uint32_t Id) const { return Members[Id].IsIn; }
  const Marking &operator[](uint32_t Id) const { return Members[Id].M; }
  size_t size() const { return Count; } ///< Without what was removed.
  size_t total() const { return Members.size(); }

  /// A member that covers \p M, other than \p But; None if there is none.
  uint32_t covering(const Marking &M, uint32_t But = None) const;
  /// A member that \p M covers; None if there is none.
  uint32_t coveredBy(const Marking &M) const;
  /// Removes all members that cover \p M, but \p But.
  void removeCovering(const Marking &M, uint32_t But);

  static constexpr uint32_t None = UINT32_MAX;

private:
  struct Member {
    Marking M;
    uint64_t Signature;
    bool IsIn;
  };
  /// Places as bits, several for each bit.
  static uint64_t signature(const Marking &M);
  bool covers(uint32_t Id, const Marking &M, uint64_t Signature) const {
    const Member &X = Members[Id];
    return X.IsIn && !(Signature & ~X.Signature) && isCovered(M, X.M);
  }

  template <typename Function>
  void eachCovering(const Marking &M, uint32_t But, Function Found) const;

  std::vector<Member> Members;
  /// For each place the members that have tokens in it.
  std::vector<std::vector<uint32_t>> ByPlace;
  std::vector<uint32_t> Empty; ///< Members without tokens.
  size_t Count = 0;
};

} // namespace atsan::net

#endif
