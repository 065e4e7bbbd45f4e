//===- BinaryBlocks.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lib/trace/BinaryBlocks.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <unordered_map>

namespace atsan::trace {

using namespace binary;

namespace {

class File final : public RandomAccess {
public:
  File(int Descriptor, uint64_t Bytes) : Descriptor(Descriptor), Bytes(Bytes) {}
  ~File() override { close(Descriptor); }
  uint64_t size() const override { return Bytes; }
  size_t read(uint64_t Offset, void *Data, size_t Size) const override {
    size_t Done = 0;
    while (Done < Size) {
      const ssize_t N = pread(Descriptor, static_cast<char *>(Data) + Done,
                              Size - Done, static_cast<off_t>(Offset + Done));
      if (N < 0 && errno == EINTR)
        continue;
      if (N <= 0)
        break;
      Done += static_cast<size_t>(N);
    }
    return Done;
  }

private:
  int Descriptor;
  uint64_t Bytes;
};

class Memory final : public RandomAccess {
public:
  explicit Memory(std::string Text) : Text(std::move(Text)) {}
  uint64_t size() const override { return Text.size(); }
  size_t read(uint64_t Offset, void *Data, size_t Size) const override {
    if (Offset >= Text.size() || !Size)
      return 0;
    Size = std::min(Size, Text.size() - static_cast<size_t>(Offset));
    std::memcpy(Data, Text.data() + Offset, Size);
    return Size;
  }

private:
  std::string Text;
};

} // namespace

std::unique_ptr<RandomAccess> openFile(const std::string &Path,
                                       std::string &Error) {
  // A pipe that nobody writes to would be waited for.
  const int Descriptor = open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat Status;
  if (Descriptor < 0 || fstat(Descriptor, &Status)) {
    Error = std::strerror(errno);
    if (Descriptor >= 0)
      close(Descriptor);
    return nullptr;
  }
  if (!S_ISREG(Status.st_mode)) {
    close(Descriptor);
    Error = "not a regular file; copy the trace into one first";
    return nullptr;
  }
  return std::make_unique<File>(Descriptor,
                                static_cast<uint64_t>(Status.st_size));
}

std::unique_ptr<RandomAccess> inMemory(std::string Bytes) {
  return std::make_unique<Memory>(std::move(Bytes));
}

static bool readFileHeader(const RandomAccess &Bytes, FileHeader &H,
                           std::string &Error) {
  if (Bytes.read(0, &H, sizeof(H)) != sizeof(H) ||
      std::memcmp(H.Magic, FileMagic, sizeof(FileMagic)) != 0) {
    Error = "not a binary trace (it does not begin with \"AtSanTr1\")";
    return false;
  }
  if (H.ByteOrder != ByteOrderMark) {
    Error = "a trace of a machine with another byte order; read it there";
    return false;
  }
  if (H.Checksum != checksum(&H, offsetof(FileHeader, Checksum))) {
    Error = "the file's header is damaged; record the trace again";
    return false;
  }
  if (H.FormatVersion < OldestVersion || H.FormatVersion > Version) {
    Error = "a trace of format " + std::to_string(H.FormatVersion) +
            ", and this program reads formats " +
            std::to_string(OldestVersion) + " to " + std::to_string(Version) +
            "; use the atsan that belongs to the traced program's runtime";
    return false;
  }
  return true;
}

static bool isSane(const BlockHeader &H) {
  return H.Magic == BlockMagic &&
         H.Checksum == checksum(&H, offsetof(BlockHeader, Checksum)) &&
         H.Size >= sizeof(H) && H.Size % 8 == 0 && H.Size <= MaxBlockSize &&
         H.Used <= H.Size - sizeof(H) && (H.FirstRun || !H.Used) &&
         (H.State == BlockState::Open || H.State == BlockState::Full ||
          H.State == BlockState::Last);
}

static std::string atByte(uint64_t Offset) {
  return " at byte " + std::to_string(Offset);
}

bool indexBlocks(const RandomAccess &Bytes, BinaryIndex &Index,
                 std::string &Error) {
  if (!readFileHeader(Bytes, Index.File, Error))
    return false;
  const uint64_t Size = Bytes.size();
  const uint64_t Expected = Index.File.End;
  if (Expected > Size)
    Index.Damage =
        "the file is cut" + atByte(Size) + " of " + std::to_string(Expected);
  std::unordered_map<uint32_t, size_t> Known;
  for (uint64_t Offset = FileHeaderSize; Offset < Size;) {
    BlockHeader H;
    if (Bytes.read(Offset, &H, sizeof(H)) != sizeof(H))
      break; // Cut, which is said above.
    // A block that was being made when the program was killed.
    if (Offset >= Expected && !H.Magic)
      break;
    if (!isSane(H)) {
      Index.Damage = "the block" + atByte(Offset) + " is damaged";
      break;
    }
    const uint64_t There = std::min<uint64_t>(H.Size, Size - Offset);
    const uint64_t Used = std::min<uint64_t>(H.Used, There - sizeof(H));
    const auto Number = static_cast<uint32_t>(Index.Blocks.size());
    Index.Blocks.push_back({Offset, H.FirstRun, H.Size,
                            static_cast<uint32_t>(Used), NoBlock, Used < H.Used,
                            H.State});
    const auto [It, IsNew] = Known.emplace(H.Thread, Index.Threads.size());
    if (IsNew) {
      Index.Threads.push_back({H.Thread, Number, Number});
    } else {
      ThreadBlocks &T = Index.Threads[It->second];
      Index.Blocks[T.Last].Next = Number;
      T.Last = Number;
    }
    Offset += H.Size;
  }
  return true;
}

bool readRecords(const RandomAccess &Bytes, const BinaryBlock &Block,
                 std::vector<uint8_t> &Records) {
  Records.resize(Block.Used);
  if (Bytes.read(Block.Offset + sizeof(BlockHeader), Records.data(),
                 Block.Used) != Block.Used)
    return false;
  if (Block.State == BlockState::Open || Block.IsCut)
    return true;
  BlockHeader H;
  return Bytes.read(Block.Offset, &H, sizeof(H)) == sizeof(H) &&
         H.Used == Block.Used && H.State == Block.State &&
         H.FirstRun == Block.FirstRun &&
         H.RecordsChecksum == recordsChecksum(H, Records.data());
}

} // namespace atsan::trace
