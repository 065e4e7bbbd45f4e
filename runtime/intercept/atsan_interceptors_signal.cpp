//===-- atsan_interceptors_signal.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signal actions. The kernel is given our entry in place of each handler
// (atsan_signal.h); the program sees its own. Everything else about an action
// is the program's, unless handle_...=2 keeps a signal for us.
//
//===----------------------------------------------------------------------===//
#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/threads/atsan_signal.h"
#include "runtime/threads/atsan_vfork.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

namespace {

bool IsHandler(uptr handler) {
  constexpr uptr kHold = 2;  // With this, sigset blocks the signal.
  return handler != sig_dfl && handler != sig_ign && handler != sig_err &&
         handler != kHold;
}

bool IsOurEntry(uptr handler) {
  return handler == reinterpret_cast<uptr>(SignalEntry) ||
         handler == reinterpret_cast<uptr>(SignalInfoEntry);
}

bool IsKeptForUs(int signal) {
  return GetHandleSignalMode(signal) == kHandleSignalExclusive;
}

// Sets `handler` by `set`, which passes on what the kernel shall call, and
// returns whether libc accepted it. `former` is the program's former handler.
template <class Set>
bool ChangeHandler(int signal, uptr handler, uptr entry, uptr *former,
                   Set set) {
  ScopedInRuntime in_runtime(cur_thread);
  *former = SignalHandler(signal);
  // A child of vfork has actions of its own, but not a table of handlers.
  if (!IsHandler(handler) || in_vfork_child)
    return set(handler);
  // The handler is set first, for the signal may come at once.
  SignalSetHandler(signal, handler);
  if (set(entry))
    return true;
  SignalSetHandler(signal, *former);
  return false;
}

bool InRange(int signal) { return signal > 0 && signal <= kMaxSignal; }

}  // namespace

ATSAN_INTERCEPTOR(int, sigaction, int signal, const void *action,
                  void *old_action) {
  EnsureReady();
  if (!runtime_ready || !InRange(signal))
    return REAL(sigaction)(signal, action, old_action);
  if (IsKeptForUs(signal))
    return 0;
  ATSAN_RECORDER_OF(sigaction);
  __sanitizer_sigaction wanted = {};
  uptr handler = sig_dfl;
  uptr entry = 0;
  if (action) {
    recorder.Read(action, sizeof(wanted));
    wanted = *static_cast<const __sanitizer_sigaction *>(action);
    handler = reinterpret_cast<uptr>(wanted.handler);
    entry = wanted.sa_flags & sa_siginfo
                ? reinterpret_cast<uptr>(SignalInfoEntry)
                : reinterpret_cast<uptr>(SignalEntry);
  }
  int res;
  __sanitizer_sigaction old;
  uptr former;
  ChangeHandler(signal, handler, entry, &former, [&](uptr install) {
    wanted.handler = reinterpret_cast<__sanitizer_sighandler_ptr>(install);
    res = REAL(sigaction)(signal, action ? &wanted : nullptr, &old);
    return res == 0;
  });
  if (res == 0 && old_action) {
    if (IsOurEntry(reinterpret_cast<uptr>(old.handler)))
      old.handler = reinterpret_cast<__sanitizer_sighandler_ptr>(former);
    recorder.Write(old_action, sizeof(old));
    *static_cast<__sanitizer_sigaction *>(old_action) = old;
  }
  return res;
}

ATSAN_AFTER(int, pthread_setcancelstate, (int state, int *old_state),
            (state, old_state), if (res == 0) recorder.WriteObject(old_state))

ATSAN_INTERCEPTOR(int, pthread_cancel, uptr pthread) {
  EnsureReady();
  if (ScheduledThread *self = CurrentScheduled()) {
    LocalPoint(self, ATSAN_SCHEDULE_PLACE("pthread_cancel"),
               ATSAN_CALLER_POINT());
    LeaveGap(Gap::kOthers);
    const u32 tid = ThreadTakeUserId(pthread);
    ThreadPutUserId(pthread, tid);
    CancelScheduled(tid);
  }
  return REAL(pthread_cancel)(pthread);
}

ATSAN_INTERCEPTOR(int, pthread_setcanceltype, int type, int *old_type) {
  constexpr int kAsynchronous = 1, kDisabled = 1;
  EnsureReady();
  if (runtime_ready && type == kAsynchronous) {
    // A thread that is cancelled already must not end where the guard waits.
    int old_state;
    REAL(pthread_setcancelstate)(kDisabled, &old_state);
    SignalsGuardCancellation();
    REAL(pthread_setcancelstate)(old_state, nullptr);
  }
  ATSAN_RECORDER();
  int res = REAL(pthread_setcanceltype)(type, old_type);
  if (res == 0)
    recorder.WriteObject(old_type);
  return res;
}

// signal, and its relatives with other flags.
#define ATSAN_SIGNAL_INTERCEPTOR(func)                                  \
  ATSAN_INTERCEPTOR(uptr, func, int signal, uptr handler) {             \
    EnsureReady();                                                      \
    if (!runtime_ready || !InRange(signal))                             \
      return REAL(func)(signal, handler);                               \
    if (IsKeptForUs(signal))                                            \
      return 0;                                                         \
    ATSAN_RECORDER_OF(func);                                            \
    uptr former, res;                                                   \
    ChangeHandler(signal, handler, reinterpret_cast<uptr>(SignalEntry), \
                  &former, [&](uptr install) {                          \
                    res = REAL(func)(signal, install);                  \
                    return res != sig_err;                              \
                  });                                                   \
    return IsOurEntry(res) ? former : res;                              \
  }

ATSAN_SIGNAL_INTERCEPTOR(signal)
ATSAN_SIGNAL_INTERCEPTOR(bsd_signal)
ATSAN_SIGNAL_INTERCEPTOR(ssignal)
ATSAN_SIGNAL_INTERCEPTOR(sysv_signal)
ATSAN_SIGNAL_INTERCEPTOR(__sysv_signal)
ATSAN_SIGNAL_INTERCEPTOR(sigset)
