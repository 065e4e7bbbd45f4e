//===-- atsan_fixed_addresses.cpp
//----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/schedule/atsan_fixed_addresses.h"

#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/stat.h>

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_posix.h"

using namespace __sanitizer;

namespace __atsan {

static bool IsToBeControlled() {
  const char *options = GetEnv("ATSAN_OPTIONS");
  return options && (internal_strstr(options, "schedule=") ||
                     internal_strstr(options, "schedule_strategy="));
}

// Finds the name of the program's file. The kernel's name for it, with which
// the program was called, may be that of a script.
static bool FindProgram(char *path, uptr size) {
  if (!getauxval(AT_BASE))
    return false;  // The loader is what runs, and has options of its own.
  const uptr length = internal_readlink("/proc/self/exe", path, size - 1);
  if (internal_iserror(length))
    return false;
  path[length] = 0;
  struct stat named, running;
  return !internal_iserror(internal_stat(path, &named)) &&
         !internal_iserror(internal_stat("/proc/self/exe", &running)) &&
         named.st_dev == running.st_dev && named.st_ino == running.st_ino;
}

void FixAddresses() {
  constexpr unsigned long kAsk = 0xffffffff;
  if (!IsToBeControlled())
    return;
  const int now = personality(kAsk);
  // A program with rights of its own would lose it, and start for ever.
  if (now == -1 || now & ADDR_NO_RANDOMIZE || getauxval(AT_SECURE))
    return;
  static char path[kMaxPathLength];
  if (!FindProgram(path, sizeof(path)) ||
      personality(now | ADDR_NO_RANDOMIZE) == -1)
    return;
  if (personality(kAsk) & ADDR_NO_RANDOMIZE)
    internal_execve(path, GetArgv(), GetEnviron());
  personality(now);
}

}  // namespace __atsan
