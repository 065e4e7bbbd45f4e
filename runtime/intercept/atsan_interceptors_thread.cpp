//===-- atsan_interceptors_thread.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Thread start and end. Both are events of the conflict graph, and by default
// they divide the region they stand in (rule 5). C11 threads do not come here
// through pthread_create: libc calls its own.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_blocking.h"
#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/location/atsan_location.h"
#include "runtime/report/atsan_checked.h"
#include "runtime/report/atsan_crash.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/schedule/atsan_steer.h"
#include "sanitizer_common/sanitizer_errno_codes.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"
#include "sanitizer_common/sanitizer_posix.h"

using namespace __atsan;

extern "C" {
int pthread_attr_getdetachstate(void *attr, int *state);
int pthread_attr_getsigmask_np(const void *attr, void *mask);
int pthread_attr_setsigmask_np(void *attr, const void *mask);
uptr pthread_self();
}

// --- Start. ------------------------------------------------------------------

namespace {

// Lives on the stack of the creating thread until `started`.
struct StartInfo {
  void *start;
  void *argument;
  Thread *child;
  __sanitizer_sigset_t child_mask;
  Semaphore started;
};

// Takes what it needs, so that the parent may go on: it waits because it may
// join, detach or name the child at once.
template <class Function>
struct Started {
  explicit Started(void *info_pointer) {
    auto *info = static_cast<StartInfo *>(info_pointer);
    start = reinterpret_cast<Function>(info->start);
    argument = info->argument;
    ThreadStart(info->child);
    __sanitizer_sigset_t mask = info->child_mask;
    Thread *child = info->child;
    info->started.Post();
    SetSigProcMask(&mask, nullptr);
    BeginScheduled(child);
    SteerBegin(child);
    if (UNLIKELY(SchedulesAreControlled()))
      CrashThreadBegins();
  }
  Function start;
  void *argument;
};

// The call of `create` is the event; its place in the program is `at`.
template <class Create>
int StartThread(const AccessPoint &at, ThreadMode mode, StartInfo *info,
                Create create) {
  Thread *thr = CurrentOrNewThread();
  ScheduledThread *self = CurrentScheduled();
  if (self)
    LocalPoint(self, ATSAN_SCHEDULE_PLACE("pthread_create"), at);
  SteeredThread *steered = CurrentSteered();
  if (UNLIKELY(steered))
    SteerAt(steered, ATSAN_SCHEDULE_PLACE("pthread_create"));
  RegionBoundary boundary;
  boundary.Enter(thr, kSplitStart, at);
  // The child inherits this: a handler would find a thread without a state.
  ScopedBlockSignals block_signals(&info->child_mask);
  int res;
  {
    ScopedInRuntime in_runtime(thr);
    if (IsObserved() && thr)
      ObserveArgument(thr, reinterpret_cast<uptr>(info->argument), at);
    info->child = ThreadCreate(thr, at, mode);
    ScheduledThread *child = self ? ScheduleChild(self, info->child) : nullptr;
    if (UNLIKELY(steered))
      SteerChild(steered, info->child);
    res = create();
    if (res == 0)
      info->started.Wait();
    else if (UNLIKELY(steered))
      SteerChildFailed(info->child);
    if (res != 0)
      ThreadAbandon(info->child);
    if (child && res == 0)
      ChildIsThere(child);
    else if (child)
      ForgetChild(child);
  }
  boundary.Leave();
  return res;
}

static StaticSpinMutex attribute_mutex;

// While this lives, the attribute lets no signals into new threads, if it says
// anything of signals. Other threads may use the same attribute.
class ScopedBlockSignalsByAttribute {
 public:
  // If the attribute has a mask of signals, *child_mask becomes that.
  ScopedBlockSignalsByAttribute(void *attr, __sanitizer_sigset_t *child_mask)
      SANITIZER_NO_THREAD_SAFETY_ANALYSIS : attr_(attr) {
    if (!attr_)
      return;
    attribute_mutex.Lock();
    has_mask_ = pthread_attr_getsigmask_np(attr_, &mask_) == 0;
    if (!has_mask_) {
      attribute_mutex.Unlock();
      return;
    }
    *child_mask = mask_;
    __sanitizer_sigset_t all;
    internal_sigfillset(&all);
    pthread_attr_setsigmask_np(attr_, &all);
  }
  ~ScopedBlockSignalsByAttribute() SANITIZER_NO_THREAD_SAFETY_ANALYSIS {
    if (!has_mask_)
      return;
    pthread_attr_setsigmask_np(attr_, &mask_);
    attribute_mutex.Unlock();
  }

