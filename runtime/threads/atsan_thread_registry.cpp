//===-- atsan_thread_registry.cpp -----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The life of threads. Lock order: the registry's lock is taken without, and
// never around, calls of the checker.
//
//===----------------------------------------------------------------------===//
#include "runtime/threads/atsan_thread_registry.h"

#include <pthread.h>
#include <sys/auxv.h>

#include "runtime/location/atsan_location.h"
#include "runtime/regions/atsan_region.h"
#include "runtime/report/atsan_checked.h"
#include "runtime/report/atsan_crash.h"
#include "runtime/schedule/atsan_scheduler.h"
#include "runtime/schedule/atsan_steer.h"
#include "runtime/state/atsan_init.h"
#include "runtime/stream/atsan_observer.h"
#include "runtime/threads/atsan_vfork.h"
#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {

namespace {

// States of ended threads that are kept for new ones.
#ifndef ATSAN_SPARE_STATES
#define ATSAN_SPARE_STATES 32
#endif
constexpr u32 kMaxSpare = ATSAN_SPARE_STATES;

// The last round of key destructors is over, or soon will be: hooks of what
// libc still does for this thread must find nothing.
__attribute__((tls_model("initial-exec"))) THREADLOCAL bool thread_has_ended;

// The thread's state is being made: libc allocates to tell where the stack is,
// and the program's own malloc may call interceptors.
__attribute__((tls_model("initial-exec"))) THREADLOCAL bool thread_is_attaching;

// The state of the thread itself; cur_thread may be that of a fiber.
__attribute__((tls_model("initial-exec"))) THREADLOCAL Thread *own_thread;

struct State {
  // pthread_t -> tid, of threads that may be joined or named. Guarded by the
  // registry's lock. (ThreadRegistry's own map insists on knowing every
  // thread, which we cannot.)
  DenseMap<uptr, u32> by_pthread;
  pthread_key_t end_key;
  // Guarded by the registry's lock.
  Thread *spare[kMaxSpare];
  u32 num_spare;
};

alignas(State) char state_memory[sizeof(State)];
State *state;

uptr Self() { return reinterpret_cast<uptr>(pthread_self()); }

}  // namespace

// --- State of a thread. ------------------------------------------------------

static Thread *NewState(u32 tid) {
  ThreadRegistryLock l(&Threads());
  auto *thr = state->num_spare
                  ? state->spare[--state->num_spare]
                  : static_cast<Thread *>(MmapOrDie(sizeof(Thread), "Thread"));
  thr->tid = tid;
  thr->recording_fp = no_frame;
  thr->number = static_cast<u32>(FindContextLocked(tid)->unique_id);
  return thr;
}

template <class Vector>
static void KeepIfSmall(Vector *vector) {
  constexpr uptr kBig = 256;
  vector->clear();
  if (vector->capacity() > kBig) {
    vector->Destroy();
    vector->Initialize(0);
  }
}

// Makes a state as new, but keeps memory that it has allocated: to unmap that
// is to interrupt all other processors, and to map it is to wait for its pages.
// What the cache of locations knows is true of all threads.
static void RenewState(Thread *thr) {
  Thread fresh = {};
  auto Keep = [](auto *vector, auto *old) {
    KeepIfSmall(old);
    *vector = *old;
  };
  Keep(&fresh.regions, &thr->regions);
  Keep(&fresh.jumps_by_env, &thr->jumps_by_env);
  Keep(&fresh.jumps_by_call, &thr->jumps_by_call);
  Keep(&fresh.annotated_locks, &thr->annotated_locks);
  Keep(&fresh.section_locks, &thr->section_locks);
  Keep(&fresh.observed_locks, &thr->observed_locks);
  fresh.location_cache = thr->location_cache;
  fresh.stack_buffer = thr->stack_buffer;
  *thr = fresh;
}

