//===-- atsan_tsan_accesses.cpp -------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Accesses that code tells ThreadSanitizer of by hand, by the names of the
// hooks of its compiler pass (__tsan_read1 and its kin), and its atomic
// operations (<sanitizer/tsan_interface_atomic.h>).
//
//===----------------------------------------------------------------------===//
#include "runtime/hooks/atsan_hook.h"
#include "runtime/interface/atsan_tsan_interface.h"
#include "runtime/state/atsan_init.h"
#include "runtime/threads/atsan_atomic.h"

using namespace __atsan;

// --- Plain accesses. ---------------------------------------------------------

static void Access(void *addr, uptr size, AccessKind kind,
                   const AccessPoint &at) {
  if (GateIsOpen())
    ReportAccess(reinterpret_cast<uptr>(addr), size, kind, at);
}

// The point of a place that code passes: its frames are not known.
static AccessPoint Place(void *pc) { return {reinterpret_cast<uptr>(pc), 0}; }

#define TSAN_ACCESS(name, size, kind)                           \
  TSAN_INTERFACE void __tsan_##name(void *addr) {               \
    Access(addr, size, AccessKind::kind, ATSAN_CALLER_POINT()); \
  }
#define TSAN_ACCESS_AT_PLACE(name, size, kind)                   \
  TSAN_INTERFACE void __tsan_##name##_pc(void *addr, void *pc) { \
    Access(addr, size, AccessKind::kind, Place(pc));             \
  }