 private:
  void *attr_;
  bool has_mask_ = false;
  __sanitizer_sigset_t mask_;
};

}  // namespace

void __atsan::ThreadAttributesLockForFork() { attribute_mutex.Lock(); }
void __atsan::ThreadAttributesUnlockAfterFork() { attribute_mutex.Unlock(); }

// The start functions have frames of their own: a tail call of the program's
// function would lose them, and reports cut stacks at their names. Not of C,
// whose names that begin so are exported.
namespace __atsan {

static void *StartPosixThread(void *info) {
  Started<void *(*)(void *)> started(info);
  void *res = started.start(started.argument);
  NoteThreadReturned();
  return res;
}

static int StartC11Thread(void *info) {
  Started<int (*)(void *)> started(info);
  int res = started.start(started.argument);
  NoteThreadReturned();
  return res;
}

}  // namespace __atsan

// A copy of the program's attribute, which is const to it, with room on the
// stack for the runtime; a stack of the program's own stays as it is. What the
// attribute points to is not copied.
class AttributeWithRoom {
 public:
  explicit AttributeWithRoom(const void *attr) : is_set_(attr) {
    if (!attr)
      return;
    internal_memcpy(&copy_, attr, sizeof(copy_));
    void *stack = nullptr;
    uptr size = 0;
    internal_pthread_attr_getstack(&copy_, &stack, &size);
    // None: its end is 0.
    const bool has_stack = stack && reinterpret_cast<uptr>(stack) + size;
    if (!has_stack)
      AdjustStackSize(&copy_);
  }
  void *Get() { return is_set_ ? &copy_ : nullptr; }

 private:
  const bool is_set_;
  pthread_attr_t copy_;
};

// Tells that libc writes the number of a new thread: before the thread runs,
// which may look there.
static void WriteThreadNumber(void *thread, const AccessPoint &at) {
  AccessRecorder(at).Write(thread, sizeof(pthread_t));
}

ATSAN_INTERCEPTOR(int, pthread_create, void *thread, void *attr,
                  void *(*start)(void *), void *argument) {
  EnsureReady();
  WriteThreadNumber(thread, ATSAN_INTERCEPTOR_POINT());
  int detached = 0;
  if (attr)
    pthread_attr_getdetachstate(attr, &detached);
  AttributeWithRoom with_room(attr);
  StartInfo info = {reinterpret_cast<void *>(start), argument, nullptr, {}, {}};
  return StartThread(ATSAN_CALLER_POINT(),
                     detached ? ThreadMode::kDetached : ThreadMode::kJoinable,
                     &info, [&] {
                       ScopedBlockSignalsByAttribute block_signals(
                           with_room.Get(), &info.child_mask);
                       return REAL(pthread_create)(thread, with_room.Get(),
                                                   StartPosixThread, &info);
                     });
}

ATSAN_INTERCEPTOR(int, thrd_create, void *thread, int (*start)(void *),
                  void *argument) {
  EnsureReady();
  WriteThreadNumber(thread, ATSAN_INTERCEPTOR_POINT());
  StartInfo info = {reinterpret_cast<void *>(start), argument, nullptr, {}, {}};
  return StartThread(ATSAN_CALLER_POINT(), ThreadMode::kJoinable, &info, [&] {
    return REAL(thrd_create)(
        thread, reinterpret_cast<int (*)(void *)>(StartC11Thread), &info);
  });
}

// Threads of sanitizer_common are none of the program's.
namespace __sanitizer {
int internal_pthread_create(void *thread, void *attr, void *(*start)(void *),
                            void *argument) {
  ScopedInRuntime in_runtime(cur_thread);
  return REAL(pthread_create)(thread, attr, start, argument);
}
}  // namespace __sanitizer

