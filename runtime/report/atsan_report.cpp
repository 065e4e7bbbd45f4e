//===-- atsan_report.cpp --------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides what is reported, and what follows: each (region site, closing site)
// once, max_reports, halt_on_error. No lock of the runtime may be held here,
// since symbolizing takes long and runs foreign code.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_report.h"

#include <errno.h>

#include "runtime/location/atsan_symbolizer.h"
#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_log.h"
#include "runtime/report/atsan_checked.h"
#include "runtime/report/atsan_held.h"
#include "runtime/report/atsan_potential.h"
#include "runtime/report/atsan_suppressions.h"
#include "sanitizer_common/sanitizer_dense_map.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_hash.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_stackdepot.h"

// Functions that a program has if it is compiled for coverage:
// -fprofile-instr-generate, --coverage.
extern "C" {
__attribute__((weak)) int __llvm_profile_write_file();
__attribute__((weak)) void __gcov_dump();
}

namespace __atsan {

static atomic_uint32_t num_reports;
static atomic_uint32_t num_failing;  // Reports that fail the run.

u32 ReportCount() { return atomic_load_relaxed(&num_failing); }

namespace {

// Keys of what was reported. Guarded by the error report lock, which also
// guards the use of the symbolizer.
class SeenSet {
 public:
  // Returns true the first time that it gets the key.
  bool Add(u64 key) {
    // The two largest keys are DenseMap's own.
    return keys_.insert({key >> 1, true}).second;
  }
  void Clear() { keys_.clear(); }

