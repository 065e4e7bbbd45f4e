//===-- atsan_init.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the runtime starts and ends. __atsan_init below is the map of the
// runtime: one call per part, in the order in which the parts need each other.
//
// It runs before anything of the program: from .preinit_array (static runtime,
// atsan_preinit.cpp), from a constructor (shared runtime), from the
// constructors of instrumented modules, or from the first intercepted call
// before those.
//
//===----------------------------------------------------------------------===//
#include "runtime/state/atsan_init.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/Abi.h"
#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/interface/atsan_history.h"
#include "runtime/location/atsan_symbolizer.h"
#include "runtime/memory/atsan_constant_memory.h"
#include "runtime/memory/atsan_library_memory.h"
#include "runtime/memory/atsan_library_new.h"
#include "runtime/options/atsan_flags.h"
#include "runtime/options/atsan_log.h"
#include "runtime/reduction/atsan_reduction_observer.h"
#include "runtime/regions/atsan_critical_section.h"
#include "runtime/regions/atsan_region_exclusion.h"
#include "runtime/report/atsan_checked.h"
#include "runtime/report/atsan_crash.h"
#include "runtime/report/atsan_held.h"
#include "runtime/report/atsan_report.h"
#include "runtime/report/atsan_suppressions.h"
#include "runtime/schedule/atsan_fixed_addresses.h"
#include "runtime/schedule/atsan_schedule_program.h"
#include "runtime/schedule/atsan_scheduler.h"
#include "runtime/start/atsan_fork.h"
#include "runtime/threads/atsan_thread_registry.h"
#include "runtime/threads/atsan_vfork.h"
#include "runtime/trace/atsan_trace.h"
#include "sanitizer_common/sanitizer_allocator_internal.h"
#include "sanitizer_common/sanitizer_interface_internal.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_placement_new.h"
#include "sanitizer_common/sanitizer_posix.h"

__sanitizer::u32 __atsan_enabled;

namespace __atsan {

bool runtime_ready;

// --- End. --------------------------------------------------------------------

static void PrintStats() {
  const Checked checked = GetChecked();
  Printf(
      "Stats: %s: checked %llu regions (and %llu excluded) with accesses at "
      "%llu places, in %llu instrumented source files\n",
      SanitizerToolName, checked.regions, checked.excluded, checked.places,
      checked.modules);
  if (!checked.regions || !checked.places)
    Printf("Stats: %s: nothing was checked\n", SanitizerToolName);
  CheckerStats stats = CheckerGetStats();
  Printf(
      "Stats: %s: %llu edges, %llu edge records, %llu slots (%llu reused), "
      "%llu KB of addresses for shadow memory, %llu detail blocks\n",
      SanitizerToolName, stats.edges_added, stats.edge_records,
      stats.slots_used, stats.slots_merged, stats.shadow_bytes >> 10,
      stats.detail_blocks);
}

int AtExit(int exit_code) {
  if (in_vfork_child)
    return exit_code;
  ReportOwnHeldViolation();
  HistoriesAtExit();
  static atomic_uint8_t done;
  if (!atomic_exchange(&done, 1, memory_order_relaxed)) {
    if (common_flags()->print_suppressions)
      PrintMatchedSuppressions();
    if (flags()->print_stats) {
      ScopedLog log;
      PrintStats();
    }
  }
  ScheduleProgramAtExit();
  TraceAtExit();
  NoteProcessEnd();
  // A report that another thread is making must not be cut off, nor missed.
  ScopedErrorReportLock lock;
  return ReportCount() ? common_flags()->exitcode : exit_code;
}

static void Finish() {
  if (in_vfork_child)
    return;
  constexpr int kNothingFound = -1;
  const bool found = AtExit(kNothingFound) != kNothingFound;
  if (!found && !ScheduleHasFailed())
    return;
  // Neither of the two flushes what the program has printed.
  fflush(nullptr);
  found ? Die() : ExitForBadSetup();
}

static void OnExit() {
  if (!in_vfork_child)
    NoteExit();
  Finish();
}

// --- Crashes. ----------------------------------------------------------------

// The program's fault, whether inside a region or not: so the words of all
// sanitizers. A fault of ours has our frames on top.
static void OnDeadlySignal(int signal, void *siginfo, void *context) {
  // The child dies of it; its report would leave locks of the parent taken.
  if (in_vfork_child) {
    __sanitizer_sigaction usual = {};
    internal_sigaction(signal, &usual, nullptr);
    raise(signal);
    return;
  }
  ReportOwnHeldViolation();
  if (cur_thread)
    cur_thread->in_runtime++;
  ScheduleProgramCrashes();
  ScopedLog log;
  ReportCrash(signal, siginfo, context);
}

static void OnCheckFailed() {
  ScopedLog log;
  auto *stack = static_cast<BufferedStackTrace *>(
      MmapOrDie(sizeof(BufferedStackTrace), "stack of a failed check"));
  new (stack) BufferedStackTrace();
  stack->Unwind(StackTrace::GetCurrentPc(), GET_CURRENT_FRAME(), nullptr,
                common_flags()->fast_unwind_on_check);
  stack->Print();
}

// --- Start. ------------------------------------------------------------------

// Interceptors of one copy would take those of the other for libc.
static void CheckSingleRuntime() {
  void *other = dlsym(RTLD_NEXT, "__atsan_init");
  if (!other || other == reinterpret_cast<void *>(&__atsan_init))
    return;
  Dl_info info;
  const char *file = dladdr(other, &info) ? info.dli_fname : "a library";
  Report(
      "ERROR: %s: a second copy of the runtime is in %s. Link the static "
      "runtime into the executable only, or use the shared runtime "
      "everywhere\n",
      SanitizerToolName, file);
  ExitForBadSetup();
}

static void RegisterWithLibc() {
  if (atexit(OnExit) || at_quick_exit(Finish) || !ForkInit()) {
    Report("ERROR: %s: libc took no exit and fork handlers\n",
           SanitizerToolName);
    ExitForBadSetup();
  }
}

}  // namespace __atsan