// --- Keys. -------------------------------------------------------------------

ATSAN_AFTER(int, pthread_key_create, (unsigned *key, void (*destroy)(void *)),
            (key, destroy), if (res == 0) recorder.WriteObject(key))
ATSAN_AFTER(int, tss_create, (unsigned *key, void (*destroy)(void *)),
            (key, destroy), if (res == 0) recorder.WriteObject(key))

// --- Join. -------------------------------------------------------------------

// `tid` has been joined, or will not be. The boundary is passed here unless it
// was before the call: a join that may fail divides a region only if it does
// not. (A region that waits does nothing, so the verdict is the same.)
static int JoinedOrNot(Thread *thr, const AccessPoint &at, uptr pthread,
                       u32 tid, int error) {
  if (tid == kInvalidTid)
    return error;
  if (error) {
    ThreadPutUserId(pthread, tid);
    return error;
  }
  RegionBoundary boundary;
  boundary.Enter(thr, kSplitJoin, at);
  {
    ScopedInRuntime in_runtime(thr);
    ThreadJoined(thr, at, tid);
  }
  boundary.Leave();
  return 0;
}

// Under control, a join that may time out is made when the thread has ended, or
// at the deadline. With `early`, the region ends before the wait, which keeps
// the gate closed while nothing happens.
template <class Join>
static int JoinThread(const AccessPoint &at, uptr pthread, bool early,
                      const Place *place, u64 deadline, Join join) {
  Thread *thr = CurrentOrNewThread();
  // The tid is taken before the call, after which another thread may have this
  // id.
  u32 tid = ThreadTakeUserId(pthread);
  RegionBoundary boundary;
  if (early)
    boundary.Enter(thr, kSplitJoin, at);
  // std::thread::join is in a library without frame pointers, and what is
  // waited for here often uses the waiting function's variables.
  ScopedBlocked blocked(thr, thr && __atsan_enabled ? FrameOwner(thr, at) : at);
  ScheduledThread *self = CurrentScheduled();
  // A controlled thread is joined when it has ended but for what the kernel has
  // to do, for which no other thread goes on.
  const bool ends_soon = self && FindScheduled(tid);
  auto cancelled = [&] {
    if (ends_soon)
      LeaveRuntime(thr);
    blocked.Leave();
    if (tid != kInvalidTid)
      ThreadPutUserId(pthread, tid);
    boundary.Leave();
  };
  SteeredThread *steered = CurrentSteered();
  if (UNLIKELY(steered)) {
    SteerAt(steered, place);
    SteerJoins(steered, tid);
  }
  // Whether the other thread's end or this try comes first is no choice.
  if (self && deadline == 0)
    LeaveGap(Gap::kUnnamed);
  int res = kTimedOutError;
  if (!self || WaitForEnd(self, place, tid, deadline, at)) {
    if (ends_soon)
      EnterRuntime(thr);
    res = CallCancellable(join, cancelled);
    if (ends_soon)
      LeaveRuntime(thr);
  }
  if (UNLIKELY(steered))
    SteerJoined(steered);
  blocked.Leave();
  JoinedOrNot(thr, at, pthread, tid, res);
  boundary.Leave();
  return res;
}

// Tells the write of what the thread returned, after the join.
template <class T>
static void WriteResult(int error, const T *result, const AccessPoint &at) {
  if (!error)
    AccessRecorder(at).WriteObject(result);
}

static u64 JoinDeadline(const void *deadline, int clock) {
  return CurrentScheduled() ? DeadlineAt(deadline, clock) : kNever;
}

constexpr bool kEarly = true;
constexpr bool kLate = false;

ATSAN_INTERCEPTOR(int, pthread_join, uptr pthread, void **result) {
  EnsureReady();
  int res = JoinThread(ATSAN_CALLER_POINT(), pthread, kEarly,
                       ATSAN_SCHEDULE_PLACE("pthread_join"), kNever,
                       [=] { return REAL(pthread_join)(pthread, result); });
  WriteResult(res, result, ATSAN_INTERCEPTOR_POINT());
  return res;
}

