//===- RandomHistory.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/unit/registers/RandomHistory.h"

using namespace atsan::registers;

namespace {

using Rng = std::mt19937_64;

bool oneIn(Rng &Random, unsigned N) { return Random() % N == 0; }

class Maker {
public:
  Maker(Rng &Random, const test::Shape &Of) : Random(Random), Of(Of) {}

  Register make() {
    Register R;
    R.Initial = oneIn(Random, 4) ? 1 : 0;
    Held = R.Initial;
    Fresh = 2;
    const unsigned Count = 1 + Random() % Of.MostOperations;
    std::vector<int> Open(Of.Processes, -1);
    Stamp Now = Stamp(Random() % 3);
    while (R.Operations.size() < Count || anyOpen(Open)) {
      const unsigned P = Random() % Of.Processes;
      if (Open[P] < 0 && R.Operations.size() < Count) {
        Open[P] = static_cast<int>(R.Operations.size());
        R.Operations.push_back(call(P, Now));
        IsDone.push_back(false);
      } else if (Open[P] >= 0) {
        Operation &O = R.Operations[Open[P]];
        takeEffectSomewhere(R.Operations);
        if (!IsDone[Open[P]])
          takeEffect(O, Open[P]);
        O.Return = Now;
        Open[P] = -1;
        if (!isWriterOf(O) && !O.isObserver() && oneIn(Random, 8))
          makeUnknown(O);
      }
      if (!oneIn(Random, 4))
        ++Now;
      if (oneIn(Random, 6))
        takeEffectSomewhere(R.Operations);
    }
    if (oneIn(Random, 2))
      spoil(R);
    leaveOpen(R);
    return R;
  }

private:
  static bool anyOpen(const std::vector<int> &Open) {
    for (const int O : Open)
      if (O >= 0)
        return true;
    return false;
  }
  /// One writer may have one pending write only, the last.
  bool isWriterOf(const Operation &O) const {
    return Of.OneWriter && O.What == Kind::Write;
  }
  Value someValue() { return Of.UniqueValues ? Fresh++ : Value(Random() % 3); }

  Operation call(unsigned Process, Stamp Now) {
    Operation O;
    O.Process = Process;
    O.Call = Now;
    const bool MayWrite = !Of.OneWriter || Process == 0;
    const unsigned Choice = Random() % 12;
    if (Of.OneWriter || Of.ReadsAndWrites || Of.UniqueValues)
      O.What = MayWrite && Choice < 6 ? Kind::Write : Kind::Read;
    else if (Choice < 3)
      O.What = Kind::Read;
    else if (Choice < 6)
      O.What = Kind::Write;
    else if (Choice < 8)
      O.What = Kind::Cas;
    else if (Choice < 9)
      O.What = Kind::Swap;
    else
      O.What = Choice < 11 ? Kind::FetchAdd : Kind::Add;
    O.Argument = someValue();
    O.Expected = Value(Random() % 3);
    return O;
  }

  void takeEffect(Operation &O, size_t I) {
    IsDone[I] = true;
    if (O.What == Kind::Read) {
      O.Argument = Held;
      O.Expected = 0;
      return;
    }
    if (O.What == Kind::Cas && Held != O.Expected) {
      O.What = Kind::RefusedCas;
      std::swap(O.Argument, O.Expected);
      return;
    }
    if (O.What == Kind::Add) {
      Held += O.Argument;
      return;
    }
    if (O.What != Kind::Write)
      O.Expected = Held;
    if (O.What == Kind::FetchAdd)
      O.Argument += Held;
    Held = O.Argument;
  }
  void takeEffectSomewhere(std::vector<Operation> &All) {
    const size_t I = Random() % (All.size() + 1);
    if (I < All.size() && !IsDone[I])
      takeEffect(All[I], I);
  }

  static void makeUnknown(Operation &O) {
    O.Return = Never;
    if (O.What == Kind::Swap)
      O.What = Kind::Write;
    if (O.What != Kind::FetchAdd)
      return;
    O.What = Kind::Add;
    O.Argument -= O.Expected;
  }
  /// The last write of one writer may be pending.
  void leaveOpen(Register &R) {
    if (!Of.OneWriter || !oneIn(Random, 4))
      return;
    for (size_t I = R.Operations.size(); I--;)
      if (R.Operations[I].What == Kind::Write) {
        R.Operations[I].Return = Never;
        return;
      }
  }
  void spoil(Register &R) {
    Operation &O = R.Operations[Random() % R.Operations.size()];
    if (O.What == Kind::Read)
      O.Argument = R.Operations[Random() % R.Operations.size()].Argument;
    else if (O.isReadModifyWrite() && oneIn(Random, 2))
      O.Expected = Value(Random() % 3);
    else if (O.Return != Never && O.Return > O.Call && oneIn(Random, 2))
      O.Return -= 1;
  }

  Rng &Random;
  const test::Shape &Of;
  Value Held = 0, Fresh = 2;
  std::vector<bool> IsDone;
};

} // namespace

Register test::randomHistory(std::mt19937_64 &Random, const Shape &Of) {
  return Maker(Random, Of).make();
}

std::string test::text(const Register &R) {
  const History In;
  std::string Out = "initial " + std::to_string(R.Initial) + "\n";
  for (const Operation &O : R.Operations)
    Out += "p" + std::to_string(O.Process) + " " + std::to_string(O.Call) +
           " " + (O.isUnknown() ? "-" : std::to_string(O.Return)) + " " +
           describe(O, In) + "\n";
  return Out;
}
