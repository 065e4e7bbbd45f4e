//===-- atsan_checked.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "runtime/report/atsan_checked.h"

#include <dlfcn.h>

#include "runtime/location/atsan_location.h"
#include "runtime/memory/atsan_heap.h"
#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_log.h"
#include "runtime/report/atsan_json.h"
#include "runtime/report/atsan_report.h"
#include "runtime/state/atsan_init.h"
#include "runtime/state/atsan_thread_contexts.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

#ifndef ATSAN_VERSION
#error "Define ATSAN_VERSION: the version of the product, as a string"
#endif

namespace __atsan {

static atomic_uint32_t num_modules;
static atomic_uint32_t num_places;
static atomic_uint32_t last_place;
// Counts of threads that have ended.
static atomic_uint64_t ended_regions;
static atomic_uint64_t ended_excluded;
static atomic_uint64_t operations;
static atomic_uint8_t begun;  // The first record is written.
static atomic_uint8_t ended;  // The last record is written.
static atomic_uint8_t exit_called;
static atomic_uint8_t main_returned;
static atomic_uint8_t said_left_open;
static uptr own_pid;
// What is to be said of the first region that was left open; or nullptr.
static char *left_open;

// --- The record. -------------------------------------------------------------

// Whether the process leaves a record: not on stderr, which is the program's.
static bool LeavesRecord() {
  const char *path = common_flags()->log_path;
  return flags()->report_format.value == ReportFormat::kJson && path &&
         path[0] && internal_strcmp(path, "stderr") &&
         internal_strcmp(path, "stdout");
}

// Writes a record in one piece. The schema comes first: that is how readers
// find the line.
static void WriteRecord(bool at_end, const Checked &checked) {
  ScopedLog log;
  if (!log.IsFile())
    return;  // A record says nothing to people.
  JsonWriter line;
  line.BeginObject();
  line.Field("schema", "atsan-process-1");
  line.Field("version", ATSAN_VERSION);
  line.NumberField("pid", internal_getpid());
  InternalMmapVector<char> program(kMaxPathLength);
  ReadBinaryNameCached(program.data(), program.size());
  line.Field("program", program.data());
  line.BoolField("ended", at_end);
  line.NumberField("modules", checked.modules);
  line.NumberField("regions", checked.regions);
  line.NumberField("excluded", checked.excluded);
  line.NumberField("places", checked.places);
  if (const u64 number = atomic_load_relaxed(&operations))
    line.NumberField("operations", number);
  if (left_open)
    line.Field("left_open", left_open);
  line.EndObject();
  line.EndLine();
  LogWrite(line.text().data());
}

// --- Counting. ---------------------------------------------------------------

void CheckedInit() { own_pid = internal_getpid(); }

void NoteModule() { atomic_fetch_add(&num_modules, 1, memory_order_relaxed); }

void NoteOperations(u64 number) {
  atomic_fetch_add(&operations, number, memory_order_relaxed);
}

// Ids of new places are greater than all before.
void NoteAccessPlace(u32 id) {
  if (id <= atomic_load_relaxed(&last_place))
    return;
  atomic_store_relaxed(&last_place, id);
  // This record is for the case that the process is killed: that it entered a
  // region is no proof that anything was checked.
  if (!atomic_fetch_add(&num_places, 1, memory_order_relaxed) && LeavesRecord())
    WriteRecord(/*at_end=*/false,
                {atomic_load_relaxed(&num_modules), 1, 0, /*places=*/1});
}

Checked GetChecked() {
  Checked sum = {
      atomic_load_relaxed(&num_modules), atomic_load_relaxed(&ended_regions),
      atomic_load_relaxed(&ended_excluded), atomic_load_relaxed(&num_places)};
  ThreadRegistryLock l(&Threads());
  for (u32 tid = 0; tid < Threads().NumThreadsLocked(); tid++) {
    const ThreadContext *ctx = FindContextLocked(tid);
    if (!ctx || !ctx->thr)
      continue;
    sum.regions += ctx->thr->num_regions;
    sum.excluded += ctx->thr->num_excluded;
  }
  return sum;
}

void CheckedAfterForkInChild() {
  atomic_store_relaxed(&ended_regions, 0);
  atomic_store_relaxed(&ended_excluded, 0);
  atomic_store_relaxed(&operations, 0);
  atomic_store_relaxed(&begun, 0);
  atomic_store_relaxed(&ended, 0);
  atomic_store_relaxed(&exit_called, 0);
  atomic_store_relaxed(&said_left_open, 0);
  left_open = nullptr;
  {
    ThreadRegistryLock l(&Threads());
    for (u32 tid = 0; tid < Threads().NumThreadsLocked(); tid++)
      if (const ThreadContext *ctx = FindContextLocked(tid); ctx && ctx->thr)
        ctx->thr->num_regions = ctx->thr->num_excluded = 0;
  }
  own_pid = internal_getpid();
}

// The file that the runtime was loaded from.
static const char *RuntimeFile() {
  Dl_info info;
  return dladdr(reinterpret_cast<void *>(&RuntimeFile), &info)
             ? info.dli_fname
             : "libclang_rt.atomicity-x86_64.so";
}

void NoteRegionPlace() {
  if (LIKELY(atomic_load_relaxed(&begun)) ||
      atomic_exchange(&begun, 1, memory_order_relaxed))
    return;
  if (heap_is_unseen)
    Report(
        "WARNING: %s: this program's own malloc stands in front of the "
        "runtime's: a block that is handed out twice is one for it, and may be "
        "reported. Let malloc and free call __atsan_memory_birth and "
        "__atsan_memory_death (docs/integration.md)\n",
        SanitizerToolName);
  if (libc_is_unseen)
    Report(
        "WARNING: %s: libc stands in front of the runtime, which sees no lock, "
        "no thread and no memory of this program: it was linked without the "
        "sanitizer, and loads a library that has it. Link it with "
        "-fsanitize=atomicity -shared-libsan, or start it with LD_PRELOAD='%s' "
        "(docs/integration.md)\n",
        SanitizerToolName, RuntimeFile());
  if (!LeavesRecord())
    return;
  WriteRecord(/*at_end=*/false,
              {atomic_load_relaxed(&num_modules), /*regions=*/1, 0, 0});
}

// --- What was not meant. -----------------------------------------------------

static bool HasLeftOpen(Thread *thr) {
  if (!thr->region_context)
    return false;
  for (const Region &region : thr->regions)
    if (!region.excluded && !region.section)
      return true;
  return false;
}

// Speaks once in a process: what is wrong with one region is wrong with all of
// its runs.
static void SayLeftOpen(const Thread *thr) {
  if (atomic_exchange(&said_left_open, 1, memory_order_relaxed))
    return;
  auto *info =
      static_cast<RegionInfo *>(MmapOrDie(sizeof(RegionInfo), "region"));
  ScopedErrorReportLock lock;
  if (DescribeRegion(thr->region_context, info)) {
    SymbolizedStackHolder begin(SymbolizeStack(info->begin_stack));
    char *title = RegionTitle(
        info->name && info->name[0] ? DemangledName(info->name) : nullptr,
        begin.get());
    InternalScopedString out;
    out.AppendF("%s of ", title);
    if (thr->tid)
      out.AppendF("T%u", thr->tid);
    else
      out.Append("the main thread");
    InternalFree(title);
    if (const AddressInfo *code = UserFrame(begin.get()); code && code->file)
      out.AppendF(
          ", begun at %s:%d,",
          StripPathPrefix(code->file, common_flags()->strip_path_prefix),
          code->line);
    out.AppendF(
        " was still open when the %s ended: on some path its end is "
        "missing",
        thr->tid ? "thread" : "process");
    left_open = internal_strdup(out.data());
    if (!LeavesRecord()) {
      ScopedLog log;
      Report("WARNING: %s: %s\n", SanitizerToolName, left_open);
      PrintStackText(begin.get(), kStackIndent);
    }
  }
  UnmapOrDie(info, sizeof(RegionInfo));
}

void NoteThreadEnd(Thread *thr) {
  atomic_fetch_add(&ended_regions, thr->num_regions, memory_order_relaxed);
  atomic_fetch_add(&ended_excluded, thr->num_excluded, memory_order_relaxed);
  thr->num_regions = thr->num_excluded = 0;
  // A thread that is cancelled or exits, or a fiber, may be in a region.
  if (UNLIKELY(HasLeftOpen(thr)) && thr->has_returned)
    SayLeftOpen(thr);
  thr->has_returned = false;
}

void NoteThreadReturned() {
  if (Thread *thr = cur_thread)
    thr->has_returned = true;
}

void NoteExitCall() { atomic_store_relaxed(&exit_called, 1); }

void NoteExit() {
  if (!atomic_load_relaxed(&exit_called))
    atomic_store_relaxed(&main_returned, 1);
}

// The interceptor of exit does not see libc's own calls, such as that of err(),
// which are meant: only a region whose function has returned was left open.
static bool HasReturned(const RegionFrame &frame) {
  if (frame.fp == no_frame)
    return false;
  return frame.fp < GET_CURRENT_FRAME() || !frame.HasItsCaller(frame.fp);
}

void NoteProcessEnd() {
  // A child by vfork has the parent's memory.
  if (!runtime_ready || own_pid != internal_getpid() ||
      atomic_exchange(&ended, 1, memory_order_relaxed))
    return;
  // A thread that calls exit within a region leaves it open by intent.
  if (Thread *thr = cur_thread; thr && !thr->tid && !thr->is_fiber &&
                                atomic_load_relaxed(&main_returned) &&
                                HasLeftOpen(thr) &&
                                HasReturned(thr->region_frame))
    SayLeftOpen(thr);
  const Checked checked = GetChecked();
  if (LeavesRecord()) {
    WriteRecord(/*at_end=*/true, checked);
  } else if (!checked.modules) {
    ScopedLog log;
    Report(
        "WARNING: %s: no file of this program was compiled with "
        "-fsanitize=atomicity, so nothing was checked; give the option to the "
        "compiler, too, not to the linker only\n",
        SanitizerToolName);
  }
}

}  // namespace __atsan
