//===-- atsan_interceptors_malloc.cpp -------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Heap blocks: their births and deaths are events (rule 9). The allocator
// itself is the program's; operator new and delete of the C++ library come
// here, too.
//
// Calls during start-up (dlsym allocates) are served by EarlyAllocator.
//
//===----------------------------------------------------------------------===//
#include "runtime/hooks/atsan_schedule_point.h"
#include "runtime/intercept/atsan_early_allocator.h"
#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/memory/atsan_heap.h"
#include "runtime/memory/atsan_library_new.h"
#include "sanitizer_common/sanitizer_libc.h"

using namespace __atsan;

DECLARE_REAL(uptr, malloc_usable_size, void *ptr)

extern "C" int dladdr(const void *addr, void *info);
extern "C" const char *gnu_get_libc_version();

namespace {

// Whether malloc_usable_size belongs to malloc. Another allocator that is found
// before libc's need not bring one, and libc's knows nothing of its blocks.
bool knows_sizes;
// Whether malloc is glibc's, which keeps a block's flags in front of it.
bool has_flags;
// Whether our malloc has been called.
bool is_called;

// The bytes of a live block; 0 if they are not known.
uptr UsableSize(void *ptr) {
  if (LIKELY(knows_sizes))
    return REAL(malloc_usable_size)(ptr);
  HeapBlock block;
  ScopedInRuntime in_runtime(cur_thread);
  return HeapBlockAt(reinterpret_cast<uptr>(ptr), &block) ? block.size : 0;
}

// Whether glibc has mapped the block by itself, as it does with large ones:
// their free unmaps them, and calls no munmap that we see.
bool IsMapping(const void *ptr) {
  constexpr uptr kIsMapped = 2;  // Beside the size, which is a multiple of 16.
  return static_cast<const uptr *>(ptr)[-1] & kIsMapped;
}

// Whether nobody needs to know of blocks: the program has no regions, and
// nothing else opens the gate.
bool IsOfNoMatter() { return LIKELY(!GateIsOpen() && !__atsan_enabled); }

// No write is recorded for what calloc and realloc put into a new block: others
// get to know it from this thread only, by a later write of the pointer.
NOINLINE void *ReportBirth(void *ptr, uptr size, const AccessPoint &at) {
  Thread *thr = cur_thread;
  if (!ptr || (thr && thr->in_runtime))
    return ptr;
  ScopedInRuntime in_runtime(thr);
  // A birth has as many bytes as the death: the block may have been larger
  // before.
  if (GateIsOpen())
    ForgetInRuntime(thr, ptr, knows_sizes ? UsableSize(ptr) : size,
                    EventKind::Birth, at);
  if (__atsan_enabled && thr)
    HeapBlockAllocated(thr, reinterpret_cast<uptr>(ptr), size, at);
  return ptr;
}

ALWAYS_INLINE void *Born(void *ptr, uptr size, const AccessPoint &at) {
  return IsOfNoMatter() ? ptr : ReportBirth(ptr, size, at);
}

NOINLINE void ReportDeath(void *ptr, const AccessPoint &at) {
  Thread *thr = CurrentObservedThread();
  if (!thr)
    return;
  ScopedInRuntime in_runtime(thr);
  const uptr size = GateIsOpen() && !thr->ignore_accesses ? UsableSize(ptr) : 0;
  if (size)
    AccessHappens(thr, reinterpret_cast<uptr>(ptr), size, AccessKind::kFree,
                  at);
  if (__atsan_enabled)
    HeapBlockFreed(reinterpret_cast<uptr>(ptr));
  if (has_flags && IsMapping(ptr))
    CheckerUnmap(&thr->checker, reinterpret_cast<uptr>(ptr), UsableSize(ptr));
}

// Tells the death of a block before it goes back to the allocator, which may
// give it to another thread at once.
ALWAYS_INLINE void Dies(void *ptr, const AccessPoint &at) {
  if (UNLIKELY(SchedulesAreControlled()))
    PointBeforeFree(reinterpret_cast<uptr>(ptr), UsableSize(ptr), at);
  if (!IsOfNoMatter())
    ReportDeath(ptr, at);
}

}  // namespace

