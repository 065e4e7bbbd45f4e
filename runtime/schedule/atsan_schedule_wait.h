//===-- atsan_schedule_wait.h -----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the scheduler asks of the kernel and of libc.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SCHEDULE_WAIT_H
#define ATSAN_SCHEDULE_WAIT_H

#include "sanitizer_common/sanitizer_atomic.h"
#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

using namespace __sanitizer;

constexpr u64 kSecond = 1000 * 1000 * 1000;  // Nanoseconds.

// Waits until the word is not 0, but not for long.
void WaitAWhile(atomic_uint32_t *baton);
void WakeBaton(atomic_uint32_t *baton);

// Waits until the word is another one, but not for long.
void WaitWhile(atomic_uint32_t *word, u32 value);
void WakeAll(atomic_uint32_t *word);

// Whether a thread of this process waits in the kernel.
bool IsAsleep(int kernel_id);

// The system call in which a thread of this process waits.
struct SleepingCall {
  explicit SleepingCall(int kernel_id);

  bool sleeps;    // It waits, and in a call: not for a page, nor for a disk.
  bool is_futex;  // It waits for another thread.
  // Tells calls apart, by number, arguments and stack pointer. (A kernel that
  // does not tell of them: all are one.)
  u64 hash;
};

// Whether there is no such thread of this process.
bool IsGone(int kernel_id);

// Whether the process has a thread that is none of these, by kernel ids.
bool HasThreadBut(const InternalMmapVector<int> &kernel_ids);

// Does nothing for so many nanoseconds.
void Pause(u64 nanoseconds);

// --- Descriptors. ------------------------------------------------------------

// What poll(2) takes.
struct FileToAwait {
  int fd;
  s16 events;
  s16 happened;
};
constexpr s16 kReadable = 1;  // POLLIN
constexpr u32 kMostFilesToAwait = 16;

// Whether a call that waits for one of them would not have to wait. Waits for
// so many milliseconds at most.
bool AnyIsReady(const FileToAwait *files, u32 count, int milliseconds);
// Whether select would not have to wait for its sets, which have so many bytes;
// nullptr: an empty one.
bool SelectIsReady(int number, void *const (&sets)[3], uptr set_size);
// Nobody waits for one.
bool IsRegularFile(int fd);
// Whether a call that reads it waits for what it shall read.
bool ReadsWait(int fd);
// For how many nanoseconds at most, if it is a socket; ~0: without a limit.
u64 LimitOfReads(int fd);

// The value of a sem_t.
int SemaphoreValue(uptr semaphore);

// What an object of libc is; kOther: one that it keeps no attribute of.
enum class SyncObject {
  kMutex,
  kRwlock,
  kCondition,
  kBarrier,
  kSemaphore,
  kOther
};
// Whether other processes may use it, too: PTHREAD_PROCESS_SHARED and its like.
bool IsBetweenProcesses(SyncObject kind, const void *object);
// Whether the kernel gives it back when the thread that holds it ends:
// PTHREAD_MUTEX_ROBUST.
bool IsRobust(SyncObject kind, const void *object);

// Whether other processes may have the same memory.
bool IsInSharedMapping(uptr addr);

// Whether a thread runs the function of a pthread_once_t.
bool OnceIsRunning(uptr control);
// Whether a thread initializes a static variable. `second`: the address of its
// guard's second byte.
bool IsInitializing(uptr second);

// Nanoseconds of a clock of clock_gettime.
u64 RealTime(int clock);

}  // namespace __atsan

#endif  // ATSAN_SCHEDULE_WAIT_H
