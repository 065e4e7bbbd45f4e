//===-- atsan_report_hints.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What to do about a violation, where the cycle shows it.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_report_internal.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_stackdepot.h"

namespace __atsan {

// --- Keeping others out. -----------------------------------------------------

static bool IsAtomic(const ReportEvent &event) {
  return event.located && IsAtomic(event.kind);
}

static void PrintLockHint(const ViolationReport &report) {
  if (!ClosingRegionIsToBlame(report)) {
    Printf(
        "  To fix it, keep these regions out of each other: for example, hold "
        "one lock in each of\n  them, from its first access above to its "
        "last, and around the other accesses.\n\n");
    return;
  }
  InternalScopedString others;
  AppendThreadsBeside(&others, report, report.Closing().tid);
  Printf(
      "  To fix it, let nothing that conflicts come in between: for "
      "example, hold one lock in\n  %s, from its first access above to "
      "its last, and around the accesses of %s.\n\n",
      report.regions[report.Closing().region].title, others.data());
}

// Where the region that closes the cycle has waited for another thread, a lock
// may be the wrong advice.
static void PrintWaitHint(const ViolationReport &report) {
  const ReportEvent &closing = report.Closing();
  const Thread *thr = cur_thread;
  if (!ClosingRegionIsToBlame(report) || !thr || thr->tid != closing.tid ||
      !thr->waited.function || thr->waited.index != closing.txn.index)
    return;
  SymbolizedStackHolder stack(SymbolizeStack(StackDepotGet(thr->waited.stack)));
  const AddressInfo *code = UserFrame(stack.get());
  InternalScopedString others;
  AppendThreadsBeside(&others, report, closing.tid);
  Printf("  The region has waited in %s", thr->waited.function);
  if (code && code->file)
    Printf(" at %s:%d", StripModuleName(code->file), code->line);
  Printf(
      ".\n  If it waits there for %s, a lock around both would let them wait "
      "for ever: let the region end\n  before the wait, and another one begin "
      "behind it.\n\n",
      others.data());
}

// Only what is certain to help: with threads started or joined in between, a
// lock would not.
static void PrintFix(const ViolationReport &report) {
  bool any_atomic = false, all_atomic = true;
  for (const ReportStep &step : report.steps) {
    if (step.first.role != EventRole::kAccess ||
        step.later.role != EventRole::kAccess)
      return;
    any_atomic |= IsAtomic(step.first) || IsAtomic(step.later);
    all_atomic &= IsAtomic(step.first) && IsAtomic(step.later);
  }
  if (all_atomic)
    Printf(
        "  All of these accesses are atomic. If a lock is made of them, "
        "annotate "
        "it (atsan_interface.h). If\n  the code does without locks on purpose, "
        "let one atomic operation do what has to happen at once,\n  say "
        "__atomic_restart() where a failed attempt begins anew, or make the "
        "region smaller\n  (docs/lock-free.md); otherwise hold one lock around "
        "them all.\n\n");
  else
    PrintLockHint(report);
  if (any_atomic && !all_atomic)
    Printf(
        "  If the code does without locks on purpose, see "
        "docs/lock-free.md.\n\n");
}

// --- A lock that is held for good. -------------------------------------------

// The frames from the outermost one in: 0, 1...
static const AddressInfo *FromOutermost(const SymbolizedStack *stack,
                                        uptr index) {
  const SymbolizedStack *ahead = stack;
  for (uptr i = 0; i <= index; i++) {
    if (!ahead)
      return nullptr;
    ahead = ahead->next;
  }
  for (; ahead; ahead = ahead->next)
    stack = stack->next;
  return &stack->info;
}

// Whoever took the lock has returned to the thread's outermost function by the
// time of the access, or is main itself.
static bool IsHeldForGood(const ReportRegion &region,
                          const SymbolizedStack *access) {
  const AddressInfo *outermost = FromOutermost(region.begin, 0);
  const AddressInfo *taker = UserFrame(region.begin);
  if (!IsSameFunction(outermost, FromOutermost(access, 0)) || !taker->function)
    return false;
  if (taker == outermost)
    return !internal_strcmp(outermost->function, "main");
  return !IsSameFunction(FromOutermost(region.begin, 1),
                         FromOutermost(access, 1));
}

static bool IsUnderLockForGood(const ViolationReport &report, u32 region) {
  const auto is_of_it = [&](const ReportEvent &event) {
    return event.region == region &&
           IsHeldForGood(report.regions[region], event.stack);
  };
  for (const ReportStep &step : report.steps)
    if (is_of_it(step.first) || is_of_it(step.later))
      return true;
  return false;
}

// Appends the function that a region begins in, and its callers up to the one
// that the region is of: a function that locks for others has returned.
static void AppendBegin(InternalScopedString *out, const ReportRegion &region) {
  const SymbolizedStack *user = FromUserFrame(region.begin);
  out->Append(user->info.function);
  while (region.frame && user != region.frame) {
    user = FromUserFrame(user->next);
    out->AppendF(" <- %s", user->info.function);
  }
}

static void PrintHeldForGood(const ViolationReport &report,
                             const ReportRegion &region) {
  InternalScopedString thread, begin;
  AppendThreadName(&thread, report, region.tid);
  AppendBegin(&begin, region);
  Printf(
      "  The %s is a critical section that did not end where it began. If %s "
      "holds this lock for\n  good, exclude it: put this line into FILE and "
      "set ATSAN_OPTIONS=exclude_regions=FILE, or compile with\n  "
      "-fatomicity-exclude=FILE.\n%s%s\n\n",
      region.title, thread.data(), kStackIndent, begin.data());
}

void PrintHints(const ViolationReport &report) {
  PrintFix(report);
  PrintWaitHint(report);
  for (u32 i = 0; i < report.regions.size(); i++)
    if (report.regions[i].section && IsUnderLockForGood(report, i))
      PrintHeldForGood(report, report.regions[i]);
}

}  // namespace __atsan
