//===-- atsan_schedule_wait.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
#include "runtime/schedule/atsan_schedule_wait.h"

#include <linux/futex.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <time.h>

#include "sanitizer_common/sanitizer_common.h"
#include "sanitizer_common/sanitizer_file.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "sanitizer_common/sanitizer_linux.h"
#include "sanitizer_common/sanitizer_posix.h"

namespace __atsan {
namespace {

// It takes two of them to believe that a thread sleeps; see LookAtRunning.
constexpr long kAWhile = 10 * 1000 * 1000;  // Nanoseconds.
constexpr u64 kSecond = 1000 * 1000 * 1000;

// Without libc: its functions are intercepted, and change errno.
long Futex(atomic_uint32_t *word, long operation, long value,
           const timespec *time) {
  long result;
  register long r10 asm("r10") = reinterpret_cast<long>(time);
  asm volatile("syscall"
               : "=a"(result)
               : "a"(SYS_futex), "D"(word), "S"(operation), "d"(value), "r"(r10)
               : "rcx", "r11", "memory");
  return result;
}

}  // namespace

void WaitWhile(atomic_uint32_t *word, u32 value) {
  const timespec time = {0, kAWhile};
  Futex(word, FUTEX_WAIT_PRIVATE, value, &time);
}

void WakeAll(atomic_uint32_t *word) {
  Futex(word, FUTEX_WAKE_PRIVATE, 0x7fffffff, nullptr);
}

bool WaitAWhile(atomic_uint32_t *baton) {
  WaitWhile(baton, 0);
  return atomic_load(baton, memory_order_acquire) != 0;
}

void WakeBaton(atomic_uint32_t *baton) {
  Futex(baton, FUTEX_WAKE_PRIVATE, 1, nullptr);
}

bool IsAsleep(int kernel_id) {
  char path[64];
  internal_snprintf(path, sizeof(path), "/proc/self/task/%d/stat", kernel_id);
  fd_t file = OpenFile(path, RdOnly);
  if (file == kInvalidFd)
    return false;
  char text[128];
  uptr size = 0;
  const bool is_read = ReadFromFile(file, text, sizeof(text) - 1, &size);
  CloseFile(file);
  if (!is_read)
    return false;
  text[size] = 0;
  // The name before it may have any characters, but not many.
  const char *end_of_name = internal_strrchr(text, ')');
  // A thread in state D waits for a disk, or for a page: it will be back soon.
  return end_of_name && end_of_name[2] == 'S';
}

int SemaphoreValue(uptr semaphore) {
  int value = 0;
  sem_getvalue(reinterpret_cast<sem_t *>(semaphore), &value);
  return value;
}

bool OnceIsRunning(uptr control) {
  constexpr int kInProgress = 1;
  return *reinterpret_cast<const volatile int *>(control) & kInProgress;
}

u64 RealTime(int clock) {
  timespec time = {};
  internal_clock_gettime(clock, &time);
  return time.tv_sec * kSecond + time.tv_nsec;
}

}  // namespace __atsan
