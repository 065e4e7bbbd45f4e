//===-- atsan_access.h ------------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One access on one granule: which edges it adds, what is remembered of it.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_ACCESS_H
#define ATSAN_ACCESS_H

#include "lib/checker/atsan_graph.h"
#include "lib/checker/atsan_shadow.h"

namespace __atsan {

// The bytes of a granule that lie from `begin` up to `end`, as a bit mask.
inline u32 BytesBetween(uptr granule, uptr begin, uptr end) {
  u32 bytes = 0xff;
  if (granule < begin)
    bytes &= 0xff << (begin - granule);
  if (end - granule < kGranule)
    bytes &= (1u << (end - granule)) - 1;
  return bytes;
}

// Calls f(granule, mask of the bytes in it), in ascending order. Does nothing
// for addresses that have no shadow.
template <typename F>
void ForEachGranule(uptr addr, uptr size, F f) {
  if (!HasShadow(addr) || !HasShadow(addr + size - 1))
    return;
  for (uptr g = RoundDownTo(addr, kGranule); g < addr + size; g += kGranule)
    f(g, BytesBetween(g, addr, addr + size));
}

enum class AccessPart {
  kEdgesAndRecord,
  kEdgesOnly,
  kRecordOnly,
};

// Does an access: the bytes (bit mask) of the granule at `granule` are read or
// written.
void AccessGranule(EventContext *ev, uptr granule, u32 bytes, bool is_write,
                   AccessPart part);
// Inside a region: `rows` rows of `size` bytes each, of which one begins every
// `stride` bytes, as far as they need neither edges nor lists with other
// transactions that are not there yet. Returns how many were done. The next one
// is for RecordRange or AccessGranule: also one that is more than a granule but
// not whole ones, or crosses the border of a page.
uptr RecordRows(EventContext *ev, uptr addr, uptr size, sptr stride, uptr rows,
                bool is_write);
// Inside a region: records the bytes from `begin` to `end`, as far as they need
// neither edges nor lists with other transactions that are not there yet.
// Returns where that ends; the granule there is for AccessGranule.
uptr RecordRange(const CheckerThread *thr, LocId loc, uptr begin, uptr end,
                 bool is_write);
// Outside regions: can nothing ever reach these bytes' access, and does it
// conflict with nothing live? A false answer is always right.
bool IsIrrelevantOutside(const CheckerThread *thr, uptr addr, uptr size,
                         bool is_write);
// What the sweeps of its page say of a granule, in a cell of its own. The
// caller is at work in the page.
Cell Unsweep(uptr granule, const CellRef &ref);

}  // namespace __atsan

#endif  // ATSAN_ACCESS_H
