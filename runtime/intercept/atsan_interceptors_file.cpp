//===-- atsan_interceptors_file.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What files have besides data: locks, positions, times, status; and limits,
// semaphores of System V.
//
//===----------------------------------------------------------------------===//
#include <fcntl.h>
#include <stdarg.h>

#include "runtime/intercept/atsan_interceptors.h"
#include "sanitizer_common/sanitizer_platform_limits_posix.h"

using namespace __atsan;

// --- Commands to descriptors. ------------------------------------------------

namespace {

struct FileCommand {
  uptr reads, writes;  // Bytes of the argument.
};

FileCommand CommandOf(int command) {
  constexpr uptr kLock = sizeof(struct flock);
  constexpr uptr kOwner = sizeof(f_owner_ex);
  constexpr uptr kHint = sizeof(u64);
  switch (command) {
    case F_GETLK:
    case F_OFD_GETLK:
      return {kLock, kLock};
    case F_SETLK:
    case F_SETLKW:
    case F_OFD_SETLK:
    case F_OFD_SETLKW:
      return {kLock, 0};
    case F_GETOWN_EX:
      return {0, kOwner};
    case F_SETOWN_EX:
      return {kOwner, 0};
    case F_GET_RW_HINT:
    case F_GET_FILE_RW_HINT:
      return {0, kHint};
    case F_SET_RW_HINT:
    case F_SET_FILE_RW_HINT:
      return {kHint, 0};
    default:
      return {0, 0};  // The argument is a number, or unused.
  }
}

}  // namespace

ATSAN_INTERCEPTOR(int, fcntl, int fd, int command, ...) {
  va_list args;
  va_start(args, command);
  void *argument = va_arg(args, void *);
  va_end(args);
  ATSAN_ENTER(fcntl, fd, command, argument);
  const FileCommand sizes = CommandOf(command);
  recorder.Read(argument, sizes.reads);
  int res = REAL(fcntl)(fd, command, argument);
  if (res != -1)
    recorder.Write(argument, sizes.writes);
  return res;
}

// --- Positions of streams: libc's 8 bytes; a wide stream's state, too. -------

ATSAN_AFTER(int, fgetpos, (void *stream, u64 *position), (stream, position),
            if (res == 0) recorder.WriteObject(position))
ATSAN_BEFORE(int, fsetpos, (void *stream, const u64 *position),
             (stream, position), recorder.ReadObject(position))

// --- Times: of the last access, of the last change. --------------------------

ATSAN_BEFORE(int, utime, (const char *path, const void *times), (path, times),
             recorder.ReadString(path),
             recorder.ReadOptional(times, struct_utimbuf_sz))
ATSAN_BEFORE(int, utimes, (const char *path, const void *times), (path, times),
             recorder.ReadString(path),
             recorder.ReadOptional(times, 2 * timeval_sz))
ATSAN_BEFORE(int, lutimes, (const char *path, const void *times), (path, times),
             recorder.ReadString(path),
             recorder.ReadOptional(times, 2 * timeval_sz))
ATSAN_BEFORE(int, futimes, (int fd, const void *times), (fd, times),
             recorder.ReadOptional(times, 2 * timeval_sz))
ATSAN_BEFORE(int, futimens, (int fd, const void *times), (fd, times),
             recorder.ReadOptional(times, 2 * struct_timespec_sz))
ATSAN_BEFORE(int, futimesat, (int dir, const char *path, const void *times),
             (dir, path, times), recorder.ReadString(path),
             recorder.ReadOptional(times, 2 * timeval_sz))
ATSAN_BEFORE(int, utimensat,
             (int dir, const char *path, const void *times, int flags),
             (dir, path, times, flags), recorder.ReadString(path),
             recorder.ReadOptional(times, 2 * struct_timespec_sz))

// --- Status. -----------------------------------------------------------------

constexpr uptr kStatus = 256;

ATSAN_AROUND(int, statx,
             (int dir, const char *path, int flags, unsigned mask,
              void *status),
             (dir, path, flags, mask, status), recorder.ReadString(path),
             if (res == 0) recorder.Write(status, kStatus))

// --- Limits. -----------------------------------------------------------------

ATSAN_AROUND(int, prlimit,
             (int pid, int resource, const void *limit, void *old_limit),
             (pid, resource, limit, old_limit),
             recorder.ReadOptional(limit, struct_rlimit64_sz),
             if (res == 0)
                 recorder.WriteOptional(old_limit, struct_rlimit64_sz))

// --- Semaphores. -------------------------------------------------------------

struct SemaphoreOperation {
  u16 semaphore;
  s16 change, flags;
};

ATSAN_BEFORE(int, semop, (int set, const void *operations, uptr number),
             (set, operations, number),
             recorder.Read(operations, number * sizeof(SemaphoreOperation)))
ATSAN_BEFORE(int, semtimedop,
             (int set, const void *operations, uptr number,
              const void *timeout),
             (set, operations, number, timeout),
             recorder.Read(operations, number * sizeof(SemaphoreOperation)),
             recorder.ReadOptional(timeout, struct_timespec_sz))
