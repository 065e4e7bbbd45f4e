//===- RandomProgram.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//

#include "RandomProgram.h"
#include <functional>
#include <set>

using namespace atsan_test;
using Kind = RandomStatement::Kind;

namespace {

class Generator {
public:
  Generator(std::mt19937_64 &Random, const RandomProgram &P)
      : Random(Random), P(P) {}

  std::vector<RandomStatement> block(unsigned Size, bool InRegion, bool InStep,
                                     unsigned Depth);

private:
  unsigned below(unsigned N) { return Random() % N; }
  RandomStatement statement(unsigned &Size, bool InRegion, bool InStep,
                            unsigned Depth);

  std::mt19937_64 &Random;
  const RandomProgram &P;
};

} // namespace

RandomStatement Generator::statement(unsigned &Size, bool InRegion, bool InStep,
                                     unsigned Depth) {
  RandomStatement S;
  S.Variable = below(P.Variables);
  S.Value = below(3);
  S.Other = below(3);
  const unsigned Dice = below(InStep ? 9 : 24);
  if (Dice < 4) {
    S.Is = Kind::Read;
  } else if (Dice < 7) {
    S.Is = Kind::Write;
  } else if (Dice < 9) {
    S.Is = Kind::Store;
  } else if (Dice < 14 && Depth < 2) {
    S.Is = Kind::Region;
    const unsigned Inner = 1 + below(Size);
    S.First = block(Inner, true, false, Depth + 1);
    Size -= Inner - 1;
  } else if (Dice < 15) {
    S.Is = Kind::Step;
    S.First = block(1 + below(2), InRegion, true, Depth + 1);
  } else if (Dice < 17 && Depth < 3) {
    S.Is = below(2) ? Kind::If : Kind::Choose;
    S.First = block(1, InRegion, false, Depth + 1);
    if (below(2))
      S.Second = block(1, InRegion, false, Depth + 1);
  } else if (Dice < 18) {
    S.Is = Kind::Assume;
  } else if (Dice < 19) {
    S.Is = Kind::Cas;
  } else if (Dice < 20) {
    S.Is = InRegion ? Kind::Restart : Kind::Add;
  } else {
    S.Is = Kind::Acquire;
    S.Variable = below(P.Locks);
  }
  return S;
}

std::vector<RandomStatement> Generator::block(unsigned Size, bool InRegion,
                                              bool InStep, unsigned Depth) {
  std::vector<RandomStatement> All;
  std::vector<unsigned> Held;
  for (; Size; --Size) {
    RandomStatement S = statement(Size, InRegion, InStep, Depth);
    if (S.Is == Kind::Acquire)
      Held.push_back(S.Variable);
    All.push_back(S);
    if (!Held.empty() && below(2)) {
      S = RandomStatement();
      S.Is = Kind::Release;
      S.Variable = Held.back();
      Held.pop_back();
      All.push_back(S);
    }
  }
  for (; !Held.empty(); Held.pop_back()) {
    RandomStatement S;
    S.Is = Kind::Release;
    S.Variable = Held.back();
    All.push_back(S);
  }
  return All;
}

RandomProgram atsan_test::randomProgram(std::mt19937_64 &Random,
                                        unsigned Threads, unsigned Size) {
  RandomProgram P;
  P.Variables = 1 + Random() % 3;
  P.HasSync = P.Variables > 1 && Random() % 4 == 0;
  P.Locks = 1 + Random() % 2;
  P.AreAlike = Random() % 4 == 0;
  Generator G(Random, P);
  for (unsigned T = 0; T < Threads; ++T)
    P.Threads.push_back(T && P.AreAlike
                            ? P.Threads[0]
                            : G.block(1 + Random() % Size, false, false, 0));
  return P;
}

static std::string blockText(const std::vector<RandomStatement> &All) {
  std::string Text = "{ ";
  for (const RandomStatement &S : All) {
    const std::string V(1, static_cast<char>('a' + S.Variable));
    const std::string Value = std::to_string(S.Value);
    const std::string Lock = "(m[" + std::to_string(S.Variable) + "]); ";
    switch (S.Is) {
    case Kind::Read:
      Text += "l := " + V + "; ";
      break;
    case Kind::Write:
      Text += V + " := " + Value + "; ";
      break;
    case Kind::Store:
      Text += V + " := l; ";
      break;
    case Kind::Add:
      Text += V + " := (" + V + " + 1) % 3; ";
      break;
    case Kind::Acquire:
      Text += "acquire" + Lock;
      break;
    case Kind::Release:
      Text += "release" + Lock;
      break;
    case Kind::Region:
      Text += "atomic " + blockText(S.First);
      break;
    case Kind::Step:
      Text += "step " + blockText(S.First);
      break;
    case Kind::If:
      Text += "if (l == " + Value + ") " + blockText(S.First) + "else " +
              blockText(S.Second);
      break;
    case Kind::Choose:
      Text += "choose " + blockText(S.First) + "or " + blockText(S.Second);
      break;
    case Kind::Assume:
      Text += "assume(" + V + " == " + Value + "); ";
      break;
    case Kind::Cas:
      Text +=
          "cas(" + V + ", " + Value + ", " + std::to_string(S.Other) + "); ";
      break;
    case Kind::Restart:
      Text += "restart; ";
      break;
    case Kind::While:
      Text += "while (choose) " + blockText(S.First);
      break;
    case Kind::Call:
      Text += "p" + std::to_string(S.Variable) + "(); ";
      break;
    }
  }
  return Text + "} ";
}

