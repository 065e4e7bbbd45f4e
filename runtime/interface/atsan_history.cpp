//===-- atsan_history.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Objects that are watched (sanitizer/atsan_history.h): which there are, and
// what is told of their operations. Whether these are linearizable decides
// atsan_register_monitor.h.
//
// Calls and returns are numbered under the lock of the object. Whoever takes it
// later sees all that happened before the lock was given back: so the order of
// numbers is one that the object's own operations cannot contradict, whatever
// their memory order.
//
//===----------------------------------------------------------------------===//
#include "runtime/interface/atsan_history.h"

#include "include/sanitizer/atsan_register_monitor.h"
#include "runtime/location/atsan_location.h"
#include "runtime/report/atsan_checked.h"
#include "runtime/report/atsan_report.h"
#include "runtime/schedule/atsan_schedule_sync.h"
#include "runtime/schedule/atsan_scheduler.h"
#include "runtime/threads/atsan_thread_registry.h"
#include "sanitizer_common/sanitizer_hash.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_mutex.h"

using namespace __atsan;
using atsan::detail::monitored;
using atsan::detail::operation;
using atsan::detail::register_monitor;
using atsan::detail::word;

namespace __atsan {
namespace {

struct OpenOperation {
  u32 tid;
  u32 name;  // In the monitor.
};

struct Watched {
  const void *object;
  Watched *next;
  StaticSpinMutex mutex;  // Guards what follows.
  char name[64];
  OpenOperation open[64];
  u32 num_open;
  u64 num_returned;
  register_monitor monitor;
};

struct Bucket {
  StaticSpinMutex mutex;
  Watched *first;
};

constexpr uptr kBuckets = 256;
Bucket buckets[kBuckets];

Bucket &BucketOf(const void *object) {
  const u64 hash = MurMur2Hash64Builder(reinterpret_cast<uptr>(object)).get();
  return buckets[hash % kBuckets];
}

Watched *Find(const void *object) {
  Bucket &bucket = BucketOf(object);
  SpinMutexLock lock(&bucket.mutex);
  Watched *w = bucket.first;
  while (w && w->object != object)
    w = w->next;
  return w;
}

void Add(Watched *w) {
  Bucket &bucket = BucketOf(w->object);
  SpinMutexLock lock(&bucket.mutex);
  w->next = bucket.first;
  bucket.first = w;
}

// Returns nullptr if the object is not watched.
Watched *Remove(const void *object) {
  Bucket &bucket = BucketOf(object);
  Watched *gone = nullptr;
  {
    SpinMutexLock lock(&bucket.mutex);
    for (Watched **at = &bucket.first; *at; at = &(*at)->next)
      if ((*at)->object == object) {
        gone = *at;
        *at = gone->next;
        break;
      }
  }
  return gone;
}

// What a thread calls twice without a return counts from the second call on.
void Call(Watched *w, u32 tid, operation what, word argument, word expected,
          u32 stack) {
  w->mutex.Lock();
  // Where threads run one at a time, nobody returns meanwhile.
  const u32 most_waits = CurrentScheduled() ? 0 : register_monitor::most_waits;
  for (u32 i = 0; i < most_waits && w->monitor.is_full(); i++) {
    w->mutex.Unlock();
    internal_usleep(register_monitor::wait_microseconds);
    w->mutex.Lock();
  }
  if (w->num_open < ARRAY_SIZE(w->open)) {
    const u32 name = w->monitor.call(tid, what, argument, expected, stack);
    w->open[w->num_open++] = {tid, name};
  }
  w->mutex.Unlock();
}

// The thread's last call; register_monitor::no_operation if there is none.
u32 TakeOpen(Watched *w, u32 tid) {
  for (u32 i = w->num_open; i--;)
    if (w->open[i].tid == tid) {
      const u32 name = w->open[i].name;
      for (w->num_open--; i < w->num_open; i++)
        w->open[i] = w->open[i + 1];
      return name;
    }
  return register_monitor::no_operation;
}

void Describe(InternalScopedString *out, const monitored &o) {
  static const char *const kNames[] = {"read", "write",     "exchange",
                                       "cas",  "fetch_add", "add"};
  out->Append(kNames[static_cast<int>(o.what)]);
  if (o.what != operation::write && o.what != operation::add)
    out->AppendF(" finds %llu", o.expected);
  if (o.changes)
    out->AppendF(" leaves %llu", o.argument);
}

void Fill(OperationFinding::Operation *out, const monitored &o) {
  Describe(&out->what, o);
  out->tid = o.thread;
  out->stack = static_cast<u32>(o.site);
}

// What is reported, without strings: those are made when the lock is free.
struct Violation {
  monitored bad;
  monitored other;
  bool has_other;
  word values[8];
  unsigned num_values;
  char name[sizeof(Watched::name)];
};

// Called with the object's lock held.
void Fill(Violation *found, const Watched *w) {
  found->bad = w->monitor.violation();
  const monitored *other = w->monitor.contradiction();
  found->has_other = other != nullptr;
  if (other)
    found->other = *other;
  found->num_values =
      w->monitor.possible_values(found->values, ARRAY_SIZE(found->values));
  internal_memcpy(found->name, w->name, sizeof(found->name));
}

// Returns whether there is something to report.
bool Return(Watched *w, u32 tid, word result, bool changed, Violation *found) {
  SpinMutexLock lock(&w->mutex);
  w->num_returned++;
  if (w->monitor.ret(TakeOpen(w, tid), result, changed))
    return false;
  Fill(found, w);
  return true;
}

// The process ends: its record has what was decided.
void NoteOperationsOf(Bucket *bucket) {
  if (!bucket->mutex.TryLock())
    return;
  for (Watched *w = bucket->first; w; w = w->next) {
    NoteOperations(w->num_returned);
    w->num_returned = 0;
  }
  bucket->mutex.Unlock();
}

// What is open will not return any more. Returns whether there is something to
// report, and perhaps more.
bool Finish(Watched *w, Violation *found) {
  // At a fork another thread may have had the lock, which is gone now.
  if (!w->mutex.TryLock())
    return false;
  const bool is_bad = !w->monitor.finish();
  if (is_bad)
    Fill(found, w);
  w->mutex.Unlock();
  return is_bad;
}

bool FinishAny(Bucket *bucket, Violation *found) {
  if (!bucket->mutex.TryLock())
    return false;
  Watched *w = bucket->first;
  while (w && !Finish(w, found))
    w = w->next;
  bucket->mutex.Unlock();
  return w;
}

NOINLINE void ReportViolation(Thread *thr, const Violation &found) {
  OperationFinding finding = {};
  Fill(&finding.bad, found.bad);
  if (found.has_other)
    Fill(&finding.other, found.other);
  finding.message.Append("linearizability violation: register '");
  AppendPrintable(&finding.message, found.name);
  finding.message.AppendF(
      "': '%s' fits nowhere between its call and its return",
      finding.bad.what.data());
  for (unsigned i = 0; i < found.num_values; i++)
    finding.message.AppendF("%s%llu",
                            i ? ", " : ", when the register can have held ",
                            found.values[i]);
  ReportOperation(thr, finding);
}

void End(const void *object) {
  Watched *w = Remove(object);
  if (!w)
    return;
  Thread *thr = CurrentOrNewThread();
  for (Violation found; thr && Finish(w, &found);)
    ReportViolation(thr, found);
  NoteOperations(w->num_returned);
  UnmapOrDie(w, sizeof(Watched));
}

}  // namespace

void HistoriesAtExit() {
  Thread *thr = CurrentOrNewThread();
  for (Bucket &bucket : buckets) {
    for (Violation found; thr && FinishAny(&bucket, &found);)
      ReportViolation(thr, found);
    NoteOperationsOf(&bucket);
  }
}

}  // namespace __atsan

