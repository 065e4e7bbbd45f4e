//===- Algorithms.h ---------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The algorithms that decide whether the operations of a register are
// linearizable, and what they answer.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_ALGORITHMS_H
#define ATSAN_REGISTERS_ALGORITHMS_H

#include "lib/registers/History.h"
#include <optional>
#include <set>

namespace atsan::registers {

enum class Verdict : uint8_t { Linearizable, Violation, Unknown };

struct Decision {
  Verdict Is = Verdict::Linearizable;
  const char *Algorithm = "";
  /// Violation: the operation by whose return no linearization is left, as an
  /// index. What was open then counts with what it returned later.
  uint32_t Offending = 0;
  /// Violation: what the register can have held from the call to the return of
  /// that operation, at most MostPossible values; empty: it was not looked for.
  std::vector<Value> Possible;
  /// What a Look may find: all that it can, and maybe more.
  std::set<Value> Looked;
  /// Unknown: which limit was reached, and the remedy.
  std::string GaveUp;
  /// A linearization as indices, without unknown operations that it does not
  /// need; empty if it was not asked for.
  std::vector<uint32_t> Order;

  static constexpr size_t MostPossible = 8;
};

/// Limits after which an algorithm of exponential time gives up; 0: none.
struct Limits {
  uint64_t MaxMemoryBytes = 0;
  double MaxSeconds = 0;
};

struct Request {
  Limits Given;
  bool WantsOrder = false;
};

// Each takes operations in the order of their calls. None of them is
// thread-safe with regard to the Values.

/// Is the register written by plain writes only, of which no two overlap?
bool hasOneWriter(const Register &R);
/// Are there only reads and plain writes?
bool hasReadsAndWrites(const Register &R);

/// One writer, whatever the values: O(1) amortized for each operation besides
/// the sweep. A read may have found what lies between the last write or read
/// value before its call and the last write called before its return; the
/// smallest write in there that fits is as good as any.
Decision decideOneWriter(const Register &R, const Request &Wanted);

/// Several writers, no value written twice nor the initial one written: zones
/// (Gibbons and Korach, 1997), O(n log n). None if a value is written twice.
std::optional<Decision> decideZones(const Register &R, const Request &Wanted);

/// Everything else: the set of what open operations may have taken effect
/// already and which value that left (Wing and Gong, 1993; Lowe, 2017), kept
/// from return to return. O(n k 2^k) for k operations that are open at once;
/// memory by these, not by n, unless an order is wanted.
Decision decideFrontier(const Register &R, Values &Known,
                        const Request &Wanted);

/// SOAR (Guerraoui and Vukolic, LPD-REPORT-2008-011), figure 3, with pending
/// reads dropped and pending writes kept. Only for one writer. O(n^3).
Decision decideSoar(const Register &R);

/// CLMT as in section 2.2 of the same report: looks for a partial order with
/// five properties. Only for reads and plain writes. Exponential in n.
Decision decideClmt(const Register &R, const Request &Wanted);

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_ALGORITHMS_H