ATSAN_INTERCEPTOR(int, pthread_tryjoin_np, uptr pthread, void **result) {
  EnsureReady();
  int res = JoinThread(ATSAN_CALLER_POINT(), pthread, kLate,
                       ATSAN_SCHEDULE_PLACE("pthread_tryjoin_np"), 0, [=] {
                         return REAL(pthread_tryjoin_np)(pthread, result);
                       });
  WriteResult(res, result, ATSAN_INTERCEPTOR_POINT());
  return res == kTimedOutError ? errno_EBUSY : res;
}

ATSAN_INTERCEPTOR(int, pthread_timedjoin_np, uptr pthread, void **result,
                  const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  int res = JoinThread(
      ATSAN_CALLER_POINT(), pthread, kLate,
      ATSAN_SCHEDULE_PLACE("pthread_timedjoin_np"),
      JoinDeadline(deadline, kRealTimeClock),
      [=] { return REAL(pthread_timedjoin_np)(pthread, result, deadline); });
  WriteResult(res, result, ATSAN_INTERCEPTOR_POINT());
  return res;
}

ATSAN_INTERCEPTOR(int, pthread_clockjoin_np, uptr pthread, void **result,
                  int clock, const void *deadline) {
  ReadDeadline(deadline, ATSAN_INTERCEPTOR_POINT());
  int res = JoinThread(ATSAN_CALLER_POINT(), pthread, kLate,
                       ATSAN_SCHEDULE_PLACE("pthread_clockjoin_np"),
                       JoinDeadline(deadline, clock), [=] {
                         return REAL(pthread_clockjoin_np)(pthread, result,
                                                           clock, deadline);
                       });
  WriteResult(res, result, ATSAN_INTERCEPTOR_POINT());
  return res;
}

ATSAN_INTERCEPTOR(int, thrd_join, uptr thread, int *result) {
  EnsureReady();
  int res = JoinThread(ATSAN_CALLER_POINT(), thread, kEarly,
                       ATSAN_SCHEDULE_PLACE("thrd_join"), kNever,
                       [=] { return REAL(thrd_join)(thread, result); });
  WriteResult(res, result, ATSAN_INTERCEPTOR_POINT());
  return res;
}

namespace __sanitizer {
int internal_pthread_join(void *thread, void **result) {
  return REAL(pthread_join)(reinterpret_cast<uptr>(thread), result);
}
}  // namespace __sanitizer

// --- Detach, names. ----------------------------------------------------------

template <class Detach>
static int DetachThread(uptr pthread, Detach detach) {
  u32 tid = ThreadTakeUserId(pthread);
  int res = detach();
  if (tid == kInvalidTid)
    return res;
  ScopedInRuntime in_runtime(cur_thread);
  if (res == 0)
    ThreadDetached(tid);
  else
    ThreadPutUserId(pthread, tid);
  return res;
}

ATSAN_INTERCEPTOR(int, pthread_detach, uptr pthread) {
  EnsureReady();
  return DetachThread(pthread, [=] { return REAL(pthread_detach)(pthread); });
}

ATSAN_INTERCEPTOR(int, thrd_detach, uptr thread) {
  EnsureReady();
  return DetachThread(thread, [=] { return REAL(thrd_detach)(thread); });
}

ATSAN_INTERCEPTOR(int, pthread_setname_np, uptr pthread, const char *name) {
  ATSAN_RECORDER();
  recorder.ReadString(name);
  int res = REAL(pthread_setname_np)(pthread, name);
  if (res == 0)
    ThreadSetName(pthread, name);
  return res;
}

// Reports show the name of a thread; the rest is up to the kernel.
ATSAN_INTERCEPTOR(int, prctl, int option, uptr arg2, uptr arg3, uptr arg4,
                  uptr arg5) {
  constexpr int kSetName = 15, kGetName = 16;
  ATSAN_RECORDER();
  auto *name = reinterpret_cast<const char *>(arg2);
  if (option == kSetName)
    recorder.ReadString(name);
  int res = REAL(prctl)(option, arg2, arg3, arg4, arg5);
  if (res == 0 && option == kSetName)
    ThreadSetName(pthread_self(), name);
  if (res == 0 && option == kGetName)
    recorder.WriteString(name);
  return res;
}
