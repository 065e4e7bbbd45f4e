//===- BinaryOrderTest.cpp ------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files as a traced program leaves them: blocks that are open, numbers that
// were taken but not used, loops in one record. Built by hand.
//
//===----------------------------------------------------------------------===//

#include "lib/event/BinaryFormat.h"
#include "lib/trace/BinaryReader.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace atsan::trace;
using namespace atsan::trace::binary;

namespace {

class TraceFile {
public:
  explicit TraceFile(Ending How = Ending::None) : Bytes(FileHeaderSize, '\0') {
    std::memcpy(Header.Magic, FileMagic, sizeof(FileMagic));
    Header.ByteOrder = ByteOrderMark;
    Header.FormatVersion = Version;
    Header.Checksum = checksum(&Header, offsetof(FileHeader, Checksum));
    Header.How = How;
  }

  /// `Put` gets an encoder and a place, and returns the new place.
  template <class F>
  TraceFile &block(uint32_t Thread, uint64_t FirstRun, BlockState State,
                   F Put) {
    std::vector<uint8_t> Records(1 << 12);
    Encoder Code;
    Code.reset();
    BlockHeader H = {};
    H.Magic = BlockMagic;
    H.Size = static_cast<uint32_t>(sizeof(H) + Records.size());
    H.Thread = Thread;
    H.FirstRun = FirstRun;
    H.Used = static_cast<uint64_t>(Put(Code, Records.data()) - Records.data());
    H.State = State;
    H.Checksum = checksum(&H, offsetof(BlockHeader, Checksum));
    if (State != BlockState::Open)
      H.RecordsChecksum = recordsChecksum(H, Records.data());
    Bytes.append(reinterpret_cast<const char *>(&H), sizeof(H));
    Bytes.append(reinterpret_cast<const char *>(Records.data()),
                 Records.size());
    return *this;
  }

