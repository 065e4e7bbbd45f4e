//===- BinaryBlocks.h -----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The blocks of a binary trace: where they are in the file, and in which order
// each thread wrote its own.
//
//===----------------------------------------------------------------------===//

#ifndef ATSAN_TRACE_BINARYBLOCKS_H
#define ATSAN_TRACE_BINARYBLOCKS_H

#include "lib/event/BinaryFormat.h"
#include <memory>
#include <string>
#include <vector>

namespace atsan::trace {

/// Bytes that can be read at any place.
class RandomAccess {
public:
  virtual ~RandomAccess() = default;
  virtual uint64_t size() const = 0;
  /// How many of Size bytes at Offset could be read.
  virtual size_t read(uint64_t Offset, void *Data, size_t Size) const = 0;
};

/// Opens a file. Null, and a reason in Error, if it is no file that can be read
/// at any place.
std::unique_ptr<RandomAccess> openFile(const std::string &Path,
                                       std::string &Error);
std::unique_ptr<RandomAccess> inMemory(std::string Bytes);

struct BinaryBlock {
  uint64_t Offset;   ///< Where its header is in the file.
  uint64_t FirstRun; ///< The run of its first record.
  uint32_t Size;
  uint32_t Used; ///< The bytes of its records, as far as they are there.
  uint32_t Next; ///< The thread's next block; NoBlock: there is none.
  bool IsCut;    ///< Whether the file ends within it.
  binary::BlockState State;
};
constexpr uint32_t NoBlock = UINT32_MAX;

struct ThreadBlocks {
  uint32_t Thread;
  uint32_t First;
  uint32_t Last;
};

/// The headers of a whole file.
struct BinaryIndex {
  binary::FileHeader File;
  std::vector<BinaryBlock> Blocks;
  std::vector<ThreadBlocks> Threads; ///< Ordered by their first blocks.
  /// What is wrong at which place, in words; empty: nothing. The blocks before
  /// are good.
  std::string Damage;
};

/// Fills the index. False, and the reason in Error, if the file's own header is
/// no good.
bool indexBlocks(const RandomAccess &Bytes, BinaryIndex &Index,
                 std::string &Error);

/// Reads the records of a block. False: its checksum, which is taken of closed
/// blocks that are not cut, does not fit.
bool readRecords(const RandomAccess &Bytes, const BinaryBlock &Block,
                 std::vector<uint8_t> &Records);

} // namespace atsan::trace

#endif // ATSAN_TRACE_BINARYBLOCKS_H
