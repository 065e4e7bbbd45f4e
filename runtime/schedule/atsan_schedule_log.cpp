//===-- atsan_schedule_log.cpp --------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_log.h"

#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_output_file.h"
#include "runtime/schedule/atsan_schedule_file.h"
#include "runtime/stream/atsan_observer.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_placement_new.h"

namespace __atsan {
namespace {

// Whoever reads the log keeps all of it: what is behind is not predicted from.
constexpr u64 kMostEvents = 4000000;
constexpr uptr kBufferSize = 1 << 16;
constexpr char kHeader[] = "atsan-steps 1\n";

struct Log {
  StaticSpinMutex mutex;  // Threads outside of control tell events, too.
  fd_t file = kInvalidFd;
  u64 events = 0;
  InternalScopedString text;
  // One event. Each AppendF clears all the room that a text has left, which
  // costs more than the run where that is room for many events.
  InternalScopedString line;
};
Log *log;
OutputFile log_file;

void Flush() {
  uptr written = 0;
  for (uptr at = 0; at < log->text.length(); at += written)
    if (!WriteToFile(log->file, log->text.data() + at, log->text.length() - at,
                     &written) ||
        !written)
      break;
  log->text.clear();
}

// Region names become numbers, the same for the same text.
uptr OperandOf(const ObservedEvent &event) {
  if (!event.name)
    return event.addr;
  uptr hash = 0;
  for (const char *c = event.name; *c; c++)
    hash = hash * 131 + static_cast<u8>(*c);
  return hash;
}

void AppendEvent(const Thread *thr, const ObservedEvent &event, uptr operand) {
  ScheduledThread *self = thr->scheduled;
  const Place *place = self->stop.place;
  InternalScopedString *out = &log->line;
  out->clear();
  out->AppendF("%u %u ", static_cast<u32>(event.kind), thr->number);
  AppendPath(out, self);
  out->AppendF(" %zx %zu %u %d ", operand, event.size, event.loc,
               event.is_atomic);
  if (place)
    AppendPlaceName(out, place);
  else
    out->Append("begin");
  const auto *visit = place ? self->visits.find(place) : nullptr;
  out->AppendF(" %u %d", visit ? visit->second : 1,
               self->logged_ticket != self->ticket);
  if (place)
    AppendSource(out, " ", place);
  out->Append("\n");
  log->text.Append(out->data());
  self->logged_ticket = self->ticket;
}

void OnEvent(Thread *thr, const ObservedEvent &event) {
  if (!thr->scheduled || !thr->scheduled->thread)
    return;
  SpinMutexLock l(&log->mutex);
  uptr operand = OperandOf(event);
  for (uptr i = 0; i < event.count; i++, operand += event.stride) {
    if (log->events++ >= kMostEvents)
      return;
    AppendEvent(thr, event, operand);
  }
  if (log->text.length() >= kBufferSize)
    Flush();
}

void AfterFork(Thread *const *, uptr) { log->events = kMostEvents; }
constexpr Observer kObserver = {OnEvent, AfterFork, nullptr, nullptr};

}  // namespace

void ScheduleLogInit() {
  const char *path = flags()->schedule_log;
  if (!*path)
    return;
  alignas(Log) static char storage[sizeof(Log)];
  log = new (storage) Log();
  log_file.Init("schedule_log", path, kHeader);
  log->file = log_file.Open();
  log->text.Append(kHeader);
  AddObserver(&kObserver);
}

void ScheduleLogAtExit() {
  if (!log)
    return;
  SpinMutexLock l(&log->mutex);
  Flush();
}

}  // namespace __atsan
