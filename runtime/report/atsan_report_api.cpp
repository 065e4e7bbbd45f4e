//===-- atsan_report_api.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// __atsan_on_report and the functions by which it reads the report
// (sanitizer/atsan_interface.h). An __atsan_report lives on the stack while the
// hook runs. What a function returns must not change once released: new things
// get new functions or structs that are larger, and the version goes up.
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_report_internal.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __atsan;

// Has one of the two reports.
struct __atsan_report {
  const ViolationReport *violation;
  const PlaceReport *at_place;
  InternalScopedString message;
  JsonWriter json;  // Written when asked for.
};

// Version 1 of sanitizer/atsan_interface.h.
struct __atsan_event {
  const char *access;
  void *address;
  uptr size;
  int thread;
  const char *region;
};

extern "C" {

SANITIZER_INTERFACE_WEAK_DEF(void, __atsan_on_report, __atsan_report *) {}

SANITIZER_INTERFACE_ATTRIBUTE unsigned __atsan_report_version() { return 1; }

SANITIZER_INTERFACE_ATTRIBUTE const char *__atsan_report_kind(
    __atsan_report *report) {
  return report->violation ? report->violation->Kind() : report->at_place->kind;
}

SANITIZER_INTERFACE_ATTRIBUTE const char *__atsan_report_message(
    __atsan_report *report) {
  return report->message.data();
}

SANITIZER_INTERFACE_ATTRIBUTE const char *__atsan_report_fingerprint(
    __atsan_report *report) {
  return report->violation ? report->violation->fingerprint.text
                           : report->at_place->fingerprint.text;
}

SANITIZER_INTERFACE_ATTRIBUTE const char *__atsan_report_suppression(
    __atsan_report *report) {
  return report->violation ? report->violation->suppression : nullptr;
}

SANITIZER_INTERFACE_ATTRIBUTE const char *__atsan_report_json(
    __atsan_report *report) {
  if (!report->json.text().length()) {
    if (report->violation)
      AppendReportJson(&report->json, *report->violation);
    else
      AppendReportJson(&report->json, *report->at_place);
  }
  return report->json.text().data();
}

SANITIZER_INTERFACE_ATTRIBUTE uptr
__atsan_report_steps(__atsan_report *report) {
  return report->violation ? report->violation->steps.size() : 0;
}

static const ReportEvent *FindEvent(__atsan_report *report, uptr step,
                                    int later) {
  if (step >= __atsan_report_steps(report))
    return nullptr;
  const ReportStep &found = report->violation->steps[step];
  return later ? &found.later : &found.first;
}

SANITIZER_INTERFACE_ATTRIBUTE int __atsan_report_event(__atsan_report *report,
                                                       uptr step, int later,
                                                       __atsan_event *out,
                                                       uptr out_size) {
  const ReportEvent *event = FindEvent(report, step, later);
  if (!event)
    return 0;
  __atsan_event full = {};
  full.access = EventName(*event);
  full.address = reinterpret_cast<void *>(event->addr);
  full.size = event->size;
  full.thread =
      event->tid == kUnknownThread ? -1 : static_cast<int>(event->tid);
  if (event->region != kNone)
    full.region = report->violation->regions[event->region].title;
  // The caller may know less than we do, or more.
  internal_memset(out, 0, out_size);
  internal_memcpy(out, &full, Min(out_size, sizeof(full)));
  return 1;
}

SANITIZER_INTERFACE_ATTRIBUTE uptr __atsan_report_stack(__atsan_report *report,
                                                        uptr step, int later,
                                                        void **pcs, uptr max) {
  const ReportEvent *event = FindEvent(report, step, later);
  const SymbolizedStack *frame = event               ? event->stack
                                 : report->violation ? nullptr
                                                     : report->at_place->stack;
  uptr size = 0;
  for (; frame; frame = frame->next, size++)
    if (size < max)
      pcs[size] = reinterpret_cast<void *>(frame->info.address);
  return size;
}

}  // extern "C"

namespace __atsan {

void HandOn(const ViolationReport &violation) {
  __atsan_report report = {};
  report.violation = &violation;
  AppendVerdict(&report.message, violation);
  __atsan_on_report(&report);
}

void HandOn(const PlaceReport &at_place) {
  __atsan_report report = {};
  report.at_place = &at_place;
  report.message.Append(at_place.message);
  __atsan_on_report(&report);
}

}  // namespace __atsan