std::string RandomProgram::text() const {
  std::string Text;
  for (unsigned V = 0; V < Variables; ++V)
    Text += (HasSync && V + 1 == Variables ? "sync int[0..2] " : "int[0..2] ") +
            std::string(1, static_cast<char>('a' + V)) + "; ";
  Text += "lock m[" + std::to_string(Locks) + "];\n";
  for (size_t I = 0; I < Procedures.size(); ++I)
    Text += "proc p" + std::to_string(I) + "() { int[0..2] l; " +
            blockText(Procedures[I]) + "}\n";
  for (size_t T = 0; T < Threads.size(); ++T) {
    if (T && AreAlike)
      break;
    Text += "thread T" + std::to_string(T);
    if (AreAlike)
      Text += "[" + std::to_string(Threads.size()) + "]";
    Text += " { int[0..2] l; " + blockText(Threads[T]) + "}\n";
  }
  return Text;
}

namespace {

// The oracle's own form of a program: instructions with jumps.
struct Instruction {
  enum Op : uint8_t {
    Read,
    Write,
    Store,
    Acquire,
    Release,
    Begin,
    End,
    StepBegin,
    StepEnd,
    Test,   // Goes on, or to To if l is not Value.
    Either, // Goes on, or to To.
    Jump,
    Assume,
    Cas,
    AddRead, // Two steps, over a place of their own.
    AddWrite,
    Restart,
    Block, // Never goes on.
  };
  Op Is;
  unsigned Variable = 0, Value = 0, Other = 0;
  size_t To = 0;
};
using Code = std::vector<Instruction>;

struct Compiler {
  const RandomProgram &P;
  OracleBounds Bounds;

  void compile(const std::vector<RandomStatement> &All, Code &To,
               unsigned Calls = 0) const;
};

void Compiler::compile(const std::vector<RandomStatement> &All, Code &To,
                       unsigned Calls) const {
  auto Add = [&](Instruction::Op Op, const RandomStatement &S) {
    To.push_back({Op, S.Variable, S.Value, S.Other, 0});
  };
  for (const RandomStatement &S : All)
    switch (S.Is) {
    case Kind::Read:
      Add(Instruction::Read, S);
      break;
    case Kind::Write:
      Add(Instruction::Write, S);
      break;
    case Kind::Store:
      Add(Instruction::Store, S);
      break;
    case Kind::Add:
      Add(Instruction::AddRead, S);
      Add(Instruction::AddWrite, S);
      break;
    case Kind::Acquire:
      Add(Instruction::Acquire, S);
      break;
    case Kind::Release:
      Add(Instruction::Release, S);
      break;
    case Kind::Region:
      Add(Instruction::Begin, S);
      compile(S.First, To, Calls);
      Add(Instruction::End, S);
      break;
    case Kind::Step:
      Add(Instruction::StepBegin, S);
      compile(S.First, To, Calls);
      Add(Instruction::StepEnd, S);
      break;
    case Kind::If:
    case Kind::Choose: {
      const size_t Branch = To.size();
      Add(S.Is == Kind::If ? Instruction::Test : Instruction::Either, S);
      compile(S.First, To, Calls);
      const size_t Jump = To.size();
      Add(Instruction::Jump, S);
      To[Branch].To = To.size();
      compile(S.Second, To, Calls);
      To[Jump].To = To.size();
      break;
    }
    case Kind::Assume:
      Add(Instruction::Assume, S);
      break;
    case Kind::Cas:
      Add(Instruction::Cas, S);
      break;
    case Kind::Restart:
      Add(Instruction::Restart, S);
      break;
    case Kind::While: {
      std::vector<size_t> Leave;
      for (unsigned Round = 0; Round < Bounds.Rounds; ++Round) {
        Leave.push_back(To.size());
        Add(Instruction::Either, S);
        compile(S.First, To, Calls);
      }
      for (const size_t At : Leave)
        To[At].To = To.size();
      break;
    }
    case Kind::Call:
      if (Calls == Bounds.CallDepth)
        Add(Instruction::Block, S);
      else
        compile(P.Procedures[S.Variable], To, Calls + 1);
      break;
    }
}

// A transaction in the conflict graph: what it accessed, and all that come
// directly after it.
struct Transaction {
  uint8_t Thread = 0;
  uint32_t Reads = 0, Writes = 0;
  uint64_t After = 0;

