//===- RandomTrace.cpp ----------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomTrace.h"
#include "test/unit/Setting.h"
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <unistd.h>

namespace atsan::trace {

namespace {

class Maker {
public:
  explicit Maker(std::mt19937_64 &Random) : Random(Random) {}

  std::vector<Event> make() {
    const unsigned Threads = pick({1, 2, 3, 8, 40});
    const unsigned Length = pick({0, 1, 10, 100, 3000});
    // From all in one go to one event each in turn.
    const unsigned Stay = pick({1, 2, 30, 1000});
    unsigned Thread = 0;
    while (Events.size() < Length) {
      if (below(Stay) == 0)
        Thread = below(Threads);
      below(4) ? single(Thread) : loop(Thread);
    }
    return std::move(Events);
  }

private:
  unsigned below(unsigned N) { return static_cast<unsigned>(Random() % N); }
  unsigned pick(std::initializer_list<unsigned> Of) {
    return Of.begin()[below(static_cast<unsigned>(Of.size()))];
  }
  uint64_t anyNumber() {
    switch (below(4)) {
    case 0:
      return below(10);
    case 1:
      return 0x7f0000000000 + 8 * below(1000);
    case 2:
      return uint64_t(1) << below(64);
    default:
      return Random();
    }
  }
  Event any(unsigned Thread) {
    Event E;
    E.Thread = below(50) ? Thread : static_cast<uint32_t>(anyNumber());
    E.Address = anyNumber();
    E.Size = below(3) ? 1u << below(5) : anyNumber();
    E.Location = below(5) ? below(20) : static_cast<uint32_t>(anyNumber());
    E.Kind = static_cast<EventKind>(below(NumEventKinds));
    E.IsAtomic = below(10) == 0;
    E.IsStack = !isAccess(E.Kind) && below(10) == 0;
    E.IsFailedExchange = E.Kind == EventKind::Read && below(10) == 0;
    return E;
  }
  void single(unsigned Thread) {
    const unsigned Times = below(3) ? 1 : below(200);
    const Event E = any(Thread);
    Events.insert(Events.end(), Times, E);
  }
  void loop(unsigned Thread) {
    std::vector<Event> Body;
    std::vector<uint64_t> Steps;
    for (unsigned I = 0, N = 1 + below(4); I < N; ++I) {
      Body.push_back(any(Thread));
      Steps.push_back(below(3) ? 8 * below(4) : anyNumber());
    }
    for (unsigned Round = 0, N = below(100); Round < N; ++Round)
      for (size_t I = 0; I < Body.size(); ++I) {
        Events.push_back(Body[I]);
        Body[I].Address += Steps[I];
      }
  }

  std::mt19937_64 &Random;
  std::vector<Event> Events;
};

} // namespace

std::vector<Event> randomTrace(std::mt19937_64 &Random) {
  return Maker(Random).make();
}

bool same(const Event &A, const Event &B) {
  return A.Address == B.Address && A.Size == B.Size && A.Thread == B.Thread &&
         A.Location == B.Location && A.Kind == B.Kind &&
         A.IsAtomic == B.IsAtomic && A.IsStack == B.IsStack &&
         A.IsFailedExchange == B.IsFailedExchange;
}

std::string writtenBinary(const Names &Known,
                          const std::function<void(BinaryWriter &)> &Write) {
  const std::string Path = testing::TempDir() + "atsan-written." +
                           std::to_string(getpid()) + ".trace";
  std::string Error;
  const auto Writer = createBinary(Path, Known, Error);
  if (!Writer) {
    ADD_FAILURE() << Error;
    return std::string();
  }
  Write(*Writer);
  EXPECT_TRUE(Writer->finish()) << Writer->error();
  std::ifstream File(Path, std::ios::binary);
  std::remove(Path.c_str());
  return {std::istreambuf_iterator<char>(File), {}};
}

std::string toBinary(const std::vector<Event> &Events, const Names &Known) {
  return writtenBinary(Known, [&](BinaryWriter &To) {
    To.write({Events.data(), Events.size()});
  });
}

unsigned cases(unsigned Usually) {
  return static_cast<unsigned>(
      atsan_test::setting("ATSAN_TRACE_CASES", Usually));
}

} // namespace atsan::trace
