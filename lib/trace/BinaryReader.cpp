//===- BinaryReader.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runs of all threads are numbered in the observed order, and each thread
// wrote its own in that order. So the reader always takes the lowest number
// that comes next anywhere, and decodes that thread up to its next run. A block
// is in memory while its thread is in the middle of it.
//
// A number may be missing only where a thread was stopped between taking it and
// writing it down, at the end of its last block, which then was never closed.
// Nothing that was recorded can depend on what that thread did not record.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/BinaryReader.h"
#include "lib/trace/BinaryBlocks.h"
#include "lib/trace/BinaryDecoder.h"
#include "lib/trace/LiveTrace.h"
#include <algorithm>
#include <cstring>

namespace atsan::trace {

using namespace binary;

namespace {

class BinaryReader final : public Source {
public:
  BinaryReader(std::unique_ptr<RandomAccess> Bytes, std::string Name)
      : Bytes(std::move(Bytes)), Name(std::move(Name)) {}

  bool open(std::string &Error);

  EventSpan next() override;
  const std::string &damage() const override { return Damage; }
  const Names &names() const override { return Known; }
  uint64_t bytesRead() const override { return Read; }
  uint64_t bytesTotal() const override { return Bytes->size(); }

private:
  // A thread that has more to say.
  struct Cursor {
    uint32_t Thread;
    uint32_t Block; ///< The current one, or the first if Decoder is null.
    std::unique_ptr<BinaryDecoder> Decoder;
    std::vector<uint8_t> Records;
  };
  // A thread that waits, and the number of its next run.
  struct Waiting {
    uint64_t Run;
    uint32_t Thread; ///< An index of Cursors.
    bool operator<(const Waiting &O) const { return Run > O.Run; }
  };

  void push(uint64_t Run, uint32_t Thread);
  bool pickRun();
  bool load(Cursor &C, uint32_t Block);
  bool nextBlock(Cursor &C);
  void damaged(uint64_t Offset, const std::string &Why);
  void endOfEvents();
  void stillWritten();

  static constexpr size_t BatchSize = 8192;
  static constexpr uint32_t None = UINT32_MAX;

