//===-- atsan_report_json.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a report as one line of JSON: all that the text says, for programs.
// The members are those of schema/atsan-report-2.schema.json; a member that is
// not known is left out.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_json.h"
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_report_internal.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_posix.h"

#ifndef ATSAN_VERSION
#error "Define ATSAN_VERSION: the version of the product, as a string"
#endif

namespace __atsan {

// --- Parts. ------------------------------------------------------------------

static void OptionalField(JsonWriter *out, const char *key, const char *value) {
  if (value && value[0])
    out->Field(key, value);
}

static void FileField(JsonWriter *out, const char *file) {
  if (file)
    out->Field("file",
               StripPathPrefix(file, common_flags()->strip_path_prefix));
}

static void ThreadField(JsonWriter *out, const char *key, u32 tid) {
  if (tid != kUnknownThread)
    out->NumberField(key, tid);
}

static void AppendFrame(JsonWriter *out, const AddressInfo &frame) {
  out->BeginObject();
  OptionalField(out, "function", frame.function);
  FileField(out, frame.file);
  if (frame.file && frame.line > 0)
    out->NumberField("line", frame.line);
  if (frame.file && frame.line > 0 && frame.column > 0)
    out->NumberField("column", frame.column);
  if (frame.module) {
    out->Field("module", frame.module);
    out->AddressField("offset", frame.module_offset);
  }
  out->AddressField("pc", frame.address);
  out->EndObject();
}

static void StackField(JsonWriter *out, const char *key,
                       const SymbolizedStack *stack) {
  if (!stack)
    return;
  out->Key(key);
  out->BeginArray();
  for (; stack; stack = stack->next)
    AppendFrame(out, stack->info);
  out->EndArray();
}

// --- The cycle. --------------------------------------------------------------

namespace {

// Numbers transactions in order of appearance.
class Transactions {
 public:
  u32 Number(const ReportEvent &event) {
    for (u32 i = 0; i < seen_.size(); i++)
      if (seen_[i].tid == event.tid && SameTransaction(seen_[i].txn, event.txn))
        return i;
    seen_.push_back({event.tid, event.txn});
    return seen_.size() - 1;
  }

