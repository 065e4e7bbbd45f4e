//===- Programs.cpp -------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Programs.h.
//
//===----------------------------------------------------------------------===//

#include "Programs.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

namespace atsan_test {

using atsan::trace::EventKind;

namespace {

const char Variables[] = "xyzuvw";
const char Locks[] = "lmnkop";
const char Barriers[] = "bcd";
const char HandOvers[] = "abcdefgh";

struct Spelling {
  char Sign;
  EventKind Kind;
  const char *Operands; ///< Null: the number of a thread.
};
const Spelling Spellings[] = {
    {'r', EventKind::Read, Variables},
    {'w', EventKind::Write, Variables},
    {'u', EventKind::ReadModifyWrite, Variables},
    {'+', EventKind::Acquire, Locks},
    {'-', EventKind::Release, Locks},
    {'%', EventKind::AcquireShared, Locks},
    {'/', EventKind::ReleaseShared, Locks},
    {'>', EventKind::Start, nullptr},
    {'<', EventKind::Join, nullptr},
    {'|', EventKind::BarrierArrive, Barriers},
    {'?', EventKind::Wait, HandOvers}, // And the wake-up.
    {'!', EventKind::Signal, HandOvers},
    {'^', EventKind::HappensBefore, HandOvers},
    {'v', EventKind::HappensAfter, HandOvers},
};

class Generator {
public:
  Generator(uint64_t Seed, const ProgramOptions &Options)
      : Random(Seed * 0x9E3779B97F4A7C15 + 1), O(Options) {}

  Program run() {
    const unsigned Threads = 2 + below(O.MaxThreads - 1);
    NumVariables = 1 + below(O.MaxVariables);
    NumLocks = below(O.MaxLocks + 1);
    InOrder = chance(60);
    WritePercent = 20 + below(60);
    for (unsigned T = 0; T < Threads; ++T)
      P.push_back(body());
    if (O.Sync == ProgramOptions::Anywhere && chance(30))
      P[below(Threads)].clear();
    if (O.Sync != ProgramOptions::None && chance(60))
      synchronize();
    for (unsigned Number = 0, Count = below(O.MaxHandOvers + 1);
         Number != Count; ++Number)
      handOver(Number);
    return P;
  }

private:
  unsigned below(unsigned N) { return N ? Random() % N : 0; }
  bool chance(unsigned Percent) { return below(100) < Percent; }

  std::vector<Operation> body() {
    std::vector<Operation> Ops;
    std::vector<Operation> Held; // The releases to come.
    unsigned Depth = 0;
    auto Release = [&](size_t I) {
      Ops.push_back(Held[I]);
      Held.erase(Held.begin() + I);
    };
    for (unsigned N = 1 + below(O.MaxOps); N; --N) {
      const unsigned Dice = below(100);
      if (O.Regions && Depth < 2 && Dice < (Depth ? 5u : 45u)) {
        Ops.push_back({EventKind::RegionBegin});
        ++Depth;
      } else if (Depth && Dice >= 92) {
        Ops.push_back({EventKind::RegionEnd});
        --Depth;
      } else if (!Held.empty() && chance(35)) {
        Release(O.NestedLocks ? Held.size() - 1 : below(Held.size()));
      } else if (!O.Accesses || chance(O.LockPercent)) {
        acquire(Ops, Held);
      } else {
        Ops.push_back(access());
      }
    }
    const bool RegionsFirst = chance(50);
    for (; RegionsFirst && Depth; --Depth)
      Ops.push_back({EventKind::RegionEnd});
    while (!Held.empty())
      Release(O.NestedLocks ? Held.size() - 1 : below(Held.size()));
    for (; Depth; --Depth)
      Ops.push_back({EventKind::RegionEnd});
    return Ops;
  }

  Operation access() {
    const uint32_t V = below(NumVariables);
    if (chance(8))
      return {EventKind::ReadModifyWrite, V};
    return {chance(WritePercent) ? EventKind::Write : EventKind::Read, V};
  }

  void acquire(std::vector<Operation> &Ops, std::vector<Operation> &Held) {
    if (!NumLocks)
      return;
    const uint32_t L = below(NumLocks);
    bool Again = false;
    for (const Operation &R : Held) {
      if (R.Operand == L) {
        if (!O.RecursiveLocks || R.Kind != EventKind::Release)
          return;
        Again = true;
      } else if (InOrder && R.Operand > L && !Again) {
        return;
      }
    }
    const bool Shared = O.SharedLocks && !Again && chance(40);
    Ops.push_back({Shared ? EventKind::AcquireShared : EventKind::Acquire, L});
    Held.push_back({Shared ? EventKind::ReleaseShared : EventKind::Release, L});
  }

  /// A random place at or after `From` where no lock is held.
  size_t place(unsigned T, size_t From) {
    std::vector<size_t> Places;
    unsigned Held = 0;
    const bool UnderLocks = O.Sync == ProgramOptions::Anywhere && chance(70);
    for (size_t I = 0; I <= P[T].size(); ++I) {
      if ((!Held || UnderLocks) && I >= From)
        Places.push_back(I);
      if (I == P[T].size())
        break;
      const EventKind K = P[T][I].Kind;
      Held += K == EventKind::Acquire || K == EventKind::AcquireShared;
      Held -= K == EventKind::Release || K == EventKind::ReleaseShared;
    }
    return Places[below(Places.size())];
  }
  void insert(unsigned T, size_t Where, const Operation &New) {
    P[T].insert(P[T].begin() + Where, New);
  }

