//===- Program.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A model as the analyses see it: for each thread an automaton whose edges are
// single actions. Expressions are taken apart: each read of a global variable
// is an edge of its own, into a local one. What an edge does stands in the
// table of docs/model-language.md; what an analysis leaves out (data, calls,
// locks) is up to it.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_PROGRAM_H
#define ATSAN_MODEL_PROGRAM_H

#include "lib/model/Formula.h"

namespace atsan::model {

/// The values of a variable, from the smallest to the largest.
struct Range {
  Value Low = 0;
  Value High = 0;
  bool IsBool = false;

  bool has(int64_t V) const { return Low <= V && V <= High; }
  bool operator==(const Range &O) const {
    return Low == O.Low && High == O.High && IsBool == O.IsBool;
  }
  /// Where a variable begins if nothing else is said.
  Value first() const { return has(0) ? 0 : Low; }
};

/// A global variable, or one element of a global array ("a[2]").
struct Variable {
  std::string Name;
  Storage Is = Storage::Data;
  Range Of;
  Value Initial = 0;
  Position At;
};

struct Lock {
  std::string Name;
  Position At;
};

/// What operations implement.
struct Register {
  std::string Name;
  Range Of;
  Value Initial = 0;
  Position At;
};

/// A local variable of an automaton, or a place for what an expression has
/// read. Different variables share one where they do not live at once.
struct Local {
  std::string Name;
  Range Of;
  Value Initial = 0;
};

/// A block that is meant to be atomic.
struct Region {
  std::string Name; ///< May be empty.
  Position At;
};

/// One of Count neighbouring variables, locks or locals: First + Index.
struct Place {
  uint32_t First = 0;
  uint32_t Count = 1;
  Formula Index; ///< Empty: First itself.
};

struct Edge {
  enum class Kind : uint8_t {
    Skip,    ///< Nothing. Of several edges of a node any may be taken.
    Set,     ///< Target := What.
    Choose,  ///< Target := any value from What to Second.
    Test,    ///< Goes on if What is true; a sibling tests the opposite.
    Assume,  ///< Goes on if What is true; runs where it is not do not count.
    Assert,  ///< It is an error if What is false.
    Read,    ///< Target := the variable Where.
    Write,   ///< The variable Where := What.
    Cas,     ///< In one step: Target := (Where == What); if so Where := Second.
    Acquire, ///< Waits until the lock Where is free, and takes it.
    Release, ///< Gives the lock Where back.
    Begin,   ///< The region Number begins.
    End,     ///< The region Number ends.
    Restart, ///< The attempt at the open region is over; another one begins.
    StepBegin, ///< What follows up to StepEnd happens at once, or not at all.
    StepEnd,
    Invoke, ///< An operation of register Number begins; IsWrite: with What.
    Return, ///< It is over; if it is a read, it returns What.
    Call,   ///< Runs the procedure Number (only where calls are kept).
  };

  Kind Is = Kind::Skip;
  bool IsWrite = false;
  /// Does a Read or Cas belong to the condition of an assume, which waits in
  /// it?
  bool IsOfAssume = false;
  uint32_t To = 0; ///< The node behind it.
  uint32_t Number = 0;
  /// For Begin, End: how many regions are open, this one included, in this
  /// automaton.
  uint32_t Depth = 0;
  Position At;
  Place Target; ///< Among the automaton's locals.
  Place Where;  ///< Among the variables or locks.
  Formula What;
  Formula Second;
};

struct Node {
  std::vector<Edge> Out; ///< None: the end.
  Position At;
};

struct Automaton {
  std::string Name;
  std::vector<Node> Nodes; ///< Begins at the first one.
  std::vector<Local> Locals;
  /// The local with the thread's number among its replicas, if it is used.
  std::optional<uint32_t> Self;
};

struct Thread {
  Automaton Code;
  uint32_t Count = 1;
  bool IsAnyNumber = false;  ///< thread T[*]
  bool IsReplicated = false; ///< Was it written as T[N] or T[*]?
  Position At;
};

struct Program {
  std::vector<Variable> Variables;
  std::vector<Lock> Locks;
  std::vector<Register> Registers;
  std::vector<Region> Regions;
  /// Empty where calls are expanded.
  std::vector<Automaton> Procedures;
  std::vector<Thread> Threads;
};

/// The name of a replica of a thread: "T", "T[2]".
inline std::string replicaName(const Thread &T, uint32_t Replica) {
  return T.IsReplicated ? T.Code.Name + "[" + std::to_string(Replica) + "]"
                        : T.Code.Name;
}

} // namespace atsan::model

#endif // ATSAN_MODEL_PROGRAM_H