  std::unique_ptr<RandomAccess> Bytes;
  std::string Name;
  BinaryIndex Index;
  BinaryNames Known;
  std::vector<Cursor> Cursors;
  std::vector<Waiting> Heap;
  uint32_t Current = None;
  uint64_t Run = 0;     ///< The run of Current; later the last run.
  uint64_t MayMiss = 0; ///< How many numbers of runs may be missing.
  bool IsOver = false;
  bool IsLive = false; ///< The program that is traced still ran.
  std::vector<Event> Batch;
  std::string Damage;
  uint64_t Read = FileHeaderSize;
};

} // namespace

bool BinaryReader::open(std::string &Error) {
  std::string Why;
  if (!indexBlocks(*Bytes, Index, Why)) {
    Error = Name + ": " + Why;
    return false;
  }
  IsLive = isStillWritten(Name, Index.File.Process, Index.File.StartTime);
  Cursors.reserve(Index.Threads.size());
  for (const ThreadBlocks &T : Index.Threads) {
    if (Index.Blocks[T.Last].State == BlockState::Open && Index.Damage.empty())
      ++MayMiss;
    Cursors.push_back({T.Thread, T.First, nullptr, {}});
    if (const uint64_t First = Index.Blocks[T.First].FirstRun)
      push(First, static_cast<uint32_t>(Cursors.size() - 1));
  }
  Batch.reserve(BatchSize);
  return true;
}

void BinaryReader::push(uint64_t Next, uint32_t Thread) {
  Heap.push_back({Next, Thread});
  std::push_heap(Heap.begin(), Heap.end());
}

void BinaryReader::stillWritten() {
  Damage =
      Name + ": process " + std::to_string(Index.File.Process) +
      " is still writing this trace, of which only the beginning was read. "
      "Let it end first";
}

void BinaryReader::damaged(uint64_t Offset, const std::string &Why) {
  IsOver = true;
  if (IsLive)
    return stillWritten();
  Damage = Name + ": damaged at byte " + std::to_string(Offset) + ": " + Why +
           ". Everything before was read";
}

// Ends the trace when no thread has more: was that all?
void BinaryReader::endOfEvents() {
  IsOver = true;
  const std::string Missing = ". What happened later is missing";
  if (IsLive)
    stillWritten();
  else if (!Index.Damage.empty())
    Damage = Name + ": " + Index.Damage + Missing;
  else if (Index.File.How == Ending::SizeLimit)
    Damage = Name + ": recording stopped at trace_size_limit" + Missing;
  else if (Index.File.How == Ending::NoSpace)
    Damage = Name + ": recording stopped since the disk was full" + Missing;
}

bool BinaryReader::load(Cursor &C, uint32_t Block) {
  const BinaryBlock &B = Index.Blocks[Block];
  if (!readRecords(*Bytes, B, C.Records)) {
    damaged(B.Offset, "the checksum of this block does not fit");
    return false;
  }
  C.Block = Block;
  Read += B.Size;
  if (!C.Decoder)
    C.Decoder = std::make_unique<BinaryDecoder>();
  C.Decoder->start(C.Thread, B.FirstRun, C.Records.data(), C.Records.size());
  return true;
}

/// Goes to the thread's next block. False: the thread has no more, or something
/// is wrong.
bool BinaryReader::nextBlock(Cursor &C) {
  const BinaryBlock &B = Index.Blocks[C.Block];
  const uint64_t End = B.Offset + sizeof(BlockHeader) + B.Used;
  if (B.IsCut) {
    endOfEvents();
    return false;
  }
  if (B.Next != NoBlock) {
    if (B.State == BlockState::Last)
      damaged(End, "a thread goes on after its last block");
    else if (Index.Blocks[B.Next].FirstRun != C.Decoder->run())
      damaged(Index.Blocks[B.Next].Offset,
              "a block that does not continue the one before");
    else
      return load(C, B.Next);
    return false;
  }
  C.Decoder.reset();
  C.Records = {};
  if (B.State == BlockState::Full) {
    if (!Index.Damage.empty())
      endOfEvents();
    else
      damaged(End, "the rest of this thread is missing");
  }
  return false;
}

/// Makes Current the thread whose run is next; false: there is none.
bool BinaryReader::pickRun() {
  if (Heap.empty()) {
    endOfEvents();
    return false;
  }
  std::pop_heap(Heap.begin(), Heap.end());
  const Waiting W = Heap.back();
  Heap.pop_back();
  Cursor &C = Cursors[W.Thread];
  if (!C.Decoder && !load(C, C.Block))
    return false;
  if (W.Run <= Run) {
    damaged(Index.Blocks[C.Block].Offset,
            "run " + std::to_string(W.Run) + " is there twice");
    return false;
  }
  const uint64_t Missing = W.Run - Run - 1;
  if (Missing > MayMiss) {
    if (Index.Damage.empty())
      damaged(Index.Blocks[C.Block].Offset,
              "runs " + std::to_string(Run + 1) + " to " +
                  std::to_string(W.Run - 1) + " are missing");
    else
      endOfEvents();
    return false;
  }
  MayMiss -= Missing;
  Run = W.Run;
  Current = W.Thread;
  return true;
}

EventSpan BinaryReader::next() {
  Batch.clear();
  while (!IsOver && Batch.size() < BatchSize) {
    if (Current == None && !pickRun())
      break;
    Cursor &C = Cursors[Current];
    switch (C.Decoder->decode(Batch, BatchSize, Known)) {
    case BinaryDecoder::Stop::Full:
      break;
    case BinaryDecoder::Stop::Run:
      push(C.Decoder->run(), Current);
      Current = None;
      break;
    case BinaryDecoder::Stop::BlockEnd:
      if (!nextBlock(C))
        Current = None;
      break;
    case BinaryDecoder::Stop::Damage:
      damaged(Index.Blocks[C.Block].Offset + sizeof(BlockHeader) +
                  C.Decoder->offset(),
              C.Decoder->problem());
      break;
    }
  }
  return {Batch.data(), Batch.size()};
}

bool isBinaryTrace(const char *Data, size_t Size) {
  return Size >= sizeof(FileMagic) &&
         !std::memcmp(Data, FileMagic, sizeof(FileMagic));
}

static std::unique_ptr<Source> make(std::unique_ptr<RandomAccess> Bytes,
                                    const std::string &Name,
                                    std::string &Error) {
  auto Reader = std::make_unique<BinaryReader>(std::move(Bytes), Name);
  if (!Reader->open(Error))
    return nullptr;
  return Reader;
}

std::unique_ptr<Source> openBinary(const std::string &Path,
                                   std::string &Error) {
  std::string Why;
  std::unique_ptr<RandomAccess> Bytes = openFile(Path, Why);
  if (!Bytes) {
    Error = Path + ": " + Why;
    return nullptr;
  }
  return make(std::move(Bytes), Path, Error);
}

std::unique_ptr<Source> readBinary(std::string Bytes, const std::string &Name,
                                   std::string &Error) {
  return make(inMemory(std::move(Bytes)), Name, Error);
}

} // namespace atsan::trace
