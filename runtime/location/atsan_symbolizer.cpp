//===-- atsan_symbolizer.cpp ----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the external symbolizer is looked for, and what happens around its use.
//
//===----------------------------------------------------------------------===//
#include "runtime/location/atsan_symbolizer.h"

#include <signal.h>
#include <sys/resource.h>
#include <time.h>

#include "runtime/options/atsan_flags.h"
#include "runtime/state/atsan_thread.h"
#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_flags.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_symbolizer.h"

namespace __atsan {

static constexpr char kBinary[] = "llvm-symbolizer";

static bool InPath() {
  char *path = FindPathToBinary(kBinary);
  bool found = path != nullptr;
  InternalFree(path);
  return found;
}

// The launcher closes every descriptor up to the limit one by one, which takes
// minutes where containers allow a thousand million of them
// (https://github.com/llvm/llvm-project/issues/63297). So the limit is lowered
// while the symbolizer may be started.
static constexpr rlim_t kMaxDescriptors = 4096;
static rlimit saved_limit;
static bool limit_lowered;

// A symbolizer that ends too soon, for want of memory, must not take the
// program along: writing to it would. One at a time, under the symbolizer's
// lock.
static sigset_t saved_mask;
static bool had_sigpipe;

static bool IsSigpipePending() {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, SIGPIPE);
}

static void BlockSigpipe() {
  sigset_t sigpipe;
  sigemptyset(&sigpipe);
  sigaddset(&sigpipe, SIGPIPE);
  had_sigpipe = IsSigpipePending();
  pthread_sigmask(SIG_BLOCK, &sigpipe, &saved_mask);
}

static void UnblockSigpipe() {
  if (!had_sigpipe && IsSigpipePending()) {
    sigset_t sigpipe;
    sigemptyset(&sigpipe);
    sigaddset(&sigpipe, SIGPIPE);
    timespec no_time = {};
    sigtimedwait(&sigpipe, nullptr, &no_time);
  }
  pthread_sigmask(SIG_SETMASK, &saved_mask, nullptr);
}

// Whether a process may run that answers the symbolizer.
static bool was_used;

static void BeforeSymbolizing() {
  was_used = true;
  EnterRuntime(cur_thread);
  BlockSigpipe();
  limit_lowered = getrlimit(RLIMIT_NOFILE, &saved_limit) == 0 &&
                  saved_limit.rlim_cur > kMaxDescriptors;
  if (limit_lowered) {
    rlimit lowered = {kMaxDescriptors, saved_limit.rlim_max};
    limit_lowered = setrlimit(RLIMIT_NOFILE, &lowered) == 0;
  }
}

static void AfterSymbolizing() {
  if (limit_lowered)
    setrlimit(RLIMIT_NOFILE, &saved_limit);
  limit_lowered = false;
  UnblockSigpipe();
  LeaveRuntime(cur_thread);
}

// The file that options name as the symbolizer, if there is none.
static const char *missing_file;

// sanitizer_common tells by its name how to speak to it, and ends the program
// with the exit code of a finding if it does not know it.
static bool IsKnownSymbolizer(const char *path) {
  const char *name = StripModuleName(path);
  return !internal_strncmp(name, kBinary, sizeof(kBinary) - 1) ||
         !internal_strcmp(name, "addr2line");
}

void SymbolizerInit() {
  const char *path = common_flags()->external_symbolizer_path;
  if (path && FileExists(path) && !IsKnownSymbolizer(path)) {
    Report(
        "ERROR: %s: '%s', which run-time option external_symbolizer_path or "
        "the variable %s names, is no symbolizer; name a file llvm-symbolizer "
        "(or llvm-symbolizer-VERSION), or addr2line\n",
        SanitizerToolName, path, kSymbolizerEnvironment);
    ExitForBadSetup();
  }
  if (path && path[0] && !FileExists(path)) {
    // sanitizer_common would try to run it, and warn twice for itself.
    missing_file = path;
    CommonFlags flags;
    flags.CopyFrom(*common_flags());
    flags.external_symbolizer_path = "";
    OverrideCommonFlags(flags);
  }
  Symbolizer::GetOrInit()->AddHooks(BeforeSymbolizing, AfterSymbolizing);
  Symbolizer::LateInitialize();
}

// Where sanitizer_common keeps its symbolizer. An explicit instantiation may
// name what is private; there is no other way to make it forget a process.
template <Symbolizer **kPlace>
struct PlaceOfSymbolizer {
  friend Symbolizer **PlaceOf() { return kPlace; }
};
Symbolizer **PlaceOf();
template struct PlaceOfSymbolizer<&Symbolizer::symbolizer_>;

void SymbolizerAfterForkInChild() {
  if (!was_used)
    return;
  was_used = false;
  *PlaceOf() = nullptr;
  Symbolizer::GetOrInit()->AddHooks(BeforeSymbolizing, AfterSymbolizing);
}

void SymbolizerWarnIfMissing() {
  static atomic_uint8_t warned;
  if (!common_flags()->symbolize)
    return;
  const char *path = common_flags()->external_symbolizer_path;
  bool works = path ? path[0] && FileExists(path) : InPath();
  bool unwanted = path && !path[0] && !missing_file;  // The user wants none.
  if (works || unwanted || atomic_exchange(&warned, 1, memory_order_relaxed))
    return;
  Report(
      "WARNING: %s: no symbolizer found%s%s: stacks show addresses only. "
      "Install llvm-symbolizer, or set %s to its path\n",
      SanitizerToolName, missing_file ? " at " : "",
      missing_file ? missing_file : "", kSymbolizerEnvironment);
}

}  // namespace __atsan
