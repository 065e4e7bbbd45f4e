//===-- sanitizer/atsan.hpp -------------------------------------*- C++ -*-===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions for C++: a scope is a region, however it is left.
//
//   void Account::transfer(Account &to, int amount) {
//     atsan::atomic_region region("transfer");
//     ...
//   }
//
// ATSAN_ATOMIC before a function makes its whole body a region. See
// <sanitizer/atsan_interface.h> for what a region means. Needs C++11; compiles
// to nothing without -fsanitize=atomicity.
//
//===----------------------------------------------------------------------===//
#ifndef ATSAN_HPP
#define ATSAN_HPP

#include <sanitizer/atsan_interface.h>

#if defined(__GNUC__)
#define ATSAN_INLINE __attribute__((always_inline)) inline
#else
#define ATSAN_INLINE inline
#endif

namespace atsan {

// A region from here to the end of the scope. The end is noexcept, and part of
// the function that it stands in: it adds no handler and no frame.
class atomic_region {
public:
  ATSAN_INLINE atomic_region() noexcept { __atomic_begin(); }
  // The name must live until the region ends; reports have a copy.
  ATSAN_INLINE explicit atomic_region(const char *name) noexcept {
    __atsan_region_begin(name);
  }
  ATSAN_INLINE ~atomic_region() noexcept { __atomic_end(); }

  atomic_region(const atomic_region &) = delete;
  atomic_region &operator=(const atomic_region &) = delete;
};

} // namespace atsan

#undef ATSAN_INLINE

#endif // ATSAN_HPP
