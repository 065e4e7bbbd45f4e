//===-- atsan_interceptors_mmap.cpp ---------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Mappings and the program break: the bytes of a range that is mapped anew or
// given back end their life (rule 9).
//
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

#include "runtime/intercept/atsan_interceptors.h"

using namespace __atsan;

// The kernel maps and takes away whole pages, or none if it does not accept the
// address or the size.
static bool RoundToPages(const void *addr, uptr *size) {
  const uptr page = GetPageSizeCached();
  if (!IsAligned(reinterpret_cast<uptr>(addr), page) || *size > -page)
    return false;
  *size = RoundUpTo(*size, page);
  return true;
}

static void ForgetPages(const void *addr, uptr size, EventKind kind) {
  if (RoundToPages(addr, &size))
    ForgetRange(addr, size, kind);
}

// From so many bytes on, what is remembered of unmapped memory takes no memory
// any more: the next mapping may be elsewhere.
constexpr uptr kLargeMapping = 1 << 16;

// Tells that memory is about to be unmapped.
static void UnmapPages(const void *addr, uptr size) {
  if (size < kLargeMapping)
    return ForgetPages(addr, size, EventKind::Death);
  Thread *thr = cur_thread;
  if (!runtime_ready || !RoundToPages(addr, &size) || (thr && thr->in_runtime))
    return;
  ScopedInRuntime in_runtime(thr);
  const uptr begin = reinterpret_cast<uptr>(addr);
  if (GateIsOpen())
    ObserveMemory(thr, EventKind::Death, begin, size, {});
  CheckerUnmap(thr ? &thr->checker : nullptr, begin, size);
}

ATSAN_INTERCEPTOR(void *, mmap, void *addr, uptr size, int protection,
                  int flags, int fd, sptr offset) {
  EnsureReady();
  void *res = REAL(mmap)(addr, size, protection, flags, fd, offset);
  if (res != MAP_FAILED)
    ForgetPages(res, size, EventKind::Birth);
  return res;
}

// The range ends its life before it is free for others.
ATSAN_INTERCEPTOR(int, munmap, void *addr, uptr size) {
  EnsureReady();
  UnmapPages(addr, size);
  return REAL(munmap)(addr, size);
}

// remap_file_pages brings other pages of the file to these addresses.
ATSAN_INTERCEPTOR(int, remap_file_pages, void *addr, uptr size, int protection,
                  uptr page, int flags) {
  EnsureReady();
  int res = REAL(remap_file_pages)(addr, size, protection, page, flags);
  if (res == 0)
    ForgetPages(addr, size, EventKind::Birth);
  return res;
}

// Tells of pages that were added: a former owner may have given them back
// unseen.
static void Grown(void *addr, uptr old_size, uptr new_size) {
  if (new_size > old_size)
    ForgetPages(static_cast<char *>(addr) + old_size, new_size - old_size,
                EventKind::Birth);
}

ATSAN_INTERCEPTOR(void *, mremap, void *addr, uptr old_size, uptr new_size,
                  int flags, ...) {
  EnsureReady();
  va_list args;
  va_start(args, flags);
  void *new_addr = flags & MREMAP_FIXED ? va_arg(args, void *) : nullptr;
  va_end(args);
  if (!GateIsOpen() || !new_size)  // A size of 0 fails.
    return REAL(mremap)(addr, old_size, new_size, flags, new_addr);
  uptr page = GetPageSizeCached();
  old_size = RoundUpTo(old_size, page);
  new_size = RoundUpTo(new_size, page);
  if (new_size < old_size)
    ForgetPages(static_cast<char *>(addr) + new_size, old_size - new_size,
                EventKind::Death);
  // What stays in its place lives on, and what moves ends before somebody else
  // can have the place. So the kernel is not left the choice.
  if (flags == MREMAP_MAYMOVE) {
    int saved_errno = errno;
    void *res = REAL(mremap)(addr, old_size, new_size, 0);
    if (res != MAP_FAILED) {
      Grown(res, old_size, new_size);
      return res;
    }
    errno = saved_errno;
  }
  if (flags & MREMAP_MAYMOVE)
    ForgetPages(addr, old_size, EventKind::Death);
  void *res = REAL(mremap)(addr, old_size, new_size, flags, new_addr);
  if (res != MAP_FAILED)
    Grown(res, res == addr ? old_size : 0, new_size);
  return res;
}

// --- The program break. ------------------------------------------------------

// malloc moves the break, too, but not through these functions.

ATSAN_INTERCEPTOR(void *, sbrk, sptr increment) {
  EnsureReady();
  if (increment < 0)
    ForgetRange(static_cast<char *>(REAL(sbrk)(0)) + increment, -increment,
                EventKind::Death);
  void *old_break = REAL(sbrk)(increment);
  if (increment > 0 && old_break != MAP_FAILED)
    ForgetRange(old_break, increment, EventKind::Birth);
  return old_break;
}

ATSAN_INTERCEPTOR(int, brk, void *new_break) {
  EnsureReady();
  char *before = static_cast<char *>(REAL(sbrk)(0));
  char *after = static_cast<char *>(new_break);
  if (after < before)
    ForgetRange(after, before - after, EventKind::Death);
  int res = REAL(brk)(new_break);
  if (res == 0 && after > before)
    ForgetRange(before, after - before, EventKind::Birth);
  return res;
}
