//===-- atsan_signal.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Signals that come while a thread runs our own code are delivered when it
// leaves that: handlers are the program's, may leave by siglongjmp, and their
// accesses count. See SignalsDeliver in atsan_thread.h.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SIGNAL_H
#define ATSAN_SIGNAL_H

#include "runtime/state/atsan_thread.h"

namespace __atsan {

constexpr int kMaxSignal = 64;

// The kernel calls these in place of the program's handlers: those with
// SA_SIGINFO, and those without, for which it fills in no siginfo_t. (It passes
// all three arguments to both.)
void SignalEntry(int signal, void *info, void *context);
void SignalInfoEntry(int signal, void *info, void *context);

// The program's handler for a signal, as a number; it is what the entries call.
uptr SignalHandler(int signal);
// Returns the former handler.
uptr SignalSetHandler(int signal, uptr handler);

// Sets which signals are blocked in the calling thread, by the kernel's
// sigset_t, also those of libc; returns which were.
u64 SignalsSetMask(u64 mask);

// A thread that may be cancelled at any instruction is not cancelled in the
// runtime.
void SignalsGuardCancellation();

}  // namespace __atsan

#endif  // ATSAN_SIGNAL_H