static void DeleteState(Thread *thr) {
  ObserveThreadDelete(thr);
  RenewState(thr);
  {
    ThreadRegistryLock l(&Threads());
    if (state->num_spare < kMaxSpare) {
      state->spare[state->num_spare++] = thr;
      return;
    }
  }
  LocationFreeMemory(thr);
  thr->regions.Destroy();
  thr->jumps_by_env.Destroy();
  thr->jumps_by_call.Destroy();
  thr->annotated_locks.Destroy();
  thr->section_locks.Destroy();
  thr->observed_locks.Destroy();
  UnmapOrDie(thr, sizeof(Thread));
}

static u32 Register(u32 parent_tid, u32 creation_stack_id, bool joinable) {
  u32 tid = Threads().CreateThread(/*user_id=*/0, !joinable, parent_tid,
                                   /*arg=*/nullptr);
  ThreadRegistryLock l(&Threads());
  ThreadContext *ctx = FindContextLocked(tid);
  ctx->creation_stack_id = creation_stack_id;
  ctx->joinable = joinable;
  return tid;
}

static void SetState(u32 tid, Thread *thr) {
  ThreadRegistryLock l(&Threads());
  FindContextLocked(tid)->thr = thr;
}

// --- End. --------------------------------------------------------------------

// `thr` is the calling thread, or one that does not exist any more.
static void Finish(Thread *thr) {
  u32 tid = thr->tid;
  bool joinable;
  {
    ThreadRegistryLock l(&Threads());
    ThreadContext *ctx = FindContextLocked(tid);
    joinable = ctx->joinable;
  }
  NoteThreadEnd(thr);
  CrashThreadEnds();
  RegionEndAll(thr);
  Observe(thr, EventKind::End, 0, {});
  EndedThread ended = CheckerThreadEnd(&thr->checker, joinable);
  bool detached_meanwhile;
  {
    ThreadRegistryLock l(&Threads());
    ThreadContext *ctx = FindContextLocked(tid);
    detached_meanwhile = joinable && !ctx->joinable;
    ctx->ended = ended;
    ctx->thr = nullptr;
  }
  if (detached_meanwhile)
    CheckerThreadDetach(ended);
  Threads().FinishThread(tid);
  if (thr->scheduled)
    ForgetState(thr->scheduled);
  DeleteState(thr);
}

// Waits for the last round: destructors of other keys, which run before and
// between, belong to the program.
static void OnKeyDestructor(void *rounds_left) {
  uptr rounds = reinterpret_cast<uptr>(rounds_left);
  if (rounds > 1) {
    pthread_setspecific(state->end_key, reinterpret_cast<void *>(rounds - 1));
    return;
  }
  Thread *thr = own_thread;
  if (!thr)
    return;
  // Nobody is left to defer signals.
  ScopedBlockSignals block_signals(nullptr);
  thr->in_runtime++;
  own_thread = nullptr;
  SetCurrentThread(nullptr);
  thread_has_ended = true;
  SteerEnd(thr);
  ScheduledThread *scheduled = thr->scheduled;
  Finish(thr);
  if (scheduled)
    EndScheduled(scheduled);
}

// --- Birth. ------------------------------------------------------------------

// Attach runs on the thread's own stack, when its state is not current yet.
enum class Life { kBegins, kGoesOn };

