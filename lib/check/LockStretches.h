//===- LockStretches.h --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each thread does with locks from one point at which it holds none to the
// next: a stretch. At its ends a thread is in nobody's way and can wait as long
// as it must, so that two threads can be at the begins of any two stretches.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_CHECK_LOCKSTRETCHES_H
#define ATSAN_CHECK_LOCKSTRETCHES_H

#include "lib/check/HandOvers.h"
#include "lib/check/NumberTable.h"
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace atsan::check {

/// Not thread-safe.
class LockStretches {
public:
  /// Only the first acquire and the last release of a lock count.
  struct Operation {
    uint32_t Lock; ///< By the order of first use.
    bool Acquires, Exclusive;
    bool operator==(const Operation &O) const {
      return Lock == O.Lock && Acquires == O.Acquires &&
             Exclusive == O.Exclusive;
    }
  };
  /// Stretches with the same operations have one number.
  using Id = uint32_t;
  static constexpr Id Free = 0; ///< No lock is taken.

  LockStretches() { numberOf({}); }

  /// Takes every event of a trace in order, but for accesses. True: the thread
  /// holds no lock any more, and ended() is the stretch that is over.
  bool take(const trace::Event &E, uint64_t Number);
  /// Ends the thread's stretch here, if one is open.
  Id end(uint32_t Thread);
  Id ended() const { return Ended; }
  /// What the last event taken does between threads.
  HandOvers::Effect effect() const { return Effect; }
  const HandOvers &handOvers() const { return Held; }

  bool isIn(uint32_t Thread) const {
    return Thread < Open.size() && !Open[Thread].empty();
  }
  /// How many operations of the thread's open stretch have happened.
  uint32_t slot(uint32_t Thread) const {
    return Thread < Open.size() ? uint32_t(Open[Thread].size()) : 0;
  }
  const std::vector<Operation> &operator[](Id S) const { return *All[S]; }
  size_t size() const { return All.size(); }
  /// Was the lock in two hands at once in the run? Then it excludes nobody.
  bool isLoose(uint32_t Lock) const { return Loose.count(Lock); }
  uint64_t address(uint32_t Lock) const { return Addresses[Lock]; }

private:
  struct Hash {
    size_t operator()(const std::vector<Operation> &Of) const;
  };
  Id numberOf(const std::vector<Operation> &Of);
  uint32_t lockOf(const trace::Event &E);

  HandOvers Held;
  HandOvers::Effect Effect = HandOvers::Effect::None;
  std::vector<uint64_t> Addresses;          ///< By lock.
  NumberTable Numbers;                      ///< Finds Addresses.
  std::vector<std::vector<Operation>> Open; ///< By thread.
  std::unordered_map<std::vector<Operation>, Id, Hash> Ids;
  std::vector<const std::vector<Operation> *> All;
  /// By twice a lock, plus 1 if it is exclusive, the stretch that takes it and
  /// gives it back; 0: there is none.
  std::vector<Id> Short;
  std::vector<uint32_t> Owners; ///< Thread plus 1, by lock.
  std::unordered_set<uint32_t> Loose;
  Id Ended = Free;
};

} // namespace atsan::check

#endif // ATSAN_CHECK_LOCKSTRETCHES_H
