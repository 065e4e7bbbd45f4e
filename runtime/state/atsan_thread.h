//===-- atsan_thread.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All per-thread state of the runtime, and how hooks get at it. A thread is
// known from pthread_create (or the first event that we see of it) until its
// last key destructor; hooks before and after find no Thread and do nothing.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_THREAD_H
#define ATSAN_THREAD_H

#include "lib/checker/atsan_checker.h"
#include "runtime/state/atsan_lock_list.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

// What identifies the frame of the outermost region while it lives. A frame
// pointer alone does not: another function may own the same address later.
struct RegionFrame {
  uptr fp;  // no_frame: unknown.
  uptr return_address;

  bool IsAt(uptr some_fp) const {
    return some_fp == fp && HasItsCaller(some_fp);
  }
  // Whether the frame at `at` returns to where the region's frame does.
  bool HasItsCaller(uptr at) const {
    return reinterpret_cast<const uptr *>(at)[1] == return_address;
  }
};
// One entry of the stack of open regions of a thread.
struct Region {
  const char *name;  // nullptr: named by its location. Never freed.
  uptr pc;           // Return address of the begin mark.
  uptr fp;           // Frame that called the begin mark.
  uptr sp;           // Stack pointer of that frame at the mark, for longjmp.
  bool excluded;     // The region did not begin, but its end will come.
  bool section;      // A critical section: its end is that of a lock.
  bool in_jumps;     // A JumpRecord counts it: its end changes that.
  bool unused;

  // The entry is no region, but keeps what the thread had of those below it,
  // which are set aside (RegionsSetAside). It is excluded, too.
  static constexpr char kFloor[] = "";
  bool IsFloor() const { return name == kFloor; }
  u32 context;
  RegionFrame frame;

  // Is it no more than a region? One look at all.
  bool IsPlain() const {
    u32 all;
    static_assert(sizeof(all) == 4 * sizeof(excluded), "");
    __builtin_memcpy(&all, &excluded, sizeof(all));
    return !all;
  }
};

// The open regions of a thread, innermost last. To add one mostly calls
// nothing, unlike with a vector.
class RegionStack {
 public:
  ALWAYS_INLINE bool HasRoom() const { return size_ < slots_.size(); }
  // Adds a region that is plain, until the caller says something else, where
  // there is room. Word by word: a processor waits if it
  // copies two words with one instruction that were just stored by two.
  ALWAYS_INLINE Region *AddInPlace(const char *name, uptr pc, uptr fp,
                                   uptr sp) {
    Region *region = &slots_.data()[size_++];
    region->name = name;
    region->pc = pc;
    region->fp = fp;
    region->sp = sp;
    region->excluded = region->section = false;
    region->in_jumps = region->unused = false;
    return region;
  }
  Region *Add(const char *name, uptr pc, uptr fp, uptr sp) {
    if (UNLIKELY(!HasRoom()))
      slots_.resize(Max<uptr>(16, 2 * size_));
    return AddInPlace(name, pc, fp, sp);
  }
  void pop_back() { size_--; }
  uptr size() const { return size_; }
  bool empty() const { return !size_; }
  Region *data() { return slots_.data(); }
  Region *begin() { return data(); }
  Region *end() { return data() + size_; }
  Region &back() { return slots_.data()[size_ - 1]; }
  Region &operator[](uptr i) { return slots_[i]; }
  // The number of the first region that is not set aside, or size().
  uptr First() const { return first_; }
  // Adds an entry that sets those below it aside, until it is removed.
  Region *AddFloor(uptr pc, uptr fp, uptr sp) {
    Region *floor = Add(Region::kFloor, pc, fp, sp);
    floor->excluded = true;
    first_ = size_;
    return floor;
  }
  void Remove(uptr i) {
    const bool set_aside = i < first_;
    for (size_--; i < size_; i++)
      slots_[i] = slots_[i + 1];
    if (UNLIKELY(set_aside))
      FindFirst();
  }
  void clear() { size_ = first_ = 0; }
  uptr capacity() const { return slots_.capacity(); }
  void Initialize(uptr capacity) {
    slots_.Initialize(capacity);
    clear();
  }
  void Destroy() { slots_.Destroy(); }

