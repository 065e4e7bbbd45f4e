//===-- Recorder.cpp ------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In place of the sanitizer's runtime, for programs of bench/programs: writes
// every event to the file that CAV08_TRACE names, and decides nothing. What the
// checkers read is then what the compiler pass reports in a real run, with the
// gate always open.
//
// One lock makes the order: an atomic operation and its record are one step,
// and a plain access is recorded where the pass reports it. Start, join,
// barrier and condition wait divide regions (docs/semantics.md, rule 5). Of
// libc, only what these programs need is seen: threads, waits and free.
//
//===----------------------------------------------------------------------===//

#include "Trace.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using trace::Record;
using trace::What;

namespace {

// --- The file. Everything here is protected by the lock. ---------------------

std::atomic_flag Lock = ATOMIC_FLAG_INIT;
constexpr size_t kBufferSize = 1 << 16;
Record Buffer[kBufferSize];
size_t NumBuffered;
int File = -1;
uint16_t NumThreads = 1;

// Threads that may still be joined.
struct KnownThread {
  pthread_t Handle;
  uint16_t Id;
};
constexpr size_t kMaxThreads = 4096;
KnownThread Known[kMaxThreads];
size_t NumKnown;

thread_local uint16_t Self;
thread_local unsigned Depth;
thread_local bool HasExited; // libc frees what was the thread's.

[[noreturn]] void fail(const char *Text) {
  fprintf(stderr, "recorder: error: %s\n", Text);
  _exit(2);
}

void flush() {
  if (File < 0) {
    const char *Path = getenv("CAV08_TRACE");
    File = Path ? open(Path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
    if (File < 0)
      fail("CAV08_TRACE must name a file that can be written");
  }
  const char *Data = reinterpret_cast<const char *>(Buffer);
  size_t Left = NumBuffered * sizeof(Record);
  while (Left) {
    ssize_t Written = write(File, Data, Left);
    if (Written <= 0)
      fail("the trace cannot be written: is the disk full?");
    Data += Written;
    Left -= Written;
  }
  NumBuffered = 0;
}

struct Locked {
  Locked() {
    while (Lock.test_and_set(std::memory_order_acquire))
      sched_yield();
  }
  ~Locked() { Lock.clear(std::memory_order_release); }
};

void put(What Kind, uint64_t Address = 0, uint64_t Size = 0) {
  if (HasExited)
    return;
  if (NumBuffered == kBufferSize)
    flush();
  Buffer[NumBuffered++] = {Address, static_cast<uint32_t>(Size), Self, Kind, 0};
}

void record(What Kind, const void *Address, uint64_t Size) {
  if (!Size)
    return;
  Locked L;
  put(Kind, reinterpret_cast<uint64_t>(Address), Size);
}

void recordStrided(What Kind, const char *First, uint64_t Size, int64_t Stride,
                   uint64_t Count) {
  for (; Count; --Count, First += Stride)
    record(Kind, First, Size);
}

__attribute__((destructor)) void finish() {
  Locked L;
  flush();
}

// --- Regions, and what divides them. -----------------------------------------

void begin() {
  Locked L;
  if (Depth++ == 0)
    put(What::Begin);
}

void end() {
  Locked L;
  if (Depth && --Depth == 0)
    put(What::End);
}

// Between these the thread is in no region.
void leavePart() {
  Locked L;
  if (Depth)
    put(What::End);
}

void enterPart() {
  Locked L;
  if (Depth)
    put(What::Begin);
}

// --- Threads. ----------------------------------------------------------------

template <typename Function>
Function next(const char *Name, const char *Version = nullptr) {
  void *Found =
      Version ? dlvsym(RTLD_NEXT, Name, Version) : dlsym(RTLD_NEXT, Name);
  if (!Found)
    fail("libc lacks a function");
  return reinterpret_cast<Function>(Found);
}

struct Start {
  void *(*Function)(void *);
  void *Argument;
  uint16_t Id;
};

void *run(void *Argument) {
  Start S = *static_cast<Start *>(Argument);
  delete static_cast<Start *>(Argument);
  Self = S.Id;
  void *Result = S.Function(S.Argument);
  Locked L;
  if (Depth)
    put(What::End);
  put(What::Exit);
  HasExited = true;
  return Result;
}

} // namespace

extern "C" {

// --- What the pass calls: pass/RuntimeHooks.def. -----------------------------

uint32_t __atsan_gate = 1;

#define ACCESS_HOOKS(Bytes)                                                    \
  void __atsan_read##Bytes(void *P) { record(What::Read, P, Bytes); }          \
  void __atsan_write##Bytes(void *P) { record(What::Write, P, Bytes); }
ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)

void __atsan_read_range(void *P, uintptr_t Size) {
  record(What::Read, P, Size);
}
void __atsan_write_range(void *P, uintptr_t Size) {
  record(What::Write, P, Size);
}
uint32_t __atsan_in_region() { return Depth != 0; }
void __atsan_read_strided(void *First, uintptr_t Size, intptr_t Stride,
                          uintptr_t Count) {
  recordStrided(What::Read, static_cast<char *>(First), Size, Stride, Count);
}
void __atsan_write_strided(void *First, uintptr_t Size, intptr_t Stride,
                           uintptr_t Count) {
  recordStrided(What::Write, static_cast<char *>(First), Size, Stride, Count);
}

void *__atsan_memcpy(void *To, const void *From, uintptr_t Size) {
  record(What::Read, From, Size);
  record(What::Write, To, Size);
  return memcpy(To, From, Size);
}
void *__atsan_memmove(void *To, const void *From, uintptr_t Size) {
  record(What::Read, From, Size);
  record(What::Write, To, Size);
  return memmove(To, From, Size);
}
void *__atsan_memset(void *To, int Value, uintptr_t Size) {
  record(What::Write, To, Size);
  return memset(To, Value, Size);
}

uint32_t __atsan_atomic_enter(void *, uintptr_t) {
  while (Lock.test_and_set(std::memory_order_acquire))
    sched_yield();
  return 0;
}
void __atsan_atomic_exit(void *P, uintptr_t Size, uint32_t Kind, uint32_t) {
  // Read, write, update, and an exchange that failed.
  static const What Kinds[] = {What::AtomicRead, What::AtomicWrite,
                               What::AtomicUpdate, What::AtomicRead};
  put(Kinds[Kind & 3], reinterpret_cast<uint64_t>(P), Size);
  Lock.clear(std::memory_order_release);
}

void __atsan_stack_birth(void *P, uintptr_t Size) {
  record(What::Forget, P, Size);
}
void __atsan_stack_death(void *P, uintptr_t Size) {
  record(What::Forget, P, Size);
}
void __atsan_setjmp(void *) {}
void __atsan_init_module(uint32_t, uint32_t) {}

// --- Marks: include/sanitizer/atsan_interface.h. -----------------------------

void __atomic_begin() { begin(); }
void __atomic_end() { end(); }
void __atsan_region_begin(const char *) { begin(); }
void __atsan_region_end() { end(); }
void __atomic_restart() {
  leavePart();
  enterPart();
}

// --- libc. -------------------------------------------------------------------

int pthread_create(pthread_t *Handle, const pthread_attr_t *Attributes,
                   void *(*Function)(void *), void *Argument) {
  static auto Real = next<decltype(&pthread_create)>("pthread_create");
  leavePart();
  Start *S = new Start{Function, Argument, 0};
  int Error;
  {
    // The child records nothing before it is known.
    Locked L;
    S->Id = NumThreads++;
    put(What::Create, S->Id);
    Error = Real(Handle, Attributes, run, S);
    if (Error || NumKnown == kMaxThreads)
      fail("a thread cannot be created");
    Known[NumKnown++] = {*Handle, S->Id};
  }
  enterPart();
  return Error;
}

int pthread_join(pthread_t Handle, void **Result) {
  static auto Real = next<decltype(&pthread_join)>("pthread_join");
  leavePart();
  int Error = Real(Handle, Result);
  {
    Locked L;
    for (size_t I = 0; !Error && I < NumKnown; ++I)
      if (pthread_equal(Known[I].Handle, Handle)) {
        put(What::Join, Known[I].Id);
        Known[I] = Known[--NumKnown];
        break;
      }
  }
  enterPart();
  return Error;
}

int pthread_barrier_wait(pthread_barrier_t *Barrier) {
  static auto Real =
      next<decltype(&pthread_barrier_wait)>("pthread_barrier_wait");
  leavePart();
  int Result = Real(Barrier);
  enterPart();
  return Result;
}

int pthread_cond_wait(pthread_cond_t *Condition, pthread_mutex_t *Mutex) {
  // Not the one for programs of the last century.
  static auto Real =
      next<decltype(&pthread_cond_wait)>("pthread_cond_wait", "GLIBC_2.3.2");
  leavePart();
  int Error = Real(Condition, Mutex);
  enterPart();
  return Error;
}

void __libc_free(void *);
void free(void *Block) {
  if (Block) {
    // The end of a block counts as a write to it (rule 9).
    size_t Size = malloc_usable_size(Block);
    Locked L;
    put(What::Write, reinterpret_cast<uint64_t>(Block), Size);
    put(What::Forget, reinterpret_cast<uint64_t>(Block), Size);
  }
  __libc_free(Block);
}

} // extern "C"