  /// The addresses of all events, and at the end the reason if it is not all.
  std::string read() {
    Header.End = Bytes.size();
    std::memcpy(&Bytes[0], &Header, sizeof(Header));
    std::string Text;
    const auto Reader = readBinary(Bytes, "file", Text);
    if (!Reader)
      return Text;
    for (EventSpan Span; !(Span = Reader->next()).empty();)
      for (const Event &E : Span)
        Text += "T" + std::to_string(E.Thread) + ":" +
                std::to_string(E.Address) + " ";
    return Text + Reader->damage();
  }

private:
  FileHeader Header = {};
  std::string Bytes;
};

Item at(uint64_t Address) { return {Address, 8, 1, shapeOf(EventKind::Write)}; }

auto one(uint64_t Address) {
  return [=](Encoder &C, uint8_t *Out) { return C.event(Out, at(Address)); };
}

TEST(BinaryOrder, RunsOfOpenBlocks) {
  TraceFile File;
  File.block(0, 1, BlockState::Open, [](Encoder &C, uint8_t *Out) {
    Out = C.event(Out, at(10));
    Out = C.run(Out, 1, 3);
    return C.event(Out, at(30));
  });
  File.block(1, 2, BlockState::Open, [](Encoder &C, uint8_t *Out) {
    Out = C.event(Out, at(20));
    Out = C.run(Out, 2, 4);
    return C.event(Out, at(40));
  });
  EXPECT_EQ(File.read(), "T0:10 T1:20 T0:30 T1:40 ");
}

// Killed between taking a number and writing it down.
TEST(BinaryOrder, ANumberForEachOpenBlockMayBeMissing) {
  TraceFile File;
  File.block(0, 1, BlockState::Open, one(10));
  File.block(1, 3, BlockState::Open, one(30));
  File.block(2, 5, BlockState::Last, one(50));
  EXPECT_EQ(File.read(), "T0:10 T1:30 T2:50 ");
}

TEST(BinaryOrder, NoMoreMayBeMissing) {
  TraceFile File;
  File.block(0, 1, BlockState::Open, one(10));
  File.block(1, 3, BlockState::Last, one(30));
  File.block(2, 5, BlockState::Last, one(50));
  EXPECT_EQ(File.read(),
            "T0:10 T1:30 file: damaged at byte 12416: runs 4 to 4 are missing. "
            "Everything before was read");
}

TEST(BinaryOrder, BlockThatGoesOn) {
  TraceFile File;
  File.block(0, 1, BlockState::Full, one(10));
  File.block(1, 2, BlockState::Last, one(20));
  // Nothing more of run 1.
  File.block(0, 1, BlockState::Last, [](Encoder &C, uint8_t *Out) {
    return C.event(C.run(Out, 1, 3), at(30));
  });
  EXPECT_EQ(File.read(), "T0:10 T1:20 T0:30 ");
}

// Killed between making a block and closing the one before.
TEST(BinaryOrder, OpenBlockThatGoesOn) {
  TraceFile File;
  File.block(0, 1, BlockState::Open, one(10));
  File.block(0, 1, BlockState::Open, one(11));
  EXPECT_EQ(File.read(), "T0:10 T0:11 ");
}

TEST(BinaryOrder, EmptyBlocks) {
  TraceFile File;
  const auto Nothing = [](Encoder &, uint8_t *Out) { return Out; };
  File.block(0, 0, BlockState::Open, Nothing);
  File.block(1, 1, BlockState::Full, one(10));
  File.block(1, 1, BlockState::Last, Nothing);
  EXPECT_EQ(File.read(), "T1:10 ");
}

TEST(BinaryOrder, Loop) {
  TraceFile File;
  File.block(0, 1, BlockState::Open, [](Encoder &C, uint8_t *Out) {
    Out = C.many(Out, at(10), 3, 5);
    Out = C.event(Out, at(100));
    return C.many(Out, at(7), 2, uint64_t(0) - 7);
  });
  EXPECT_EQ(File.read(), "T0:10 T0:15 T0:20 T0:100 T0:7 T0:0 ");
}

// Longer than what is handed out at once.
TEST(BinaryOrder, LongLoop) {
  TraceFile File;
  File.block(0, 1, BlockState::Open, [](Encoder &C, uint8_t *Out) {
    return C.many(Out, at(0), MaxMany, 1);
  });
  const std::string Text = File.read();
  EXPECT_EQ(Text.substr(Text.size() - 12), "T0:16777215 ");
}

TEST(BinaryOrder, HostileNumbers) {
  const auto Damage = [](const char *Why) {
    return std::string("file: damaged at byte 4160: ") + Why +
           ". Everything before was read";
  };
  TraceFile TooMany;
  TooMany.block(0, 1, BlockState::Open, [](Encoder &C, uint8_t *Out) {
    return C.many(Out, at(0), uint64_t(1) << 63, 1);
  });
  EXPECT_EQ(TooMany.read(), Damage("a loop of none, or too many, accesses"));
  TraceFile Around;
  Around.block(0, 5, BlockState::Open, [](Encoder &C, uint8_t *Out) {
    return C.event(C.run(Out, 5, 4), at(1));
  });
  EXPECT_EQ(Around.read(), "file: damaged at byte 4096: runs 1 to 4 are "
                           "missing. Everything before was read");
  TraceFile Again;
  Again.block(0, 1, BlockState::Open, one(10));
  Again.block(1, 1, BlockState::Open, one(11));
  EXPECT_EQ(Again.read(), "T0:10 file: damaged at byte 8256: run 1 is there "
                          "twice. Everything before was read");
  TraceFile Kind;
  Kind.block(0, 1, BlockState::Open, [](Encoder &C, uint8_t *Out) {
    return C.event(Out, {1, 1, 1, 0x1f});
  });
  EXPECT_EQ(Kind.read(), Damage("an event of unknown kind"));
  TraceFile Prediction;
  Prediction.block(0, 1, BlockState::Open, [](Encoder &, uint8_t *Out) {
    *Out++ = 5;
    return Out;
  });
  EXPECT_EQ(Prediction.read(),
            Damage("an event that follows from nothing before"));
}

TEST(BinaryOrder, Endings) {
  TraceFile Limit(Ending::SizeLimit);
  Limit.block(0, 1, BlockState::Last, one(10));
  EXPECT_EQ(Limit.read(), "T0:10 file: recording stopped at trace_size_limit. "
                          "What happened later is missing");
  TraceFile NoSpace(Ending::NoSpace);
  EXPECT_EQ(NoSpace.read(), "file: recording stopped since the disk was full. "
                            "What happened later is missing");
  TraceFile Rest;
  Rest.block(0, 1, BlockState::Full, one(10));
  EXPECT_EQ(Rest.read(),
            "T0:10 file: damaged at byte 4165: the rest of this thread is "
            "missing. Everything before was read");
}

} // namespace
