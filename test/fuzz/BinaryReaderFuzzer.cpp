//===- BinaryReaderFuzzer.cpp ---------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Feeds arbitrary bytes to the reader of binary traces. Checksums would keep
// most of them from being looked at, so they are made right, but for an input
// that begins with an odd byte.
//
//===----------------------------------------------------------------------===//

#include "lib/event/BinaryFormat.h"
#include "lib/trace/BinaryReader.h"
#include <cstdlib>
#include <cstring>

using namespace atsan::trace;
using namespace atsan::trace::binary;

static constexpr size_t SmallHeader = 64;

// The input's file header has 64 bytes: the rest would be zeros anyway.
static std::string widened(const std::string &Input) {
  std::string Bytes(FileHeaderSize, '\0');
  const size_t Header = std::min(Input.size(), SmallHeader);
  Bytes.replace(0, Header, Input, 0, Header);
  return Bytes + Input.substr(Header);
}

static void repair(std::string &Bytes) {
  FileHeader File;
  std::memcpy(&File, Bytes.data(), sizeof(File));
  std::memcpy(File.Magic, FileMagic, sizeof(FileMagic));
  File.ByteOrder = ByteOrderMark;
  File.FormatVersion = Version;
  File.Checksum = checksum(&File, offsetof(FileHeader, Checksum));
  std::memcpy(&Bytes[0], &File, sizeof(File));
  for (size_t At = FileHeaderSize; At + sizeof(BlockHeader) <= Bytes.size();) {
    BlockHeader Block;
    std::memcpy(&Block, &Bytes[At], sizeof(Block));
    Block.Magic = BlockMagic;
    Block.Size = Block.Size % 1024 / 8 * 8 + sizeof(Block);
    Block.Thread %= 4;
    Block.Checksum = checksum(&Block, offsetof(BlockHeader, Checksum));
    const BlockState States[] = {BlockState::Open, BlockState::Full,
                                 BlockState::Last};
    Block.State = States[static_cast<uint64_t>(Block.State) % 3];
    Block.Used %= Block.Size - sizeof(Block) + 1;
    if (At + sizeof(Block) + Block.Used <= Bytes.size())
      Block.RecordsChecksum =
          recordsChecksum(Block, &Bytes[At + sizeof(Block)]);
    std::memcpy(&Bytes[At], &Block, sizeof(Block));
    At += Block.Size;
  }
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *Data, size_t Size) {
  if (!Size)
    return 0;
  const bool AsItIs = Data[0] & 1;
  std::string Bytes(reinterpret_cast<const char *>(Data + 1), Size - 1);
  if (!AsItIs) {
    Bytes = widened(Bytes);
    repair(Bytes);
  }
  std::string Error;
  const auto Reader = readBinary(std::move(Bytes), "file", Error);
  if (!Reader) {
    if (Error.empty())
      std::abort();
    return 0;
  }
  // A loop of 16 million accesses has a few bytes only.
  constexpr uint64_t Enough = 100000;
  uint64_t Count = 0;
  for (EventSpan Span; !(Span = Reader->next()).empty();) {
    for (const Event &E : Span)
      if (static_cast<unsigned>(E.Kind) >= NumEventKinds)
        std::abort();
    const Event &E = Span.Data[0];
    (void)Reader->names().thread(E.Thread);
    (void)Reader->names().variable(E.Address);
    (void)Reader->names().region(E.Address);
    if ((Count += Span.Count) > Enough)
      return 0;
  }
  if (!Reader->next().empty())
    std::abort(); // It was over.
  return 0;
}