static void Attach(Thread *thr, Life life) {
  thread_is_attaching = true;
  uptr stack_size, tls_begin, tls_size;
  GetThreadStackAndTls(thr->tid == kMainTid, &thr->stack_bottom, &stack_size,
                       &tls_begin, &tls_size);
  thr->stack_top = RoundDownTo(thr->stack_bottom + stack_size, kStackAlignment);
  thr->tls_begin = tls_begin;
  thr->tls_end = tls_begin + tls_size;
  // libc gives stacks of ended threads, with their TLS, to new ones. (One that
  // is met in the middle of its life keeps what others know about its stack.)
  if (life == Life::kBegins && GateIsOpen()) {
    ObserveMemory(thr, EventKind::Birth, thr->stack_bottom, stack_size, {},
                  /*is_stack=*/true);
    ObserveMemory(thr, EventKind::Birth, tls_begin, tls_size, {},
                  /*is_stack=*/true);
    CheckerForget(thr->stack_bottom, stack_size);
    CheckerForget(tls_begin, tls_size);
  }
  if (pthread_setspecific(
          state->end_key,
          reinterpret_cast<void *>(GetPthreadDestructorIterations()))) {
    Report("ERROR: %s: pthread_setspecific failed for a new thread\n",
           SanitizerToolName);
    Die();
  }
  Threads().StartThread(thr->tid, GetTid(), ThreadType::Regular, nullptr);
  // If somebody joined the former owner of this pthread_t behind our back, its
  // entry is still there.
  u32 former = ThreadTakeUserId(Self());
  if (former != kInvalidTid)
    ThreadDetached(former);
  {
    ThreadRegistryLock l(&Threads());
    if (FindContextLocked(thr->tid)->joinable)
      state->by_pthread[Self()] = thr->tid;
  }
  own_thread = thr;
  SetCurrentThread(thr);
  thread_is_attaching = false;
}

void ThreadsInit() {
  no_frame = getauxval(AT_PHDR);
  ThreadContextsInit();
  state = new (state_memory) State();
  if (pthread_key_create(&state->end_key, OnKeyDestructor)) {
    Report("ERROR: %s: the program has no pthread key left for the runtime\n",
           SanitizerToolName);
    Die();
  }
  u32 tid = Register(kInvalidTid, 0, /*joinable=*/true);
  CHECK_EQ(tid, kMainTid);
  Thread *thr = NewState(tid);
  CheckerThreadCreate(nullptr, {}, &thr->checker, tid);
  SetState(tid, thr);
  Attach(thr, Life::kGoesOn);
}

Thread *ThreadCreate(Thread *parent, const AccessPoint &at, ThreadMode mode) {
  u32 stack_id = 0;
  // Unwind tables are a quarter MiB of pages that few programs touch otherwise:
  // not without regions to report.
  if (parent)
    stack_id = __atsan_enabled ? InternStackByTables(at)
                               : InternStackByFrames(parent, at);
  u32 tid = Register(parent ? parent->tid : kInvalidTid, stack_id,
                     mode == ThreadMode::kJoinable);
  Thread *child = NewState(tid);
  Observe(parent, EventKind::Start, child->number, at);
  CheckerThreadCreate(parent ? &parent->checker : nullptr, at, &child->checker,
                      tid);
  SetState(tid, child);
  return child;
}

void ThreadAbandon(Thread *child) {
  {
    ThreadRegistryLock l(&Threads());
    FindContextLocked(child->tid)->joinable = false;
  }
  Finish(child);
}

void ThreadStart(Thread *child) { Attach(child, Life::kBegins); }

static Thread *AttachUnseen() {
  // A signal's handler would attach the thread a second time.
  ScopedBlockSignals block_signals(nullptr);
  thread_is_attaching = true;
  pthread_attr_t attr;
  int detach_state = PTHREAD_CREATE_DETACHED;
  if (pthread_getattr_np(pthread_self(), &attr) == 0) {
    pthread_attr_getdetachstate(&attr, &detach_state);
    pthread_attr_destroy(&attr);
  }
  Thread *thr = ThreadCreate(nullptr, {},
                             detach_state == PTHREAD_CREATE_JOINABLE
                                 ? ThreadMode::kJoinable
                                 : ThreadMode::kDetached);
  Attach(thr, Life::kGoesOn);
  if (UNLIKELY(SchedulesAreControlled()))
    LeaveGap(Gap::kOthers);
  return thr;
}

Thread *NewThreadIfUnseen() {
  return state && !thread_has_ended && !thread_is_attaching && !in_vfork_child
             ? AttachUnseen()
             : nullptr;
}

// --- Join, detach, names. ----------------------------------------------------

u32 ThreadTakeUserId(uptr pthread) {
  ScopedInRuntime in_runtime(cur_thread);
  ThreadRegistryLock l(&Threads());
  auto *entry = state->by_pthread.find(pthread);
  if (!entry)
    return kInvalidTid;
  u32 tid = entry->second;
  state->by_pthread.erase(entry);
  return tid;
}

