//===-- atsan_saved_state.h -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strategy's memory as bytes: a magic word, a version, whose it is, the size,
// the numbers one after the other (little-endian), a checksum. The reader
// believes nothing: files are cut, damaged, and of other programs.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_SAVED_STATE_H
#define ATSAN_SAVED_STATE_H

#include "sanitizer_common/sanitizer_common.h"

namespace __atsan {

using namespace __sanitizer;

// FNV-1a: another byte at any one place gives another sum.
u64 Checksum(const char *bytes, uptr size);

class StateWriter {
 public:
  // Appends to `to`. `owner`: the strategy's name.
  StateWriter(InternalMmapVector<char> *to, const char *owner);
  // Writes the checksum.
  ~StateWriter();
  StateWriter(const StateWriter &) = delete;
  void operator=(const StateWriter &) = delete;

  void Put8(u8 x) { Put(x, 1); }
  void Put32(u32 x) { Put(x, 4); }
  void Put64(u64 x) { Put(x, 8); }

 private:
  void Put(u64 x, u32 bytes);

  InternalMmapVector<char> *const to_;
  const uptr begin_;
};

// Behind the end, and in what is not the owner's, all numbers are 0.
class StateReader {
 public:
  StateReader(const char *from, uptr size, const char *owner);

  u8 Get8() { return static_cast<u8>(Get(1)); }
  u32 Get32() { return static_cast<u32>(Get(4)); }
  u64 Get64() { return Get(8); }
  // Returns how many things follow, of which each takes `bytes` at least; 0 if
  // there cannot be so many.
  u32 GetCount(u32 bytes);

  void Reject() { good_ = false; }
  // Whether nothing was wrong so far.
  bool Good() const { return good_; }
  // Whether all was right, and read.
  bool Complete() const { return good_ && at_ == end_; }

 private:
  u64 Get(u32 bytes);

  const char *from_;
  uptr at_ = 0;
  uptr end_ = 0;  // The checksum begins there.
  bool good_ = false;
};

}  // namespace __atsan

#endif  // ATSAN_SAVED_STATE_H
