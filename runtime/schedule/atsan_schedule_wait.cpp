//===-- atsan_schedule_wait.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_wait.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "runtime/schedule/atsan_schedule_kernel.h"
#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_posix.h"
#include "sanitizer_common/sanitizer_procmaps.h"

namespace __atsan {
namespace {

// It takes two of them to believe that a thread sleeps; see LookAtRunning.
constexpr long kAWhile = 10 * 1000 * 1000;  // Nanoseconds.

// Reads a file of /proc/self/task into the buffer, as text. False: there is
// none, or it may not be read.
template <uptr kSize>
bool ReadOfThread(int kernel_id, const char *name, char (&text)[kSize]) {
  char path[64];
  internal_snprintf(path, sizeof(path), "/proc/self/task/%d/%s", kernel_id,
                    name);
  fd_t file = OpenFile(path, RdOnly);
  if (file == kInvalidFd)
    return false;
  uptr size = 0;
  const bool is_read = ReadFromFile(file, text, kSize - 1, &size);
  CloseFile(file);
  text[is_read ? size : 0] = 0;
  return is_read;
}

}  // namespace

void WaitWhile(atomic_uint32_t *word, u32 value) {
  const timespec time = {0, kAWhile};
  CallKernel(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &time);
}

void WakeAll(atomic_uint32_t *word) {
  CallKernel(SYS_futex, word, FUTEX_WAKE_PRIVATE, 0x7fffffff);
}

void WaitAWhile(atomic_uint32_t *baton) { WaitWhile(baton, 0); }

void WakeBaton(atomic_uint32_t *baton) {
  CallKernel(SYS_futex, baton, FUTEX_WAKE_PRIVATE, 1);
}

bool IsAsleep(int kernel_id) {
  char text[128];
  if (!ReadOfThread(kernel_id, "stat", text))
    return false;
  // The name before it may have any characters, but not many.
  const char *end_of_name = internal_strrchr(text, ')');
  // A thread in state D waits for a disk, or for a page: it will be back soon.
  return end_of_name && end_of_name[2] == 'S';
}

SleepingCall::SleepingCall(int kernel_id)
    : sleeps(IsAsleep(kernel_id)), is_futex(false), hash(1) {
  char text[256];
  if (!sleeps || !ReadOfThread(kernel_id, "syscall", text))
    return;
  // "202 0x7f5e...", "running", or "-1 0x7ffd..." outside of calls.
  const char *end = text;
  const s64 number = internal_simple_strtoll(text, &end, 10);
  sleeps = end != text && number >= 0;
  is_futex = number == SYS_futex;
  for (const char *c = text; *c; c++)
    hash = hash * 131 + static_cast<u8>(*c);
}

bool IsGone(int kernel_id) {
  return CallKernel(SYS_tgkill, internal_getpid(), kernel_id, 0) == -ESRCH;
}

bool HasThreadBut(const InternalMmapVector<int> &kernel_ids) {
  InternalMmapVector<tid_t> found;
  if (ThreadLister(internal_getpid()).ListThreads(&found) ==
      ThreadLister::Error)
    return false;
  for (const tid_t id : found) {
    bool is_known = false;
    for (const int known : kernel_ids)
      is_known |= id == static_cast<tid_t>(known);
    if (!is_known)
      return true;
  }
  return false;
}

void Pause(u64 nanoseconds) {
  const timespec time = {0, static_cast<long>(nanoseconds)};
  CallKernel(SYS_nanosleep, &time, nullptr);
}

bool AnyIsReady(const FileToAwait *files, u32 count, int milliseconds) {
  static_assert(sizeof(FileToAwait) == sizeof(pollfd) && kReadable == POLLIN);
  FileToAwait copies[kMostFilesToAwait];
  internal_memcpy(copies, files, count * sizeof(copies[0]));
  // What is wrong with a descriptor is told by the call itself, at once.
  return CallKernel(SYS_poll, copies, count, milliseconds) != 0;
}

bool SelectIsReady(int number, void *const (&sets)[3], uptr set_size) {
  constexpr uptr kMostBytes = FD_SETSIZE / 8;
  char copies[3][kMostBytes];
  void *asked[3] = {};
  if (set_size > kMostBytes)
    return false;
  for (u32 i = 0; i < 3; i++) {
    if (!sets[i])
      continue;
    asked[i] = copies[i];
    internal_memcpy(copies[i], sets[i], set_size);
  }
  timeval no_time = {};
  return CallKernel(SYS_select, number, asked[0], asked[1], asked[2],
                    &no_time) != 0;
}

bool IsRegularFile(int fd) {
  struct stat about = {};
  return CallKernel(SYS_fstat, fd, &about) == 0 && S_ISREG(about.st_mode);
}

bool ReadsWait(int fd) {
  const long flags = CallKernel(SYS_fcntl, fd, F_GETFL);
  return flags >= 0 && !(flags & O_NONBLOCK);
}

u64 LimitOfReads(int fd) {
  timeval limit = {};
  socklen_t size = sizeof(limit);
  if (CallKernel(SYS_getsockopt, fd, SOL_SOCKET, SO_RCVTIMEO, &limit, &size) !=
          0 ||
      (!limit.tv_sec && !limit.tv_usec))
    return ~0ull;
  return limit.tv_sec * kSecond + limit.tv_usec * 1000;
}

int SemaphoreValue(uptr semaphore) {
  int value = 0;
  sem_getvalue(reinterpret_cast<sem_t *>(semaphore), &value);
  return value;
}

bool IsRobust(SyncObject kind, const void *object) {
  constexpr int kRobustFlag = 16;
  return kind == SyncObject::kMutex &&
         static_cast<const pthread_mutex_t *>(object)->__data.__kind &
             kRobustFlag;
}

bool IsBetweenProcesses(SyncObject kind, const void *object) {
  constexpr int kMutexFlag = 128;
  constexpr unsigned kConditionFlag = 1;
  constexpr u32 kSharedWordOfBarrier = 3, kSharedWordOfSemaphore = 2;
  switch (kind) {
    case SyncObject::kMutex:
      return static_cast<const pthread_mutex_t *>(object)->__data.__kind &
             kMutexFlag;
    case SyncObject::kRwlock:
      return static_cast<const pthread_rwlock_t *>(object)->__data.__shared;
    case SyncObject::kCondition:
      return static_cast<const pthread_cond_t *>(object)->__data.__wrefs &
             kConditionFlag;
    case SyncObject::kBarrier:
      return static_cast<const u32 *>(object)[kSharedWordOfBarrier];
    case SyncObject::kSemaphore:
      return static_cast<const u32 *>(object)[kSharedWordOfSemaphore];
    case SyncObject::kOther:
      return false;
  }
  return false;
}

bool IsInSharedMapping(uptr addr) {
  MemoryMappingLayout mappings(/*cache_enabled=*/false);
  MemoryMappedSegment mapping;
  while (mappings.Next(&mapping))
    if (addr >= mapping.start && addr < mapping.end)
      return mapping.protection & kProtectionShared;
  return false;
}

bool OnceIsRunning(uptr control) {
  constexpr int kInProgress = 1;
  return *reinterpret_cast<const volatile int *>(control) & kInProgress;
}

// The ABI says what the first byte is for; libstdc++ and libc++abi agree on the
// second one.
bool IsInitializing(uptr second) {
  const auto *byte = reinterpret_cast<const volatile u8 *>(second);
  const bool is_initialized = byte[-1];
  return !is_initialized && *byte;
}

u64 RealTime(int clock) {
  timespec time = {};
  internal_clock_gettime(clock, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

}  // namespace __atsan
