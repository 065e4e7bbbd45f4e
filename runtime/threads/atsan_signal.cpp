//===-- atsan_signal.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A signal that interrupts our own code is sent again, to the same thread, and
// every signal is blocked until that code is left. So the kernel keeps the
// queue, and delivers with all that the program asked for: its mask, its stack,
// its flags.
//
//===----------------------------------------------------------------------===//
#include "runtime/threads/atsan_signal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "interception/interception.h"
#include "runtime/schedule/atsan_schedule_program.h"
#include "runtime/threads/atsan_vfork.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"
#include "sanitizer_common/sanitizer_posix.h"

DECLARE_REAL(int, sigaction, int signal, const void *action, void *old_action)

namespace __atsan {
namespace {

atomic_uintptr_t handlers[kMaxSignal + 1];

typedef u64 Mask;

constexpr Mask MaskOf(int signal) { return 1ull << (signal - 1); }

// Faults concern the very instruction, and abort() waits for nobody. The
// signals below SIGRTMIN are libc's own.
constexpr Mask kFaults = MaskOf(SIGSEGV) | MaskOf(SIGBUS) | MaskOf(SIGFPE) |
                         MaskOf(SIGILL) | MaskOf(SIGTRAP) | MaskOf(SIGSYS);
constexpr int kCancel = 32;
constexpr int kSetId = 33;
constexpr Mask kNeverBlocked =
    kFaults | MaskOf(SIGABRT) | MaskOf(kCancel) | MaskOf(kSetId);

// Whether a signal must be handled at once. Without its siginfo_t, a fault
// cannot be told from a signal that was sent.
bool CannotWait(int signal, const siginfo_t *info) {
  if (!(MaskOf(signal) & kNeverBlocked))
    return false;
  return signal == SIGABRT || !info || info->si_code > 0;
}

// A handler of these, such as those of Catch2 and doctest, may end the process
// where no code of ours comes any more. When others come, no schedule says.
void TellSchedule(int signal) {
  constexpr Mask kFatal = MaskOf(SIGABRT) | MaskOf(SIGSEGV) | MaskOf(SIGBUS) |
                          MaskOf(SIGFPE) | MaskOf(SIGILL);
  if (in_vfork_child)
    return;
  if (!(MaskOf(signal) & kFaults))
    ScheduleBeforeHandler();
  if (!(MaskOf(signal) & kFatal))
    return;
  ScopedInRuntime in_runtime(cur_thread);
  ScheduleBeforeFatalHandler();
}

// The kernel has taken a one-shot action away already.
void Rearm(int signal) {
  struct sigaction now;
  uptr handler = SignalHandler(signal);
  if (!handler || REAL(sigaction)(signal, nullptr, &now) ||
      now.sa_handler != SIG_DFL || !(now.sa_flags & SA_RESETHAND))
    return;
  now.sa_sigaction = reinterpret_cast<void (*)(int, siginfo_t *, void *)>(
      now.sa_flags & SA_SIGINFO ? SignalInfoEntry : SignalEntry);
  REAL(sigaction)(signal, &now, nullptr);
}

bool SendAgain(int signal, const siginfo_t *info) {
  siginfo_t plain = {};
  if (!info) {
    plain.si_signo = signal;
    plain.si_code = SI_TKILL;
    plain.si_pid = internal_getpid();
    info = &plain;
  }
  return syscall(SYS_rt_tgsigqueueinfo, internal_getpid(), GetTid(), signal,
                 info) == 0;
}

// False: the kernel's queue is full, so it has to be now.
bool Defer(Thread *thr, int signal, const siginfo_t *info, void *context) {
  int saved_errno = errno;
  // libc's sigset_t is larger than the one that the kernel left there.
  auto *interrupted =
      reinterpret_cast<Mask *>(&static_cast<ucontext_t *>(context)->uc_sigmask);
  Mask blocked = ~kNeverBlocked | MaskOf(signal);
  Mask mask_here = SignalsSetMask(blocked);
  Rearm(signal);
  bool sent = SendAgain(signal, info);
  if (sent) {
    // Another signal may have come before all were blocked, and noted our mask.
    thr->signal_mask = *interrupted;
    thr->signals_deferred = true;
    *interrupted |= blocked;
  } else {
    SignalsSetMask(mask_here);
  }
  errno = saved_errno;
  return sent;
}

// False: the handler is to be called now.
bool DeferIfInRuntime(int signal, const siginfo_t *info, void *context) {
  Thread *thr = cur_thread;
  return thr && (thr->in_runtime || thr->atomic_depth) &&
         !CannotWait(signal, info) && Defer(thr, signal, info, context);
}

}  // namespace

void SignalEntry(int signal, void *, void *context) {
  if (DeferIfInRuntime(signal, nullptr, context))
    return;
  TellSchedule(signal);
  reinterpret_cast<void (*)(int)>(SignalHandler(signal))(signal);
}

void SignalInfoEntry(int signal, void *info, void *context) {
  if (DeferIfInRuntime(signal, static_cast<siginfo_t *>(info), context))
    return;
  TellSchedule(signal);
  reinterpret_cast<void (*)(int, void *, void *)>(SignalHandler(signal))(
      signal, info, context);
}

uptr SignalHandler(int signal) {
  return atomic_load(&handlers[signal], memory_order_acquire);
}

uptr SignalSetHandler(int signal, uptr handler) {
  return atomic_exchange(&handlers[signal], handler, memory_order_acq_rel);
}

// --- Cancellation. -----------------------------------------------------------

static void *WaitToBeCancelled(void *) {
  for (;;)
    pause();
}

// libc installs its handler when it first cancels a thread, and would cancel
// that one at once.
static void MakeLibcInstallHandler() {
  pthread_t victim;
  if (internal_pthread_create(&victim, nullptr, WaitToBeCancelled, nullptr))
    return;
  pthread_cancel(victim);
  internal_pthread_join(reinterpret_cast<void *>(victim), nullptr);
}

void SignalsGuardCancellation() {
  // The kernel's; libc does not let us at this signal.
  struct {
    void (*handler)(int, void *, void *);
    uptr flags;
    void (*restorer)();
    Mask mask;
  } action;
  static StaticSpinMutex mutex;
  ScopedInRuntime in_runtime(cur_thread);
  SpinMutexLock lock(&mutex);
  if (SignalHandler(kCancel))
    return;
  MakeLibcInstallHandler();
  constexpr uptr kSize = sizeof(Mask);
  syscall(SYS_rt_sigaction, kCancel, nullptr, &action, kSize);
  uptr handler = reinterpret_cast<uptr>(action.handler);
  if (handler == reinterpret_cast<uptr>(SIG_DFL))
    return;
  SignalSetHandler(kCancel, handler);
  action.handler = SignalInfoEntry;
  syscall(SYS_rt_sigaction, kCancel, &action, nullptr, kSize);
}

// --- Delivery. ---------------------------------------------------------------

u64 SignalsSetMask(u64 mask) {
  Mask old = 0;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &old, sizeof(mask));
  return old;
}

void SignalsDeliverNow(Thread *thr) {
  if (thr->in_runtime || thr->atomic_depth)
    return;
  thr->signals_deferred = false;
  SignalsSetMask(thr->signal_mask);
}

}  // namespace __atsan