  bool operator<(const Transaction &O) const {
    return std::tie(Thread, Reads, Writes, After) <
           std::tie(O.Thread, O.Reads, O.Writes, O.After);
  }
};

struct OracleThread {
  uint8_t At = 0, Local = 0, Extra = 0, Depth = 0;
  bool IsOpen = false; // Has it a transaction that goes on?
  int8_t Current = -1; // The last transaction.
  bool IsHeld = false; // Its failed compare-and-swap has closed a cycle.

  bool operator<(const OracleThread &O) const {
    return std::tie(At, Local, Extra, Depth, IsOpen, Current, IsHeld) <
           std::tie(O.At, O.Local, O.Extra, O.Depth, O.IsOpen, O.Current,
                    O.IsHeld);
  }
};

struct OracleState {
  std::vector<OracleThread> Threads;
  std::vector<uint8_t> Values, Owners;
  std::vector<Transaction> Graph;

  bool operator<(const OracleState &O) const {
    return std::tie(Threads, Values, Owners, Graph) <
           std::tie(O.Threads, O.Values, O.Owners, O.Graph);
  }
};

class Oracle {
public:
  Oracle(const RandomProgram &P, size_t MaxStates, OracleBounds Bounds)
      : P(P), MaxStates(MaxStates) {
    for (const auto &T : P.Threads) {
      All.emplace_back();
      Compiler{P, Bounds}.compile(T, All.back());
      Verdict.GaveUp |= All.back().size() > UINT8_MAX;
    }
  }
  OracleVerdict run();

private:
  void visit(OracleState S);
  void step(OracleState S, size_t T);
  bool access(OracleState &S, size_t T, unsigned V, bool IsWrite);
  static bool hasCycle(const OracleState &S);
  static bool goesOnHeld(const OracleThread &Th, const Instruction &I);
  void startOver(OracleState &S, size_t T) {
    S.Threads[T].IsOpen = S.Threads[T].Depth > 0;
    S.Threads[T].Current =
        S.Threads[T].Depth ? newNode(S, T) : S.Threads[T].Current;
  }
  static int8_t newNode(OracleState &S, size_t T) {
    const auto New = static_cast<int8_t>(S.Graph.size());
    S.Graph.emplace_back();
    S.Graph.back().Thread = static_cast<uint8_t>(T);
    if (S.Threads[T].Current >= 0)
      S.Graph[S.Threads[T].Current].After |= uint64_t(1) << New;
    return New;
  }

  const RandomProgram &P;
  size_t MaxStates;
  std::vector<Code> All;
  std::set<OracleState> Seen;
  std::vector<OracleState> Work;
  OracleVerdict Verdict;
};

} // namespace

OracleVerdict Oracle::run() {
  OracleState S;
  S.Threads.resize(All.size());
  S.Values.resize(P.Variables);
  S.Owners.resize(P.Locks);
  visit(S);
  while (!Work.empty() && !Verdict.IsUnserializable && !Verdict.GaveUp) {
    const OracleState Now = Work.back();
    Work.pop_back();
    for (size_t T = 0; T < All.size(); ++T)
      step(Now, T);
  }
  return Verdict;
}

void Oracle::visit(OracleState S) {
  // Sets of transactions have 64 bits.
  Verdict.GaveUp =
      Verdict.GaveUp || Seen.size() >= MaxStates || S.Graph.size() > 56;
  if (Seen.insert(S).second)
    Work.push_back(std::move(S));
}

bool Oracle::hasCycle(const OracleState &S) {
  std::vector<uint64_t> Reach;
  for (const Transaction &T : S.Graph)
    Reach.push_back(T.After);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (uint64_t &R : Reach)
      for (size_t I = 0; I < Reach.size(); ++I)
        if ((R >> I & 1) && (R | Reach[I]) != R) {
          R |= Reach[I];
          Changed = true;
        }
  }
  for (size_t I = 0; I < Reach.size(); ++I)
    if (Reach[I] >> I & 1)
      return true;
  return false;
}