 private:
  void FindFirst() {
    for (first_ = size_; first_ && !slots_[first_ - 1].IsFloor();)
      first_--;
  }

  InternalMmapVectorNoCtor<Region> slots_;
  uptr size_;
  uptr first_;
};

// What a setjmp call saw, for the longjmp that comes back to it.
struct JumpRecord {
  uptr env;
  uptr sp;
  uptr pc;          // A little before the call.
  uptr stack;       // Where the stack begins; 0: that is not known.
  u32 num_regions;  // The outermost, of those open then, that have not ended.
  u32 ignore_accesses;
  u32 atomic_depth;
};

struct HeldViolation;    // report/atsan_held.h
struct LocationCache;    // atsan_location.h
struct ScheduledThread;  // schedule/atsan_scheduled_thread.h
struct SteeredThread;    // schedule/atsan_steered_thread.h

// The program headers of the executable: nobody's frame, but may be read, and
// below all stacks, so that no frame is believed to lie below it.
extern ATSAN_HIDDEN uptr no_frame;

struct Thread {
  CheckerThread checker;

  // What keeps hooks from recording, as one word.
  union {
    struct {
      // Nonzero: hooks do nothing. Set by ScopedInRuntime while our own code
      // runs, so that a signal handler or a library called by us is not
      // analysed.
      u16 in_runtime;
      // A failed compare-exchange has closed a cycle (report/atsan_held.h).
      bool holds_violation;
      // A signal came while in_runtime or atomic_depth was set, and waits for
      // the end of that with all others blocked (atsan_signal.cpp).
      bool signals_deferred;
      // Nonzero between the pre and post calls of lock annotations (rule 7).
      u32 ignore_accesses;
    };
    u64 pauses;
  };
  // The frame pointer of the region while a transaction is open in it; else
  // no_frame.
  uptr recording_fp;
  RegionFrame region_frame;
  // Frames below this one are taken for deep ones until a look shows that they
  // are not (atsan_deep_stack.h); 0: none is.
  uptr deep_below;
  u64 region_hash;  // HashRegion of the current context, and `entered`.
  // How often others' regions came to reach the current one (OnRegionEntered).
  u32 entered;
  // Regions that were excluded (atsan_checked.h).
  u32 num_excluded;
  HeldViolation *held_violation;  // If holds_violation.
  // Whether the thread's first function has returned.
  bool has_returned;
  u64 num_regions;
  // The cache and the buffer are allocated when first needed;
  // LocationFreeMemory frees them.
  LocationCache *location_cache;
  BufferedStackTrace *stack_buffer;
  u64 signal_mask;  // To be restored when deferred signals are delivered.
  // What ThreadSanitizer's annotations ask for: the two together make one of
  // ignore_accesses.
  u32 ignore_reads;
  u32 ignore_writes;
  // Nonzero inside an atomic bracket (which a signal handler may interrupt).
  u32 atomic_depth;

  // The stripes that the open bracket holds (atsan_atomic.cpp).
  u16 first_stripe;
  u16 last_stripe;

  bool in_failed_exchange;  // A failed exchange is being analysed.

  u32 tid;
  u32 number;  // Never another thread's, unlike the tid.
  bool is_fiber;
  uptr stack_bottom;  // Lowest address.
  uptr stack_top;     // One past the highest, if kStackAlignment allows.
  uptr tls_begin;     // Static thread-local storage, for reports.
  uptr tls_end;
  // Frame pointer at the last blocking interceptor (join, wait, ...), from
  // which a report can walk this thread's frames while it is blocked; or 0.
  uptr blocked_fp;
  uptr blocked_pc;

  // The last wait for another thread that did not divide its region; the
  // transaction's index tells which one that was.
  struct {
    const char *function;
    u32 stack;
    TxnIndex index;
  } waited;

