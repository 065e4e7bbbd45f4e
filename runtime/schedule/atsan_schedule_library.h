//===-- atsan_schedule_library.h --------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Points before functions of libc that access memory of the program. What they
// will access is not known before: where a function is known to access memory
// of several threads, its calls are steps on one object, together with those of
// all such functions. Accesses of the program itself that are known to meet
// such a call touch that object, too.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_LIBRARY_H
#define ATSAN_SCHEDULE_LIBRARY_H

#include "runtime/schedule/atsan_scheduler.h"

namespace __atsan {

// What a function does to what libc or the kernel keep for all threads: files
// by their names, the environment, the rest of strtok.
enum class HiddenState : u8 { kUntouched, kRead, kWritten };
constexpr HiddenState HiddenStateOf(const char *function) {
  constexpr const char *kReading[] = {
      "access",     "euidaccess", "faccessat", "fstat",   "fstatat",
      "getcwd",     "getenv",     "lstat",     "opendir", "pread",
      "preadv",     "preadv2",    "read",      "readdir", "readlink",
      "readlinkat", "readv",      "stat",      "statx",   "secure_getenv"};
  constexpr const char *kWriting[] = {
      "chdir",      "chmod",     "chown",       "creat",         "fopen",
      "freopen",    "link",      "linkat",      "mkdir",         "mkdirat",
      "mkdtemp",    "mkfifo",    "mkostemp",    "mkstemp",       "open",
      "openat",     "putenv",    "pwrite",      "pwritev",       "pwritev2",
      "remove",     "rename",    "renameat",    "renameat2",     "rmdir",
      "setenv",     "setlocale", "sigaction",   "strtok",        "signal",
      "bsd_signal", "ssignal",   "sysv_signal", "__sysv_signal", "sigset",
      "dprintf",    "vdprintf",  "symlink",     "symlinkat",     "truncate",
      "unlink",     "unlinkat",  "unsetenv",    "write",         "writev"};
  for (const char *name : kReading)
    if (__builtin_strcmp(name, function) == 0)
      return HiddenState::kRead;
  for (const char *name : kWriting)
    if (__builtin_strcmp(name, function) == 0)
      return HiddenState::kWritten;
  return HiddenState::kUntouched;
}
// Stands for all of it, and is no address of the program's.
constexpr uptr kHiddenState = 8;

// The object of the steps, likewise.
constexpr uptr kLibraryObject = 2;

// Before a call of the function that `place` names; none where there was a
// point of atsan_schedule_files.h.
void LibraryPoint(ScheduledThread *self, Place *place, HiddenState hidden,
                  const AccessPoint &at);
// Within it, of each access; no other thread runs meanwhile.
void NoteLibraryAccess(ScheduledThread *self, Place *place, uptr addr,
                       uptr size, bool is_write);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_LIBRARY_H
