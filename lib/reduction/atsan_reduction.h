//===-- atsan_reduction.h ---------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reduction-based checker (TSE'06 section 5, Theorem 1; Atomizer's form): a
// transaction is atomic if its events are right-movers, then at most one
// non-mover, then left-movers. Online: an event is classified when it happens,
// by what was seen so far.
//
// It neither prints nor knows pthreads: the runtime and `atsan check` feed it.
// What it finds is potential: the condition is sufficient, not necessary, and
// where nothing is found, a race that showed too late may still have been
// missed. Thread-safe by one lock. Errors of the caller (a region that ends
// without a begin) are the caller's to find.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_REDUCTION_H
#define ATSAN_REDUCTION_H

#include "lib/reduction/atsan_commutativity.h"
#include "sanitizer_common/sanitizer_mutex.h"

namespace __atsan {

// How an event commutes with adjacent ones of other threads.
enum class Mover : u8 { kBoth, kRight, kLeft, kNon };

// The pattern R* N? L*, where both-movers may stand anywhere.
class ReductionPattern {
 public:
  // Takes the next event. False: it breaks the pattern.
  bool Take(Mover mover) {
    if (mover == Mover::kBoth)
      return true;
    const bool stays = !committed_ || mover == Mover::kLeft;
    committed_ |= mover != Mover::kRight;
    return stays;
  }
  // May only left-movers follow?
  bool IsCommitted() const { return committed_; }

 private:
  bool committed_ = false;
};

enum class StepKind : u8 {
  kRead,
  kWrite,
  kAcquire,
  kRelease,
  kStart,  // From here on: what may divide a region, where it does not.
  kJoin,
  kArrive,
  kLeave,
  kWait,
};

// The class of an event, unless it is known to commute. To start a thread or to
// arrive at a barrier lets others go on: it may happen earlier, nothing of
// others has to come first. To join a thread or to leave a barrier may happen
// later. A condition wait depends on others in both directions.
inline Mover MoverOf(StepKind kind) {
  switch (kind) {
    case StepKind::kAcquire:
    case StepKind::kJoin:
    case StepKind::kLeave:
      return Mover::kRight;
    case StepKind::kRelease:
    case StepKind::kStart:
    case StepKind::kArrive:
      return Mover::kLeft;
    case StepKind::kRead:
    case StepKind::kWrite:
    case StepKind::kWait:
      return Mover::kNon;
  }
}

// The name of a class: "right-mover"...
const char *NameOf(Mover mover);
// The words for a kind: "an unprotected read", "the acquire of"...
const char *NameOf(StepKind kind);

// An event of a transaction that is no both-mover, and why.
struct ReductionStep {
  StepKind kind;
  Mover mover;
  u64 event;
  u32 location;
  uptr addr;                 // The variable, lock or barrier.
  uptr size;                 // The size of an access.
  const RaceEvidence *race;  // Why an access is a non-mover; may be null.
  LockId lock;               // The lock of a lock operation.
};

struct IrreducibleRegion {
  u32 thread;
  u64 begin;   // The begin event of the region, or of its part.
  u32 region;  // What RegionBegin was given.
  // After `commit` only left-movers may follow; `breaks` is none.
  ReductionStep commit;
  ReductionStep breaks;
};

// Called with the lock held: may not call into the checker, except for Facts().
struct ReductionSeams {
  void *context;
  LocateFunction locate;
  void (*found)(void *context, const IrreducibleRegion &region);
};

class ReductionChecker {
 public:
  ReductionChecker(const CommutativityOptions &options,
                   const ReductionSeams &seams)
      : seams_(seams), facts_(options, seams.locate, seams.context) {}

  // Regions may nest: the outermost counts. `region` is a number of the
  // caller's.
  void RegionBegin(u32 thread, u32 region, const EventPoint &at);
  void RegionEnd(u32 thread);
  // The transaction ends here, and another one begins: a condition wait, or a
  // restart.
  void Divide(u32 thread, const EventPoint &at);

  // `divides`: the event is a boundary of regions, too (docs/semantics.md, rule
  // 5).
  void Start(u32 thread, u32 child, bool divides, const EventPoint &at);
  void Join(u32 thread, u32 ended, bool divides, const EventPoint &at);
  void Arrive(u32 thread, uptr barrier, u32 parties, bool divides,
              const EventPoint &at);
  void Leave(u32 thread, uptr barrier, bool divides, const EventPoint &at);
  void Wait(u32 thread, uptr condition, bool divides, const EventPoint &at);
  // The last event of the thread; ends its region, if any.
  void End(u32 thread);
  // Forgets a thread that will not be joined (again).
  void Forget(u32 thread);

  void Acquire(u32 thread, uptr lock, bool shared, const EventPoint &at);
  void Release(u32 thread, uptr lock, bool shared, const EventPoint &at);
  void Access(u32 thread, uptr addr, uptr size, bool write, bool atomic,
              const EventPoint &at);

  void Born(u32 thread, uptr addr, uptr size, bool is_stack);
  void Died(uptr addr, uptr size);
  void PointerStored(uptr word, uptr target);

  // For a found region, and for statistics once all is over.
  Commutativity &Facts() { return facts_; }

 private:
  struct Thread {
    u32 depth;    // How many regions it is in.
    bool broken;  // The transaction was reported already.
    u32 region;
    u64 begin;
    ReductionPattern pattern;
    ReductionStep commit;
  };

  Thread *Get(u32 thread);
  template <class Order>
  void Boundary(u32 thread, StepKind kind, uptr object, bool divides,
                const EventPoint &at, Order order);
  template <class Use>
  void UseLock(u32 thread, StepKind kind, uptr addr, const EventPoint &at,
               Use use);
  void Take(u32 thread, const EventPoint &at, ReductionStep step);
  static void Renew(Thread *t, u64 begin);

  const ReductionSeams seams_;
  Mutex mutex_;
  Commutativity facts_;
  Vector<Thread> threads_;
};

}  // namespace __atsan

#endif  // ATSAN_REDUCTION_H
