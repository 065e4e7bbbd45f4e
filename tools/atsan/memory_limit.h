//===- memory_limit.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What keeps --max-memory where memory comes in large pieces: a table that
// grows is copied into one twice as large, and nobody is asked in between.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TOOL_MEMORY_LIMIT_H
#define ATSAN_TOOL_MEMORY_LIMIT_H

#include <cstdint>

namespace atsan::tool {

/// While it exists, `operator new` of a megabyte or more throws std::bad_alloc
/// if the process would come to have more memory than \p Bytes (0: no limit).
/// For one thread, one at a time.
class MemoryLimit {
public:
  explicit MemoryLimit(uint64_t Bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit &) = delete;
  MemoryLimit &operator=(const MemoryLimit &) = delete;
};

} // namespace atsan::tool

#endif // ATSAN_TOOL_MEMORY_LIMIT_H