  RegionStack regions;
  // Interned begin stack and name of the outermost region (atsan_location.h);
  // 0 outside regions.
  u32 region_context;
  // By sp and env, all; by sp and pc, the latest of each call.
  InternalMmapVectorNoCtor<JumpRecord> jumps_by_env, jumps_by_call;
  LockList annotated_locks;  // atsan_lock_annotations.h
  LockList section_locks;    // atsan_critical_section.h
  // Locks of all kinds that the thread holds, as observers were told
  // (atsan_observer.cpp).
  LockList observed_locks;

  // nullptr unless schedules are controlled: one thread at a time, or by a few
  // orders.
  ScheduledThread *scheduled;
  SteeredThread *steered;

  // The trace is allocated when first needed; trace/atsan_trace.cpp frees it.
  struct TraceThread *trace;
};

// The Thread of the calling thread, or nullptr. Initial-exec: one load.
extern ATSAN_HIDDEN
    __attribute__((tls_model("initial-exec"))) THREADLOCAL Thread *cur_thread;

// The thread if its events count, else nullptr.
inline Thread *CurrentObservedThread() {
  Thread *thr = cur_thread;
  return thr && !thr->in_runtime ? thr : nullptr;
}

// The thread if its accesses count now, else nullptr.
inline Thread *CurrentAccessingThread() {
  Thread *thr = CurrentObservedThread();
  return thr && !thr->ignore_accesses ? thr : nullptr;
}

// The thread if schedules may stop it here, else nullptr. An atomic operation
// is one step, also where libatomic takes a mutex for it.
inline Thread *CurrentStoppableThread() {
  Thread *thr = CurrentObservedThread();
  return thr && !thr->atomic_depth ? thr : nullptr;
}

inline bool GateIsOpen() {
  return UNLIKELY(__atomic_load_n(&__atsan_gate, __ATOMIC_RELAXED) != 0);
}

void SignalsDeliverNow(Thread *thr);

// To be called when in_runtime or atomic_depth has become 0. Handlers run here,
// and may jump away.
inline void SignalsDeliver(Thread *thr) {
  if (UNLIKELY(thr->signals_deferred))
    SignalsDeliverNow(thr);
}

// Adds 1 to in_runtime, by one instruction: a signal handler of this thread
// changes `pauses` before it or after. All of the word is written, because a
// processor waits that loads more than was just stored.
ALWAYS_INLINE void EnterRuntimeQuickly(Thread *thr) {
  asm volatile("incq %0" : "+m"(thr->pauses) : : "memory", "cc");
}
inline void EnterRuntime(Thread *thr) {
  if (thr)
    EnterRuntimeQuickly(thr);
}

inline void LeaveRuntime(Thread *thr) {
  if (!thr)
    return;
  asm volatile("decq %0" : "+m"(thr->pauses) : : "memory", "cc");
  SignalsDeliver(thr);
}

// Leaves the runtime without a call, if there were no other pauses. False:
// signals wait to be delivered.
ALWAYS_INLINE bool LeaveRuntimeQuickly(Thread *thr) {
  bool none;
  asm volatile("decq %1" : "=@ccz"(none), "+m"(thr->pauses) : : "memory");
  return none;
}

class ScopedInRuntime {
 public:
  explicit ScopedInRuntime(Thread *thr) : thr_(thr) { EnterRuntime(thr); }
  ~ScopedInRuntime() { LeaveRuntime(thr_); }
  ScopedInRuntime(const ScopedInRuntime &) = delete;
  ScopedInRuntime &operator=(const ScopedInRuntime &) = delete;

 private:
  Thread *thr_;
};

// The code that called the current function. Only for functions that are
// themselves the hook or interceptor.
#define ATSAN_CALLER_POINT()                                  \
  AccessPoint {                                               \
    reinterpret_cast<uptr>(__builtin_return_address(0)),      \
        *reinterpret_cast<uptr *>(__builtin_frame_address(0)) \
  }
// The stack pointer of that code after its call of the current function.
#define ATSAN_CALLER_SP() \
  (reinterpret_cast<uptr>(__builtin_frame_address(0)) + 2 * sizeof(uptr))

}  // namespace __atsan

#endif  // ATSAN_THREAD_H
