//===-- atsan_saved_state.cpp -----------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The bytes of atsan_saved_state.h.
//
//===----------------------------------------------------------------------===//
#include "lib/schedule/atsan_saved_state.h"

#include "sanitizer_common/sanitizer_libc.h"

namespace __atsan {

static constexpr u64 kMagic = 0x6863536e61537441ull;  // "AtSanSch"
static constexpr u32 kVersion = 2;
static constexpr uptr kSizeAt = 8 + 4 + 8;
static constexpr uptr kHeader = kSizeAt + 8;
static constexpr uptr kChecksum = 8;

u64 Checksum(const char *bytes, uptr size) {
  u64 sum = 0xcbf29ce484222325ull;
  for (uptr i = 0; i < size; i++)
    sum = (sum ^ static_cast<u8>(bytes[i])) * 0x100000001b3ull;
  return sum;
}

static void Encode(u64 x, u32 bytes, char *to) {
  for (u32 i = 0; i < bytes; i++)
    to[i] = static_cast<char>(x >> (8 * i));
}

static u64 Decode(const char *from, u32 bytes) {
  u64 x = 0;
  for (u32 i = 0; i < bytes; i++)
    x |= static_cast<u64>(static_cast<u8>(from[i])) << (8 * i);
  return x;
}

StateWriter::StateWriter(InternalMmapVector<char> *to, const char *owner)
    : to_(to), begin_(to->size()) {
  Put64(kMagic);
  Put32(kVersion);
  Put64(Checksum(owner, internal_strlen(owner)));
  Put64(0);
}

StateWriter::~StateWriter() {
  Encode(to_->size() - begin_ - kHeader, 8, to_->data() + begin_ + kSizeAt);
  Put64(Checksum(to_->data() + begin_, to_->size() - begin_));
}

void StateWriter::Put(u64 x, u32 bytes) {
  const uptr at = to_->size();
  // Room for many at a time: each growth copies all.
  if (at + bytes > to_->capacity())
    to_->reserve(2 * (at + bytes));
  to_->resize(at + bytes);
  Encode(x, bytes, to_->data() + at);
}

StateReader::StateReader(const char *from, uptr size, const char *owner)
    : from_(from) {
  if (size < kHeader + kChecksum ||
      Decode(from + size - kChecksum, 8) != Checksum(from, size - kChecksum))
    return;
  end_ = size - kChecksum;
  good_ = true;
  good_ = Get64() == kMagic && Get32() == kVersion &&
          Get64() == Checksum(owner, internal_strlen(owner)) &&
          Get64() == end_ - kHeader;
}

u32 StateReader::GetCount(u32 bytes) {
  const u32 count = Get32();
  if (count > (end_ - at_) / bytes)
    Reject();
  return good_ ? count : 0;
}

u64 StateReader::Get(u32 bytes) {
  if (!good_ || end_ - at_ < bytes) {
    Reject();
    return 0;
  }
  const u64 x = Decode(from_ + at_, bytes);
  at_ += bytes;
  return x;
}

}  // namespace __atsan
