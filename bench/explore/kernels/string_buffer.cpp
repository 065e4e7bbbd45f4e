//===-- string_buffer.cpp -------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The string buffer of "A Type and Effect System for Atomicity" (PLDI 2003):
// who appends another buffer asks for its length, and for its characters after
// that.
//
//===----------------------------------------------------------------------===//
#include "bench/explore/kernels/kernel.h"

namespace {

class Buffer {
public:
  explicit Buffer(int Length) : Length(Length) {}

  void append(Buffer &Other) {
    Region R("append");
    std::lock_guard<std::recursive_mutex> Guard(Lock);
#ifdef FIXED
    std::lock_guard<std::recursive_mutex> Held(Other.Lock);
#endif
    const int More = Other.length();
    Other.copy(More, Text + Length);
    Length += More;
  }
  void clear() {
    std::lock_guard<std::recursive_mutex> Guard(Lock);
    Length = 0;
  }

private:
  int length() {
    std::lock_guard<std::recursive_mutex> Guard(Lock);
    return Length;
  }
  void copy(int Count, char *To) {
    std::lock_guard<std::recursive_mutex> Guard(Lock);
    assert(Count <= Length);
    memcpy(To, Text, Count);
  }

  std::recursive_mutex Lock;
  char Text[16] = "abcdefg";
  int Length;
};

} // namespace

void test() {
  Buffer One(3), Other(4);
  inParallel([&] { One.append(Other); }, [&] { Other.clear(); });
}