 private:
  DenseMap<u64, bool> keys_;
};

struct Seen {
  SeenSet places;  // By location ids: cheap.
  SeenSet sites;   // By the code a user would name: exact.
};

}  // namespace

static Seen &GetSeen() {
  alignas(Seen) static char storage[sizeof(Seen)];
  static Seen *seen;
  if (!seen)
    seen = new (storage) Seen();
  return *seen;
}

// The parent's exit code tells what the parent found; what the child finds is
// news there, also if the parent had found the same before.
void ReportsAfterForkInChild() {
  atomic_store_relaxed(&num_failing, 0);
  atomic_store_relaxed(&num_reports, 0);
  GetSeen().places.Clear();
  GetSeen().sites.Clear();
}

static u64 Key(uptr a, uptr b, uptr c) {
  MurMur2Hash64Builder hash(a);
  hash.add(b);
  hash.add(c);
  return hash.get();
}

static uptr Site(const SymbolizedStack *stack) {
  const AddressInfo *frame = UserFrame(stack);
  return frame ? frame->address : 0;
}

static u64 SiteKey(const ViolationReport &report) {
  const ReportEvent &closing = report.Closing();
  if (closing.region == kNone)
    return Key(0, 0, Site(closing.stack));
  const ReportRegion &region = report.regions[closing.region];
  uptr title = report.potential;
  for (const char *c = region.title; *c; c++)
    title = title * 31 + *c;
  return Key(title, Site(region.begin), Site(closing.stack));
}

// Counts a finding that is about to be printed. False: max_reports is reached.
static bool MayPrint(bool fails) {
  if (fails)
    atomic_fetch_add(&num_failing, 1, memory_order_relaxed);
  u32 max_reports = flags()->max_reports;
  u32 count = atomic_fetch_add(&num_reports, 1, memory_order_relaxed) + 1;
  if (!max_reports || count <= max_reports)
    return true;
  if (count == max_reports + 1)
    Report(
        "AtomicitySanitizer: max_reports=%u reached, further errors are not "
        "shown\n",
        max_reports);
  return false;
}

// Whether a further finding changes nothing any more: it is not printed, and
// the run fails anyway. Where it is then takes long to find out.
static bool IsOfNoInterest(bool fails) {
  const u32 max_reports = flags()->max_reports;
  return max_reports && atomic_load_relaxed(&num_reports) > max_reports &&
         (!fails || atomic_load_relaxed(&num_failing));
}

template <class ErrorReport>
static void Publish(const ErrorReport &report) {
  if (flags()->report_format.value == ReportFormat::kJson) {
    SymbolizerWarnIfMissing();
    JsonWriter line;
    AppendReportJson(&line, report);
    line.EndLine();
    LogWrite(line.text().data());
  } else {
    PrintReportText(report);
  }
  HandOn(report);
}

// Writes the coverage so far, which is worth as much as that of a run that
// ends.
static void WriteCoverage() {
  if (__llvm_profile_write_file)
    __llvm_profile_write_file();
  if (__gcov_dump)
    __gcov_dump();
}

[[noreturn]] static void Halt() {
  NoteProcessEnd();
  WriteCoverage();
  Die();
}

void OnViolation(CheckerThread *checker_thread, const Cycle &cycle) {
  Thread *thr = reinterpret_cast<Thread *>(checker_thread);
  if (thr->in_failed_exchange)
    HoldViolation(thr, cycle);
  else
    ReportCycle(thr, cycle);
}

// Reports the finding, unless an equal one was reported before.
template <class Finding>
static void ReportOnce(Thread *thr, u64 place, const Finding &finding,
                       bool fails) {
  ScopedInRuntime in_runtime(thr);
  // The program's code goes on where it was, errno included.
  int saved_errno = errno;
  {
    ScopedErrorReportLock lock;
    if (!IsOfNoInterest(fails) && GetSeen().places.Add(place)) {
      ScopedLog log;
      ViolationReport report;
      BuildReport(finding, &report);
      if (GetSeen().sites.Add(SiteKey(report)) && !IsSuppressed(report) &&
          MayPrint(fails)) {
        Publish(report);
        if (fails && flags()->halt_on_error)
          Halt();
      }
    }
  }
  errno = saved_errno;
}

bool hold_findings;
u32 findings_of_run;

void ReportCycle(Thread *thr, const Cycle &cycle) {
  findings_of_run++;
  if (UNLIKELY(hold_findings))
    return;
  const Edge &closing = cycle.edges[cycle.size - 1];
  u64 place = Key(closing.src_loc, closing.dst_loc, cycle.edges[0].src_loc);
  ReportOnce(thr, place, cycle, /*fails=*/true);
}

void ReportPotential(Thread *thr, const PotentialFinding &finding) {
  // Inverted, so that the key differs from those of cycles.
  u64 place = ~Key(finding.region_context, finding.steps[0].first.loc,
                   finding.steps[0].later.loc);
  ReportOnce(thr, place, finding, flags()->fail_on.value == FailOn::kPotential);
}

// Reports what has one stack, or two, once for the first of them.
static void ReportStack(u32 stack_id, PlaceReport *report) {
  ScopedErrorReportLock lock;
  if (!GetSeen().places.Add(Key(stack_id, 0, 0)))
    return;
  ScopedLog log;
  if (!MayPrint(/*fails=*/true))
    return;
  AddThread(&report->named, report->tid);
  SymbolizedStackHolder stack(SymbolizeStack(StackDepotGet(stack_id)));
  report->stack = const_cast<SymbolizedStack *>(stack.get());
  const OperationFinding *operation = report->operation;
  const bool has_other = operation && operation->other.stack;
  SymbolizedStackHolder other(
      has_other ? SymbolizeStack(StackDepotGet(operation->other.stack))
                : nullptr);
  report->other = const_cast<SymbolizedStack *>(other.get());
  if (has_other)
    AddThread(&report->named, operation->other.tid);
  report->fingerprint = MakeFingerprint(*report);
  Publish(*report);
  if (flags()->halt_on_error)
    Halt();
}

void ReportUsageError(Thread *thr, const AccessPoint &at, const char *message,
                      const char *kind, const char *history) {
  ScopedInRuntime in_runtime(thr);
  int saved_errno = errno;
  PlaceReport report = {};
  report.kind = kind;
  report.message = message;
  report.history = history;
  report.tid = thr->tid;
  ReportStack(InternStack(thr, at), &report);
  errno = saved_errno;
}

void ReportOperation(Thread *thr, const OperationFinding &finding) {
  findings_of_run++;
  if (UNLIKELY(hold_findings))
    return;
  ScopedInRuntime in_runtime(thr);
  int saved_errno = errno;
  PlaceReport report = {};
  report.kind = kNotLinearizableKind;
  report.message = finding.message.data();
  report.tid = finding.bad.tid;
  report.operation = &finding;
  ReportStack(finding.bad.stack, &report);
  errno = saved_errno;
}

}  // namespace __atsan
