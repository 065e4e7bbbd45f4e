//===-- atsan_trace.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread writes its own events into its own blocks. Their common order is
// kept by one number, TraceFile::run. A thread that finds there the number that
// it took last goes on in that run. Otherwise it takes the next number, and its
// next record says so. A reader that takes up the runs by their numbers has the
// order. Proof: let e1 of thread A come before e2 of thread B because of any
// synchronization, seen by us or not. Then what A did to the number for e1
// (read it as its own v1, or made it v1) happens before what B did for e2. All
// values of the number have one order, in which it grows by 1 each time, and B
// finds v1 or a later value there. If B takes a number, that is above v1. If it
// finds its own, that is not v1, since every number is taken once: it is above,
// too. No memory order is needed for this, and events of a race, which nothing
// orders, fall on either side (rule 8 of docs/semantics.md).
//
// An atomic operation is recorded within its bracket, an acquisition after and
// a release before the call: so the numbers have the order of the operations.
//
//===----------------------------------------------------------------------===//
#include "runtime/trace/atsan_trace.h"

#include "runtime/options/atsan_flags.h"
#include "runtime/state/atsan_init.h"
#include "runtime/stream/atsan_observer.h"
#include "runtime/trace/atsan_trace_thread.h"
#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

namespace {

constexpr uptr kFirstBlock = 4096;
constexpr uptr kBiggestBlock = 1 << 16;

void OnEvent(Thread *thr, const ObservedEvent &event);
void AfterFork(Thread *const *threads, uptr count);
void OnThreadName(Thread *thr, u32 number, const char *name);
void OnThreadDelete(Thread *thr);
constexpr Observer kRecorder = {OnEvent, AfterFork, OnThreadName,
                                OnThreadDelete};

format::Item ItemOf(const ObservedEvent &event) {
  return {event.addr, event.size, event.loc,
          format::shapeOf(event.kind, event.is_atomic, event.is_stack,
                          event.is_failed_exchange)};
}

void PutLoop(Thread *thr, TraceThread *trace, const ObservedEvent &event) {
  format::Item item = ItemOf(event);
  for (uptr left = event.count; left;) {
    uptr count = Min<uptr>(left, format::MaxMany);
    if (!TraceBegin(thr, trace, format::MaxRecordSize))
      return;
    trace->block.out =
        trace->code.many(trace->block.out, item, count, event.stride);
    trace->block.Publish();
    item.Address += count * event.stride;
    left -= count;
  }
}

void OnEvent(Thread *thr, const ObservedEvent &event) {
  TraceThread *trace = GetTraceThread(thr);
  TraceDefineLocation(thr, trace, event.loc);
  if (event.count > 1)
    return PutLoop(thr, trace, event);
  format::Item item = ItemOf(event);
  if (event.name)
    item.Address = TraceDefineRegion(thr, trace, event.name);
  if (!TraceBegin(thr, trace, format::MaxRecordSize))
    return;
  trace->block.out = trace->code.event(trace->block.out, item);
  trace->block.Publish();
}

void AfterFork(Thread *const *threads, uptr count) {
  TraceFileAfterFork();
  TraceNamesAfterFork();
  for (uptr i = 0; i < count; i++)
    if (threads[i]->trace)
      internal_memset(threads[i]->trace, 0, sizeof(TraceThread));
}

void OnThreadName(Thread *thr, u32 number, const char *name) {
  TraceDefineThread(thr, GetTraceThread(thr), number, name);
}

void OnThreadDelete(Thread *thr) {
  if (!thr->trace)
    return;
  TraceCloseBlock(&thr->trace->block);
  UnmapOrDie(thr->trace, sizeof(TraceThread));
  thr->trace = nullptr;
}

}  // namespace

TraceThread *GetTraceThread(Thread *thr) {
  if (LIKELY(thr->trace))
    return thr->trace;
  thr->trace = static_cast<TraceThread *>(
      MapWipedOnFork(sizeof(TraceThread), "atsan trace of a thread"));
  return thr->trace;
}

bool TraceBegin(Thread *thr, TraceThread *trace, uptr room) {
  TraceBlock &block = trace->block;
  TraceFile *file = trace_file;
  // The number of a run goes before the record.
  room += 1 + format::MaxNumberSize;
  if (UNLIKELY(block.Left() < room))
    TraceUnsealBlock(&block);
  if (UNLIKELY(block.Left() < room)) {
    uptr size = Max(trace->next_size, kFirstBlock);
    if (!TraceNewBlock(&block, thr->number, trace->run, size, room)) {
      RemoveObserver(&kRecorder);
      return false;
    }
    trace->next_size = Min(2 * size, kBiggestBlock);
    trace->code.reset();
  }
  u64 run = atomic_load(&file->run, memory_order_relaxed);
  if (LIKELY(run == trace->run) && LIKELY(run))
    return true;
  run = atomic_fetch_add(&file->run, 1, memory_order_relaxed) + 1;
  if (UNLIKELY(run & kTraceStopped))
    return false;
  if (!trace->run)
    block.header->FirstRun = run;
  else
    block.out = trace->code.run(block.out, trace->run, run);
  trace->run = run;
  return true;
}

void TraceAtExit() {
  Thread *thr = cur_thread;
  // A signal's handler must not write into the block meanwhile.
  ScopedInRuntime in_runtime(thr);
  if (thr && thr->trace)
    TraceSealBlock(&thr->trace->block);
}

void TraceInit() {
  if (!flags()->trace[0])
    return;
  ScopedInRuntime in_runtime(cur_thread);
  TraceFileInit(flags()->trace, flags()->trace_size_limit);
  TraceNamesInit();
  // Pointers need to know who allocated what, whether or not there are regions.
  __atsan_enabled = 1;
  AddObserver(&kRecorder);
  AddDieCallback(TraceAtExit);
}

}  // namespace __atsan
