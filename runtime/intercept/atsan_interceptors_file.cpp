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

ATSAN_INTERCEPTOR(int, fgetpos, void *stream, u64 *position) {
  ATSAN_ENTER(fgetpos, stream, position);
  int res = REAL(fgetpos)(stream, position);
  if (res == 0)
    recorder.WriteObject(position);
  return res;
}

ATSAN_INTERCEPTOR(int, fsetpos, void *stream, const u64 *position) {
  ATSAN_ENTER(fsetpos, stream, position);
  recorder.ReadObject(position);
  return REAL(fsetpos)(stream, position);
}

// --- Times: of the last access, of the last change. --------------------------

#define ATSAN_TIMES_INTERCEPTOR(func, size)                           \
  ATSAN_INTERCEPTOR(int, func, const char *path, const void *times) { \
    ATSAN_ENTER(func, path, times);                                   \
    recorder.ReadString(path);                                        \
    recorder.Read(times, times ? size : 0);                           \
    return REAL(func)(path, times);                                   \
  }

#define ATSAN_FTIMES_INTERCEPTOR(func, size)                \
  ATSAN_INTERCEPTOR(int, func, int fd, const void *times) { \
    ATSAN_ENTER(func, fd, times);                           \
    recorder.Read(times, times ? size : 0);                 \
    return REAL(func)(fd, times);                           \
  }

ATSAN_TIMES_INTERCEPTOR(utime, struct_utimbuf_sz)
ATSAN_TIMES_INTERCEPTOR(utimes, 2 * timeval_sz)
ATSAN_TIMES_INTERCEPTOR(lutimes, 2 * timeval_sz)
ATSAN_FTIMES_INTERCEPTOR(futimes, 2 * timeval_sz)
ATSAN_FTIMES_INTERCEPTOR(futimens, 2 * struct_timespec_sz)

ATSAN_INTERCEPTOR(int, futimesat, int dir, const char *path,
                  const void *times) {
  ATSAN_ENTER(futimesat, dir, path, times);
  recorder.ReadString(path);
  recorder.Read(times, times ? 2 * timeval_sz : 0);
  return REAL(futimesat)(dir, path, times);
}

ATSAN_INTERCEPTOR(int, utimensat, int dir, const char *path, const void *times,
                  int flags) {
  ATSAN_ENTER(utimensat, dir, path, times, flags);
  recorder.ReadString(path);
  recorder.Read(times, times ? 2 * struct_timespec_sz : 0);
  return REAL(utimensat)(dir, path, times, flags);
}

// --- Status. -----------------------------------------------------------------

ATSAN_INTERCEPTOR(int, statx, int dir, const char *path, int flags,
                  unsigned mask, void *status) {
  ATSAN_ENTER(statx, dir, path, flags, mask, status);
  constexpr uptr kStatus = 256;
  recorder.ReadString(path);
  int res = REAL(statx)(dir, path, flags, mask, status);
  if (res == 0)
    recorder.Write(status, kStatus);
  return res;
}

// --- Limits. -----------------------------------------------------------------

ATSAN_INTERCEPTOR(int, prlimit, int pid, int resource, const void *limit,
                  void *old_limit) {
  ATSAN_ENTER(prlimit, pid, resource, limit, old_limit);
  recorder.Read(limit, limit ? struct_rlimit64_sz : 0);
  int res = REAL(prlimit)(pid, resource, limit, old_limit);
  if (res == 0)
    recorder.Write(old_limit, old_limit ? struct_rlimit64_sz : 0);
  return res;
}

// --- Semaphores. -------------------------------------------------------------

// The value of a semaphore is data; the semaphore itself is a lock.
ATSAN_INTERCEPTOR(int, sem_getvalue, void *sem, int *value) {
  ATSAN_ENTER(sem_getvalue, sem, value);
  int res = REAL(sem_getvalue)(sem, value);
  if (res == 0)
    recorder.WriteObject(value);
  return res;
}

constexpr uptr kSemaphoreOperation = 6;

ATSAN_INTERCEPTOR(int, semop, int set, const void *operations, uptr number) {
  ATSAN_ENTER(semop, set, operations, number);
  recorder.Read(operations, number * kSemaphoreOperation);
  return REAL(semop)(set, operations, number);
}

ATSAN_INTERCEPTOR(int, semtimedop, int set, const void *operations, uptr number,
                  const void *timeout) {
  ATSAN_ENTER(semtimedop, set, operations, number, timeout);
  recorder.Read(operations, number * kSemaphoreOperation);
  recorder.Read(timeout, timeout ? struct_timespec_sz : 0);
  return REAL(semtimedop)(set, operations, number, timeout);
}