#define ATSAN_BORN(ptr, size) Born(ptr, size, ATSAN_CALLER_POINT())

ATSAN_INTERCEPTOR(void *, malloc, uptr size) {
  if (EarlyAllocator::Use()) {
    is_called = true;
    return EarlyAllocator::Allocate(size);
  }
  AccessPoint at = ATSAN_CALLER_POINT();
  void *ptr = REAL(malloc)(size);
  // The caller's stack begins behind the saved frame pointer and return
  // address.
  if (Thread *thr = __atsan_enabled ? CurrentObservedThread() : nullptr)
    at = CallerOfNew(thr, at, GET_CURRENT_FRAME() + 2 * sizeof(uptr));
  return Born(ptr, size, at);
}

ATSAN_INTERCEPTOR(void *, calloc, uptr number, uptr size) {
  if (EarlyAllocator::Use())
    return EarlyAllocator::Callocate(number, size);
  // If the product overflows there is no block.
  return ATSAN_BORN(REAL(calloc)(number, size), number * size);
}

ATSAN_INTERCEPTOR(void, free, void *ptr) {
  if (!ptr)
    return;
  if (EarlyAllocator::PointerIsMine(ptr))
    return EarlyAllocator::Free(ptr);
  if (EarlyAllocator::Use()) {
    // A block of an unknown allocator leaks until the real free is known.
    if (REAL(free))
      REAL(free)(ptr);
    return;
  }
  Dies(ptr, ATSAN_CALLER_POINT());
  REAL(free)(ptr);
}

// While a region is active, a block that grows moves always: the old one must
// have died, for other threads, before the allocator can give it away again.
static void *Grow(void *ptr, uptr old_size, uptr size, const AccessPoint &at) {
  void *bigger = Born(REAL(malloc)(size), size, at);
  if (!bigger)
    return nullptr;
  if (Thread *thr = CurrentAccessingThread()) {
    ScopedInRuntime in_runtime(thr);
    AccessHappens(thr, reinterpret_cast<uptr>(ptr), old_size, AccessKind::kRead,
                  at);
  }
  internal_memcpy(bigger, ptr, old_size);
  if (Thread *thr = IsObserved() ? CurrentAccessingThread() : nullptr) {
    ScopedInRuntime in_runtime(thr);
    ObservePointers(thr, reinterpret_cast<uptr>(bigger), old_size, at);
  }
  Dies(ptr, at);
  REAL(free)(ptr);
  return bigger;
}

DECLARE_REAL(void *, realloc, void *ptr, uptr size)

static void *Reallocate(void *ptr, uptr size, const AccessPoint &at) {
  if (!ptr)
    return Born(REAL(malloc)(size), size, at);
  if (!size) {
    Dies(ptr, at);
    return REAL(realloc)(ptr, 0);
  }
  uptr old_size = UsableSize(ptr);
  if (GateIsOpen() && old_size) {
    if (size > old_size)
      return Grow(ptr, old_size, size, at);
    // The block stays in place; its tail ends.
    ForgetRange(static_cast<char *>(ptr) + size, old_size - size,
                EventKind::Death, at);
  }
  Thread *thr = __atsan_enabled ? CurrentObservedThread() : nullptr;
  if (thr) {
    ScopedInRuntime in_runtime(thr);
    HeapBlockFreed(reinterpret_cast<uptr>(ptr));
  }
  void *res = REAL(realloc)(ptr, size);
  if (res && res != ptr)
    // A region may have begun meanwhile.
    ForgetRange(res, knows_sizes ? UsableSize(res) : size, EventKind::Birth,
                at);
  if (thr) {
    ScopedInRuntime in_runtime(thr);
    HeapBlockAllocated(thr, reinterpret_cast<uptr>(res ? res : ptr),
                       res ? size : old_size, at);
  }
  return res;
}

