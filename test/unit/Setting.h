//===- Setting.h ----------------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many random cases a test tries, and which: from the environment.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_UNIT_SETTING_H
#define ATSAN_UNIT_SETTING_H

#include <cstdint>
#include <cstdlib>

namespace atsan_test {

inline uint64_t setting(const char *Name, uint64_t Default) {
  const char *Text = std::getenv(Name);
  return Text ? std::strtoull(Text, nullptr, 10) : Default;
}

} // namespace atsan_test

#endif // ATSAN_UNIT_SETTING_H
