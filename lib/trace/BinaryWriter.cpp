//===- BinaryWriter.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread's events are gathered in memory until they fill a block. The run
// number changes whenever another thread goes on.
//
//===----------------------------------------------------------------------===//

#include "lib/trace/BinaryWriter.h"
#include "lib/event/BinaryFormat.h"
#include "lib/trace/BinaryNames.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <unordered_set>

namespace atsan::trace {

using namespace binary;

namespace {

class Writer final : public BinaryWriter {
public:
  explicit Writer(const Names &Known)
      : Known(Known), Recorded(dynamic_cast<const BinaryNames *>(&Known)) {}
  ~Writer() override {
    if (File)
      std::fclose(File);
  }

  /// To be called once, before all others.
  bool open(const std::string &Path) {
    File = std::fopen(Path.c_str(), "wbe");
    if (!File)
      return fail();
    const std::vector<char> Header(FileHeaderSize);
    return append(Header.data(), Header.size());
  }

  bool write(EventSpan Events) override;
  bool finish() override;
  const std::string &error() const override { return Error; }

private:
  struct Buffer {
    uint32_t Thread = 0;
    std::unique_ptr<Encoder> Code; ///< Null: nothing is gathered.
    uint64_t Run = 0;              ///< The run of what is put next.
    uint64_t FirstRun = 0;         ///< The first run of the block.
    std::vector<uint8_t> Records;
    size_t Used = 0;
    /// The file has blocks of it that expect another one.
    bool HasBlocks = false;
  };

  static constexpr size_t FullBlock = 1 << 16;
  /// The most threads of which something is in memory, 80 KiB each.
  static constexpr size_t MostBuffers = 1024;

  bool fail() {
    Error = std::string("the trace cannot be written (") +
            std::strerror(errno) + ")";
    return false;
  }
  bool append(const void *Data, size_t Bytes) {
    Size += Bytes;
    return std::fwrite(Data, 1, Bytes, File) == Bytes || fail();
  }
  Buffer &begin(uint32_t Thread);
  uint8_t *room(Buffer &B, size_t Size);
  void put(Buffer &B, const uint8_t *End) {
    B.Used = static_cast<size_t>(End - B.Records.data());
  }
  bool flush(Buffer &B, BlockState State);
  bool flushAll(BlockState State);
  void define(Buffer &B, const Event &E);
  void defineName(Buffer &B, NameOf Of, uint64_t Number,
                  const std::string &Text);
  void defineLocation(Buffer &B, uint32_t Location);

