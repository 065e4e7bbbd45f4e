//===-- atsan_commutativity.h -----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which events commute with those of other threads (TSE'06 sections 5.1, 5.3 to
// 5.5), as far as the run has shown: accesses by multilockset race detection
// after escape and happens-before analysis, locks by who uses them.
//
// What is said of an event can only become worse as the run goes on: a
// both-mover may turn out to be none. So who asks at the end of a run (offline)
// gets a conservative answer, who asks at the event (online) may be misled.
//
// Not thread-safe.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_COMMUTATIVITY_H
#define ATSAN_COMMUTATIVITY_H

#include "lib/reduction/atsan_escape.h"
#include "lib/reduction/atsan_held_locks.h"
#include "lib/reduction/atsan_periods.h"
#include "lib/reduction/atsan_variables.h"

namespace __atsan {

// The improvements of the paper, each of which can be left out to see what it
// buys.
struct CommutativityOptions {
  bool escape = true;
  bool happens_before = true;
  // If false, Eraser's algorithm decides which variables are raced on.
  bool multi_lock_sets = true;
  bool with_eraser = false;  // Beside the multilocksets, to compare.
  bool keep_ids = false;     // Number variables and locks, and keep their fate.
};

// An event as the caller knows it.
struct EventPoint {
  u64 event;  // The number of the event.
  // What `locate` turns into a location, if one is needed.
  uptr where;
  // The region of the event, as the caller knows it; 0: none, or not kept.
  u32 region = 0;
};
typedef u32 (*LocateFunction)(void *context, u32 thread, uptr where);

// A use of a lock by a thread.
struct LockUse {
  u64 event;  // The number of the event; 0: none.
  u32 thread;
  u32 period;
  u32 location;
  u32 region;  // The region, as EventPoint has it.
};

// What is known of a lock.
struct LockFacts {
  uptr addr;
  // Locks held exclusively whenever this one was; kAllLocks before its first
  // use.
  LockSetId protectors;
  // The last use by each thread; more than one only while none are concurrent.
  Vector<LockUse> uses;
  // Two uses in concurrent periods, if any: then the lock is not thread-local.
  LockUse shared_first;
  LockUse shared_later;
  // A hold without the last of the protectors, if any.
  LockUse unprotected;
  // Whether a thread released it that did not hold it: then the lock is a
  // signal, say a semaphore, and protects nothing.
  bool is_signal;

  // Do acquire and release commute with what other threads do, so far?
  bool IsBothMover() const {
    return !shared_later.event || protectors != kNoLocks;
  }
};

class Commutativity {
 public:
  Commutativity(const CommutativityOptions &options, LocateFunction locate,
                void *context)
      : options_(options), locate_(locate), context_(context) {
    locks_.PushBack(nullptr);
    fates_.PushBack();
  }
  ~Commutativity();
  Commutativity(const Commutativity &) = delete;
  void operator=(const Commutativity &) = delete;

  // Boundaries of periods.
  void Start(u32 thread, u32 child);
  void Join(u32 thread, u32 ended);
  void Arrive(u32 thread, uptr barrier, u32 parties);
  void Leave(u32 thread, uptr barrier);
  // The thread has ended and will never be joined (again).
  void Forget(u32 thread);

  // Memory.
  void Born(u32 thread, uptr addr, uptr size, bool is_stack);
  void Died(uptr addr, uptr size);
  void PointerStored(uptr word, uptr target);

  // Returns the lock; *step tells what the event did (kInner: a reentrant lock
  // is a both-mover).
  LockId Acquire(u32 thread, uptr lock, bool shared, const EventPoint &at,
                 LockStep *step);
  LockId Release(u32 thread, uptr lock, bool shared, const EventPoint &at,
                 LockStep *step);
  const LockFacts &FactsOf(LockId lock) const { return *locks_[lock]; }

  // Calls fn(granule, variable) for each variable of the access. If there is
  // none, the memory has not escaped, and the access commutes with everything.
  template <typename Fn>
  void Access(u32 thread, uptr addr, uptr size, bool write, bool atomic,
              const EventPoint &at, Fn fn);
  bool IsRaced(const Variable *v) const { return IsRaced(v->flags); }
  bool IsRaced(u8 flags) const {
    return options_.multi_lock_sets
               ? flags & kRaced
               : flags & kEraserRace && flags & kConcurrent;
  }

  // With keep_ids: what became of the variable that had this id, and of the
  // parts into which it was divided since.
  struct Fate {
    u32 parts[2];  // 0: it was not divided.
    u8 flags;
    const RaceEvidence *race;
  };
  const Fate &FateOf(u32 id) const { return fates_[id]; }

  LockSets &Sets() { return sets_; }
  EscapeMap &Escapes() { return escapes_; }
  uptr LiveVariables() const { return variables_.Live(); }
  // Accesses to memory that had escaped, and to memory that had not.
  u64 NumEscaped() const { return num_escaped_; }
  u64 NumUnescaped() const { return num_unescaped_; }

 private:
  struct Thread {
    u32 period;  // The number of its period; 0: to be asked for.
    LockSetId held;
    LockSetId held_exclusively;
  };
  struct AccessOf {
    u32 thread;
    u32 period;
    LockSetId locks;
    bool write;
    bool atomic;
  };

  Thread *Get(u32 thread);
  bool AreConcurrent(u32 other, u32 period, u32 thread);
  LockId LockAt(uptr addr);
  void UseLock(LockFacts *facts, u32 thread, u32 period, const EventPoint &at);
  void HeldChanged(u32 thread);
  u32 Locate(u32 thread, const EventPoint &at) {
    return locate_(context_, thread, at.where);
  }

  void Record(Variable *v, uptr granule, const AccessOf &a,
              const EventPoint &at);
  void Compare(Variable *v, uptr granule, Sample *s);
  void MultiLockSets(Variable *v);
  void Eraser(Variable *v, const AccessOf &a);
  void Number(Variable *v);
  void Divided(Variable *v, Variable *part);
  void Keep(const Variable *v);

  const CommutativityOptions options_;
  const LocateFunction locate_;
  void *const context_;

  Periods periods_;
  HeldLocks held_;
  LockSets sets_;
  EscapeMap escapes_;
  Variables variables_;
  Vector<Thread> threads_;
  Vector<LockFacts *> locks_;  // The facts of each LockId.
  DenseMap<uptr, LockId> lock_at_;
  Vector<Fate> fates_;
  u64 num_escaped_ = 0;
  u64 num_unescaped_ = 0;
};

template <typename Fn>
void Commutativity::Access(u32 thread, uptr addr, uptr size, bool write,
                           bool atomic, const EventPoint &at, Fn fn) {
  if (!size)
    return;
  if (options_.escape && !escapes_.HasEscaped(thread, addr, size)) {
    num_unescaped_++;
    return;
  }
  num_escaped_++;
  const Thread *t = Get(thread);
  const AccessOf a = {thread, t->period, write ? t->held_exclusively : t->held,
                      write, atomic};
  variables_.ForEach(
      addr, size,
      [&](uptr granule, Variable *v) {
        Record(v, granule, a, at);
        fn(granule, v);
      },
      [&](Variable *v, Variable *part) { Divided(v, part); });
}

}  // namespace __atsan

#endif  // ATSAN_COMMUTATIVITY_H
