//===-- atsan_interceptors_shm.cpp ----------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared memory of System V: the bytes of a segment that is attached begin a
// life, and end it when it is detached (rule 9).
//
//===----------------------------------------------------------------------===//
#include <sys/shm.h>

#include "runtime/intercept/atsan_interceptors.h"
#include "sanitizer_common/sanitizer_procmaps.h"

using namespace __atsan;

DECLARE_REAL(int, shmctl, int segment, int command, void *buffer)

static uptr SegmentSize(int segment) {
  shmid_ds info;
  if (REAL(shmctl)(segment, IPC_STAT, &info) == -1)
    return 0;
  return RoundUpTo(info.shm_segsz, GetPageSizeCached());
}

ATSAN_INTERCEPTOR(void *, shmat, int segment, const void *addr, int flags) {
  EnsureReady();
  void *res = REAL(shmat)(segment, addr, flags);
  if (GateIsOpen() && res != reinterpret_cast<void *>(-1))
    ForgetRange(res, SegmentSize(segment), EventKind::Birth);
  return res;
}

// Calls `found` with each mapping that the kernel takes away when a segment is
// detached: mprotect and munmap may have cut it into pieces, each of which says
// how far in the segment it begins.
template <class Found>
static void ForMappingsOfSegment(const void *addr, Found found) {
  char name[sizeof("/SYSV00000000 (deleted)")];
  MemoryMappingLayout maps(/*cache_enabled=*/false);
  MemoryMappedSegment mapping(name, sizeof(name));
  while (maps.Next(&mapping))
    if (mapping.start - mapping.offset == reinterpret_cast<uptr>(addr) &&
        internal_strncmp(name, "/SYSV", 5) == 0)
      found(reinterpret_cast<void *>(mapping.start),
            mapping.end - mapping.start);
}

// The range ends its life before it is free for others.
ATSAN_INTERCEPTOR(int, shmdt, const void *addr) {
  EnsureReady();
  if (GateIsOpen())
    ForMappingsOfSegment(addr, [](void *begin, uptr size) {
      ForgetRange(begin, size, EventKind::Death);
    });
  return REAL(shmdt)(addr);
}
