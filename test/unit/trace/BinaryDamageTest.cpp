//===- BinaryDamageTest.cpp -----------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever is wrong with a file: what is handed out is the begin of what was
// written, and unless that is all of it, there is a reason.
//
//===----------------------------------------------------------------------===//

#include "RandomTrace.h"
#include "lib/event/BinaryFormat.h"
#include "lib/trace/BinaryReader.h"
#include "gtest/gtest.h"
#include <cstring>

using namespace atsan::trace;

namespace {

/// How many events could be read. `MayDiffer`: what cannot be told.
size_t readBegin(const std::string &Bytes, const std::vector<Event> &Events) {
  std::string Error;
  const auto Reader = readBinary(Bytes, "file", Error);
  if (!Reader) {
    EXPECT_EQ(Error.substr(0, 6), "file: ");
    EXPECT_EQ(Error.find('\n'), std::string::npos);
    return 0;
  }
  size_t Count = 0;
  for (EventSpan Span; !(Span = Reader->next()).empty();)
    for (const Event &E : Span) {
      if (Count >= Events.size() || !same(E, Events[Count])) {
        ADD_FAILURE() << "event " << Count + 1 << " is not what was written";
        return Count;
      }
      ++Count;
    }
  const std::string &Damage = Reader->damage();
  EXPECT_TRUE(Count == Events.size() || !Damage.empty())
      << Count << " of " << Events.size();
  if (!Damage.empty()) {
    EXPECT_EQ(Damage.substr(0, 6), "file: ");
    EXPECT_EQ(Damage.find('\n'), std::string::npos);
  }
  return Count;
}

std::vector<Event> smallTrace(unsigned Seed) {
  std::mt19937_64 Random(Seed);
  std::vector<Event> Events;
  while (Events.size() < 20 || Events.size() > 400)
    Events = randomTrace(Random);
  return Events;
}

TEST(BinaryDamage, CutAnywhere) {
  for (unsigned Seed = 0; Seed < 4; ++Seed) {
    const std::vector<Event> Events = smallTrace(Seed);
    const std::string Bytes = toBinary(Events, TestNames());
    size_t Best = 0;
    for (size_t Size = 0; Size < Bytes.size(); ++Size) {
      const size_t Count = readBegin(Bytes.substr(0, Size), Events);
      if (HasFailure())
        FAIL() << "seed " << Seed << ", cut to " << Size;
      Best = std::max(Best, Count);
    }
    // All but the last records are there.
    EXPECT_GT(Best, 0u);
  }
}

TEST(BinaryDamage, AnyByte) {
  for (unsigned Seed = 0; Seed < 4; ++Seed) {
    const std::vector<Event> Events = smallTrace(Seed);
    const std::string Bytes = toBinary(Events, TestNames());
    std::mt19937_64 Random(Seed);
    for (size_t At = 0; At < Bytes.size(); ++At) {
      std::string Damaged = Bytes;
      Damaged[At] = static_cast<char>(Damaged[At] ^ (1 + Random() % 255));
      readBegin(Damaged, Events);
      if (HasFailure())
        FAIL() << "seed " << Seed << ", byte " << At;
    }
  }
}

// Without checksums, only the end of the world is forbidden.
TEST(BinaryDamage, AnyRecords) {
  std::mt19937_64 Random(7);
  const std::string Bytes = toBinary(smallTrace(7), TestNames());
  constexpr size_t Records =
      binary::FileHeaderSize + sizeof(binary::BlockHeader);
  for (unsigned Case = 0; Case < cases(2000); ++Case) {
    std::string Damaged = Bytes;
    const auto State = binary::BlockState::Open;
    std::memcpy(
        &Damaged[binary::FileHeaderSize + offsetof(binary::BlockHeader, State)],
        &State, sizeof(State));
    for (size_t I = Records; I < Damaged.size(); ++I)
      if (Random() % 20 == 0)
        Damaged[I] = static_cast<char>(Random());
    std::string Error;
    const auto Reader = readBinary(Damaged, "file", Error);
    ASSERT_TRUE(Reader) << Error;
    uint64_t Count = 0;
    for (EventSpan Span; !(Span = Reader->next()).empty();) {
      for (const Event &E : Span)
        ASSERT_LT(static_cast<unsigned>(E.Kind), NumEventKinds);
      if ((Count += Span.Count) > 1000000)
        break;
    }
  }
}

TEST(BinaryDamage, EmptyAndForeign) {
  std::string Error;
  for (const char *Text : {"", "T1|r(x)|17\n", "AtSanTr1",
                           "\x7f"
                           "ELF"}) {
    Error.clear();
    EXPECT_FALSE(readBinary(Text, "file", Error));
    EXPECT_EQ(Error.substr(0, 6), "file: ");
  }
  EXPECT_FALSE(openBinary("/nonexistent/trace", Error));
  EXPECT_EQ(Error, "/nonexistent/trace: No such file or directory");
  EXPECT_FALSE(openBinary("/dev/null", Error));
  EXPECT_NE(Error.find("not a regular file"), std::string::npos);
}

TEST(BinaryDamage, NoEvents) {
  EXPECT_EQ(readBegin(toBinary({}, TestNames()), {}), 0u);
}

} // namespace
