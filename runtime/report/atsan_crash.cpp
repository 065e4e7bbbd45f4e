//===-- atsan_crash.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What reports of crashes have of their own. The rest is sanitizer_common's.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_crash.h"

#include <signal.h>

#include "lib/base/FrameKind.h"
#include "runtime/report/atsan_report.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_stacktrace.h"
#include "sanitizer_common/sanitizer_symbolizer.h"

namespace __atsan {

static THREADLOCAL const char *failed_assertion;

void NoteFailedAssertion(const char *condition) {
  failed_assertion = condition;
}

// Finds the caller where the program has called a pointer that leads to no
// code: a call leaves its address on the stack. 0: not known.
static uptr CallerOfNoCode(const SignalContext &sig) {
  if (sig.addr != sig.pc || IsInLoadedModule(sig.pc) ||
      !IsAccessibleMemoryRange(sig.sp, sizeof(uptr)))
    return 0;
  const uptr caller = *reinterpret_cast<const uptr *>(sig.sp);
  return IsInLoadedModule(caller) ? caller : 0;
}

static void UnwindCrash(const SignalContext &sig, const void *kept,
                        BufferedStackTrace *stack) {
  if (const uptr caller = CallerOfNoCode(sig))
    stack->Unwind(caller, sig.bp, nullptr, /*request_fast=*/true);
  else
    stack->Unwind(StackTrace::GetNextInstructionPc(sig.pc), sig.bp, sig.context,
                  common_flags()->fast_unwind_on_fatal);
  static_cast<BufferedStackTrace *>(const_cast<void *>(kept))
      ->Init(stack->trace, stack->size);
}

// Whether the frame is one by which a program ends, or a function that it has
// called: of libc, of the C++ library or of the runtime. What is no code is
// where a wrong pointer has led to.
static bool IsOfSystem(const AddressInfo &info) {
  if (!info.module)
    return true;
  const atsan_frames::Frame frame = {info.function, info.file, info.module};
  const char *module = atsan_frames::BaseName(info.module);
  return atsan_frames::IsOfRuntime(frame) || atsan_frames::IsOfLibrary(frame) ||
         atsan_frames::StartsWith(module, "libc.so") ||
         atsan_frames::StartsWith(module, "libstdc++.so") ||
         atsan_frames::StartsWith(module, "libc++") ||
         // Where these are linked statically.
         atsan_frames::StartsWith(info.function, "__clang_call_terminate") ||
         atsan_frames::StartsWith(info.function, "__cxxabiv1::") ||
         atsan_frames::StartsWith(info.function, "__cxa_") ||
         atsan_frames::StartsWith(info.function, "__gnu_cxx::");
}

static void Summarize(const char *what, const StackTrace &trace) {
  const SymbolizedStack *stack = SymbolizeStack(trace);
  const SymbolizedStack *user = stack;
  while (user && IsOfSystem(user->info))
    user = user->next;
  if (!user)
    user = stack;
  user ? ReportErrorSummary(what, user->info) : ReportErrorSummary(what);
}

static void SetPrintSummary(bool value) {
  CommonFlags flags;
  flags.CopyFrom(*common_flags());
  flags.print_summary = value;
  OverrideCommonFlags(flags);
}

// --- Stacks for handlers. ----------------------------------------------------

static THREADLOCAL void *stack_of_handlers;

static void *AlternateStack() {
  stack_t now = {};
  sigaltstack(nullptr, &now);
  return now.ss_flags & SS_DISABLE ? nullptr : now.ss_sp;
}

void CrashThreadBegins() {
  if (!common_flags()->use_sigaltstack || AlternateStack())
    return;
  SetAlternateSignalStack();
  stack_of_handlers = AlternateStack();
}

void CrashThreadEnds() {
  if (stack_of_handlers && stack_of_handlers == AlternateStack())
    UnsetAlternateSignalStack();
  stack_of_handlers = nullptr;
}

void ReportCrash(int signal, void *siginfo, void *context) {
  StartReportDeadlySignal();
  ScopedErrorReportLock lock;
  const SignalContext sig(siginfo, context);
  // The stack of the handler may be small.
  auto *stack = static_cast<BufferedStackTrace *>(
      MmapOrDie(sizeof(BufferedStackTrace), "stack of a crash"));
  new (stack) BufferedStackTrace();
  const bool summarizes = common_flags()->print_summary;
  SetPrintSummary(false);
  ReportDeadlySignal(sig, GetTid(), UnwindCrash, stack);
  SetPrintSummary(summarizes);
  InternalScopedString what;
  if (signal == SIGABRT && failed_assertion)
    what.AppendF("failed assertion '%s' at", failed_assertion);
  else
    what.Append(sig.IsStackOverflow() ? "stack-overflow" : sig.Describe());
  Summarize(what.data(), *stack);
  Report("ABORTING\n");
  Die();
}

}  // namespace __atsan
