//===-- atsan_report_words.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary of reports; prints nothing.
//
//===----------------------------------------------------------------------===//
#include "lib/base/Printable.h"
#include "runtime/report/atsan_report_internal.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

const char *KindName(AccessKind kind) {
  switch (kind) {
    case AccessKind::kRead:
      return "read";
    case AccessKind::kWrite:
      return "write";
    case AccessKind::kAtomicRead:
      return "atomic read";
    case AccessKind::kAtomicWrite:
      return "atomic write";
    case AccessKind::kAtomicRmw:
      return "atomic read-modify-write";
    case AccessKind::kFree:
      return "free";
    case AccessKind::kLockAcquire:
      return "lock acquire";
    case AccessKind::kLockRelease:
      return "lock release";
    case AccessKind::kThreadStart:
      return "thread start";
    case AccessKind::kThreadJoin:
      return "thread join";
  }
  UNREACHABLE("unknown kind of access");
}

const char *EventName(const ReportEvent &event) {
  if (event.role == EventRole::kThreadBegin)
    return "thread begin";
  if (event.role == EventRole::kThreadEnd)
    return "thread end";
  return event.located ? KindName(event.kind) : "access";
}

const char *MemoryKindName(MemoryKind kind) {
  switch (kind) {
    case MemoryKind::kGlobal:
      return "global";
    case MemoryKind::kHeap:
      return "heap";
    case MemoryKind::kStack:
      return "stack";
    case MemoryKind::kTls:
      return "thread-local";
    case MemoryKind::kMapped:
      return "mapped";
    case MemoryKind::kUnknown:
      return "unknown";
  }
  UNREACHABLE("unknown kind of memory");
}

static bool IsLockOperation(AccessKind kind) {
  return kind == AccessKind::kLockAcquire || kind == AccessKind::kLockRelease;
}

static void AppendBytes(InternalScopedString *out, uptr size) {
  out->AppendF("%zu byte%s", size, size == 1 ? "" : "s");
}

static void AppendThread(InternalScopedString *out, u32 tid) {
  if (tid == kUnknownThread)
    out->Append("a finished thread");
  else if (tid == 0)
    out->Append("the main thread");
  else
    out->AppendF("T%u", tid);
}

void AppendPrintable(InternalScopedString *out, const char *name) {
  atsan_text::ForEachPrintable(name, [&](char c) { out->AppendF("%c", c); });
}

void AppendThreadName(InternalScopedString *out, const ViolationReport &report,
                      u32 tid) {
  AppendThread(out, tid);
  for (const ReportThread &thread : report.threads)
    if (thread.tid == tid && tid != 0 && thread.name[0]) {
      out->Append(" '");
      AppendPrintable(out, thread.name);
      out->Append("'");
    }
}

void AppendAccess(InternalScopedString *out, const ViolationReport &report,
                  const ReportEvent &event) {
  if (event.role == EventRole::kThreadBegin ||
      event.role == EventRole::kThreadEnd) {
    out->Append(event.role == EventRole::kThreadEnd ? "end" : "begin");
    return;
  }
  if (!event.located) {
    out->AppendF("access of %p", reinterpret_cast<void *>(event.addr));
    return;
  }
  out->Append(KindName(event.kind));
  if (!event.addr)
    return;
  void *addr = reinterpret_cast<void *>(event.addr);
  if (IsLockOperation(event.kind)) {
    out->AppendF(" of the lock at %p", addr);
    return;
  }
  if (event.kind != AccessKind::kFree) {  // The memory's description has it.
    out->Append(" of ");
    AppendBytes(out, event.size);
  }
  out->AppendF(event.addr_is_begin ? " at %p" : " that include %p", addr);
}

static void AppendRun(InternalScopedString *out, const ReportRegion &region) {
  if (region.run)
    out->AppendF(" (run %u)", region.run);
}

void AppendUnit(InternalScopedString *out, const ViolationReport &report,
                const ReportEvent &event, UnitStyle style) {
  bool with_thread = style == UnitStyle::kWithThread;
  if (with_thread) {
    AppendThread(out, event.tid);  // The thread's name would be in the way.
    out->Append("'s ");
  }
  if (event.region != kNone) {
    const ReportRegion &region = report.regions[event.region];
    out->Append(region.title);
    AppendRun(out, region);
    return;
  }
  if (!with_thread)
    out->Append("its ");
  if (event.role == EventRole::kThreadBegin)
    out->Append("begin");
  else if (event.role == EventRole::kThreadEnd)
    out->Append("end");
  else
    out->Append(event.located ? KindName(event.kind) : "access");
}