  void synchronize() {
    const bool All = O.Sync == ProgramOptions::Global;
    if (chance(60))
      for (unsigned Child = 1; Child < P.size(); ++Child) {
        if (!All && chance(30))
          continue;
        const unsigned Parent = All ? 0 : below(Child);
        const size_t Where = All ? Child - 1 : place(Parent, 0);
        insert(Parent, Where, {EventKind::Start, Child});
        if (All)
          P[0].push_back({EventKind::Join, Child});
        else if (chance(50))
          insert(Parent, place(Parent, Where + 1), {EventKind::Join, Child});
        for (unsigned More = below(3);
             O.Sync == ProgramOptions::Anywhere && More; --More) {
          const unsigned T = below(P.size());
          if (T != Child)
            insert(T, place(T, T == Parent ? Where + 1 : 0),
                   {EventKind::Join, Child});
        }
      }
    if (!chance(50))
      return;
    for (unsigned Round = 1 + below(2); Round; --Round)
      for (unsigned T = 0; T < P.size(); ++T) {
        if (!All && P.size() > 2 && T == P.size() - 1)
          break;
        // Not before the starts nor after the joins, where all wait for all.
        size_t From = 0, To = P[T].size();
        while (All && From < To && P[T][From].Kind == EventKind::Start)
          ++From;
        size_t Where = place(T, From);
        while (All && Where && P[T][Where - 1].Kind == EventKind::Join)
          --Where;
        // Never between the two halves of another round.
        while (Where < P[T].size() &&
               P[T][Where].Kind == EventKind::BarrierLeave)
          ++Where;
        insert(T, Where, {EventKind::BarrierLeave, 0});
        insert(T, Where, {EventKind::BarrierArrive, 0});
      }
  }

  /// Anywhere, also in regions and with locks; never between the two halves of
  /// a wait.
  size_t anyPlace(unsigned T) {
    size_t Where = below(P[T].size() + 1);
    while (Where < P[T].size() &&
           (P[T][Where].Kind == EventKind::BarrierLeave ||
            P[T][Where].Kind == EventKind::Woken))
      ++Where;
    return Where;
  }

  void handOver(uint32_t Number) {
    const unsigned From = below(P.size());
    const unsigned To = (From + 1 + below(P.size() - 1)) % P.size();
    const bool IsWait = !isSemaphore(Number) && chance(60);
    insert(From, anyPlace(From),
           {IsWait ? EventKind::Signal : EventKind::HappensBefore, Number});
    const size_t Where = anyPlace(To);
    insert(To, Where,
           {IsWait ? EventKind::Woken : EventKind::HappensAfter, Number});
    if (IsWait)
      insert(To, Where, {EventKind::Wait, Number});
  }

  std::mt19937_64 Random;
  const ProgramOptions O;
  Program P;
  unsigned NumVariables = 1, NumLocks = 0, WritePercent = 50;
  bool InOrder = false;
};

} // namespace

Program randomProgram(uint64_t Seed, const ProgramOptions &Options) {
  return Generator(Seed, Options).run();
}

Program program(const std::vector<std::string> &Threads) {
  Program P;
  for (const std::string &Text : Threads) {
    P.emplace_back();
    for (size_t I = 0; I < Text.size(); ++I) {
      if (Text[I] == ' ')
        continue;
      if (Text[I] == '[' || Text[I] == ']') {
        P.back().push_back(
            {Text[I] == '[' ? EventKind::RegionBegin : EventKind::RegionEnd});
        continue;
      }
      const Spelling *S = std::find_if(
          std::begin(Spellings), std::end(Spellings),
          [&](const Spelling &Each) { return Each.Sign == Text[I]; });
      const char Name = I + 1 < Text.size() ? Text[I + 1] : ' ';
      const std::string Operands = S == std::end(Spellings) ? ""
                                   : S->Operands            ? S->Operands
                                                            : "0123456";
      const size_t Operand = Operands.find(Name);
      if (Operand == std::string::npos) {
        std::fprintf(stderr, "misspelt: \"%s\" at %zu\n", Text.c_str(), I);
        std::abort();
      }
      ++I;
      P.back().push_back({S->Kind, uint32_t(Operand)});
      if (S->Kind == EventKind::BarrierArrive)
        P.back().push_back({EventKind::BarrierLeave, uint32_t(Operand)});
      if (S->Kind == EventKind::Wait)
        P.back().push_back({EventKind::Woken, uint32_t(Operand)});
    }
  }
  return P;
}

std::string describe(const Program &P) {
  std::string Text;
  for (const std::vector<Operation> &Ops : P) {
    std::string Line;
    for (const Operation &Each : Ops) {
      if (Each.Kind == EventKind::BarrierLeave || Each.Kind == EventKind::Woken)
        continue;
      if (!Line.empty())
        Line += ' ';
      if (Each.Kind == EventKind::RegionBegin) {
        Line += '[';
      } else if (Each.Kind == EventKind::RegionEnd) {
        Line += ']';
      } else {
        for (const Spelling &S : Spellings)
          if (S.Kind == Each.Kind) {
            Line += S.Sign;
            Line += S.Operands ? S.Operands[Each.Operand]
                               : char('0' + Each.Operand);
          }
      }
    }
    Text += "\"" + Line + "\",\n";
  }
  return Text;
}

uint64_t variableAddress(uint32_t Variable) { return 0x1000 + Variable * 8; }
uint64_t lockAddress(uint32_t Lock) { return 0x2000 + Lock * 64; }
uint64_t barrierAddress(uint32_t Barrier) { return 0x3000 + Barrier * 64; }
uint64_t handOverAddress(uint32_t HandOver) { return 0x4000 + HandOver * 64; }

} // namespace atsan_test