extern "C" {

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_history_begin(const void *object,
                                                         word initial,
                                                         unsigned bits,
                                                         const char *name) {
  End(object);
  auto *w = static_cast<Watched *>(MmapOrDie(sizeof(Watched), "atsan history"));
  w->object = object;
  internal_strlcpy(w->name, name ? name : "", sizeof(w->name));
  w->monitor.reset(initial, bits < 64 ? (word(1) << bits) - 1 : ~word(0));
  Add(w);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_history_end(const void *object) {
  End(object);
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_call(const void *object,
                                                unsigned what, word argument,
                                                word expected) {
  const AccessPoint at = ATSAN_CALLER_POINT();
  Thread *thr = CurrentOrNewThread();
  if (!thr)
    return;
  if (ScheduledThread *self = CurrentScheduled())
    PointAt(self, ATSAN_SCHEDULE_PLACE("__atsan_call"), object, at);
  ScopedInRuntime in_runtime(thr);
  if (Watched *w = Find(object))
    Call(w, thr->tid, static_cast<operation>(what), argument, expected,
         InternStack(thr, at));
}

SANITIZER_INTERFACE_ATTRIBUTE void __atsan_return(const void *object,
                                                  word result, int changed) {
  const AccessPoint at = ATSAN_CALLER_POINT();
  Thread *thr = CurrentOrNewThread();
  if (!thr)
    return;
  if (ScheduledThread *self = CurrentScheduled())
    PointAt(self, ATSAN_SCHEDULE_PLACE("__atsan_return"), object, at);
  ScopedInRuntime in_runtime(thr);
  Violation found;
  Watched *w = Find(object);
  if (w && Return(w, thr->tid, result, changed, &found))
    ReportViolation(thr, found);
}

}  // extern "C"