// Returns whether it closes a cycle.
bool Oracle::access(OracleState &S, size_t T, unsigned V, bool IsWrite) {
  if (P.HasSync && V + 1 == P.Variables)
    return false;
  OracleThread &Th = S.Threads[T];
  if (!Th.IsOpen)
    Th.Current = newNode(S, T);
  const uint32_t Bit = 1u << V;
  for (size_t I = 0; I < S.Graph.size(); ++I) {
    Transaction &O = S.Graph[I];
    if (O.Thread != T && ((O.Writes | (IsWrite ? O.Reads : 0)) & Bit))
      O.After |= uint64_t(1) << Th.Current;
  }
  (IsWrite ? S.Graph[Th.Current].Writes : S.Graph[Th.Current].Reads) |= Bit;
  return hasCycle(S);
}

// Whether an instruction leaves open if the attempt is given up.
bool Oracle::goesOnHeld(const OracleThread &Th, const Instruction &I) {
  switch (I.Is) {
  case Instruction::Begin:
  case Instruction::Test:
  case Instruction::Either:
  case Instruction::Jump:
  case Instruction::Restart:
  case Instruction::Block:
    return true;
  case Instruction::End:
    return Th.Depth > 1;
  default:
    return false;
  }
}

void Oracle::step(OracleState S, size_t T) {
  bool InStep = false, IsOwn = false;
  for (;;) {
    OracleThread &Th = S.Threads[T];
    if (Th.At == All[T].size())
      return;
    const Instruction &I = All[T][Th.At++];
    bool IsBad = false;
    if (Th.IsHeld && !goesOnHeld(Th, I)) {
      Verdict.IsUnserializable = true;
      return;
    }
    switch (I.Is) {
    case Instruction::Read:
      Th.Local = S.Values[I.Variable];
      IsBad = access(S, T, I.Variable, false);
      break;
    case Instruction::AddRead:
      Th.Extra = S.Values[I.Variable];
      IsBad = access(S, T, I.Variable, false);
      break;
    case Instruction::Write:
    case Instruction::Store:
    case Instruction::AddWrite:
      S.Values[I.Variable] = I.Is == Instruction::Write   ? I.Value
                             : I.Is == Instruction::Store ? Th.Local
                                                          : (Th.Extra + 1) % 3;
      Th.Extra = 0;
      IsBad = access(S, T, I.Variable, true);
      break;
    case Instruction::Assume:
      if (S.Values[I.Variable] != I.Value)
        return;
      IsBad = access(S, T, I.Variable, false);
      break;
    case Instruction::Cas: {
      const bool IsWrite = S.Values[I.Variable] == I.Value;
      if (IsWrite)
        S.Values[I.Variable] = I.Other;
      const std::vector<Transaction> Before = S.Graph;
      IsBad = access(S, T, I.Variable, IsWrite);
      if (IsBad && !IsWrite && Th.IsOpen) {
        // Not before it is clear that the attempt goes on (rule 7).
        for (size_t N = 0; N < Before.size(); ++N)
          S.Graph[N].After = Before[N].After;
        Th.IsHeld = true;
        IsBad = false;
      }
      break;
    }
    case Instruction::Acquire:
      if (S.Owners[I.Variable])
        return;
      S.Owners[I.Variable] = T + 1;
      break;
    case Instruction::Block:
      return;
    case Instruction::Release:
      if (S.Owners[I.Variable] != T + 1)
        return;
      S.Owners[I.Variable] = 0;
      break;
    case Instruction::Begin:
      if (++Th.Depth == 1)
        startOver(S, T);
      break;
    case Instruction::End:
      if (--Th.Depth == 0)
        Th.IsOpen = false;
      break;
    case Instruction::Restart:
      Th.IsHeld = false;
      startOver(S, T);
      break;
    case Instruction::StepBegin:
      InStep = true;
      IsOwn = !Th.Depth;
      if (IsOwn) {
        Th.Current = newNode(S, T);
        Th.IsOpen = true;
      }
      break;
    case Instruction::StepEnd:
      InStep = false;
      if (IsOwn)
        Th.IsOpen = false;
      break;
    case Instruction::Test:
      if (Th.Local != I.Value)
        Th.At = static_cast<uint8_t>(I.To);
      break;
    case Instruction::Either: {
      OracleState Other = S;
      Other.Threads[T].At = static_cast<uint8_t>(I.To);
      visit(std::move(Other));
      break;
    }
    case Instruction::Jump:
      Th.At = static_cast<uint8_t>(I.To);
      break;
    }
    if (IsBad) {
      Verdict.IsUnserializable = true;
      return;
    }
    if (!InStep)
      break;
  }
  visit(std::move(S));
}

OracleVerdict atsan_test::decideSerializable(const RandomProgram &P,
                                             size_t MaxStates,
                                             OracleBounds Bounds) {
  return Oracle(P, MaxStates, Bounds).run();
}
