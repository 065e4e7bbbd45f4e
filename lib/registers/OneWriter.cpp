//===- OneWriter.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/registers/Algorithms.h"
#include "lib/registers/FlatMap.h"
#include "lib/registers/Sweep.h"
#include <deque>
#include <tuple>

using namespace atsan::registers;

bool atsan::registers::hasReadsAndWrites(const Register &R) {
  return std::all_of(R.Operations.begin(), R.Operations.end(),
                     [](const Operation &O) {
                       return O.What == Kind::Read || O.What == Kind::Write;
                     });
}

bool atsan::registers::hasOneWriter(const Register &R) {
  Stamp Last = -1;
  for (const Operation &O : R.Operations) {
    if (O.What == Kind::Read)
      continue;
    if (O.What != Kind::Write || O.Call <= Last)
      return false;
    Last = O.Return;
  }
  return true;
}

namespace {

/// Writes are numbered in their order, the initial one being 0.
class OneWriter {
public:
  OneWriter(const Register &R, const Request &Wanted) : R(R) {
    if (Wanted.WantsOrder)
      Found.resize(R.Operations.size());
    addWrite(R.Initial);
  }

  uint32_t call(uint32_t I) {
    const Operation &O = R.Operations[I];
    if (O.What != Kind::Write)
      return callRead(O.Argument);
    addWrite(O.Argument);
    if (!Found.empty())
      Found[I] = Last;
    return 0;
  }

  bool ret(uint32_t I, uint32_t Number) {
    if (R.Operations[I].What == Kind::Write) {
      advance(Last);
      return true;
    }
    const uint64_t Write = Reads[Number].Write;
    if (Write == None) {
      Offending = I;
      Low = Reads[Number].Low;
      return false;
    }
    advance(Write);
    FreeReads.push_back(Number);
    if (!Found.empty())
      Found[I] = Write;
    return true;
  }

  Decision decide() {
    Decision D;
    D.Algorithm = "one-writer";
    if (sweep(R.Operations, *this)) {
      D.Order = order();
      return D;
    }
    D.Is = Verdict::Violation;
    D.Offending = Offending;
    D.Possible = possible();
    return D;
  }

private:
  static constexpr uint64_t None = ~uint64_t(0);
  static constexpr uint32_t NoRead = ~uint32_t(0);

  struct OpenRead {
    uint64_t Low;   ///< The least write that it may return.
    uint64_t Write; ///< The least one that fits, or None so far.
    uint32_t NextWaiting;
  };
  struct Write {
    Value Written;
    uint64_t NextOfValue;
  };
  /// What there is of one value from Base on.
  struct OfValue {
    uint64_t First = None, Last = None;
    uint32_t Waiting = NoRead; ///< Reads that return it before it was written.
  };

  void addWrite(Value V) {
    Last = Base + Writes.size();
    Writes.push_back({V, None});
    OfValue &Same = ByValue.get(V);
    if (Same.First == None)
      Same.First = Last;
    else
      Writes[Same.Last - Base].NextOfValue = Last;
    Same.Last = Last;
    for (uint32_t W = Same.Waiting; W != NoRead; W = Reads[W].NextWaiting)
      Reads[W].Write = Last;
    Same.Waiting = NoRead;
  }

  uint32_t callRead(Value V) {
    if (FreeReads.empty()) {
      FreeReads.push_back(static_cast<uint32_t>(Reads.size()));
      Reads.emplace_back();
    }
    const uint32_t Number = FreeReads.back();
    FreeReads.pop_back();
    OfValue &Same = ByValue.get(V);
    Reads[Number] = {Base, Same.First, NoRead};
    if (Same.First == None) {
      Reads[Number].NextWaiting = Same.Waiting;
      Same.Waiting = Number;
    }
    return Number;
  }

  /// Forgets the writes before one that later reads cannot go behind.
  void advance(uint64_t NewBase) {
    for (; Base < NewBase; ++Base) {
      const Write Gone = Writes.front();
      Writes.pop_front();
      OfValue &Same = *ByValue.find(Gone.Written);
      Same.First = Gone.NextOfValue;
      if (Same.First == None && Same.Waiting == NoRead)
        ByValue.erase(Gone.Written);
    }
  }

  std::vector<uint32_t> order() const {
    std::vector<uint32_t> Order;
    for (uint32_t I = 0; I != Found.size(); ++I)
      Order.push_back(I);
    const auto Key = [&](uint32_t I) {
      return std::make_tuple(Found[I], R.Operations[I].What != Kind::Write, I);
    };
    std::sort(Order.begin(), Order.end(),
              [&](uint32_t A, uint32_t B) { return Key(A) < Key(B); });
    if (!Order.empty() && R.Operations[Order.back()].isUnknown())
      Order.pop_back(); // Nobody has read it.
    return Order;
  }

  std::vector<Value> possible() const {
    std::vector<Value> Out;
    uint64_t Number = 0;
    const auto Add = [&](Value V) {
      if (Number++ >= Low && Out.size() < Decision::MostPossible &&
          std::find(Out.begin(), Out.end(), V) == Out.end())
        Out.push_back(V);
    };
    Add(R.Initial);
    for (const Operation &O : R.Operations)
      if (O.What == Kind::Write && O.Call <= R.Operations[Offending].Return)
        Add(O.Argument);
    return Out;
  }

  const Register &R;
  std::deque<Write> Writes; ///< From Base on.
  uint64_t Base = 0, Last = 0;
  FlatMap<OfValue> ByValue;
  std::vector<OpenRead> Reads;
  std::vector<uint32_t> FreeReads;
  std::vector<uint64_t> Found; ///< For an order: of each read, the write.
  uint32_t Offending = 0;
  uint64_t Low = 0;
};

} // namespace

Decision atsan::registers::decideOneWriter(const Register &R,
                                           const Request &Wanted) {
  return OneWriter(R, Wanted).decide();
}