void ThreadPutUserId(uptr pthread, u32 tid) {
  ScopedInRuntime in_runtime(cur_thread);
  ThreadRegistryLock l(&Threads());
  state->by_pthread[pthread] = tid;
}

void ThreadJoined(Thread *thr, const AccessPoint &at, u32 tid) {
  Thread *leftover;
  {
    ThreadRegistryLock l(&Threads());
    leftover = FindContextLocked(tid)->thr;
  }
  // The thread ended without running key destructors (a bare exit system call).
  if (leftover)
    Finish(leftover);
  EndedThread ended;
  u32 number;
  {
    ThreadRegistryLock l(&Threads());
    ThreadContext *ctx = FindContextLocked(tid);
    ended = ctx->ended;
    number = static_cast<u32>(ctx->unique_id);
  }
  Observe(thr, EventKind::Join, number, at);
  if (thr)
    CheckerThreadJoin(&thr->checker, at, ended);
  else
    CheckerThreadDetach(ended);
  Threads().JoinThread(tid, nullptr);
}

void ThreadDetached(u32 tid) {
  bool has_ended;
  EndedThread ended;
  {
    ThreadRegistryLock l(&Threads());
    ThreadContext *ctx = FindContextLocked(tid);
    has_ended = ctx->thr == nullptr;
    ended = ctx->ended;
    ctx->joinable = false;
  }
  if (has_ended)
    CheckerThreadDetach(ended);
  Threads().DetachThread(tid, nullptr);
}

void ThreadSetName(uptr pthread, const char *name) {
  ScopedInRuntime in_runtime(cur_thread);
  ThreadRegistryLock l(&Threads());
  auto *entry = state->by_pthread.find(pthread);
  ThreadContext *ctx = nullptr;
  if (entry)
    ctx = FindContextLocked(entry->second);
  else if (pthread == Self() && cur_thread)
    ctx = FindContextLocked(cur_thread->tid);
  if (!ctx)
    return;
  ctx->SetName(name);
  ObserveThreadName(cur_thread, static_cast<u32>(ctx->unique_id), name);
}

// --- Fork. -------------------------------------------------------------------

// The parent's other threads may have been in the middle of anything, with
// cells of the checker locked. So the checker starts anew: in the child,
// history begins at the fork. Fibers live on there.
static void RestartChecker(Thread *thr) {
  bool active = thr->checker.active;
  thr->checker = {};
  CheckerThreadCreate(nullptr, {}, &thr->checker, thr->tid);
  if (active)
    CheckerRegionBegin(&thr->checker);
}

void ThreadsAfterForkInChild() {
  CheckerReset();
  InternalMmapVector<Thread *> living;
  InternalMmapVector<u32> running;
  InternalMmapVector<u32> finished;
  {
    ThreadRegistryLock l(&Threads());
    state->by_pthread.clear();
    for (u32 tid = 0; tid < Threads().NumThreadsLocked(); tid++) {
      ThreadContext *ctx = FindContextLocked(tid);
      if (!ctx || ctx->status == ThreadStatusDead)
        continue;
      if (ctx->thr && (ctx->thr->is_fiber || ctx->thr == own_thread)) {
        living.push_back(ctx->thr);
        if (ctx->joinable && !ctx->thr->is_fiber)
          state->by_pthread[Self()] = tid;
        continue;
      }
      // The state stays: its thread may have been in the middle of anything.
      ctx->thr = nullptr;
      ctx->joinable = false;
      bool has_finished = ctx->status == ThreadStatusFinished;
      ctx->detached = !has_finished;
      (has_finished ? finished : running).push_back(tid);
    }
  }
  for (Thread *thr : living)
    RestartChecker(thr);
  ObserversAfterForkInChild(living.data(), living.size());
  for (u32 tid : running)
    Threads().FinishThread(tid);
  for (u32 tid : finished)
    Threads().DetachThread(tid, nullptr);
}

}  // namespace __atsan
