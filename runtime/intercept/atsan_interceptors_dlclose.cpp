//===-- atsan_interceptors_dlclose.cpp ------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The variables of a library end their life when it is unloaded (rule 9). The
// loader unmaps it by itself: what is missing afterwards was unloaded.
//
//===----------------------------------------------------------------------===//
#include <link.h>

#include "runtime/intercept/atsan_interceptors.h"
#include "runtime/regions/atsan_region_exclusion.h"
#include "sanitizer_common/sanitizer_symbolizer.h"

using namespace __atsan;

namespace {

struct Range {
  uptr begin;
  uptr size;
};
typedef InternalMmapVector<Range> Ranges;

int AddWritableSegments(dl_phdr_info *info, size_t, void *ranges) {
  for (u32 i = 0; i < info->dlpi_phnum; i++) {
    const auto &segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_W))
      static_cast<Ranges *>(ranges)->push_back(
          {info->dlpi_addr + segment.p_vaddr, segment.p_memsz});
  }
  return 0;
}

bool Contains(const Ranges &ranges, const Range &range) {
  for (const Range &other : ranges)
    if (other.begin == range.begin)
      return true;
  return false;
}

}  // namespace

DECLARE_REAL(int, dlclose, void *library)

// How many modules were unloaded so far.
static u64 Unloaded() {
  u64 number = 0;
  dl_iterate_phdr(
      [](dl_phdr_info *info, size_t, void *number) {
        *static_cast<u64 *>(number) = info->dlpi_subs;
        return 1;  // All say the same.
      },
      &number);
  return number;
}

// What was known of its code is forgotten: other code may come there.
static int Unload(void *library) {
  const u64 before = Unloaded();
  const int res = REAL(dlclose)(library);
  if (Unloaded() == before)
    return res;
  ScopedInRuntime in_runtime(cur_thread);
  Symbolizer::GetOrInit()->InvalidateModuleList();
  ExclusionsForgetAnswers();
  return res;
}

ATSAN_INTERCEPTOR(int, dlclose, void *library) {
  EnsureReady();
  // A region that begins later has seen none of it.
  if (!GateIsOpen())
    return Unload(library);
  Ranges before, after;
  dl_iterate_phdr(AddWritableSegments, &before);
  int res = Unload(library);
  dl_iterate_phdr(AddWritableSegments, &after);
  for (const Range &range : before)
    if (!Contains(after, range))
      ForgetRange(reinterpret_cast<void *>(range.begin), range.size,
                  EventKind::Death);
  return res;
}