using namespace __atsan;

void __atsan::RegionsMayBegin() {
  __atsan_enabled = 1;
  LibraryNewInit();
  LibraryMemoryInit();
}

extern "C" {

void __atsan_init() {
  // Single-threaded, if not always the program's first code: the loader does
  // not start threads. Again, because interceptors are called meanwhile.
  static bool begun;
  if (LIKELY(begun)) {
    if (UNLIKELY(!runtime_ready))
      InterceptorsInit();
    return;
  }
  begun = true;

  __interception::DoesNotSupportStaticLinking();  // -static fails to link.
  SanitizerToolName = "AtomicitySanitizer";
  FlagsSetDefaults();
  CheckSingleRuntime();
  // Interceptors come before the program's __atsan_default_options() runs.
  InterceptorsInit();
  CacheBinaryName();
#if !SANITIZER_SHARED  // Which a program may load after it has done something.
  FixAddresses();
#endif
  FlagsInit();
  IoctlInit();
  SuppressionsInit();
  ExclusionsInit();
  CriticalSectionsInit();
  LogPathInit();
  DisableCoreDumperIfNecessary();
  InitializePlatformEarly();
  InitTlsSize();
  ConstantMemoryInit();
  CheckerInit();
  CheckedInit();
  ThreadsInit();
  InstallDeadlySignalHandlers(OnDeadlySignal);
  SymbolizerInit();
  InitializeCoverage(common_flags()->coverage, common_flags()->coverage_dir);
  RegisterWithLibc();
  TraceInit();
  ReductionInit();
  // The program's first dlerror() must not get what dlsym said about functions
  // that are not there. A call of dlsym that succeeds clears it, without the
  // code that writes the message first, which few programs need.
  if (!dlsym(RTLD_DEFAULT, "dlsym"))
    dlerror();
  // OnCheckFailed needs all of the above.
  SetCheckUnwindCallback(OnCheckFailed);
  ScheduleProgramInit();
  runtime_ready = true;
}

void __atsan_init_module(u32 version, u32 module_flags) {
  __atsan_init();
  NoteModule();
  if (version != atsan_abi::kVersion) {
    Report(
        "ERROR: %s: a module of this program was compiled for version %u of "
        "the runtime's interface, this runtime has version %u. Compile and "
        "link with the same atsan-clang\n",
        SanitizerToolName, version, atsan_abi::kVersion);
    ExitForBadSetup();
  }
  NoteModuleOfSchedules(module_flags & atsan_abi::kHasSchedulePoints);
  // Each module may bring libraries.
  if (__atsan_enabled || (module_flags & atsan_abi::kHasRegionMarks))
    RegionsMayBegin();
}

SANITIZER_INTERFACE_ATTRIBUTE void __sanitizer_print_stack_trace() {
  ScopedLog log;
  auto *stack = static_cast<BufferedStackTrace *>(
      InternalAlloc(sizeof(BufferedStackTrace)));
  new (stack) BufferedStackTrace();
  stack->Unwind(StackTrace::GetCurrentPc(), GET_CURRENT_FRAME(), nullptr,
                common_flags()->fast_unwind_on_fatal);
  stack->Print();
  InternalFree(stack);
}

}  // extern "C"

void __sanitizer::BufferedStackTrace::UnwindImpl(uptr pc, uptr bp,
                                                 void *context,
                                                 bool request_fast,
                                                 u32 max_depth) {
  uptr top = 0;
  uptr bottom = 0;
  if (Thread *thr = cur_thread) {
    top = thr->stack_top;
    bottom = thr->stack_bottom;
  } else {
    GetThreadStackTopAndBottom(/*at_initialization=*/false, &top, &bottom);
  }
  Unwind(max_depth, pc, bp, context, top, bottom,
         StackTrace::WillUseFastUnwind(request_fast));
}

#if SANITIZER_SHARED
// This one is meant. Clang 22 warns of it as of a variable with a constructor.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wglobal-constructors"
__attribute__((constructor(0))) static void InitShared() { __atsan_init(); }
#pragma clang diagnostic pop
#endif