#define TSAN_ACCESSES(size)                     \
  TSAN_ACCESS(read##size, size, kRead)          \
  TSAN_ACCESS(write##size, size, kWrite)        \
  TSAN_ACCESS_AT_PLACE(read##size, size, kRead) \
  TSAN_ACCESS_AT_PLACE(write##size, size, kWrite)
TSAN_ACCESSES(1)
TSAN_ACCESSES(2)
TSAN_ACCESSES(4)
TSAN_ACCESSES(8)
TSAN_ACCESSES(16)

#define TSAN_UNALIGNED_ACCESSES(size)            \
  TSAN_ACCESS(unaligned_read##size, size, kRead) \
  TSAN_ACCESS(unaligned_write##size, size, kWrite)
TSAN_UNALIGNED_ACCESSES(2)
TSAN_UNALIGNED_ACCESSES(4)
TSAN_UNALIGNED_ACCESSES(8)
TSAN_UNALIGNED_ACCESSES(16)

TSAN_INTERFACE void __tsan_read_range(void *addr, uptr size) {
  Access(addr, size, AccessKind::kRead, ATSAN_CALLER_POINT());
}

TSAN_INTERFACE void __tsan_write_range(void *addr, uptr size) {
  Access(addr, size, AccessKind::kWrite, ATSAN_CALLER_POINT());
}

TSAN_INTERFACE void __tsan_read_range_pc(void *addr, uptr size, void *pc) {
  Access(addr, size, AccessKind::kRead, Place(pc));
}

TSAN_INTERFACE void __tsan_write_range_pc(void *addr, uptr size, void *pc) {
  Access(addr, size, AccessKind::kWrite, Place(pc));
}

// A library that is not instrumented accesses the object for its caller. The
// type, which the tag stands for, does not matter.
TSAN_INTERFACE void __tsan_external_read(void *addr, void *pc, void *tag) {
  Access(addr, 1, AccessKind::kRead, Place(pc));
}

TSAN_INTERFACE void __tsan_external_write(void *addr, void *pc, void *tag) {
  Access(addr, 1, AccessKind::kWrite, Place(pc));
}

// Our stacks are walked, so that calls and returns need not be told.
TSAN_INTERFACE void __tsan_func_entry(void *) {}
TSAN_INTERFACE void __tsan_func_exit() {}

// --- Atomic operations. ------------------------------------------------------

// Does an operation and analyses it in one step, as in the compiler pass'
// brackets.
template <class Operation>
ALWAYS_INLINE static void Atomically(const volatile void *a, uptr size,
                                     const AccessPoint &at, Operation operate) {
  const uptr addr = reinterpret_cast<uptr>(a);
  const u32 token = __atsan_enabled ? AtomicEnter(addr, size) : 0;
  const AtomicKind kind = operate();
  if (token)
    AtomicExit(addr, size, kind, token, at);
}

// The last parameters say how weak the operation may be: it is always strong.
#define TSAN_ATOMIC_UPDATE(bits, T, name, builtin)                             \
  TSAN_INTERFACE T __tsan_atomic##bits##_##name(volatile T *a, T value, int) { \
    T old;                                                                     \
    Atomically(a, sizeof(T), ATSAN_CALLER_POINT(), [&] {                       \
      old = builtin(a, value, __ATOMIC_SEQ_CST);                               \
      return kAtomicReadModifyWrite;                                           \
    });                                                                        \
    return old;                                                                \
  }

// What `expected` points to is nobody else's, and no event.
#define TSAN_ATOMIC_EXCHANGE_IF_EQUAL(bits, T, name)                          \
  TSAN_INTERFACE int __tsan_atomic##bits##_compare_exchange_##name(           \
      volatile T *a, T *expected, T value, int, int) {                        \
    bool done;                                                                \
    Atomically(a, sizeof(T), ATSAN_CALLER_POINT(), [&] {                      \
      done = __atomic_compare_exchange_n(a, expected, value, false,           \
                                         __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
      return done ? kAtomicReadModifyWrite : kFailedExchange;                 \
    });                                                                       \
    return done;                                                              \
  }

#define TSAN_ATOMICS(bits, T)                                              \
  TSAN_INTERFACE T __tsan_atomic##bits##_load(const volatile T *a, int) {  \
    T value;                                                               \
    Atomically(a, sizeof(T), ATSAN_CALLER_POINT(), [&] {                   \
      value = __atomic_load_n(a, __ATOMIC_SEQ_CST);                        \
      return kAtomicRead;                                                  \
    });                                                                    \
    return value;                                                          \
  }                                                                        \
  TSAN_INTERFACE void __tsan_atomic##bits##_store(volatile T *a, T value,  \
                                                  int) {                   \
    Atomically(a, sizeof(T), ATSAN_CALLER_POINT(), [&] {                   \
      __atomic_store_n(a, value, __ATOMIC_SEQ_CST);                        \
      return kAtomicWrite;                                                 \
    });                                                                    \
  }                                                                        \
  TSAN_ATOMIC_UPDATE(bits, T, exchange, __atomic_exchange_n)               \
  TSAN_ATOMIC_UPDATE(bits, T, fetch_add, __atomic_fetch_add)               \
  TSAN_ATOMIC_UPDATE(bits, T, fetch_sub, __atomic_fetch_sub)               \
  TSAN_ATOMIC_UPDATE(bits, T, fetch_and, __atomic_fetch_and)               \
  TSAN_ATOMIC_UPDATE(bits, T, fetch_or, __atomic_fetch_or)                 \
  TSAN_ATOMIC_UPDATE(bits, T, fetch_xor, __atomic_fetch_xor)               \
  TSAN_ATOMIC_UPDATE(bits, T, fetch_nand, __atomic_fetch_nand)             \
  TSAN_ATOMIC_EXCHANGE_IF_EQUAL(bits, T, strong)                           \
  TSAN_ATOMIC_EXCHANGE_IF_EQUAL(bits, T, weak)                             \
  TSAN_INTERFACE T __tsan_atomic##bits##_compare_exchange_val(             \
      volatile T *a, T expected, T value, int, int) {                      \
    Atomically(a, sizeof(T), ATSAN_CALLER_POINT(), [&] {                   \
      bool done = __atomic_compare_exchange_n(                             \
          a, &expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
      return done ? kAtomicReadModifyWrite : kFailedExchange;              \
    });                                                                    \
    return expected;                                                       \
  }
TSAN_ATOMICS(8, u8)
TSAN_ATOMICS(16, u16)
TSAN_ATOMICS(32, u32)
TSAN_ATOMICS(64, u64)
// 128 bits take an instruction that CMakeLists.txt asks for: libatomic is not
// linked.
TSAN_ATOMICS(128, __int128)

TSAN_INTERFACE void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

TSAN_INTERFACE void __tsan_atomic_signal_fence(int) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