// Moves a block of the early allocator, or any while that allocator is in use.
static void *ReallocateEarly(void *ptr, uptr size, const AccessPoint &at) {
  void *res = nullptr;
  if (size || !ptr)
    res = EarlyAllocator::Use() ? EarlyAllocator::Allocate(size)
                                : Born(REAL(malloc)(size), size, at);
  if (!ptr || (size && !res))
    return res;
  internal_memcpy(res, ptr, Min(size, EarlyAllocator::Size(ptr)));
  EarlyAllocator::Free(ptr);
  return res;
}

ATSAN_INTERCEPTOR(void *, realloc, void *ptr, uptr size) {
  if (EarlyAllocator::Use() || EarlyAllocator::PointerIsMine(ptr))
    return ReallocateEarly(ptr, size, ATSAN_CALLER_POINT());
  return Reallocate(ptr, size, ATSAN_CALLER_POINT());
}

ATSAN_INTERCEPTOR(void *, reallocarray, void *ptr, uptr number, uptr size) {
  uptr bytes;
  if (__builtin_mul_overflow(number, size, &bytes)) {
    EnsureReady();
    return REAL(reallocarray)(ptr, number, size);  // Fails, and sets errno.
  }
  if (EarlyAllocator::Use() || EarlyAllocator::PointerIsMine(ptr))
    return ReallocateEarly(ptr, bytes, ATSAN_CALLER_POINT());
  return Reallocate(ptr, bytes, ATSAN_CALLER_POINT());
}

// --- With alignment. ---------------------------------------------------------

ATSAN_INTERCEPTOR(int, posix_memalign, void **ptr, uptr alignment, uptr size) {
  EnsureReady();
  int res = REAL(posix_memalign)(ptr, alignment, size);
  if (res == 0) {
    ATSAN_BORN(*ptr, size);
    AccessRecorder(ATSAN_INTERCEPTOR_POINT()).WriteObject(ptr);
  }
  return res;
}

ATSAN_INTERCEPTOR(void *, aligned_alloc, uptr alignment, uptr size) {
  EnsureReady();
  return ATSAN_BORN(REAL(aligned_alloc)(alignment, size), size);
}

ATSAN_INTERCEPTOR(void *, memalign, uptr alignment, uptr size) {
  EnsureReady();
  return ATSAN_BORN(REAL(memalign)(alignment, size), size);
}

ATSAN_INTERCEPTOR(void *, valloc, uptr size) {
  EnsureReady();
  return ATSAN_BORN(REAL(valloc)(size), size);
}

ATSAN_INTERCEPTOR(void *, pvalloc, uptr size) {
  EnsureReady();
  return ATSAN_BORN(REAL(pvalloc)(size), size);
}

// Blocks of the early allocator are not known to libc.
ATSAN_INTERCEPTOR(uptr, malloc_usable_size, void *ptr) {
  if (ptr && EarlyAllocator::PointerIsMine(ptr))
    return EarlyAllocator::Size(ptr);
  EnsureReady();
  return REAL(malloc_usable_size)(ptr);
}

static bool AreInOneModule(const void *one, const void *other) {
  struct {
    const char *file;
    const void *module;
    const char *name;
    const void *symbol;
  } of_one, of_other;
  return dladdr(one, &of_one) && dladdr(other, &of_other) &&
         of_one.module == of_other.module;
}

void __atsan::AllocatorInit() {
  // The program's malloc may call interceptors, and they call AllocatorInit.
  static bool has_begun;
  if (has_begun)
    return;
  has_begun = true;
  auto *real = reinterpret_cast<const void *>(REAL(malloc));
  auto *libc = reinterpret_cast<const void *>(gnu_get_libc_version);
  knows_sizes = AreInOneModule(
      real, reinterpret_cast<const void *>(REAL(malloc_usable_size)));
  has_flags = AreInOneModule(real, libc);
  // The functions that the program's calls reach, too.
  void *(*volatile allocate)(uptr) = malloc;
  void (*volatile release)(void *) = free;
  release(allocate(1));
  if (is_called)
    return;
  libc_is_unseen =
      AreInOneModule(reinterpret_cast<const void *>(allocate), libc);
  heap_is_unseen = !libc_is_unseen;
}
