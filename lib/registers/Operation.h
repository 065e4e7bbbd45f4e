//===- Operation.h ----------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations on a register, as a history has them.
//
// A history is linearizable (Herlihy and Wing, 1990) if each operation can be
// given one moment between its call and its return, so that the results are
// those of the operations at these moments, one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_REGISTERS_OPERATION_H
#define ATSAN_REGISTERS_OPERATION_H

#include <cstdint>
#include <limits>

namespace atsan::registers {

/// A whole number of 64 bits, or a name, in the code of Names.h.
using Value = int64_t;

/// A time in the unit of the history, from 0 on.
using Stamp = int64_t;

/// The return of an operation of which nobody knows whether it took effect: it
/// may do so at any time after its call, or never.
constexpr Stamp Never = std::numeric_limits<Stamp>::max();

enum class Kind : uint8_t {
  Read,       ///< Finds Argument, as a refused compare-and-swap may, too.
  RefusedCas, ///< A compare-and-swap that found another value than Argument.
              ///< (It would have left Expected.)
  ContradictoryCas, ///< Found Argument, but was refused although it expects
                    ///< that: there is no moment for it.
  Write,            ///< Leaves Argument, whatever was there.
  Cas,              ///< Finds Expected, leaves Argument.
  Swap,             ///< Likewise.
  FetchAdd,         ///< Likewise.
  Add,              ///< Adds Argument to a number that nobody was told.
  Append,           ///< Appends Argument to what is there, as text.
  Look,             ///< Finds any value: in no history, but in questions.
};

/// Operations that the history says to have failed, and reads without a result,
/// are left out by whoever reads it: they say nothing.
struct Operation {
  Stamp Call = 0;
  Stamp Return = Never;
  Value Argument = 0;
  /// What it expects to find. Of a read 0; of one that is a refused
  /// compare-and-swap the number in History::Refused, plus 1.
  Value Expected = 0;
  uint32_t Line = 0; ///< Where the history says it; 0: nowhere.
  uint32_t Process : 24;
  Kind What : 8;

  Operation() : Process(0), What(Kind::Read) {}

  /// May the operation have had no effect?
  bool isUnknown() const { return Return == Never; }
  /// Does it leave the value as it is?
  bool isObserver() const {
    return What == Kind::Read || What == Kind::RefusedCas ||
           What == Kind::ContradictoryCas;
  }
  bool isReadModifyWrite() const {
    return What == Kind::Cas || What == Kind::Swap || What == Kind::FetchAdd;
  }
  /// Does its result tell something of the value, or depend on it?
  bool dependsOnValue() const { return What != Kind::Write; }
  /// Must it come before \p Other in every linearization? Where stamps are
  /// equal, calls come before returns.
  bool precedes(const Operation &Other) const { return Return < Other.Call; }
};

} // namespace atsan::registers

#endif // ATSAN_REGISTERS_OPERATION_H