void AppendRegionName(InternalScopedString *out, const ViolationReport &report,
                      uptr index, bool with_run) {
  const ReportRegion &region = report.regions[index];
  out->AppendF("%s of ", region.title);
  AppendThreadName(out, report, region.tid);
  if (with_run)
    AppendRun(out, region);
}

void AppendThreadsBeside(InternalScopedString *out,
                         const ViolationReport &report, u32 tid) {
  InternalMmapVector<u32> others;
  for (const ReportStep &step : report.steps) {
    u32 other = step.later.tid;
    bool known = other == tid;
    for (u32 seen : others)
      known |= seen == other;
    if (!known)
      others.push_back(other);
  }
  for (uptr i = 0; i < others.size(); i++) {
    out->Append(!i ? "" : i + 1 == others.size() ? " and " : ", ");
    AppendThreadName(out, report, others[i]);
  }
}

void AppendCapitalized(InternalScopedString *out, const char *text) {
  char first = text[0] >= 'a' && text[0] <= 'z' ? text[0] - 'a' + 'A' : text[0];
  out->AppendF("%c%s", first, text + 1);
}

// --- Memory. -----------------------------------------------------------------

void AppendMemoryLabel(InternalScopedString *out, const ViolationReport &report,
                       const ReportMemory &item) {
  switch (item.kind) {
    case MemoryKind::kGlobal:
      if (item.size)
        out->AppendF("global '%s'", item.name);
      else
        out->AppendF("global at %s", item.name);
      return;
    case MemoryKind::kHeap:
      out->Append(item.freed ? "freed heap block of " : "heap block of ");
      AppendBytes(out, item.size);
      return;
    case MemoryKind::kStack:
      if (item.name) {
        out->AppendF("variable '%s' on the stack of ", item.name);
      } else {
        out->Append("stack of ");
      }
      AppendThreadName(out, report, item.tid);
      return;
    case MemoryKind::kTls:
      out->Append("thread-local storage of ");
      AppendThreadName(out, report, item.tid);
      return;
    case MemoryKind::kMapped:
      if (item.name)
        out->AppendF("memory mapped from '%s'", item.name);
      else
        out->Append("shared memory without a file");
      return;
    case MemoryKind::kUnknown:
      out->Append("neither heap, stack nor global");
      return;
  }
}

void AppendMemoryAt(InternalScopedString *out, uptr addr) {
  ScopedErrorReportLock lock;
  ViolationReport report;
  const ReportMemory &item = report.memory[DescribeMemory(&report, addr)];
  out->AppendF("0x%zx", addr);
  if (item.kind == MemoryKind::kUnknown)
    return;
  out->Append(" (");
  AppendMemoryLabel(out, report, item);
  out->Append(")");
}

static void AppendDeclaration(InternalScopedString *out,
                              const ReportMemory &item) {
  if (!item.file)
    return;
  out->Append(", declared at ");
  out->Append(StripPathPrefix(item.file, common_flags()->strip_path_prefix));
  if (item.line)
    out->AppendF(":%zu", item.line);
}

static void AppendPosition(InternalScopedString *out,
                           const ReportMemory &item) {
  out->AppendF("%p is ", reinterpret_cast<void *>(item.addr));
  if (!item.size)
    return;
  uptr offset = item.addr - item.begin;
  if (offset) {
    AppendBytes(out, offset);
    out->Append(" inside ");
  } else {
    out->Append("the beginning of ");
  }
}

void AppendMemorySentence(InternalScopedString *out,
                          const ViolationReport &report,
                          const ReportMemory &item) {
  AppendPosition(out, item);
  switch (item.kind) {
    case MemoryKind::kGlobal:
      AppendMemoryLabel(out, report, item);
      if (item.size) {
        out->Append(" of ");
        AppendBytes(out, item.size);
      }
      AppendDeclaration(out, item);
      break;
    case MemoryKind::kHeap:
      out->Append(item.same_object == kNone ? "a " : "the same ");
      AppendMemoryLabel(out, report, item);
      if (item.same_object != kNone)
        break;
      out->Append(" allocated by ");
      AppendThreadName(out, report, item.tid);
      out->Append(":");
      return;
    case MemoryKind::kStack:
      if (!item.name)
        out->Append("on the ");
      AppendMemoryLabel(out, report, item);
      if (item.function)
        out->AppendF(", in the frame of '%s'", item.function);
      AppendDeclaration(out, item);
      break;
    case MemoryKind::kTls:
    case MemoryKind::kMapped:
      out->Append("in ");
      AppendMemoryLabel(out, report, item);
      break;
    case MemoryKind::kUnknown:
      out->Append("in memory that is ");
      AppendMemoryLabel(out, report, item);
      out->Append(" (mapped by other means)");
      break;
  }
  out->Append(".");
}

}  // namespace __atsan