 private:
  struct Key {
    u32 tid;
    TxnRef txn;
  };
  InternalMmapVector<Key> seen_;
};

}  // namespace

static void AppendEvent(JsonWriter *out, const ReportEvent &event,
                        Transactions *transactions) {
  out->BeginObject();
  out->Field("role",
             event.role == EventRole::kAccess ? "access" : EventName(event));
  ThreadField(out, "thread", event.tid);
  out->NumberField("transaction", transactions->Number(event));
  if (event.region != kNone)
    out->NumberField("region", event.region);
  if (event.role == EventRole::kAccess) {
    if (event.located) {
      out->Field("access", KindName(event.kind));
      out->NumberField("size", event.size);
    }
    out->AddressField("address", event.addr);
    out->BoolField("is_begin", event.addr_is_begin);
  }
  if (event.memory != kNone)
    out->NumberField("memory", event.memory);
  StackField(out, "stack", event.stack);
  if (event.left_out == LeftOut::kRepeated)
    out->Field("left_out", "repeated calls");
  if (event.left_out == LeftOut::kCallers)
    out->Field("left_out", "callers");
  out->EndObject();
}

static void AppendSteps(JsonWriter *out, const ViolationReport &report) {
  Transactions transactions;
  out->Key("steps");
  out->BeginArray();
  for (const ReportStep &step : report.steps) {
    out->BeginObject();
    out->Key("first");
    AppendEvent(out, step.first, &transactions);
    out->Key("later");
    AppendEvent(out, step.later, &transactions);
    OptionalField(out, "why", step.why);
    out->EndObject();
  }
  out->EndArray();
}

// --- What it is about. -------------------------------------------------------

static u32 IndexIn(const SymbolizedStack *stack, const SymbolizedStack *frame) {
  u32 index = 0;
  for (; stack != frame; stack = stack->next)
    index++;
  return index;
}

static void AppendRegions(JsonWriter *out, const ViolationReport &report) {
  bool one_to_blame = report.potential || ClosingRegionIsToBlame(report);
  out->Key("regions");
  out->BeginArray();
  for (u32 i = 0; i < report.regions.size(); i++) {
    const ReportRegion &region = report.regions[i];
    out->BeginObject();
    OptionalField(out, "name", region.name);
    out->Field("title", region.title);
    ThreadField(out, "thread", region.tid);
    if (region.run)
      out->NumberField("run", region.run);
    out->BoolField("blamed", !one_to_blame || i == report.Closing().region);
    StackField(out, "begin", region.begin);
    if (region.frame && region.frame != FromUserFrame(region.begin))
      out->NumberField("frame", IndexIn(region.begin, region.frame));
    StackField(out, "split", region.split);
    out->EndObject();
  }
  out->EndArray();
}

static void AppendMemory(JsonWriter *out, const ViolationReport &report) {
  out->Key("memory");
  out->BeginArray();
  for (const ReportMemory &item : report.memory) {
    InternalScopedString label;
    AppendMemoryLabel(&label, report, item);
    out->BeginObject();
    out->AddressField("address", item.addr);
    out->Field("kind", MemoryKindName(item.kind));
    out->Field("label", label.data());
    OptionalField(out, "name", item.name);
    OptionalField(out, "function", item.function);
    FileField(out, item.file);
    if (item.file && item.line)
      out->NumberField("line", item.line);
    if (item.size) {
      out->NumberField("size", item.size);
      out->NumberField("offset", item.addr - item.begin);
    }
    ThreadField(out, "thread", item.tid);
    if (item.kind == MemoryKind::kHeap)
      out->BoolField("freed", item.freed);
    if (item.same_object != kNone)
      out->NumberField("same_object", item.same_object);
    StackField(out, "allocation", item.alloc_stack);
    out->EndObject();
  }
  out->EndArray();
}

static void AppendThreads(JsonWriter *out, const ViolationReport &report) {
  out->Key("threads");
  out->BeginArray();
  for (const ReportThread &thread : report.threads) {
    out->BeginObject();
    out->NumberField("id", thread.tid);
    OptionalField(out, "name", thread.name);
    if (thread.tid)
      ThreadField(out, "parent", thread.parent_tid);
    out->BoolField("finished", thread.finished);
    StackField(out, "creation", thread.creation);
    out->EndObject();
  }
  out->EndArray();
}

// --- Reports. ----------------------------------------------------------------

// The schema comes first: that is how readers find the line.
static void AppendHead(JsonWriter *out, const char *kind, const char *message,
                       const Fingerprint &fingerprint) {
  out->Field("schema", "atsan-report-2");
  out->Field("version", ATSAN_VERSION);
  out->Field("kind", kind);
  out->Field("message", message);
  out->Field("fingerprint", fingerprint.text);
  out->NumberField("pid", internal_getpid());
  InternalMmapVector<char> program(kMaxPathLength);
  ReadBinaryNameCached(program.data(), program.size());
  OptionalField(out, "program", program.data());
}

static void AppendSummary(JsonWriter *out, const SymbolizedStack *stack) {
  const AddressInfo *frame = UserFrame(stack);
  if (!frame)
    return;
  out->Key("summary");
  AppendFrame(out, *frame);
}

void AppendReportJson(JsonWriter *out, const ViolationReport &report) {
  InternalScopedString message;
  AppendVerdict(&message, report);
  out->BeginObject();
  AppendHead(out, report.Kind(), message.data(), report.fingerprint);
  out->Field("notion", report.potential ? "potential" : "violation");
  OptionalField(out, "shape", ShapeOf(report).name);
  AppendSummary(out, report.Closing().stack);
  OptionalField(out, "suppression", report.suppression);
  AppendSteps(out, report);
  AppendRegions(out, report);
  AppendMemory(out, report);
  AppendThreads(out, report);
  out->EndObject();
}

static void AppendOperation(JsonWriter *out, const char *key,
                            const OperationFinding::Operation &operation,
                            const SymbolizedStack *stack, u32 number) {
  out->Key(key);
  out->BeginObject();
  out->Field("role", "operation");
  out->Field("operation", operation.what.data());
  ThreadField(out, "thread", operation.tid);
  out->NumberField("transaction", number);
  StackField(out, "stack", stack);
  out->EndObject();
}

// The two operations, as a step of a cycle is.
static void AppendOperations(JsonWriter *out, const PlaceReport &report) {
  out->Key("steps");
  out->BeginArray();
  out->BeginObject();
  AppendOperation(out, "first", report.operation->other, report.other, 0);
  AppendOperation(out, "later", report.operation->bad, report.stack, 1);
  out->EndObject();
  out->EndArray();
}

void AppendReportJson(JsonWriter *out, const PlaceReport &report) {
  out->BeginObject();
  AppendHead(out, report.kind, report.message, report.fingerprint);
  AppendSummary(out, report.stack);
  ThreadField(out, "thread", report.tid);
  StackField(out, "stack", report.stack);
  if (report.operation || report.history)
    out->Field("notion", "violation");
  if (report.other)
    AppendOperations(out, report);
  OptionalField(out, "history", report.history);
  AppendThreads(out, report.named);
  out->EndObject();
}

}  // namespace __atsan
