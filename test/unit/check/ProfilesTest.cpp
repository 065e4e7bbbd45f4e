//===- ProfilesTest.cpp ---------------------------------------------------===//
//
// Part of AtomicitySanitizer, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Without synchronization, prediction is exact: what `profiles` finds is what
// some interleaving of the same threads shows.
//
//===----------------------------------------------------------------------===//

#include "lib/check/Profiles.h"
#include "RandomRuns.h"

using namespace atsan::check;
using namespace atsan_test;
using atsan::trace::Event;
using atsan::trace::EventKind;

namespace {

std::vector<Finding> predict(const std::vector<atsan::trace::Event> &Run,
                             bool All = false, size_t AllPairs = 16) {
  Options O;
  O.All = All;
  Profiles P(O, /*WithLocks=*/false, /*MaxItems=*/1 << 22,
             /*MaxStates=*/1 << 12, /*Share=*/.5, AllPairs);
  P.consume({Run.data(), Run.size()});
  P.finish();
  EXPECT_EQ(P.gaveUp(), "");
  return P.findings();
}

/// One thread after the other.
std::vector<atsan::trace::Event> serialRun(const Program &P) {
  Interleaving Order;
  for (size_t T = 0; T != P.size(); ++T)
    Order.insert(Order.end(), P[T].size(), uint8_t(T));
  return events(P, Order);
}

bool isPredicted(const std::vector<std::string> &Threads) {
  const Program P = program(Threads);
  const bool Predicted = !predict(serialRun(P)).empty();
  EXPECT_EQ(explore(P).Unserializable, Predicted);
  return Predicted;
}

template <typename DrawFunction>
void compare(uint64_t Count, DrawFunction Draw) {
  uint64_t Compared = 0;
  forEachRun(numberOfPrograms(Count), Draw,
             [&](const Program &P, const std::vector<atsan::trace::Event> &Run,
                 uint64_t) {
               const Outcomes All = explore(P);
               if (All.GaveUp)
                 return;
               ++Compared;
               EXPECT_EQ(!predict(Run).empty(), All.Unserializable);
               EXPECT_EQ(predict(Run, true, /*AllPairs=*/0).size(),
                         predict(Run, true).size());
             });
  EXPECT_GT(Compared, Count / 2);
}

void compare(ProgramOptions O, uint64_t Count) {
  O.LockPercent = 0;
  O.Sync = ProgramOptions::None;
  compare(Count, [O](uint64_t Seed) { return randomProgram(Seed, O); });
}

/// Threads of several short transactions: chains that come back to a thread
/// earlier than they left it are frequent.
Program shortTransactions(uint64_t Seed) {
  std::mt19937_64 Random(Seed);
  const auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  std::vector<std::string> Threads(3 + Below(2));
  for (std::string &T : Threads)
    for (unsigned Left = 1 + Below(3); Left; --Left) {
      T += "[ ";
      for (unsigned Accesses = 1 + Below(2); Accesses; --Accesses)
        T += std::string(1, Below(2) ? 'r' : 'w') + "xyz"[Below(3)] + ' ';
      T += "] ";
    }
  return program(Threads);
}

} // namespace

// Where TACAS'09 is wrong as printed (docs/check.md).

TEST(ProfilesErrata, Lemma3TakesTheEdgeWithinAThreadBackwards) {
  EXPECT_FALSE(isPredicted({"[ wy ] [ rx ]", "[ wx wy ]"}));
  EXPECT_TRUE(isPredicted({"[ wy wz ]", "[ wy ] [ rz ]"}));
}

TEST(ProfilesErrata, Lemma3VisitsAThreadTwice) {
  EXPECT_FALSE(isPredicted({"[ rx ry ]", "[ rx ry ]", "[ wy ] [ wx ]"}));
}

TEST(ProfilesErrata, Lemma5sSearchIsIncomplete) {
  EXPECT_TRUE(isPredicted({"[ rz ry ]", "[ wz ] [ ry ]", "[ wy ] [ wz ]"}));
}

TEST(ProfilesErrata, Lemma6SkipsBoundaries) {
  EXPECT_FALSE(isPredicted({"[ rx ] [ wx ]", "[ wx ]"}));
}

/// The "constant" c of the paper is about the square of the number of
/// variables: 400 million pairs here. What is done is linear in them.
TEST(ProfilesErrata, TheConstantIsTheSquareOfTheVariables) {
  constexpr uint64_t Variables = 20000;
  std::vector<Event> Run;
  const auto Add = [&](uint32_t Thread, EventKind Kind, uint64_t Variable) {
    Event E;
    E.Thread = Thread;
    E.Kind = Kind;
    E.Address = isAccess(Kind) ? variableAddress(0) + 8 * Variable : 0;
    E.Size = isAccess(Kind) ? 8 : 0;
    E.Location = uint32_t(Run.size() + 1);
    Run.push_back(E);
  };
  const auto Region = [&](uint64_t First, uint64_t Last) {
    Add(0, EventKind::RegionBegin, 0);
    Add(0, EventKind::Read, First);
    Add(0, EventKind::Read, Last);
    Add(0, EventKind::RegionEnd, 0);
  };
  for (uint64_t V = 0; V + 1 != Variables; ++V)
    Region(V, V + 1);
  for (uint64_t V = Variables; V-- > 0;)
    Add(1, EventKind::Write, V);
  for (uint64_t V = 0; V != Variables; ++V)
    Add(2, EventKind::Read, V);
  const auto Predicted = [&] {
    Options O;
    O.All = true;
    O.MaxSeconds = 20;
    Profiles P(O);
    P.consume({Run.data(), Run.size()});
    P.finish();
    EXPECT_EQ(P.gaveUp(), "");
    return P.findings().size();
  };
  EXPECT_EQ(Predicted(), 0u);
  Region(Variables - 1, 0); // In the order in which they are written.
  EXPECT_EQ(Predicted(), 1u);
}

TEST(Profiles, LocksAreIgnored) {
  const Program P = program({"[ +l rx wx -l ]", "+l wx -l"});
  EXPECT_EQ(predict(serialRun(P)).size(), 1u);
}

TEST(Profiles, OneFindingForEachPairOfPlaces) {
  const Program P = program({"[ rx wx rx ]", "wx", "wx"});
  EXPECT_EQ(predict(serialRun(P)).size(), 1u);
  EXPECT_GT(predict(serialRun(P), /*All=*/true).size(), 1u);
}

TEST(ProfilesDifferential, TwoThreads) {
  ProgramOptions O;
  O.MaxThreads = 2;
  O.MaxOps = 9;
  compare(O, 300);
}

TEST(ProfilesDifferential, ManyThreads) {
  ProgramOptions O;
  O.MaxThreads = 5;
  O.MaxOps = 5;
  compare(O, 300);
}

TEST(ProfilesDifferential, ManyVariables) {
  ProgramOptions O;
  O.MaxThreads = 5;
  O.MaxVariables = 6;
  O.MaxOps = 6;
  compare(O, 300);
}

TEST(ProfilesDifferential, ShortTransactions) {
  compare(1500, shortTransactions);
}
