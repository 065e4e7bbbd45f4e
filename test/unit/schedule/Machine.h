//===-- Machine.h
//-----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine whose threads run one step at a time, as a model: what each step
// needs, does and touches. It knows nothing of strategies.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_SCHEDULE_MACHINE_H
#define ATSAN_UNIT_SCHEDULE_MACHINE_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace atsan_test {

constexpr unsigned kMaxThreads = 4, kNumVariables = 5, kNumLocks = 2,
                   kNumConditions = 2, kNumSemaphores = 2;

enum class OpKind : uint8_t {
  Read,
  Write,
  Update, ///< Read and write.
  Await,  ///< Reads until the variable's parity is Arg, three times at most.
  Lock,
  Unlock,
  TryLock, ///< Goes on behind the operation Arg if the lock is not free.
  LockShared,
  UnlockShared,
  Wait, ///< For a condition, with the lock Arg.
  Signal,
  Broadcast,
  SemaphoreWait,
  SemaphorePost,
  Barrier,
  RegionBegin,
  RegionEnd,
  Create,
  Join,
  End,
};

struct Op {
  OpKind Kind;
  uint8_t Object = 0;
  uint8_t Arg = 0;
  int8_t OnlyIf = -1; ///< The parity that the thread must have read last.
};

struct MachineProgram {
  std::vector<std::vector<Op>> Threads;
  /// Who creates each thread; -1: it is there at the beginning.
  std::vector<int> Parents;
  std::array<uint8_t, kNumSemaphores> Semaphores = {};
  uint8_t BarrierParties = 2;
  /// Whether the step End touches what the step Join does, or nothing.
  bool NamedEnds = false;
  /// Whether the second step of Wait touches the condition, or the lock only.
  bool WakingTouchesCondition = true;
};

std::string describe(const MachineProgram &P);

/// Bytes of memory, or one other object.
struct Touch {
  unsigned Space; ///< 0: memory. Others have one object each.
  unsigned Begin, End;
  bool Changes;
};

struct MachineStep {
  OpKind Kind;
  unsigned NumTouches = 0;
  Touch Touches[2];
  bool InRegion = false;
};

bool conflict(const MachineStep &A, const MachineStep &B);

class Machine {
public:
  explicit Machine(const MachineProgram &P);

  unsigned numThreads() const { return P->Threads.size(); }
  /// Begun and not ended.
  bool lives(unsigned Thread) const;
  bool ready(unsigned Thread) const;
  bool spins(unsigned Thread) const;
  MachineStep next(unsigned Thread) const;
  void execute(unsigned Thread);
  /// Memory, and how far each thread has come.
  std::string verdict() const;
  int parent(unsigned Thread) const { return P->Parents[Thread]; }

private:
  struct ThreadState {
    uint8_t Pc = 0, Phase = 0, Parity = 0, Regions = 0, Round = 0;
    bool Begun = false, Signalled = false;
  };

  const Op &op(unsigned Thread) const {
    return P->Threads[Thread][T[Thread].Pc];
  }
  bool lockIsFree(unsigned Lock) const {
    return Owner[Lock] < 0 && !Readers[Lock];
  }
  void advance(unsigned Thread);
  void wake(unsigned Thread, unsigned Condition);
  uint8_t read(unsigned Variable) const;
  void write(unsigned Variable, uint8_t Value);

  const MachineProgram *P;
  std::array<ThreadState, kMaxThreads> T;
  std::array<uint8_t, 16> Memory = {};
  std::array<int8_t, kNumLocks> Owner;
  std::array<uint8_t, kNumLocks> Readers = {};
  std::array<uint8_t, kNumSemaphores> Semaphores;
  /// The threads that wait, first come first served.
  std::array<std::array<int8_t, kMaxThreads>, kNumConditions> Waiting;
  uint8_t Arrived = 0, Round = 0;
};

MachineProgram randomMachineProgram(uint64_t Seed);

} // namespace atsan_test

#endif // ATSAN_UNIT_SCHEDULE_MACHINE_H
