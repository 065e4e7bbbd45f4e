//===- StdVariables.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// STD text has variables, where a run has bytes: addresses, sizes, and lives
// (semantics rule 9). Makes variables of them, so that two accesses share one
// exactly when they share a byte of one life: the bytes of a life that some
// accesses have apart, and others together, are variables of their own.
//
// Since that is known only at the end, the stream is gone through twice.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_STDVARIABLES_H
#define ATSAN_TRACE_STDVARIABLES_H

#include "lib/event/ByteRange.h"
#include <map>
#include <set>
#include <tuple>

namespace atsan::trace {

/// Knows which life each byte is in. O(log n) a step, n: ranges that were
/// renewed.
class Lives {
public:
  /// Another life of these bytes begins.
  void renew(ByteRange R);

  /// Calls Take(Life, Range) for each part of R that is in one life, in their
  /// order.
  template <typename Function> void forEach(ByteRange R, Function Take) const {
    auto I = std::prev(Since.upper_bound(R.Begin));
    for (uint64_t From = R.Begin;;) {
      const uint64_t Life = I->second;
      const uint64_t Last = ++I == Since.end() ? UINT64_MAX : I->first - 1;
      if (Last >= R.Last) {
        Take(Life, ByteRange{From, R.Last});
        return;
      }
      Take(Life, ByteRange{From, Last});
      From = Last + 1;
    }
  }

private:
  /// The life of the bytes from an address to the next one here.
  std::map<uint64_t, uint64_t> Since = {{0, 0}};
  uint64_t Count = 1;
};

/// Memory: 48 bytes or so for each variable. Not thread-safe.
class StdVariables {
public:
  /// Takes an event, the first time through the stream.
  void collect(const Event &E);
  void finish();

  /// Takes an event, the second time: gives the numbers of the variables that
  /// an access touches, in the order of their addresses.
  void follow(const Event &E, std::vector<size_t> &Variables);
  size_t size() const { return Cells.size(); }
  /// The address of the variable's first byte.
  uint64_t address(size_t Variable) const { return Cells[Variable].Begin; }

private:
  struct Cell {
    uint64_t Life;
    uint64_t Begin;
    uint64_t Last;

    bool operator<(const Cell &Other) const {
      return std::tie(Life, Begin, Last) <
             std::tie(Other.Life, Other.Begin, Other.Last);
    }
  };

  /// Begins the lives that an event begins, and calls Accessed(Life, Range) for
  /// the parts of an access.
  template <typename Function> void take(const Event &E, Function Accessed);

  Lives Now;
  std::set<Cell> Seen;     ///< The bytes of accesses, for the first time.
  std::vector<Cell> Cells; ///< Disjoint, in order, for the second time.
};

} // namespace atsan::trace

#endif // ATSAN_TRACE_STDVARIABLES_H
