//===- Machine.h ---------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runs of a program, step by step: its states, and what each thread can do
// in them. A step is one access to what threads share, or one `step` block,
// with all that the thread does on its own up to the next one.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_MODEL_MACHINE_H
#define ATSAN_MODEL_MACHINE_H

#include "lib/model/Contents.h"
#include "lib/model/Continuations.h"
#include "lib/model/Property.h"
#include "lib/model/Sharing.h"

namespace atsan::model {

/// What a step did, for schedules.
struct Action {
  unsigned Thread = 0;
  const Edge *What = nullptr;
  uint32_t Object = 0;    ///< The variable or lock.
  Value Result = 0;       ///< What was read, written, chosen, or returned.
  bool IsWrite = false;   ///< Did an access write?
  bool HasFailed = false; ///< It could not happen: the model has an error.
  bool IsInStep = false;
  bool IsSecond = false; ///< The second half of a write to a register.
  /// Does a step of the schedule begin with it? What follows up to the next
  /// such action is part of that step.
  bool BeginsStep = false;
};

/// What a thread can do in a state of one machine; made again and again, so
/// that its memory is reused.
class Outcomes {
public:
  struct One {
    std::vector<Value> State;
    bool IsViolation = false;
    bool EndsRegion = false; ///< Did the thread's outermost region end?
    Fault Error = Fault::None;
    std::vector<Action> Log; ///< Empty unless WantsLogs.
  };

  bool WantsLogs = false;
  /// What was seen at the begins of loops; only while a step is made.
  RowSet Seen;
  Continuations Known;
  /// What threads came to in any step so far; it is never forgotten. Asserts do
  /// not count: that no run comes to one may be what it says.
  Contents Reached;
  /// Where a choice left more ways than are followed; null: nowhere so far.
  const Edge *TooMany = nullptr;

  void clear() {
    Size = 0;
    Seen.clear();
  }
  One &add();
  void dropLast() { --Size; }
  size_t size() const { return Size; }
  One &operator[](size_t I) { return All[I]; }

private:
  std::vector<One> All;
  size_t Size = 0;
};

inline bool isRegister(const Variable &V) {
  return V.Is == Storage::Safe || V.Is == Storage::Regular;
}

class Machine {
public:
  /// Throws ModelError for what a search cannot do: threads without number, too
  /// many of them.
  Machine(const Program &P, const Sharing &Shared, const Property &Asked);

  static constexpr unsigned MaxThreads = 16;

  /// A value of the state: its smallest value, and how many bits it has.
  struct Field {
    Value Low = 0;
    unsigned Bits = 0;
  };
  const std::vector<Field> &fields() const { return Fields; }
  unsigned threads() const { return Replicas.size(); }
  std::string threadName(unsigned T) const;

  /// The states in which all threads stand before their first steps. Logs have
  /// what threads did before.
  void begin(Outcomes &Out) const;
  /// Everything that a thread can do next; nothing if it waits or has ended.
  void step(const Value *From, unsigned Thread, Outcomes &Out) const;

  /// The node at which a thread stands; None: it does nothing for ever.
  static constexpr uint32_t None = UINT32_MAX;
  uint32_t node(const Value *S, unsigned Thread) const {
    return StopNodes[Replicas[Thread].Code][S[Replicas[Thread].Stop]];
  }
  bool hasEnded(unsigned Thread, uint32_t Node) const {
    return P.Threads[Replicas[Thread].Code].Code.Nodes[Node].Out.empty();
  }
  /// The automaton that a thread runs.
  unsigned automaton(unsigned Thread) const { return Replicas[Thread].Code; }
  bool usesSelf(unsigned Thread) const {
    return P.Threads[Replicas[Thread].Code].Code.Self.has_value();
  }

  /// Makes thread T what was thread New^-1[T]; only among threads that run the
  /// same automaton.
  void rename(Value *S, const std::vector<unsigned> &New) const;
  /// Compares what two threads of one automaton are about.
  int compare(const Value *S, unsigned A, unsigned B) const;

private:
  struct Replica {
    unsigned Code = 0;   // The thread in the program.
    uint32_t Stop = 0;   // The field with its place; its locals follow.
    uint32_t Number = 0; // For `self`.
  };
  friend class Runner;

  void addField(Value Low, Value High);
  void findStops(unsigned Code);
  bool isStop(const Node &N) const;
  static void markStep(const std::vector<Node> &Nodes, uint32_t From,
                       std::vector<bool> &IsInStep);
  void findRegions(unsigned Code);
  void findLoops(unsigned Code);
  void findDead(unsigned Code);
  void findOwn(unsigned Code);
  const Program &P;
  const Sharing &Shared;
  const Property &Asked;
  std::vector<Replica> Replicas;
  std::vector<Field> Fields;
  uint32_t FirstLock = 0, FirstPending = 0, FirstMonitor = 0;
  std::vector<uint32_t> PendingOf; // By variable, its field.
  // By automaton and node.
  std::vector<std::vector<int>> StopOf; // -1: no stop.
  std::vector<std::vector<uint32_t>> StopNodes;
  std::vector<std::vector<bool>> InRegion;
  /// Is there a way back to a node, along which it was reached first? Each
  /// endless way comes to such nodes again and again.
  std::vector<std::vector<bool>> BeginsLoop;
  /// Does a thread access its locals alone, from a node up to its next stops?
  std::vector<std::vector<bool>> IsOwn;
  /// A local whose value does not matter any more at a stop, and the one that
  /// it gets there.
  struct DeadLocal {
    uint32_t Slot;
    Value Initial;
  };
  std::vector<std::vector<std::vector<DeadLocal>>> Dead;
};

} // namespace atsan::model

#endif // ATSAN_MODEL_MACHINE_H