  std::FILE *File = nullptr;
  const Names &Known;
  const BinaryNames *Recorded; ///< Known as BinaryNames, or null.
  std::map<uint32_t, Buffer> Buffers;
  std::unordered_set<uint64_t> Defined[NumNameKinds];
  size_t DefinedModules = 0;
  size_t Gathering = 0; ///< Buffers that are not empty.
  uint64_t Size = 0;
  uint64_t Run = 0;
  uint32_t LastThread = 0;
  Buffer *Last = nullptr;
  std::string Error;
};

} // namespace

bool Writer::flush(Buffer &B, BlockState State) {
  if (!B.Used && (State == BlockState::Full || !B.HasBlocks))
    return true;
  BlockHeader H = {};
  B.Records.resize((B.Used + 7) / 8 * 8);
  std::fill(B.Records.begin() + static_cast<ptrdiff_t>(B.Used), B.Records.end(),
            0);
  H.Magic = BlockMagic;
  H.Size = static_cast<uint32_t>(sizeof(H) + B.Records.size());
  H.Thread = B.Thread;
  H.FirstRun = B.FirstRun;
  H.Used = B.Used;
  H.State = State;
  H.Checksum = checksum(&H, offsetof(BlockHeader, Checksum));
  H.RecordsChecksum = recordsChecksum(H, B.Records.data());
  if (!append(&H, sizeof(H)) || !append(B.Records.data(), B.Records.size()))
    return false;
  B.HasBlocks = true;
  B.FirstRun = B.Run;
  B.Used = 0;
  B.Records = {};
  if (B.Code)
    --Gathering;
  B.Code.reset();
  return true;
}

bool Writer::flushAll(BlockState State) {
  for (auto &[Thread, B] : Buffers)
    if (!flush(B, State))
      return false;
  return true;
}

uint8_t *Writer::room(Buffer &B, size_t Bytes) {
  if (B.Used >= FullBlock)
    flush(B, BlockState::Full);
  if (!B.Code) {
    B.Code = std::make_unique<Encoder>();
    B.Code->reset();
    ++Gathering;
  }
  if (B.Records.size() < B.Used + Bytes) {
    B.Records.resize(std::max(2 * B.Used, B.Used + Bytes));
    B.Code->moved();
  }
  return B.Records.data() + B.Used;
}

Writer::Buffer &Writer::begin(uint32_t Thread) {
  if (Last && LastThread == Thread)
    return *Last;
  ++Run;
  const auto [It, IsNew] = Buffers.try_emplace(Thread);
  Buffer &B = It->second;
  if (IsNew) {
    B.Thread = Thread;
    B.FirstRun = Run;
  } else {
    uint8_t *Out = room(B, 1 + MaxNumberSize);
    put(B, B.Code->run(Out, B.Run, Run));
  }
  B.Run = Run;
  Last = &B;
  LastThread = Thread;
  return B;
}

void Writer::defineName(Buffer &B, NameOf Of, uint64_t Number,
                        const std::string &Text) {
  const size_t Length = std::min(Text.size(), MaxTextSize);
  uint8_t *Out = room(B, Encoder::nameSize(Length));
  put(B, B.Code->name(Out, Of, Number, Text.data(), Length));
}

void Writer::defineLocation(Buffer &B, uint32_t Location) {
  const auto *Code = Recorded ? Recorded->code(Location) : nullptr;
  if (!Code) {
    defineName(B, NameOf::Location, Location, Known.location(Location));
    return;
  }
  const auto &Modules = Recorded->modules();
  for (; DefinedModules < Modules.size(); ++DefinedModules) {
    const BinaryNames::Module &M = Modules[DefinedModules];
    uint8_t *Out =
        room(B, Encoder::moduleSize(M.Path.size(), M.BuildId.size()));
    put(B, B.Code->module(Out, M.Begin, M.End, M.Bias, M.Path.data(),
                          M.Path.size(), M.BuildId.data(), M.BuildId.size()));
  }
  std::vector<uint64_t> Addresses;
  for (const BinaryNames::Code &C : *Code)
    Addresses.push_back(C.Address);
  uint8_t *Out = room(B, Encoder::locationSize(Addresses.size()));
  put(B, B.Code->location(Out, Location, Addresses.data(), Addresses.size()));
}

/// Puts what the event's numbers stand for, if that is new and not the default.
void Writer::define(Buffer &B, const Event &E) {
  const auto IsNew = [&](NameOf Of, uint64_t Number) {
    return Defined[static_cast<unsigned>(Of)].insert(Number).second;
  };
  const auto Name = [&](NameOf Of, uint64_t Number, auto Text) {
    if (Recorded) {
      const std::string *Own = Recorded->find(Of, Number);
      if (Own && IsNew(Of, Number))
        defineName(B, Of, Number, *Own);
    } else if (IsNew(Of, Number)) {
      defineName(B, Of, Number, Text(Number));
    }
  };
  const auto Thread = [&](uint64_t N) {
    return Known.thread(static_cast<uint32_t>(N));
  };
  if (E.Location && IsNew(NameOf::Location, E.Location))
    defineLocation(B, E.Location);
  Name(NameOf::Thread, E.Thread, Thread);
  switch (E.Kind) {
  case EventKind::Read:
  case EventKind::Write:
  case EventKind::ReadModifyWrite:
    Name(NameOf::Variable, E.Address,
         [&](uint64_t A) { return Known.variable(A); });
    break;
  case EventKind::Acquire:
  case EventKind::Release:
  case EventKind::AcquireShared:
  case EventKind::ReleaseShared:
  case EventKind::TryFailed:
    Name(NameOf::Lock, E.Address, [&](uint64_t A) { return Known.lock(A); });
    break;
  case EventKind::RegionBegin:
  case EventKind::RegionEnd:
    if (E.Address)
      Name(NameOf::Region, E.Address,
           [&](uint64_t A) { return Known.region(A); });
    break;
  case EventKind::Start:
  case EventKind::Join:
    Name(NameOf::Thread, E.Address, Thread);
    break;
  default:
    break;
  }
}

bool Writer::write(EventSpan Events) {
  for (const Event &E : Events) {
    if (!Error.empty())
      return false;
    Buffer &B = begin(E.Thread);
    define(B, E);
    const Item I = {E.Address, E.Size, E.Location,
                    shapeOf(E.Kind, E.IsAtomic, E.IsStack, E.IsFailedExchange)};
    uint8_t *Out = room(B, MaxEventSize);
    put(B, B.Code->event(Out, I));
    if (Gathering > MostBuffers && !flushAll(BlockState::Full))
      return false;
  }
  return true;
}

bool Writer::finish() {
  if (!Error.empty() || !flushAll(BlockState::Last))
    return false;
  FileHeader H = {};
  std::memcpy(H.Magic, FileMagic, sizeof(FileMagic));
  H.ByteOrder = ByteOrderMark;
  H.FormatVersion = Version;
  H.Checksum = checksum(&H, offsetof(FileHeader, Checksum));
  H.End = Size;
  return (!std::fseek(File, 0, SEEK_SET) && append(&H, sizeof(H)) &&
          !std::fflush(File)) ||
         fail();
}

std::unique_ptr<BinaryWriter>
createBinary(const std::string &Path, const Names &Known, std::string &Error) {
  auto Made = std::make_unique<Writer>(Known);
  if (Made->open(Path))
    return Made;
  Error = Made->error();
  return nullptr;
}

} // namespace atsan::trace
