//===-- Schedule.h ---------------------------------------------*- C++ -*--===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary of the unit tests: a schedule is a list of events of simulated
// threads, in the order in which they happen. The oracle and the checker are
// driven by the same schedule. Knows which schedules make sense (a thread ends
// once, a lock has one owner, ...), but nothing about atomicity.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_UNIT_SCHEDULE_H
#define ATSAN_UNIT_SCHEDULE_H

#include "lib/checker/atsan_defs.h"
#include <cstdint>
#include <string>
#include <vector>

namespace atsan_test {

using __atsan::AccessKind;

enum class Op : uint8_t {
  Start,   // Thread appears without a known parent.
  Create,  // Thread creates Other.
  End,     // Thread ends, also inside a region.
  Detach,  // Other will never be joined; Thread is whoever says so.
  Join,    // Thread joins Other, which has ended.
  Begin,   // Thread enters a region, nested or not.
  Leave,   // Thread leaves its innermost region.
  Access,  // Thread accesses Size bytes at Offset.
  Forget,  // The bytes die; what follows concerns new entities.
  Acquire, // Thread takes the lock Other, shared if Shared.
  Release, // Thread gives it back, in the mode in which it took it.
};

struct Event {
  Op What;
  uint16_t Thread = 0;
  uint16_t Other = 0;
  uint32_t Offset = 0;
  uint32_t Size = 0;
  AccessKind Kind = AccessKind::kRead;
  // Create and Join: the event is a boundary (semantics rule 5), it ends the
  // region that it stands in, and another one begins after it.
  bool Split = false;
  bool Shared = false;
};

typedef std::vector<Event> Schedule;

// Short forms, for schedules written by hand.
Event start(unsigned T);
Event create(unsigned T, unsigned Child, bool Split = false);
Event end(unsigned T);
Event detach(unsigned T, unsigned Other);
Event join(unsigned T, unsigned Other, bool Split = false);
Event begin(unsigned T);
Event leave(unsigned T);
Event rd(unsigned T, unsigned Offset, unsigned Size = 1);
Event wr(unsigned T, unsigned Offset, unsigned Size = 1);
Event rmw(unsigned T, unsigned Offset, unsigned Size = 1);
Event release(unsigned T, unsigned Lock);
Event acquire(unsigned T, unsigned Lock);
Event acquireShared(unsigned T, unsigned Lock);
Event forget(unsigned Offset, unsigned Size);
Event freeBlock(unsigned T, unsigned Offset, unsigned Size);

// Says whether an event makes sense after those before it.
class Validity {
public:
  // If it does, takes it and returns true.
  bool take(Event &E);

  bool isAlive(unsigned T) const;
  bool wasStarted(unsigned T) const { return thread(T).Started; }
  bool isJoinable(unsigned T) const;
  bool isDetached(unsigned T) const { return thread(T).Detached; }
  unsigned depth(unsigned T) const { return thread(T).Depth; }
  unsigned live() const { return Live; }
  // Threads that live, or have ended and may still be joined.
  unsigned unfinished() const;

private:
  struct ThreadState {
    bool Started = false, Ended = false, Joined = false, Detached = false;
    unsigned Depth = 0;
    unsigned LocksHeld = 0;
  };
  struct LockState {
    bool Exclusive = false;
    std::vector<unsigned> Owners;
  };
  ThreadState thread(unsigned T) const;
  ThreadState &at(unsigned T);

  std::vector<ThreadState> Threads;
  std::vector<LockState> Locks;
  unsigned Live = 0;
};

// Drops every event that makes no sense after the kept ones before it.
Schedule dropInvalid(const Schedule &S);

// The largest number of unfinished threads at any time.
unsigned mostUnfinished(const Schedule &S);

std::string describe(const Event &E);
// One line for each event, numbered from 1; `Mark` (an index) is pointed at.
std::string describe(const Schedule &S, int Mark = -1);

} // namespace atsan_test

#endif // ATSAN_UNIT_SCHEDULE_H
